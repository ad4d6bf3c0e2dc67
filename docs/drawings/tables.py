"""Hash tables: lists with heads, and slots that are probed."""
from svg import Drawing


def hash_tables():
    """The appendix: four lists; an insertion at a head, with a race and without; open addressing."""
    d = Drawing(820, 424, "A hash table of lists, an insertion at the head of a list, and open addressing")
    d.text(14, 26, "lists: bucket = key % 4", anchor="start", size=15)
    d.text(14, 48, "heads", "dim", "start")
    chains = (("12", "4"), ("9",), (), ("7", "3", "11"))
    for bucket, keys in enumerate(chains):
        y = 58 + bucket * 34
        d.cell(14, y, 44, 26, bucket, "blue")
        x = 58
        for key in keys:
            d.arrow(x, y + 13, x + 32, y + 13, "ink", 1.2)
            d.cell(x + 34, y, 44, 26, key, "plain")
            x += 78
        d.arrow(x, y + 13, x + 24, y + 13, "dim", 1)
        d.text(x + 40, y + 17, "end", "dim", size=11)

    d.text(420, 26, "two threads add 19 and 23 to list 3", anchor="start", size=15)
    d.lines(420, 54, "both read the head: 7", "19.next = 7, head = 19", "23.next = 7, head = 23:  19 is lost", ink="ink-red", step=20)
    d.lines(420, 126, "with a lock: one does both steps, then the other", "lock-free: next = atomicExch(&head, 23): each thread",
            "gets the head that it replaces, and no other does", ink="ink-green", step=20)
    d.text(420, 190, "A lock makes all that goes to one list wait in line.", "dim", "start")

    top = 262
    d.text(14, top - 26, "open addressing: a slot holds key and value, 64 bits; slot = hash(key)", anchor="start", size=15)
    keys = ("", "9", "", "7", "3", "11", "", "", "12", "4", "")
    for i, key in enumerate(keys):
        d.cell(14 + i * 66, top, 62, 30, f"{key}, value" if key else "empty", "plain" if key else "green",
               "ink" if key else "dim", 11)
        d.text(45 + i * 66, top + 48, str(i), "dim", size=11)
    for i in range(3, 6):
        d.arrow(45 + i * 66, top - 6, 45 + (i + 1) * 66 - 8, top - 6, "ink-orange", 1.4)
    d.text(45 + 2 * 66, top - 2, "19", "ink-orange")
    d.arrow(56 + 2 * 66, top - 6, 45 + 3 * 66 - 8, top - 6, "ink-orange", 1.4)
    d.lines(14, top + 80, "19 begins at slot 3 and probes 4, 5 and 6. Slot 6 is empty: one 64-bit compare-and-swap puts key and value there, or fails",
            "because another thread was first; then slot 7 is next. A find goes the same way until it meets its key, or an empty slot.",
            "", "The fuller the table, the longer the way: the load is the part of the slots that is in use. There are no pointers, and most",
            "finds read one sector of 32 bytes.", ink="dim")
    return d


def hash_rungs():
    """hashtable_fast: what an insertion does and what a find reads, rung by rung."""
    d = Drawing(820, 620, "Rungs of hashtable_fast: what an insertion waits for, and what a find reads")
    d.text(150, 28, "insert", anchor="start", size=15)
    d.text(480, 28, "find: what it reads", anchor="start", size=15)

    def rung(y, name, *words):
        d.line(14, y - 18, 806, y - 18, "dim", 1)
        d.text(14, y + 6, name, "ink-blue", "start", 13, code=True)
        d.lines(14, y + 26, *words, ink="dim", size=11, step=15)

    def chain(y, entries, more=False):
        """A head, and entries behind it: each read waits for the one before."""
        d.cell(480, y, 46, 26, "head", "blue", size=11)
        x = 526
        for entry in range(entries):
            d.arrow(x, y + 13, x + 26, y + 13, "ink", 1.2, 6)
            d.cell(x + 28, y, 46, 26, "entry", "blue", size=11)
            x += 74
        if more:
            d.text(x + 8, y + 17, "... n / 1,024 in all", "ink-red", "start", 12)

    rung(64, "turns", "1,024 lists,", "a lock each")
    for lane in range(5):
        d.text(150, 66 + lane * 19, f"lane {lane}" if lane < 4 else "...", "dim", "start", 11)
        if lane < 4:
            d.rect(196 + lane * 62, 56 + lane * 19, 58, 14, "orange", radius=2)
            d.text(225 + lane * 62, 67 + lane * 19, "lock link free", size=8)
    d.text(150, 162, "32 turns; and all of a list wait in line", "ink-red", "start", 12)
    chain(66, 2, True)

    rung(200, "exchange", "no lock")
    for lane in range(4):
        d.text(150, 202 + lane * 19, f"lane {lane}", "dim", "start", 11)
        d.rect(196, 192 + lane * 19, 84, 14, "green", radius=2)
        d.text(238, 203 + lane * 19, "atomicExch(head)", size=9)
        d.arrow(282, 199 + lane * 19, 326, 228, "ink", 1, 6)
    d.cell(330, 216, 46, 26, "head", "blue", size=11)
    d.text(150, 282, "one step; 1,024 words that all of them change", "ink-red", "start", 12)
    chain(202, 2, True)

    rung(320, "buckets", "as many lists", "as keys")
    for lane in range(4):
        d.text(150, 322 + lane * 19, f"lane {lane}", "dim", "start", 11)
        d.rect(196, 312 + lane * 19, 84, 14, "green", radius=2)
        d.text(238, 323 + lane * 19, "atomicExch(head)", size=9)
        d.arrow(282, 319 + lane * 19, 328, 319 + lane * 19, "ink", 1, 6)
        d.rect(330, 312 + lane * 19, 46, 14, "blue", radius=2)
        d.text(353, 323 + lane * 19, "head", size=9)
    chain(322, 1)
    d.text(480, 372, "two sectors, the second after the first", "ink-orange", "start", 12)

    rung(430, "open", "no lists")
    d.text(150, 432, "each lane", "dim", "start", 11)
    d.rect(206, 422, 170, 14, "green", radius=2)
    d.text(291, 433, "atomicCAS(slot, empty, key | value)", size=9)
    d.text(150, 462, "one step, anywhere in the table", "ink-green", "start", 12)
    for slot in range(4):
        d.cell(480 + slot * 74, 420, 72, 26, "key, value" if slot in (0, 1) else "empty", "blue" if slot < 2 else "plain", size=11)
    for slot in range(2):
        d.frame(478 + slot * 74, 418, 76, 30, "ink-orange", 2)
    d.text(480, 470, "mostly one sector of 32 bytes, a slot after the other", "ink-orange", "start", 12)

    rung(530, "sectors", "four slots", "at a time")
    d.text(150, 532, "each lane", "dim", "start", 11)
    d.rect(206, 522, 170, 14, "green", radius=2)
    d.text(291, 533, "atomicCAS(slot, empty, key | value)", size=9)
    d.text(150, 562, "one step, at the first empty slot that it sees", "ink-green", "start", 12)
    for slot in range(4):
        d.cell(480 + slot * 74, 520, 72, 26, "key, value" if slot < 2 else "empty", "blue", size=11)
    d.frame(477, 516, 302, 34, "ink-green", 2)
    d.text(480, 570, "the whole sector at once", "ink-green", "start", 12)
    d.lines(14, 604, "A memory delivers so many random sectors per second: that is the limit. Blue: what is read. Green: one atomic operation.", ink="dim")
    return d
