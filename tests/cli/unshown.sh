#!/bin/bash
# What kernels print is shown by the calls that show it on a GPU, and is lost at the program's end: `shown` and `lost` are what an H200
# does (driver 580.159, each six times, the kernel 5 ms long and the program over at once).
. "$(dirname "$0")/expect.sh"

cat > calls.cu << 'CUDA'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
__device__ int symbol;
__global__ void speak(int n) {
    for (int i = 0; i < n; i++) printf("line %d\n", i);
}
__global__ void none() {}
static void host_function(void *) {}
static char *p, *q, *pinned, pageable[1 << 20];
static cudaStream_t s, other;
static cudaEvent_t e;
static struct Last {
    bool frees = false;
    ~Last() {
        if (frees) cudaFree(p);
    }
} last;
#define CALL(name, what) \
    if (!strcmp(call, name)) { \
        what;  \
        return 0;  \
    }
int main(int, char **args) {
    const char *call = args[1];
    cudaMalloc(&p, 1 << 20), cudaMalloc(&q, 1 << 20), cudaMallocHost(&pinned, 99);
    cudaStreamCreate(&s), cudaStreamCreate(&other), cudaEventCreate(&e);
    speak<<<1, 1, 0, s>>>(2);
    CALL("nothing", )
    CALL("exit", exit(0))
    CALL("quick_exit", quick_exit(0))
    CALL("device", cudaDeviceSynchronize())
    CALL("stream", cudaStreamSynchronize(s))
    CALL("event", (cudaEventRecord(e, s), cudaEventSynchronize(e)))
    CALL("reset", cudaDeviceReset())
    CALL("free", cudaFree(p))
    CALL("free nothing", cudaFree(0))
    CALL("free host", cudaFreeHost(pinned))
    CALL("to device", cudaMemcpy(p, pageable, 9, cudaMemcpyDefault))
    CALL("to host", cudaMemcpy(pageable, p, 9, cudaMemcpyDefault))
    CALL("to symbol", cudaMemcpyToSymbol(symbol, pageable, 4))
    CALL("from symbol", cudaMemcpyFromSymbol(pageable, symbol, 4))
    CALL("inside", cudaMemcpy(p, q, 9, cudaMemcpyDefault))
    CALL("no bytes", cudaMemcpy(p, pageable, 0, cudaMemcpyDefault))
    CALL("async to device", cudaMemcpyAsync(p, pageable, 9, cudaMemcpyDefault, s))
    CALL("async to host", cudaMemcpyAsync(pageable, p, 9, cudaMemcpyDefault, s))
    CALL("async pinned", cudaMemcpyAsync(pinned, p, 9, cudaMemcpyDefault, s))
    CALL("fill", cudaMemset(p, 0, 9))
    CALL("queries", while (cudaStreamQuery(s)))
    CALL("event queries", cudaEventRecord(e, s); while (cudaEventQuery(e)))
    CALL("malloc", cudaMalloc(&q, 9))
    CALL("register", cudaHostRegister(pageable, 9, 0))
    CALL("destroy", cudaStreamDestroy(s))
    CALL("host function", cudaLaunchHostFunc(s, host_function, nullptr))
    CALL("launch", (none<<<1, 1>>>()))
    CALL("at exit", atexit([] { cudaDeviceSynchronize(); }))
    CALL("static object", last.frees = true)
    CALL("fork", if (!fork()) exit(0); wait(nullptr); cudaDeviceSynchronize())
    CALL("both", cudaDeviceSynchronize(); (speak<<<1, 1>>>(1)))
    return 1;
}
CUDA
warpglass cc -o calls calls.cu || exit 1

shown() {
    expect 0 '' -- ./calls "$1"
    [[ $(< "$stdout") == $'line 0\nline 1' ]] || fail "$1: not shown"
}
lost() {
    expect 0 'note: .*2 lines, the first is "line 0"\).*cudaDeviceSynchronize' -- ./calls "$1"
    [[ ! -s $stdout ]] || fail "$1: shown"
}
for call in device stream event reset free 'free host' 'to device' 'to host' 'to symbol' 'from symbol'; do shown "$call"; done
for call in nothing exit quick_exit 'free nothing' inside 'no bytes' 'async to device' 'async to host' 'async pinned' fill queries \
    'event queries' malloc register destroy 'host function' launch; do lost "$call"; done
# The program's own ends may still wait (not tried on a GPU).
shown 'at exit'
shown 'static object'
# A child that ends while its parent's kernel runs waits for nothing, and says nothing.
for _ in 1 2 3; do
    expect 0 '' -- timeout 60 ./calls fork
    [[ $(< "$stdout") == $'line 0\nline 1' ]] || fail 'fork: not shown once'
done

expect 0 'note: .*1 line, the first is "line 0"' -- ./calls both
[[ $(< "$stdout") == $'line 0\nline 1' ]] || fail 'the first launch is shown, the second is not'
# The same under the tools.
expect 0 '2 lines, the first' -- warpglass check ./calls -- nothing
expect 0 '2 lines, the first' -- warpglass profile ./calls -- nothing
expect 0 '2 lines, the first' -- warpglass run --deterministic ./calls -- nothing

finish
