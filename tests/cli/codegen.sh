#!/bin/bash
# LLVM is loaded where code has to be made and nowhere else; where it cannot be loaded, it is said what is missing.
. "$(dirname "$0")/expect.sh"
libraries=${WARPGLASS%/bin/*}/lib/warpglass
cat > p.cu << 'END'
#include <cstdio>
#include <cstring>
#include <unistd.h>
__global__ void twice(int *x) { x[threadIdx.x] = 2 * threadIdx.x; }
int main(int argc, char **argv) {
    if (argc > 1) chdir(argv[1]);
    int *x;
    cudaMallocManaged(&x, 32 * sizeof *x);
    twice<<<1, 32>>>(x);
    if (cudaDeviceSynchronize() || cudaGetLastError()) return 1;
    bool llvm = false;
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps)) llvm |= strstr(line, "libLLVM") || strstr(line, "libwarpglass-codegen");
    fclose(maps);
    printf("%d, %s LLVM\n", x[31], llvm ? "with" : "without");
    return 0;
}
END
expect 0 '' -- warpglass cc p.cu -o p
expect 0 '' -- env WARPGLASS_BACKEND=ref ./p
said '^62, without LLVM$'
expect 0 '' -- ./p
said '^62, with LLVM$'
expect 0 '' -- ./p
said '^62, without LLVM$'

# What is kept under the name of another kernel's code is not run.
sed 's/2 \* threadIdx.x/3 * threadIdx.x/' p.cu > q.cu
expect 0 '' -- warpglass cc q.cu -o q
kept() { find "$PWD/of_$1" -maxdepth 1 -name '*.o'; }
runs_kept() {
    expect 0 '' -- env WARPGLASS_CACHE_DIR="$PWD/of_$1" "./$1"
    said "^$2, $3 LLVM$"
}
runs_kept p 62 with
runs_kept q 93 with
[[ $(kept p | wc -l) == 1 && $(kept q | wc -l) == 1 ]] || fail 'one kernel, one file of code'
cp "$(kept q)" "$(kept p)"
runs_kept p 62 with
runs_kept p 62 without
# Nor what is damaged: the format's name, what is said of the code, the sum, the code, its end.
size=$(stat -c %s "$(kept p)")
for byte in 3 20 60 1000 $((size - 1)); do
    was=$(od -A n -t u1 -j "$byte" -N 1 "$(kept p)")
    printf "\\$(printf %o $((was ^ 1)))" | dd of="$(kept p)" bs=1 seek="$byte" conv=notrunc status=none
    runs_kept p 62 with
done
truncate -s -1 "$(kept p)"
runs_kept p 62 with
runs_kept p 62 without

# Libraries that were copied: found beside libcuda.so.1, also where that is a link or was found from another folder.
mkdir copied linked
cp -L "$libraries"/lib* copied
ln -s ../copied/libcuda.so.1 ../copied/libcudart.so.13 linked
made() { expect "$1" "$2" -- env LD_LIBRARY_PATH="$3" WARPGLASS_CACHE_DIR=none ./p /; }
for where in copied linked; do
    made 0 '' $where
    said '^62, with LLVM$'
done
build=$(strings copied/libwarpglass-codegen.so | grep -xE '[0-9a-f]{64}')
LC_ALL=C sed -i "s/$build/${build//?/0}/" copied/libwarpglass-codegen.so
made 1 'copied/libwarpglass-codegen.so is from another version of Warpglass than libcuda.so.1 beside it' copied
echo damage > copied/libwarpglass-codegen.so
made 1 'the code generator cannot be loaded: .*copied/libwarpglass-codegen.so: file too short' linked
rm copied/libwarpglass-codegen.so
made 1 'kernel .*twice.* cannot run: .*the code generator cannot be loaded: .*copied/libwarpglass-codegen.so: cannot open shared object file.*WARPGLASS_BACKEND=ref' copied
export LD_LIBRARY_PATH=copied
expect 0 '' -- ./p
said '^62, without LLVM$'
expect 0 '' -- env WARPGLASS_BACKEND=ref WARPGLASS_CACHE_DIR=none ./p
said '^62, without LLVM$'
finish
