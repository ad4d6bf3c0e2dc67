"""Chapter 7: a stencil in 2D and in memory, filtering and its fraction, the faces of a cubemap."""
from svg import Drawing


def stencil():
    """heat_notexture.cu: the five cells that a step reads, in 2D and in memory. A plate of 8 x 5 cells."""
    d = Drawing(820, 400, "A stencil: the cell and its four neighbors, on the plate and in memory")
    left, top, s = 40, 60, 40
    cx, cy = 3, 2  # the cell in the middle
    roles = {(cx, cy): ("c", "red"), (cx - 1, cy): ("l", "blue"), (cx + 1, cy): ("r", "blue"),
             (cx, cy - 1): ("t", "orange"), (cx, cy + 1): ("b", "green")}
    d.text(left + 4 * s, 28, "on the plate", size=15)
    for row in range(5):
        for x in range(8):
            words, fill = roles.get((x, row), ("", "plain"))
            d.cell(left + x * s, top + row * s, s, s, words, fill)
        d.text(left - 8, top + row * s + 25, str(row), "dim", "end", 12)
    for x in range(8):
        d.text(left + x * s + 20, top - 8, str(x), "dim", size=12)
    d.text(left + 8 * s + 12, top - 8, "x", "dim", size=12)
    d.text(left - 8, top + 5 * s + 18, "y", "dim", "end", 12)

    d.text(600, 28, "what one thread does", size=15)
    d.text(400, 76, "i   = x + y * dim", anchor="start", code=True)
    d.text(400, 100, "out = c + k * (t + b + l + r - 4 * c)", anchor="start", code=True)
    d.lines(400, 138, "At the border the neighbor outside is the cell itself.",
            "The 32 lanes of a warp are 32 cells of one row: all their",
            "l, c and r are one row's cells, all t another row's, all b",
            "a third row's. So a warp reads three rows, each of them in",
            "one piece (coalesced), and l, c and r from the same lines",
            "of the cache. (Row 0 is drawn first here, as in memory;",
            "a window shows it at the bottom.)", ink="dim")

    # Memory: rows one after another.
    m, my, w = 30, 316, 19
    d.text(410, 290, "in memory: l, c and r side by side, t and b a whole row (dim cells) away", size=15)
    names = {(cy - 1) * 8 + cx: ("t", "orange"), cy * 8 + cx - 1: ("l", "blue"), cy * 8 + cx: ("c", "red"),
             cy * 8 + cx + 1: ("r", "blue"), (cy + 1) * 8 + cx: ("b", "green")}
    for i in range(40):
        words, fill = names.get(i, ("", "plain"))
        d.cell(m + i * w, my, w, 28, words, fill, size=12)
    for row in range(6):
        d.line(m + row * 8 * w, my - 4, m + row * 8 * w, my + 32, "ink", 1.6)
    for row in range(5):
        d.text(m + row * 8 * w + 4 * w, my + 46, f"row {row}", "dim", size=12)
    for i, words in (((cy - 1) * 8 + cx, "i - dim"), (cy * 8 + cx, "i"), ((cy + 1) * 8 + cx, "i + dim")):
        d.text(m + i * w + w / 2, my + 66, words, "ink", size=12, code=True)
    return d


def filtering():
    """One direction of linear filtering: where the texels lie, and the fraction of 8 bits."""
    d = Drawing(820, 452, "Linear filtering: the texels' middles, the weights, and the fraction of 8 bits")
    left, base, w = 60, 190, 110
    values = (40, 70, 100, 30, 60)
    X = lambda x: left + x * w
    d.text(410, 28, "x = 2.7, linear filtering: the weighted mean of texels 2 and 3", size=15)
    for i, value in enumerate(values):
        used = {2: "blue", 3: "orange"}.get(i, "plain")
        d.rect(X(i), base - value, w, value, used)
        d.text(X(i) + 6, base - 8, f"texel {i}", anchor="start")
        d.text(X(i), base + 18, str(i), "dim", size=12)
    d.text(X(5), base + 18, "5", "dim", size=12)
    for i in range(4):
        d.line(X(i + 0.5), base - values[i], X(i + 1.5), base - values[i + 1], "ink", 1.6)
    for i, value in enumerate(values):
        d.circle(X(i + 0.5), base - value, 4, "plain", "ink", stroke=2)
    x = 2.7
    height = values[2] + (values[3] - values[2]) * 0.2
    d.line(X(x), base + 4, X(x), base - height, "ink-red", 1.6, dashed=True)
    d.circle(X(x), base - height, 5, "red", "ink-red", stroke=2)
    d.text(X(x), base + 22, "2.7", "ink-red")
    d.lines(X(5) + 20, 80, "Texel i covers i to", "i + 1; its value holds", "in the middle, at", "i + 0.5.", ink="dim")

    d.text(60, 252, "x - 0.5 = 2.2: texel 2 and its right neighbor; the fraction 0.2 is rounded to 8 bits: 51 / 256", anchor="start")
    d.text(60, 274, "value = 205 / 256 * texel 2 + 51 / 256 * texel 3", anchor="start", code=True)

    # The ruler.
    rl, ry, step = 120, 360, 110
    d.text(410, 318, "the fraction knows only 256 places between two texels", size=15)
    d.line(rl - 40, ry, rl + 5 * step + 40, ry, "ink", 1.4)
    marks = ("509 / 256", "510 / 256", "511 / 256", "512 / 256", "513 / 256", "514 / 256")
    for i, mark in enumerate(marks):
        d.line(rl + i * step, ry - 8, rl + i * step, ry + 8, "ink", 1.4)
        d.text(rl + i * step, ry + 24, mark, "ink-green" if i == 3 else "dim", size=12)
    d.text(rl + 3 * step, ry + 40, "= 2.0", "ink-green", size=12)
    px = rl + 2.5 * step
    d.circle(px, ry, 5, "red", "ink-red", stroke=2)
    d.text(px - 8, ry - 18, "x = 2.49805, x - 0.5 = 511.5 / 256", "ink-red", "end")
    d.arrow(px + 2, ry - 10, rl + 3 * step - 2, ry - 10, "ink-red")
    d.text(px + 62, ry - 18, "rounds to 512 / 256", "ink-red", "start")
    d.lines(60, 424, "Filtering: weight 0 for texel 1 and 1 for texel 2. A gather of the same x takes texels 2 and 3 (texture_gather.cu).",
            ink="dim")
    return d


# Where a face is in the unfolded cube (column, row), and where its texel columns i and rows j grow.
FACES = (("+x", 2, 1, "-z", "-y"), ("-x", 0, 1, "+z", "-y"), ("+y", 1, 0, "+x", "+z"), ("-y", 1, 2, "+x", "-z"),
         ("+z", 1, 1, "+x", "-y"), ("-z", 3, 1, "-x", "-y"))


def cubemap():
    """The six faces, unfolded, in the order and with the directions of the programming guide's table."""
    d = Drawing(820, 452, "The faces of a cubemap: their numbers, and where their columns and rows grow")
    fills = {"x": "red", "y": "green", "z": "blue"}
    left, top, s = 24, 24, 132
    for number, (name, column, row, i_grows, j_grows) in enumerate(FACES):
        x, y = left + column * s, top + row * s
        d.rect(x, y, s, s, fills[name[1]], radius=0)
        d.text(x + s / 2 + 8, y + s / 2 + 8, name, size=22)
        d.text(x + s / 2 + 8, y + s / 2 + 30, f"face {number}", size=13)
        d.arrow(x + 12, y + 14, x + 62, y + 14, "ink")
        d.text(x + 68, y + 19, f"i: {i_grows}", anchor="start", size=12)
        d.arrow(x + 12, y + 14, x + 12, y + 64, "ink")
        d.text(x + 6, y + 80, f"j: {j_grows}", anchor="start", size=12)
    d.lines(570, 44, "texCubemap(texture, x, y, z)", "takes a direction, of any length.", anchor="start")
    d.lines(570, 96, "1. The largest of |x|, |y|, |z|", "    picks the face, its sign which", "    of the two.",
            "2. The other two, divided by the", "    largest, lie in -1 to 1: the", "    place on the face.", ink="dim")
    d.lines(300, 312, "i counts the texels of a row, j the rows; i: -z says that i grows where z falls.",
            "Neighbors here are neighbors on the cube, seen from inside.",
            "In memory: all rows of face 0, then face 1, ... face 5;",
            "in an array of cubemaps the layer's number is 6 * cubemap + face.",
            "Where two of |x|, |y|, |z| are equal, z wins before y before x (an H200 does it so).", ink="dim", size=12)
    return d
