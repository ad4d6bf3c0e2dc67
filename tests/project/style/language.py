#!/usr/bin/env python3
"""The language of code, comments, documents and output: one spelling, "per" where English says per, no sentence that
begins with "Of"; the project's forms; in samples one way to write a size, a thread's index and a kernel.

    language.py PROJECT          exit code 1 and a line per finding
    language.py PROJECT --fix    also replaces British spellings, in place
"""

import re
import sys
from pathlib import Path

TEXTS = {".h", ".hpp", ".cuh", ".cu", ".cpp", ".md", ".py", ".sh", ".cmake", ".txt", ".json", ".svg", ".html", ".css", ".js", ""}
CODE = {".h", ".hpp", ".cuh", ".cu", ".cpp"}
# Data, or text that is wrong on purpose.
LEFT_OUT = re.compile(r"benchmarks/results/|^/LICENSE|/corpora/|tests/project/style/language|__pycache__")
# Listings as in the book, programs in the style of public ones.
OTHERS_STYLE = re.compile(r"^tests/project/book_listings/|/public_style/|^exercises/.*/(wrong|right_)")
MOST_COLUMNS = 120  # of Markdown
MOST_CODE_COLUMNS = 100  # as .clang-format says, which leaves comments and strings alone

# One spelling, that of CUDA's own names (color, normalized, initialized): the British stem and the American one.
SPELLINGS = {
    "colour": "color", "grey": "gray", "neighbour": "neighbor", "behaviour": "behavior", "favour": "favor",
    "honour": "honor", "flavour": "flavor", "centred": "centered", "centring": "centering", "centre": "center",
    "metre": "meter", "catalogue": "catalog", "analogue": "analog", "artefact": "artifact", "licence": "license",
    "defence": "defense", "travelling": "traveling", "travelled": "traveled", "cancelled": "canceled",
    "cancelling": "canceling", "labelled": "labeled", "labelling": "labeling", "modelled": "modeled",
    "modelling": "modeling", "signalled": "signaled", "signalling": "signaling", "levelled": "leveled",
    "judgement": "judgment", "learnt": "learned", "whilst": "while", "amongst": "among", "analysed": "analyzed",
    "analysing": "analyzing", "analyser": "analyzer",
}
# -ise and -isation: the stems that become -ize. Others, such as rise, precise or noise, are right as they are.
ISE_STEMS = """author categor central character digital emphas equal final formal general initial item linear local
    material maxim minim modern neutral normal optim organ parallel penal priorit quant random raster real recogn
    regular sanit serial special stabil standard summar symbol synchron token util vector visual""".split()
ISE_STEM = "|".join(sorted(ISE_STEMS, key=len, reverse=True))
ISE_END = r"is(e|ed|es|er|ers|ing|ation|ations|able)(?=[^a-z]|$)"
ISE = re.compile(rf"\b(\w*(?:{ISE_STEM})){ISE_END}", re.IGNORECASE)
STEM = "|".join(sorted(SPELLINGS, key=len, reverse=True))
SPELLING = re.compile(STEM, re.IGNORECASE)
BRITISH = re.compile(f"{STEM}|(?:{ISE_STEM}){ISE_END}")  # in lower case: ten times as fast as the two above

# "per" where English says per: things counted, then "a lane", "an element". (Verbs such as "loads a tile" are fine, so
# the things are none that may be verbs, or follow "one".)
THINGS = "threads|blocks|warps|lanes|bytes|bits|words|cells|rows|columns|pixels|texels|elements|numbers|frames|rounds|" \
         "registers|instructions|circles|spheres|bins|values|channels|slots|times|operations|seconds|milliseconds|" \
         "ms|us|µs|ns|GB|MB|KB|GiB|MiB|KiB"
ONE_THING = "thread|block|warp|lane|byte|bit|word|cell|row|column|load|store|launch|step|barrier|register|number"
UNIT = "thread|block|warp|lane|byte|word|cell|row|column|pixel|texel|element|frame|round|register|launch|circle|sphere|" \
       "pass|bin|tile|channel|slot|second|clock|cycle|multiprocessor|character|side|GPU|chapter"
PER = re.compile(rf"(?<![\w-])(?:(?:{THINGS})(?: \([^)]*\))?(?: out)?|one (?:{ONE_THING})) an? (?:{UNIT})(?![\w-])"
                 r"(?! holds| counts| is | has | loads| fills|: | of \d)|"
                 rf"(?<![a-zA-Z])(?:{THINGS})_an?_(?:{UNIT})s?(?![a-zA-Z])")

# A sentence that begins with "Of", at the start of a line or a comment, or after the end of another sentence.
BEGINS_WITH_OF = re.compile(r"""(?:^[\s>*"'(_-]*|(?://+|\#+|<!--|\"{3}|/\*+)\s*|[.!?][\s"'*)_]+\(?)Of\s""")

# Samples and what they share.
SAMPLES = re.compile(r"^(?:chapter\d\d_|appendix_|cs418_|common/|docs/)")
ONE_WAY = {
    r"\bstd::size_t\b": "size_t",
    r"\bstatic_cast<size_t>\((?:threadIdx|blockIdx|blockDim|gridDim)\.[xyz]\)": "size_t{...}, as the number is unsigned",
    r"\bblockIdx\.([xyz])\b\}? \* (?:[\w.]+|\([\w *]+\)) \+ threadIdx\.\1\b": "threadIdx.x + blockIdx.x * blockDim.x",
}
ONE_WAY = {re.compile(pattern): better for pattern, better in ONE_WAY.items()}


def is_ours(name):
    return not LEFT_OUT.search("/" + name)


def files_of(project):
    for place in sorted(project.iterdir()):
        if not place.name.startswith((".", "build")):
            for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
                if path.is_file() and path.suffix in TEXTS:
                    yield path


def american(text):
    """The text in American spelling, with the case of its letters kept."""
    def stem(match):
        new = SPELLINGS[match.group(0).lower()]
        return new.capitalize() if match.group(0)[0].isupper() else new
    return ISE.sub(lambda m: m.group(1) + "iz" + m.group(2), SPELLING.sub(stem, text))


def code_without_text(line):
    """The line without its strings and its comment."""
    line = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'', '""', line)
    return re.sub(r"//.*", "", line)


def is_long_by_nature(line):
    """Rows of tables cannot be broken in Markdown, nor can an address."""
    return line.lstrip().startswith("|") or re.search(r"https?://\S{60,}", line) or \
        re.fullmatch(r"\s*[-*]?\s*!?\[.*\]\(\S+\)\S?", line)


def conditional_statements(text):
    """The line numbers of statements such as `a ? f() : g();`, and of calls such as `(a ? f : g)()`."""
    code = "\n".join("" if line.lstrip().startswith("#") else code_without_text(line) for line in text.split("\n"))
    for match in re.finditer(r"([^;{}]*);", code):
        statement = match.group(1)
        flat = re.sub(r"[=!<>]=", "~", statement)
        while (shorter := re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", flat)) != flat:
            flat = shorter
        is_bare = re.fullmatch(r"\s*[A-Za-z_*][^=,]*?\?[^=]*:[^=]*", flat) and \
            not re.search(r"\b(?:return|throw|co_yield|case|default|using|operator)\b|<<(?!<)|[(\[]", flat)
        if is_bare or re.search(r"\([^();]*\?[^();]*:[^();]*\)\s*(?:\(|<<<)", statement):
            yield code.count("\n", 0, match.end()) + 1


def kernels(name, text):
    """The line numbers of kernels that are declared in another way than those of the other samples."""
    lines = [code_without_text(line) for line in text.split("\n")]
    for number, line in enumerate(lines):
        if "__global__" not in line:
            continue
        first = number - 1
        while first > 0 and lines[first].startswith(" "):  # a long list of template parameters
            first -= 1
        is_template = number > 0 and lines[first].startswith("template")
        wanted = r"__global__ void\b"
        if Path(name).suffix != ".cu" and not is_template:
            wanted = r"(?:\[\[maybe_unused\]\] )?static __global__ void\b"
        if not re.match(wanted, line):
            yield number + 1


def findings(name, text):
    """Yields (line number, what is wrong)."""
    suffix = Path(name).suffix
    if suffix in CODE and not OTHERS_STYLE.search(name):
        for number in conditional_statements(text):
            yield number, "a conditional expression as a statement, or that chooses a function: if and else"
    if suffix in CODE and SAMPLES.search(name):
        for number in kernels(name, text):
            yield number, "a kernel is `__global__ void` in a .cu or as a template, `static __global__ void` in a header"
        for number, line in enumerate(text.split("\n"), 1):
            code = code_without_text(line)
            for pattern, better in ONE_WAY.items():
                for match in pattern.finditer(code):
                    yield number, f'"{match.group(0)}": better: {better}'
    is_american = not BRITISH.search(text.lower())
    for number, line in enumerate(text.split("\n"), 1):
        for word in [] if is_american else re.findall(r"\w+", line):
            if american(word) != word:
                yield number, f"British spelling: {word} (American: {american(word)})"
        for match in PER.finditer(line):
            yield number, f'"{match.group(0)}": say per'
        if BEGINS_WITH_OF.search(line):
            yield number, 'a sentence that begins with "Of": begin with its subject'
        if suffix == ".md" and len(line) > MOST_COLUMNS and not is_long_by_nature(line):
            yield number, f"{len(line)} columns, more than {MOST_COLUMNS}"
        if suffix in CODE and len(line) > MOST_CODE_COLUMNS and not OTHERS_STYLE.search(name) \
                and not line.startswith("// says: "):  # a pattern for a test
            yield number, f"{len(line)} columns, more than {MOST_CODE_COLUMNS}"
        if suffix in CODE:
            # A statement of its own, or the last part of a for: the old value is not used.
            if not OTHERS_STYLE.search(name) and re.search(
                    r"(?:^|[;{}]|\)) *[A-Za-z_][\w.]*(?:\+\+|--);|; *[A-Za-z_][\w.]*(?:\+\+|--)(?:\)|, )",
                    code_without_text(line)):
                yield number, "i++ where ++i does"
            if re.match(r"\s*(?:/\*\*|//!|/\*!)", line):
                yield number, "comments for readers of an interface begin with ///"
            if re.match(r"\s*///\s*@|\s*///\s*\\(?:param|return|brief)", line):
                yield number, "/// is followed by sentences, not by commands"
    if suffix in {".h", ".hpp", ".cuh"} and "#pragma once" not in text:
        yield 1, "a header without #pragma once"
    if suffix in {".h", ".hpp", ".cuh"} and re.search(r"^#ifndef \w+_H_?_?\n#define ", text, re.MULTILINE):
        yield 1, "an include guard besides #pragma once"


def main():
    project, fix = Path(sys.argv[1]).resolve(), "--fix" in sys.argv
    count = wrong = 0
    for text, bad in (("Of each byte it keeps one.", True), ("- **Of two lanes** one waits.", True),
                      ("  int n;  // Of two lanes one waits.", True), ("It waits. Of two lanes one goes on.", True),
                      ('  """Of two lanes one."""', True), ("The end of it, Office, 5 of 6; of both", False)):
        if bool(list(findings("a.md", text))) != bad:
            sys.exit(f"the test is wrong about: {text}")
    for text, bad in (("  n == 1 ? launch<1>(pass) : launch<2>(pass);", True), ("  (fits ? small : large)(plate);", True),
                      ("  n = fits ? f(1) : g(2);", False), ("  print(fits ? 1 : 2);", False)):
        if bool(list(findings("a.cpp", text))) != bad:
            sys.exit(f"the test is wrong about: {text}")
    for name, text, bad in (
            ("common/a.h", "std::size_t n;", True), ("common/a.h", "size_t n;  // std::size_t", False),
            ("common/a.h", "size_t i = blockIdx.x * blockDim.x + threadIdx.x;", True),
            ("common/a.h", "size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;", False),
            ("common/a.h", "size_t i = size_t{blockIdx.x} * tile + 4 * threadIdx.x;", False),
            ("common/a.h", "size_t i = blockIdx.y * blockDim.x + threadIdx.x;", False),
            ("common/a.h", "__global__ void k() {", True), ("common/a.h", "static __global__ void k() {", False),
            ("common/a.h", "template <int n,\n          int m>\n__global__ void k() {", False),
            ("common/a.cu", "__global__ void k() {", False), ("common/a.cu", "static __global__ void k() {", True)):
        if bool([what for _, what in findings(name, text) if "pragma" not in what]) != bad:
            sys.exit(f"the test is wrong about: {text}")
    for path in files_of(project):
        name = str(path.relative_to(project))
        if not is_ours(name):
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # data
        count += 1
        if fix:
            new = american(text)
            if new != text:
                path.write_text(new, encoding="utf-8")
                text = new
        for number, what in findings(name, text):
            print(f"{name}:{number}: {what}")
            wrong += 1
    if count < 300:
        print(f"only {count} files found below {project}")
        wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
