#pragma once

namespace translate {

///   cu2cpp INPUT.cu OUTPUT.cpp --include-dir DIR --search-dir=DIR... --own-dir=DIR...
///          --with=OTHER.cu... --depfile FILE --strict-constexpr
///
/// The build calls it for each .cu file of the emulated build. --search-dir: the compiler's -I, of
/// which those of the system and --own-dir, the emulated device's, hold no CUDA sources. --with:
/// another .cu file of the same program. --strict-constexpr: constexpr functions of the host are
/// refused in device code, as by nvcc without --expt-relaxed-constexpr. Exit code 1: the file
/// cannot be translated; 2: wrong use.
int command_line(int argc, char** argv);

}  // namespace translate
