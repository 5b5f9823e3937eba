#!/bin/bash
# Where compiling or running a kernel takes long, a line says which one and how far; on a terminal it is wiped out again.
. "$(dirname "$0")/expect.sh"

cat > slow.cu << 'END'
#include <cstdio>
__global__ void slow(float *x, int n) {
    float y = x[threadIdx.x];
    for (int i = 0; i < n; i++) y = sinf(y) + cosf(y);
    x[threadIdx.x] = y;
}
int main() {
    float *x = NULL;
    cudaMallocManaged(&x, 1024);
    for (int i = 0; x && i < 256; i++) x[i] = 1;
    slow<<<1, 64>>>(x, 4);
    printf("%d\n", (int)cudaDeviceSynchronize());
}
END
line="^warpglass: compiling kernel 'slow\(float ?\*, int\)' for blocks of 64 threads: step [1-4] of 4, [a-z ]+, [0-9.e-]+ s$"
WARPGLASS_PROGRESS=0.001 expect 0 "$line" -- warpglass run slow.cu
source='^warpglass: compiling slow.cu, [0-9.e-]+ s$'
grep -qE "$source" "$stderr" || fail "nobody says that the source is compiled"
grep -qvE "$line|$source" "$stderr" && fail "there is something besides"
(($(wc -l < "$stderr") < 30)) || fail "too many lines"
# From the cache it takes no time; nobody asked for it; it was asked not to be.
WARPGLASS_PROGRESS=0.001 expect 0 '' -- warpglass run slow.cu
WARPGLASS_CACHE_DIR=none expect 0 '' -- warpglass run slow.cu
WARPGLASS_CACHE_DIR=none WARPGLASS_PROGRESS=0 expect 0 '' -- warpglass run slow.cu
for command in check profile; do
    WARPGLASS_CACHE_DIR=none WARPGLASS_PROGRESS=0.001 expect 0 "$line" -- warpglass $command slow.cu
done
expect 0 '' -- warpglass cc slow.cu -o slow
WARPGLASS_CACHE_DIR=none WARPGLASS_PROGRESS=0.001 expect 0 "$line" -- ./slow
WARPGLASS_PROGRESS=soon expect 0 "WARPGLASS_PROGRESS: 'soon' is not a time in seconds" -- warpglass run slow.cu

# A terminal gets one line, and what the program prints stands alone in the end.
cat > terminal.py << 'END'
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
said = b""
try:
    while (piece := os.read(terminal, 4096)): said += piece
except OSError: pass
status = os.waitpid(pid, 0)[1]
sys.stdout.buffer.write(said)
sys.exit(os.waitstatus_to_exitcode(status))
END
WARPGLASS_CACHE_DIR=none WARPGLASS_PROGRESS=0.001 expect 0 '' -- python3 terminal.py ./slow
grep -q $'\rwarpglass: compiling kernel .slow.*\e\\[K\r\e\\[K0\r$' "$stdout" || fail "the line is not wiped out"
[[ $(wc -l < "$stdout") == 1 ]] || fail "the terminal got more than one line"
WARPGLASS_CACHE_DIR=none WARPGLASS_PROGRESS=1000 expect 0 '' -- python3 terminal.py ./slow
[[ $(cat "$stdout") == $'0\r' ]] || fail "a kernel that is compiled soon enough is told of"

# A launch that takes long: how many of its blocks have begun, and how long the others may take.
cat > long.cu << 'END'
#include <cstdio>
__global__ void spin(float *x, long long n) {
    float y = x[threadIdx.x];
    for (long long start = clock64(); clock64() - start < n;) y = y * 1.0001f + 0.5f;
    x[threadIdx.x] = y;
}
int main() {
    float *x;
    cudaMalloc(&x, 4096);
    spin<<<256, 32>>>(x, 10000000);
    printf("%d\n", (int)cudaDeviceSynchronize());
}
END
expect 0 '' -- warpglass cc long.cu -o long
launch="^warpglass: kernel 'spin\(float ?\*, long long\)', launch 0: [0-9]+ % of its blocks \(grid 256 x 1 x 1\), [0-9]+ s(, about [0-9]+ s left)?$"
WARPGLASS_THREADS=1 WARPGLASS_PROGRESS=0.3 expect 0 "$launch" -- ./long
WARPGLASS_THREADS=1 expect 0 '' -- ./long
WARPGLASS_THREADS=1 WARPGLASS_PROGRESS=0.3 expect 0 '' -- python3 terminal.py ./long
grep -q $'\rwarpglass: kernel .spin.*\e\\[K\r\e\\[K0\r$' "$stdout" || fail "the line of a launch is not wiped out"
finish
