"""./run try: the files with gaps."""
import glob
import os

import messages
from messages import did_you_mean, die, out, shorten
from samples import purpose_of, root


def starters():
    """The names of all starters, each with its file."""
    paths = sorted(glob.glob(f"{glob.escape(root)}/starters/*.cu"))
    return {os.path.basename(path)[:-3]: path for path in paths}


def try_one(command, words):
    """Lists the starters, or copies one of them into the current folder."""
    messages.me = "try"
    known = starters()
    if len(words) > 1:
        die("usage: run try [NAME]", 2)
    if not words or words[0] in ("-h", "--help"):
        lines = [f"  {name:13} {purpose_of(path)}." for name, path in known.items()]
        return out("\n".join(["Write your own: files with gaps, each checked by its own program.", *lines,
                              f"{command} try NAME writes my_NAME.cu into this folder."]))
    name = words[0]
    if name not in known:
        die(f"there is no starter '{shorten(name)}'" + did_you_mean(name, known, f"; there are: {' '.join(known)}"), 2)
    file = f"my_{name}.cu"
    if os.path.exists(file):
        die(f"{file} already exists. Rename or remove it first", 2)
    with open(known[name], encoding="utf-8") as starter:
        text = starter.read().replace("@FILE@", file)
    try:
        with open(file, "x", encoding="utf-8") as copy:
            copy.write(text)
    except OSError as error:
        die(f"{file} cannot be written: {error.strerror}", 2)
    out(f"Wrote {file}. Fill in what is marked TODO, then: {command} {file}")
