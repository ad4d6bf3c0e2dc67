"""Source text as HTML: every line with its number, colors by pygments, notes next to the lines that have some."""
import html

from pygments import lexers
from pygments.token import Comment, Keyword, Name, Number, String
from pygments.util import ClassNotFound

CLASSES = ((Comment.Preproc, "p"), (Comment, "c"), (Keyword.Type, "t"), (Keyword, "k"), (Name.Builtin, "k"),
           (String, "s"), (Number, "m"))
CUDA = (".cu", ".cuh", ".h", ".hpp", ".cpp", ".c")


def lexer_for(path):
    if path.endswith(CUDA):
        return lexers.get_lexer_by_name("cuda", stripnl=False)
    try:
        return lexers.get_lexer_for_filename(path, stripnl=False)
    except ClassNotFound:
        return lexers.get_lexer_by_name("text", stripnl=False)


def colored_lines(text, lexer):
    """The lines of the text as HTML. Everything of it is escaped."""
    lines = [""]
    for kind, words in lexer.get_tokens(text):
        name = next((name for parent, name in CLASSES if kind in parent), "")
        for number, part in enumerate(words.split("\n")):
            if number:
                lines.append("")
            if part:
                escaped = html.escape(part)
                lines[-1] += f'<i class="{name}">{escaped}</i>' if name else escaped
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def listing(text, path, notes=None, only=None, prefix="L"):
    """The whole source, or its lines `only`; `notes`: {number of a line: HTML}."""
    notes = notes or {}
    rows = []
    for number, line in enumerate(colored_lines(text, lexer_for(path)), 1):
        if only and number not in only:
            continue
        note = f'<span class="note">{notes[number]}</span>' if number in notes else ""
        mark = " noted" if note else ""
        anchor = f"{prefix}{number}"
        rows.append(f'<span class="line{mark}" id="{anchor}"><a class="n" tabindex="-1" href="#{anchor}" '
                    f'aria-label="line {number}">{number}</a><code>{line or " "}</code>{note}</span>')
    return f'<div class="source" tabindex="0" role="group" aria-label="Source of {html.escape(path)}">' + \
        "\n".join(rows) + "</div>"
