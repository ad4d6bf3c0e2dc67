"""The files of a site, without a browser: links, anchors, sizes, and how far each page is from the first one."""
import html.parser
import os
import re
from collections import deque
from pathlib import Path
from urllib.parse import unquote, urlsplit

WHOLE_SITE = 60_000_000  # bytes
TOUCHES = 4  # from the first page to any other, on a phone
LEAVES = ("page-source",)  # kinds of pages that may be farther away
# Attributes with an address. Those of ROLES lead the reader to another page; the browser loads the others itself.
ADDRESSES = ("href", "src", "poster", "data", "action", "xlink:href")
ROLES = ("a", "area")


class Page(html.parser.HTMLParser):
    """What a page refers to, as (line, tag, address, whether a closed <details> hides it); its ids, and its kind."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.repeated, self.references = set(), [], []
        self.has_viewport = False
        self.kind = None  # the class of its body
        self.open_details = []  # for each <details> around, whether it is open
        self.in_summary = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attributes = {name: value or "" for name, value in attrs}
        self.has_viewport |= tag == "meta" and attributes.get("name") == "viewport"
        if tag == "body":
            self.kind = attributes.get("class")
        if tag == "details":
            self.open_details.append("open" in attributes)
        self.in_summary |= tag == "summary"
        for name in {attributes.get("id"), attributes.get("name") if tag == "a" else None} - {None}:
            if name in self.ids:
                self.repeated.append((self.getpos()[0], name))
            self.ids.add(name)
        is_hidden = not all(self.open_details[:-1] if self.in_summary else self.open_details)
        addresses = [attributes[name] for name in ADDRESSES if name in attributes]
        addresses += [part.split()[0] for part in attributes.get("srcset", "").split(",") if part.strip()]
        self.references += [(self.getpos()[0], tag, address.strip(), is_hidden) for address in addresses]

    def handle_endtag(self, tag):
        if tag == "details" and self.open_details:
            self.open_details.pop()
        self.in_summary &= tag != "summary"


class Site:
    """All files of a folder, and what is wrong with them, as sentences."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        paths = (path for path in self.folder.rglob("*") if path.is_file())
        self.files = sorted(path.relative_to(self.folder).as_posix() for path in paths)
        self.pages = {name: Page(self.read(name)) for name in self.files if name.endswith(".html")}
        self.links = 0

    def read(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def faults(self):
        found = []
        if "index.html" not in self.pages:
            return [f"{self.folder} has no index.html"]
        for name, page in self.pages.items():
            if not page.has_viewport:
                found.append(f"{name}: it has no <meta name=\"viewport\">, so a phone shows it tiny")
            found += [f"{name}:{line}: the id '{anchor}' is there twice" for line, anchor in page.repeated]
            for line, tag, address, _ in page.references:
                self.links += 1
                wrong = self.fault_of(name, tag, address)
                if wrong:
                    found.append(f"{name}:{line}: {address}: {wrong}")
        for name in self.files:
            if name.endswith(".css"):
                for address in re.findall(r"""url\(\s*["']?([^"')]*)""", self.read(name)):
                    wrong = self.fault_of(name, "style", address)
                    if wrong:
                        found.append(f"{name}: {address}: {wrong}")
        found += self.far_pages()
        size = sum((self.folder / name).stat().st_size for name in self.files)
        if size > WHOLE_SITE:
            found.append(f"the whole site has {size} bytes, and {WHOLE_SITE} are the most")
        return found

    def target_of(self, name, address):
        """The file that a relative address leads to, and the anchor in it."""
        parts = urlsplit(address)
        path = unquote(parts.path)
        target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
        return target, unquote(parts.fragment)

    def fault_of(self, name, tag, address):
        """What is wrong with an address, or None."""
        scheme = urlsplit(address).scheme
        if address.startswith("//"):
            return "write the address with https:"
        if scheme == "data" and tag not in ROLES:
            return None
        if scheme:
            if tag not in ROLES:
                return "the page loads it from outside of the folder"
            is_well_formed = re.match(r"https?://[\w.-]+\.\w+(:\d+)?(/|$)|mailto:\S+@\S+", address)
            return None if is_well_formed else "odd address"
        if address.startswith("/"):
            return "begins with a slash, but the site may be in any folder"
        target, anchor = self.target_of(name, address)
        if not address or target.startswith(".."):
            return "leads out of the folder" if address else "is empty"
        if target not in self.files:
            is_folder = (self.folder / target).is_dir()
            return "is a folder, which a disk shows as a list: name its index.html" if is_folder else "no such file"
        if not anchor or "=" in anchor:  # KEY=VALUE is read by the page's script
            return None
        if target.endswith(".svg"):
            return None if f'id="{anchor}"' in self.read(target) else f"no id '{anchor}' there"
        return None if target in self.pages and anchor in self.pages[target].ids else f"no id '{anchor}' there"

    def far_pages(self):
        """Pages that a reader does not reach from the first one by a few touches; one more opens a <details>. Some
        sources are reached only from other sources, or by the search."""
        touches = {"index.html": 0}
        queue = deque(["index.html"])
        while queue:
            name = queue.popleft()
            for _, tag, address, is_hidden in self.pages[name].references:
                if tag not in ROLES or urlsplit(address).scheme:
                    continue
                target = self.target_of(name, address)[0]
                cost = touches[name] + (2 if is_hidden else 1)
                if target in self.pages and cost < touches.get(target, TOUCHES + 1):
                    touches[target] = cost
                    queue.append(target)
        return [f"{name}: it is not reached from index.html in {TOUCHES} touches"
                for name, page in self.pages.items() if name not in touches and page.kind not in LEAVES]
