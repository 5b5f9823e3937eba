#!/bin/bash
# Programs are linked by the linker itself, as clang would call it. Clang is asked once; whatever becomes of what is kept
# costs time, nothing else.
. "$(dirname "$0")/expect.sh"
quietly() { "$WARPGLASS" "$@" 2> said; }
# How often clang was asked for the line, and how often it linked.
asked() { [[ $(grep -c 'run [^ ]*clang.*-###' said) == "$1" ]] || fail "clang should have been asked $1 times: $(cat said)"; }
by_clang() { [[ $(grep 'run [^ ]*clang.*--as-needed' said | grep -cv -- '-###') == "$1" ]] || fail "clang should have linked $1 times: $(cat said)"; }

for name in one two; do
    cat > $name.cu << END
#include <cstdio>
extern const char *other_$name();
__global__ void $name(int *x) { x[threadIdx.x] = threadIdx.x; }
static int sum_$name() {
    int *x, sum = 0;
    cudaMallocManaged(&x, 128);
    $name<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++) sum += x[i];
    return sum;
}
END
done
cat >> one.cu << 'END'
int main() { printf("%s, %d\n", other_one(), sum_one()); }
END
cat >> two.cu << 'END'
const char *other_one() { static char text[9]; return snprintf(text, 9, "%d", sum_two()), text; }
END
for name in one two; do expect 0 '' -- warpglass cc -c $name.cu; done

expect 0 '' -- quietly cc -v one.o two.o -o p && asked 1 && by_clang 0
expect 0 '' -- ./p && said '^496, 496$'
# Other names, another order, with what a static library and words for the linker bring.
cp two.o "second \"\$object\\.o" && mkdir out
expect 0 '' -- quietly cc -v "second \"\$object\\.o" one.o -o "out/a program" && asked 0 && by_clang 0
expect 0 '' -- "out/a program" && said '^496, 496$'
ar qcs libtwo.a two.o
expect 0 '' -- quietly cc -v one.o libtwo.a -Wl,-s -o p && asked 1 && by_clang 0
expect 0 '' -- quietly cc -v one.o -L. -ltwo -o p && asked 1 && by_clang 0
expect 0 '' -- quietly cc -v one.o -L. -ltwo -o q && asked 0 && by_clang 0
expect 0 '' -- ./q && said '^496, 496$'
# What is wrong is for clang to say, as without a cache.
expect 1 "undefined reference to .other_one" -- warpglass cc one.o -o q && cp "$stderr" ours
WARPGLASS_CACHE_DIR=none expect 1 'linker command failed' -- warpglass cc one.o -o q
cmp ours "$stderr" || fail "another message: $(cat ours)"
expect 1 'multiple definition of' -- warpglass cc one.o one.o -o q
# Another path is another clang, maybe.
PATH=$PATH:/nonexistent expect 0 '' -- quietly cc -v one.o two.o -o p && asked 1

# Damage, and another gcc: clang is asked again.
damage() { # HOW FILE
    case $1 in
        nothing) : > "$2" ;;
        text) echo damage > "$2" ;;
        end) truncate -s -20 "$2" ;;
        program) sed -i 's|/ld|/as|' "$2" ;;
        gcc) touch -d 1999-12-31 "$2" ;;
    esac
}
expect 0 '' -- quietly cc one.o two.o -o p
for how in nothing text end program gcc; do
    expect 0 '' -- quietly cc -v one.o two.o -o p && asked 0 && by_clang 0
    for kept in cache/linkers/*; do damage $how "$kept"; done
    rm p
    expect 0 '' -- quietly cc -v one.o two.o -o p && asked 1 && by_clang 0
    expect 0 '' -- ./p && said '^496, 496$'
done
# Where nothing can be kept it is asked each time.
rm -r cache/linkers && echo 'in the way' > cache/linkers
for i in 1 2; do expect 0 '' -- quietly cc -v one.o two.o -o p$i && asked 1 && by_clang 0; done
expect 0 '' -- ./p2 && said '^496, 496$'
finish
