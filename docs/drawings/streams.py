"""Streams: the order of submission and what can overlap, on a GPU of 2010 and today."""
from svg import Drawing

FILL = {"a": "blue", "b": "blue", "K": "green", "c": "orange"}


def stream_orders():
    """double_stream.cu: two chunks, each step as long; the queues of 2010 and the present ones."""
    d = Drawing(820, 408, "Two chunks on two streams: submitted depth first and breadth first, on a GPU of 2010 and today")
    left, step, height = 250, 62, 26
    charts = (
        ("2010, depth first", "a0 b0 K0 c0 a1 b1 K1 c1", (("copies", "a0 b0 - c0 a1 b1 - c1"), ("kernels", "- - K0 - - - K1 -")),
         "c0 waits for K0, and a1 behind it in the same queue: 8 steps", "ink-red"),
        ("2010, breadth first", "a0 a1 b0 b1 K0 K1 c0 c1", (("copies", "a0 a1 b0 b1 c0 c1"), ("kernels", "- - - K0 K1 -")),
         "nothing waits in front of what could run: 6 steps", "ink-green"),
        ("today, depth first", "a0 b0 K0 c0 a1 b1 K1 c1",
         (("copies in", "a0 b0 a1 b1"), ("kernels", "- - K0 - K1"), ("copies out", "- - - c0 - c1")),
         "a queue per stream, an engine per direction: 6 steps", "ink-green"),
    )
    y = 24
    for title, order, rows, result, ink in charts:
        d.text(14, y + 12, title, anchor="start", size=15)
        d.text(14, y + 32, order, "dim", "start", size=11, code=True)
        for row, (name, words) in enumerate(rows):
            d.text(left - 8, y + row * (height + 4) + 18, name, "dim", "end")
            for i, word in enumerate(words.split()):
                if word != "-":
                    d.cell(left + i * step, y + row * (height + 4), step - 3, height, word, FILL[word[0]])
        y += len(rows) * (height + 4)
        d.text(left, y + 14, result, ink, "start")
        y += 46
    d.lines(14, y + 8, "a, b: copies to the device; K: the kernel, which needs both; c: the copy back, which needs K. 0 and 1: chunk and stream.",
            "Drawn as if each took one step. In 2010 all copies went through one queue, in the order of submission.", ink="dim")
    return d
