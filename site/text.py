"""Markdown to HTML: GitHub's anchors, links to the pages of the site, films, commands that lead to pages."""
import html
import re

from markdown_it import MarkdownIt

import source

LANGUAGES = {"cpp": "a.cpp", "cuda": "a.cu", "c": "a.c", "cmake": "a.cmake", "python": "a.py", "bash": "a.sh"}
COMMAND = re.compile(r"(?:\./run )?(?P<how>diff )(?P<one>[\w/.]+) (?P<what>[\w/.]+)|"
                     r"\./run (?P<way>--step |--explain |try )?(?P<name>[\w/.]+)")


def slug(title):
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def plain(token):
    """The words of an inline token."""
    return "".join(child.content for child in token.children or [] if child.type in ("text", "code_inline"))


def failures(text):
    """The commands of Markdown that fail on purpose."""
    return re.findall(r"^    ((?:\w+=\w+ )*\./run \S.*?)\s+# FAIL, as it must", text, re.M)


def headings(text):
    """[(level, title, anchor)] of Markdown."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    found, used = [], {}
    for token, inline in zip(tokens, tokens[1:]):
        if token.type == "heading_open":
            title = plain(inline)
            anchor = slug(title)
            count = used.get(anchor, 0)
            used[anchor] = count + 1
            found.append((int(token.tag[1]), title, f"{anchor}-{count}" if count else anchor))
    return found


class Page:
    """One Markdown file on its way to HTML. `site` resolves links and pictures (pages.py)."""

    def __init__(self, site, path, address):
        self.site, self.path, self.address = site, path, address
        self.anchors = []
        self.tables = 0
        self.heading = ""

    def html(self, text):
        self.anchors = [anchor for _, _, anchor in headings(text)]
        parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        tokens = parser.parse(text)
        for token, following in zip(tokens, [*tokens[1:], None]):
            if token.type == "heading_open":
                self.heading = html.escape(plain(following))
            if token.type == "th_open" and not following.content:
                token.tag = "td"
            if token.type == "th_close" and not before.content:
                token.tag = "td"
            before = token
            self.change(token)
        return parser.renderer.render(tokens, parser.options, {})

    def change(self, token):
        if token.type == "heading_open":
            token.attrSet("id", self.anchors.pop(0))
        elif token.type == "inline":
            self.change_links(token.children)
        elif token.type in ("html_block", "html_inline"):
            token.content = self.tags_in(token.content)
        elif token.type in ("fence", "code_block"):
            self.change_code(token)
        elif token.type == "table_open":
            self.tables += 1
            name = f"Table {self.tables}: {self.heading}"
            self.wrap(token, f'<div class="scrolls" tabindex="0" role="group" aria-label="{name}">', "")
        elif token.type == "table_close":
            self.wrap(token, "", "</div>")

    @staticmethod
    def wrap(token, before, after):
        tag = "<table>" if token.type == "table_open" else "</table>"
        token.type, token.content, token.tag = "html_block", before + tag + after, ""

    def change_links(self, children):
        closes = []  # of each open link, whether it stays
        for child in children:
            if child.type == "link_open":
                target = self.site.href(child.attrs["href"], self.path, self.address)
                closes.append(target is not None)
                if target is None:
                    child.type, child.content = "text", ""
                else:
                    child.attrSet("href", target)
            elif child.type == "link_close" and not closes.pop():
                child.type, child.content = "text", ""
            elif child.type == "image":
                words = html.escape("".join(part.content for part in child.children))
                child.type = "html_inline"
                child.content = self.site.picture(child.attrs["src"], self.path, self.address, words)
            elif child.type == "html_inline":
                child.content = self.tags_in(child.content)

    def tags_in(self, content):
        """HTML in Markdown: pictures, and what folds an answer. All other tags are shown as they are typed."""
        parts = re.split(r"(<img [^>]*>|</?(?:details|summary)>)", re.sub(r"(?s)<!--.*?-->\n?", "", content))
        for number, part in enumerate(parts):
            if number % 2 == 0:
                parts[number] = part.replace("<", "&lt;")
            elif part.startswith("<img"):
                values = dict(re.findall(r'(\w+)="([^"]*)"', part))
                parts[number] = self.site.picture(values["src"], self.path, self.address, values.get("alt", ""),
                                                  values.get("width"))
        return "".join(parts)

    def change_code(self, token):
        language = token.info.split()[0] if token.info else ""
        if language in LANGUAGES or not language and re.search(r"[;{}]\s*(//.*)?$", token.content, re.M) \
                and "./run" not in token.content:
            lines = source.colored_lines(token.content, source.lexer_for(LANGUAGES.get(language, "a.cu")))
            body = "\n".join(lines)
        else:
            body = "\n".join(map(self.command_line, token.content.rstrip("\n").split("\n")))
        token.type = "html_block"
        printed = "".join(
            f"<details><summary>What <code>{html.escape(command)}</code> prints on the emulated device</summary>"
            f'<pre tabindex="0"><code>{html.escape(self.site.printed[command])}</code></pre></details>\n'
            for command in failures("    " + token.content.replace("\n", "\n    ")) if self.site.printed.get(command))
        token.content = f'<pre tabindex="0"><code>{body}</code></pre>\n{printed}'

    def command_line(self, line):
        """A command's line, as a link to what it would show, if the site has that."""
        comment = ""
        if match := re.search(r"\s+#.*$", line):
            line, comment = line[:match.start()], f'<i class="c">{html.escape(match[0])}</i>'
        match = COMMAND.search(line)
        target = self.site.command(match["how"] or match["way"] or "", match["what"] or match["name"], match["one"],
                                   self.address) if match else None
        if target:
            before, rest = line[:match.start()], line[match.start():]
            return f'{html.escape(before)}<a class="run" href="{html.escape(target)}">{html.escape(rest)}</a>{comment}'
        return html.escape(line) + comment
