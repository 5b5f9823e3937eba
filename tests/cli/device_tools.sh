#!/bin/bash
# The toolkit's tools for device code: ptxas, fatbinary, cuobjdump and nvlink as build systems call them, with good and bad input.
. "$(dirname "$0")/expect.sh"
eval "$(warpglass env)"
shows() { # PATTERN -- COMMAND...: on standard output
    local pattern=$1
    shift 2
    expect 0 '' -- "$@"
    said "$pattern"
}
for tool in ptxas fatbinary cuobjdump nvlink; do
    shows "^usage: $tool" -- "$tool" --help
    shows 'release 13.0, V13.0' -- "$tool" --version
    [[ $(command -v "$tool") == "$CUDA_HOME/bin/$tool" ]] || fail "$tool is $(command -v "$tool")"
done

cat > add.cu << 'END'
extern "C" __global__ void add(float *x, int n) {
    __shared__ float part[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n) x[i] += part[blockDim.x - 1 - threadIdx.x];
}
END
expect 0 '' -- nvcc -arch=sm_80 -ptx add.cu -o add.ptx

# ---- ptxas: as a person, as clang and as a kernel compiler call it
expect 0 "Compiling entry function 'add' for 'sm_80'" -- ptxas -v add.ptx
grep -qE 'Used [0-9]+ registers.*256 bytes smem' "$stderr" || fail "ptxas -v: no registers"
[[ -s elf.o ]] || fail "ptxas: no elf.o"
expect 0 '' -- ptxas -m64 -O3 --gpu-name sm_90 --output-file add.cubin add.ptx
expect 0 "for 'sm_90a'" -- ptxas -lineinfo -v --gpu-name=sm_90a add.ptx -o add.a.cubin
expect 1 'add.ptx: its .target sm_80 is not for -arch=sm_75' -- ptxas -arch=sm_75 add.ptx
expect 1 "unknown arch 'sm_42'" -- ptxas -arch sm_42 add.ptx
expect 1 'ptxas: no file of PTX' -- ptxas
expect 1 'not also add.cu' -- ptxas add.ptx add.cu
expect 1 'nothere.ptx: no such file' -- ptxas nothere.ptx
expect 1 'unknown option --frobnicate; "ptxas --help"' -- ptxas --frobnicate add.ptx
expect 1 '-o needs a value: FILE' -- ptxas add.ptx -o
expect 1 'cannot write no/such/folder' -- ptxas add.ptx -o no/such/folder
expect 1 'fmad=false is not supported' -- ptxas -fmad=false add.ptx
sed 's/bar.sync/bar.sink/' add.ptx > bad.ptx
expect 1 'bad.ptx:[0-9]+:[0-9]+: error' -- ptxas bad.ptx
echo '--gpu-name=sm_90 -o "from file.cubin"' > words
expect 0 '' -- ptxas --options-file words add.ptx
[[ -s 'from file.cubin' ]] || fail "ptxas --options-file"
echo '-optf words' > words
expect 1 'options file words cannot be read' -- ptxas -optf words add.ptx

# Where NVIDIA's are installed: each of their options is known by both of its names, taken or refused.
for tool in ptxas fatbinary cuobjdump; do
    theirs=/usr/local/cuda/bin/$tool
    [[ -x $theirs ]] || continue
    options=$("$theirs" --help | grep -oE '^--[A-Za-z0-9][A-Za-z0-9-]*|\(-[A-Za-z0-9-]+\)' | tr -d '()')
    (($(wc -w <<< "$options") > 20)) || fail "$tool --help: $options"
    for option in $options; do
        "$tool" "$option" > "$stdout" 2> "$stderr" < /dev/null
        ! grep -q 'unknown option' "$stderr" || fail "$tool $option"
    done
done

# ---- what nvcc says of kernels
expect 0 "Compiling entry function 'add' for 'sm_90'" -- nvcc -arch=sm_90 -Xptxas -v -c add.cu
WARPGLASS_PTXAS='' expect 0 'note: there is no ptxas here, so registers are estimated' -- nvcc --resource-usage -c add.cu
[[ $(grep -c 'Used [0-9]* registers' "$stderr") == 1 ]] || fail "--resource-usage: not one kernel"

# ---- fatbinary and cuobjdump
expect 0 '' -- fatbinary -64 --create=both.fatbin --image3=kind=elf,sm=90,file=add.cubin --image3=kind=ptx,sm=80,file=add.ptx
shows 'PTX file    1: both.1.sm_90.ptx' -- cuobjdump -lptx both.fatbin
said 'PTX file    2: both.2.sm_80.ptx'
expect 0 '' -- fatbinary --create one.fatbin --image=profile=compute_80,file=add.ptx
shows 'one.1.sm_80' -- cuobjdump --list-ptx one.fatbin
expect 0 '' -- fatbinary --create again.fatbin -image2=kind=elf,file=both.fatbin
shows 'again.2.sm_80.ptx' -- cuobjdump -lptx again.fatbin
expect 0 'code in it for that machine' -- cuobjdump -lptx -arch=sm_75 again.fatbin
expect 1 'no --create=FILE' -- fatbinary --image3=kind=ptx,sm=90,file=add.ptx
expect 1 'says what to put in' -- fatbinary --create=none
expect 1 'expected kind=ptx' -- fatbinary --create=none --image3=nonsense
expect 1 'add.cu: this is no PTX' -- fatbinary --create=none --image3=sm=90,file=add.cu
expect 1 'bin2c makes an array' -- fatbinary --embedded-fatbin=c.c
[[ ! -e none ]] || fail "fatbinary left a file"

cat > main.cu << 'END'
#include <cstdio>
__device__ __noinline__ float twice(float x) { return 2 * x; }
__global__ void scale(float *x) { x[threadIdx.x] = twice(x[threadIdx.x]); }
int main() {
    float *x;
    cudaMallocManaged(&x, 4);
    *x = 3;
    scale<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    printf("%g\n", *x);
}
END
expect 0 '' -- nvcc main.cu -o main
expect 0 '' -- nvcc -dc main.cu -o main.o
expect 0 '' -- nvcc -lib main.o -o libmain.a
for file in main main.o libmain.a; do
    shows 'PTX file    1: (lib)?main.1.sm_90.ptx' -- cuobjdump -lptx "$file"
    shows '^.version' -- cuobjdump -ptx "$file"
done
mkdir -p extracted
(cd extracted && cuobjdump -xptx all ../main) > out || fail "-xptx: $(< out)"
expect 0 '' -- ptxas extracted/main.1.sm_90.ptx -o again.cubin
expect 1 'no machine code for GPUs' -- cuobjdump -sass main
expect 1 'what is to be shown' -- cuobjdump main
expect 1 'cuobjdump: no file' -- cuobjdump -lptx
expect 1 'nothere: No such file' -- cuobjdump -lptx nothere
expect 0 'there is no device code in it' -- cuobjdump -lptx "$(command -v bash)"
expect 1 'nothing for nvlink to make' -- nvlink -arch=sm_90 main.o -o main.cubin
expect 2 'unknown tool' -- warpglass tool ld
expect 2 'behind "--"' -- warpglass tool ptxas add.ptx

# Damaged files: a message, or what is left of them, and never a crash.
for file in both.fatbin main.o libmain.a add.ptx; do
    size=$(stat -c %s "$file")
    for at in 0 4 6 8 15 17 20 24 40 60 64 $((size / 3)) $((size / 2)) $((size - 70)) $((size - 3)); do
        head -c "$at" "$file" > damaged
        status=0; cuobjdump -ptx -lelf damaged > out 2>&1 || status=$?
        ((status <= 1)) || fail "$file cut at $at: $status, $(< out)"
        cp "$file" damaged
        printf '\xff\xff\xff' | dd of=damaged bs=1 seek="$at" conv=notrunc status=none
        status=0; cuobjdump -ptx -lelf damaged > out 2>&1 || status=$?
        ((status <= 1)) || fail "$file changed at $at: $status, $(< out)"
    done
done

# What they make runs.
cat > load.cu << 'END'
#include <cstdio>
#include <cuda.h>
int main(int, char **argv) {
    CUdevice d;
    CUcontext c;
    int bad = cuInit(0) || cuDeviceGet(&d, 0) || cuDevicePrimaryCtxRetain(&c, d) || cuCtxSetCurrent(c);
    for (char **file = argv + 1; *file && !bad; file++) {
        CUmodule m;
        CUfunction f;
        CUdeviceptr x;
        float v[2] = {1, 2};
        int n = 2;
        void *args[] = {&x, &n};
        bad = cuModuleLoad(&m, *file) || cuModuleGetFunction(&f, m, "add") || cuMemAlloc(&x, 8) ||
              cuMemcpyHtoD(x, v, 8) || cuLaunchKernel(f, 1, 1, 1, 2, 1, 1, 0, 0, args, 0) || cuMemcpyDtoH(v, x, 8) ||
              cuModuleUnload(m) || v[0] != 3 || v[1] != 3;
        if (bad) printf("%s\n", *file);
    }
    return bad;
}
END
expect 0 '' -- nvcc load.cu -lcuda -o load
expect 0 '' -- ./load add.ptx add.cubin add.a.cubin both.fatbin one.fatbin again.fatbin 'from file.cubin'

# What cuLinkAddFile takes: PTX, objects, libraries and what ptxas made.
echo 'extern "C" __device__ int twice(int x) { return 2 * x; }' > twice.cu
echo 'extern "C" __device__ int next(int x) { return x + 1; }' > next.cu
echo 'extern "C" __device__ int twice(int), next(int), third(int);
extern "C" __global__ void all(int *x) { *x = next(twice(third(*x))); }' > all.cu
echo 'extern "C" __device__ int third(int x) { return x / 3; }' > third.cu
expect 0 '' -- nvcc -dc twice.cu next.cu
expect 0 '' -- nvcc -lib next.o -o libnext.a
expect 0 '' -- nvcc -rdc=true -ptx all.cu
expect 0 '' -- nvcc -rdc=true -cubin third.cu
cat > link.cu << 'END'
#include <cstdio>
#include <cuda.h>
#define OK(CALL) \
    if (CUresult r = CALL) return printf("%s: %d\n%s\n", #CALL, r, log), 1
int main(int argc, char **) {
    static char log[1000] = "not written";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log}, *image;
    CUdevice d;
    CUcontext c;
    CUlinkState l;
    CUmodule m;
    CUfunction f;
    CUdeviceptr x;
    int v = 21;
    OK(cuInit(0));
    OK(cuDeviceGet(&d, 0));
    OK(cuDevicePrimaryCtxRetain(&c, d));
    OK(cuCtxSetCurrent(c));
    OK(cuLinkCreate(2, options, values, &l));
    if (*log || values[1]) return puts("the log is not empty"), 1;
    OK(cuLinkAddFile(l, CU_JIT_INPUT_PTX, "all.ptx", 0, 0, 0));
    OK(cuLinkAddFile(l, CU_JIT_INPUT_CUBIN, "third.cubin", 0, 0, 0));
    OK(cuLinkAddFile(l, CU_JIT_INPUT_OBJECT, "twice.o", 0, 0, 0));
    OK(cuLinkAddFile(l, CU_JIT_INPUT_LIBRARY, "libnext.a", 0, 0, 0));
    OK(cuLinkAddFile(l, CU_JIT_INPUT_LIBRARY, CUDADEVRT, 0, 0, 0));
    if (argc > 1) OK(cuLinkAddFile(l, CU_JIT_INPUT_OBJECT, "link.cu", 0, 0, 0));
    OK(cuLinkComplete(l, &image, 0));
    OK(cuModuleLoadData(&m, image));
    OK(cuLinkDestroy(l));
    OK(cuModuleGetFunction(&f, m, "all"));
    OK(cuMemAlloc(&x, 4));
    OK(cuMemcpyHtoD(x, &v, 4));
    void *args[] = {&x};
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, 0));
    OK(cuMemcpyDtoH(&v, x, 4));
    printf("%d\n", v);
}
END
expect 0 '' -- nvcc "-DCUDADEVRT=\"$CUDA_HOME/lib64/libcudadevrt.a\"" link.cu -lcuda -o link
shows '^15$' -- ./link
expect 1 '' -- ./link wrong
said 'link.cu: this is no PTX, container of device code'

# A tool of NVIDIA's is looked for behind ours, in PATH.
mkdir -p theirs
printf '#!/bin/sh\necho theirs "$@" >> %q\nexit 1\n' "$PWD/asked" > theirs/ptxas
chmod +x theirs/ptxas
PATH="$CUDA_HOME/bin:$PWD/theirs:$PATH" shows 'registers' -- warpglass occupancy add.ptx
grep -q theirs asked || fail "the ptxas in PATH behind ours was not asked"
finish
