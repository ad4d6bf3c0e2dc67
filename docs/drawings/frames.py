"""How frames get from a kernel into a window."""
from svg import Drawing


def interop():
    """Chapter 8: a frame through the host, and one that stays on the GPU."""
    d = Drawing(820, 330, "A frame that is copied through the host, and one that never leaves the GPU")
    for top, title in ((44, "copied: chapters 5 and 7"), (198, "interoperability: chapter 8")):
        d.text(24, top - 14, title, anchor="start", size=15)
        d.rect(20, top, 780, 112, "bare", "dim", 6)
        d.text(36, top + 22, "GPU", "dim", "start")

    # Through the host: down over the bus, and up again.
    d.cell(80, 62, 130, 40, "kernel", "blue")
    d.arrow(212, 82, 268, 82, "ink")
    d.cell(270, 62, 150, 40, "device memory", "plain")
    d.cell(600, 62, 110, 40, "window", "green")
    d.cell(470, 62, 110, 40, "OpenGL's copy", "plain", size=12)
    d.arrow(582, 82, 598, 82, "ink")
    d.line(20, 116, 800, 116, "ink-orange", 1.6, dashed=True)
    d.text(36, 134, "host", "dim", "start")
    d.text(36, 110, "the bus", "ink-orange", "start", 12)
    d.cell(370, 122, 160, 28, "host memory", "orange")
    d.arrow(345, 104, 420, 121, "ink-red")
    d.arrow(480, 121, 525, 104, "ink-red")
    d.text(540, 140, "cudaMemcpy down, glDrawPixels up", "ink-red", "start", 12)

    # Shared: one buffer with two names.
    d.cell(80, 226, 130, 40, "kernel", "blue")
    d.arrow(212, 246, 298, 246, "ink")
    d.rect(300, 216, 220, 60, "purple")
    d.text(410, 240, "one buffer, two names", size=13)
    d.text(410, 260, "OpenGL's GLuint, CUDA's resource", "dim", size=12)
    d.arrow(522, 246, 598, 246, "ink")
    d.cell(600, 226, 110, 40, "window", "green")
    d.text(255, 236, "map", "ink-purple", size=12)
    d.text(560, 236, "unmap", "ink-purple", size=12)
    d.text(36, 300, "registered once; each frame: map, kernel, unmap, draw", "dim", "start", 12)
    return d
