#!/bin/bash
# NVRTC: programs that compile their kernels while they run, linked as with NVIDIA's; statuses are those of NVRTC 13.0.
. "$(dirname "$0")/expect.sh"
eval "$(warpglass env)"
export TMPDIR=$PWD/temporary
mkdir "$TMPDIR"

# ---- What the functions answer
cat > statuses.c << 'END'
#include <nvrtc.h>
#include <stdio.h>
#include <string.h>
static int failed;
#define IS(STATUS, CALL)                                                                                     \
    do {                                                                                                     \
        nvrtcResult r = CALL;                                                                                \
        if (r != NVRTC_##STATUS) failed = 1, printf("%d: %s: %s\n", __LINE__, #CALL, nvrtcGetErrorString(r)); \
    } while (0)
#define OK(CONDITION)                                                                                        \
    if (!(CONDITION)) failed = 1, printf("%d: not %s\n", __LINE__, #CONDITION)
static nvrtcResult compile(const char *source, const char *option, const char *expression, const char *log) {
    nvrtcProgram p;
    size_t n;
    static char text[1 << 20];
    const char *name;
    IS(SUCCESS, nvrtcCreateProgram(&p, source, NULL, 0, NULL, NULL));
    if (expression) IS(SUCCESS, nvrtcAddNameExpression(p, expression));
    nvrtcResult r = nvrtcCompileProgram(p, option != NULL, &option);
    IS(SUCCESS, nvrtcGetProgramLogSize(p, &n));
    IS(SUCCESS, nvrtcGetProgramLog(p, text));
    OK(strlen(text) + 1 == n);
    if (!strstr(text, log) || (!*log && *text)) failed = 1, printf("%s: %s\n", option ? option : source, text);
    IS(SUCCESS, nvrtcGetPTXSize(p, &n));
    IS(SUCCESS, nvrtcGetPTX(p, text));
    OK(r ? n == 1 : strlen(text) + 1 == n && strstr(text, ".entry") && !strstr(text, "__wg_name"));
    if (r && expression) IS(ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, nvrtcGetLoweredName(p, expression, &name));
    if (r != NVRTC_ERROR_INVALID_OPTION)
        IS(ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION, nvrtcAddNameExpression(p, "other"));
    OK(nvrtcCompileProgram(p, option != NULL, &option) == r);
    IS(SUCCESS, nvrtcDestroyProgram(&p));
    return r;
}
static int cancel(void *payload, void *reserved) { return ++*(int *)payload && !reserved; }
int main(void) {
    static const char k[] = "extern \"C\" __global__ void k(int *p) { *p = 1; }\n";
    int major, minor, n, archs[64], called = 0;
    size_t size;
    nvrtcProgram p;
    const char *names[] = {"/absolute.h"}, *texts[] = {""}, *sm = "-arch=sm_90";
    IS(SUCCESS, nvrtcVersion(&major, &minor));
    OK(major == 13 && minor == 0);
    IS(ERROR_INVALID_INPUT, nvrtcVersion(NULL, &minor));
    IS(SUCCESS, nvrtcGetNumSupportedArchs(&n));
    IS(SUCCESS, nvrtcGetSupportedArchs(archs));
    OK(n > 8 && archs[0] == 75 && archs[n - 1] >= 120);
    for (int i = 1; i < n; i++) OK(archs[i - 1] < archs[i]);
    IS(ERROR_INVALID_INPUT, nvrtcCreateProgram(&p, NULL, NULL, 0, NULL, NULL));
    IS(ERROR_INVALID_PROGRAM, nvrtcCreateProgram(NULL, k, NULL, 0, NULL, NULL));
    IS(ERROR_INVALID_INPUT, nvrtcCreateProgram(&p, k, NULL, 1, NULL, NULL));
    IS(ERROR_INVALID_PROGRAM, nvrtcCompileProgram(NULL, 0, NULL));
    IS(ERROR_INVALID_PROGRAM, nvrtcDestroyProgram(NULL));
    IS(ERROR_INVALID_PROGRAM, nvrtcGetPTXSize(NULL, &size));
    IS(SUCCESS, compile(k, NULL, "k", ""));
    IS(SUCCESS, compile(k, "--gpu-architecture=compute_80", NULL, ""));
    IS(SUCCESS, compile("int f() { return 1; }\n__global__ void k(int *p) { assert(p); *p = f(); }", "-default-device", NULL, ""));
    IS(SUCCESS, compile("#include <cassert>\n__global__ void k(int *p) { assert(p); printf(\"\"); }", "-default-device", NULL, ""));
    const char *const many[] = {"--builtin-move-forward", "false", "--version-ident=true", "-pch", "--pch-dir=/tmp", "--device-int128",
                                "--minimal", "-no-cache", "--split-compile=2", "-arch", "compute_90", "-D", "A=1", "--use_fast_math"};
    IS(SUCCESS, nvrtcCreateProgram(&p, k, NULL, 0, NULL, NULL));
    IS(SUCCESS, nvrtcCompileProgram(p, sizeof many / sizeof *many, many));
    IS(SUCCESS, nvrtcDestroyProgram(&p));
    IS(ERROR_INVALID_OPTION, compile(k, "--frobnicate", NULL, "unknown option '--frobnicate'"));
    IS(ERROR_INVALID_OPTION, compile(k, "-arch=sm_4", NULL, "unknown arch"));
    IS(ERROR_INVALID_OPTION, compile(k, "-dlto", NULL, "no code for NVIDIA's linker"));
    IS(ERROR_COMPILATION, compile("__global__ void k() {\n oops(); }", NULL, NULL, "default_program:2:2: error:"));
    IS(ERROR_COMPILATION, compile(k, NULL, "absent<int>", "name expressions:1:"));
    IS(ERROR_COMPILATION, compile("#include \"absent.h\"\n", NULL, NULL, "'absent.h' file not found"));
    IS(SUCCESS, nvrtcCreateProgram(&p, k, "k.cu", 1, texts, names));
    IS(ERROR_INVALID_INPUT, nvrtcCompileProgram(p, 0, NULL));
    IS(SUCCESS, nvrtcDestroyProgram(&p));
    OK(!p);
    IS(SUCCESS, nvrtcCreateProgram(&p, k, "k.cu", 0, NULL, NULL));
    IS(SUCCESS, nvrtcGetPTXSize(p, &size));
    OK(size == 1);
    IS(SUCCESS, nvrtcSetFlowCallback(p, cancel, &called));
    IS(ERROR_CANCELLED, nvrtcCompileProgram(p, 0, NULL));
    OK(called == 1);
    IS(SUCCESS, nvrtcDestroyProgram(&p));
    IS(SUCCESS, nvrtcCreateProgram(&p, k, "k.cu", 0, NULL, NULL));
    IS(SUCCESS, nvrtcCompileProgram(p, 1, &sm));
    IS(SUCCESS, nvrtcGetCUBINSize(p, &size));
    OK(size > 100);
    IS(ERROR_NAME_EXPRESSION_NOT_VALID, nvrtcGetLoweredName(p, "k", &sm));
    return failed;
}
END
expect 0 '' -- gcc -I"$CUDA_HOME/include" statuses.c -L"$CUDA_HOME/lib64" -lnvrtc -o statuses
expect 0 '' -- ./statuses
[[ -z $(ls -A "$TMPDIR") ]] || fail "left behind: $(ls "$TMPDIR")"

# What the machine lacks is in the log.
cat > lacks.c << 'END'
#include <nvrtc.h>
#include <stdio.h>
int main(void) {
    nvrtcProgram p;
    char log[4096] = "";
    nvrtcCreateProgram(&p, "__global__ void k() {}", "k.cu", 0, NULL, NULL);
    nvrtcResult r = nvrtcCompileProgram(p, 0, NULL);
    nvrtcGetProgramLog(p, log);
    printf("%s: %s\n", nvrtcGetErrorString(r), log);
    return 0;
}
END
expect 0 '' -- gcc -I"$CUDA_HOME/include" lacks.c -L"$CUDA_HOME/lib64" -lnvrtc -o lacks
TMPDIR=/proc/nonexistent expect 0 '' -- ./lacks
said 'BUILTIN_OPERATION_FAILURE: nvrtc: error: cannot make a folder /proc/nonexistent/warpglass-rtc'
WARPGLASS_CLANG=/nonexistent expect 0 '' -- ./lacks
said 'COMPILATION: warpglass: WARPGLASS_CLANG is /nonexistent, which does not exist'
PATH=/nonexistent expect 0 '' -- ./lacks
said 'COMPILATION: warpglass: no clang 19 or later in PATH'

# ---- A program: headers of its own, templates by name expressions, static variables, machine code's form
cat > generic.cpp << 'END'
#include <cstdio>
#include <cstring>
#include <cuda.h>
#define NVRTC_GET_TYPE_NAME 1
#include <nvrtc.h>
#include <string>
#include <vector>
#define CU(CALL) do if (int r = CALL) return printf("%s: %d\n%s\n", #CALL, r, log.c_str()), 1; while (0)
int main(int argc, char **argv) {
    std::string log, type;
    const char *source = R"(
#include "step.h"
#include "sub/factor.h"
#include "../above.h"
static __constant__ int shift[2];
__device__ int times = FACTOR;
template <typename T, int N> __global__ void scale(T *x) {
    x[threadIdx.x] = x[threadIdx.x] * T(times) + shift[N] + step<T>() + ABOVE;
}
)";
    const char *headers[] = {"template <typename T> __device__ T step() { return T(1) / 4; }", "#include \"more.h\"\n",
                             "#define FACTOR 3\n", "#define ABOVE 1000\n"};
    const char *names[] = {"step.h", "sub/factor.h", "sub/more.h", "../above.h"};
    std::vector<const char *> options = {"--std=c++17", "-I", "."};
    if (argc > 1) options.push_back(argv[1]);
    nvrtcProgram p;
    CU(nvrtcCreateProgram(&p, source, "scale.cu", 4, headers, names));
    CU(nvrtcGetTypeName<float>(&type));
    std::string kernel = "scale<" + type + ", 1>";
    CU(nvrtcAddNameExpression(p, kernel.c_str()));
    CU(nvrtcAddNameExpression(p, "&times"));
    CU(nvrtcAddNameExpression(p, "shift"));
    int status = nvrtcCompileProgram(p, options.size(), options.data());
    size_t n;
    CU(nvrtcGetProgramLogSize(p, &n));
    log.resize(n);
    CU(nvrtcGetProgramLog(p, &log[0]));
    CU(status);
    std::vector<char> image;
    CU(nvrtcGetCUBINSize(p, &n));
    image.resize(n);
    if (n) {
        CU(nvrtcGetCUBIN(p, image.data()));
    } else {
        CU(nvrtcGetPTXSize(p, &n));
        image.resize(n);
        CU(nvrtcGetPTX(p, image.data()));
    }
    const char *lowered, *times, *shift;
    CU(nvrtcGetLoweredName(p, kernel.c_str(), &lowered));
    CU(nvrtcGetLoweredName(p, "&times", &times));
    CU(nvrtcGetLoweredName(p, "shift", &shift));
    if (strstr(image.data(), "warpglass-rtc")) return puts("the PTX names the folder"), 1;
    printf("%s %s %s %s\n", n < 100000 && !memcmp(image.data(), "\x50\xed\x55\xba", 4) ? "cubin" : "ptx", lowered, times, shift);
    CUdevice d;
    CUcontext c;
    CUmodule m;
    CUfunction f;
    CUdeviceptr x, s;
    float v[3] = {1, 2, 3};
    int shifts[2] = {0, 100};
    CU(cuInit(0));
    CU(cuDeviceGet(&d, 0));
    CU(cuDevicePrimaryCtxRetain(&c, d));
    CU(cuCtxSetCurrent(c));
    CU(cuModuleLoadData(&m, image.data()));
    CU(cuModuleGetFunction(&f, m, lowered));
    CU(cuModuleGetGlobal(&s, &n, m, shift));
    CU(cuMemcpyHtoD(s, shifts, sizeof shifts));
    CU(cuModuleGetGlobal(&s, &n, m, times));
    CU(cuMemAlloc(&x, sizeof v));
    CU(cuMemcpyHtoD(x, v, sizeof v));
    void *args[] = {&x};
    CU(cuLaunchKernel(f, 1, 1, 1, 3, 1, 1, 0, 0, args, 0));
    CU(cuMemcpyDtoH(v, x, sizeof v));
    printf("%g %g %g\n", v[0], v[1], v[2]);
    CU(nvrtcDestroyProgram(&p));
}
END
expect 0 '' -- nvcc generic.cpp -lnvrtc -lcuda -o generic
expect 0 '' -- ./generic
said '^ptx _Z5scaleIfLi1EEvPT_ times shift$'
said '^1103.25 1106.25 1109.25$'
expect 0 '' -- ./generic --gpu-architecture=sm_90
said '^cubin '
said '^1103.25 1106.25 1109.25$'
expect 1 '' -- ./generic '-DT=;'
said '^step.h:1:20: error: '
expect 0 '' -- nvcc generic.cpp -cudart static -lnvrtc_static -lcuda -o generic
expect 0 '' -- ./generic
# By gcc, and found in LD_LIBRARY_PATH.
expect 0 '' -- g++ -I"$CUDA_HOME/include" generic.cpp -L"$CUDA_HOME/lib64" -L"$CUDA_HOME/lib64/stubs" -lnvrtc -lcuda -o generic
expect 0 '' -- ./generic

# ---- Profile and check see such kernels by the name that the program gave its source
expect 0 '' -- warpglass profile ./generic
said 'scale<float, 1>'
said 'scale.cu'
cat > race.cpp << 'END'
#include <cuda.h>
#include <nvrtc.h>
#include <vector>
int main() {
    nvrtcProgram p;
    size_t n;
    CUdevice d;
    CUcontext c;
    CUmodule m;
    CUfunction f;
    CUdeviceptr x;
    nvrtcCreateProgram(&p, "extern \"C\" __global__ void race(int *x) {\n    *x = threadIdx.x;\n}\n", "race.cu", 0, 0, 0);
    if (nvrtcCompileProgram(p, 0, 0) || nvrtcGetPTXSize(p, &n)) return 1;
    std::vector<char> ptx(n);
    nvrtcGetPTX(p, ptx.data());
    void *args[] = {&x};
    return cuInit(0) || cuDeviceGet(&d, 0) || cuDevicePrimaryCtxRetain(&c, d) || cuCtxSetCurrent(c) ||
           cuModuleLoadData(&m, ptx.data()) || cuModuleGetFunction(&f, m, "race") || cuMemAlloc(&x, 4) ||
           cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, 0, args, 0) || cuCtxSynchronize();
}
END
expect 3 '' -- warpglass check race.cpp -lnvrtc -lcuda
said 'race.cu:2'
[[ -z $(ls -A "$TMPDIR") ]] || fail "left behind: $(ls "$TMPDIR")"
finish
