"""The page of a sample, of a rung or of a pattern; the list of all of them; two samples side by side."""
import difflib
import html
import os
import re

import measured
import pages
import source
from text import Page, headings, slug

GLOSSARY = re.compile(r"\(docs/glossary\.md#([\w-]+)\)")
DIFF = re.compile(r"\bdiff ([\w/]+\.cu) ([\w/]+\.cu)\b")
REQUESTS = re.compile(r", \d+ requests?$")  # their number is in the table of costs
AROUND = 3  # equal lines that a comparison shows around a change


def body_of(site, sample, rung, run_name):
    return lambda page: SamplePage(site, page, sample, rung, run_name).html()


def finish(site):
    """What the pages of samples depend on besides their files, once the runs are done."""
    for one in site.run_list:
        result = site.results.get(one.name) or {}
        for page in site.pages.values():
            if page.kind == "sample" and page.title == one.name or page.path == one.file and not one.sample \
                    or page.kind.startswith("rung") and one.name == f"{page.kind[8:]}-{page.title}":
                page.extra = repr((result.get("explain"), bool(result.get("step")), site.records, one))
                readme = os.path.join(os.path.dirname(page.path), "README.md")
                page.inputs = [readme] if readme in site.of_path else []
    has_links = [(name, bool(result.get("step")), bool(result.get("explain"))) for name, result in site.results.items()]
    site.pages["samples.html"].extra = repr((has_links, site.samples))


class SamplePage:
    def __init__(self, site, page, sample, rung, run_name):
        self.site, self.page, self.sample, self.rung = site, page, sample, rung
        self.run = next(one for one in site.run_list if one.name == run_name)
        result = site.results.get(run_name) or {}
        self.kernels = result.get("explain") or []
        self.steps = f"steps/{run_name}.html" if f"steps/{run_name}.html" in site.pages else None
        self.files = {}  # what the report calls a file -> the file of the project

    def to(self, address):
        return pages.relative(address, self.page.address)

    def html(self):
        rows = measured.rows_of(self.site.records, self.sample.name, self.rung) if self.sample else []
        return "".join([self.head(), self.actions(rows), self.pictures(), self.text(), self.threads(), self.costs(),
                        self.times(rows), self.code(), self.siblings()])

    def head(self):
        place = ""
        if self.sample:
            chapter = self.site.pages[self.site.of_path[self.sample.file.split("/")[0]]]
            links = [(chapter.address, chapter.title)]
            folder = os.path.dirname(self.sample.file)
            if "/" in folder and folder in self.site.of_path:
                links.append((self.site.of_path[folder], f"the ladder {self.sample.name}"))
            place = '<nav class="place" aria-label="Place in the book">' + " › ".join(
                f'<a href="{self.to(address)}">{html.escape(title)}</a>' for address, title in links) + "</nav>\n"
        title = html.escape(f"{self.sample.name}: {self.rung}" if self.rung else self.page.title)
        lead = code_words(pages.capital(self.page.description))
        return f"{place}<h1>{title}</h1>\n" + (f'<p class="lead">{lead}.</p>\n' if lead else "")

    def actions(self, rows):
        links = [("#source", "Source", "listing")]
        if self.kernels:
            links.insert(0, ("#costs", "Costs", "costs"))
        if self.steps:
            links.insert(0, (self.to(self.steps), "Step through its threads", "threads"))
        if rows:
            links.append(("#measured", "Measured", "measured"))
        if self.sample:
            chapter = self.site.of_path[self.sample.file.split("/")[0]]
            path = self.site.pages[chapter].path
            if re.search(r"^## Exercises", self.site.text(path), re.M):
                links.append((self.to(chapter) + "#exercises", "Questions", "questions"))
        items = "".join(f'<a class="{name}" href="{target}">{label}</a>' for target, label, name in links)
        return f'<p class="actions">{items}</p>\n'

    def pictures(self):
        if not self.sample:
            return ""
        result = ""
        name = self.sample.name
        film = f"docs/gallery/{name}.gif"
        if not os.path.exists(os.path.join(pages.root, film)):
            film = os.path.splitext(self.sample.picture)[0] + ".gif" if self.sample.picture else ""
        if film and os.path.exists(os.path.join(pages.root, film)) and not self.rung:
            result += f'<figure>{self.site.film(film, self.page.address, f"a film of {name}")}</figure>\n'
        elif self.sample.picture and not self.rung:
            picture = self.site.picture(self.sample.picture, "", self.page.address, f"what {name} draws", lazy=False)
            result += f'<figure><span class="stage">{picture}</span></figure>\n'
        if self.sample.drawing and not self.rung:
            words = title_of_drawing(self.site.text(self.sample.drawing)) or f"a drawing of {name}"
            result += f'<figure>{self.site.picture(self.sample.drawing, "", self.page.address, words)}</figure>\n'
        return f'<div class="pictures">\n{result}</div>\n' if result else ""

    def text(self):
        """What the file says at its beginning, and for a rung what the ladder's README says about it."""
        result = ""
        paragraphs = comment_of(self.site.text(self.page.path))
        for paragraph in paragraphs:
            if paragraph.startswith(" "):
                lines = "\n".join(html.escape(line[2:]) for line in paragraph.split("\n"))
                result += f'<pre tabindex="0"><code>{lines}</code></pre>\n'
            else:
                result += f"<p>{self.with_terms(code_words(paragraph))}</p>\n"
        return f'<div class="prose">\n{DIFF.sub(self.to_diff, result)}{self.gain()}</div>\n' if result else ""

    def to_diff(self, match):
        """A command that compares two samples, as a link to their page."""
        address = "diff/{}-{}.html".format(*(os.path.basename(file)[:-3] for file in match.groups()))
        return f'<a href="{self.to(address)}">{match[0]}</a>' if address in self.site.pages else match[0]

    def gain(self):
        """The paragraph of the ladder's README about this rung: "- **NAME.** ..." """
        readme = os.path.join(os.path.dirname(self.page.path), "README.md")
        if not self.rung or readme not in self.site.of_path:
            return ""
        match = re.search(rf"^- \*\*`?{self.rung}`?\.\*\*((?:.*\n)(?:  .*\n|\n(?=  ))*)", self.site.text(readme), re.M)
        if not match:
            return ""
        paragraph = re.sub(r"^  ", "", match[1], flags=re.M)
        return Page(self.site, readme, self.page.address).html("**Gain and bottleneck.**" + paragraph)

    def with_terms(self, words):
        """The list of terms that many samples begin with, as links to the glossary."""
        head, mark, terms = words.partition("Terms (docs/glossary.md): ")
        glossary = self.site.of_path.get("docs/glossary.md")
        if not mark or not glossary:
            return words
        listed, dot, rest = terms.partition(".")
        anchors = {anchor for _, _, anchor in headings(self.site.text("docs/glossary.md"))}
        linked = [f'<a href="{self.to(glossary)}#{slug(term)}">{term}</a>' if slug(term) in anchors else term
                  for term in listed.split(", ")]
        return f'{head}<a href="{self.to(glossary)}">Terms</a>: {", ".join(linked)}{dot}{rest}'

    def threads(self):
        if not self.steps:
            return ""
        return (f'<h2 id="threads">Its threads</h2>\n<p><a class="threads" href="{self.to(self.steps)}">Step through a '
                f"block</a>: lanes, lines, memory and barriers, as <code>./run --step {html.escape(self.run.typed)}</code> "
                "records them on the emulated device.</p>\n")

    # ---- costs

    def file_of(self, name):
        """The file of the project that the report calls by its last name, and that is nearest."""
        if name not in self.files:
            own = os.path.dirname(self.page.path)
            found = [path for path in self.site.of_path if os.path.basename(path) == name]
            self.files[name] = max(found, key=lambda path: len(os.path.commonprefix([own + "/", path])), default=None)
        return self.files[name]

    def line(self, name, number):
        """A link to a line of a file, by the name that the report has."""
        path = self.file_of(name)
        label = f"{html.escape(name)}:{number}"
        if not path:
            return label
        if path == self.page.path:
            return f'<a href="#L{number}">{label}</a>'
        return f'<a href="{self.to(self.site.of_path[path])}#L{number}">{label}</a>'

    def finding(self, text):
        match = re.match(r"([\w.]+):(\d+): (.*)$", text, re.S)
        place, words = (self.line(match[1], int(match[2])) + ": ", match[3]) if match else ("", text)
        words, _, code = words.partition("  ")
        words = html.escape(words)
        glossary = self.site.of_path.get("docs/glossary.md")
        words = GLOSSARY.sub(lambda term: f'(<a href="{self.to(glossary)}#{term[1]}">glossary</a>)' if glossary else "",
                             words)
        return f"<li>{place}{words}{f' <code>{html.escape(code)}</code>' if code else ''}</li>\n"

    def costs(self):
        if not self.kernels:
            return ""
        result = (f'<h2 id="costs">Costs and findings</h2>\n<p>As <code>./run --explain {html.escape(self.explained())}'
                  "</code> reports them on the emulated device: estimates from the accesses of the source, not of a "
                  "GPU’s machine code. A <em>request</em> is one access by a warp. In brackets are the fewest that would "
                  "do. <em>Used</em> is the part of what was moved that the warp needs.</p>\n")
        if not any(kernel["findings"] for kernel in self.kernels):
            result += "<p>It finds no mistake, and nothing slow.</p>\n"
        for kernel in self.kernels:
            if kernel["name"]:
                shape = f' <small>{html.escape(kernel["shape"])}</small>' if kernel["shape"] else ""
                result += f'<h3><code>{html.escape(kernel["name"])}</code>{shape}</h3>\n'
            if kernel["findings"]:
                result += f'<ul class="findings">{"".join(map(self.finding, kernel["findings"]))}</ul>\n'
            rows = "".join(
                f"<tr><td>{self.line(file, number)}</td><td>{bar(percent)}</td><td>{html.escape(words)}</td></tr>\n"
                for file, number, facts in kernel["lines"] for percent, words in facts)
            if rows:
                result += ('<div class="scrolls" tabindex="0" role="group" aria-label="Costs of '
                           f'{html.escape(kernel["name"])}"><table><thead><tr><th>line</th><th>used</th><th>access</th></tr>'
                           f"</thead><tbody>{rows}</tbody></table></div>\n")
        return result

    def explained(self):
        words = [word for word in self.run.words if word != "--headless"]
        return " ".join([self.run.sample.name if self.run.sample else self.run.file, *words])

    def notes(self, path):
        """{line: HTML} of this file."""
        result = {}
        for kernel in self.kernels:
            for file, number, facts in kernel["lines"]:
                if self.file_of(file) == path:
                    text = "".join(f"<span>{bar(percent)} {html.escape(REQUESTS.sub('', words))}</span>"
                                   for percent, words in facts)
                    if text not in result.get(number, ""):
                        result[number] = result.get(number, "") + text
            for finding in kernel["findings"]:
                match = re.match(r"([\w.]+):(\d+): (.*?)(  .*)?$", finding, re.S)
                if match and self.file_of(match[1]) == path:
                    words = html.escape(GLOSSARY.sub("", match[3]).strip())
                    text = f'<span class="finding">{words}</span>'
                    if text not in result.get(int(match[2]), ""):
                        result[int(match[2])] = result.get(int(match[2]), "") + text
        return result

    # ---- times, source, neighbors

    def times(self, rows):
        if not rows:
            return ""
        where = re.sub(r"NVIDIA (\S+).*", r"\1", rows[0].device["device"].replace("1, 2 and 4 ", ""))
        name = f"What an {where} measured" if where[0] in "HA" else f"What a {where} measured"
        result = f'<h2 id="measured">{html.escape(name)}</h2>\n'
        if gain := measured.gain_of(self.site.text(self.page.path)) if self.rung else "":
            result += f"<p>{html.escape(gain)}</p>\n"
        is_ladder = any(page.kind == f"rung of {self.sample.name}" for page in self.site.pages.values())
        words = measured.bound(self.site.records, self.sample.name, self.rung, rows)
        if words and (self.rung or not is_ladder):  # of a ladder, each rung is bound by something else
            result += f"<p>{words}</p>\n"
        return result + measured.table(rows)

    def code(self):
        path = self.page.path
        result = (f'<h2 id="source">Source</h2>\n<p class="dim"><code>{html.escape(path)}</code></p>\n'
                  + source.listing(self.site.text(path), path, self.notes(path)))
        return result

    def siblings(self):
        """The pages that compare this sample with another, and the rungs of its ladder."""
        result = ""
        name = self.sample.name if self.sample and not self.rung else None
        pairs = [pair for pair in self.site.pairs if name in pair]
        if pairs:
            result += "<h2>Side by side</h2>\n<ul>" + "".join(
                f'<li><a href="{self.to(f"diff/{one}-{other}.html")}">{one} and {other}</a></li>'
                for one, other in pairs) + "</ul>\n"
        rungs = [page for page in self.site.pages.values() if name and page.kind == f"rung of {name}"]
        if rungs:
            result += "<h2>Its rungs</h2>\n<ol>" + "".join(
                f'<li><a href="{self.to(page.address)}">{page.title}</a>: {code_words(page.description)}</li>'
                for page in rungs) + "</ol>\n"
        return result


def bar(percent):
    if percent is None:
        return ""
    return f'<span class="bar" role="img" aria-label="{percent} % used"><b style="width:{percent}%"></b></span>'


def code_words(words):
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(words))


def title_of_drawing(svg):
    match = re.search(r"<title>(.*?)</title>", svg, re.S)
    return html.unescape(match[1]) if match else ""


def comment_of(text):
    """The paragraphs of the comment at the beginning, without the first line; commands keep their spaces."""
    text = text.removeprefix("#pragma once\n")
    lines = []
    for line in text.split("\n")[1:]:
        if not line.startswith("//"):
            break
        lines.append(line[2:].removeprefix(" "))
    paragraphs = []
    for block in "\n".join(lines).split("\n\n"):
        if block.startswith(("Gain over", "Needed:")):
            continue
        commands = re.match(r"\n*((?:  .*(?:\n|$))*)", block)
        paragraphs += [commands[1].rstrip()] if commands[1] else []
        for part in re.split(r"\n(?=Terms \(|- |  \d\. |  diff )", block[commands.end():].strip()):
            is_command = part.startswith("  diff ")
            paragraphs += [part if is_command else " ".join(map(str.strip, part.split("\n")))] if part else []
    return paragraphs


# ---- all samples

def list_body(page):
    return list_of(page.site, page)


def list_of(site, page):
    result = ("<h1>All samples</h1>\n<p class=\"lead\">In the order of the book; the assignment has a path of its own. "
              "<em>Costs</em> leads to the memory accesses of a kernel, <em>threads</em> to a page that steps through a "
              "block.</p>\n")
    folder = ""
    for sample in site.samples:
        if sample.file.split("/")[0] != folder:
            result += "</ul>\n" * bool(folder)
            folder = sample.file.split("/")[0]
            chapter = site.pages[site.of_path[folder]]
            result += f'<h2><a href="{chapter.address}">{html.escape(chapter.title)}</a></h2>\n<ul class="samples">\n'
        result += entry(site, site.pages[site.of_path[sample.file]], sample.name)
        rungs = [one for one in site.pages.values() if one.kind == f"rung of {sample.name}"]
        if rungs:
            result += '<li class="rungs"><ul class="samples">\n' + "".join(
                entry(site, one, f"{sample.name}-{one.title}") for one in rungs) + "</ul></li>\n"
    patterns = "".join(entry(site, page, os.path.basename(page.address)[:-5]) for page in site.pages.values()
                       if page.kind == "pattern")
    return result + f'</ul>\n<h2>Patterns of first steps</h2>\n<ul class="samples">\n{patterns}</ul>\n'


def entry(site, page, run_name):
    result = site.results.get(run_name) or {}
    links = ""
    if result.get("explain"):
        links += f' <a class="small" href="{page.address}#costs" aria-label="costs of {page.title}">costs</a>'
    if result.get("step"):
        links += f' <a class="small" href="steps/{run_name}.html" aria-label="threads of {page.title}">threads</a>'
    return f'<li><a href="{page.address}">{page.title}</a>{links} <span>{code_words(page.description)}</span></li>\n'


# ---- two samples side by side

def diff_body(page):
    site = page.site
    paths = (page.path, page.inputs[0])
    sides = [source.colored_lines(site.text(path), source.lexer_for(path)) for path in paths]
    plain = [site.text(path).split("\n") for path in paths]
    rows = ""
    for tag, a, b, c, d in difflib.SequenceMatcher(None, *plain, autojunk=False).get_opcodes():
        if tag == "equal":
            hidden = range(a + AROUND, b - AROUND)
            for one, other in zip(range(a, b), range(c, d)):
                if one not in hidden or len(hidden) < 3:
                    rows += row("same", sides, one, other)
                elif one == hidden[0]:
                    rows += f'<tr class="equal"><td colspan="4">{len(hidden)} equal lines</td></tr>\n'
            continue
        for step in range(max(b - a, d - c)):
            rows += row(tag, sides, a + step if a + step < b else None, c + step if c + step < d else None)
    names = [os.path.basename(path).split(".")[0] for path in paths]
    heads = "".join(
        f'<th colspan="2" scope="col"><a href="{pages.relative(site.of_path[path], page.address)}">{name}</a></th>'
        for name, path in zip(names, paths))
    lists = "".join(f"<li><strong>{name}</strong>: {code_words(site.by_name[name].purpose)}</li>" for name in names)
    return (f"<h1>{names[0]} and {names[1]}</h1>\n<ul>{lists}</ul>\n<p>Without the comments: <code>./run diff {names[0]} "
            f"{names[1]}</code></p>\n"
            '<div class="scrolls diff" tabindex="0" role="group" aria-label="Both sources"><table>'
            f'<colgroup><col class="n"><col><col class="n"><col></colgroup><thead><tr>{heads}</tr></thead>'
            f"<tbody>\n{rows}</tbody></table></div>\n")


def row(kind, sides, *numbers):
    cells = ""
    for side, number in zip(sides, numbers):
        is_there = number is not None and number < len(side)
        none = "" if number is not None else " none"
        cells += (f'<td class="n">{number + 1 if is_there else ""}</td>'
                  f'<td class="code{none}"><code>{side[number] if is_there else ""}</code></td>')
    return f'<tr class="{kind}">{cells}</tr>\n'
