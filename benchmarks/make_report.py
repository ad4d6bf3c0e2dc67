#!/usr/bin/env python3
"""Makes the READMEs' tables and plots, and the lines of the rungs' gains, from the recorded measurements in benchmarks/results.

    benchmarks/make_report.py                      writes them into the READMEs and next to them
    benchmarks/make_report.py --check              exit code 1 when one is not what the records give; writes nothing
    benchmarks/make_report.py --results FOLDER     other records; with --project DIR into another copy of the project

A table is in its README between the lines "<!-- table NAME: made by benchmarks/make_report.py -->" and
"<!-- end of table -->"; the line of a rung's gain is in its file ("// Gain over pixels on an H200: ..."). A part's
record is PART_GPU.json, of whichever GPU; what is made of it names that one. There may be two where no table is made of
both, such as ncu's of different ladders. A record (record.py, ncu_rungs.py) of the emulated device is refused: it says nothing about a GPU.
Needs nothing but Python.
"""
import argparse
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # no __pycache__ next to the scripts
from report import book, chapters, circles, gains, hashtables, ladders, multi, ncu, summary
from report.markdown import MARK, with_table
from report.records import Record, Samples
from report.tree import FOLDERS
from report.tree import ladders as ladders_of

HERE = Path(__file__).resolve().parent
# part: (how to read its record, who makes tables and plots of it, what gives the gains of its rungs)
PARTS = {
    "book": (Samples, [book], gains.of_book),
    "hashtables": (Samples, [hashtables], gains.of_hashtables),
    "samples": (Samples, [chapters, ladders, summary], gains.of_samples),
    "cs418_circles": (Record, [circles], gains.of_circles),
    "heat_multi_gpu": (Record, [multi], gains.of_several),
    "ncu": (Record, [ncu], lambda _: []),
}


def readmes(project):
    """All READMEs but those of build folders."""
    return [project / "README.md"] + [path for folder in (*FOLDERS, "benchmarks")
                                      for path in sorted(project.glob(f"{folder}/**/README.md"))]


def records(results):
    """[(part, record)]."""
    return [(part, read(path)) for part, (read, _, _) in PARTS.items() for path in sorted(results.glob(f"{part}_*.json"))]


def made(found):
    """({(README, name): Markdown}, {path: SVG}, {ladder: (device, unit, {work: {rung: value}})}) of the records."""
    tables, plots, gains_of = {}, {}, {}
    for part, record in found:
        _, makers, gains_in = PARTS[part]
        said = f"\n\nRecorded on {record.where()}."
        for maker in makers:
            for place, content in maker.tables(record).items():
                if place in tables:
                    raise ValueError(f"two records of {part} give the table {place[1]} of {place[0]}, one {record.path.name}")
                tables[place] = content + said
            plots |= maker.plots(record)
        for unit, ladders_in in gains_in(record):
            gains_of |= {ladder: (record.one_device, unit, works) for ladder, works in ladders_in.items()}
    return tables, plots, gains_of


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 when something differs")
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--project", type=Path, default=HERE.parent)
    options = parser.parse_args()
    stale = []

    def write(path, text):
        old = path.read_text() if path.exists() else None
        if old == text:
            return
        stale.append(str(path.relative_to(options.project)))
        if not options.check:
            path.write_text(text)

    try:
        found = records(options.results)
        tables, plots, gains_of = made(found)
        texts = {path: path.read_text() for path in readmes(options.project)}
        marked = {(str(path.relative_to(options.project)), name) for path, text in texts.items()
                  for name in re.findall(rf"<!-- table (\S+): {MARK} -->", text)}
        missing = [part for part in PARTS if part not in dict(found)]
        for part in missing:  # what it would give stays as it is
            print(f"no record of {part}", file=sys.stderr)
        if (unknown := marked - set(tables)) and not missing:
            raise ValueError(f"no record gives these tables: {sorted(unknown)}")
        for (readme, name), content in tables.items():
            path = options.project / readme
            try:
                texts[path] = with_table(texts[path], name, content)
            except ValueError as error:
                raise ValueError(f"{readme}: {error}") from None
        for ladder, (_, files) in ladders_of(options.project).items():
            for rung, path in files.items() if ladder in gains_of else ():
                texts[path] = gains.with_gain(path.read_text(), ladder, rung, *gains_of[ladder])
        for path, text in texts.items():
            write(path, text)
        for path, svg in plots.items():
            write(options.project / path, svg)
    except (ValueError, KeyError, OSError) as error:
        sys.exit(f"make_report.py: {error}")
    if options.check and stale:
        sys.exit("not what the records give (run benchmarks/make_report.py to update): " + ", ".join(stale))
    for path in stale:
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
