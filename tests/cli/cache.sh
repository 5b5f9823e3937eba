#!/bin/bash
# Programs that `run` keeps: taken when nothing has changed, compiled again when anything has, and no cache is no error.
. "$(dirname "$0")/expect.sh"
mkdir -p include/deep 'with blank'
printf '#include <deep/value.h>\n#define WHO "first"\n' > 'with blank/who.h'
printf '#define VALUE 1\n' > include/deep/value.h
printf '#include <stdio.h>\n#include "with blank/who.h"\nint main() { printf("%%s %%d %%d\\n", WHO, VALUE, OTHER); return 0; }\n' > p.cu
run() { warpglass run -v -Iinclude -DOTHER="${other:-0}" p.cu; }

# compiled or kept, and what the program says
expect_run() {
    expect 0 '' -- quiet_run
    said "^$2$"
    if [[ $1 == compiled ]]; then grep -q 'cuda-device-only' verbose || fail "it was not compiled"
    else ! grep -q 'cuda-device-only' verbose || fail "it was compiled again"; fi
}
quiet_run() { run 2> verbose; }

expect_run compiled "first 1 0"
expect_run kept "first 1 0"
printf '#define VALUE 2\n' > include/deep/value.h
expect_run compiled "first 2 0"
touch include/deep/value.h p.cu # newer, not other
expect_run kept "first 2 0"
sed -i s/first/other/ 'with blank/who.h'
expect_run compiled "other 2 0"
other=7 expect_run compiled "other 2 7"
other=7 expect_run kept "other 2 7"
expect_run kept "other 2 0"

# Another folder with a file of the same name is another program.
mkdir -p elsewhere/include/deep
echo 'int main() { return 5; }' > elsewhere/p.cu
expect 5 '' -- env -C elsewhere "$WARPGLASS" run -Iinclude -DOTHER=0 p.cu
expect_run kept "other 2 0"

# An object that is linked in.
printf 'int value(void) { return 3; }\n' > value.c
printf 'extern "C" int value(void);\nint main() { return value(); }\n' > q.cu
expect 0 '' -- warpglass cc -c value.c
expect 3 '' -- warpglass run q.cu value.o
sed -i s/3/4/ value.c
expect 0 '' -- warpglass cc -c value.c
expect 4 '' -- warpglass run q.cu value.o
expect 4 '' -- warpglass run q.cu value.c
sed -i s/4/6/ value.c
expect 6 '' -- warpglass run q.cu value.c
printf 'extern "C" int value(void) { return 6; }\n' > value.cu
expect 6 '' -- warpglass run q.cu value.cu
sed -i 's/return value()/return 1 + value()/' q.cu
expect 7 '' -- warpglass run q.cu value.cu

# Damage costs a compilation.
for file in cache/programs/*; do echo damage > "$file"; done
expect_run compiled "other 2 0"
expect_run kept "other 2 0"
for file in cache/programs/*; do : > "$file"; done
expect_run compiled "other 2 0"
rm cache/programs/*.files
expect_run compiled "other 2 0"

# No cache: one line, and on it goes.
WARPGLASS_CACHE_DIR=/dev/null/cache expect 0 'note: the cache /dev/null/cache cannot be written to \(Not a directory\)' -- run
[[ $(grep -c note: "$stderr") == 1 ]] || fail "more than one line about the cache"
said "^other 2 0$"
echo "in the way" > file
WARPGLASS_CACHE_DIR=$scratch/file expect 0 'note: the cache .*/file cannot be written to' -- run
WARPGLASS_CACHE_DIR=none expect 0 'cuda-device-only' -- run
grep -q 'note:' "$stderr" && fail "a note about a cache that nobody wants"
home() { env -u WARPGLASS_CACHE_DIR -u XDG_CACHE_HOME HOME="$scratch/home" "$WARPGLASS" run q.cu value.c; }
expect 7 '' -- home
[[ -n $(ls home/.cache/warpglass/programs) ]] || fail "nothing in ~/.cache/warpglass"
xdg() { env -u WARPGLASS_CACHE_DIR XDG_CACHE_HOME="$scratch/xdg" "$WARPGLASS" run q.cu value.c; }
expect 7 '' -- xdg
[[ -n $(ls xdg/warpglass/programs) ]] || fail "nothing in XDG_CACHE_HOME/warpglass"
finish
