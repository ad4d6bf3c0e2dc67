// In the style of chapter 7: heat that spreads, read through one-dimensional texture references.
#include "cuda.h"
#include "../common/book.h"
#include "../common/cpu_anim.h"

#define DIM 128
#define MAX_TEMP 1.0f
#define MIN_TEMP 0.0001f
#define SPEED   0.25f

// these exist on the GPU side
texture<float>  texConstSrc;
texture<float>  texIn;
texture<float>  texOut;

struct DataBlock {
    unsigned char   *output_bitmap;
    float           *dev_inSrc;
    float           *dev_outSrc;
    float           *dev_constSrc;
    CPUAnimBitmap  *bitmap;

    cudaEvent_t     start, stop;
    float           totalTime;
    float           frames;
};

__global__ void copy_const_kernel( float *iptr ) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    int offset = x + y * blockDim.x * gridDim.x;
    float c = tex1Dfetch(texConstSrc,offset);
    if (c != 0)
        iptr[offset] = c;
}

__global__ void blend_kernel( float *dst, bool dstOut ) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    int offset = x + y * blockDim.x * gridDim.x;
    int left = x == 0 ? offset : offset - 1;
    int right = x == DIM-1 ? offset : offset + 1;
    int top = y == 0 ? offset : offset - DIM;
    int bottom = y == DIM-1 ? offset : offset + DIM;
    float t, l, c, r, b;
    if (dstOut) {
        t = tex1Dfetch(texIn,top); l = tex1Dfetch(texIn,left); c = tex1Dfetch(texIn,offset);
        r = tex1Dfetch(texIn,right); b = tex1Dfetch(texIn,bottom);
    } else {
        t = tex1Dfetch(texOut,top); l = tex1Dfetch(texOut,left); c = tex1Dfetch(texOut,offset);
        r = tex1Dfetch(texOut,right); b = tex1Dfetch(texOut,bottom);
    }
    dst[offset] = c + SPEED * (t + b + r + l - 4 * c);
}

void anim_gpu( DataBlock *d, int ticks ) {
    HANDLE_ERROR( cudaEventRecord( d->start, 0 ) );
    dim3    blocks(DIM/16,DIM/16);
    dim3    threads(16,16);
    CPUAnimBitmap  *bitmap = d->bitmap;

    // the textures stay bound to their buffers, so a flag tells which one is the input of this step
    volatile bool dstOut = true;
    for (int i=0; i<10; i++) {
        float *in  = dstOut ? d->dev_inSrc : d->dev_outSrc;
        float *out = dstOut ? d->dev_outSrc : d->dev_inSrc;
        copy_const_kernel<<<blocks,threads>>>( in );
        blend_kernel<<<blocks,threads>>>( out, dstOut );
        dstOut = !dstOut;
    }
    float_to_color<<<blocks,threads>>>( d->output_bitmap, d->dev_inSrc );
    HANDLE_ERROR( cudaMemcpy( bitmap->get_ptr(), d->output_bitmap, bitmap->image_size(), cudaMemcpyDeviceToHost ) );

    HANDLE_ERROR( cudaEventRecord( d->stop, 0 ) );
    HANDLE_ERROR( cudaEventSynchronize( d->stop ) );
    float   elapsedTime;
    HANDLE_ERROR( cudaEventElapsedTime( &elapsedTime, d->start, d->stop ) );
    d->totalTime += elapsedTime;
    ++d->frames;
    printf( "%d: Average Time per frame:  %3.1f ms\n", ticks, d->totalTime/d->frames );
}

void anim_exit( DataBlock *d ) {
    HANDLE_ERROR( cudaUnbindTexture( texIn ) );
    HANDLE_ERROR( cudaUnbindTexture( texOut ) );
    HANDLE_ERROR( cudaUnbindTexture( texConstSrc ) );
    HANDLE_ERROR( cudaFree( d->dev_inSrc ) );
    HANDLE_ERROR( cudaFree( d->dev_outSrc ) );
    HANDLE_ERROR( cudaFree( d->dev_constSrc ) );
    HANDLE_ERROR( cudaFree( d->output_bitmap ) );
    HANDLE_ERROR( cudaEventDestroy( d->start ) );
    HANDLE_ERROR( cudaEventDestroy( d->stop ) );
}

void add_heat( DataBlock *d, int x0, int y0, int x1, int y1 ) {
    printf( "dragged by (%d, %d), %s\n", x1 - x0, y1 - y0, d->bitmap ? "heat stays" : "" );
}

int main( void ) {
    DataBlock   data;
    CPUAnimBitmap bitmap( DIM, DIM, &data );
    data.bitmap = &bitmap;
    data.totalTime = 0;
    data.frames = 0;
    HANDLE_ERROR( cudaEventCreate( &data.start ) );
    HANDLE_ERROR( cudaEventCreate( &data.stop ) );

    int imageSize = bitmap.image_size();
    HANDLE_ERROR( cudaMalloc( (void**)&data.output_bitmap, imageSize ) );
    // float == 4 chars in size (ie rgba)
    HANDLE_ERROR( cudaMalloc( (void**)&data.dev_inSrc, imageSize ) );
    HANDLE_ERROR( cudaMalloc( (void**)&data.dev_outSrc, imageSize ) );
    HANDLE_ERROR( cudaMalloc( (void**)&data.dev_constSrc, imageSize ) );

    HANDLE_ERROR( cudaBindTexture( NULL, texConstSrc, data.dev_constSrc, imageSize ) );
    HANDLE_ERROR( cudaBindTexture( NULL, texIn, data.dev_inSrc, imageSize ) );
    HANDLE_ERROR( cudaBindTexture( NULL, texOut, data.dev_outSrc, imageSize ) );

    float *temp = (float*)malloc( imageSize );
    HANDLE_NULL( temp );
    for (int i=0; i<DIM*DIM; i++) {
        int x = i % DIM;
        int y = i / DIM;
        temp[i] = 0;
        if ((x>40) && (x<90) && (y>40) && (y<90))
            temp[i] = MAX_TEMP;
        if ((x<10) && (y<10))
            temp[i] = MIN_TEMP;
    }
    HANDLE_ERROR( cudaMemcpy( data.dev_constSrc, temp, imageSize, cudaMemcpyHostToDevice ) );
    HANDLE_ERROR( cudaMemcpy( data.dev_inSrc, temp, imageSize, cudaMemcpyHostToDevice ) );
    free( temp );

    bitmap.click_drag( (void (*)(void*,int,int,int,int))add_heat );
    bitmap.anim_and_exit( (void (*)(void*,int))anim_gpu, (void (*)(void*))anim_exit );
}
