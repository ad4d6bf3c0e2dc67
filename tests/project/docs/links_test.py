#!/usr/bin/env python3
"""links.py finds broken links, and no others: run on a small folder made for it."""
import subprocess
import sys
import tempfile
from pathlib import Path

GOOD = """# A title: with `code`, twice
## Twice
## Twice
[file](other.md) [anchor](other.md#a-title) ![picture](p/a%20b.png) [here](#a-title-with-code-twice) [second](#twice-1)
<img src="p/a b.png"> [line](p/code.cuh#L3) [out](https://example.org/a_(b)) `[no](link.md)`

```
[no](link.md)
```
"""
BAD = {
    "[x](none.md)": "no such file",
    "[over two\nlines](none.md)": "no such file",
    "![x](none.png)": "no such file",
    "<img src=\"none.png\">": "no such file",
    "[x](other.md#none)": "no heading",
    "[x](#none)": "no heading",
    "[x](../outside.md)": "leads out",
    "[x](/other.md)": "slash",
    "[x](http:/example.org)": "odd address",
    "[x]: none.md": "no such file",
    "[x](p/code.cuh#name)": "no Markdown",
}


def run(folder, text):
    (folder / "README.md").write_text(text, encoding="utf-8")
    links = Path(__file__).resolve().parent / "links.py"
    done = subprocess.run([sys.executable, str(links), str(folder)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "p").mkdir()
        (folder / "p" / "a b.png").touch()
        (folder / "p" / "code.cuh").touch()
        (folder / "other.md").write_text("# A title\n", encoding="utf-8")
        code, output = run(folder, GOOD)
        if code != 0 or "8 links" not in output:
            print(f"good links: exit code {code}, expected 0 and 8 links:\n{output}")
            failed = 1
        for line, words in BAD.items():
            code, output = run(folder, GOOD + line + "\n")
            if code != 1 or words not in output or "README.md:10:" not in output:
                print(f"{line}: exit code {code}, expected 1 and '{words}' in line 10:\n{output}")
                failed = 1
        code, output = run(folder, "nothing\n")
        if code != 1:
            print(f"a folder without links: exit code {code}, expected 1")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
