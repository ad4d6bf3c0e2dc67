"""What record.py runs: every sample that has --benchmark, at the sizes that the READMEs' tables and plots show.

A job is a program and its arguments; each checks every method before it times it. ZEROSn as an argument stands for a
file of n zero bytes. PARTS says which jobs a record holds.
"""
MIB = 1 << 20


class Jobs(list):
    """[(program, [argument, ...])]; quick: sizes that say nothing, for the test on the emulated device."""
    def __init__(self, quick):
        super().__init__()
        self.quick = quick

    def sizes(self, *full):
        return [33] if self.quick else full

    def byte_counts(self, *full):
        return [1000] if self.quick else full

    def add(self, program, *arguments):
        self.append((program, [str(argument) for argument in arguments]))


def book(quick):
    """Chapters 3, 4, 5, 8, 10 and dot_lock of appendix A."""
    todo = Jobs(quick)
    sizes, add = todo.sizes, todo.add
    add("hello")
    for n in sizes(1 << 26):
        for program in ("add", "add_long", "dot"):
            add(program, "-n", n)
    for size in sizes(1000, 4000):
        add("julia", "--size", size)
    add("ripple", "--size", sizes(1024)[0], "--frames", 1)
    add("shared_bitmap", "--size", sizes(1024)[0])
    for n in sizes(100_000, 1 << 24, 1 << 28):
        add("dot_fast", "-n", n)
    add("interop")
    for n in sizes(20 << 20):
        add("single_stream", "-n", n)
        for order in ("depth_first", "breadth_first"):
            add("double_stream", "-n", n, "--order", order)
        for program in ("many_streams", "stream_graph"):
            add(program, "-n", n)
    for n in sizes(1 << 22):
        add("dot_lock", "-n", n)
    return todo


def hashtables(quick):
    """The hash tables of appendix A."""
    todo = Jobs(quick)
    sizes, add = todo.sizes, todo.add
    for n in sizes(25 << 20, 1_000_000):
        add("hashtable", "-n", n)
    add("hashtable", "-n", sizes(1_000_000)[0], "--skewed")
    for n in sizes(1 << 27):
        add("hashtable_fast", "-n", n)
    return todo


def samples(quick):
    """Chapters 6, 7, 9 and the assignment, but for circle_renderer."""
    todo = Jobs(quick)
    sizes, byte_counts, add = todo.sizes, todo.byte_counts, todo.add

    # Chapter 6
    for spheres in (5,) if quick else (20, 200, 2000):
        for program in ("ray_noconst", "ray"):
            add(program, "--size", sizes(1024)[0], "--spheres", spheres)
    add("constant_broadcast", *(["--reads", 8, "--blocks", 2] if quick else []))
    for spheres in (5,) if quick else (20, 60, 200, 600, 2000, 6000):
        add("ray_fast", "--size", sizes(1024)[0], "--spheres", spheres)

    # Chapter 7
    for size in sizes(1024, 4096, 8192):
        for program in ("heat_notexture", "heat", "heat_2d"):
            add(program, "--size", size, "--frames", 1)
    for size in [128] if quick else (256, 512, 1024, 2048, 4096, 8192):  # `persistent` takes no smaller plate
        add("heat_fast", "--size", size, "--frames", 1)
    for size in sizes(16384):
        add("heat_fast", "--size", size, "--frames", 1, "--steps", 10)
    for program in ("texture_transform", "texture_modes", "half_texture", "layered_texture", "cubemap_texture",
                    "cubemap_layered_texture", "texture_3d", "mipmap_texture", "surface_copy", "cubemap_surface"):
        add(program, "--size", sizes(1024)[0])

    # Chapter 9
    for size in byte_counts(100 * MIB):
        for program, more in (("hist_gpu_gmem_atomics", []), ("hist_gpu_shmem_atomics", []),
                              ("hist_gpu_shmem_atomics", ["--blocks-per-sm", 8])):
            add(program, "--bytes", size, *more)
            add(program, "--input", f"ZEROS{size}", *more)
    for size in byte_counts(100 * MIB, 1024 * MIB):
        for values in ("random", "zeros", "text", "two"):
            add("hist_fast", "--bytes", size, "--values", values)
    for size in byte_counts(1 * MIB, 4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB):
        add("hist_fast", "--bytes", size, "--values", "random")
    if not quick:
        add("hist_fast", "--sweep", "--bytes", 100 * MIB)

    # The assignment
    for program in ("scan", "find_repeats"):
        for n in sizes(10_000, 100_000, 1_000_000, 2_000_000, 4_000_000, 10_000_000, 20_000_000, 40_000_000, 1 << 28):
            add(program, "-n", n)
    for n in sizes(1_000_000, 20_000_000, 100_000_000, 1 << 28):
        add("saxpy", "-n", n)

    # Its CPU reference takes a minute.
    for size in sizes(4096):
        add("ray_fast", "--size", size, "--spheres", 5 if quick else 2000)
    return todo


def circles(quick):
    """circle_renderer: every scene, and how the time grows with the size."""
    if quick:
        return [("circle_renderer", ["rgb", "--size", "33"])]
    scenes = ("rgb", "rgby", "rand10k", "rand100k", "rand1M", "biglittle", "littlebig", "micro2M", "pattern", "snow",
              "snowsingle", "bouncingballs", "hypnosis", "fireworks", "sunflower")
    runs = [(scene, 1024) for scene in scenes]
    runs += [(scene, size) for scene in ("rand10k", "snowsingle") for size in (256, 512, 2048, 4096)]
    # At 2048 and more the slow methods would take minutes.
    runs += [(scene, size) for scene in ("rand1M", "micro2M") for size in (256, 512)]
    return [("circle_renderer", [scene, "--size", str(size)]) for scene, size in runs]


# The records: results/NAME_GPU.json holds what these jobs printed.
PARTS = {"book": book, "hashtables": hashtables, "samples": samples, "cs418_circles": circles}
