"""Threads of a block that work together: sums as a tree, with barriers, and a barrier that only some threads reach."""
from svg import Drawing


def dot_tree():
    """dot.cu and divergent_barrier.cu: three steps of the sum over a block of 8 threads; the barrier after the `if`, and
    inside of it."""
    d = Drawing(820, 436, "A sum over 8 threads as a tree: every thread reaches every barrier, or only those that add")
    side, step_height = 40, 92
    for left, title, source, ink in ((70, "the barrier outside of the if", "dot_kernel", "ink-green"),
                                     (474, "the barrier inside of the if", "divergent_barrier_kernel", "ink-red")):
        right = left + 8 * side
        outside = ink == "ink-green"
        d.text(left + 4 * side, 24, title, size=15)
        d.text(left + 4 * side, 44, source, "dim", code=True)
        for t in range(8):
            d.cell(left + t * side, 62, side - 4, 28, f"s{t}", "plain", size=12)
        d.line(left - 8, 100, right + 4, 100, "ink-green", 2.4)
        for step in range(3):
            half, y = 4 >> step, 62 + (step + 1) * step_height
            for t in range(half):
                d.arrow(left + t * side + 18, y - step_height + 30, left + t * side + 18, y - 2, "ink", 1.2, 6)
                d.arrow(left + (t + half) * side + 18, y - step_height + 30, left + t * side + 24, y - 2, "ink", 1.2, 6)
            for t in range(8):
                words = "sum" if step == 2 else f"{t} + {t + half}" if step == 0 else "+"
                adds = t < half
                d.cell(left + t * side, y, side - 4, 28, words if adds else "", "blue" if adds else "plain", size=11)
            line_right = right + 4 if outside else left + half * side
            d.line(left - 8, y + 38, line_right, y + 38, ink, 2.4)
            if not outside:
                d.text(line_right + 8, y + 42, f"{8 - half} of 8 never come", "ink-red", "start", 12)
    for step in range(3):
        d.text(14, 80 + (step + 1) * step_height, f"half {4 >> step}", "dim", "start", 12)
    d.lines(14, 404, "Green: a barrier that all threads of the block reach. Red: one that only the threads reach that add, which CUDA forbids.",
            "Blue: threads that add in this step. Drawn with 8 threads instead of 256.", ink="dim")
    return d


def shared_tile():
    """shared_bitmap.cu: a thread writes its value and reads the opposite one, of another warp."""
    d = Drawing(820, 330, "A tile of 16 x 16 values in shared memory: which thread reads whose value")
    side = 13
    for left, title, source, ink in ((40, "write", "tile[tx][ty] = ...", "ink-blue"),
                                     (330, "read", "tile[15 - tx][15 - ty]", "ink-orange")):
        d.text(left + 8 * side, 24, title, size=15)
        d.text(left + 8 * side, 44, source, ink, code=True)
        for ty in range(16):
            for tx in range(16):
                mine = (tx, ty) == ((3, 1) if left == 40 else (12, 14))
                warp = ty // 2 == (0 if left == 40 else 7)
                d.rect(left + tx * side, 58 + (15 - ty) * side, side, side,
                       "red" if mine else "orange" if warp else "plain", radius=0, stroke=0.6)
    d.line(292, 50, 292, 280, "ink-green", 3)
    d.text(292, 300, "__syncthreads()", "ink-green", code=True)
    d.lines(570, 80, "Red: the place that thread (3, 1)", "writes, and the one that it reads.", "",
            "Orange: the places of its warp, two", "rows of 16 threads. It writes its own",
            "rows and reads those of warp 7.", "",
            "Without the barrier, warp 0 may read", "before warp 7 has written.", ink="dim")
    return d


def vector_grid():
    """add.cu: ten elements, with ten blocks of one thread, and with three blocks of four."""
    d = Drawing(820, 312, "Ten elements and the threads that add them: ten blocks of one thread, three blocks of four")
    left, side = 190, 50

    d.lines(14, 42, "add<<<10, 1>>>", anchor="start")
    d.text(14, 60, "i = blockIdx.x", "ink-blue", "start", code=True)
    for i in range(10):
        d.frame(left + i * side, 20, side - 4, 44, "dim", 1)
        d.cell(left + i * side + 9, 40, 28, 20, "0", "blue", size=11)
        d.text(left + i * side + 23, 34, f"block {i}", "dim", size=11)
        d.arrow(left + i * side + 23, 66, left + i * side + 23, 102, "ink", 1.1, 6)

    d.text(14, 124, "element i", "dim", "start")
    for i in range(10):
        d.cell(left + i * side, 104, side - 4, 28, f"c[{i}]", "green")

    d.lines(14, 190, "add<<<3, 4>>>", anchor="start")
    d.text(14, 208, "i = threadIdx.x +", "ink-blue", "start", code=True)
    d.text(14, 224, "blockIdx.x * blockDim.x", "ink-blue", "start", size=11, code=True)
    for block in range(3):
        x = left + block * 4 * side
        d.frame(x - 1, 172, 4 * side - 3, 46, "dim", 1)
        d.text(x + 2 * side - 2, 212, f"block {block}", "dim", size=11)
        for t in range(4):
            i = 4 * block + t
            d.cell(x + t * side + 9, 176, 28, 20, t, "blue" if i < 10 else "red", size=11)
            if i < 10:
                d.arrow(x + t * side + 23, 174, x + t * side + 23, 134, "ink", 1.1, 6)
    d.text(left, 244, "Red: for threads 2 and 3 of block 2, i is 10 and 11. There is no such element: if (i < n).",
           "ink-red", "start")
    d.lines(14, 278, "In each blue cell: threadIdx.x. A warp has 32 lanes, whatever the block's size: with one thread per block, 31 of 32",
            "have nothing to do. All threads run at the same time, in any order.", ink="dim")
    return d


def two_memories():
    """hello.cu: the host's memory and the device's, what crosses between them, and two pointers that lead astray."""
    d = Drawing(820, 330, "Host and device, each with a memory: what cudaMemcpy, a launch and a pointer do")
    for left, name, fill, cell in ((30, "host: the CPU runs main()", "plain", "c"),
                                   (510, "device: the GPU runs the kernel", "plain", "*dev_c")):
        d.text(left + 140, 28, name, size=15)
        d.frame(left, 44, 280, 190, "dim", 1)
        d.text(left + 140, 66, "its memory", "dim")
        d.cell(left + 100, 104, 80, 36, cell, "green" if left > 30 else "blue", size=14)
    d.cell(130, 178, 80, 36, "dev_c", "blue", size=14)

    d.arrow(606, 116, 214, 116, "ink-blue", 2)
    d.text(410, 100, "cudaMemcpy(&c, dev_c, ...)", "ink-blue", code=True)
    d.arrow(214, 196, 606, 142, "ink-green", 2)
    d.text(410, 208, "cudaMalloc(&dev_c, ...): an address", "ink-green")
    d.text(410, 226, "of the device's memory", "ink-green")
    d.lines(30, 262, "The host may store dev_c, pass it to a kernel and to cudaMemcpy. Two mistakes:", ink="ink")
    d.lines(30, 284, "*dev_c on the host: the process dies (--mistake device_pointer)",
            "&c in a kernel: an illegal memory access (--mistake host_pointer)", ink="ink-red")
    return d


def dot_rungs():
    """dot_fast: what each rung changes, from the blocks at work to the bytes in flight."""
    d = Drawing(820, 560, "Rungs of dot_fast: more blocks, sums by shuffles, one atomic addition per block, wide loads")

    def panel(left, top, title, rung):
        d.frame(left, top, 392, 258, "dim", 1)
        d.text(left + 14, top + 26, title, anchor="start", size=15)
        d.text(left + 378, top + 26, rung, "ink-blue", "end", 12, code=True)

    # Multiprocessors, and the blocks on them.
    panel(12, 14, "enough blocks", "occupancy")
    for y, words, blocks in ((60, "32 blocks (book)", 1), (156, "as many as fit (occupancy)", 4)):
        d.text(26, y + 4, words, anchor="start")
        for sm in range(8):
            d.frame(26 + sm * 46, y + 14, 40, 54, "dim", 1)
            for block in range(blocks if blocks > 1 or sm < 2 else 0):
                d.rect(30 + sm * 46, y + 56 - block * 12, 32, 8, "blue", radius=1)
    d.text(26, 248, "Boxes: multiprocessors. Most idle with 32 blocks.", "dim", "start")
    d.text(26, 264, "Drawn: 8 of them, of 132 on an H100 or H200.", "dim", "start", 11)

    # A warp's sum in registers.
    panel(416, 14, "sums in registers", "shuffles")
    side = 42
    for step, (y, distance) in enumerate(((56, 4), (110, 2), (164, 1), (218, 0))):
        for lane in range(8):
            adds = step == 0 or lane < 2 * distance or (distance == 0 and lane == 0)
            d.cell(432 + lane * side, y, side - 6, 24, f"v{lane}" if step == 0 else "sum" if distance == 0 and adds else "",
                   "blue" if adds else "plain", size=11)
        for lane in range(distance):
            d.arrow(450 + (lane + distance) * side, y + 25, 450 + lane * side + 4, y + 52, "ink-orange", 1.2, 6)
            d.arrow(450 + lane * side, y + 25, 450 + lane * side, y + 52, "ink", 1.2, 6)
        if distance:
            d.text(790, y + 44, f"+{distance}", "ink-orange", "end", 12)
    d.text(432, 264, "__shfl_down_sync: no shared memory, no barrier (8 lanes of 32)", "dim", "start", 11)

    # From the blocks' sums to the result.
    panel(12, 286, "one result", "atomic")
    for y, words in ((330, "book"), (436, "atomic")):
        d.text(26, y + 22, words, anchor="start")
        for block in range(4):
            d.cell(90 + block * 44, y + 6, 38, 26, f"s{block}", "green", size=12)
    d.arrow(266, 349, 312, 349, "ink-orange")
    d.text(289, 340, "copy", "ink-orange", size=11)
    d.cell(314, 336, 74, 26, "CPU: +", "orange", size=12)
    d.arrow(351, 364, 351, 388, "ink-orange")
    d.text(344, 380, "copy", "ink-orange", "end", 11)
    d.cell(314, 390, 74, 24, "result", "blue", size=12)
    for block in range(4):
        d.arrow(109 + block * 44, 469, 170 + block * 4, 495, "ink-green", 1.2, 6)
    d.text(250, 488, "atomicAdd", "ink-green", "start", code=True)
    d.cell(138, 497, 74, 24, "result", "blue", size=12)
    d.text(26, 536, "The host neither copies nor waits.", "dim", "start")

    # What a thread has asked for and not yet got.
    panel(416, 286, "bytes in flight", "vector")
    for y, words, loads, width in ((330, "atomic: 2 loads of 4 bytes", 2, 1), (420, "vector: 4 loads of 16 bytes", 4, 4)):
        d.text(432, y + 6, words, anchor="start")
        for load in range(loads):
            for word in range(width):
                d.cell(432 + load * 92 + word * 20, y + 18, 19, 26, "ab"[load % 2], "blue" if load % 2 == 0 else "orange", size=11)
    d.text(432, 394, "Per thread, before it must wait. Each box is a float.", "dim", "start")
    d.text(432, 492, "Eight times the bytes in flight,", "dim", "start")
    d.text(432, 510, "and a quarter of the load instructions.", "dim", "start")
    return d
