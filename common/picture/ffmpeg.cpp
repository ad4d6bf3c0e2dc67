// Films through ffmpeg, which runs as a process of its own.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include "../fail.h"
#include "../timing.h"
#include "encoder.h"
#include "file.h"
#include "film_check.h"

namespace {

/// ffmpeg's filters. vflip: our row 0 is the bottom one.
/// gif: a palette for every frame, made as the frames pass. One palette for all would keep all frames in
/// memory. mp4: H.264 with 4:2:0 colors, the kind that every player shows, wants an even width and height.
std::vector<std::string> film_arguments(const std::string& ending) {
  if (ending == ".gif") {
    return {"-vf",
            "vflip,split[a][b];[a]palettegen=stats_mode=single:reserve_transparent=0[p];"
            "[b][p]paletteuse=new=1:dither=bayer:bayer_scale=4",
            "-f", "gif"};
  }
  return {"-vf",      "vflip,pad=ceil(iw/2)*2:ceil(ih/2)*2",
          "-c:v",     "libx264",
          "-pix_fmt", "yuv420p",
          "-crf",     "18",
          "-f",       "mp4"};
}

/// A running ffmpeg that takes raw RGBA frames on its standard input. No shell: the path may hold any
/// character.
class FfmpegEncoder : public FilmEncoder {
 public:
  FfmpegEncoder(const std::string& path, int width, int height)
      : path_(path), file_(path), messages_(std::tmpfile(), std::fclose) {
    if (!file_.error().empty()) stop(file_.error());
    if (!messages_) stop(std::strerror(errno));
    std::vector<std::string> words{"ffmpeg",       "-nostdin",
                                   "-hide_banner", "-loglevel",
                                   "error",        "-y",
                                   "-f",           "rawvideo",
                                   "-pix_fmt",     "rgb0",
                                   "-video_size",  std::to_string(width) + "x" + std::to_string(height),
                                   "-framerate",   std::to_string(frames_per_second),
                                   "-i",           "pipe:0"};
    for (std::string& word : film_arguments(file_ending(path))) words.push_back(std::move(word));
    // Our open file and not its name: it stays the right one whatever happens to the name meanwhile.
    words.push_back("file:/dev/fd/3");
    start(words);
  }

  ~FfmpegEncoder() override {
    close_input();
    if (process_ > 0) end_now();  // nobody wants the film any more
  }
  FfmpegEncoder(const FfmpegEncoder&) = delete;
  FfmpegEncoder& operator=(const FfmpegEncoder&) = delete;

  void add(ImageView frame) override {
    const unsigned char* data = frame.rgba;
    for (std::size_t left = frame.bytes(); left > 0;) {
      pollfd ready{input_, POLLOUT, 0};
      const int polled = ::poll(&ready, 1, patience_s() * 1000);
      if (polled < 0 && errno == EINTR) continue;
      if (polled == 0) {
        end_now();
        finish_failed("it took no frame for " + std::to_string(patience_s()) + " seconds");
      }
      // A socket and not a pipe: MSG_NOSIGNAL gives an error where a pipe would end us with SIGPIPE.
      const ssize_t sent = ::send(input_, data, left, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (sent < 0) finish_failed(std::strerror(errno));
      data += sent;
      left -= static_cast<std::size_t>(sent);
    }
    ++frames_;
  }

  void finish() override {
    close_input();
    const int status = wait();
    if (status != 0) finish_failed(WIFSIGNALED(status) ? "it was killed" : "it gave up");
    // ffmpeg does not report every failed write at the end of a film: look for ourselves, where one can look.
    if (std::fseek(file_.stream(), 0, SEEK_END) == 0) {
      const std::string problem = film_problem(file_.stream(), file_ending(path_), frames_);
      if (!problem.empty()) finish_failed(problem);
    }
    if (!file_.commit()) stop(file_.error());
  }

 private:
  /// How long ffmpeg may take without taking a frame or writing a byte.
  static int patience_s() {
    const char* text = std::getenv("SAMPLES_FFMPEG_PATIENCE");
    const int seconds = text != nullptr ? std::atoi(text) : 0;
    return seconds > 0 && seconds < 1'000'000 ? seconds : 60;
  }

  [[noreturn]] void stop(const std::string& problem) const {
    fail(exit_code::failed, "cannot write " + path_ + ": " + problem);
  }

  void start(const std::vector<std::string>& words) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) stop(std::strerror(errno));
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ::fileno(messages_.get()), STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ::fileno(file_.stream()), 3);
    const int error = ::posix_spawnp(&process_, "ffmpeg", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    input_ = ends[0];
    if (error != 0) {
      process_ = -1;
      stop(std::string("ffmpeg cannot be started: ") + std::strerror(error));
    }
  }

  void close_input() {
    if (input_ >= 0) ::close(std::exchange(input_, -1));
  }

  /// Waits for ffmpeg's end; kills it when the file has not grown for too long.
  int wait() {
    int status = 0;
    off_t last_size = -1;
    HostTimer since_growth;
    while (process_ > 0) {
      const pid_t ended = ::waitpid(process_, &status, WNOHANG);
      if (ended == process_ || (ended < 0 && errno != EINTR)) break;
      struct stat now {};
      ::fstat(::fileno(file_.stream()), &now);
      if (now.st_size != last_size) {
        last_size = now.st_size;
        since_growth.restart();
      }
      if (since_growth.ms() > 1000.0 * patience_s()) {
        end_now();
        finish_failed("it did not end within " + std::to_string(patience_s()) + " seconds");
      }
      ::usleep(2000);
    }
    process_ = -1;
    return status;
  }

  void end_now() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
  }

  [[noreturn]] void finish_failed(const std::string& how) {
    close_input();
    if (process_ > 0) wait();
    std::string text;
    char line[512];
    std::rewind(messages_.get());
    for (int n = 0; n < 5 && std::fgets(line, sizeof line, messages_.get()) != nullptr; ++n) text += line;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    stop("ffmpeg failed (" + how + ")" + (text.empty() ? "" : "; it says:\n" + text));
  }

  std::string path_;
  NewFile file_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)>
      messages_;  // a file: a pipe that nobody reads could fill up
  pid_t process_ = -1;
  int input_ = -1;
  std::size_t frames_ = 0;
};

}  // namespace

bool program_found(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access(((folder.empty() ? "." : folder) + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

std::unique_ptr<FilmEncoder> ffmpeg_encoder(const std::string& path, int width, int height) {
  return std::make_unique<FfmpegEncoder>(path, width, height);
}
