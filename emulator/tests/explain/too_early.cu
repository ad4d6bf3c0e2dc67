// Work in two streams of which one piece uses what the other one writes, and pinned memory that the
// host uses while a kernel or a copy may still do so.
#include "memory.h"

namespace {

constexpr int count = 1024, bytes = count * sizeof(int);
int results[count];

__global__ void fill(int* out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void add(const int* a, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] += a[i];
}
__global__ void tally(int* total) { atomicAdd(total, 1); }

struct Stream {
  cudaStream_t value = nullptr;
  explicit Stream(unsigned flags = cudaStreamDefault) { cudaStreamCreateWithFlags(&value, flags); }
  ~Stream() { cudaStreamDestroy(value); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return value; }
};
struct Event {
  cudaEvent_t value = nullptr;
  Event() { cudaEventCreate(&value); }
  ~Event() { cudaEventDestroy(value); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return value; }
};
template <class T>
struct Pinned {
  T* data = nullptr;
  explicit Pinned(int n) { cudaHostAlloc(&data, n * sizeof(T), cudaHostAllocMapped); }
  ~Pinned() { cudaFreeHost(data); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
};

constexpr int blocks = count / threads;

// says: 54: too early: kernel add reads bytes 0 to 4095 of the 4096 bytes of data .*, which kernel fill in line 49 writes in another stream; nothing makes it
void no_event(bool right) {
  const Stream one, two;
  const Event filled;
  const Array<int> a(count, results), b(count, results);
  fill<<<blocks, threads, 0, one>>>(a.data, 1);
  if (right) {
    cudaEventRecord(filled, one);
    cudaStreamWaitEvent(two, filled, 0);
  }
  add<<<blocks, threads, 0, two>>>(a.data, b.data);
  cudaStreamSynchronize(two);
}

// says: 64: too early: kernel fill writes bytes 0 to 4095 of .*, which kernel add in line 62 reads in another stream
void overwritten(bool right) {
  const Stream one, two;
  const Array<int> a(count, results), b(count, results);
  add<<<blocks, threads, 0, one>>>(a.data, b.data);
  if (right) cudaStreamSynchronize(one);
  fill<<<blocks, threads, 0, two>>>(a.data, 1);
}

// says: 74: too early: kernel add reads bytes 2048 to 4095 of .*, which the copy in line 72 writes in another stream
void half_is_copied_elsewhere(bool right) {
  const Stream one, two;
  const Array<int> a(count, results), b(count, results);
  const Pinned<int> host(count / 2);
  cudaMemcpyAsync(a.data + (right ? 0 : count / 2), host.data, bytes / 2, cudaMemcpyHostToDevice,
                  one);
  add<<<blocks / 2, threads, 0, two>>>(a.data + count / 2, b.data);
}

// says: 84: too early: the copy reads bytes 0 to 3 of .*, which kernel tally in line 82 writes in another stream
void counts_are_copied(bool right) {
  const Stream one, two;
  const Array<int> total(1, results);
  const Pinned<int> host(1);
  tally<<<blocks, threads, 0, one>>>(total.data);
  while (right && cudaStreamQuery(one) != cudaSuccess) continue;
  cudaMemcpyAsync(host.data, total.data, sizeof(int), cudaMemcpyDeviceToHost, two);
  cudaStreamSynchronize(two);
}

// says: 93: too early: the copy reads .*, which kernel fill in line 92 writes in another stream
void copy_in_default_stream(bool right) {
  const Stream one(right ? cudaStreamDefault : cudaStreamNonBlocking);
  const Array<int> a(count, results);
  fill<<<blocks, threads, 0, one>>>(a.data, 1);
  cudaMemcpy(results, a.data, bytes, cudaMemcpyDeviceToHost);
}

// says: 102: too early: kernel fill writes .*, which the fill in line 100 writes in the default stream, for which a
void memset_is_no_wait(bool right) {
  const Stream one(cudaStreamNonBlocking);
  const Array<int> a(count);
  cudaMemset(a.data, 0, bytes);
  if (right) cudaDeviceSynchronize();
  fill<<<blocks, threads, 0, one>>>(a.data, 1);
  cudaStreamSynchronize(one);
}

// says: 113: too early: kernel add reads .*, which kernel fill in line 111 writes in another stream
void event_before_the_work(bool right) {
  const Stream one, two;
  const Event filled;
  const Array<int> a(count, results), b(count, results);
  if (!right) cudaEventRecord(filled, one), fill<<<blocks, threads, 0, one>>>(a.data, 1);
  cudaStreamWaitEvent(two, filled, 0);
  add<<<blocks, threads, 0, two>>>(a.data, b.data);
}

// Two streams that take turns at their own halves, and a third that comes after both.
void in_order(bool) {
  const Stream one, two, three(cudaStreamNonBlocking);
  const Event done[2];
  const Array<int> a(count, results), b(count, results), total(1, results);
  const Pinned<int> host(count);
  for (int i = 0; i < 4; ++i) {
    const Stream& stream = i % 2 == 0 ? one : two;
    const int half = i % 2 * count / 2;
    cudaMemcpyAsync(a.data + half, host.data + half, bytes / 2, cudaMemcpyHostToDevice, stream);
    add<<<blocks / 2, threads, 0, stream>>>(a.data + half, b.data + half);
    tally<<<1, threads, 0, stream>>>(total.data);
    cudaEventRecord(done[i % 2], stream);
  }
  for (const Event& event : done) cudaStreamWaitEvent(three, event, 0);
  add<<<blocks, threads, 0, three>>>(b.data, a.data);
  cudaMemcpyAsync(host.data, a.data, bytes, cudaMemcpyDeviceToHost, three);
  cudaLaunchHostFunc(
      three, [](void* data) { ++*static_cast<int*>(data); }, host.data);
  cudaEventRecord(done[0], three);
  while (cudaEventQuery(done[0]) == cudaErrorNotReady) continue;
  host.data[0] = 0;
  fill<<<blocks, threads>>>(b.data, 1);
  add<<<blocks, threads, 0, one>>>(b.data, a.data);
  cudaMemcpy(results, a.data, bytes, cudaMemcpyDeviceToHost);
}

// ---- the host ----
// says: 149: too early: the host reads data\[0\] of .*, which kernel fill in line 147 may still be writing; call cudaDevice
void zero_copy_read(bool right) {
  const Pinned<int> partial(count);
  fill<<<blocks, threads>>>(partial.data, 1);
  if (right) cudaDeviceSynchronize();
  results[0] = partial.data[0];
}

// says: 158: too early: the host writes data\[0\] of .*, which the copy in line 156 may still be reading
void source_is_filled_again(bool right) {
  const Array<int> a(count);
  const Pinned<int> host(count);
  cudaMemcpyAsync(a.data, host.data, bytes, cudaMemcpyHostToDevice);
  if (right) cudaStreamSynchronize(nullptr);
  for (int i = 0; i < count; ++i) host.data[i] = i;
}

__global__ void tell(volatile int* done, int* value) {
  *value = 1;
  __threadfence_system();
  *done = 1;
}
// The host waits for a word that the kernel writes.
void host_is_told(bool) {
  const Pinned<int> done(1), value(1);
  done.data[0] = 0;
  tell<<<1, 1>>>(done.data, value.data);
  while (*static_cast<volatile int*>(done.data) == 0) continue;
  results[0] = value.data[0];
}

// says: 183: too early: the copy reads bytes 0 to 4095 of .*, which kernel fill in line 179 writes in another stream
void waits_for_the_other_stream(bool right) {
  const Stream one, two(cudaStreamNonBlocking);
  const Array<int> a(count, results);
  fill<<<blocks, threads, 0, two>>>(a.data, 1);
  cudaStreamSynchronize(right ? two : one);
  const Event copied;
  const Pinned<int> host(count);
  cudaMemcpyAsync(host.data, a.data, bytes, cudaMemcpyDeviceToHost, one);
  cudaEventRecord(copied, one);
  cudaEventSynchronize(copied);
  results[0] = host.data[0];
}

// says: too early: kernel add reads bytes 0 to 4095 of .*, which kernel fill in line [0-9]+ writes in another stream; cudaStreamWaitEvent in line [0-9]+ came before the event was recorded, and waits for nothing
void waits_before_it_is_recorded(bool right) {
  const Stream one, two;
  const Event filled;
  const Array<int> a(count, results), b(count, results);
  if (!right) cudaStreamWaitEvent(two, filled, 0);
  fill<<<blocks, threads, 0, one>>>(a.data, 1);
  cudaEventRecord(filled, one);
  if (right) cudaStreamWaitEvent(two, filled, 0);
  add<<<blocks, threads, 0, two>>>(a.data, b.data);
  cudaStreamSynchronize(two);
}

// says: too early: cudaFreeAsync frees bytes 0 to 4095 of .*, which kernel add in line [0-9]+ reads in another stream; nothing makes it wait
void given_back_too_early(bool right) {
  const Stream one, two;
  const Event added;
  const Array<int> b(count, results);
  int* a = nullptr;
  cudaMallocAsync(&a, bytes, one);
  fill<<<blocks, threads, 0, one>>>(a, 1);
  cudaStreamSynchronize(one);
  add<<<blocks, threads, 0, two>>>(a, b.data);
  cudaEventRecord(added, two);
  if (right) cudaStreamWaitEvent(one, added, 0);
  cudaFreeAsync(a, one);
  cudaDeviceSynchronize();
}

__global__ void add_value(const int* value, int* out) { out[threadIdx.x] += *value; }
// says: too early: the host writes data\[0\] of .*cudaMallocManaged.*, which kernel add_value in line [0-9]+ may still be reading; call cudaDevice
void parameters_of_the_next_launch(bool right) {
  const Array<int> out(threads, results);
  int* data = nullptr;
  cudaMallocManaged(&data, 2 * sizeof *data);
  for (int i = 0; i < 2; ++i) {
    if (right)
      data[i] = i;
    else
      *data = i;
    add_value<<<1, threads>>>(right ? data + i : data, out.data);
  }
  cudaDeviceSynchronize();
  data[0] = 1;
  cudaFree(data);
}

// says: note: cudaEventElapsedTime measures nothing: what was done between the two events is in another stream
void events_in_another_stream(bool right) {
  const Stream one(cudaStreamNonBlocking);
  const Event begin, end;
  const Array<int> a(count);
  cudaEventRecord(begin, right ? one : cudaStreamLegacy);
  fill<<<blocks, threads, 0, one>>>(a.data, 1);
  cudaEventRecord(end, right ? one : cudaStreamLegacy);
  cudaDeviceSynchronize();
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, begin, end);
}

// A plain write of the word says nothing about the others.
__global__ void tell_plainly(int* done, int* value, bool with_fence) {
  *value = 1;
  if (with_fence) __threadfence_system();
  *done = 1;
}
// says: too early: the host reads data\[0\] of .*, which kernel tell_plainly in line [0-9]+ may still be writing
void host_is_told_without_fence(bool right) {
  const Pinned<int> done(1), value(1);
  done.data[0] = 0;
  tell_plainly<<<1, 1>>>(done.data, value.data, right);
  while (*static_cast<volatile int*>(done.data) == 0) continue;
  results[0] = done.data[0] + value.data[0];
}

// The kernel writes the even elements, and element 0 keeps its value.
__global__ void number_even(int* data) { data[2 * threadIdx.x] = 2 * threadIdx.x; }
// says: too early: the host reads data\[0\] of .*cudaMallocManaged.*, which kernel number_even in line [0-9]+ may still be writing
void host_works_on_other_elements(bool right) {
  int* data = nullptr;
  cudaMallocManaged(&data, 256 * sizeof(int));
  number_even<<<1, 128>>>(data);
  for (int i = 1; i < 256; i += 2) data[i] = i;
  results[0] = data[right ? 1 : 0];
  cudaDeviceSynchronize();
  cudaFree(data);
}

}  // namespace

// right: note: what kernel fill writes here is read by no kernel
int main(int n, char**) {
  return run_all(
      {no_event, overwritten, half_is_copied_elsewhere, counts_are_copied, copy_in_default_stream,
       memset_is_no_wait, event_before_the_work, in_order, zero_copy_read, source_is_filled_again,
       host_is_told, host_is_told_without_fence, waits_for_the_other_stream,
       waits_before_it_is_recorded, given_back_too_early, parameters_of_the_next_launch,
       events_in_another_stream, host_works_on_other_elements},
      n > 1);
}
