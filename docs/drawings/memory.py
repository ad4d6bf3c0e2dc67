"""Threads and memory: grid, block, warp, lane and pixel; constant memory; atomics."""
from svg import Drawing


def threads():
    """ray_noconst.cu: blocks of 16 x 16 threads, one thread per pixel; a picture of 64 x 64 pixels."""
    d = Drawing(820, 372, "Grid, block, warp, lane, and the pixel that belongs to a thread")
    # The grid: blockIdx (0, 0) is at the bottom left, as row 0 of the picture is.
    left, top, side = 24, 70, 52
    d.text(left + 2 * side, 28, "grid: 4 x 4 blocks", size=15)
    d.text(left + 2 * side, 47, "together a picture of 64 x 64 pixels", "dim")
    for by in range(4):
        for bx in range(4):
            mine = (bx, by) == (3, 1)
            d.cell(left + bx * side, top + (3 - by) * side, side, side, f"({bx}, {by})",
                   "blue" if mine else "plain")
    d.lines(left, top + 4 * side + 24, "in each cell: blockIdx (x, y)", ink="dim")

    # The block: threads are numbered along x first, so a warp is two rows of 16.
    bl, bt, t = 300, 70, 13
    bs = 16 * t
    for y0, y1 in ((top + 2 * side, bt), (top + 3 * side, bt + bs)):
        d.line(left + 4 * side, y0, bl, y1, "ink-blue", 1, dashed=True)
    d.text(bl + bs / 2, 28, "block (3, 1): 16 x 16 threads", size=15)
    d.text(bl + bs / 2, 47, "two rows of threads are a warp", "dim")
    for ty in range(16):
        for tx in range(16):
            warp = ty // 2
            fill = "red" if (tx, ty) == (5, 3) else "orange" if warp == 1 else "blue" if warp % 2 == 0 else "plain"
            d.rect(bl + tx * t, bt + (15 - ty) * t, t, t, fill, radius=0, stroke=0.6)
    for warp in range(8):
        d.text(bl + bs + 8, bt + (15 - 2 * warp) * t + 4, f"warp {warp}", "ink-orange" if warp == 1 else "dim", "start", 12)
    d.text(bl, bt + bs + 24, "red: threadIdx (5, 3)", "ink-red", "start")

    # The warp: 32 lanes.
    wl, wt, w = 590, 96, 25
    d.text(wl + 4 * w, 28, "warp 1: 32 lanes", size=15)
    d.text(wl + 4 * w, 47, "they run the same instruction", "dim")
    d.text(wl + 4 * w, 65, "at the same time", "dim")
    for lane in range(32):
        d.cell(wl + lane % 8 * w, wt + lane // 8 * w, w, w, lane, "red" if lane == 21 else "orange", size=11)
    d.text(wl, wt + 4 * w + 24, "red: lane 21 = (3 * 16 + 5) % 32", "ink-red", "start")
    d.lines(wl, wt + 4 * w + 50, "A multiprocessor holds whole", "blocks and picks, at each clock,", "warps that can go on.", ink="dim")

    d.text(24, 338, "x = threadIdx.x + blockIdx.x * blockDim.x =  5 + 3 * 16 = 53", anchor="start", code=True)
    d.text(24, 358, "y = threadIdx.y + blockIdx.y * blockDim.y =  3 + 1 * 16 = 19", anchor="start", code=True)
    d.text(500, 348, "the pixel of the red thread: column 53, row 19", "ink-red", "start")
    return d


def lanes_and_words(d, left, top, words, fill, title, wanted):
    """Eight lanes (for 32) above eight words; an arrow from each lane to the word that it reads."""
    d.text(left + 4 * 30, top - 14, title, size=14)
    for lane in range(8):
        d.cell(left + lane * 30, top, 28, 24, lane, "plain", size=12)
    for word in range(8):
        d.cell(left + word * 30, top + 84, 28, 24, f"w{word}", fill if word in wanted else "plain", size=12)
    for lane in range(8):
        d.arrow(left + lane * 30 + 14, top + 26, left + words(lane) * 30 + 14, top + 82, "ink", 1.1)


def constant_broadcast():
    """constant_broadcast.cu: what the constant cache does when lanes read one word, and when they read several."""
    d = Drawing(820, 330, "Constant memory: one word for all lanes is a broadcast, different words are read one after another")
    d.text(20, 76, "lanes", "dim", "start")
    d.text(20, 160, "words", "dim", "start")
    lanes_and_words(d, 70, 60, lambda lane: 3, "blue", "all lanes read the same word", {3})
    lanes_and_words(d, 340, 60, lambda lane: lane % 4, "orange", "lanes read four different words", {0, 1, 2, 3})

    # When the cache answers: one word at a time.
    d.text(20, 218, "time", "dim", "start")
    d.cell(70, 200, 56, 28, "w3", "blue")
    d.text(134, 218, "one read serves all lanes", "ink-blue", "start")
    for i in range(4):
        d.cell(340 + i * 58, 200, 56, 28, f"w{i}", "orange")
    d.text(340, 246, "four reads, one after another (serialized)", "ink-orange", "start")

    d.text(700, 46, "global memory", size=14)
    for lane in range(4):
        d.cell(640 + lane * 30, 60, 28, 24, lane, "plain", size=12)
        d.cell(640 + lane * 30, 144, 28, 24, f"w{lane}", "green", size=12)
        d.arrow(654 + lane * 30, 86, 654 + lane * 30, 142, "ink", 1.1)
    d.cell(640, 200, 118, 28, "w0 w1 w2 w3", "green")
    d.text(640, 246, "same cache line: at once", "ink-green", "start", 12)

    d.lines(20, 286, "Drawn with 8 lanes instead of 32. Measured on an H200: with 4 different words per warp constant memory takes",
            "4 times as long, with 32 words 31 times; words of global memory that lie together in the L1 cache take the same",
            "time in every case.", ink="dim", size=13)
    return d


def queue(d, x, y, count, fill):
    """Threads that wait in a row for the cell on their right."""
    for i in range(count):
        d.circle(x - 16 - i * 15, y, 6, fill)


def atomics():
    """Chapter 9: where additions to the same bin contend."""
    d = Drawing(820, 372, "Contention of atomic additions: high in global memory, lower in shared memory, none with a copy per lane")
    fills = ("blue", "orange", "green")
    for column, title in enumerate(("global memory: slow", "shared memory: faster", "a copy per lane: fastest")):
        d.text(140 + column * 270, 28, title, size=15)
    for x in (275, 545):
        d.line(x, 16, x, 296, "dim", 1, dashed=True)

    # Global: one cell for all.
    for block in range(3):
        d.text(14, 74 + block * 70, f"block {block}", "dim", "start")
        for i in range(5):
            d.circle(70 + i * 15, 70 + block * 70, 6, fills[block])
    d.cell(196, 122, 64, 36, "bin 65", "red")
    for block in range(3):
        d.arrow(140, 70 + block * 70, 194, 130 + block * 10, "ink")
    d.lines(14, 262, "High contention: all threads of the", "grid add to one counter per bin.", ink="dim")

    # Shared: one cell per block, merged at the end.
    for block in range(3):
        y = 70 + block * 70
        queue(d, 390, y, 5, fills[block])
        d.cell(392, y - 15, 56, 30, "bin 65", fills[block], size=12)
        d.arrow(450, y, 486, 132 + block * 8, "ink")
    d.cell(488, 122, 50, 36, "bin 65", "red", size=12)
    d.lines(288, 262, "Less contention: only the threads of", "a block; then one addition per block.", ink="dim")

    # Replicated: bins[value][lane].
    d.text(560, 62, "lane", "dim", "start")
    for lane in range(6):
        x = 606 + lane * 32
        d.text(x + 14, 62, str(lane) if lane < 5 else "31", "dim", size=12)
        d.circle(x + 14, 80, 6, "blue")
        d.arrow(x + 14, 88, x + 14, 122, "ink")
        for row in range(3):
            d.cell(x, 102 + row * 32, 28, 28, "", "blue" if row == 1 else "plain")
        d.arrow(x + 14, 88, x + 14, 146, "ink")
    for row, value in enumerate((64, 65, 66)):
        d.text(598, 121 + row * 32, f"bin {value}", "dim", "end", 12)
    d.text(606 + 4.5 * 32 + 14, 84, "...", "dim")
    d.lines(560, 220, "No contention: copy l is in bank l of", "shared memory, so no lane waits for", "another. The copies are added up", "at the end (privatization).", ink="dim")

    d.lines(14, 326, "hist_gpu_gmem_atomics.cu", anchor="start")
    d.lines(288, 326, "hist_gpu_shmem_atomics.cu", anchor="start")
    d.lines(560, 326, "hist_fast/4_replicated.cuh", anchor="start")
    d.text(14, 356, "Each dot is a thread that adds 1 to the counter of byte 65; additions to one counter are done one after another.", "dim", "start")
    return d
