#!/usr/bin/env python3
"""builder_test.py PROJECT: the builder of the site refuses wrong folders in one sentence, never removes what it has not
made, makes only pages whose source has changed, and takes no source text for markup."""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

project = Path(sys.argv[1]).resolve()
bad = []


def expect(condition, sentence):
    if not condition:
        bad.append(sentence)


def make(tree, *words):
    done = subprocess.run([sys.executable, tree / "site/make.py", *words, "--only", "none", "--built", tree / "build"],
                          capture_output=True, text=True)
    return done.returncode, done.stderr


def refused(tree, code, words, *arguments):
    got, text = make(tree, *arguments)
    expect(got == code and words in text and text.count("\n") == 1, f"{arguments}: exit code {got}, {text}")


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    tree = folder / "project"  # a small copy, which the test may change
    for part in ("README.md", "docs", "scripts", "site", "benchmarks/results", "exercises", "chapter03_introduction",
                 "common/README.md"):
        source = project / part
        (tree / part).parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, tree / part, ignore=shutil.ignore_patterns("__pycache__", "*.gif"))
        else:
            shutil.copy(source, tree / part)
    (tree / "build/explained").mkdir(parents=True)
    hello = tree / "chapter03_introduction/hello.cu"
    hello.write_text(hello.read_text() + '\n// <script>alert("source")</script> &lt; <b>\n')
    readme = tree / "chapter03_introduction/README.md"
    readme.write_text(readme.read_text() + '\n## <script>alert("heading")</script>\n\n<script>\nalert("block")\n</script>\n')
    english = tree / "docs/first_steps.md"
    digest = hashlib.sha256(english.read_bytes()).hexdigest()
    chinese = tree / "docs/first_steps_zh.md"
    chinese.write_text(f"<!-- translated from first_steps.md, sha256 {digest} -->\n# 第一步\n")

    # Wrong folders.
    (folder / "full").mkdir()
    (folder / "full/mine.txt").write_text("mine")
    (folder / "file").write_text("")
    refused(tree, 2, "is not empty", folder / "full")
    refused(tree, 2, "is not a folder", folder / "file")
    refused(tree, 2, "one folder", folder / "one", folder / "two")
    refused(tree, 2, "there is no option '--onyl'", folder / "one", "--onyl")
    expect(sorted(path.name for path in folder.iterdir()) == ["file", "full", "project"], "something was left in the folder")

    # A site: source is text.
    site = folder / "site"
    code, text = make(tree, site)
    expect(code == 0, f"the site was not made: {text}")
    page = (site / "chapter03_introduction/hello.html").read_text()
    expect("&lt;script&gt;alert(" in page and "<script>alert" not in page, "source became markup")
    chapter = (site / "chapter03_introduction/index.html").read_text()
    expect(chapter.count("&lt;script>") == 2 and "<script>" not in chapter, "a tag in Markdown became markup")
    expect("&amp;lt; &lt;b&gt;" in page, "an entity in the source is not shown as it is")
    expect('class="behind"' not in (site / "docs/first_steps_zh.html").read_text(), "a new translation is called old")
    expect('href="first_steps_zh.html">中文' in (site / "docs/first_steps.html").read_text(), "no link to the Chinese page")

    # The same again: nothing is made. Then one source has changed, and a page is gone.
    times = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file() and path.name != ".site.json"}
    make(tree, site)
    changed = [str(path) for path, time in times.items() if path.stat().st_mtime_ns != time]
    expect(not changed, f"made again without a change: {changed}")
    hello.write_text(hello.read_text() + "// one more line\n")
    english.write_text(english.read_text() + "\nOne more line.\n")
    make(tree, site)
    changed = {str(path.relative_to(site)) for path, time in times.items() if path.stat().st_mtime_ns != time}
    expect(changed == {"chapter03_introduction/hello.html", "docs/first_steps.html", "docs/first_steps_zh.html"},
           f"made after two changes: {sorted(changed)}")
    expect('class="behind"' in (site / "docs/first_steps_zh.html").read_text(), "an old translation is not called old")
    (tree / "docs/teaching.md").unlink()
    (tree / "docs/drawings/two_memories.svg").unlink()
    code, text = make(tree, site)
    expect(code == 0, f"a picture is gone, and: {text}")
    expect(not (site / "docs/drawings/two_memories.svg").exists(), "the picture that is gone is still there")
    expect(not (site / "docs/teaching.html").exists(), "the page of a file that is gone is still there")
    expect("docs/teaching.html" not in json.loads((site / ".site.json").read_text())["pages"], "the state has an old page")

    # What is not of the site is never removed.
    (site / "CNAME").write_text("mine")
    refused(tree, 2, "'CNAME' is no file of it", site)
    expect((site / "CNAME").exists(), "a file of somebody else was removed")
    (site / "CNAME").unlink()
    (site / "link").symlink_to(folder / "full")
    refused(tree, 2, "'link' is no file of it", site)
    (site / "link").unlink()
    for state in ("", "[]", '{"pages": {"index.html": 1}}', '{"pages": {"index.html": {"assets": ""}}}'):
        (site / ".site.json").write_text(state)
        refused(tree, 2, ".site.json is damaged", site)
    expect((site / "index.html").exists(), "a site with a damaged state was removed")

print("\n".join(bad))
sys.exit(bool(bad))
