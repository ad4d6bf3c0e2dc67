#!/usr/bin/env python3
"""faults_test.py [AXE.min.js]: pages with one fault each, and one without: the checks of this folder find each of them,
and nothing else. (With the accessibility checker also what only that finds.)"""
import re
import sys
import tempfile
from pathlib import Path

from check_files import Site
from check_pages import Window, find_chromium

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}</title><link rel="stylesheet" href="style.css"></head>
<body><main><h1>{name}</h1><p><a href="index.html">First page</a></p>
{body}
</main></body></html>
"""
STYLE = """:root { color-scheme: light dark; font: 16px sans-serif; background: Canvas; color: CanvasText; }
a { padding: 8px; }
.source { overflow: auto; }
"""
GOOD = """<p id="here"><a href="#here">here</a></p>
<details><summary>More</summary><p><a href="good.html">This page</a></p></details>
<button type="button" onclick="this.textContent = 'Done'">Do it</button>
<div class="source" tabindex="0"><span class="line"><code>""" + "x" * 90 + """</code></span></div>
<div style="overflow: auto; width: 200px" tabindex="0"><div style="width: 900px">Wide, but it scrolls</div></div>
<svg viewBox="0 0 100 20" width="100" role="img" aria-label="Drawing"><text x="5" y="15">fits</text></svg>"""
# name: (what is in the page, what is found)
FAULTS = {
    "dead_link": ('<a href="nowhere.html">x</a>', "nowhere.html: no such file"),
    "dead_anchor": ('<a href="good.html#nowhere">x</a>', "no id 'nowhere' there"),
    "folder": ('<a href="sub/">x</a>', "is a folder"),
    "slash": ('<a href="/good.html">x</a>', "begins with a slash"),
    "outside": ('<a href="../good.html">x</a>', "leads out of the folder"),
    "twice": ('<p id="a">1</p><p id="a">2</p>', "the id 'a' is there twice"),
    "other_host": ('<img alt="" src="https://127.0.0.1:9/x.png" width="9" height="9">',
                   "outside of the folder|not in the folder|ERR_|no picture"),
    "no_picture": ('<img alt="Style" src="style.css" width="9" height="9">', "is no picture"),
    "jumps": ('<img alt="Dot" src="picture.svg" width="9">', "has no width or height"),
    "error": ("<script>nothing.at.all = 1</script>", "its script failed: ReferenceError"),
    "warning": ("<script>console.warn('careful')</script>", "the console shows: warning: careful"),
    "fetched": ("<script>fetch('style.css').catch(() => {})</script>",
                "console shows: error|something it loads failed"),
    "cut": ('<p style="width: 90px; overflow: hidden; white-space: nowrap">A sentence that does not fit</p>',
            "cut off"),
    "clamped": ('<p style="height: 20px; width: 80px; overflow: hidden">A sentence of several lines</p>', "cut off"),
    "drawing": ('<svg width="60" height="20" role="img" aria-label="d"><text y="15">A sentence in it</text></svg>',
                "cut off"),
    "sideways": ('<div style="width: 700px">Wide</div>', "360 pixels wide: the page scrolls sideways"),
    "narrow_source": ('<div class="source" tabindex="0" style="max-width: 300px"><code>' + "x" * 90 + "</code></div>",
                      "has a scroll bar"),
    "numbers": ('<div class="source" tabindex="0"><p class="line"><a href="#a" id="a">1</a><code>x</code></p></div>',
                "1 line numbers of .* are stops of Tab"),
    "no_outline": ('<button style="outline: none">Do it</button>', "the focus on <button> .* is not seen"),
    "order": ('<button>Last</button><button tabindex="1">First</button>',
              'Tab goes to <button> "First" before|tabindex'),
    "trapped": ("<button onkeydown='event.preventDefault()'>Trap</button><button>After</button>",
                'Tab does not reach <button> "After"'),
    "covered": ('<div style="position: fixed; inset: 0; background: Canvas"></div><button>Under</button>',
                "is covered or out of sight"),
    "click": ("<p onclick='this.hidden = true'>Hide</p>", "the keyboard does not reach <p>"),
    "pointer": ('<p style="cursor: pointer">Hide</p>', "the keyboard does not reach <p>"),
}
FAULTS_OF_CHECKER = {
    "pale": ('<p style="color: #aaa; background: #fff">Pale</p>', "sufficient color contrast"),
    "pale_in_dark": ('<style>@media (prefers-color-scheme: dark) { p { color: #333 } }</style><p>Pale</p>',
                     "^dark: .*color contrast"),
    "no_name": ('<button type="button"></button>', "Buttons must have discernible text"),
    "no_alternative": ('<img src="picture.svg" width="9" height="9">', "Images must have alternative text"),
}


def main():
    if not find_chromium():
        print("SKIP: this system has no Chromium to open pages with (Debian's package chromium)")
        return 77
    checker = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    faults = {**FAULTS, **(FAULTS_OF_CHECKER if checker else {})}
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        bodies = {"good": GOOD, **{name: body for name, (body, _) in faults.items()},
                  "index": "".join(f'<p><a href="{name}.html">{name}</a></p>\n' for name in ("good", *faults))}
        for name, body in bodies.items():
            (Path(folder) / f"{name}.html").write_text(PAGE.format(name=name, body=body))
        (Path(folder) / "style.css").write_text(STYLE)
        (Path(folder) / "picture.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
        (Path(folder) / "sub").mkdir()
        in_files = Site(folder).faults()
        with Window(folder, checker) as window:
            for name in bodies:
                found = [sentence for sentence in in_files if sentence.startswith(f"{name}.html:")]
                found += window.page_faults(f"{name}.html")
                pattern = faults.get(name, (None, None))[1]
                if pattern and not any(re.search(pattern, sentence) for sentence in found):
                    bad.append(f"{name}: not found; found: {found}")
                bad += [f"{name}: found too: {sentence}" for sentence in found
                        if not (pattern and re.search(pattern, sentence))]
        for name in ("far", "far_1", "far_2", "far_3", "far_4"):
            body = "" if name == "far_4" else f'<a href="far_{int(name[4:] or 0) + 1}.html">x</a>'
            (Path(folder) / f"{name}.html").write_text(PAGE.format(name=name, body=body))
        with open(Path(folder) / "index.html", "a", encoding="utf-8") as file:
            file.write('<details><summary>More</summary><a href="far.html">far</a></details>')
        far = [sentence for sentence in Site(folder).faults() if "touches" in sentence]
        if len(far) != 2 or not any(sentence.startswith("far_3.html") for sentence in far):
            bad.append(f"of five pages in a row, these are far: {far}")
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
