#!/usr/bin/env python3
"""model_test.py PROJECT: multi_gpu_model.py finds the numbers of made-up measurements that follow it, tells which measurement is
missing, and prints what the README says of a thousand GPUs.
"""
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
project = Path(sys.argv[1])
sys.path.insert(0, str(project / "benchmarks"))
import multi_gpu_model as model

bad = []


def expect(condition, sentence):
    if not condition:
        bad.append(sentence)


true = model.Model(memory=2e12, cell=0.5e-12, start=50e-6, latency=20e-6)
runs = [{"method": method, "exchange": "nccl", "ranks": gpus, "size": size, "steps": 100,
         "median_s": 100 * true.step(gpus, size, k, overlap=method != "exchange")}
        for method, gpus, size, k in model.CHECKS]
found = model.fitted(runs)
for name in ("memory", "cell", "start", "latency"):
    got, wanted = getattr(found, name), getattr(true, name)
    expect(abs(got / wanted - 1) < 0.02, f"{name}: {got}, not {wanted}")
for method, gpus, size, measured, modeled in model.checks(runs, found):
    expect(abs(modeled / measured - 1) < 0.01, f"{method} on {gpus}, {size}: {modeled}, not {measured}")
try:
    model.fitted(runs[1:])
    expect(False, "a missing measurement is not noticed")
except KeyError as error:
    expect("exchange with nccl on 1 GPUs" in str(error), f"it does not name what is missing: {error}")
# More GPUs: never slower, never better than their share.
for rows in (model.weak(true), model.strong(true)):
    shares = [row[4] for row in rows]
    expect(all(0 < share <= 1.01 for share in shares), f"efficiencies {shares}")
    expect(shares == sorted(shares, reverse=True) or min(shares) > 0.99, f"they do not fall: {shares}")

result = subprocess.run([sys.executable, "-B", str(project / "benchmarks/multi_gpu_model.py")], capture_output=True, text=True, check=False)
expect(result.returncode == 0, f"multi_gpu_model.py: {result.stderr}")
readme = (project / "chapter11_multiple_gpus/heat_multi_gpu/README.md").read_text()
for line in result.stdout.splitlines():
    words = line.split()
    if words and words[0] == "1000":
        gpus, size, _, exchange, share = words
        expect(any(f"| {gpus} | {size}² |" in row and f"| {exchange} | {share.rstrip('%')} % |" in row
                   for row in readme.splitlines()), f"the README has no such line: {line}")
expect(result.stdout.count("\n 1000 ") == 2, f"no thousand GPUs in: {result.stdout}")
print("\n".join(bad))
sys.exit(bool(bad))
