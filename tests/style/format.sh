#!/bin/bash
# Every C, C++ and CUDA file is as clang-format leaves it.
. "$(dirname "$0")/files.sh"
need clang-format-19
mapfile -t files < <(project_files '*.c' '*.h' '*.cu')
clang-format-19 --dry-run -Werror "${files[@]}"
