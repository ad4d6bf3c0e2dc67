#pragma once
// `best`: exchange or pipeline, whichever is faster for n.

#include "4_exchange.cuh"
#include "5_pipeline.cuh"

class BestScan {
 public:
  explicit BestScan(std::size_t most)
      : exchange_below_(ExchangeScan::limit()), exchange_(most), pipeline_(most) {}

  /// On an H200 `exchange` is faster as long as the array fits: 9.2 against 11.3 microseconds at 4 million of
  /// at most 4.3 (README.md).
  void run(const unsigned* in, unsigned* out, std::size_t n) {
    n <= exchange_below_ ? exchange_.run(in, out, n) : pipeline_.run(in, out, n);
  }

 private:
  std::size_t exchange_below_;
  ExchangeScan exchange_;
  PipelineScan pipeline_;
};
