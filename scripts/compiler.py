"""What a failed build, and a compiler's warnings, say to the user: the sentences that help, without the rest."""
import os
import re

import messages
from messages import read

# A program that is not ours gets only the warnings about mistakes, as with nvcc.
MISTAKES = re.compile(r"-W(uninitialized|return-type|format|format-extra-args|div-by-zero|overflow|return-local-addr|"
                      r"unused-value|shift-count-overflow)=?\]|assignment used as truth value|deprecated: use cuda")
CPP20 = ("integral|floating_point|same_as|convertible_to|invocable|span|bit_cast|popcount|countr_zero|countl_zero|ranges|"
         "views|numbers|format|source_location|midpoint|lerp|ssize|erase_if|jthread|barrier|latch|remove_cvref_t|"
         "type_identity_t")
NEEDS_CPP20 = re.compile(r"C\+\+20 onwards|-std=(c|gnu)\+\+2[0a]|error: .(consteval|constinit|co_await|char8_t)|"
                         rf"error: [^ \n]*\b({CPP20})\b.* (is not a member|has not been declared|no member named)|"
                         rf"has no member .({CPP20})\b")


def way_out(words, standard, is_exercise):
    """Sentences that help with what often ends a build."""
    match = re.search(r"fatal error: (\S+): No such file or directory", words)
    if match:
        yield (f"{match[1]} is missing. Copy it next to the program, or name its folder with -I FOLDER. A library's header "
               "(cuDNN, OpenCV, ...) needs the library, which this build does not have")
    match = re.search(r"error: \W?(omp_\w+)\W? (?:was not declared|is undefined)", words)
    if match:
        yield f"{match[1]} belongs to OpenMP: #include <omp.h>, and ./run FILE.cu -fopenmp"
    match = re.search(r"undefined reference to [`']([^'(]+)", words)
    name = match[1] if match else ""
    if is_exercise and "multiple definition of `main'" in words:
        yield "the check of an exercise has the main(). Remove yours"
    if is_exercise and name and name != "main":
        yield f"the check calls {name}(), which the file must define with the parameters that `./run try` has written"
    elif name.startswith(("omp_", "GOMP_")):
        yield f"{name} belongs to OpenMP: ./run FILE.cu -fopenmp"
    elif name == "main":
        yield "no file has a main(). Add the file that has it (./run FILE.cu OTHER.cu)"
    elif name:
        yield f"{name} is declared but not defined. Add the file that defines it (./run FILE.cu OTHER.cu)"
    if re.search(r"error: .?texture.? (is not a template|does not name a)", words):  # as nvcc reports it
        yield "CUDA 12 removed texture references. Create a texture object with cudaCreateTextureObject()"
    match = re.search(r" error: no matching function for call to .(atomic(?:Min|Max|Sub|CAS|And|Or|Xor))"
                      r"\((float|double)\*", words)
    if match:
        yield f"CUDA has no {match[1]}() for {match[2]}. A loop around atomicCAS() on its bits, as integers, does the same"
    if standard == "17" and NEEDS_CPP20.search(words):
        yield "this is C++20, and nvcc defaults to C++17. Run STANDARD=20 ./run FILE.cu"


def program_lines(lines, ours):
    """The compiler's lines about the program, without what g++ notes at lines of the emulated device's headers. What those
    refuse (static_assert) is reported at the program's line, with the column of the launch as it is written."""
    held = []  # an instantiation of theirs, until it shows whether they refuse it
    skip = False
    for line in lines:
        is_ours = line.startswith(ours)
        if is_ours and " In instantiation of " in line:
            held = [line]
        elif held and ":   required from " in line:
            held.append(line)
        elif held and is_ours and " error: static assertion failed: " in line:
            place = next((one for one in held if not one.startswith(ours)), held[0])
            yield f"{launch_in(place)}: error: {line.split(' error: static assertion failed: ')[1]}"
            held = []
            skip = True
        else:
            yield from held
            held = []
            if not line.startswith(" "):
                skip = is_ours and ": note: " in line or line.startswith("In file included from " + ours)
            if not skip and "undefined reference to `main'" not in line:
                yield line


def launch_in(place):
    """FILE:LINE:COLUMN of the launch, without the column where the line has several."""
    file, number = place.split(":")[:2]
    lines = read(file).split("\n")
    line = lines[int(number) - 1] if int(number) <= len(lines) else ""
    match = re.search(r"[A-Za-z_][A-Za-z_0-9:]*(<[^;]*>)?[ \t]*<<<", line)
    return f"{file}:{number}" + (f":{match.start() + 1}" if match and line.count("<<<") == 1 else "")


def explain_failure(words, root, standard):
    """The compiler's words without Ninja's: the step that failed, and its command on the next line."""
    is_exercise = re.search(r"exercises/\w+/check\.", words) is not None
    words = re.sub(r"^FAILED: .*\n.*\n", "", words, flags=re.MULTILINE)
    lines = [line for line in words.split("\n")
             if not re.match(r"\[\d+/[\d?]+\]|ninja: |collect2: ", line) and ": in function " not in line]
    shown = [f"{messages.me}: {sentence}" for sentence in way_out("\n".join(lines), standard, is_exercise)]
    shown += list(program_lines(lines, root + "/emulator/"))[:60]
    if "RUN_VERBOSE" in os.environ:
        shown += lines
    return "\n".join(shown).rstrip("\n") + "\n"


def keep_warnings(path, log, target, files):
    """The lines with warnings about the program's files. A compiler warns when it compiles, and a program is run again and
    again: so the file `path` keeps them, each with the step that gave it, until that step is repeated."""
    steps = re.findall(r"^\[\d+/\d+\] (.*)\n((?:(?!\[\d).*\n)*)", log, re.MULTILINE)
    kept = [line.split("\t", 1) for line in read(path).split("\n") if "\t" in line]
    kept = [pair for pair in kept if pair[0] not in dict(steps)]
    kept += [[step, line] for step, said in steps for line in said.split("\n") if ": warning: " in line]
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(f"{step}\t{line}\n" for step, line in kept))

    def stem(name):
        return os.path.basename(name).split(".")[0]

    stems = {"listing", *map(stem, files)}
    return [line for step, line in kept
            if stem(step) in stems and (".dir/" not in step or f"CMakeFiles/{target}.dir/" in step)]


def warnings(lines, ours):
    """The warnings among the lines, each as one sentence, once. With `ours`, the project's folder, those of a program that is not ours."""
    shown = {}
    unset = set()
    for line in lines:
        if ": warning: " not in line:
            continue
        if ours and line.startswith((ours + "/common/", ours + "/emulator/")):
            continue
        if ours and re.search(r" \[-W[^]]*\]$", line) and not MISTAKES.search(line):
            continue
        place = re.sub(r":\d+$", "", line.split(": warning: ")[0])  # file:line
        if "has no value yet" in line:
            unset.add(place)
        if "-Wuninitialized" in line and place in unset:
            continue  # cu2cpp has reported it
        shown[re.sub(r" \[-W[^]]*\]$", "", line) + "\n"] = True
    return "".join(shown)
