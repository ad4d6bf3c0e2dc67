"""The circle renderer: cull, compaction and blending; front to back with the light that is left."""
from svg import Drawing


def cull():
    """circle_renderer/3_tiles.cuh: from circles to the ordered list of a tile, and its pixels."""
    d = Drawing(820, 420, "Cull, compaction, blend: from all circles to the ordered list of a tile to its pixels")
    fills = ("blue", "orange", "green", "purple", "red", "blue", "orange", "green")
    # Center and radius of eight circles around the tile (60..160, 110..210).
    shapes = ((66, 84, 26), (192, 132, 20), (128, 168, 34), (34, 190, 24), (168, 84, 24), (196, 220, 26), (88, 222, 30),
              (26, 120, 18))
    d.text(110, 28, "1. cull", size=15)
    d.text(110, 46, "a thread per circle: does it touch?", "dim", size=12)
    tile = (60, 100, 100, 100)
    touches = []
    for x, y, r in shapes:
        nx, ny = min(max(x, tile[0]), tile[0] + tile[2]), min(max(y, tile[1]), tile[1] + tile[3])
        touches.append((nx - x) ** 2 + (ny - y) ** 2 <= r * r)
    for i, (x, y, r) in enumerate(shapes):
        d.circle(x, y + 10, r, fills[i] if touches[i] else "plain", "dim", "clear")
    d.frame(tile[0], tile[1] + 10, tile[2], tile[3], "ink", 2)
    for i, (x, y, r) in enumerate(shapes):
        d.text(x, y + 15, str(i), "ink" if touches[i] else "dim")
    d.text(110, 284, "frame: the tile, 16 x 16 pixels", "dim", size=12)

    # The flags, their scan, the list.
    left, w = 330, 34
    d.text(left + 4 * w, 28, "2. compaction", size=15)
    d.text(left + 4 * w, 46, "places = exclusive scan of the flags", "dim", size=12)
    places, count = [], 0
    for touch in touches:
        places.append(count)
        count += touch
    for i in range(8):
        x = left + i * w
        d.cell(x, 70, w - 3, 26, i, fills[i] if touches[i] else "plain")
        d.cell(x, 112, w - 3, 26, int(touches[i]), "plain")
        d.cell(x, 154, w - 3, 26, places[i], "plain", "ink" if touches[i] else "dim")
        if touches[i]:
            target = left + places[i] * w + 34
            d.arrow(x + 15, 182, target + 15, 222, "ink")
            d.cell(target, 224, w - 3, 26, i, fills[i])
    for y, words in ((88, "circle"), (130, "flag"), (172, "place"), (242, "list")):
        d.text(left - 10, y, words, "dim", "end")
    d.text(left + 4 * w, 284, "still in the circles' order", "dim", size=12)

    # The pixels go through the list.
    d.text(712, 28, "3. blend", size=15)
    d.text(712, 46, "a thread per pixel", "dim", size=12)
    for row in range(4):
        for column in range(4):
            d.rect(652 + column * 30, 70 + row * 30, 30, 30, "red" if (column, row) == (1, 2) else "plain", radius=0)
    listed = [i for i in range(8) if touches[i]]
    for n, i in enumerate(listed):
        d.cell(638 + n * 42, 224, 28, 26, i, fills[i])
        if n:
            d.arrow(624 + n * 42, 237, 637 + n * 42, 237, "ink", 1.2, 6)
    d.arrow(690, 150, 658, 222, "ink-red")
    d.text(712, 284, "oldest first, one after another", "dim", size=12)

    d.line(20, 304, 800, 304, "dim", 1, dashed=True)
    d.lines(20, 330, "The same 256 threads first look at 256 circles, one each, then turn into 256 pixels that go through the short list.",
            "Two barriers between: the list is complete before any thread reads it, and all have read it before the next round fills it.",
            "Without the scan, with a counter and atomicAdd, the list would hold the right circles in any order: another picture.",
            "Never a false no: the tile's test is a pixel's test, made for the point of the tile that is nearest to the circle.",
            ink="dim", size=13, step=20)
    return d


def front_to_back():
    """circle_renderer/4_front.cuh: what each circle adds, and the light that is left for those behind."""
    d = Drawing(820, 400, "Front to back: each circle takes its part of the light that is left")
    d.text(210, 28, "one pixel, seen from the side; c99 is the newest circle", size=15)
    fills = ("red", "orange", "green", "blue", "purple")
    d.text(30, 128, "eye", anchor="start")
    light = 1.0
    x = 90
    for i in range(5):
        height = 100 * light
        d.rect(x, 124 - height / 2, 44, max(height, 2), "plain", radius=0, stroke=0.8)
        d.rect(x + 44, 60, 14, 128, fills[i], radius=7)
        d.text(x + 51, 208, f"c{99 - i}", "ink")
        d.text(x + 22, 226, f"{light:g}", "dim", size=11)
        light /= 2
        x += 58
    d.text(390, 118, "...", "dim")
    d.text(390, 226, "...", "dim")
    d.lines(20, 250, "gray: the light that is left (transmittance), halved by each circle of alpha 0.5", ink="dim", size=12)

    d.text(640, 28, "the same sum, from either end", size=15)
    d.lines(450, 60, "back to front, in input order:", ink="dim")
    d.text(450, 82, "color = a c + (1 - a) color", anchor="start", code=True)
    d.lines(450, 116, "front to back, newest circle first:", ink="dim")
    d.text(450, 138, "color = color + light a c", anchor="start", code=True)
    d.text(450, 158, "light = light (1 - a)", anchor="start", code=True)
    d.text(450, 178, "stop when light < 0.000001", "ink-red", "start", code=True)
    d.lines(450, 210, "With alpha 0.5 that is after 20 circles:", "those behind are never tested, however many there are.", ink="dim")

    # Light over the number of circles, logarithmic: 6 decades.
    left, base, w, top = 60, 372, 32, 284
    for n in range(21):
        height = (base - top) * (1 - n * 0.30103 / 6.03)
        d.rect(left + n * w, base - max(height, 1.5), w - 4, max(height, 1.5), "red" if n == 20 else "blue", radius=1)
        d.text(left + n * w + 14, base + 16, str(n), "dim", size=11)
    for exponent in (0, 2, 4, 6):
        y = base - (base - top) * (1 - exponent / 6.03)
        d.text(left - 8, y + 4, "1" if exponent == 0 else f"1e-{exponent}", "dim", "end", 11)
        d.line(left - 4, y, left + 21 * w, y, "dim", 0.6, dashed=True)
    d.text(left + 21 * w + 6, base + 16, "circles", "dim", "start", 11)
    d.text(left + 21 * w - 4, 278, "light left (logarithmic)", "dim", "end", 12)
    return d
