#pragma once

#ifdef __cplusplus
extern "C" {
#endif
void fill(int* numbers, int n); /* the square of each index; fill.c */
#ifdef __cplusplus
}
void add_on_device(int* numbers, int n, int amount);
void scale_on_device(int* numbers, int n, int factor);
// How many threads have called kernels of both files.
int calls_on_device();
#endif
