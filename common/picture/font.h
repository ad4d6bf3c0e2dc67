#pragma once
#include <cstddef>
#include <string_view>

/// The font of draw_text, drawn for this collection: the ASCII characters from space to ~ and,
/// last, the box for all others. They are twelve in a row, each 5 columns and a space wide and 7
/// rows high; g, p, q, y reach two rows lower.
namespace font {
inline constexpr int width = 5;
inline constexpr int height = 7;
inline constexpr int descent = 2;
inline constexpr int per_row = 12;

// clang-format off
inline constexpr std::string_view drawing[] = {
    //  !"#$%&'()*+
    "        #    # #   # #    #   ##  #  ##     #      #   #               ",
    "        #    # #   # #   #### ##  # #  #    #     #     #     #     #  ",
    "        #    # #  ##### # #      #  # #    #     #       #  # # #   #  ",
    "        #          # #   ###    #    #           #       #   ###  #####",
    "        #         #####   # #  #    # # #        #       #  # # #   #  ",
    "                   # #  ####  #  ## #  #          #     #     #     #  ",
    "        #          # #    #   #  ##  ## #          #   #               ",
    // ,-./01234567
    "                      #  ###    #    ###   ###     #  #####   ##  #####",
    "                      # #   #  ##   #   # #   #   ##  #      #        #",
    "                     #  #  ## # #       #     #  # #  ####  #        # ",
    "      #####         #   # # #   #      #    ##  #  #      # ####     # ",
    "  ##               #    ##  #   #     #       # #####     # #   #   #  ",
    "  #          ##   #     #   #   #    #    #   #    #  #   # #   #   #  ",
    " #           ##   #      ###  ##### #####  ###     #   ###   ###    #  ",
    // 89:;<=>?@ABC
    " ###   ###                 #         #     ###   ###    #   ####   ### ",
    "#   # #   #  ##    ##     #           #   #   # #   #  # #  #   # #   #",
    "#   # #   #  ##    ##    #    #####    #      # # ### #   # #   # #    ",
    " ###   ####             #               #    #  # # # #   # ####  #    ",
    "#   #     #  ##    ##    #    #####    #    #   # ### ##### #   # #    ",
    "#   #    #   ##     #     #           #         #     #   # #   # #   #",
    " ###   ##          #       #         #      #    ###  #   # ####   ### ",
    // DEFGHIJKLMNO
    "####  ##### #####  ###  #   #  ###    ### #   # #     #   # #   #  ### ",
    "#   # #     #     #   # #   #   #      #  #  #  #     ## ## ##  # #   #",
    "#   # #     #     #     #   #   #      #  # #   #     # # # ##  # #   #",
    "#   # ####  ####  # ### #####   #      #  ##    #     # # # # # # #   #",
    "#   # #     #     #   # #   #   #      #  # #   #     #   # #  ## #   #",
    "#   # #     #     #   # #   #   #   #  #  #  #  #     #   # #  ## #   #",
    "####  ##### #      #### #   #  ###   ##   #   # ##### #   # #   #  ### ",
    // PQRSTUVWXYZ[
    "####   ###  ####   #### ##### #   # #   # #   # #   # #   # #####  ### ",
    "#   # #   # #   # #       #   #   # #   # #   # #   # #   #     #  #   ",
    "#   # #   # #   # #       #   #   # #   # #   #  # #   # #     #   #   ",
    "####  #   # ####   ###    #   #   # #   # # # #   #     #     #    #   ",
    "#     # # # # #       #   #   #   #  # #  # # #  # #    #    #     #   ",
    "#     #  #  #  #      #   #   #   #  # #  ## ## #   #   #   #      #   ",
    "#      ## # #   # ####    #    ###    #   #   # #   #   #   #####  ### ",
    // \]^_`abcdefg
    "#      ###    #          #          #               #         ##   ####",
    "#        #   # #          #         #               #        #  # #   #",
    " #       #  #   #          #   ###  ####   ###   ####  ###   #    #   #",
    "  #      #                        # #   # #     #   # #   # ###   #   #",
    "   #     #                     #### #   # #     #   # #####  #     ####",
    "    #    #                    #   # #   # #   # #   # #      #        #",
    "    #  ###        #####        #### ####   ###   ####  ###   #     ### ",
    // hijklmnopqrs
    "#       #      #  #      ##                     ####   ####            ",
    "#                 #       #                     #   # #   #            ",
    "####   ##     ##  #  #    #   ## #  ####   ###  #   # #   # # ##   ####",
    "#   #   #      #  # #     #   # # # #   # #   # #   # #   # ##  # #    ",
    "#   #   #      #  ##      #   # # # #   # #   # ####   #### #      ### ",
    "#   #   #   #  #  # #     #   # # # #   # #   # #         # #         #",
    "#   #  ###   ##   #  #   ###  # # # #   #  ###  #         # #     #### ",
    // tuvwxyz{|}~
    " #                            #   #          #    #    #          #####",
    " #                            #   #         #     #     #         #   #",
    "###   #   # #   # #   # #   # #   # #####   #     #     #    #  # #   #",
    " #    #   # #   # # # #  # #  #   #    #   #      #      #  # # # #   #",
    " #    #   # #   # # # #   #    ####   #     #     #     #   #  #  #   #",
    " #  # #  ##  # #  # # #  # #      #  #      #     #     #         #   #",
    "  ##   ## #   #    # #  #   #  ###  #####    #    #    #          #####",
};
// clang-format on

/// Returns whether the pixel of `character` in this column (from the left) and row (from the top,
/// to height + descent) is drawn.
inline constexpr bool is_ink(char character, int column, int row) {
  if (std::string_view("gpqy").find(character) != std::string_view::npos) row -= descent;
  if (column < 0 || column >= width || row < 0 || row >= height) return false;
  const auto code = static_cast<unsigned char>(character);
  const size_t index = code >= 32 && code < 127 ? code - 32 : 95;
  return drawing[index / per_row * height + row][index % per_row * (width + 1) + column] == '#';
}

}  // namespace font
