#pragma once
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

/// Every test runs in an empty folder of its own, which is the current one while it runs.
class TemporaryFolder : public testing::Test {
 protected:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "common_test_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
  }
  ~TemporaryFolder() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

  static std::string content(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  /// How many files are in the folder, hidden ones too: failures must not leave any behind.
  static long files() {
    return std::distance(std::filesystem::directory_iterator("."),
                         std::filesystem::directory_iterator());
  }

  std::filesystem::path folder_, before_;
};

/// Sets a variable of the environment for the life of this object.
class EnvironmentVariable {
 public:
  EnvironmentVariable(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* old = getenv(name_.c_str())) old_ = old;
    had_ = getenv(name_.c_str()) != nullptr;
    setenv(name_.c_str(), value.c_str(), 1);
  }
  ~EnvironmentVariable() {
    if (had_) {
      setenv(name_.c_str(), old_.c_str(), 1);
    } else {
      unsetenv(name_.c_str());
    }
  }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

 private:
  std::string name_, old_;
  bool had_ = false;
};
