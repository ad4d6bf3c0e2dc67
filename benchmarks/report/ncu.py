"""Tables "What limits each rung": from the record of ncu_rungs.py."""
from .markdown import milliseconds, table
from .tree import PROJECT, ladders

HEAD = ["rung", "work", "longest kernel", "ms", "device memory %", "multiprocessors %", "warps %", "L1 hits %",
        "issue slots %", "most frequent wait (% of a warp's time)"]
DROP = ("--headless", "--check", "--frames", "--bench", "--trip")  # what says nothing about the size of the work


def work_of(arguments):
    """The arguments that give the size of the work."""
    words, result = arguments.split(), []
    while words:
        word = words.pop(0)
        if word in DROP:
            if words and not words[0].startswith("-"):
                words.pop(0)
            continue
        result.append(word)
    return "`" + " ".join(result) + "`"


def percent(value, factor=1):
    return "–" if value is None else f"{value * factor:.0f}"


def row(entry):
    wait = f"{entry['wait'].replace('_', ' ')} ({entry['wait_percent']:.0f})" if "wait" in entry else "–"
    return [f"`{entry['rung']}`", work_of(entry["arguments"]), f"`{entry['kernel']}`",
            milliseconds(entry["ms_per_launch"]), percent(entry["dram_percent"]), percent(entry["sm_percent"]),
            percent(entry["occupancy_percent"]), percent(entry["l1_hit_percent"]),
            percent(entry["issue_per_cycle"], 100), wait]


def tables(record):
    """{(README, "ncu"): Markdown}."""
    result = {}
    for ladder, (folder, _) in ladders().items():
        rows = [row(entry) for entry in record.content if entry["ladder"] == ladder]
        if rows:
            result[f"{folder.relative_to(PROJECT)}/README.md", "ncu"] = table(HEAD, rows)
    return result


def plots(_):
    return {}
