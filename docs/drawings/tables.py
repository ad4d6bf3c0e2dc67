"""Hash tables: lists with heads, and slots that are probed."""
from svg import Drawing


def hash_tables():
    """Of the appendix: four lists; an insertion at a head, with a race and without; open addressing."""
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
