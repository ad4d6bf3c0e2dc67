// Preloaded into programs under LeakSanitizer: without it OpenGL's driver is unloaded before the
// report, which then cannot tell the driver's leaks, which leaks.supp leaves out, from others.
extern "C" int dlclose(void*) { return 0; }
