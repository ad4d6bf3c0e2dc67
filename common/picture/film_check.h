#pragma once
#include <cstddef>
#include <cstdio>
#include <string>

/// What is wrong with a film that its maker has declared finished; empty when it is complete: the container
/// ends as its format says (a GIF's trailer, an MP4's table of contents `moov`) and holds `frames` pictures.
/// `ending`: ".gif" or ".mp4". `file` must be open for reading and seekable. Formats: GIF89a specification,
/// section 17 and following; ISO/IEC 14496-12, boxes.
std::string film_problem(std::FILE* file, const std::string& ending, std::size_t frames);
