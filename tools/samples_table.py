#!/usr/bin/env python3
"""The tables between the marks in the READMEs, as the tree gives them: in README.md the chapters, each with the title,
the first sentence and the first still picture of its README; in a chapter's README its samples, with their pictures
where all have one; in a ladder's README its rungs.

    samples_table.py            prints how the READMEs differ; exit code 1 if they do
    samples_table.py --write    writes the tables
"""
import difflib
import itertools
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
from samples import rungs_of, samples  # noqa: E402


def folder_of(sample):
    return sample.file.split("/")[0]


def picture_of(sample, up=""):
    return f'<img src="{up}{sample.picture}" width="128" alt="{sample.name}">'


def chapters():
    text = "\n| | picture | what it is about |\n|---|---|---|\n"
    for folder, _ in itertools.groupby(samples(), folder_of):
        readme = (ROOT / folder / "README.md").read_text(encoding="utf-8")
        head = re.match(r"# (.+)\n\n(.+\.)\n\n", readme)
        picture = re.search(r'(?:\]\(|src=")([^")]+\.(?:png|svg))[")]', readme)
        if not head or not picture:
            sys.exit(f"{folder}/README.md: it must begin with a title and a sentence of one line, and have a picture")
        file = os.path.normpath(os.path.join(folder, picture[1]))
        image = f'<img src="{file}" width="128" alt="{head[1]}">'
        text += f"| [{head[1]}]({folder}/README.md) | {image} | {head[2]} |\n"
    return text + "\n"


def samples_of(folder):
    members = [sample for sample in samples() if folder_of(sample) == folder]
    with_pictures = all(sample.picture for sample in members)
    text = "\n| sample | what it shows |" + (" picture |\n|---|---|---|\n" if with_pictures else "\n|---|---|\n")
    for sample in members:
        file = sample.file.removeprefix(folder + "/")
        ladder = file.rpartition("/")[0]
        link = f"[`{ladder}/`]({ladder}/README.md)" if ladder else f"[`{file}`]({file})"
        text += f"| {link} | {sample.purpose} |" + (f" {picture_of(sample, '../')} |\n" if with_pictures else "\n")
    return text + "\n"


def rungs_table(folder):
    lines = [f"| [`{path.name}`]({path.name}) | {words} |\n"
             for path, (_, words) in zip(sorted(folder.glob("[0-9]_*.cuh")), rungs_of(folder))]
    return "\n| rung | what it is |\n|---|---|\n" + "".join(lines) + "\n"


def with_table(text, kind, table, readme):
    first, last = f"<!-- {kind}: made by tools/samples_table.py -->\n", f"<!-- end of {kind} -->\n"
    if text.count(first) != 1 or text.count(last) != 1:
        sys.exit(f"{readme} has no place for the table of {kind}")
    return text[:text.index(first) + len(first)] + table + text[text.index(last):]


def main():
    tables = [(ROOT / "README.md", "chapters", chapters())]
    for part in ("chapter*", "appendix*", "cs418*"):
        tables += [(folder / "README.md", "samples", samples_of(folder.name)) for folder in sorted(ROOT.glob(part))]
    tables += [(folder / "README.md", "rungs", rungs_table(folder))
               for folder in sorted({path.parent for path in ROOT.glob("*/*/[0-9]_*.cuh")})]
    differs = False
    for readme, kind, table in tables:
        old = readme.read_text(encoding="utf-8")
        new = with_table(old, kind, table, readme)
        differs = differs or new != old
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), str(readme), "the tree"))
        if "--write" in sys.argv:
            readme.write_text(new, encoding="utf-8")
    return differs and "--write" not in sys.argv


sys.exit(main())
