#!/usr/bin/env python3
"""Fits the constants of the ladders scan and find_repeats to measured times: the experiment behind RoundCosts.

    build/gpu/benchmarks/cs418_scan_benchmark --shapes --benchmark_out=FILE --benchmark_out_format=json
    benchmarks/cs418_scan_fit.py FILE

For scan_pipeline and find_repeats_fused the model is that of cs418_assignment2/device/rounds.h: a launch of shape
PIECESxWARPS takes

    start + speed * ((rounds + ends) * tile + rounds * per_round)

microseconds, where a tile has PIECES * WARPS pieces and rounds is the number of tiles per multiprocessor, rounded up.
Prints the best ends and per_round (in pieces: rows of 128 numbers, chunks of 1024) over all shapes at the sizes
beyond the L2 cache, where the model holds, and for each size how much slower the shape is that they choose than the fastest one measured. For
scan_exchange prints the time of every shape, from which its order is read.
"""
import json
import sys
from collections import defaultdict
from pathlib import Path

BEYOND_CACHE = 10_000_000  # numbers
PIECE = {"scan_pipeline": 128, "find_repeats_fused": 1024}


def load(path):
    """Returns the number of multiprocessors and times[work][n][(pieces, warps)] = microseconds."""
    document = json.loads(Path(path).read_text())
    times = defaultdict(lambda: defaultdict(dict))
    for entry in document["benchmarks"]:
        if entry.get("error_occurred"):
            raise SystemExit(f"{entry['name']}: {entry['error_message']}")
        work, shape, n = entry["name"].split("/")[:3]
        times[work][int(n)][tuple(int(part) for part in shape.split("x"))] = entry["real_time"]
    return int(document["context"]["multiprocessors"]), times


def least_squares(rows, values):
    """Solves rows * x = values in the least-squares sense through the normal equations (Gauss)."""
    size = len(rows[0])
    matrix = [[sum(row[i] * row[j] for row in rows) for j in range(size)] + [sum(row[i] * v for row, v in zip(rows, values))]
              for i in range(size)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(matrix[k][i]))
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        if matrix[i][i] == 0:
            raise SystemExit("too few shapes and sizes to fit: run the benchmark without a filter")
        for k in range(size):
            if k != i:
                factor = matrix[k][i] / matrix[i][i]
                matrix[k] = [a - factor * b for a, b in zip(matrix[k], matrix[i])]
    return [matrix[i][size] / matrix[i][i] for i in range(size)]


def rounds_of(n, tile, processors):
    return -(-(-(-n // tile)) // processors)


def fit(work, times, processors):
    piece = PIECE[work]
    # time = start + speed * rounds * tile + (speed * ends) * tile + (speed * per_round) * rounds; each time weighs
    # as its share, so that shorter arrays count as much as long ones.
    rows, values = [], []
    for n, shapes in times.items():
        for (pieces, warps), time in shapes.items():
            tile = pieces * warps * piece
            rounds = rounds_of(n, tile, processors)
            if n >= BEYOND_CACHE:
                rows.append([1 / time, rounds * tile / time, tile / time, rounds / time])
                values.append(1.0)
    if not rows:
        raise SystemExit(f"{work}: no array beyond the cache")
    start, speed, ends, per_round = least_squares(rows, values)
    ends, per_round = ends / speed, per_round / speed
    print(f"{work}: ends {ends:.1f} tiles, per round {per_round / piece:.0f} pieces of {piece}"
          f"   (start {start:.1f} us, {processors / speed / 1e3:.0f} numbers per ns)")
    for n, shapes in sorted(times.items()):
        def model(shape):
            tile = shape[0] * shape[1] * piece
            rounds = rounds_of(n, tile, processors)
            return (rounds + ends) * tile + rounds * per_round
        chosen, fastest = min(shapes, key=model), min(shapes, key=shapes.get)
        print(f"  n = {n}: chooses {chosen[0]}x{chosen[1]}, {shapes[chosen]:.1f} us; fastest {fastest[0]}x{fastest[1]},"
              f" {shapes[fastest]:.1f} us")


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    processors, times = load(sys.argv[1])
    for work in PIECE:
        if times[work]:
            fit(work, times[work], processors)
    for n, shapes in sorted(times["scan_exchange"].items()):
        print(f"scan_exchange, n = {n}: " +
              ", ".join(f"{warps * 32} threads x {rows} rows {time:.2f} us" for (rows, warps), time in shapes.items()))


if __name__ == "__main__":
    main()
