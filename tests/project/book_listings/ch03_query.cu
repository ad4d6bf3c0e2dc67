// In the style of chapter 3: a sum made on the device, and a device chosen by what it can do.
#include "../common/book.h"

__global__ void add( int a, int b, int *c ) {
    *c = a + b;
}

int main( void ) {
    int c;
    int *dev_c;
    HANDLE_ERROR( cudaMalloc( (void**)&dev_c, sizeof(int) ) );
    add<<<1,1>>>( 20, 22, dev_c );
    HANDLE_ERROR( cudaMemcpy( &c, dev_c, sizeof(int), cudaMemcpyDeviceToHost ) );
    printf( "20 + 22 = %d\n", c );
    HANDLE_ERROR( cudaFree( dev_c ) );

    cudaDeviceProp  prop;
    int count, dev;
    HANDLE_ERROR( cudaGetDeviceCount( &count ) );
    for (int i=0; i< count; i++) {
        HANDLE_ERROR( cudaGetDeviceProperties( &prop, i ) );
        printf( "   --- Device %d: %s, compute capability %d.%d ---\n", i, prop.name, prop.major, prop.minor );
        printf( "Total global mem:  %ld\n", (long)prop.totalGlobalMem );
        printf( "Total constant Mem:  %ld\n", (long)prop.totalConstMem );
        printf( "Multiprocessor count:  %d\n", prop.multiProcessorCount );
        printf( "Shared mem per block:  %ld\n", (long)prop.sharedMemPerBlock );
        printf( "Threads in warp:  %d\n", prop.warpSize );
        printf( "Max threads per block:  %d\n", prop.maxThreadsPerBlock );
    }
    HANDLE_ERROR( cudaGetDevice( &dev ) );
    HANDLE_ERROR( cudaSetDevice( dev ) );
    return c == 42 ? 0 : 1;
}
