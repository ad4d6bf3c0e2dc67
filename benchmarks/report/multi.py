"""Tables and plots of heat_multi_gpu: from the record that record_multi_gpu.py makes, and its model."""
import json
from pathlib import Path

import multi_gpu_model as model_of

from .markdown import table
from .plots import Series, line_plot
from .tree import ladders

FOLDER = "chapter11_multiple_gpus/heat_multi_gpu"
README = f"{FOLDER}/README.md"
RUNGS = list(ladders()["heat_multi_gpu"][1])
# A copy within one H200, from the record of the samples: the memory's rate.
COPY = json.loads(next((Path(__file__).resolve().parents[1] / "results").glob("samples_*.json")).read_text())
LIMIT = float(COPY["context"]["copy_rate_GB_per_s"]) / 8  # 10^9 cells/s of a GPU with one step per pass: 8 bytes per cell


def way_of(method):
    return "peer" if method == "one_kernel" else "nccl"


def measured(record, method, gpus, size, part=None):
    """Seconds for 1000 steps; None where that was not measured."""
    try:
        return 1000 * model_of.seconds(record.content, method, way_of(method), gpus, size, part)
    except KeyError:
        return None


def number(value, digits=4):
    return "–" if value is None else f"{value:.{digits}f}"


def tables(record):
    """{(README, name): Markdown}."""
    columns = [(16384, 1), (16384, 2), (16384, 4), (32768, 2), (32768, 4), (65536, 2), (65536, 4)]

    def row(name, way, times, digits):
        """times: of the columns."""
        one, two, four = times[:3]
        faster = " / ".join(f"{one / time:.2f}" for time in (two, four) if time)
        return [name, way, *(number(time, digits) for time in times[:3]), faster, *(number(time, digits) for time in times[3:])]

    rows = [row(f"`{method}`", f"`{way_of(method)}`", [measured(record, method, gpus, size) for size, gpus in columns], 4)
            for method in RUNGS]
    if (theirs := record.reference("nvidia")):
        rows.append(row("NVIDIA's `nccl_overlap`", "NCCL", [theirs.get(f"{gpus}/{size}") for size, gpus in columns], 3))
    head = ["s for 1000 steps", "`--exchange`", "16384², 1 GPU", "2 GPUs", "4 GPUs", "times faster (of 2 / of 4)",
            "32768², 2 GPUs", "4 GPUs", "65536², 2 GPUs", "4 GPUs"]
    result = {(README, "strong"): f"![heat_multi_gpu: rate per GPU](strong.svg)\n\n{table(head, rows)}"}

    rows, one = [], measured(record, "one_kernel", 1, 16384)
    for gpus in (1, 2, 4):
        size = model_of.weak_size(gpus)
        time = measured(record, "one_kernel", gpus, size, part="weak")
        rows.append([str(gpus), f"{size}²", number(time), f"{100 * one / time * size ** 2 / gpus / 16384 ** 2:.0f} %"])
    weak_table = table(["GPUs", "plate", "s for 1000 steps, `one_kernel`", "of one GPU's rate"], rows)
    result[README, "weak"] = f"![heat_multi_gpu: weak scaling](weak.svg)\n\n{weak_table}"

    model = model_of.fitted(record.content)
    result[README, "numbers"] = table(
        ["number", "value", "from"],
        [["memory", f"{model.memory / 1e9:.0f} GB/s", "`exchange` on one GPU, 8 bytes per cell"],
         ["cell", f"{model.cell * 1e12:.3f} ps per step", "`wide_halos` at three sizes, with t0"],
         ["t0", f"{model.start * 1e6:.0f} µs per pass", "the same straight line"],
         ["latency", f"{model.latency * 1e6:.1f} µs per exchange", "`exchange` on two GPUs, less half of one GPU's time"]])
    rows = [[f"`{method}`", str(gpus), f"{size}²", f"{got:.1f}", f"{said:.1f}", f"{100 * (said / got - 1):+.0f} %"]
            for method, gpus, size, got, said in model_of.checks(record.content, model)]
    result[README, "checks"] = table(["rung", "GPUs", "plate", "measured µs per step", "model", "off by"], rows)
    for name, rows in (("weak_model", model_of.weak(model)), ("strong_model", model_of.strong(model))):
        result[README, name] = table(
            ["GPUs", "plate", "compute µs per step", "exchange µs per step", "efficiency"],
            [[str(gpus), f"{size}²", f"{compute:.0f}", f"{exchange:.1f}", f"{100 * efficiency:.0f} %"]
             for gpus, size, compute, exchange, efficiency in rows])
    return result


def plots(record):
    """{path: SVG}."""
    series = [Series(method, [(gpus, 1e-6 * 16384 ** 2 / time / gpus) for gpus in (1, 2, 4)
                              if (time := measured(record, method, gpus, 16384))]) for method in RUNGS]
    note = record.where()
    nvlink = 1e-9 * 8192 * model_of.NVLINK / 4  # a row of 4-byte cells per step and neighbor, for 8192 rows
    result = {f"{FOLDER}/strong.svg": line_plot(
        "heat_multi_gpu, 16384 × 16384: 10^9 cells per second and GPU", note, "GPUs", series,
        limit=(LIMIT, f"memory: one pass per step at a copy's rate; NVLink's limit would be {nvlink:.0f}"),
        x_names={1: "1", 2: "2", 4: "4"})}
    model = model_of.fitted(record.content)
    said = [(gpus, 1e-9 * 16384 ** 2 * share / model.step(1, 16384, model_of.LEVELS))
            for gpus, _, _, _, share in model_of.weak(model)]
    got = [(gpus, 1e-6 * model_of.weak_size(gpus) ** 2 / gpus
            / measured(record, "one_kernel", gpus, model_of.weak_size(gpus), part="weak")) for gpus in (1, 2, 4)]
    result[f"{FOLDER}/weak.svg"] = line_plot(
        "heat_multi_gpu, 16384 × 16384 cells per GPU: 10^9 cells per second and GPU", note, "GPUs",
        [Series("model", said, True), Series("measured", got)],
        limit=(LIMIT, "memory: one pass per step at a copy's rate"), y_range=(0, 2600))
    return result
