// Together with several_second.cu: a program with kernels in two files.
__global__ void first() {}
void launch_second();

int main() {
  first<<<1, 1>>>();
  launch_second();
}
