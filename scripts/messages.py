"""Messages of ./run and ./run_tests, the one spelling check, and the one kind of command line.

Messages go to standard error: standard output belongs to the program that is run."""
import argparse
import os
import re
import shlex
import sys

me = "run"  # the name with which messages begin; each command sets its own


def say(text):
    write(f"{me}: {text}\n")


def write(text):
    """To standard error, which may be closed or full: that keeps no command from its work."""
    try:
        if sys.stderr:
            sys.stderr.write(text)
            sys.stderr.flush()
    except OSError:
        pass


def die(text, code=1):
    say(text)
    sys.exit(code)


def out(text):
    """To standard output, which is all that a command such as --list is for."""
    try:
        if sys.stdout is None:
            raise OSError
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except OSError:
        sys.stdout = None  # Python would try again at its end
        die("cannot write to standard output")


def progress(text=""):
    """On a terminal a line that moves; without `text` it goes away."""
    if sys.stderr and sys.stderr.isatty():
        write(f"\r{text}\033[K")


def shorten(text):
    """What a user typed, as messages repeat it."""
    text = re.sub(r"[\x00-\x1f\x7f]", "?", text)
    return text if len(text) <= 60 else text[:60] + "..."


def typed(words):
    """The words as one types them in a shell."""
    return " ".join(map(shlex.quote, words))


def nearest(word, names):
    """At most five of the names: those that nearly are `word`, then those that contain it."""
    import difflib  # here, as few commands need it

    word = word.lower()[:60]
    if len(word) < 2:
        return []
    near = difflib.get_close_matches(word, names, 5, 0.65)
    return (near + [name for name in names if word in name and name not in near])[:5]


def did_you_mean(word, names, end=""):
    near = nearest(word, names)
    return f"; did you mean {', '.join(near)}?" if near else end


def refuse_unwritable(path, shown):
    is_new = not os.path.exists(path)
    try:
        with open(path, "a", encoding="utf-8"):
            pass
    except OSError as error:
        die(f"{shown} cannot be written: {error.strerror}", 2)
    if is_new:
        os.remove(path)


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


class Parser(argparse.ArgumentParser):
    """Refuses wrong words in one sentence, with exit code 2."""

    def __init__(self):
        super().__init__(add_help=False, allow_abbrev=False)

    def error(self, message):
        for said, better in (("argument (.*): expected one argument", r"\1 needs a value after it"),
                             ("argument (.*): not allowed with argument (.*)", r"\1 and \2 exclude each other"),
                             ("argument (.*): ignored explicit argument .*", r"\1 takes no value"),
                             ("argument (.*): (needs .*)", r"\1 \2")):
            message = re.sub(f"^{said}$", better, message)
        die(message, 2)

    def option_names(self):
        return [name for action in self._actions for name in action.option_strings if name.startswith("--")]

    def refuse_unknown(self, words, end=""):
        """Ends the program if one of the words, which the parser left over, looks like an option."""
        for word in words:
            if word.startswith("-"):
                name = shorten(word.split("=")[0])
                die(f"there is no option '{name}'" + did_you_mean(name, self.option_names(), end), 2)
