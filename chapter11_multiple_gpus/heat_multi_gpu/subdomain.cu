// The start of a rank's rows.
#include "subdomain.cuh"

#include <algorithm>

#include "../../common/grid.h"
#include "../../common/heat.h"
#include "pass.cuh"

namespace heat_multi_gpu {

// The plate at its start. One thread per column; blocks stride over the rows.
__global__ void start_kernel(float* cells, float* sources, int dim, size_t pitch, int first_row,
                             int rows) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  if (x >= dim) return;
  for (int y = blockIdx.y; y < rows; y += gridDim.y) {
    cells[x + y * pitch] = start_at(x, first_row + y, dim);
    sources[x + y * pitch] = source_at(x, first_row + y, dim);
  }
}

// The first dim % ranks ranks have one more row than the others.
Subdomain::Subdomain(int dim_, int rank, int ranks)
    : dim(dim_),
      halo(std::min(halo_rows, dim_ / ranks)),
      neighbors{no_rank, no_rank},
      pitch(static_cast<size_t>(div_up(dim_, 32)) * 32) {
  const int each = dim / ranks;
  const int more = dim % ranks;
  if (rank > 0) neighbors[0] = rank - 1;
  if (rank + 1 < ranks) neighbors[1] = rank + 1;
  begin = has(0) ? halo : 0;
  end = begin + each + (rank < more ? 1 : 0);
  rows = end + (has(1) ? halo : 0);
  first_row = rank * each + std::min(rank, more) - begin;
  for (DeviceMemory<float>* memory : {&buffers[0], &buffers[1], &sources}) {
    *memory = DeviceMemory<float>(pitch * rows);
    HANDLE_ERROR(cudaMemset(memory->get(), 0, memory->bytes()));
  }
  restart();

  source_bits = heat_fast::make_source_bits(sources.get(), dim, rows, static_cast<int>(pitch));
  HANDLE_ERROR(cudaDeviceSynchronize());  // the rungs' streams do not wait for the default stream
}

MarchInput Subdomain::march_input() const {
  return {.cells = cells(),
          .sources = sources.get(),
          .source_bits = source_bits.get(),
          .width = dim,
          .rows = rows,
          .pitch = static_cast<int>(pitch),
          .top = -first_row,
          .bottom = dim - 1 - first_row};
}

void Subdomain::restart() {
  const dim3 blocks(div_up(dim, 256), std::min(rows, 1024));
  start_kernel<<<blocks, 256>>>(cells(), sources.get(), dim, pitch, first_row, rows);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());  // the rungs' streams do not wait for the default stream
}

}  // namespace heat_multi_gpu
