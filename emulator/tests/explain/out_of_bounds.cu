// Accesses out of bounds.
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "memory.h"

namespace {

int numbers[256];

// ---- global memory ----
__global__ void copy(const int* from, int* to, int n) {
  if (static_cast<int>(threadIdx.x) < n) to[threadIdx.x] = from[threadIdx.x];
}
// says: out of bounds: kernel copy: thread 50 of block 0 reads a\[50\], beyond the 200 bytes of a \(cudaMalloc in line 21\); 14 such accesses in all, from a\[50\] to a\[63\]
// says: out of bounds: kernel copy: thread 50 of block 0 writes b\[50\], beyond the 200 bytes of b \(cudaMalloc in line 21\)
void no_check(bool right) {
  int *a = nullptr, *b = nullptr;
  cudaMalloc((void**)&a, 200), cudaMalloc((void**)&b, 200);
  cudaMemcpy(a, numbers, 200, cudaMemcpyHostToDevice);
  copy<<<1, threads>>>(a, b, right ? 50 : threads);
  cudaFree(a);
  cudaFree(b);
}

__global__ void from_the_left(const int* in, int* out, bool right) {
  if (!right || threadIdx.x > 0) out[threadIdx.x] = in[static_cast<int>(threadIdx.x) - 1];
}
// says: kernel from_the_left: thread 0 of block 0 reads data\[-1\], before the 256 bytes of data \(cudaMalloc
void before_the_first(bool right) {
  const Array<int> in(threads, numbers), out(threads);
  from_the_left<<<1, threads>>>(in.data, out.data, right);
}

// ---- read before the guard: only what the guard guards uses the value ----
template <bool right>
__global__ void add_sample(int* bins, const int* samples, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if constexpr (right) {
    if (i < n) atomicAdd(&bins[samples[i]], 1);
  } else {
    const int sample = samples[i];
    if (i < n) atomicAdd(&bins[sample], 1);
  }
}
// says: out of bounds: kernel add_sample<false>: thread 50 of block 0 reads samples\[50\], beyond the 200 bytes of samples
void load_and_guard(bool right) {
  const Array<int> bins(threads, numbers);
  int* samples = nullptr;
  cudaMalloc(&samples, 200);
  cudaMemcpy(samples, numbers, 200, cudaMemcpyHostToDevice);
  if (right)
    add_sample<true><<<1, threads>>>(bins.data, samples, 50);
  else
    add_sample<false><<<1, threads>>>(bins.data, samples, 50);
  cudaFree(samples);
}

template <bool right>
__global__ void blur(float* out, const float* in, int width, int height) {
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int at = y * width + x;
  if constexpr (right)
    if (x >= width || y >= height) return;
  const float left = in[x > 0 ? at - 1 : at];
  const float here = in[at];
  if (x < width) {
    if (y < height) out[at] = 0.5f * (left + here);
  }
}
// says: out of bounds: kernel blur<false>: thread [0-9]+ of block 0 reads picture\[49\], beyond the 196 bytes of picture
void neighbors_and_guard(bool right) {
  const Array<float> out(49);
  float* picture = nullptr;
  cudaMalloc(&picture, 196);
  cudaMemcpy(picture, numbers, 196, cudaMemcpyHostToDevice);
  if (right)
    blur<true><<<1, dim3(8, 8)>>>(out.data, picture, 7, 7);
  else
    blur<false><<<1, dim3(8, 8)>>>(out.data, picture, 7, 7);
  cudaFree(picture);
}

struct Body {
  double mass, speed;
};
__device__ double energy(const Body* bodies, int i) {
  return 0.5 * bodies[i].mass * bodies[i].speed * bodies[i].speed;
}
template <bool right>
__global__ void energies(double* out, const Body* bodies, int n) {
  const int i = static_cast<int>(threadIdx.x);
  const Body& own = bodies[i];  // no access
  const double before = right ? 0 : energy(bodies, i);
  if (i >= n) return;
  out[i] = right ? 0.5 * own.mass * own.speed * own.speed : before;
}
// says: out of bounds: kernel energies<false>: thread 50 of block 0 reads bytes 0 to 7 of bodies\[50\], beyond the 800 bytes of bodies
void function_and_guard(bool right) {
  const Array<double> out(threads);
  Body* bodies = nullptr;
  cudaMalloc(&bodies, 50 * sizeof(Body));
  cudaMemset(bodies, 0, 50 * sizeof(Body));
  if (right)
    energies<true><<<1, threads>>>(out.data, bodies, 50);
  else
    energies<false><<<1, threads>>>(out.data, bodies, 50);
  cudaFree(bodies);
}

__global__ void far_off(const int* in, int* out, int by) {
  out[threadIdx.x] = in[threadIdx.x * by];
}
// says: kernel far_off: thread 1 of block 0 reads data\[1024\], beyond the 256 bytes of data
void far_behind(bool right) {
  const Array<int> in(threads, numbers), out(threads);
  far_off<<<1, 8>>>(in.data, out.data, right ? 8 : 1024);
}

__global__ void before_the_row(const int* in, int* out, unsigned i) {
  if (threadIdx.x == 0) *out = in[i - 1];
}
// says: kernel before_the_row: thread 0 of block 0 reads memory far from all that was allocated: an index has wrapped around
void wrapped_around(bool right) {
  const Array<int> in(threads, numbers), out(1);
  before_the_row<<<1, 8>>>(in.data, out.data, right ? 1 : 0);
}

__global__ void mark(unsigned char* plane, int row, int pitch) { plane[row * pitch] = 1; }
// says: kernel mark: thread 0 of block 0 writes memory far from all that was allocated: an index has wrapped around
void too_large_for_an_int(bool right) {
  unsigned char* plane = nullptr;
  cudaMalloc(&plane, 100 << 10);
  mark<<<1, 1>>>(plane, right ? 1 : 40000, right ? 1024 : 65536);
  cudaFree(plane);
}

__global__ void rows(int* data, std::size_t pitch, int height) {
  int* const row = reinterpret_cast<int*>(reinterpret_cast<char*>(data) + threadIdx.x * pitch);
  if (static_cast<int>(threadIdx.x) < height) row[0] = 1;
}
// says: kernel rows: thread 4 of block 0 writes data\[512\], beyond the 2048 bytes of data \(cudaMallocPitch
void pitched(bool right) {
  int* data = nullptr;
  std::size_t pitch = 0;
  cudaMallocPitch(&data, &pitch, 100, 4);
  rows<<<1, 8>>>(data, pitch, right ? 4 : 5);
  cudaFree(data);
}

__global__ void halve(int* data, int n) {
  if (static_cast<int>(threadIdx.x) < n) data[threadIdx.x] /= 2;
}
// says: kernel halve: thread 50 of block 0 reads pinned\[50\], beyond the 200 bytes of pinned \(cudaMallocHost
// says: kernel halve: thread 50 of block 0 writes managed\[50\], beyond the 200 bytes of managed \(cudaMallocManaged
void memory_of_the_host(bool right) {
  int *pinned = nullptr, *managed = nullptr;
  cudaMallocHost(&pinned, 200);
  cudaMallocManaged(&managed, 200);
  std::memset(pinned, 0, 200);
  halve<<<1, threads>>>(pinned, right ? 50 : 51);
  halve<<<1, threads>>>(managed, right ? 50 : 51);
  cudaDeviceSynchronize();
  cudaFreeHost(pinned);
  cudaFree(managed);
}

struct Moving {
  int* x;
  int n;
};
__global__ void move(Moving all) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < all.n) all.x[i] += 1;
}
// says: the host.s memory: kernel move: thread 0 of block 0 follows a pointer to host memory, which its argument holds and
void structure_with_a_vector(bool right) {
  std::vector<int> here(threads);
  const Array<int> there(threads, numbers);
  const Moving all{right ? there.data : here.data(), threads};
  move<<<1, threads>>>(all);
  cudaDeviceSynchronize();
}

struct Counter {
  int* values;
  int start;
};
template <class Function>
__global__ void call(Function function) {
  function(static_cast<int>(threadIdx.x));
}
// says: the host.s memory: kernel call: thread 0 of block 0 follows a pointer to host memory, which its argument holds and
void lambda_with_the_objects_address(bool right) {
  const Array<int> data(threads);
  const Counter counter{data.data, 100};
  const Counter* const it = &counter;
  if (right)
    call<<<1, threads>>>([copy = counter] __device__(int i) { copy.values[i] = copy.start + i; });
  else
    call<<<1, threads>>>([it] __device__(int i) { it->values[i] = it->start + i; });
}

struct BothSides {
  int* on_host;
  int* on_device;
  int sum = 0;
};
__global__ void use_one(BothSides both, bool right) {
  both.sum += both.on_device[threadIdx.x];
  if (!right) both.sum += both.on_host[0];
  both.on_device[threadIdx.x] = both.sum;
}
// says: the host.s memory: kernel use_one: thread 0 of block 0 follows a pointer to host memory, which its argument holds and
void pointers_of_both_sides(bool right) {
  const Array<int> device(threads, numbers);
  int host[4] = {1, 2, 3, 4};
  use_one<<<1, threads>>>({host, device.data}, right);
  cudaDeviceSynchronize();
}

__global__ void clear(int* data, std::size_t bytes) { memset(data, 0, bytes); }
// says: kernel clear: thread 0 of block 0 writes 260 bytes from data\[0\] on, beyond the 256 bytes of data
void by_a_function(bool right) {
  const Array<int> data(threads);
  clear<<<1, 1>>>(data.data, right ? 256 : 260);
}

// says: kernel halve: thread 0 of block 0 reads .* of memory that was freed: the 204 bytes of gone .*, freed in line [0-9]+
void after_free(bool right) {
  int *gone = nullptr, *here = nullptr;
  cudaMalloc(&gone, 204);
  cudaMemcpy(gone, numbers, 204, cudaMemcpyHostToDevice);
  if (!right) cudaFree(gone);
  cudaMalloc(&here, 256);
  cudaMemcpy(here, numbers, 256, cudaMemcpyHostToDevice);
  int* const used = right ? here : gone;
  halve<<<1, 1>>>(used, 1);
  if (right) cudaFree(gone);
  cudaFree(here);
}

// ---- shared memory ----
__global__ void dynamic(int* out, int n) {
  extern __shared__ int s[];
  for (int i = threadIdx.x; i < n; i += threads) s[i] = i;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// says: kernel dynamic: thread 0 of block 0 writes element \[64\], beyond the 256 bytes of dynamic shared memory that the launch asked for
void less_than_is_used(bool right) {
  const Array<int> out(threads);
  dynamic<<<1, threads, 256>>>(out.data, right ? 64 : 65);
}
__global__ void not_asked(int* out) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// says: kernel not_asked: thread 0 of block 0 writes element \[0\], beyond dynamic shared memory: the launch asked for none
void third_number_is_missing(bool right) {
  const Array<int> out(threads);
  if (right)
    not_asked<<<1, threads, 256>>>(out.data);
  else
    not_asked<<<1, threads>>>(out.data);
}
__global__ void far_behind_shared(int* out, int place) {
  extern __shared__ int s[];
  s[place] = 1;
  out[threadIdx.x] = s[place];
}
// says: kernel far_behind_shared: thread 0 of block 0 writes element \[60000\], beyond dynamic shared memory: the launch asked for none
void far_behind_shared_memory(bool right) {
  const Array<int> out(threads);
  if (right)
    far_behind_shared<<<1, 1, 256>>>(out.data, 60);
  else
    far_behind_shared<<<1, 1>>>(out.data, 60000);
}

struct Keyed {
  int key;
  float value;
};
__global__ void next_pair(Keyed* pairs, bool right) {
  __shared__ Keyed here[threads];
  here[threadIdx.x] = pairs[threadIdx.x];
  __syncthreads();
  if (!right || threadIdx.x + 1 < threads) pairs[threadIdx.x] = here[threadIdx.x + 1];
}
// says: kernel next_pair: thread 63 of block 0 reads here\[64\], beyond here, which has 512 bytes
void beyond_static_structures(bool right) {
  const Array<Keyed> pairs(threads);
  cudaMemset(pairs.data, 0, threads * sizeof(Keyed));
  next_pair<<<1, threads>>>(pairs.data, right);
}

// ---- arrays whose size the compiler sees ----
__global__ void tile_column(int* out, bool right) {
  __shared__ int tile[8][8];
  const int x = threadIdx.x % 8, y = threadIdx.x / 8;
  tile[y][x] = threadIdx.x;
  __syncthreads();
  if (!right || x < 7) out[threadIdx.x] = tile[y][x + 1];
}
// says: out of bounds: kernel tile_column: thread [0-9]+ of block 0 uses the index 8 of an array of type int \[8\]
void next_column(bool right) {
  const Array<int> out(threads);
  tile_column<<<1, threads>>>(out.data, right);
}
__constant__ int weights[5];
__global__ void weighted(const int* in, int* out, int n) {
  int sum = 0;
  for (int k = 0; k <= n; ++k) sum += weights[k] * in[threadIdx.x];
  out[threadIdx.x] = sum;
}
// says: out of bounds: kernel weighted: thread [0-9]+ of block 0 uses the index 5 of an array of type
void one_more_weight(bool right) {
  cudaMemcpyToSymbol(weights, numbers, sizeof weights);
  const Array<int> in(threads, numbers), out(threads);
  weighted<<<1, threads>>>(in.data, out.data, right ? 4 : 5);
}
__global__ void local_counts(const int* in, int* out, int most) {
  int counts[4] = {};
  for (int i = 0; i < threads; ++i) ++counts[min(in[i], most)];
  out[threadIdx.x] = counts[threadIdx.x % 4];
}
// says: out of bounds: kernel local_counts: thread 0 of block 0 uses the index 4 of an array of type int \[4\]
void local_array(bool right) {
  const Array<int> in(threads, numbers), out(threads);
  local_counts<<<1, 4>>>(in.data, out.data, right ? 3 : 4);
}

// ---- just behind variables, where only an address is taken ----
__device__ void add_to(int* counter) { ++*counter; }
__global__ void count_keys(const int* keys, int* out, int n) {
  __shared__ int before[5];
  __shared__ int bins[8];
  __shared__ int behind[3];
  const int i = static_cast<int>(threadIdx.x);
  if (i < 3) behind[i] = 0;
  if (i < 5) before[i] = 0;
  if (i < 8) bins[i] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&bins[keys[i]], 1);
  __syncthreads();
  if (i < 8) out[i] = bins[i] + behind[i % 3] + before[i % 5];
}
// says: out of bounds: kernel count_keys: thread 8 of block 0 writes bins\[8\], beyond bins, which has 32 bytes
void atomic_behind_shared(bool right) {
  const Array<int> keys(threads, numbers), out(threads);
  count_keys<<<1, threads>>>(keys.data, out.data, right ? 8 : 9);
}
template <class T>
__global__ void by_a_pointer(T* out, int n) {
  __shared__ T one;
  __shared__ T all[16];
  T* const p = all;
  p[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) one = 1;
  __syncthreads();
  T sum = one;
  for (int i = 0; i < n; ++i) sum += p[i];
  out[threadIdx.x] = sum;
}
// says: out of bounds: kernel by_a_pointer: thread [0-9]+ of block 0 reads all\[16\], beyond all, which has 32 bytes; 48 such accesses in all, from all\[16\] to all\[18\]
void pointer_behind_shared(bool right) {
  const Array<short> out(16);
  by_a_pointer<<<1, 16>>>(out.data, right ? 16 : 19);
}
__device__ int totals[6], first_total;
__device__ int limits[] = {1, 2, 3}, last_limit = 4;
__constant__ int offsets[3];
__global__ void total(const int* in, int* out, int n) {
  static int calls[2];
  for (int i = 0; i < n; ++i) {
    int& sum = totals[i];
    sum += in[i];
  }
  add_to(&limits[n - 4]);
  add_to(&calls[n - 5]);
  const int& offset = offsets[n - 4];
  *out = first_total + last_limit + offset;
}
// says: out of bounds: kernel total: thread 0 of block 0 reads totals\[6\], beyond totals, which has 24 bytes
// says: out of bounds: kernel total: thread 0 of block 0 writes totals\[6\], beyond totals
// says: out of bounds: kernel total: thread 0 of block 0 reads offsets\[3\], beyond offsets, which has 12 bytes
// says: out of bounds: kernel total: thread 0 of block 0 writes limits\[3\], beyond limits
// says: out of bounds: kernel total: thread 0 of block 0 writes calls\[2\], beyond calls
void references_behind_variables(bool right) {
  const Array<int> in(threads, numbers), out(1);
  cudaMemcpyToSymbol(offsets, numbers, sizeof offsets);
  total<<<1, 1>>>(in.data, out.data, right ? 6 : 7);
}

// ---- alignment ----
__global__ void as_doubles(const int* in, double* out, int first) {
  out[threadIdx.x] = *reinterpret_cast<const double*>(in + first + 2 * threadIdx.x);
}
// says: misaligned: kernel as_doubles: thread 0 of block 0 reads 8 bytes at once, from byte 4 of the 256 bytes of data
void double_at_an_odd_place(bool right) {
  const Array<int> in(threads, numbers);
  const Array<double> out(8);
  as_doubles<<<1, 8>>>(in.data, out.data, right ? 2 : 1);
}

// ---- virtual functions ----
struct Shape {
  __host__ __device__ explicit Shape(int n_) : n(n_) {}
  __host__ __device__ virtual int area() const { return n; }
  int n;
};
struct Square : Shape {
  __host__ __device__ explicit Square(int n_) : Shape(n_) {}
  __host__ __device__ int area() const override { return n * n; }
};
__global__ void make(Shape* shape) { new (shape) Square(3); }
__global__ void size(const Shape* shape, int* out) { out[threadIdx.x] = shape->n; }
__global__ void area(const Shape* shape, int* out) { out[threadIdx.x] = shape->area(); }
// says: the host's object: kernel area: thread 0 of block 0 calls a virtual function, or asks for the type, of an object of Square that the host has made, at byte 0 of the 16 bytes of shape \(cudaMalloc in line
void object_from_the_host(bool right) {
  const Array<int> out(threads);
  const Square three(3);
  Shape* shape = nullptr;
  cudaMalloc((void**)&shape, sizeof three);
  cudaMemcpy(shape, &three, sizeof three, cudaMemcpyHostToDevice);
  size<<<1, threads>>>(shape, out.data);  // no function of the object
  if (right) make<<<1, 1>>>(shape);
  area<<<1, threads>>>(shape, out.data);
  cudaFree(shape);
}
__global__ void area_in_managed(const Shape* shape, int* out) { *out = shape->area(); }
// says: the host's object: kernel area_in_managed: thread 0 of block 0 calls a virtual function, or asks for the type, of an object of Square that the host has made, at byte 0 of the 16 bytes of shape \(cudaMallocManaged in line
void object_in_managed_memory(bool right) {
  const Array<int> out(1);
  Shape* shape = nullptr;
  cudaMallocManaged(&shape, sizeof(Square));
  if (right)
    make<<<1, 1>>>(shape);
  else
    new (shape) Square(3);
  cudaDeviceSynchronize();
  area_in_managed<<<1, 1>>>(shape, out.data);
  cudaDeviceSynchronize();
  cudaFree(shape);
}

__global__ void as_vectors(const float* in, float4* out, int first) {
  out[threadIdx.x] = reinterpret_cast<const float4*>(in + first)[threadIdx.x];
}
// says: error: kernel as_vectors, .*: a misaligned address is accessed
void vector_at_an_odd_place(bool right) {
  const Array<float> in(threads, reinterpret_cast<const float*>(numbers));
  const Array<float4> out(8);
  as_vectors<<<1, 8>>>(in.data, out.data, right ? 4 : 2);
}

// ---- addresses of local variables ----
struct Link {
  int value;
  Link* next;
};
__device__ Link* first_link;
__global__ void push(Link* links, bool right) {
  Link own = {1, nullptr};
  Link* const link = right ? links + threadIdx.x : &own;
  link->value = threadIdx.x;
  link->next =
      reinterpret_cast<Link*>(atomicExch(reinterpret_cast<unsigned long long*>(&first_link),
                                         reinterpret_cast<unsigned long long>(link)));
}
__global__ void keep(int** places, int* all, bool right) {
  int own = 1;
  int* const place = right ? all + threadIdx.x : &own;
  *place = 2;
  places[threadIdx.x] = place;
}
// says: note: kernel push: thread [0-9]+ of block 0 stores the address of a variable of its own in first_link; the variable ends
// says: note: kernel keep: thread [0-9]+ of block 0 stores the address of a variable of its own in the 512 bytes of data
void address_of_a_variable(bool right) {
  const Array<Link> links(threads);
  const Array<int> values(threads);
  const Array<int*> places(threads);
  push<<<1, threads>>>(links.data, right);
  keep<<<1, threads>>>(places.data, values.data, right);
}

// ---- pointers to host memory ----
struct Line {
  int count;
  const int* values;
};
__global__ void sum_of_line(const Line* line, int* out) {
  int sum = 0;
  for (int i = 0; i < line->count; ++i) sum += line->values[i];
  *out = sum;
}
// says: the host's memory: kernel sum_of_line: thread 0 of block 0 follows a pointer to host memory, which byte 8 of the 16 bytes of data \(cudaMalloc in line [0-9]+ of memory.h, called in line [0-9]+\) holds and a GPU cannot follow; copy what it points to, too
void line_without_its_values(bool right) {
  const Array<int> values(threads, numbers), out(1);
  const Line line{threads, right ? values.data : numbers};
  const Array<Line> lines(1, &line);
  sum_of_line<<<1, 1>>>(lines.data, out.data);
}
__global__ void sum_of_row(const int* const* rows, int* out) { *out = rows[1][2]; }
// says: the host's memory: kernel sum_of_row: thread 0 of block 0 follows a pointer to host memory, which byte 8 of the 16 bytes of data
void rows_of_the_host(bool right) {
  int on_stack[threads] = {};
  const Array<int> values(threads, numbers), out(1);
  const int* const host[] = {values.data, right ? values.data : on_stack};
  const Array<const int*> table(2, host);
  sum_of_row<<<1, 1>>>(table.data, out.data);
}

// ---- more stack than a thread has ----
// It reads what the calls below have written.
__device__ unsigned visit(unsigned n, unsigned* visits) {
  if (n == 0) return 0;
  visits[n % 8] += 1;
  return n + visit(n - 1, visits) * (visits[n % 4] != 0);
}
__global__ void visit_all(unsigned* out, unsigned n) {
  unsigned visits[8] = {};
  out[threadIdx.x] = visit(n, visits);
}
// says: note: kernel visit_all: thread [0-9]+ of block 0 recurses at least 29[0-9] levels deep; a GPU needs at least 4[67][0-9]* bytes of stack for that, and gives each thread 1024, unless cudaDeviceSetLimit\(cudaLimitStackSize, n\)
void read_after_the_call(bool right) {
  const Array<unsigned> out(threads);
  visit_all<<<1, threads>>>(out.data, right ? 30 : 300);
}

// It writes after the call, and so does a function that both call in turn.
__device__ void even(int n, int* to);
__device__ void odd(int n, int* to) {
  if (n > 0) even(n - 1, to);
  to[n] = 1;
}
__device__ void even(int n, int* to) {
  if (n > 0) odd(n - 1, to);
  to[n] = 0;
}
__global__ void by_turns(int* to, int n) { even(n, to); }
// says: note: kernel by_turns: thread 0 of block 0 recurses at least [0-9]+ levels deep
void write_after_the_call(bool right) {
  const Array<int> to(threads * 4);
  if (right) cudaDeviceSetLimit(cudaLimitStackSize, 16384);
  by_turns<<<1, 1>>>(to.data, 200);
}

// It calls itself twice: all that is smaller, then all that is larger.
__device__ void sort(int* values, int first, int last) {
  if (first >= last) return;
  const int pivot = values[last];
  int middle = first;
  for (int i = first; i < last; ++i)
    if (values[i] < pivot) {
      const int value = values[i];
      values[i] = values[middle];
      values[middle++] = value;
    }
  values[last] = values[middle];
  values[middle] = pivot;
  sort(values, first, middle - 1);
  sort(values, middle + 1, last);
}
__global__ void sort_all(int* values, int n) { sort(values, 0, n - 1); }
// says: note: kernel sort_all: thread 0 of block 0 recurses at least 25[0-9] levels deep
void call_after_the_call(bool right) {
  int mixed[256];
  for (int i = 0; i < 256; ++i) mixed[i] = right ? i * 89 % 256 : i;
  const Array<int> values(256, mixed);
  sort_all<<<1, 1>>>(values.data, 256);
}

// Calls of which a compiler makes loops, and others that need no stack at all.
__device__ unsigned sum_to(const int* values, int n) {
  return n == 0 ? 0 : sum_to(values, n - 1) + values[n - 1];
}
__device__ void fill_to(int* values, int n) {
  if (n == 0) return;
  values[n - 1] = n;
  fill_to(values, n - 1);
}
__device__ int greatest_divisor(int a, int b) { return b == 0 ? a : greatest_divisor(b, a % b); }
__device__ int bits(int value) {
  int own[4] = {};
  const int rest = value == 0 ? 0 : bits(value & (value - 1));
  for (int i = 0; i < 4; ++i) own[i] = value >> i & 1;
  return rest + (value == 0 ? 0 : own[0] + own[1] + own[2] + own[3] >= 0);
}
__global__ void need_no_stack(int* values, int n) {
  fill_to(values, n);
  for (int i = 1; i < n; ++i) values[i] += greatest_divisor(i, n);
  values[0] = sum_to(values, n) + bits(n);
}
void calls_that_are_loops(bool) {
  const Array<int> values(256);
  need_no_stack<<<1, 1>>>(values.data, 200);
}

// ---- right ones that look like mistakes ----
// What the first value of the device's own variable points to lies on the device.
__device__ const char* title = "text";
__device__ const char* const titles[] = {"of", "the device"};
__global__ void count_letters(int* out) {
  static const char* names[] = {"zero", "one"};
  int sum = 0;
  for (const char* text : {title, titles[1], names[threadIdx.x % 2]})
    for (int i = 0; text[i] != 0; ++i) ++sum;
  out[threadIdx.x] = sum;
}
void texts_of_the_device(bool) {
  const Array<int> out(threads);
  count_letters<<<1, threads>>>(out.data);
}
// What the padding of structures and unused words hold is nothing that a kernel follows.
struct Item {
  char kind;
  double weight;
  int* unused;
};
__global__ void weigh(const Item* in, Item* out) {
  const Item item = in[threadIdx.x];
  int local[4] = {};
  for (int i = 0; i < 4; ++i) local[(i + item.kind) % 4] = i;
  if (item.weight > 0) out[threadIdx.x] = item;
  out[threadIdx.x].weight = local[1];
}
void leftover_pointers(bool) {
  Item items[threads];
  for (Item& item : items) {
    const void* const left_over = &item;
    std::memcpy(static_cast<void*>(&item), &left_over, sizeof left_over);
    item.kind = 3;
    item.weight = 1;
    std::memcpy(&item.unused, &left_over, sizeof left_over);
  }
  const Array<Item> in(threads, items), out(threads);
  weigh<<<1, threads>>>(in.data, out.data);
}
struct Pair {
  int a, b;
};
struct Packed {
  int n;
  int values[1];  // and those behind
};
__global__ void looks_wrong(const int* in, Pair* pairs, int* out) {
  __shared__ int s[threads];
  const int* const end = &s[threads];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int sum = 0;
  for (const int* p = s; p != end; ++p) sum += *p;
  if (threadIdx.x < 31)
    pairs[threadIdx.x] = *reinterpret_cast<const Pair*>(in + 1 + 2 * threadIdx.x);  // no float4
  const auto* const packed = reinterpret_cast<const Packed*>(in);
  out[threadIdx.x] = sum + packed->values[threadIdx.x % 16];
}
void looks_like_a_mistake(bool) {
  const Array<int> in(threads, numbers), out(threads);
  const Array<Pair> pairs(threads);
  looks_wrong<<<1, threads>>>(in.data, pairs.data, out.data);
}

// ---- structures ----
struct Account {
  int number;
  int balance;
  unsigned char kind[4];
};
__global__ void open_accounts(Account* accounts) {
  accounts[threadIdx.x].number = static_cast<int>(threadIdx.x);
  accounts[threadIdx.x].balance = 0;
  accounts[threadIdx.x].kind[2] = 1;
}
// says: writes bytes 4 to 7 of data\[60\], beyond the 720 bytes of data
// says: writes byte 10 of data\[60\], beyond the 720 bytes of data
void too_many_accounts(bool right) {
  const Array<Account> accounts(right ? threads : threads - 4);
  open_accounts<<<1, threads>>>(accounts.data);
}

// ---- the host's allocations ----
// says: error: cudaMemcpy returns cudaErrorInvalidValue, and the program does not look at it: 256 bytes from byte 0 of the destination on do not fit into the 32 bytes that the host has allocated there
// says: 64 bytes from byte 8 of the destination on do not fit into the 64 bytes that
// says: 512 bytes from byte 0 of the source on do not fit into the 256 bytes that
// says: 1000008 bytes from byte 0 of the source on do not fit into the 1000000 bytes that
void too_small_on_the_host(bool right) {
  const Array<double> on_device(threads);
  const Array<int> in(threads, numbers);
  std::vector<int> results(right ? threads : threads / 8);
  cudaMemcpy(results.data(), in.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
  char* const bytes = static_cast<char*>(std::malloc(64));
  cudaMemcpy(bytes + 8, in.data, right ? 56 : 64, cudaMemcpyDeviceToHost);
  int* const values = new int[right ? 2 * threads : threads]();
  cudaMemcpy(on_device.data, values, threads * sizeof(double), cudaMemcpyHostToDevice);
  delete[] values;
  std::free(bytes);
  const std::vector<char> large(1'000'000);  // malloc() gives it whole pages
  const Array<char> large_on_device(1'000'008);
  cudaMemcpy(large_on_device.data, large.data(), right ? 1'000'000 : 1'000'008,
             cudaMemcpyHostToDevice);
}
// says: 256 bytes from byte 0 of the destination on do not fit into the 240 bytes of the variable too_few
// says: 256 bytes from byte 64 of the source on do not fit into the 316 bytes of the variable behind
int too_few[60];
void small_variables(bool right) {
  static int behind[79] = {1};
  const Array<int> in(threads, numbers);
  cudaMemcpy(too_few, in.data, (right ? 60 : 64) * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(in.data, &behind[16], (right ? 63 : 64) * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(&behind[15], in.data, 64 * sizeof(int), cudaMemcpyDeviceToHost);
}
// An allocation that has grown, one that a library makes, and one of no bytes.
void right_on_the_host(bool) {
  const Array<int> in(threads, numbers);
  int* grown = static_cast<int*>(std::malloc(16));
  grown = static_cast<int*>(std::realloc(grown, threads * sizeof(int)));
  cudaMemcpy(grown, in.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
  std::free(grown);
  char* const text = strdup("a text of a library, which is 45 letters long");
  cudaMemcpy(text, in.data, 46, cudaMemcpyDeviceToHost);
  std::free(text);
  delete[] new int[0];
  std::vector<int> many;
  for (int i = 0; i < threads; ++i) many.push_back(i);
  cudaMemcpy(many.data(), in.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
}

}  // namespace

// right: note: what kernel (copy|mark|rows|push|size) writes here is read by no kernel
int main(int count, char**) {
  results_are_read = true;
  for (int i = 0; i < 256; ++i) numbers[i] = i;
  const int code = run_all({no_check,
                            before_the_first,
                            far_behind,
                            wrapped_around,
                            too_large_for_an_int,
                            pitched,
                            memory_of_the_host,
                            structure_with_a_vector,
                            lambda_with_the_objects_address,
                            pointers_of_both_sides,
                            by_a_function,
                            less_than_is_used,
                            third_number_is_missing,
                            far_behind_shared_memory,
                            beyond_static_structures,
                            next_column,
                            one_more_weight,
                            local_array,
                            atomic_behind_shared,
                            pointer_behind_shared,
                            references_behind_variables,
                            double_at_an_odd_place,
                            looks_like_a_mistake,
                            after_free,
                            object_from_the_host,
                            object_in_managed_memory,
                            vector_at_an_odd_place,
                            address_of_a_variable,
                            line_without_its_values,
                            rows_of_the_host,
                            load_and_guard,
                            neighbors_and_guard,
                            function_and_guard,
                            read_after_the_call,
                            write_after_the_call,
                            call_after_the_call,
                            calls_that_are_loops,
                            leftover_pointers,
                            texts_of_the_device,
                            too_many_accounts,
                            too_small_on_the_host,
                            small_variables,
                            right_on_the_host},
                           count > 1);
  return count > 1 ? code : 0;
}
