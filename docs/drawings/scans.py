"""Exclusive scans: the tree of sums, look-back, exchange."""
from svg import Drawing


def tree():
    """scan/1_sweep.cuh: one row of cells per launch, for eight numbers."""
    d = Drawing(820, 560, "Exclusive scan as a tree: the up-sweep adds pairs, the down-sweep hands sums back")
    left, w, h, step = 150, 56, 28, 62
    data = [2, 1, 3, 0, 4, 1, 2, 3]

    def middle(i):
        return left + i * 70 + w / 2

    def row(y, values, touched, fill, words):
        for i, value in enumerate(values):
            d.cell(left + i * 70, y, w, h, value, fill if i in touched else "plain")
        d.text(14, y + 19, words, "dim", "start")

    y = 44
    d.text(430, 26, "up-sweep: each launch adds the end of every left half to the end of the right half", size=14)
    row(y, data, set(), "plain", "input")
    half = 1
    while half < 8:
        y += step
        touched = set()
        for pair in range(8 // (2 * half)):
            l = (2 * pair + 1) * half - 1
            r = l + half
            d.arrow(middle(l), y - step + h, middle(r) - 6, y - 2, "ink-blue")
            d.arrow(middle(r), y - step + h, middle(r), y - 2, "dim")
            data[r] += data[l]
            touched.add(r)
        row(y, data, touched, "blue", f"half = {half}")
        half *= 2
    y += 62
    d.text(430, y - 8, "down-sweep: the last cell becomes 0; then each launch hands the sum before to the left half,", size=14)
    d.text(430, y + 10, "and that plus the left half's sum to the right half", size=14)
    y += 24
    data[7] = 0
    row(y, data, {7}, "red", "last = 0")
    half = 4
    while half > 0:
        y += step
        touched = set()
        for pair in range(8 // (2 * half)):
            l = (2 * pair + 1) * half - 1
            r = l + half
            d.arrow(middle(r), y - step + h, middle(l) + 6, y - 2, "ink-orange")
            d.arrow(middle(l), y - step + h, middle(r) - 6, y - 2, "ink-blue")
            d.arrow(middle(r), y - step + h, middle(r), y - 2, "dim")
            data[l], data[r] = data[r], data[r] + data[l]
            touched |= {l, r}
        row(y, data, touched, "orange", f"half = {half}")
        half //= 2
    d.text(726, y + 19, "= the result", "ink-orange", "start")
    return d


def look_back():
    """scan/3_lookback.cuh: tile 6 adds totals until a word holds a prefix."""
    d = Drawing(820, 300, "Decoupled look-back: a tile adds the totals before it until it finds a prefix")
    left, w = 92, 96
    words = [("prefix", 5), ("prefix", 12), ("prefix", 14), ("prefix", 21), ("total", 4), ("total", 6), ("total", 3)]
    d.text(14, 62, "tiles", "dim", "start")
    d.text(14, 118, "words", "dim", "start")
    for i, (state, value) in enumerate(words):
        x = left + i * 102
        d.cell(x, 44, w, 30, f"tile {i}", "plain")
        fill = {"prefix": "green", "total": "blue"}[state]
        if i == 6:
            fill = "orange"
        d.cell(x, 98, w, 34, f"{state} {value}", fill)
    d.text(410, 26, "one word per tile, in global memory: its state and a sum", size=15)
    middle = [left + i * 102 + w / 2 for i in range(7)]
    for i, words_ in ((5, "+ 6"), (4, "+ 4"), (3, "+ 21, stop")):
        d.arrow(middle[i + 1] - 10, 158, middle[i] + 10, 158, "ink-orange", 1.8)
        d.text(middle[i], 180, words_, "ink-orange")
    d.line(middle[6], 134, middle[6], 158, "ink-orange", 1.8)
    d.line(middle[6], 158, middle[6] - 12, 158, "ink-orange", 1.8)
    d.text(middle[6], 180, "looks back", "ink-orange")
    d.text(410, 212, "before tile 6:  6 + 4 + 21 = 31;  its own word becomes: prefix 34", size=14)
    d.lines(40, 244, "total: the sum of this tile alone, published as soon as it is known. prefix: the sum of all tiles up to and with this one.",
            "The look-back ends at a prefix; an empty word is read again until it is filled. A warp reads 32 words at a time.",
            ink="dim", size=12)
    d.lines(40, 284, "Blocks take their tile's number from a counter, so all tiles before belong to blocks that have started.", ink="dim", size=12)
    return d


def exchange():
    """scan/4_exchange.cuh: all blocks run, and each reads all the words before its own at once."""
    d = Drawing(820, 330, "Exchange: every block adds up the totals of all blocks before it in one go")
    totals = [5, 7, 2, 7, 4, 6]
    left, w = 250, 64
    d.text(left + 3 * w, 26, "words: the total of each block, published at once by all", size=15)
    for i, total in enumerate(totals):
        d.cell(left + i * w, 40, w - 4, 30, f"{total}", "blue")
    for block in range(6):
        y = 88 + block * 32
        d.text(24, y + 18, f"block {block} reads", anchor="start")
        for i, total in enumerate(totals):
            d.cell(left + i * w, y, w - 4, 26, total if i < block else "", "green" if i < block else "plain", "ink", 12)
        d.text(left + 6 * w + 12, y + 18, f"before it: {sum(totals[:block])}", "ink-green", "start")
    d.lines(24, 302, "A warp loads all words of its row before it uses the first: one round trip to the L2 cache for all, where",
            "look-back goes from tile to tile. All blocks must be running at the same time: a cooperative launch.", ink="dim")
    return d
