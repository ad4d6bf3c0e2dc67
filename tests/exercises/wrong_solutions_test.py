#!/usr/bin/env python3
"""What wrong.txt makes of right.cu, and the sentence about each mistake in it."""
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # not beside the sources
from wrong_solutions import wrong_solutions  # noqa: E402

RIGHT = """void first() {
  wait();
  add(1);
}
void second() {
  wait();
}
"""
HEAD = "==== one: A mistake.\nplain: ^FAIL\nfinding: only the result\n"


class Test(unittest.TestCase):
    def solutions(self, entries, **files):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "right.cu").write_text(RIGHT)
            (folder / "wrong.txt").write_text(entries)
            for stem, text in files.items():
                (folder / f"{stem}.cu").write_text(text)
            return wrong_solutions(folder)

    def refused(self, sentence, entries, **files):
        with self.assertRaises(SystemExit) as exit:
            self.solutions(entries, **files)
        self.assertIn(sentence, exit.exception.code)
        self.assertNotIn("\n", exit.exception.code)

    def test_edits(self):
        text = HEAD + "-  add(1);\n+  add(2);\n...\n void second() {\n-  wait();\n\n"
        text += "==== two: Another.\nfinding: race at second\n-  add(1);\n"
        one, two = self.solutions(text)
        result = "void first() {\n  wait();\n  add(2);\n}\nvoid second() {\n}\n"
        self.assertEqual(one, ("wrong_one", "^FAIL", None, None, result))
        self.assertEqual(two, ("wrong_two", None, "race", "second", RIGHT.replace("  add(1);\n", "")))

    def test_lines_that_only_come(self):
        [one] = self.solutions(HEAD + "   add(1);\n+  add(2);\n")
        self.assertEqual(one.text, RIGHT.replace("  add(1);\n", "  add(1);\n  add(2);\n"))

    def test_edits_may_be_in_any_order(self):
        [one] = self.solutions(HEAD + "-void second() {\n+void third() {\n...\n-void first() {\n+void second() {\n")
        self.assertEqual(one.text, RIGHT.replace("second", "third").replace("first", "second"))

    def test_whole_files(self):
        text = "// Solved in another way.\n// plain: ^FAIL\n// finding: race at first\nvoid first() {}\n"
        self.assertEqual(self.solutions("", wrong_way=text), [("wrong_way", "^FAIL", "race", "first", text)])
        self.refused("wrong_way.cu: way: there is no line finding:", "", wrong_way="// No expectation.\nvoid first() {}\n")
        self.refused("there are 2 solutions named wrong_one", HEAD + "-  add(1);\n", wrong_one=text)

    def test_mistakes_in_edits(self):
        self.refused("wrong.txt:1: one: right.cu has these lines 0 times, not once: add(3);", HEAD + "-  add(3);\n")
        self.refused("right.cu has these lines 0 times, not once: add(1);", HEAD + "-add(1);\n")
        self.refused("right.cu has these lines 2 times, not once: wait();", HEAD + "-  wait();\n")
        self.refused("an edit names no line of right.cu", HEAD)
        self.refused("an edit names no line of right.cu", HEAD + "-  add(1);\n...\n")
        self.refused("an edit names no line of right.cu", HEAD + "+  add(1);\n")
        self.refused("an edit changes nothing: add(1);", HEAD + "   add(1);\n")
        self.refused("an edit changes nothing: add(1);", HEAD + "-  add(1);\n+  add(1);\n")
        self.refused("two edits have a line in common: add(1);", HEAD + "-  wait();\n-  add(1);\n...\n-  add(1);\n")

    def test_mistakes_in_entries(self):
        self.refused("one: there is no line finding:", "==== one: A mistake.\n-  add(1);\n")
        self.refused("one: there are two lines finding:", HEAD + "finding: race\n-  add(1);\n")
        self.refused("one: there is no line plain:, and", HEAD.replace("plain: ^FAIL\n", "") + "-  add(1);\n")
        self.refused("one: no line has this code: third", HEAD.replace("only the result", "race at third") + "-  add(1);\n")
        self.refused("there are 2 solutions named wrong_one", 2 * (HEAD + "-  add(1);\n"))
        self.refused("one: the pattern is no regular expression", HEAD.replace("^", "(") + "-  add(1);\n")
        for head in "==== one\n", "==== : A mistake.\n", "==== one: \n", "one: A mistake.\n", "====one: A mistake.\n":
            self.refused("wrong.txt:1: an entry begins with ==== NAME: SENTENCE", head)
        self.refused("wrong.txt:4: this line begins with none of", HEAD + "add(1);\n")
        self.refused("wrong.txt:4: this line begins with none of", HEAD + "finding:\n")


if __name__ == "__main__":
    unittest.main()
