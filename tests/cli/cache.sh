#!/bin/bash
# Programs that `run` keeps: taken when nothing has changed, compiled again when anything has, and no cache is no error.
. "$(dirname "$0")/expect.sh"
mkdir -p include/deep 'with blank'
printf '#include <deep/value.h>\n#define WHO "first"\n' > 'with blank/who.h'
printf '#define VALUE 1\n' > include/deep/value.h
# In C, which is compiled in a moment; further below in CUDA.
printf '#include <stdio.h>\n#include "with blank/who.h"\nint main(void) { printf("%%s %%d %%d\\n", WHO, VALUE, OTHER); return 0; }\n' > p.c
run() { warpglass run -v -Iinclude -DOTHER="${other:-0}" p.c; }

# compiled or kept, and what the program says
expect_run() {
    expect 0 '' -- quiet_run
    said "^$2$"
    if [[ $1 == compiled ]]; then grep -q 'run /.* p.c ' verbose || fail "it was not compiled"
    else ! grep -q 'run /.* p.c ' verbose || fail "it was compiled again"; fi
}
quiet_run() { run 2> verbose; }

expect_run compiled "first 1 0"
expect_run kept "first 1 0"
printf '#define VALUE 2\n' > include/deep/value.h
expect_run compiled "first 2 0"
touch include/deep/value.h p.c # newer, not other
expect_run kept "first 2 0"
sed -i s/first/other/ 'with blank/who.h'
expect_run compiled "other 2 0"
other=7 expect_run compiled "other 2 7"
other=7 expect_run kept "other 2 7"
expect_run kept "other 2 0"

# Another folder with a file of the same name is another program.
mkdir -p elsewhere/include/deep
echo 'int main(void) { return 5; }' > elsewhere/p.c
expect 5 '' -- env -C elsewhere "$WARPGLASS" run -Iinclude -DOTHER=0 p.c
expect_run kept "other 2 0"

# An object that is linked in, a second source, two sources of CUDA.
printf 'int value(void) { return 3; }\n' > value.c
printf 'int value(void);\nint main(void) { return value(); }\n' > q.c
expect 0 '' -- warpglass cc -c value.c
expect 3 '' -- warpglass run q.c value.o
sed -i s/3/4/ value.c
expect 0 '' -- warpglass cc -c value.c
expect 4 '' -- warpglass run q.c value.o
expect 4 '' -- warpglass run q.c value.c
sed -i s/4/6/ value.c
expect 6 '' -- warpglass run q.c value.c
printf '#include "seven.h"\nint value(void);\nint main() { return SEVEN + value(); }\n' > q.cu
printf 'int value(void) { return 1; }\n' > value.cu
echo '#define SEVEN 7' > seven.h
expect 8 '' -- warpglass run q.cu value.cu
echo '#define SEVEN 8' > seven.h
expect 9 '' -- warpglass run q.cu value.cu
expect 9 'cache: ' -- warpglass run -v q.cu value.cu

# Damage costs a compilation.
for file in cache/programs/*; do echo damage > "$file"; done
expect_run compiled "other 2 0"
expect_run kept "other 2 0"
for file in cache/programs/*; do : > "$file"; done
expect_run compiled "other 2 0"
rm cache/programs/*.files
expect_run compiled "other 2 0"

# No cache: one line, and on it goes.
WARPGLASS_CACHE_DIR=/dev/null/cache expect 0 'note: cannot write to the cache /dev/null/cache \(Not a directory\)' -- run
[[ $(grep -c note: "$stderr") == 1 ]] || fail "more than one line about the cache"
said "^other 2 0$"
echo "in the way" > file
WARPGLASS_CACHE_DIR=$scratch/file expect 0 'note: cannot write to the cache .*/file' -- run
WARPGLASS_CACHE_DIR=none expect 0 'run /.* p.c ' -- run
grep -q 'note:' "$stderr" && fail "a note about a cache that nobody wants"
home() { env -u WARPGLASS_CACHE_DIR -u XDG_CACHE_HOME HOME="$scratch/home" "$WARPGLASS" run q.c value.c; }
expect 6 '' -- home
[[ -n $(ls home/.cache/warpglass/programs) ]] || fail "nothing in ~/.cache/warpglass"
xdg() { env -u WARPGLASS_CACHE_DIR XDG_CACHE_HOME="$scratch/xdg" "$WARPGLASS" run q.c value.c; }
expect 6 '' -- xdg
[[ -n $(ls xdg/warpglass/programs) ]] || fail "nothing in XDG_CACHE_HOME/warpglass"

nowhere() { env -u WARPGLASS_CACHE_DIR -u XDG_CACHE_HOME -u HOME "$WARPGLASS" run -v q.c value.c; }
expect 6 'run /.* q.c ' -- nowhere
grep -q 'note:' "$stderr" && fail "a note about a cache when there is no home"
finish
