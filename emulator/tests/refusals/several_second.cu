// See several_first.cu.
__global__ void second() {}
void launch_second() { second<<<1, 1>>>(); }
