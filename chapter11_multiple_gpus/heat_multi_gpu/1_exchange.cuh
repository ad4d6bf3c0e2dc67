// Rung 1, exchange: a time step, then a row to each neighbor, one after the other.
//
//      stream   | step | exchange | step | exchange | ...
//
// The kernel is heat_fast's march() with one step per pass: it reads a row once, and a source is a bit. While
// halos are on their way, the GPU has nothing to compute; the shorter the step, the more that counts. With k GPUs a
// step takes a k-th of the time, an exchange as long as before.
#pragma once

#include "rung.cuh"

class ExchangeRung : public SplitRung {
 public:
  explicit ExchangeRung(const Job& job) : job_(job) {}

  void advance(int steps) override {
    Part& part = job_.part;
    for (int step = 0; step < steps; ++step) {
      const PassOfFrame pass = {1, step == 0, step == steps - 1};
      march_rows(part, pass, part.begin, part.end, job_.rounds, stream_.get());
      part.now = 1 - part.now;
      job_.exchange.append(part, part.now, 1, stream_.get());
      part.valid = 1;
    }
  }

 private:
  Job job_;
  Stream stream_;
};

inline const SplitMethod exchange_method = {"exchange", "a row to each neighbor after each step", false,
                                            make_split_rung<ExchangeRung>};
