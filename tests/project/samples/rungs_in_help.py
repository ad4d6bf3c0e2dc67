#!/usr/bin/env python3
"""rungs_in_help.py BIN PROJECT: the --help of every ladder that is built tells of each rung what the first line of its file
says, and has words for every other method, too. BIN: the folder of the samples.
"""
import re
import subprocess
import sys
from pathlib import Path

bin_folder, project = Path(sys.argv[1]), Path(sys.argv[2])
sys.dont_write_bytecode = True
sys.path.insert(0, str(project / "benchmarks"))
from report.tree import ladders

bad, built = [], 0
for ladder, (folder, _) in ladders(project).items():
    if not (bin_folder / ladder).exists():
        continue
    built += 1
    shown = subprocess.run([bin_folder / ladder, "--help"], capture_output=True, text=True, check=True).stdout
    block = re.search(r"^  --method NAME .*\n((?: {30}.*\n)+)", shown, re.M)[1]
    methods = {}  # name: words; what a line has no room for begins deeper in the next
    for line in block.splitlines():
        if line[30] != " ":
            name, _, line = line.strip().partition(" ")
            methods[name] = ""
        methods[name] = f"{methods[name]} {line.strip()}".strip()
    bad += [f"{ladder} --help has no words for {name}" for name, words in methods.items() if not words]
    for file in sorted(folder.glob("[0-9]_*.cuh")):
        name = file.stem[2:]
        line = file.read_text().splitlines()[1]
        if line != f"// {name} - {methods.get(name)}.":
            bad.append(f"{file.name}:2 says '{line}', {ladder} --help '{methods.get(name)}'")
if not built:
    bad.append(f"there is no ladder in {bin_folder}")
print("\n".join(bad))
sys.exit(bool(bad))
