// In the style of chapter 8: frames that are made in device memory and go to the window from there.
#include "../common/book.h"
#include "../common/gpu_anim.h"

#define DIM 128

__global__ void kernel( uchar4 *ptr, int ticks ) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    int offset = x + y * blockDim.x * gridDim.x;
    ptr[offset].x = 2 * x;
    ptr[offset].y = 2 * y;
    ptr[offset].z = 10 * ticks;
    ptr[offset].w = 255;
}

void generate_frame( uchar4 *pixels, void*, int ticks ) {
    dim3    grids(DIM/16,DIM/16);
    dim3    threads(16,16);
    kernel<<<grids,threads>>>( pixels, ticks );
}

int main( void ) {
    GPUAnimBitmap  bitmap( DIM, DIM, NULL );
    bitmap.anim_and_exit( (void (*)(uchar4*,void*,int))generate_frame, NULL );
}
