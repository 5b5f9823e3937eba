#!/bin/bash
# Host code that accesses device memory ends as on a GPU, with a segmentation fault, whoever runs the program, and says why; the
# program's own handler gets it; and memory that both may access stays as it is. The finding of `check` has tests of its own
# (tests/faulty/memory/host_fills.cu).
. "$(dirname "$0")/expect.sh"

cat > touches.cu << 'CUDA'
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
__global__ void count(int *x) { x[threadIdx.x] = threadIdx.x; }
static sigjmp_buf before;
static void *faulted;
static void on_fault(int, siginfo_t *info, void *) {
    faulted = info->si_addr;
    siglongjmp(before, 1);
}
int main(int, char **args) {
    const char *how = args[1];
    int *x, y[32] = {};
    if (!strcmp(how, "managed")) cudaMallocManaged(&x, sizeof y);
    else if (!strcmp(how, "pinned")) cudaMallocHost(&x, sizeof y);
    else if (!strcmp(how, "pool")) cudaMallocAsync(&x, sizeof y, 0);
    else cudaMalloc(&x, sizeof y);
    if (!strcmp(how, "write")) x[3] = 1;
    count<<<1, 32>>>(x);
    if (!strcmp(how, "library")) memcpy(y, x, sizeof y);
    if (!strcmp(how, "handler")) {
        struct sigaction own = {};
        own.sa_sigaction = on_fault, own.sa_flags = SA_SIGINFO;
        sigaction(SIGSEGV, &own, nullptr);
        cudaDeviceSynchronize();
        if (!sigsetjmp(before, 1)) y[3] = x[3];
        printf("%d %d\n", faulted == x + 3, y[3]);
        return 0;
    }
    cudaDeviceSynchronize();
    if (!strcmp(how, "copied")) cudaMemcpy(y, x, sizeof y, cudaMemcpyDeviceToHost);
    else y[3] = x[3];
    printf("%d\n", y[3]);
    return 0;
}
CUDA
warpglass cc -o touches touches.cu || exit 1

refused() {
    local how=$1 does=$2
    expect 139 "warpglass: the host program $does device memory at 0x[0-9a-f]+, in an allocation of 128 bytes" -- "${@:3}" "$how"
    expect 139 'the code is at .*\+0x[0-9a-f]+ ' -- "${@:3}" "$how"
    [[ ! -s $stdout ]] || fail "$how: went on"
}
refused write writes ./touches
refused read reads ./touches
refused library reads ./touches
refused pool reads ./touches
refused read reads warpglass run ./touches --
refused write writes warpglass profile ./touches --
refused read reads env WARPGLASS_BACKEND=ref ./touches
for how in managed pinned copied; do
    expect 0 '' -- ./touches $how
    [[ $(< "$stdout") == 3 ]] || fail "$how"
done
# Twice is a snapshot's affair: it opens and closes pages itself.
expect 0 'verify: 1 launch compared .*: equal' -- env WARPGLASS_VERIFY=all ./touches read
expect 0 'the host program reads device memory' -- ./touches handler
[[ $(< "$stdout") == "1 0" ]] || fail "the program's handler was not called with the address"

finish
