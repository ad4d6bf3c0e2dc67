"""Tables as Markdown, and their places in the READMEs."""
import re

MARK = "made by benchmarks/make_report.py"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def milliseconds(ms):
    """Three digits, four from a thousandth of a second on: 0.0294, 0.594, 2.675, 47.81."""
    if ms is None:
        return "–"
    if ms >= 100:
        return f"{ms:.0f}"
    if ms >= 10:
        return f"{ms:.2f}"
    return f"{ms:.3f}" if ms >= 0.1 else f"{ms:.4f}"


def with_table(text, name, content, mark=MARK):
    """A README's text with `content` between the marks of the table of that name; ValueError where there is not one
    place for it. mark: who makes it."""
    pattern = rf"(<!-- table {re.escape(name)}: {mark} -->\n).*?(<!-- end of table -->)"
    text, found = re.subn(pattern, lambda match: f"{match[1]}\n{content}\n\n{match[2]}", text, flags=re.S)
    if found != 1:
        raise ValueError(f"{found} places for the table {name}, not one")
    return text
