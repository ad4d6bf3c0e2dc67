"""All pages of the site: which there are, how they link to each other, and what each is made from."""
import glob
import hashlib
import html
import os
import re
import struct
from dataclasses import dataclass, field
from string import Template

import exercises
import measured
import runs
import sample_page
import samples
import source
import text
from messages import read

root = samples.root
HERE = os.path.dirname(os.path.realpath(__file__))
FOLDERS = ("chapter*", "appendix*", "cs418*")
PICTURES = (".png", ".svg", ".gif")
SOURCES = (".cu", ".cuh", ".h", ".cpp")
IN_BROWSER = {
    "docs/first_steps.md": "To read this in the browser, install nothing: an underlined command leads to the page of "
                           "what it runs.",
    "docs/first_steps_zh.md": "在浏览器中阅读无需安装任何软件：点击带下划线的命令，即可打开相应的页面。"}


@dataclass
class Page:
    address: str
    path: str        # the file of the project it is made from
    title: str
    kind: str        # what the search says it is
    body: object     # a function: the page as HTML
    description: str = ""
    inputs: list = field(default_factory=list)  # further files it is made from
    extra: str = ""                             # further text it is made from
    before: str = ""                            # addresses of the pages before and after it, and above it
    after: str = ""
    up: str = ""
    words: str = ""  # for the search
    file: str = ""   # what is found when a link leads to this file


def find_files(*patterns):
    """The files of the project that fit, in the order of the patterns."""
    return [os.path.relpath(path, root) for pattern in patterns
            for path in sorted(glob.glob(os.path.join(glob.escape(root), pattern)))]


def relative(address, page):
    return os.path.relpath(address, os.path.dirname(page) or ".")


class Site:
    def __init__(self):
        self.pages = {}
        self.of_path = {}   # file or folder of the project -> address
        self.assets = {}    # address -> (file, what to do with it)
        self.samples = samples.samples()
        self.by_name = {sample.name: sample for sample in self.samples}
        self.records = measured.read_records(root)
        self.texts = {}
        self.results = {}
        self.failures = {}  # commands that fail on purpose -> the name of the sample
        self.printed = {}   # what they print
        self.run_list = []
        self.pairs = []     # names of two samples that are compared

    # ---- which pages there are

    def add(self, page, *paths):
        self.pages[page.address] = page
        for path in paths or (page.path,):
            self.of_path.setdefault(path, page.address)
        return page

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = read(os.path.join(root, path))
        return self.texts[path]

    def find(self):
        """Finds all pages, but those of steps."""
        self.add_markdown()
        self.add_samples()
        self.add_exercises()
        self.add_diffs()
        self.add_sources()
        for page in self.pages.values():
            if page.path.endswith(".md"):
                self.failures |= {command: name for command in text.failures(self.text(page.path))
                                  if (name := command.partition("./run ")[2].split()[0]) in self.by_name}

    def collect(self, only, folder, built):
        """Runs the programs. `only`: a function of a run, false for those that are not run again; `folder`: where
        programs are built; `built`: a folder that has them already, or nothing."""
        self.results, self.printed = runs.results(self.run_list, self.failures, only, folder, built)
        for page in self.pages.values():
            if page.path.endswith(".md"):
                page.extra += repr([self.printed.get(command) for command in text.failures(self.text(page.path))])
        sample_page.finish(self)
        self.add_steps()

    def add_markdown(self):
        patterns = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/*.md", "exercises/README.md",
                    "common/README.md", "benchmarks/README.md", "emulator/*.md", "tests/README.md", "site/README.md"]
        patterns += [f"{folder}/{rest}" for folder in FOLDERS for rest in ("README.md", "*/README.md")]
        for path in find_files(*patterns):
            folder, name = os.path.split(path)
            address = os.path.join(folder, "index.html" if name == "README.md" else name[:-3] + ".html")
            found = text.headings(self.text(path))
            title = found[0][1] if found else name
            kind = "chapter" if folder and "/" not in folder and samples_in(folder, self.samples) else \
                "ladder" if folder and find_files(f"{folder}/[0-9]_*.cuh") else "text"
            page = Page(address, path, title, kind, self.markdown_body, words=" ".join(part[1] for part in found))
            self.add(page, path, *([folder] if name == "README.md" and folder else []))
        chapters = [page for page in self.pages.values() if page.kind == "chapter"]
        order = [sample.file.split("/")[0] for sample in self.samples]
        self.chapters = sorted(chapters, key=lambda page: order.index(os.path.dirname(page.path)))
        chain([page for page in self.chapters if not page.path.startswith("cs418")])

    def markdown_body(self, page):
        content = text.Page(self, page.path, page.address).html(self.text(page.path))
        if page.address == "index.html":
            content = with_start(content)
        if page.path in IN_BROWSER:
            content = content.replace("</h1>", f'</h1>\n<p class="dim">{IN_BROWSER[page.path]}</p>', 1)
        if page.address == "exercises/index.html":
            content = content.replace("</h1>", "</h1>\n" + self.exercise_list(page), 1)
        return self.behind(page) + f'<article class="prose">\n{content}</article>'

    def behind(self, page):
        """The line of a page in Chinese that is older than the English one."""
        if not page.path.endswith("_zh.md"):
            return ""
        line = re.match(r"<!-- translated from ([\w.]+), sha256 ([0-9a-f]{64}) -->", self.text(page.path))
        english = os.path.join(root, os.path.dirname(page.path), line[1] if line else "")
        if line and os.path.isfile(english) and runs.hash_of(english) == line[2]:
            return ""
        return '<p class="behind">英文版已更新，本页内容较旧，请以英文版为准。</p>\n'

    def add_samples(self):
        book, course = [], []
        for sample in self.samples:
            address = sample.file[:-3] + ".html"
            folder = os.path.dirname(sample.file)
            rungs = samples.rungs_of(os.path.join(root, folder)) if "/" in folder else []
            files = find_files(f"{folder}/[0-9]_*.cuh") if rungs else []
            page = self.add(Page(address, sample.file, sample.name, "sample", None, sample.purpose, words=sample.purpose,
                                 up=self.of_path[folder]))
            self.run_list.append(runs.run_of(sample))
            page.body = sample_page.body_of(self, sample, None, self.run_list[-1].name)
            (course if folder.startswith("cs418") else book).append(page)
            ladder = [page]
            for (rung, purpose), path in zip(rungs, files):
                one = self.add(Page(path[:-4] + ".html", path, rung, f"rung of {sample.name}", None, purpose,
                                    words=purpose + " " + sample.name, up=page.address))
                self.run_list.append(runs.run_of(sample, rung))
                one.body = sample_page.body_of(self, sample, rung, self.run_list[-1].name)
                ladder.append(one)
            chain(ladder[1:])
            if rungs:
                ladder[1].before = page.address
        chain(book)
        chain(course)
        for path in find_files("docs/patterns/*.cu"):
            one = runs.run_of_file(path)
            head = re.match(r"// ([^:\n]+): ", self.text(path))
            page = self.add(Page(path[:-3] + ".html", path, head[1] if head else one.name, "pattern", None,
                                 up="docs/first_steps.html"))
            self.run_list.append(one)
            page.body = sample_page.body_of(self, None, None, one.name)
        self.add(Page("samples.html", "cmake/AddSample.cmake", "All samples", "list", sample_page.list_body,
                      "every sample and rung, with its page, its costs and its threads"))

    def add_exercises(self):
        found = []
        for one in exercises.exercises().values():
            folder = os.path.relpath(one.folder, root).rstrip("/")
            path = os.path.relpath(one.file, root)
            page = Page(f"{folder}/index.html", path, one.name, "exercise", self.exercise_body, one.purpose,
                        [folder + "/hints.txt"], up="exercises/index.html", words=one.purpose)
            self.add(page, path, folder)
            found.append(page)
        chain(found)

    def exercise_list(self, page):
        items = "".join(f'<li><a href="{relative(one.address, page.address)}">{one.title}</a>: '
                        f"{sample_page.code_words(one.description)}</li>\n"
                        for one in self.pages.values() if one.kind == "exercise")
        return f"<ol>\n{items}</ol>\n"

    def exercise_body(self, page):
        one = exercises.exercises()[page.title]
        hints = "".join(f"<details><summary>Hint {number}</summary><p>{html.escape(hint)}</p></details>\n"
                        for number, hint in enumerate(exercises.hints_of(one), 1))
        return (f"<h1>Exercise: {page.title}</h1>\n<p class=\"lead\">{html.escape(capital(one.purpose))}.</p>\n"
                f"<p>It belongs to {exercises.group_of(one)}. The first of these commands writes "
                f"<code>my_{page.title}.cu</code>; typed again, it checks the file.</p>\n"
                f'<pre tabindex="0"><code>./run try {page.title}\n./run try {page.title} --hint</code></pre>\n{hints}'
                f'<h2 id="source">The file with gaps</h2>\n{source.listing(self.text(page.path), page.path)}')

    def add_diffs(self):
        """The pairs that READMEs and samples compare: "diff A.cu B.cu" and "./run diff A B"."""
        for page in list(self.pages.values()):
            if page.path.endswith(".md"):
                found = re.findall(r"^    (?:\./run )?diff (\S+) (\S+)", self.text(page.path), re.M)
            else:
                found = sample_page.DIFF.findall(self.text(page.path)) if page.kind == "sample" else []
            for words in found:
                names = tuple(os.path.basename(word).split(".")[0] for word in words)
                if names not in self.pairs and all(name in self.by_name for name in names):
                    self.pairs.append(names)
        for names in self.pairs:
            one, other = (self.by_name[name] for name in names)
            self.add(Page(f"diff/{names[0]}-{names[1]}.html", one.file, f"{names[0]} and {names[1]}", "comparison",
                          sample_page.diff_body, "two samples side by side", [other.file],
                          up=self.of_path[other.file]), f"diff {names[0]} {names[1]}")

    def add_sources(self):
        """Sources that a page may name: those next to samples, and what the texts link to."""
        patterns = ["common/*", "common/*/*", "exercises/exercise.h"]
        patterns += [f"{folder}/{rest}" for folder in FOLDERS for rest in ("*", "*/*")]
        paths = [path for path in find_files(*patterns) if path.endswith(SOURCES)]
        for page in list(self.pages.values()):
            if page.path.endswith(".md"):
                for target in re.findall(r"\]\(([^)#:\s]+)", self.text(page.path)):
                    path = os.path.normpath(os.path.join(os.path.dirname(page.path), target))
                    if os.path.isfile(os.path.join(root, path)) and not path.endswith((*PICTURES, ".md")) \
                            and not path.startswith(".."):
                        paths.append(path)
        for path in paths:
            if path not in self.of_path:
                self.add(Page(path + ".html", path, path, "source", self.source_body))

    def source_body(self, page):
        return (f"<h1><code>{html.escape(page.path)}</code></h1>\n"
                f"{source.listing(self.text(page.path), page.path)}")

    # ---- links

    def href(self, target, path, address):
        """Where a link of the file `path` leads on the page `address`; None: to nothing that the site has."""
        if re.match(r"[a-z]+:", target):
            return target
        file, _, anchor = target.partition("#")
        if not file:
            return target
        file = os.path.normpath(os.path.join(os.path.dirname(path), file))
        if file in self.of_path:
            return relative(self.of_path[file], address) + (f"#{anchor}" if anchor else "")
        if file.endswith(PICTURES) and os.path.isfile(os.path.join(root, file)):
            return relative(self.asset(file), address)
        return None

    def command(self, how, what, one, address):
        """The page that shows what `./run HOW WHAT`, or `./run diff ONE WHAT`, would; or None."""
        name = os.path.basename(what).split(".")[0]
        if how == "diff ":
            pair = f"diff/{os.path.basename(one).split('.')[0]}-{name}.html"
            return relative(pair, address) if pair in self.pages else None
        if how == "try ":
            found = [page.address for page in self.pages.values() if page.kind == "exercise" and page.title == what]
            return relative(found[0], address) if found else None
        if how.startswith("--step"):
            step = f"steps/{name}.html"
            return relative(step, address) if step in self.pages else None
        target = self.of_path.get(self.by_name[what].file if what in self.by_name else what)
        if not target or target == address:
            return None
        has_costs = how and (self.results.get(name) or {}).get("explain")
        return relative(target, address) + ("#costs" if has_costs else "")

    # ---- pictures

    def asset(self, file, how="copy"):
        """The address of a picture of the project; `how`: copy, film (.gif as .mp4), still (a film's first picture) or
        small (what a table shows)."""
        base = os.path.splitext(file)[0]
        address = {"copy": file, "film": base + ".mp4", "still": base + ".still.png", "small": base + ".small.png"}[how]
        self.assets[address] = (file, how)
        return address

    def picture(self, target, path, address, words, width=None, lazy=True):
        file = os.path.normpath(os.path.join(os.path.dirname(path), target))
        if not os.path.isfile(os.path.join(root, file)):
            return html.escape(words)
        words = html.escape(html.unescape(words))
        columns, rows = self.size_of(file)
        if width and width.isdigit():
            columns, rows = int(width), round(rows * int(width) / columns)
        size = f' width="{columns}" height="{rows}"'
        if file.endswith(".gif"):
            return self.film(file, address, words, size if width else "")
        how = "small" if width and columns <= 128 and file.endswith(".png") else "copy"
        drawing = ' class="drawing"' if file.endswith(".svg") else ""
        loading = ' loading="lazy"' if lazy else ""
        image = f'<img src="{relative(self.asset(file, how), address)}" alt="{words}"{size}{drawing}{loading}>'
        if not drawing or width:
            return image
        return f'<span class="wide" tabindex="0" role="group" aria-label="Drawing">{image}</span>'

    @staticmethod
    def size_of(file):
        """Columns and rows of a picture, without which a page would jump when it comes."""
        with open(os.path.join(root, file), "rb") as picture:
            head = picture.read(2000)
        if file.endswith(".gif"):
            return struct.unpack("<6xHH", head[:10])
        if file.endswith(".png"):
            return struct.unpack(">16xII", head[:24])
        return [round(float(re.search(rf'<svg[^>]*\b{side}="([\d.]+)', head.decode("utf-8", "replace"))[1]))
                for side in ("width", "height")]

    def film(self, file, address, words, size=""):
        """The one place where a page shows something that moves; a canvas could take it."""
        size = size or ' width="{}" height="{}"'.format(*self.size_of(file))
        poster = file[:-4] + ".png"
        poster = self.asset(poster) if os.path.isfile(os.path.join(root, poster)) else self.asset(file, "still")
        return (f'<span class="stage"><video src="{relative(self.asset(file, "film"), address)}" '
                f'poster="{relative(poster, address)}" aria-label="{words}"{size} loop muted playsinline controls '
                'preload="none"></video></span>')

    # ---- steps

    def add_steps(self):
        for one in self.run_list:
            result = (self.results.get(one.name) or {}).get("step")
            if result:
                self.pages[f"steps/{one.name}.html"] = Page(f"steps/{one.name}.html", one.file, f"{one.name}: threads",
                                                            "threads", None, extra=result["data"])

    def step_back(self, name):
        one = next(one for one in self.run_list if one.name == name)
        rung = name.partition("-")[2]
        path = find_files(f"{os.path.dirname(one.file)}/[0-9]_{rung}.cuh")[0] if rung else one.file
        return self.of_path[path]

    # ---- the whole page

    def map_hash(self):
        """What all pages depend on: the builder, and names and places of the pages."""
        total = hashlib.sha256()
        for name in sorted(os.listdir(HERE)):
            if name.endswith((".py", ".html", ".js")):
                total.update(runs.hash_of(os.path.join(HERE, name)).encode())
        total.update(repr(sorted(name for name, result in self.results.items() if result.get("explain"))).encode())
        for page in sorted(self.pages.values(), key=lambda page: page.address):
            total.update(f"{page.address}|{page.title}|{page.description}|{page.before}|{page.after}\n".encode())
        depths = ("/*", "/*/*", "/*/*/*")
        for path in find_files(*[folder + depth for folder in ("docs", *FOLDERS) for depth in depths]):
            if path.endswith(PICTURES):
                total.update(f"{path}|{self.size_of(path)}\n".encode())
        return total.hexdigest()

    def stamp(self, page, common):
        total = hashlib.sha256(common.encode())
        for path in (page.path, *page.inputs):
            total.update(self.text(path).encode() + b"\0")
        total.update(page.extra.encode() + b"\0" + page.up.encode())
        if page.path.endswith("_zh.md"):
            total.update(self.behind(page).encode())
        return total.hexdigest()[:24]

    def whole(self, page):
        if page.kind == "threads":
            return self.whole_step(page)
        to_root = relative(".", page.address)
        to_root = "" if to_root == "." else to_root + "/"
        chapters = "\n".join(
            f'        <li><a href="{relative(one.address, page.address)}">{html.escape(one.title)}</a></li>'
            for one in self.chapters)
        turn = "\n".join(
            f'    <a class="{name}" href="{relative(target, page.address)}"><small>{label}</small> '
            f"{html.escape(self.pages[target].title)}</a>"
            for name, label, target in (("before", "Previous", page.before), ("up", "Up", page.up),
                                        ("after", "Next", page.after))
            if target)
        is_home = page.address == "index.html"
        title = page.title if is_home else f"{page.title} – CUDA Teaching Examples"
        values = {"lang": "zh-CN" if page.path.endswith("_zh.md") else "en", "title": html.escape(title),
                  "description": html.escape(page.description or page.title), "root": to_root,
                  "kind": page.kind.split()[0], "chapters": chapters, "other_language": self.other_language(page),
                  "body": page.body(page), "turn": turn, "path": html.escape(page.path)}
        return Template(read(os.path.join(HERE, "page.html"))).substitute(values)

    def whole_step(self, page):
        name = os.path.basename(page.address)[:-5]
        back = (f'<nav id="to-sample" aria-label="The sample"><a href="{relative(self.step_back(name), page.address)}">'
                f'← {html.escape(name)}</a></nav>\n  <h1 id="page-name">{html.escape(name)}, step by step</h1>')
        body = self.results[name]["step"]["body"].replace("<header>", "<header>\n  " + back, 1)
        values = {"name": html.escape(name), "body": body}
        return Template(read(os.path.join(HERE, "step.html"))).substitute(values)

    def other_language(self, page):
        if page.path.endswith("_zh.md"):
            target, label = self.of_path.get(page.path[:-6] + ".md"), '<a lang="en" href="{}">English</a>'
        else:
            target = self.of_path.get(page.path[:-3] + "_zh.md") or self.of_path.get("docs/first_steps_zh.md")
            label = '<a lang="zh-CN" href="{}">中文</a>'
        return label.format(relative(target, page.address)) if target else ""

    def search_index(self):
        """[title, kind, address, words] of all pages but sources and steps, and of the terms of the glossary."""
        entries = [[page.title, page.kind, page.address, page.words] for page in self.pages.values()
                   if page.kind not in ("source", "threads")]
        entries += [[page.path, "source", page.address, ""] for page in self.pages.values() if page.kind == "source"]
        for path, kind in (("docs/glossary.md", "term"), ("docs/glossary_zh.md", "术语")):
            if path in self.of_path:
                entries += [[title, kind, f"{self.of_path[path]}#{anchor}", ""]
                            for level, title, anchor in text.headings(self.text(path)) if level > 1]
        return entries


def with_start(content):
    """The first page: its film next to its first paragraphs, and the ways into the site."""
    match = re.match(r"(?s)(?P<head>\s*<h1.*?</h1>)(?P<text>.*?)"
                     r'<p>(?P<film><span class="stage">.*?</span>)</p>\n(?P<rest>.*)', content)
    if not match:
        return content
    own = re.sub(r"(?s)<p><strong>No Linux machine\?.*?</p>\n", "", match["text"])  # it leads to where the reader is
    start = ('<p class="lead">Here nothing has to be installed: each sample has a page with its source, its costs and '
             "its threads to step through.</p>\n"
             '<p class="actions"><a class="threads" href="docs/first_steps.html">Start: first steps</a>'
             '<a href="samples.html">All samples</a><a href="#chapters">Chapters</a></p>\n'
             '<h2 id="on-your-own-machine">On your own machine</h2>\n')
    return (f'{match["head"]}\n<div class="start"><div>\n{start}{own}</div>\n'
            f'<figure>{match["film"]}</figure></div>\n{match["rest"]}')


def samples_in(folder, all_samples):
    return any(sample.file.startswith(folder + "/") for sample in all_samples)


def chain(pages):
    for one, other in zip(pages, pages[1:]):
        one.after, other.before = other.address, one.address


def capital(words):
    return words[:1].upper() + words[1:]
