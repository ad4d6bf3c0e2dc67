// More constants than a GPU has: nvcc refuses this file, the emulated device
// ends the program before main().
#include <cstdio>

__constant__ char first[40000];
__constant__ char second[30000];

int main() { std::puts("main() runs"); }
