#!/bin/bash
# However a process ends, its result file is whole and says how: ended.sh WARPGLASS
set -u
warpglass=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
cat > "$dir/ends.cu" << 'SOURCE'
#include <csignal>
#include <cstdio>
#include <unistd.h>
__global__ void good(int *p) { p[threadIdx.x] = 1; }
__global__ void bad(int *p) { p[(size_t)threadIdx.x << 40] = 1; }
__global__ void endless(volatile int *p) { while (p[threadIdx.x] != 77) p[threadIdx.x + 64]++; }
int main(int, char **argv) {
    int *p;
    cudaMalloc(&p, 4096);
    good<<<1, 64>>>(p);
    cudaDeviceSynchronize();
    if (argv[1][0] == 'f') bad<<<2, 32>>>(p);
    if (argv[1][0] == 'l') endless<<<2, 32>>>(p);
    cudaDeviceSynchronize();
    if (argv[1][0] == 'k') {
        sleep(3); // the file is written now and then
        good<<<1, 64>>>(p);
        cudaDeviceSynchronize();
        kill(getpid(), SIGKILL);
    }
}
SOURCE

ends() { # what the file says, what it holds, then the command's arguments
    local out=$dir/out.json
    rm -f "$out"
    WARPGLASS_PROFILE=$out "$warpglass" run "${@:3}" > "$dir/log" 2>&1
    if ! grep -q "\"ended\": \"$1\"" "$out" || ! grep -q "$2" "$out" || [[ $(tail -c 3 "$out") != *"}" ]]; then
        echo "${*:3}: not \"$1\" with $2"
        cat "$dir/log"
        head -c 600 "$out"
        failed=1
    fi
}
ends exit '"status": "success"' "$dir/ends.cu" -- e
ends fault '"status": "cudaErrorIllegalAddress"' "$dir/ends.cu" -- f
ends signal '"display": "endless' --timeout 2 "$dir/ends.cu" -- l
ends running '"status": "success"' "$dir/ends.cu" -- k
exit $failed
