"""Tables of chapters 3, 4, 5 and 10, of dot_lock and of the ladder dot_fast: from the record of the book's samples."""
from .markdown import milliseconds, table
from .records import gigabytes_per_second, median, percent_of_limit

CHAPTER_3 = "chapter03_introduction/README.md"
CHAPTER_4 = "chapter04_parallel_programming/README.md"
CHAPTER_5 = "chapter05_thread_cooperation/README.md"
CHAPTER_10 = "chapter10_streams/README.md"
DOT_FAST = "chapter05_thread_cooperation/dot_fast/README.md"
APPENDIX_A = "appendix_a_advanced_atomics/README.md"
ELEMENTS = {100_000: "100,000", 1 << 24: "2^24", 1 << 28: "2^28"}


def of_the_copy(samples, row):
    return f"{percent_of_limit(row, samples.copy_rate):.0f} %"


def of_chapter_4(samples):
    result = {}
    rows = samples.run("add", n=1 << 26)
    rates = [f"{gigabytes_per_second(row):,.0f}" for row in rows.values()]
    result[CHAPTER_4, "add"] = table(["threads per block", *(name.split()[0] for name in rows)], [["GB/s", *rates]])

    runs = {size: samples.run("julia", size=size) for size in (1000, 4000)}
    rows = [[f"{size} × {size}", *(milliseconds(median(row)) for row in run.values())] for size, run in runs.items()]
    result[CHAPTER_4, "julia"] = table(["picture", *(name.replace("x", "×") for name in runs[1000])], rows)
    return result


def of_chapter_10(samples):
    """20 chunks of 2^20 elements, but where the table says otherwise."""
    n = 20 << 20
    result = {}
    lines = [("one stream", samples.only("single_stream", n=n))]
    for order in ("depth_first", "breadth_first"):
        lines.append((f"two streams, {order.replace('_', ' ')}", samples.only("double_stream", n=n, order=order)))
    result[CHAPTER_10, "orders"] = table(["20 chunks on", "ms"], [[what, milliseconds(median(row))] for what, row in lines])

    lines = []
    for title in ("streams", "elements of a chunk", "rounds of a kernel"):
        rows = samples.run("many_streams", title, n=n)
        lines.append([title, " / ".join(f"{int(count):,}" for count in rows),
                      " / ".join(milliseconds(median(row)) for row in rows.values())])
    result[CHAPTER_10, "many"] = table(["what changes", "its values", "ms"], lines)

    rows = samples.run("stream_graph", n=n)
    sizes = list(dict.fromkeys(name.split(",")[0] for name in rows))
    result[CHAPTER_10, "graph"] = table(
        ["elements of a chunk", *(f"{int(size):,}" for size in sizes)],
        [[f"{way}, ms", *(milliseconds(median(rows[f"{size}, {way}"])) for size in sizes)] for way in ("streams", "graph")])
    return result


def tables(samples):
    """{(README, name): Markdown}."""
    result = of_chapter_4(samples) | of_chapter_10(samples)
    result[CHAPTER_3, "hello"] = table(
        ["`hello`", "µs"], [[name, f"{1000 * median(row):.1f}"] for name, row in samples.run("hello").items()])

    n = 1 << 26
    book_grid, full_grid = samples.run("add_long", n=n).items()
    ripple = samples.run("ripple", size=1024)
    lines = [(f"`add_long`, 2^26 elements, the book's grid: {book_grid[0]}", book_grid[1], True),
             (f"`add_long`, a grid that fills the device: {full_grid[0]}", full_grid[1], True),
             ("`dot`, 2^26 elements", samples.only("dot", n=n), True),
             ("`ripple`, a frame of 1024 x 1024 pixels: the kernel", ripple["kernel"], False),
             ("`ripple`, the same frame: its copy to the host", ripple["copy to the host"], False),
             ("`shared_bitmap`, 1024 x 1024 pixels, with the barrier", samples.only("shared_bitmap", size=1024), False)]
    result[CHAPTER_5, "samples"] = table(
        ["what", "ms", "of the copy"],
        [[what, milliseconds(median(row)), of_the_copy(samples, row) if bound else ""] for what, row, bound in lines])

    runs = [samples.run("dot_fast", n=n) for n in ELEMENTS]
    names = {"library": "`library` (CUB)"}
    rows = [[names.get(rung, f"`{rung}`"), *(milliseconds(median(run[rung])) for run in runs),
             of_the_copy(samples, runs[-1][rung])] for rung in runs[0]]
    result[DOT_FAST, "times"] = table(["rung", *ELEMENTS.values(), "of the copy"], rows)

    n = 1 << 22
    result[APPENDIX_A, "dot_lock"] = table(
        ["`dot_lock`, 2^22 elements", "ms"],
        [[f"`{method}`", milliseconds(median(row))] for method, row in samples.run("dot_lock", n=n).items()])

    return result


def plots(_):
    return {}
