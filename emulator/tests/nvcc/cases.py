"""The small programs in *.cases: sections that begin with a line `==== NAME` or `==== NAME: SENTENCE`."""
import dataclasses
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Case:
    name: str
    sentence: str  # what the emulated build says of it; empty where it says nothing
    text: str


def read_cases():
    cases = []
    for file in sorted(FOLDER.glob("*.cases")):
        for section in file.read_text().split("==== ")[1:]:
            head, text = section.split("\n", 1)
            name, _, sentence = head.partition(": ")
            cases.append(Case(name, sentence, text))
    names = [case.name for case in cases]
    assert len(set(names)) == len(names), "two cases have the same name"
    assert all(re.fullmatch("[a-zA-Z0-9_]+", name) for name in names)
    return cases
