#!/usr/bin/env python3
"""confined.py ANSWER SECONDS GIGABYTES FORKS PROGRAM - runs another person's program in the present folder, for ./run grade.

It has limits of time, memory (0: none) and what it may write, it may fork or not (FORKS: 1 or 0), and all processes that it
has started end with it. ANSWER is a file descriptor: it gets "code N" or "signal N", or the name of the limit that ended the program.
"""
import ctypes
import os
import resource
import signal
import subprocess
import sys
import time

FILE_BYTES = 100_000_000
FOLDER_BYTES = 200_000_000
FOLDER_FILES = 10_000
SET_CHILD_SUBREAPER = 36  # linux/prctl.h: orphans become children of this process


class Instruction(ctypes.Structure):  # struct sock_filter of linux/filter.h
    _fields_ = [("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("value", ctypes.c_uint32)]


class Program(ctypes.Structure):  # struct sock_fprog
    _fields_ = [("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(Instruction))]


def refuse_forks():
    """From here on fork() fails, as processes would multiply faster than anything can end them. Threads work, and what is
    started by vfork() or posix_spawn(), which share the memory of the process until they begin (CLONE_VM): the emulated
    device starts addr2line."""
    machine = os.uname().machine
    if machine not in ("x86_64", "aarch64"):
        return
    architecture, clone, fork = (0xC000003E, 56, 57) if machine == "x86_64" else (0xC00000B7, 220, -1)
    clone3 = 435
    load, equal, any_bit, answer = 0x20, 0x15, 0x45, 0x06  # BPF: load a word, compare, test bits, return
    allow, refuse, missing = 0x7FFF0000, 0x00050000 | 1, 0x00050000 | 38  # SECCOMP_RET_ALLOW, _ERRNO: EPERM, ENOSYS
    clone_vm = 0x100
    # Jumps (if yes, if no) count from the next instruction.
    code = [(load, 0, 0, 4), (equal, 0, 8, architecture),
            (load, 0, 0, 0), (equal, 4, 0, fork & 0xFFFFFFFF), (equal, 4, 0, clone3),  # the C library then calls clone
            (equal, 0, 4, clone), (load, 0, 0, 16), (any_bit, 2, 0, clone_vm),  # among its flags
            (answer, 0, 0, refuse), (answer, 0, 0, missing), (answer, 0, 0, allow)]
    instructions = (Instruction * len(code))(*(Instruction(*one) for one in code))
    program = Program(len(code), instructions)
    library = ctypes.CDLL(None)
    no_new_privileges, set_seccomp, filter_mode = 38, 22, 2
    if library.prctl(no_new_privileges, 1, 0, 0, 0) == 0:
        library.prctl(set_seccomp, filter_mode, ctypes.byref(program), 0, 0)


def limits(gigabytes, forks):
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES,) * 2)
    if gigabytes:
        resource.setrlimit(resource.RLIMIT_AS, (gigabytes * 10**9,) * 2)
    if not forks:
        refuse_forks()


def is_full(folder):
    total = files = 0
    for path, _, names in os.walk(folder):
        for name in names:
            files += 1
            try:
                total += os.lstat(os.path.join(path, name)).st_size
            except OSError:
                pass
            if total > FOLDER_BYTES or files > FOLDER_FILES:
                return True
    return False


def descendants():
    """All processes that come from this one."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as stat:
                    parents[int(entry)] = int(stat.read().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                pass
    found = {os.getpid()}
    while new := {process for process, parent in parents.items() if parent in found} - found:
        found |= new
    return found - {os.getpid()}


def end_all():
    """First they stop, so that none starts another while the others end."""
    for number in (signal.SIGSTOP, signal.SIGSTOP, signal.SIGKILL, signal.SIGKILL):
        for process in descendants():
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass
    try:
        while os.waitpid(-1, 0):
            pass
    except ChildProcessError:
        pass


def main():
    answer, seconds, gigabytes, forks = map(int, sys.argv[1:5])
    os.set_inheritable(answer, False)
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    process = subprocess.Popen(sys.argv[5:], stdin=subprocess.DEVNULL, preexec_fn=lambda: limits(gigabytes, forks))
    until = time.monotonic() + seconds
    end = ""
    while not end:
        try:
            code = process.wait(0.2)
            end = f"code {code}" if code >= 0 else f"signal {-code}"
        except subprocess.TimeoutExpired:
            if time.monotonic() > until:
                end = "time"
            elif is_full("."):
                end = "disk"
    if os.getpid() != 1:  # the first process of a namespace takes all others with it
        end_all()
    os.write(answer, end.encode())


if __name__ == "__main__":
    main()
