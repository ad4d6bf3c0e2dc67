"""Tables and plots of heat_multi_gpu: from the record that record_multi_gpu.py makes, and its model."""
import json
import sys
from pathlib import Path

from .markdown import table
from .plots import Series, line_plot

FOLDER = "chapter11_multiple_gpus/heat_multi_gpu"
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / FOLDER))
import model as model_of

README = f"{FOLDER}/README.md"
RUNGS = ["exchange", "overlap", "graph", "wide_halos", "one_kernel"]
# A copy within one H200, from the record of the samples: the memory's rate.
COPY = json.loads((Path(__file__).resolve().parents[1] / "results/samples_h200.json").read_text())
LIMIT = float(COPY["context"]["copy_rate_GB_per_s"]) / 8  # 10^9 cells/s of a GPU with one step per pass: 8 bytes per cell
TARGETS = {(16384, 1): 0.135, (16384, 2): 0.070}  # s for 1000 steps
NVIDIA = {16384: {1: 1.185, 2: 0.600}, 32768: {1: 4.747, 2: 2.381}}  # their nccl_overlap on the same kind of GPU


def way_of(method):
    return "peer" if method == "one_kernel" else "nccl"


def measured(record, method, gpus, size, halo=model_of.LEVELS):
    """Seconds for 1000 steps; None where that was not measured."""
    try:
        return 1000 * model_of.seconds(record.content, method, way_of(method), gpus, size, halo)
    except KeyError:
        return None


def number(value, digits=4):
    return "–" if value is None else f"{value:.{digits}f}"


def tables(record):
    """{(README, name): Markdown}."""
    rows = []
    for method in RUNGS:
        one, two = (measured(record, method, gpus, 16384) for gpus in (1, 2))
        speedup = f"{one / two:.2f} ({100 * one / two / 2:.0f} %)"
        rows.append([f"`{method}`", f"`{way_of(method)}`", number(one), number(two), speedup,
                     number(measured(record, method, 2, 32768)), number(measured(record, method, 2, 65536))])
    rows.append(["NVIDIA's `nccl_overlap`", "NCCL", f"{NVIDIA[16384][1]:.3f}", f"{NVIDIA[16384][2]:.3f}",
                 f"{NVIDIA[16384][1] / NVIDIA[16384][2]:.2f}", f"{NVIDIA[32768][2]:.3f}", "–"])
    rows.append(["target", "", f"{TARGETS[16384, 1]:.3f}", f"{TARGETS[16384, 2]:.3f}", "", "–", "–"])
    head = ["s for 1000 steps", "`--exchange`", "16384², 1 GPU", "2 GPUs", "times faster (of 2)", "32768², 2 GPUs",
            "65536², 2 GPUs"]
    result = {(README, "strong"): f"![heat_multi_gpu: rate per GPU](strong.svg)\n\n{table(head, rows)}"}

    one, two = (measured(record, "one_kernel", gpus, model_of.weak_size(gpus)) for gpus in (1, 2))
    cells = [model_of.weak_size(gpus) ** 2 / gpus for gpus in (1, 2)]
    share = 100 * one / two * cells[1] / cells[0]
    rows = [["1", "16384²", number(one), "100 %"], ["2", f"{model_of.weak_size(2)}²", number(two), f"{share:.1f} %"]]
    weak_table = table(["GPUs", "plate", "s for 1000 steps, `one_kernel`", "of one GPU's rate"], rows)
    result[README, "weak"] = f"![heat_multi_gpu: weak scaling](weak.svg)\n\n{weak_table}"

    halos = sorted({run["halo"] for run in record.content if run["method"] == "wide_halos" and run["ranks"] == 2
                    and run["exchange"] == "nccl" and run["size"] == 16384})
    result[README, "halos"] = table(
        ["k", *map(str, halos)],
        [["s for 1000 steps", *(number(measured(record, "wide_halos", 2, 16384, k)) for k in halos)],
         ["messages per step", *(f"{1 / k:.3g}" for k in halos)],
         ["rows computed twice, % of 8192", *(f"{100 * (k - 1) / 2 / 8192:.2g}" for k in halos)]])

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
    series = [Series(method, [(gpus, 1e-6 * 16384 ** 2 / measured(record, method, gpus, 16384) / gpus)
                              for gpus in (1, 2)]) for method in RUNGS]
    note = record.where()
    nvlink = 1e-9 * 8192 * model_of.NVLINK / 4  # a row of 4-byte cells per step and neighbor, for 8192 rows
    result = {f"{FOLDER}/strong.svg": line_plot(
        "heat_multi_gpu, 16384 × 16384: 10^9 cells per second and GPU", note, "GPUs", series,
        limit=(LIMIT, f"memory: one pass per step at a copy's rate; NVLink's limit would be {nvlink:.0f}"),
        x_names={1: "1", 2: "2"})}
    model = model_of.fitted(record.content)
    said = [(gpus, 1e-9 * 16384 ** 2 * share / model.step(1, 16384, model_of.LEVELS))
            for gpus, _, _, _, share in model_of.weak(model)]
    got = [(gpus, 1e-6 * model_of.weak_size(gpus) ** 2 / gpus / measured(record, "one_kernel", gpus,
                                                                         model_of.weak_size(gpus)))
           for gpus in (1, 2)]
    result[f"{FOLDER}/weak.svg"] = line_plot(
        "heat_multi_gpu, 16384 × 16384 cells per GPU: 10^9 cells per second and GPU", note, "GPUs",
        [Series("model", said, True), Series("measured", got)],
        limit=(LIMIT, "memory: one pass per step at a copy's rate"), y_range=(0, 2600))
    return result
