#!/usr/bin/env bash
# api.sh: the API headers compile as C17 and as C++, without warnings, have CUDA 13's layout, and declare every function that
# the libraries have, but for older forms of some and those of other default streams.
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

declared() { # declared HEADER TABLE MACRO
    {
        echo "#include <$1>"
        echo 'void *functions[] = {'
        grep -oE "^$3\(cu[A-Za-z0-9_]+" "$root/src/$2/entries.def" | sed 's/.*(//' | grep -vE '_(ptsz|ptds|v[0-9]+)$' |
            sed 's/.*/    (void *)\&&,/'
        echo '};'
    } | clang-19 -std=c17 -ferror-limit=0 -I"$root/device/include" -fsyntax-only -x c - || failed=1
}
declared cuda.h driver CU
declared cuda_runtime.h runtime RT
exit $failed
