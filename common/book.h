#pragma once
// The names of the book's own book.h ("CUDA by Example", Sanders, Kandrot,
// 2010) that the samples use.

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

/// Ends the program if a CUDA call failed: prints file, line, the failing expression, the
/// error's name and text. Exit code 1; 77 with a sentence of its own if this machine cannot
/// run the program at all (no GPU, driver too old, kernels built for another
/// architecture); 2 for a device number that does not exist. Variadic because an expression
/// may contain the commas of template arguments.
#define HANDLE_ERROR(...) handle_error((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

/// Ends the program if a host allocation returned NULL.
#define HANDLE_NULL(pointer) handle_null((pointer) == NULL, #pointer, __FILE__, __LINE__)

void handle_error(cudaError_t error, const char* expression, const char* file, int line);
void handle_null(bool is_null, const char* expression, const char* file, int line);

/// `size` random bytes, the same in every run. The caller frees them with free().
void* big_random_block(int size);

#ifdef BOOK_LISTING    // a listing of the book itself, which expects more names
#include BOOK_LISTING  // cmake/Listing.cmake says "listing.h"
#endif
