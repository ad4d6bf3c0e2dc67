#pragma once
// OpenGL as the listings of "CUDA by Example", chapter 8, expect it from the book's
// header of this name: GLUT, the types of the functions that came after OpenGL 1.1, and
// a way to look one up by its name.

#include <GL/glut.h>
// After GLUT's header.
#include <GL/glext.h>

extern "C" void (*glXGetProcAddress(const GLubyte* name))();
#define GET_PROC_ADDRESS(name) glXGetProcAddress(reinterpret_cast<const GLubyte*>(name))
