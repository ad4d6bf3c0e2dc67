#include "../../common/options.h"

#include <unistd.h>

#include <limits>

#include "temporary_folder.h"

// What CMake compiles into a sample (scripts/samples.py).
extern const char sample_purpose[];
const char sample_purpose[] = "sample - shows \"this\".";
extern const char sample_rungs[];
const char sample_rungs[] =
    "book - as in the book.\n"
    "fast - xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy.\n";

namespace {

using testing::ExitedWithCode;
class CommandLine : public TemporaryFolder {};

constexpr Common everything = Common::seed | Common::check | Common::benchmark | Common::device;

/// Parses the words as the command line of the program `sample`, or only reads them.
void parse(Options& options, std::vector<std::string> words,
           void (Options::*how)(int, char**) = &Options::parse) {
  words.insert(words.begin(), "sample");
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  (options.*how)(static_cast<int>(words.size()), argv.data());
}

/// The same in one expression, for death tests.
void parse_new(Common declared, const std::vector<std::string>& words) {
  Options options("sample", declared | everything);
  parse(options, words);
}

}  // namespace

TEST_F(CommandLine, AllCommonOptions) {
  Options options("sample", Common::animation | everything);
  parse(options, {});
  EXPECT_EQ(options.size, 1024);
  EXPECT_EQ(options.frames, 30);
  EXPECT_FALSE(options.frames_given || options.headless || options.check || options.benchmark);
  parse(options, {"--size", "17", "--seed=18446744073709551615", "--frames", "5", "--headless",
                  "--output", "a_%04d.png", "--check", "--benchmark", "--device", "3"});
  EXPECT_EQ(options.size, 17);
  EXPECT_EQ(options.seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(options.frames, 5);
  EXPECT_TRUE(options.frames_given && options.headless && options.check && options.benchmark);
  EXPECT_EQ(options.output, "a_%04d.png");
  EXPECT_EQ(options.device, 3);
}

TEST_F(CommandLine, AWindowOfTheSamplesOwnCanOnlyBeClosed) {
  const std::vector<KeyHelp> keys = Options("sample", Common::glut | Common::check).keys();
  ASSERT_EQ(keys.size(), 1u);
  EXPECT_EQ(keys[0].effect, "quit");
}

TEST_F(CommandLine, OptionsOfASample) {
  Options options("sample", Common::nothing | everything);
  int blocks = 2;
  std::size_t count = 10;
  float angle = 0.5f;
  std::string file, input = "random", scene = "rgb";
  bool thrust = false;
  options.add("--blocks", blocks, "blocks", -5, 5);
  options.add("-n,--arraysize", count, "elements", 0, 1'000'000'000'000);
  options.add("--angle", angle, "radians", -10, 10);
  options.add("--file", file, "a file");
  options.add_choice("-i,--input", input, "the input", {"ones", "random"});
  options.add_flag("-t,--thrust", thrust, "use Thrust");
  options.add_choice("scene", scene, "the scene", {"rgb", "snow"});
  parse(options, {"--blocks", "-5", "-n", "1000000000000", "--angle", "-1.5e0", "--file", "x y",
                  "-i", "ones", "-t", "snow"});
  EXPECT_EQ(blocks, -5);
  EXPECT_EQ(count, 1'000'000'000'000u);
  EXPECT_EQ(angle, -1.5f);
  EXPECT_EQ(file, "x y");
  EXPECT_EQ(input, "ones");
  EXPECT_TRUE(thrust);
  EXPECT_EQ(scene, "snow");
  // A refusal has the name that was typed, and the nearest one where a word is not known.
  EXPECT_EXIT(parse(options, {"-n", "x"}), ExitedWithCode(2),
              "^sample: -n x is not a whole number");
  EXPECT_EXIT(parse(options, {"--arraysize", "x"}), ExitedWithCode(2),
              "^sample: --arraysize x is not");
  EXPECT_EXIT(parse(options, {"-t=1"}), ExitedWithCode(2), "^sample: -t takes no value");
  EXPECT_EXIT(parse(options, {"sno"}), ExitedWithCode(2),
              "scene sno is not one of rgb, snow; did you mean snow\\?");
  EXPECT_EXIT(parse(options, {"sonw"}), ExitedWithCode(2), "; did you mean snow\\?");
  EXPECT_EXIT(parse(options, {"-i", "noes"}), ExitedWithCode(2), "; did you mean ones\\?");
  EXPECT_EXIT(parse(options, {"rgb", "snow"}), ExitedWithCode(2), "'snow' belongs to no option");
}

TEST_F(CommandLine, WrongUseIsOneSentenceAndAUsageLine) {
  const auto still = Common::picture;
  const struct {
    std::vector<std::string> words;
    const char* message;
  } cases[] = {
      {{"--size", "0"}, "--size 0 is not a whole number from 1 to 65535"},
      {{"--size", "65536"}, "--size 65536 is not a whole number from 1"},
      {{"--size", "-1"}, "--size -1 is not a whole number from 1"},
      {{"--size", "99999999999999999999"}, "is not a whole number from 1"},
      {{"--size", "12x"}, "--size 12x is not a whole number"},
      {{"--size", "1.5"}, "is not a whole number"},
      {{"--size", "nan"}, "is not a whole number"},
      {{"--size="}, "--size needs a value: --size N"},
      {{"--size"}, "--size needs a value: --size N"},
      {{"--output", "--check"}, "--output needs a value: --output FILE"},
      {{"--size", "4", "--size", "5"}, "--size is given twice"},
      {{"--check=0"}, "--check takes no value"},
      {{"--sise", "16"}, "there is no option --sise; did you mean --size?"},
      {{"--bench"}, "there is no option --bench; did you mean --benchmark?"},
      {{"-seed", "3"}, "there is no option -seed; did you mean --seed?"},
      {{"--size", "16", "17"}, "'17' belongs to no option"},
      {{std::string(3000, 'x')}, "'x{60}\\.\\.\\.' belongs to no option"},
      {{"--" + std::string(3000, 'x')}, "there is no option --x{58}\\.\\.\\."},
      {{"--size", std::string(3000, '9')},
       "--size 9{60}\\.\\.\\. is not a whole number from 1 to 65535"},
      {{"--benchmark", "--output", "a.txt"}, "must end in"},
      {{"--seed", "-1"}, "--seed -1 is not a whole number from 0"},
      {{"--no-such-option"}, "there is no option --no-such-option"},
      {{"word"}, "'word' belongs to no option"},
      {{"--frames", "3"}, "--frames"},  // a still has no frames
      {{"--headless", "--window"}, "exclude each other"},
      {{"--output", "a.txt"}, "must end in"},
      {{"--output", ""}, "--output"},
  };
  for (const auto& one : cases) {
    EXPECT_EXIT(parse_new(still, one.words), ExitedWithCode(2),
                std::string("^sample: .*") + one.message + ".*\nUsage: sample")
        << one.words[0];
  }
  EXPECT_EXIT(parse_new(Common::nothing, {"--size", "4"}), ExitedWithCode(2), "--size");
}

TEST_F(CommandLine, Methods) {
  const auto make = [](const std::vector<std::string>& words) {
    Options options("sample", Common::nothing | everything);
    options.add_methods({{"book", "as in the book"}, {"fast", "better"}, {"cub", "CUB's", true}},
                        "fast");
    parse(options, words);
    return options;
  };
  EXPECT_EQ(make({}).method, "fast");
  EXPECT_EQ(make({"--method", "book"}).method, "book");
  EXPECT_EXIT(make({"--method", "none"}), ExitedWithCode(2), "is not one of book, fast, cub");
  EXPECT_EQ(make({"--method", "cub"}).method, "cub");
}

#ifdef EMULATED_BUILD
/// On the emulated device a smaller default is said together with its reason.
TEST_F(CommandLine, DefaultSizeOnTheEmulatedDevice) {
  const auto parse_size = [&](const std::vector<std::string>& words) {
    Options options("sample", Common::animation | everything);
    options.default_size({.gpu = 1024, .emulated = 96});
    testing::internal::CaptureStderr();
    parse(options, words);
    return std::to_string(options.size) + ": " + testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(
      parse_size({}),
      "96: sample: using 96 x 96 pixels on the emulated device, for more frames/s (--size 1024: "
      "the GPU's default)\n");
  EXPECT_EQ(parse_size({"--size", "50"}), "50: ");
}
#endif

/// Another process speaks, and writes the file.
TEST_F(CommandLine, ReadingAloneIsSilentAndLooksAtNoFile) {
  Options options("sample", Common::animation | everything);
  options.default_size({.gpu = 1024, .emulated = 96});
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  parse(options, {"--benchmark", "--frames", "3", "--output", "none/a.png"}, &Options::read);
  EXPECT_EQ(testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(options.benchmark && options.frames_given);
  EXPECT_EQ(options.output, "none/a.png");
}

TEST_F(CommandLine, TwoMethodsToCompare) {
  const auto make = [](const std::vector<std::string>& words) {
    Options options("sample", Common::nothing | everything);
    options.add_methods({{"book", "as in the book"}, {"fast", "better"}}, "fast");
    options.add_compare();
    parse(options, words);
    return options.compare;
  };
  EXPECT_TRUE(make({}).empty());
  EXPECT_EQ(make({"--compare", "book,fast"}), (std::vector<std::string>{"book", "fast"}));
  EXPECT_EQ(make({"--compare", "book,book"}), (std::vector<std::string>{"book", "book"}));
  EXPECT_EXIT(make({"--compare="}), ExitedWithCode(2), "sample: --compare.*\nUsage: sample");
  for (const char* text :
       {",", "book", "book,", ",fast", "book,none", "book,fast,fast", "book fast"}) {
    EXPECT_EXIT(make({std::string("--compare=") + text}), ExitedWithCode(2),
                "sample: --compare .* is not A,B, two of book, fast\nUsage: sample")
        << text;
  }
  EXPECT_EXIT(make({"--compare=book,fas"}), ExitedWithCode(2), "; did you mean fast\\?");
  for (const char* flag : {"--check", "--benchmark", "--method=book"})
    EXPECT_EXIT(make({"--compare", "book,fast", flag}), ExitedWithCode(2), "--compare .*excludes")
        << flag;
}

TEST_F(CommandLine, HelpNamesWhatIsDeclaredAndEndsWithZero) {
  const auto help = [](Common declared) {
    dup2(STDERR_FILENO, STDOUT_FILENO);  // EXPECT_EXIT reads standard error only
    Options options("sample", declared);
    if (declared != Common::nothing)
      options.add_methods({{"book", "as in the book"}, {"cub", "CUB's", true}}, "book");
    parse(options, {"--help"});
  };
  std::string all = "^sample - shows \"this\"\\.\n";
  for (const char* word : {"--size N", "--seed N", "--frames N", "--headless", "--window",
                           "--output FILE", "--check", "--benchmark", "--device N", "--method NAME",
                           "default book", "book +as in the book", "gpu only", "Esc or q +quit"})
    all += std::string("(.|\n)*") + word;
  EXPECT_EXIT(help(Common::animation | everything), ExitedWithCode(0), all);
  EXPECT_EXIT(help(Common::nothing), ExitedWithCode(0), "Usage: [^-]*-h,-\\?,--help[^-]*$");
}

/// A rung has no words of its own: the first line of its file has.
TEST_F(CommandLine, HelpTellsWhatARungIsByItsFile) {
  const auto help = [] {
    dup2(STDERR_FILENO, STDOUT_FILENO);  // EXPECT_EXIT reads standard error only
    Options options("sample", Common::nothing);
    options.add_methods({{"book"}, {"fast"}, {"none"}, {"best", "of two"}}, "book");
    parse(options, {"--help"});
  };
  EXPECT_EXIT(help(), ExitedWithCode(0),
              "book  as in the book\n +fast  x{40}\n {36}y{40}\n +none  \n +best  of two\n");
}

TEST_F(CommandLine, TheEnvironmentStandsForOptions) {
  const EnvironmentVariable zero("SAMPLES_HEADLESS", "0"), bad("SAMPLES_FRAMES", "0");
  EXPECT_EXIT(Options::from_environment(Common::animation), ExitedWithCode(2),
              "SAMPLES_FRAMES 0 is not a whole number");
  const EnvironmentVariable good("SAMPLES_FRAMES", "7"), output("SAMPLES_OUTPUT", "a.png");
  const Options options = Options::from_environment(Common::animation);
  EXPECT_FALSE(options.headless);
  EXPECT_EQ(options.output, "a.png");
  EXPECT_EQ(options.frames, 7);
  const EnvironmentVariable nowhere("SAMPLES_OUTPUT", "none/a.png");
  EXPECT_EXIT(Options::from_environment(Common::animation), ExitedWithCode(2), "No such file");
}
