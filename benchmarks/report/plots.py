"""Plots as SVG, readable on light and on dark pages: lines over sizes. Colors are those of docs/drawings."""
import math
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs" / "drawings"))
from svg import Drawing

INKS = ["ink-blue", "ink-orange", "ink-green", "ink-purple", "ink-red", "ink"]


@dataclass
class Series:
    name: str
    points: list  # [(x, y)]
    dashed: bool = False  # for what is not ours: libraries
    ink: str = ""


def size_name(n):
    """2000000 -> 2M, 2^28 stays."""
    if n & (n - 1) == 0 and n > 1_000_000:
        return f"2^{n.bit_length() - 1}"
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if n >= unit and n % unit == 0:
            return f"{n // unit}{letter}"
    return str(n)


def plain(value):
    return f"{value:g}"


def decades(low, high):
    """The powers of ten that lie in the range, both ends included."""
    return [10.0 ** e for e in range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)]


def spread(wanted, least, step):
    """Places for labels: as near to the wanted ones as a distance of `step` allows, none below `least`... upwards."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    places, last = [0.0] * len(wanted), least - step
    for i in order:
        last = places[i] = max(wanted[i], last + step)
    return places


def line_plot(title, note, x_label, series, limit=None, x_names=None, y_log=False, y_range=None, unit=""):
    """Lines over a logarithmic x. limit: (y, words), a dashed line across; its label is above its left end, or with
    "below" as third element below its right end. x_names: {x: name} for the ticks. y_range:
    (least, most); chosen from the points where not given. `note`: a second line below the title."""
    width, height = 760, 430
    left, right, top, bottom = 64, 610, 66, height - 54
    page = Drawing(width, height, title)
    xs = sorted({x for one in series for x, _ in one.points})
    ys = [y for one in series for _, y in one.points] + ([limit[0]] if limit else [])
    if y_log:
        low, high = y_range or (10 ** math.floor(math.log10(min(ys))), 10 ** math.ceil(math.log10(max(ys))))
        ticks = decades(low, high)
    else:
        low, high = y_range or (0, max(ys) * 1.08)
        step = 10 ** math.floor(math.log10(high / 2))
        step *= 5 if high / step > 25 else 2 if high / step > 10 else 1
        ticks = [step * i for i in range(int(high / step) + 1)]

    def px(x):
        span = math.log(xs[-1] / xs[0]) or 1
        return left + (right - left) * math.log(x / xs[0]) / span

    def py(y):
        part = math.log(y / low) / math.log(high / low) if y_log else (y - low) / (high - low)
        return bottom - (bottom - top) * min(max(part, 0), 1)

    page.text(16, 26, title, anchor="start", size=15)
    page.text(16, 46, note, "dim", "start", 12)
    for tick in ticks:
        page.line(left, py(tick), right, py(tick), "dim", 0.4)
        page.text(left - 8, py(tick) + 4, plain(tick) + unit, "dim", "end", 11)
    last_end = -1.0
    for x in xs:
        name = x_names[x] if x_names else plain(x)
        page.line(px(x), bottom, px(x), bottom + 4, "dim", 1)
        if px(x) - len(name) * 3.2 > last_end:  # names that would touch are left out
            page.text(px(x), bottom + 18, name, "dim", size=11)
            last_end = px(x) + len(name) * 3.2 + 3
    page.line(left, bottom, right, bottom, "dim", 1)
    page.text((left + right) / 2, height - 14, x_label, "dim", size=12)
    if limit:
        page.line(left, py(limit[0]), right, py(limit[0]), "ink", 1.2, dashed=True)
        if "below" in limit:
            page.text(right - 6, py(limit[0]) + 14, limit[1], "ink", "end", 11)
        else:
            page.text(left + 6, py(limit[0]) - 6, limit[1], "ink", "start", 11)
    ends = spread([py(one.points[-1][1]) for one in series], top + 4, 15)
    overflow = max(0.0, max(ends) - bottom)
    for i, (one, end) in enumerate(zip(series, ends)):
        ink = one.ink or INKS[i % len(INKS)]
        points = sorted(one.points)
        path = "M" + " L".join(f"{px(x):.1f} {py(y):.1f}" for x, y in points)
        page.path(path, ink=ink + (" dashed" if one.dashed else ""), stroke=1.8)
        for x, y in points:
            page.circle(px(x), py(y), 2.6, "paper", ink, stroke=1.6)
        end_x, end_y = px(points[-1][0]), py(points[-1][1])
        page.line(end_x + 5, end_y, right + 14, end - overflow, ink, 0.7)
        page.text(right + 18, end - overflow + 4, one.name, ink, "start", 12)
    return page.svg()
