"""The heat ladder: how the tiles of a plate that stays in registers exchange their rims."""
from svg import Drawing


def halo_exchange():
    """heat_fast/6_persistent.cuh: one exchange between two tiles that lie side by side."""
    d = Drawing(820, 590, "One exchange of the rung persistent: rims out, grid barrier, halos in")
    inner, a_rim, b_rim, right, h = 110, 310, 390, 470, 32  # columns of the plate, as x
    end = 690

    def tile_a(y, halo_fill, halo_words):
        d.text(20, y + 21, "tile A", anchor="start")
        d.cell(inner, y, a_rim - inner, h, "own columns", "blue")
        d.cell(a_rim, y, b_rim - a_rim, h, "own: rim", "green")
        d.cell(b_rim, y, right - b_rim, h, halo_words, halo_fill, size=12)

    def tile_b(y, halo_fill, halo_words):
        d.text(20, y + 21, "tile B", anchor="start")
        d.cell(a_rim, y, b_rim - a_rim, h, halo_words, halo_fill, size=12)
        d.cell(b_rim, y, right - b_rim, h, "own: rim", "green")
        d.cell(right, y, end - right, h, "own columns", "blue")

    def memory(y, words):
        d.text(20, y + 21, "memory", "ink-purple", "start")
        d.cell(a_rim, y, b_rim - a_rim, h, "rim of A", "purple", size=12)
        d.cell(b_rim, y, right - b_rim, h, "rim of B", "purple", size=12)
        d.text(right + 14, y + 21, words, "ink-purple", "start")

    d.text(390, 26, "two tiles side by side; both hold the columns around the border between them", size=15)
    tile_a(44, "red", "halo: used")
    memory(106, "1. each block writes its rim")
    tile_b(168, "red", "halo: used")
    d.arrow(350, 44 + h, 350, 105, "ink-green", 2)
    d.arrow(430, 168, 430, 106 + h + 1, "ink-green", 2)

    d.line(20, 222, 800, 222, "ink-red", 1.6, dashed=True)
    d.text(410, 244, "2. grid barrier: no block reads before all have written (all blocks run at the same time)", "ink-red")

    tile_a(262, "green", "new halo")
    memory(324, "3. each block reads its halo")
    tile_b(386, "green", "new halo")
    d.arrow(430, 324, 430, 262 + h + 1, "ink-purple", 2)
    d.arrow(350, 324 + h, 350, 385, "ink-purple", 2)

    # The same as a timeline of three blocks.
    d.text(20, 446, "over time", anchor="start", size=14)
    ends = (236, 262, 224)  # of the eight steps: tiles at the plate's sides take longer
    barrier = max(ends) + 44
    for block, steps_end in enumerate(ends):
        y = 458 + block * 30
        d.text(20, y + 17, f"block {block}", anchor="start")
        d.cell(90, y, steps_end - 90, 24, "8 steps", "blue", size=12)
        d.cell(steps_end, y, 34, 24, "out", "green", size=12)
        d.cell(barrier + 8, y, 34, 24, "in", "purple", size=12)
        d.cell(barrier + 42, y, 160, 24, "8 steps", "blue", size=12)
        d.cell(barrier + 202, y, 34, 24, "out", "green", size=12)
        d.cell(barrier + 260, y, 34, 24, "in", "purple", size=12)
        d.cell(barrier + 294, y, 140, 24, "8 steps", "blue", size=12)
    for x in (barrier, barrier + 246):
        d.line(x + 2, 452, x + 2, 552, "ink-red", 1.6, dashed=True)
    d.lines(20, 570, "Rims lie in two grids in turn: who still reads the halos of this exchange is not disturbed by who already writes",
            "the rims of the next one. A rim is as wide as a batch has steps: each step uses up one ring of the halo.",
            ink="dim", size=12, step=15)
    return d
