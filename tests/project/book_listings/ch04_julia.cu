// In the style of chapter 4: a Julia set, one block per pixel.
#include "../common/book.h"
#include "../common/cpu_bitmap.h"

#define DIM 400

struct cuComplex {
    float   r;
    float   i;
    __device__ cuComplex( float a, float b ) : r(a), i(b)  {}
    __device__ float magnitude2( void ) { return r * r + i * i; }
    __device__ cuComplex operator*( const cuComplex& a ) {
        return cuComplex( r*a.r - i*a.i, i*a.r + r*a.i );
    }
    __device__ cuComplex operator+( const cuComplex& a ) {
        return cuComplex( r + a.r, i + a.i );
    }
};

__device__ int julia( int x, int y ) {
    const float scale = 1.5f;
    cuComplex c( -0.1226f, 0.7449f );
    cuComplex a( scale * (float)(DIM/2 - x)/(DIM/2), scale * (float)(DIM/2 - y)/(DIM/2) );
    for (int i=0; i<100; i++) {
        a = a * a + c;
        if (a.magnitude2() > 100)
            return 0;
    }
    return 1;
}

__global__ void kernel( unsigned char *ptr ) {
    int x = blockIdx.x;
    int y = blockIdx.y;
    int offset = x + y * gridDim.x;
    int inside = julia( x, y );
    ptr[offset*4 + 0] = 255 * inside;
    ptr[offset*4 + 1] = 0;
    ptr[offset*4 + 2] = 0;
    ptr[offset*4 + 3] = 255;
}

struct DataBlock {
    unsigned char   *dev_bitmap;
};

int main( void ) {
    DataBlock   data;
    CPUBitmap bitmap( DIM, DIM, &data );
    unsigned char    *dev_bitmap;
    HANDLE_ERROR( cudaMalloc( (void**)&dev_bitmap, bitmap.image_size() ) );
    data.dev_bitmap = dev_bitmap;

    dim3    grid(DIM,DIM);
    kernel<<<grid,1>>>( dev_bitmap );

    HANDLE_ERROR( cudaMemcpy( bitmap.get_ptr(), dev_bitmap, bitmap.image_size(), cudaMemcpyDeviceToHost ) );
    HANDLE_ERROR( cudaFree( dev_bitmap ) );
    bitmap.display_and_exit();
}
