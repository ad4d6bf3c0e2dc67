#!/usr/bin/env python3
"""translations.py PROJECT: a Chinese page (docs/NAME_zh.md) begins with the line that names its English page and the hash of
that page's text, and has as many headings and the same code blocks. Exit code 1, and a line per finding. A page that is
behind its English one is no failure, only a line: whoever changes the English page need not know Chinese.
"""
import hashlib
import re
import sys
from itertools import zip_longest
from pathlib import Path

FIRST_LINE = re.compile(r"<!-- translated from (\w+\.md), sha256 ([0-9a-f]{64}) -->\n")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^ {4}.*$", re.MULTILINE)


def headings(text):
    return len(re.findall(r"^#{1,6} .+$", FENCED.sub("", text), re.MULTILINE))


def code(text):
    """The lines of the code blocks, fenced ones first."""
    return "\n".join(FENCED.findall(text) + INDENTED.findall(FENCED.sub("", text))).splitlines()


def compare(chinese, english, name):
    """What is wrong with the Chinese text of the English page of this name, and whether it is behind that page."""
    first = FIRST_LINE.match(chinese)
    if not first or first.group(1) != name:
        return [f"its first line is not <!-- translated from {name}, sha256 HASH -->"], False
    wrong = []
    count, wanted = headings(chinese), headings(english)
    if count != wanted:
        wrong.append(f"{count} headings, the English page has {wanted}")
    for line, wanted in zip_longest(code(chinese), code(english)):
        if line != wanted:
            wrong.append(f'code "{line}", the English page has "{wanted}"')
            break
    return wrong, first.group(2) != hashlib.sha256(english.encode()).hexdigest()


def check_itself():
    english = "# Title\n\n    ./run ray\n"
    digest = hashlib.sha256(english.encode()).hexdigest()
    line = f"<!-- translated from a.md, sha256 {digest} -->\n"
    for chinese, findings, is_behind in (
            (line + "# 标题\n\n    ./run ray\n", 0, False),
            (line.replace(digest, 64 * "0") + "# 标题\n\n    ./run ray\n", 0, True),
            (line.replace(digest, "0") + "# 标题\n\n    ./run ray\n", 1, False),
            (line.replace("a.md", "b.md") + "# 标题\n\n    ./run ray\n", 1, False),
            ("# 标题\n\n    ./run ray\n", 1, False),
            (line + "标题\n\n    ./run ray\n", 1, False),
            (line + "# 标题\n\n    ./run heat\n", 1, False),
            (line + "# 标题\n\n    ./run ray\n\n```\n./run heat\n```\n", 1, False)):
        wrong, behind = compare(chinese, english, "a.md")
        if len(wrong) != findings or behind != is_behind:
            sys.exit(f"the test is wrong about: {chinese}")


def main():
    check_itself()
    pages = sorted((Path(sys.argv[1]) / "docs").glob("*_zh.md"))
    count = 0
    for page in pages:
        english = page.with_name(page.name.replace("_zh", ""))
        if not english.exists():
            sys.exit(f"docs/{page.name}: there is no docs/{english.name}")
        wrong, is_behind = compare(page.read_text(encoding="utf-8"), english.read_text(encoding="utf-8"), english.name)
        for what in wrong:
            print(f"docs/{page.name}: {what}")
        if is_behind:
            print(f"warning: docs/{page.name} is behind {english.name}: translate what changed, and write its sha256sum")
        count += len(wrong)
    print(f"{len(pages)} pages, {count} findings")
    return 1 if count or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
