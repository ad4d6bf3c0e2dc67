"""What the drawings are made of: a page with cells, arrows and words, written as SVG.

Colors are names of two shades, one for light and one for dark pages. A drawing brings its own background, so that it is
legible even where a page's theme is not the one that the browser reports.
"""

# name: (light, dark)
FILLS = {
    "paper": ("#ffffff", "#161b22"),
    "plain": ("#eef1f4", "#2a313a"),
    "blue": ("#cfe3fb", "#1f4470"),
    "orange": ("#fbdcbb", "#6b431b"),
    "green": ("#cdebd2", "#1e5130"),
    "purple": ("#e6d6f5", "#4a3366"),
    "red": ("#f4a9a5", "#a83a3a"),
}
INKS = {
    "ink": ("#1f2328", "#e6edf3"),
    "dim": ("#59636e", "#9da7b1"),
    "ink-blue": ("#0550ae", "#79c0ff"),
    "ink-orange": ("#953800", "#f0a35e"),
    "ink-green": ("#116329", "#56d364"),
    "ink-purple": ("#6639ba", "#d2a8ff"),
    "ink-red": ("#a40e26", "#ff9492"),
}
LETTER = 0.5  # the mean width of a letter, as a fraction of the font's size


def style(theme):
    """The style sheet. theme: "both" (the page's reader chooses), "light" or "dark" (to look at one of them)."""
    def rules(shade):
        fills = [f".{name}{{fill:{shades[shade]}}}" for name, shades in FILLS.items()]
        inks = [f".{name}{{stroke:{shades[shade]}}}text.{name}{{fill:{shades[shade]};stroke:none}}"
                f".tip.{name}{{fill:{shades[shade]};stroke:none}}" for name, shades in INKS.items()]
        return "\n".join(fills + inks)

    lines = ["text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif}", ".code{font-family:monospace}",
             ".bare{fill:none}", ".dashed{stroke-dasharray:5 4}", ".clear{fill-opacity:0.75}"]
    lines.append(rules(1 if theme == "dark" else 0))
    if theme == "both":
        lines.append("@media (prefers-color-scheme: dark){\n" + rules(1) + "\n}")
    return "\n".join(lines)


def number(x):
    """A coordinate with at most one digit after the point: the same text everywhere."""
    return f"{round(x, 1):g}"


class Drawing:
    """A page. x grows to the right, y downward, in pixels."""

    def __init__(self, width, height, title):
        self.width, self.height, self.title = width, height, title
        self.parts, self.beyond = [], []

    def add(self, part):
        self.parts.append(part)

    def text(self, x, y, words, ink="ink", anchor="middle", size=13, code=False):
        """One line of words, its base line at y. svg() fails if it does not fit the page."""
        length = len(words) * size * (0.602 if code else LETTER)
        left = {"start": x, "middle": x - length / 2, "end": x - length}[anchor]
        if left < 0 or left + length > self.width or not size * 0.7 < y < self.height:
            self.beyond.append(words)
        words = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        kind = f"{ink} code" if code else ink
        self.add(f'<text class="{kind}" x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" font-size="{size}">'
                 f"{words}</text>")

    def lines(self, x, y, *lines, ink="ink", anchor="start", size=13, step=18):
        for i, words in enumerate(lines):
            self.text(x, y + i * step, words, ink, anchor, size)

    def rect(self, x, y, w, h, fill="plain", ink="dim", radius=3, extra="", stroke=1):
        kind = f"{fill} {ink} {extra}".strip()
        self.add(f'<rect class="{kind}" x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}" '
                 f'rx="{number(radius)}" stroke-width="{number(stroke)}"/>')

    def frame(self, x, y, w, h, ink="ink", stroke=2, extra=""):
        self.rect(x, y, w, h, "bare", ink, 2, extra, stroke)

    def cell(self, x, y, w, h, words="", fill="plain", ink="ink", size=13):
        """A box with words in its middle."""
        self.rect(x, y, w, h, fill)
        if words != "":
            self.text(x + w / 2, y + h / 2 + size * 0.36, str(words), ink, size=size)

    def circle(self, x, y, r, fill="plain", ink="dim", extra="", stroke=1):
        kind = f"{fill} {ink} {extra}".strip()
        self.add(f'<circle class="{kind}" cx="{number(x)}" cy="{number(y)}" r="{number(r)}" '
                 f'stroke-width="{number(stroke)}"/>')

    def line(self, x1, y1, x2, y2, ink="dim", stroke=1.2, dashed=False):
        kind = f"{ink} dashed" if dashed else ink
        self.add(f'<line class="{kind}" x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}" '
                 f'stroke-width="{number(stroke)}"/>')

    def arrow(self, x1, y1, x2, y2, ink="dim", stroke=1.4, tip=7, dashed=False):
        """A line with a tip at (x2, y2)."""
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        self.line(x1, y1, x2 - ux * tip * 0.8, y2 - uy * tip * 0.8, ink, stroke, dashed)
        left = (x2 - ux * tip - uy * tip * 0.45, y2 - uy * tip + ux * tip * 0.45)
        right = (x2 - ux * tip + uy * tip * 0.45, y2 - uy * tip - ux * tip * 0.45)
        points = " ".join(f"{number(px)},{number(py)}" for px, py in ((x2, y2), left, right))
        self.add(f'<polygon class="tip {ink}" points="{points}"/>')

    def path(self, data, fill="bare", ink="dim", stroke=1.2):
        self.add(f'<path class="{fill} {ink}" d="{data}" stroke-width="{number(stroke)}"/>')

    def svg(self, theme="both"):
        if self.beyond:
            raise ValueError(f"{self.title}: words beyond the page: " + "; ".join(self.beyond))
        head = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
                f'viewBox="0 0 {self.width} {self.height}" role="img">',
                f"<title>{self.title}</title>", "<style>", style(theme), "</style>",
                f'<rect class="paper" x="0" y="0" width="{self.width}" height="{self.height}" rx="8"/>']
        return "\n".join(head + self.parts + ["</svg>"]) + "\n"
