"""python3 scripts COMMAND [WORD...]: what ./run and ./run_tests hand over to. COMMAND: one of them, as it was typed."""
import os
import sys

if sys.version_info < (3, 9):
    sys.exit("run: this needs Python 3.9 or newer; python3 is " + sys.version.split()[0])

import messages


def main():
    command, words = sys.argv[1], sys.argv[2:]
    messages.me = os.path.basename(command)
    if messages.me == "run_tests":
        import tests
        return tests.main(words)
    import run
    return run.main(command, words)


try:
    sys.exit(main())
except KeyboardInterrupt:
    sys.exit(130)
