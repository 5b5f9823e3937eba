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
made 1 'copied/libwarpglass-codegen.so is of another version of Warpglass than libcuda.so.1 beside it' copied
echo damage > copied/libwarpglass-codegen.so
made 1 'the code generator does not load: .*copied/libwarpglass-codegen.so: file too short' linked
rm copied/libwarpglass-codegen.so
made 1 'kernel .*_Z5twicePi.* cannot be run: .*the code generator does not load: .*copied/libwarpglass-codegen.so: cannot open shared object file.*WARPGLASS_BACKEND=ref' copied
export LD_LIBRARY_PATH=copied
expect 0 '' -- ./p
said '^62, without LLVM$'
expect 0 '' -- env WARPGLASS_BACKEND=ref WARPGLASS_CACHE_DIR=none ./p
said '^62, without LLVM$'
finish
