"""The ladders of the project, by their files: a folder of a sample's own that holds rungs, N_RUNG.cuh."""
import re
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
FOLDERS = ("chapter*", "appendix*", "cs418*")  # in the order of the list of samples
RUNG = re.compile(r"(\d)_(\w+)\.cuh")


def ladders(project=PROJECT):
    """{name of the ladder: (its folder, {rung: its file})} in the order of the numbers. 0 is wrong on purpose: no rung that
    is measured."""
    found = {}
    for pattern in FOLDERS:
        for folder in sorted(path for path in project.glob(f"{pattern}/*") if path.is_dir()):
            files = {match[2]: file for file in sorted(folder.glob("[1-9]_*.cuh")) if (match := RUNG.fullmatch(file.name))}
            if files:
                found[folder.name] = (folder, files)
    return found
