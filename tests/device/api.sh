#!/usr/bin/env bash
# api.sh: the API headers compile as C17 and as C++, without warnings, and have CUDA 13's layout.
#     api.sh SOURCE_ROOT
set -eu
root=$1
source=$root/tests/device/api_layout.c
failed=0
check() {
    if ! "$@" -Wall -Wextra -Werror -I"$root/device/include" -fsyntax-only "$source"; then
        echo "api.sh: failed: $*" >&2
        failed=1
    fi
}
check "${CC:-cc}" -std=c17 -pedantic
check clang-19 -std=c17
check "${CXX:-c++}" -x c++ -std=c++11
check clang++-19 -x c++ -std=c++20
exit $failed
