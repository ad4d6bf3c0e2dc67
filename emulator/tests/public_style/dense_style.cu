// Code without spaces, as many public programs have it: what the translator writes must not grow
// together with what is there. Kernels whose names a macro puts together. And what nvcc brings
// along without an #include: abs, sin and so on for float.
// clang-format off
#include<stdio.h>
#define BIT(n)(1u<<n)

__device__ int wrong=0;
#define CHECK(condition)do{if(!(condition)){printf("WRONG: line %d: %s\n",__LINE__,#condition);atomicAdd(&wrong,1);}}while(0)

#define DEFINE_KERNEL(name,op)__global__ void k_##name(int*o,int a,int b){*o=a op b;}
#define CALL(name,op)k_##name<<<1,1>>>(o,17,5);cudaDeviceSynchronize();ok=ok&&*o==(17 op 5);
#define FOR_ALL(X)X(sub,-)X(mul,*)X(band,&)

FOR_ALL(DEFINE_KERNEL)
template<class T>__device__ T choose(bool c,const T*p){return c?*p:T(7);}
template<class...T>__device__ int how_many(T...){return(int)sizeof...(T);}

__global__ void shifts(int s,unsigned x){
  CHECK((x<<s|x>>32-s)==0xd5b7ddfbu);
  CHECK((1ull<<62)>>s*6==1ull<<32);
  CHECK(BIT(s)==32&&BIT(40)==0);
  x>>=s;CHECK(x==0x06f56df7u);x<<=s;CHECK(x==0xdeadbee0u);
  CHECK(how_many(s,x,1.f)==3);
  CHECK(choose(s<0,&x)==7&&(s<0?s:(int)2.9f)==2);
}

__global__ void absolute(float x,double y,long long z){
  CHECK(abs(x)==2.5f);CHECK(abs(y)==1e-3);CHECK(abs(z)==5000000000ll);
  CHECK(sizeof(sin(x))==sizeof(float));CHECK(sizeof(pow(x,x))==sizeof(float));
}

__global__ void spaces(){
  __shared__ struct{int of_all;char raw[12];}s;
  __shared__ union Word{float f;int i;}word;
  if(threadIdx.x==0){s.of_all=3;s.raw[11]=4;word.f=1;}
  __syncthreads();
  CHECK(s.of_all+s.raw[11]==7&&word.i==0x3f800000);
}

int main(){
  shifts<<<1,1>>>(5,0xdeadbeefu);absolute<<<1,1>>>(-2.5f,-1e-3,-5000000000ll);spaces<<<2,64>>>();
  bool ok=true;int*o;cudaMallocManaged(&o,sizeof(int));
  FOR_ALL(CALL)
  int result=-1;
  cudaMemcpyFromSymbol(&result,wrong,sizeof result);
  printf(ok&&result==0&&cudaGetLastError()==cudaSuccess?"OK\n":"WRONG\n");
}
