#!/usr/bin/env python3
"""links.py PROJECT: every link inside the project, in every .md file, leads to a file, and its #anchor to a
heading there. Links that leave the project are only looked at for their form. The README's link to the published site
is GitHub's page of the environment that the workflow names. Exit code 1, and a line per broken link."""
import re
import sys
from pathlib import Path
from urllib.parse import unquote

MARKDOWN = re.compile(r"!?\[[^\]]*\]\(\s*<?([^()\s>]*(?:\([^()\s]*\)[^()\s>]*)*)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:[ ]*<?(\S+?)>?[ ]*$", re.MULTILINE)
HTML = re.compile(r"(?:src|href)\s*=\s*\"([^\"]*)\"")
KINDS = (MARKDOWN, REFERENCE, HTML)
ANCHOR = re.compile(r"<a\s+(?:name|id)=\"([^\"]+)\"")


def markdown(project):
    """The .md files, but for those of build folders and hidden ones."""
    return [path for path in sorted(project.rglob("*.md"))
            if not any(part.startswith((".", "build")) for part in path.relative_to(project).parts)]


def prose(text):
    """The lines that are not in fenced code, as (number, line)."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"^\s*(```+|~~~+)", line)
        if mark:
            if fence is None:
                fence = mark.group(1)
            elif mark.group(1).startswith(fence):
                fence = None
            continue
        if fence is None:
            yield number, line


def links_alone(text):
    """The text without its code, where what looks like a link is not one; lines keep their numbers. Links may span lines."""
    lines = [""] * (text.count("\n") + 1)
    for number, line in prose(text):
        lines[number - 1] = re.sub(r"(`+).+?\1", "", line)
    return "\n".join(lines)


def anchors(path):
    """The anchors of a file as GitHub makes them: lower case, spaces to hyphens, no other punctuation, numbered if double."""
    found = set()
    seen = {}
    for _, line in prose(path.read_text(encoding="utf-8")):
        found.update(ANCHOR.findall(line))
        heading = re.match(r"^#{1,6}\s+(.*?)\s*#*\s*$", line)
        if not heading:
            continue
        words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).replace("`", "")
        slug = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        found.add(slug if count == 0 else f"{slug}-{count}")
    return found


def problem(project, path, target):
    """What is wrong with a link from `path`, or None."""
    if re.match(r"^[a-z][a-z0-9+.-]*:", target, re.IGNORECASE):
        return None if re.match(r"^(https://[\w.-]+\.\w+(/|$)|http://[\w.-]+\.\w+(/|$)|mailto:)", target) else "odd address"
    name, _, anchor = target.partition("#")
    if name.startswith("../../deployments/") and path == project / "README.md":
        workflow = (project / ".github/workflows/site.yml").read_text(encoding="utf-8")
        published = re.search(r"environment:\n +name: (\S+)", workflow)[1]
        return None if name == f"../../deployments/{published}" else f"the site is published as {published}"
    if name.startswith("/"):
        return "begins with a slash: write it relative to the file"
    there = (path.parent / unquote(name)).resolve() if name else path
    if not there.is_relative_to(project):
        return "leads out of the project"
    if not there.exists():
        return "no such file"
    if not anchor:
        return None
    if there.suffix != ".md":
        return None if re.fullmatch(r"L\d+(-L\d+)?", anchor) else "an anchor into a file that is no Markdown"
    return None if anchor in anchors(there) else f"no heading for #{anchor}"


def main():
    project = Path(sys.argv[1]).resolve()
    files = markdown(project)
    broken = count = 0
    for path in files:
        text = links_alone(path.read_text(encoding="utf-8"))
        for match in sorted((m for kind in KINDS for m in kind.finditer(text)), key=lambda m: m.start()):
            target, number = match.group(1), text.count("\n", 0, match.start()) + 1
            count += 1
            wrong = problem(project, path, target)
            if wrong:
                broken += 1
                print(f"{path.relative_to(project)}:{number}: {target}: {wrong}")
    print(f"{count} links in {len(files)} files, {broken} broken")
    return 1 if broken or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
