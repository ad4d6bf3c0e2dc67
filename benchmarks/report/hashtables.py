"""Tables of hashtable and of the ladder hashtable_fast: from the record of both."""
from .markdown import milliseconds, table
from .records import median

APPENDIX_A = "appendix_a_advanced_atomics/README.md"
HASHTABLE_FAST = "appendix_a_advanced_atomics/hashtable_fast/README.md"
KEYS = 1 << 27
LOADS = ("load 0.5", "load 0.9")
# The rows that hashtable_fast adds to its rungs', with their column and what the table calls them.
LIMITS = {"random sectors, exchanged": ("insert", "random sectors exchanged, the limit of an insertion"),
          "random sectors": ("find", "random sectors, the limit of a find")}


def keys_per_second(samples, load):
    """{"turns, insert": billion keys per second}, and of LIMITS the sectors: without the finds of fewer keys than KEYS."""
    rows = samples.run("hashtable_fast", f"{KEYS} keys, {load}", n=KEYS)
    return {name: KEYS * 1e-6 / median(row) for name, row in rows.items() if not name[-1].isdigit()}


def tables(samples):
    """{(README, name): Markdown}."""
    result = {}
    rows = []
    for n, more in ((25 << 20, {}), (1_000_000, {}), (1_000_000, {"skewed": ""})):
        row = samples.only("hashtable", n=n, **more)
        what = ", ".join([f"{n:,} keys", *more, "1,024 lists"])
        rows.append([what, milliseconds(median(row)), f"{n * 1e-6 / median(row):#.3g}"])
    result[APPENDIX_A, "hashtable"] = table(["`hashtable`", "ms", "billion keys per second"], rows)

    rates = [keys_per_second(samples, load) for load in LOADS]
    rungs = list(dict.fromkeys(name.split(",")[0] for name in rates[0] if name not in LIMITS))
    rows = []
    for rung in rungs:
        cells = [of_load.get(f"{rung}, {step}") for of_load in rates for step in ("insert", "find")]
        rows.append([f"`{rung}`", *("–" if rate is None else f"{rate:#.3g}" for rate in cells)])
    for limit, (of_step, words) in LIMITS.items():
        rows.append([words, *(f"{of_load[limit]:#.3g}" if step == of_step else ""
                              for of_load in rates for step in ("insert", "find"))])
    head = ["billion keys per second", *(f"{load}: {step}" for load in LOADS for step in ("insert", "find"))]
    result[HASHTABLE_FAST, "rates"] = table(head, rows)
    return result


def plots(_):
    return {}
