#!/usr/bin/env python3
"""docs/questions.md: the questions of all READMEs, whose answers are folded there.

    questions.py             prints the page
    questions.py --write     writes it
    questions.py --check     exit code 1 if the file is another one
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/questions.md"
HEAD = """# All questions

Most folders of samples end with exercises. Their answers are folded: the link above each group leads to them. Where no
GPU is needed, the emulated device shows the answer. This page is written by `scripts/questions.py --write`.
"""
# An item of a numbered list, up to its folded answer.
QUESTION = re.compile(r"^\d+\. (.+(?:\n   .*)*)\n+   <details>", re.MULTILINE)
# In the README's own folder. Addresses and places of the page itself are no files.
LINK = re.compile(r"\]\((?!https?:|#)([^)]+)\)")


def place_of(readme):
    """Where a README is in the book's order: chapters, then the appendix, then the course."""
    folder = readme.parent.relative_to(ROOT).as_posix()
    return (["chapter", "appendix", "cs418"].index(re.match("chapter|appendix|cs418", folder).group()), folder)


def page():
    text = HEAD
    readmes = [path for part in ("chapter*", "appendix*", "cs418*") for path in ROOT.glob(part + "/**/README.md")]
    for readme in sorted(readmes, key=place_of):
        content = readme.read_text(encoding="utf-8")
        questions = QUESTION.findall(content)
        if not questions:
            continue
        folder = readme.parent.relative_to(ROOT).as_posix()
        title = re.match(r"# (.+)", content).group(1)
        section = re.search(r"^## (Exercises|Questions)$", content, re.MULTILINE).group(1).lower()
        text += f"\n## {title}\n\n[Answers](../{folder}/README.md#{section})\n\n"
        for number, question in enumerate(questions, 1):
            question = LINK.sub(lambda found: f"](../{folder}/{found.group(1)})", question)
            question = question.replace("](#", f"](../{folder}/README.md#")
            text += f"{number}. {question}\n"
    return text


def main():
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    elif "--check" in sys.argv:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page():
            print("docs/questions.md is old: run scripts/questions.py --write")
            return 1
        print(f"docs/questions.md has {len(re.findall(r'^[0-9]+[.] ', page(), re.MULTILINE))} questions")
    else:
        print(page(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
