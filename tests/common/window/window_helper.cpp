// What xdotool cannot do without a window manager.
//   window_helper close WINDOW      presses the close button: sends
//                                   WM_DELETE_WINDOW, as a window manager does
//   window_helper destroy WINDOW    takes it away, as another client can
//   window_helper pixel WINDOW X Y  prints the color at that place (y downward) as "red green blue"
#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
  Display* display = XOpenDisplay(nullptr);
  if (display == nullptr || argc < 3) return 2;
  const std::string command = argv[1];
  const Window window = std::strtoul(argv[2], nullptr, 0);
  if (command == "close") {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = window;
    event.xclient.message_type = XInternAtom(display, "WM_PROTOCOLS", False);
    event.xclient.format = 32;
    event.xclient.data.l[0] = static_cast<long>(XInternAtom(display, "WM_DELETE_WINDOW", False));
    XSendEvent(display, window, False, NoEventMask, &event);
    XSync(display, False);
  } else if (command == "destroy") {
    XDestroyWindow(display, window);
    XSync(display, False);
  } else if (command == "pixel" && argc == 5) {
    XImage* image = XGetImage(display, window, std::atoi(argv[3]), std::atoi(argv[4]), 1, 1,
                              AllPlanes, ZPixmap);
    if (image == nullptr) return 1;
    const unsigned long pixel = XGetPixel(image, 0, 0);  // 24-bit color: 0xrrggbb
    std::printf("%lu %lu %lu\n", pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255);
    XDestroyImage(image);
  } else {
    return 2;
  }
  XCloseDisplay(display);
  return 0;
}
