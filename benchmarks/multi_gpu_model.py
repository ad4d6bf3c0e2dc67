#!/usr/bin/env python3
"""multi_gpu_model.py [RECORD]: how long a time step takes on P GPUs, from four numbers; checked against the measurements, and
carried on to 1,000 GPUs. RECORD: a file as benchmarks/results/heat_multi_gpu_h200.json, which is the default.

A pass does k steps of a GPU's n rows of w cells:

    compute  = t0 + w * (n + h * (k - 1) / 2) * max(k * cell, 8 bytes / memory)     h: neighbors, 2 but at the ends
    exchange = latency + h * k * w * 4 bytes / link
    pass     = compute + exchange in rung 1, the longer one of both where they overlap

A halo of k rows is computed k - 1 rows deep in the first of k steps and not at all in the last: (k - 1) / 2 on average.
"""
import json
import sys
from dataclasses import dataclass
from pathlib import Path

RECORD = Path(__file__).resolve().parent / "results/heat_multi_gpu_h200.json"
NVLINK = 450e9  # bytes/s in each direction: 18 links of 25 GB/s. From the data sheet: no measurement here is at this limit
NETWORK = 50e9  # bytes/s: 400 Gbit/s for each GPU, as in today's clusters. Assumed, not measured
NETWORK_LATENCY = 20e-6  # s, assumed
GPUS_PER_HOST = 8
LEVELS = 10  # steps per pass of the fast rungs


@dataclass
class Model:
    memory: float  # bytes/s that a pass of one step reaches: rung 1 on one GPU
    cell: float  # s for a step of a cell when a pass has ten: the kernel's instructions, not memory, are its limit
    start: float  # s per pass, however few rows: launch, first and last warps
    latency: float  # s for an exchange of one row through NCCL: rung 1 on two GPUs, less half of one GPU's time

    def parts(self, gpus, size, k, link=NVLINK, latency=None):
        """(compute, exchange) in s per step."""
        neighbors = min(2, gpus - 1)
        rows = size / gpus + neighbors * (k - 1) / 2
        compute = size * rows * max(k * self.cell, 8 / self.memory) + (self.start if k > 1 else 0)
        if neighbors == 0:
            return compute / k, 0.0
        exchange = (self.latency if latency is None else latency) + neighbors * k * size * 4 / link
        return compute / k, exchange / k

    def step(self, gpus, size, k, overlap=True, **links):
        compute, exchange = self.parts(gpus, size, k, **links)
        return max(compute, exchange) if overlap else compute + exchange

    def cluster(self, gpus, size):
        """(compute, exchange, step) in s per step: up to eight GPUs by NVLink, more by the network."""
        links = {} if gpus <= GPUS_PER_HOST else {"link": NETWORK, "latency": NETWORK_LATENCY}
        return *self.parts(gpus, size, LEVELS, **links), self.step(gpus, size, LEVELS, **links)


def seconds(runs, method, exchange, ranks, size, part=None):
    """The measured time of one step, of that part of the measurements where it has runs; KeyError where it is not in the
    record."""
    for run in sorted(runs, key=lambda run: run.get("part") != part):
        if (run["method"], run["exchange"], run["ranks"], run["size"]) == (method, exchange, ranks, size):
            return run["median_s"] / run["steps"]
    raise KeyError(f"no run of {method} with {exchange} on {ranks} GPUs, {size} cells per side")


def fitted(runs):
    """The model's numbers from the record: two from rung 1, two from a straight line through the fast rung's times."""
    one = seconds(runs, "exchange", "nccl", 1, 16384)
    two = seconds(runs, "exchange", "nccl", 2, 16384)
    points = [(size * (size / gpus + (gpus - 1) * (LEVELS - 1) / 2), seconds(runs, "wide_halos", "nccl", gpus, size))
              for gpus, size in ((1, 16384), (2, 32768), (2, 65536))]
    # The line that has the least sum of squared relative errors: weights 1 / time^2.
    weights = [1 / time ** 2 for _, time in points]
    total = sum(weights)
    x = sum(w * cells for w, (cells, _) in zip(weights, points)) / total
    y = sum(w * time for w, (_, time) in zip(weights, points)) / total
    slope = (sum(w * (cells - x) * (time - y) for w, (cells, time) in zip(weights, points))
             / sum(w * (cells - x) ** 2 for w, (cells, _) in zip(weights, points)))
    return Model(memory=8 * 16384 ** 2 / one, cell=slope, start=(y - slope * x) * LEVELS, latency=two - one / 2)


CHECKS = [("exchange", 1, 16384, 1), ("exchange", 2, 16384, 1), ("overlap", 2, 16384, 1), ("exchange", 2, 32768, 1),
          ("overlap", 2, 32768, 1), ("wide_halos", 1, 16384, 10), ("wide_halos", 2, 16384, 10),
          ("wide_halos", 2, 32768, 10), ("wide_halos", 2, 65536, 10), ("wide_halos", 4, 16384, 10),
          ("wide_halos", 4, 32768, 10), ("wide_halos", 4, 65536, 10)]


def checks(runs, model):
    """[(rung, GPUs, size, measured, modeled)], in microseconds per step."""
    return [(method, gpus, size, 1e6 * seconds(runs, method, "nccl", gpus, size),
             1e6 * model.step(gpus, size, k, overlap=method != "exchange")) for method, gpus, size, k in CHECKS]


GPUS = [1, 2, 4, 8, 16, 64, 256, 1000]
LARGE = 131072  # cells per side: 206 GB with its copy and sources, too much for one GPU of 141 GB


def weak_size(gpus):
    """16384 x 16384 cells per GPU, rounded to a multiple of 128."""
    return round(16384 * gpus ** 0.5 / 128) * 128


def weak(model):
    """[(GPUs, size, compute, exchange, efficiency)] in microseconds per step, for a plate that grows with the GPUs."""
    alone, rows = model.step(1, 16384, LEVELS), []
    for gpus in GPUS:
        compute, exchange, step = model.cluster(gpus, weak_size(gpus))
        work = weak_size(gpus) ** 2 / gpus / 16384 ** 2
        rows.append((gpus, weak_size(gpus), 1e6 * compute, 1e6 * exchange, alone * work / step))
    return rows


def strong(model):
    """The same for one plate of LARGE x LARGE cells, from the least number of GPUs that have room for it; the efficiency
    is that number's share."""
    rows, least = [], GPUS[1]
    for gpus in GPUS[1:]:
        compute, exchange, step = model.cluster(gpus, LARGE)
        rows.append((gpus, LARGE, 1e6 * compute, 1e6 * exchange, least * model.cluster(least, LARGE)[2] / gpus / step))
    return rows


def main():
    runs = json.loads(Path(sys.argv[1] if len(sys.argv) > 1 else RECORD).read_text())["runs"]
    model = fitted(runs)
    print(f"memory {model.memory / 1e9:.0f} GB/s, {model.cell * 1e12:.3f} ps per cell and step, {model.start * 1e6:.0f} us "
          f"per pass, {model.latency * 1e6:.1f} us per exchange\n")
    print(f"{'rung':12} {'GPUs':>5} {'size':>7} {'measured us/step':>17} {'model':>9}")
    for method, gpus, size, measured, modeled in checks(runs, model):
        print(f"{method:12} {gpus:5} {size:7} {measured:17.1f} {modeled:9.1f}")
    for title, rows in (("the plate grows with the GPUs", weak(model)), ("one plate", strong(model))):
        print(f"\n{title}\n{'GPUs':>5} {'size':>7} {'compute us/step':>16} {'exchange':>9} {'efficiency':>11}")
        for gpus, size, compute, exchange, efficiency in rows:
            print(f"{gpus:5} {size:7} {compute:16.1f} {exchange:9.1f} {efficiency:10.0%}")


if __name__ == "__main__":
    main()
