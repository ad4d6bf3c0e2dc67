"""The recorded runs, as the tables and plots need them."""
import json
import re
import statistics
from pathlib import Path


def median(row):
    """The median of a row's times, in milliseconds."""
    return row["median_ms"]


def gigabytes_per_second(row):
    """By the bytes that the row says it moves."""
    return row["bytes"] * 1e-6 / median(row)


def percent_of_limit(row, copy_rate):
    """The row's rate in percent of the copy's."""
    return 100 * gigabytes_per_second(row) / copy_rate


class Record:
    """One file of benchmarks/results."""

    def __init__(self, path):
        self.path = Path(path)
        document = json.loads(self.path.read_text())
        self.context = document["context"]
        if self.context.get("emulated"):
            raise ValueError(f"{path} was recorded on the emulated device: it says nothing about a GPU")
        self.content = document.get("runs") or document.get("benchmarks") or document.get("kernels")

    @property
    def copy_rate(self):
        """GB/s: the median of the runs' own copies where they have them."""
        rates = [run["copy_GB_per_s"] for run in self.content if "copy_GB_per_s" in run]
        return statistics.median(rates) if rates else float(self.context["copy_rate_GB_per_s"])

    @property
    def device(self):
        return self.context["device"]

    @property
    def one_device(self):
        """As prose calls one: "an H200", "an RTX 4090" of "NVIDIA H100 80GB HBM3", "NVIDIA GeForce RTX 4090"."""
        name = re.sub(r"^.*NVIDIA (GeForce )?|[- ]\d+GB.*$", "", self.device)
        return ("an " if re.match(r"[AEFHILMNORSX](\d|[A-Z])", name) else "a ") + name

    def reference(self, whose):
        """{name: time} of other programs on this GPU, from results/WHOSE_reference_GPU.json; empty where that is not
        recorded."""
        for path in sorted(self.path.parent.glob(f"{whose}_reference_*.json")):
            document = json.loads(path.read_text())
            if self.device.endswith(document["context"]["gpu"]):
                return {entry["name"]: entry["real_time"] for entry in document["benchmarks"]}
        return {}

    def where(self):
        """One line for tables and plots: where and when."""
        context = self.context
        words = [context["device"], f"driver {context['driver']}"]
        if "cuda" in context:
            words.append(f"CUDA {context['cuda']}")
        if "ncu" in context:
            words.append(f"Nsight Compute {context['ncu']}".strip())
        line = ", ".join([*words, context["date"]])
        if "copy_rate_GB_per_s" in context:
            line += f"; a copy: {self.copy_rate:.0f} GB/s"
        return line


class Samples(Record):
    """Runs of samples with --benchmark."""

    def run(self, program, titled="", **wanted):
        """The table of a run: {row's name: row}. titled: what its title holds. wanted: option -> value, `_` standing for
        `-`; an option that is not wanted must not be there, but --frames. KeyError where there is not exactly one such
        run."""
        matches = self.matches(program, titled, wanted)
        if len(matches) != 1:
            raise KeyError(f"{len(matches)} runs of {program} with {wanted} in {self.path}, not one")
        return {row["name"]: row for row in matches[0]["rows"]}

    def matches(self, program, titled, wanted):
        found = []
        for run in self.content:
            if run["program"] != program or titled not in run.get("title", ""):
                continue
            words = run["arguments"].split()
            given = {}
            for i, word in enumerate(words):
                if word.startswith("-"):
                    value = words[i + 1] if i + 1 < len(words) and not words[i + 1].startswith("-") else ""
                    given[word.lstrip("-").replace("-", "_")] = value
            given.pop("frames", None)
            if given == {key: str(value) for key, value in wanted.items()}:
                found.append(run)
        return found

    def only(self, program, **wanted):
        """The one row of such a run."""
        rows = self.run(program, **wanted)
        if len(rows) != 1:
            raise KeyError(f"{len(rows)} rows of {program} with {wanted}, not one")
        return next(iter(rows.values()))
