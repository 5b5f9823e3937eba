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

declared() { # declared HEADER TABLE MACRO: also what is not supported, whose use a compiler warns of
    {
        echo "#include <$1>"
        echo 'void *functions[] = {'
        grep -oE "^$3(_MISSING)?\(cu[A-Za-z0-9_]+" "$root/src/$2/entries.def" | sed 's/.*(//' | grep -vE '_(ptsz|ptds|v[0-9]+)$|E[Gg][Ll]|VDPAU|GL[A-Z]|GetExportTable|ProfilerInitialize' |
            sed 's/.*/    (void *)\&&,/'
        echo '};'
    } | clang-19 -std=c17 -Wno-deprecated-declarations -ferror-limit=0 -I"$root/device/include" -fsyntax-only -x c - || failed=1
}
declared cuda.h driver CU
declared cuda_runtime.h runtime RT

# Where NVIDIA's headers of CUDA 13.0 are installed: every enumerator of theirs is in ours, with its value.
values() { # values INCLUDE_FOLDER, names on standard input
    {
        printf '#include <%s>\n' cuda.h cuda_runtime_api.h stdio.h
        echo 'int main(void) {'
        sed 's/.*/printf("& %lld\\n", (long long)&);/'
        echo '}'
    } > "$scratch/values.c"
    "${CC:-cc}" -std=gnu17 -w -isystem "$1" "$scratch/values.c" -o "$scratch/values" && "$scratch/values"
}
theirs=/usr/local/cuda/include
if grep -qs 'define CUDA_VERSION 13000' "$theirs/cuda.h"; then
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    printf '#include <%s>\n' cuda.h cuda_runtime_api.h | "${CC:-cc}" -E -P -isystem "$theirs" -x c - | tr '\n' ' ' |
        grep -oE '\benum [^{;()]*(__attribute__\(\([^)]*\)\)[^{;]*)?\{[^}]*\}' | sed 's/^[^{]*{//; s/}//' | tr ',' '\n' |
        grep -oE '^ *(CU|cu)[A-Za-z_0-9]+' | tr -d ' ' | sort -u > "$scratch/names"
    (($(wc -l < "$scratch/names") > 1500)) || failed=1
    values "$theirs" < "$scratch/names" > "$scratch/theirs" || failed=1
    values "$root/device/include" < "$scratch/names" > "$scratch/ours" || failed=1
    diff "$scratch/theirs" "$scratch/ours" || failed=1
fi
exit $failed
