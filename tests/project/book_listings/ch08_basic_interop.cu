// In the style of chapter 8: GLUT and OpenGL called by the program itself, which fills a registered buffer once. The
// functions that came after OpenGL 1.1 are variables of the same names.
#include "../common/book.h"
#include "../common/cpu_bitmap.h"

#include "cuda.h"
#include "cuda_gl_interop.h"

PFNGLBINDBUFFERARBPROC    glBindBuffer     = NULL;
PFNGLDELETEBUFFERSARBPROC glDeleteBuffers  = NULL;
PFNGLGENBUFFERSARBPROC    glGenBuffers     = NULL;
PFNGLBUFFERDATAARBPROC    glBufferData     = NULL;

#define SIDE 256

GLuint pixelBuffer;
cudaGraphicsResource *cudaView;

__global__ void paint( uchar4 *ptr ) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    int offset = x + y * blockDim.x * gridDim.x;
    ptr[offset].x = x;
    ptr[offset].y = y;
    ptr[offset].z = 0;
    ptr[offset].w = 255;
}

static void on_key( unsigned char key, int, int ) {
    if (key == 27) {
        HANDLE_ERROR( cudaGraphicsUnregisterResource( cudaView ) );
        glBindBuffer( GL_PIXEL_UNPACK_BUFFER_ARB, 0 );
        glDeleteBuffers( 1, &pixelBuffer );
        exit(0);
    }
}

static void on_draw( void ) {
    glDrawPixels( SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, 0 );
    glutSwapBuffers();
}

int main( int argc, char **argv ) {
    cudaDeviceProp prop;
    int dev;
    memset( &prop, 0, sizeof( cudaDeviceProp ) );
    prop.major = 1;
    prop.minor = 0;
    HANDLE_ERROR( cudaChooseDevice( &dev, &prop ) );
    HANDLE_ERROR( cudaGLSetGLDevice( dev ) );

    glutInit( &argc, argv );
    glutInitDisplayMode( GLUT_DOUBLE | GLUT_RGBA );
    glutInitWindowSize( SIDE, SIDE );
    glutCreateWindow( "listing_ch08_basic_interop" );

    glBindBuffer    = (PFNGLBINDBUFFERARBPROC)GET_PROC_ADDRESS("glBindBuffer");
    glDeleteBuffers = (PFNGLDELETEBUFFERSARBPROC)GET_PROC_ADDRESS("glDeleteBuffers");
    glGenBuffers    = (PFNGLGENBUFFERSARBPROC)GET_PROC_ADDRESS("glGenBuffers");
    glBufferData    = (PFNGLBUFFERDATAARBPROC)GET_PROC_ADDRESS("glBufferData");

    glGenBuffers( 1, &pixelBuffer );
    glBindBuffer( GL_PIXEL_UNPACK_BUFFER_ARB, pixelBuffer );
    glBufferData( GL_PIXEL_UNPACK_BUFFER_ARB, SIDE * SIDE * 4, NULL, GL_DYNAMIC_DRAW_ARB );
    HANDLE_ERROR( cudaGraphicsGLRegisterBuffer( &cudaView, pixelBuffer, cudaGraphicsMapFlagsNone ) );

    HANDLE_ERROR( cudaGraphicsMapResources( 1, &cudaView, NULL ) );
    uchar4* devPtr;
    size_t size;
    HANDLE_ERROR( cudaGraphicsResourceGetMappedPointer( (void**)&devPtr, &size, cudaView ) );
    dim3 grids(SIDE/16,SIDE/16);
    dim3 threads(16,16);
    paint<<<grids,threads>>>( devPtr );
    HANDLE_ERROR( cudaGraphicsUnmapResources( 1, &cudaView, NULL ) );

    glutKeyboardFunc( on_key );
    glutDisplayFunc( on_draw );
    glutMainLoop();
}
