"""How a warp reaches memory, and its lanes stay together: docs/patterns in pictures. Drawn with 8 lanes, or 4, instead of 32."""
from svg import Drawing


def strided_access():
    """docs/patterns/coalescing.cu: neighboring lanes 1, 2 and 8 words apart, and the sectors that move."""
    d = Drawing(820, 420, "Coalesced and strided access: the sectors of 32 bytes that 8 lanes touch")
    left, w = 100, 11
    rows = ((1, "in[i]", "1 sector, 100 % used"), (2, "in[2 * i]", "2 sectors, 50 % used"),
            (8, "in[8 * i]", "8 sectors, 12.5 % used"))
    for row, (stride, source, result) in enumerate(rows):
        top = 50 + row * 116
        d.text(14, top - 18, source, anchor="start", code=True, size=14)
        d.text(14, top + 14, "lanes", "dim", "start")
        d.text(14, top + 66, "words", "dim", "start")
        d.text(left + 64 * w, top - 18, result, "ink-green" if stride == 1 else "ink-orange", "end", 14)
        for word in range(64):
            touched, moved = word % stride == 0 and word < 8 * stride, word < 8 * stride
            d.rect(left + word * w, top + 52, w, 20, "blue" if touched else "red" if moved else "plain", radius=0, stroke=0.6)
        for sector in range(8):
            d.frame(left + sector * 8 * w, top + 52, 8 * w, 20, stroke=2 if sector < stride else 1,
                    ink="ink" if sector < stride else "dim")
        for lane in range(8):
            d.cell(left + lane * 20, top, 18, 20, lane, "blue", size=12)
            d.arrow(left + lane * 20 + 9, top + 21, left + (lane * stride + 0.5) * w, top + 51, "ink", 1.1, 5)
    d.lines(14, 382, "A sector, framed, is 8 words: 32 bytes. Blue words are read, red ones move with them, unused.",
            "Drawn with 8 lanes. A warp of 32 lanes touches 4, 8 and 32 sectors.", ink="dim")
    return d


def bank_conflicts():
    """docs/patterns/bank_conflicts.cu: a column of a tile, without and with a column more; 8 banks."""
    d = Drawing(820, 408, "Bank conflicts: a column of a tile in one bank, and with a column more in all banks")
    side = 30
    for left, columns, result, ink in ((110, 8, "8 wavefronts: all words of the column are in bank 0", "ink-orange"),
                                       (500, 9, "1 wavefront: each word is in another bank", "ink-green")):
        d.text(left + 4 * side, 26, f"float tile[8][{columns}]", code=True, size=15)
        d.text(left - 14, 57, "bank", "dim", "end")
        for bank in range(8):
            d.text(left + (bank + 0.5) * side, 57, str(bank), "dim")
        for word in range(8 * columns):
            row, column = divmod(word, columns)
            fill = "blue" if column == 0 else "purple" if column == 8 else "plain"
            d.cell(left + word % 8 * side, 66 + word // 8 * (side - 2), side, side - 2, row if column == 0 else "", fill,
                   size=12)
        d.text(left + 4 * side, 348, result, ink)
    d.lines(14, 124, "words in", "memory's", "order", ink="dim")
    d.lines(14, 374, "Blue: the words tile[lane][0] that lanes 0 to 7 read. Purple: the ninth column, never used.",
            "Drawn with 8 lanes and 8 banks instead of 32.", ink="dim")
    return d


def divergence():
    """docs/patterns/divergence.cu: who adds in each step of a sum over 16 threads, in warps of 4."""
    d = Drawing(820, 338, "Divergence: the lanes that add in each step of a sum, interleaved and sequential")
    side = 20
    for left, title, source, active, sums in (
            (60, "interleaved", "if (t % (2 * stride) == 0)", lambda t, step: t % (2 << step) == 0,
             "warps run 11 times, on average with 1.4 of 4 lanes"),
            (450, "sequential", "if (t < half)", lambda t, step: t < 8 >> step,
             "warps run 5 times, on average with 3 of 4 lanes")):
        width = 16 * side + 3 * 6
        d.text(left + width / 2, 26, title, size=15)
        d.text(left + width / 2, 46, source, "dim", code=True)
        for warp in range(4):
            d.text(left + warp * (4 * side + 6) + 2 * side, 74, f"warp {warp}", "dim", size=12)
        for step in range(4):
            y = 84 + step * 42
            for warp in range(4):
                runs = any(active(4 * warp + lane, step) for lane in range(4))
                for lane in range(4):
                    t = 4 * warp + lane
                    d.cell(left + warp * (4 * side + 6) + lane * side, y, side, 28, t,
                           "blue" if active(t, step) else "red" if runs else "plain", size=11,
                           ink="ink" if runs else "dim")
        d.text(left + width / 2, 272, sums, "ink-orange" if title == "interleaved" else "ink-green")
    for step in range(4):
        d.text(14, 103 + step * 42, f"step {step}", "dim", "start", 12)
    d.lines(14, 304, "Blue: threads that add. Red: lanes that are switched off while their warp runs. Gray: warps with nothing to do.",
            "Drawn with warps of 4 lanes instead of 32.", ink="dim")
    return d
