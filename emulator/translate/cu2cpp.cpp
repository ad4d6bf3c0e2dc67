// The translator as a program. All else is in a library, which its tests link, too.
#include "command_line.h"

int main(int argc, char** argv) { return translate::command_line(argc, argv); }
