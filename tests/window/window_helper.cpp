// What xdotool cannot do without a window manager.
//   window_helper close WINDOW       presses the close button: sends WM_DELETE_WINDOW, as a window manager
//   does window_helper pixel WINDOW X Y   prints the color at that place (y downward) as "red green blue"
//   window_helper destroy WINDOW     destroys another program's window
//   window_helper kill WINDOW        makes the server close the connection of the program that has the window
//   window_helper silent             is a display that accepts connections and never answers; prints its name
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

/// Listens where a display with a number that is free would. Ends only when it is killed.
int be_silent() {
  for (int number = 50; number < 1000; ++number) {
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(6000 + number));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
        listen(listener, 8) != 0) {
      close(listener);
      continue;
    }
    std::printf("127.0.0.1:%d\n", number);
    std::fflush(stdout);
    while (accept(listener, nullptr, nullptr) >= 0) {
    }
    return 1;
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "silent") return be_silent();
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
  } else if (command == "kill") {
    XKillClient(display, window);
  } else if (command == "pixel" && argc == 5) {
    XImage* image =
        XGetImage(display, window, std::atoi(argv[3]), std::atoi(argv[4]), 1, 1, AllPlanes, ZPixmap);
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
