#!/usr/bin/env python3
"""Draws timeline.svg for scan's pipeline and for find_repeats' fused kernel: what a block's warps do in which round.

    benchmarks/cs418_timelines.py

The drawings show the order of the work, not measured lengths. Colors follow the tile; they suit light and dark pages.
"""
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "cs418_assignment2"
COLORS = ["#4c8bd6", "#d98a3d", "#5aa469", "#b56ab5", "#c9564f", "#7d8796"]
LEFT, WIDTH, ROW, GAP = 110, 190, 34, 6
STYLE = """<style>
text { font: 12px sans-serif; fill: #24292f; }
.in { fill: #ffffff; }
.line { stroke: #8c959f; stroke-dasharray: 4 3; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .in { fill: #ffffff; } }
</style>"""


def draw(path, title, lanes, boxes, rounds, barriers, note=""):
    """`boxes`: (lane, begin, end, tile, words), times in rounds; `barriers`: times at which all warps meet."""
    height = 46 + len(lanes) * (ROW + GAP) + 26
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + rounds * WIDTH + 16}" height="{height}" role="img">',
           f"<title>{title}</title>", STYLE]
    bottom = 40 + len(lanes) * (ROW + GAP)
    for i in range(rounds):
        out.append(f'<text x="{LEFT + (i + 0.5) * WIDTH}" y="20" text-anchor="middle">round {i}</text>')
    for row, lane in enumerate(lanes):
        out.append(f'<text x="8" y="{40 + row * (ROW + GAP) + 21}">{lane}</text>')
    for lane, begin, end, tile, words in boxes:
        end = min(end, rounds)
        if begin >= rounds:
            continue
        x, y = LEFT + begin * WIDTH, 40 + lanes.index(lane) * (ROW + GAP)
        out.append(f'<rect x="{x + 1:.0f}" y="{y}" width="{(end - begin) * WIDTH - 2:.0f}" height="{ROW}" rx="4" '
                   f'fill="{COLORS[tile % len(COLORS)]}"/>')
        out.append(f'<text class="in" x="{x + (end - begin) * WIDTH / 2:.0f}" y="{y + 21}" text-anchor="middle">{words}</text>')
    for time in barriers:
        x = LEFT + time * WIDTH
        out.append(f'<line class="line" x1="{x:.0f}" y1="30" x2="{x:.0f}" y2="{bottom}"/>')
    out.append(f'<text x="{LEFT}" y="{bottom + 16}">dashed: barrier of the block; one color per tile{note}</text>')
    out.append("</svg>")
    path.write_text("\n".join(out) + "\n")


def pipeline(rounds=5):
    copies = [f"buffer {b}" for b in range(3)]
    lanes = copies + ["every warp", "warp 0"]
    boxes, barriers = [], []
    for tile in range(rounds + 3):
        # A buffer is asked for right after the barrier of round tile - 2, when its former tile is in registers.
        begin = max(tile - 2 + 0.6, -0.05) if tile >= 3 else 0
        boxes.append((copies[tile % 3], begin, tile + 0.02 if tile else 0.08, tile, f"tile {tile}" if tile else ""))
        boxes.append(("every warp", tile + 0.05, tile + 0.35, tile, f"sum {tile}"))
        if tile >= 1:
            boxes.append(("warp 0", tile + 0.35, tile + 0.5, tile - 1, f"p{tile - 1}"))
            boxes.append(("every warp", tile + 0.53, tile + 1.02, tile - 1, f"scan, store {tile - 1}"))
        barriers.append(tile + 0.51)
    draw(FOLDER / "scan" / "timeline.svg", "What a block of scan_pipeline does in which round (p: asks for the prefix)",
         lanes, boxes, rounds, [b for b in barriers if b < rounds],
         "; buffers: filled by bulk copies; p0: asks for the prefix of tile 0")


def fused(rounds=5):
    lanes = ["loads", "every warp", "writes", "messenger"]
    boxes = []
    for tile in range(rounds + 1):
        boxes.append(("loads", max(tile - 0.85, 0), tile + 0.05 if tile else 0.08, tile, f"tile {tile}" if tile else ""))
        boxes.append(("every warp", tile + 0.06, tile + 0.94, tile, f"flags of {tile}"))
        boxes.append(("messenger", tile + 1.06, tile + 1.6, tile, f"prefix of {tile}"))
        boxes.append(("writes", tile + 2.12, tile + 2.94, tile, f"indices of {tile}"))
    draw(FOLDER / "find_repeats" / "timeline.svg", "What a block of find_repeats_fused does in which round", lanes, boxes,
         rounds, range(rounds + 1))


pipeline()
fused()
