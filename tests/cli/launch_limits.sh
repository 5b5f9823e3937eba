#!/bin/bash
# Registers and launches: what ptxas says refuses one, as on a GPU; an estimate never does, and is told once.
. "$(dirname "$0")/expect.sh"

# A kernel with many words alive at once, and one that is bounded to fit.
cat > heavy.cu << 'END'
#include <cstdio>
template <int N> __device__ void work(const float *in, float *out, int rounds) {
    float sums[N];
    int i = threadIdx.x;
#pragma unroll
    for (int k = 0; k < N; k++) sums[k] = in[k * 1024 + i];
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int k = 0; k < N; k++) sums[k] = sums[k] * sums[(k + 7) % N] + r;
#pragma unroll
    for (int k = 0; k < N; k++) out[k * 1024 + i] = sums[k];
}
__global__ void heavy(const float *in, float *out, int rounds) { work<120>(in, out, rounds); }
__global__ void __launch_bounds__(512) bounded(const float *in, float *out, int rounds) { work<120>(in, out, rounds); }
__global__ void together(const float *in, float *out, int rounds) { work<60>(in, out, rounds); }
int main() {
    float *in, *out;
    cudaMalloc(&in, 120 * 1024 * 4);
    cudaMalloc(&out, 120 * 1024 * 4);
    cudaMemset(in, 0, 120 * 1024 * 4);
    cudaFuncAttributes a;
    int blocks, rounds = 3;
    cudaFuncGetAttributes(&a, heavy);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, heavy, 1024, 0);
    printf("heavy: %d registers, at most %d threads, %d blocks\n", a.numRegs, a.maxThreadsPerBlock, blocks);
    for (int k = 0; k < 3; k++) {
        heavy<<<1, 1024>>>(in, out, rounds);
        cudaDeviceSynchronize();
        printf("heavy: %s\n", cudaGetErrorName(cudaGetLastError()));
    }
    bounded<<<1, 1024>>>(in, out, rounds);
    cudaDeviceSynchronize();
    printf("bounded: %s\n", cudaGetErrorName(cudaGetLastError()));
    void *args[] = {&in, &out, &rounds};
    cudaLaunchCooperativeKernel((void *)together, dim3(132 * 4), dim3(256), args, 0, 0);
    cudaDeviceSynchronize();
    printf("together: %s\n", cudaGetErrorName(cudaGetLastError()));
    cudaLaunchCooperativeKernel((void *)together, dim3(132 * 9), dim3(256), args, 0, 0);
    cudaDeviceSynchronize();
    printf("threads alone: %s\n", cudaGetErrorName(cudaGetLastError()));
}
END

# With an estimate, which is too high for all of this: it is said once for each kernel, and runs.
export WARPGLASS_PTXAS=
for command in run check profile; do
    [[ $command == check ]] && status=3 || status=0 # the two that cannot run are findings
    expect $status 'note: kernel' -- warpglass $command heavy.cu
    said '^heavy: [0-9]+ registers, at most 1024 threads, 1 blocks'
    [[ $(grep -c '^heavy: cudaSuccess' "$stdout") == 3 ]] || fail "$command: an estimate refused a launch"
    [[ $(grep -c 'note: kernel heavy(float const\*, float\*, int): 1024 threads per block may be too many' "$stderr") == 1 ]] ||
        fail "$command: not told once"
    said '^bounded: cudaErrorInvalidValue'
    said '^together: cudaSuccess'
    said '^threads alone: cudaErrorCooperativeLaunchTooLarge'
done
grep -q 'kernel together.*: a cooperative launch of 528 blocks may be too large' "$stderr" || fail "not told of the cooperative launch"

# With ptxas: its number everywhere, and it refuses.
cat > ptxas << 'END'
#!/bin/bash
echo "$*" >> asked
grep -q '^.target' || exit 1
for word; do
    case $word in --entry=*heavy*) n=70 ;; --entry=*together*) n=40 ;; --entry=*) n=60 ;; *) continue ;; esac
    echo "ptxas info    : Compiling entry function '${word#--entry=}' for 'sm_90'"
    echo "ptxas info    : Used $n registers, used 0 barriers"
done >&2
END
chmod +x ptxas
export WARPGLASS_PTXAS=$PWD/ptxas
for command in run check profile; do
    [[ $command == check ]] && status=3 || status=0
    expect $status 'heavy.* was not launched: 1024 threads per block need 70 registers each, according to ptxas: at most 896 threads fit' -- \
        warpglass $command heavy.cu
    said '^heavy: 70 registers, at most 896 threads, 0 blocks'
    said '^heavy: cudaErrorLaunchOutOfResources'
    said '^together: cudaSuccess'
    ! grep 'note: kernel' "$stderr" || fail "$command: a doubt where ptxas knows"
done
[[ $(grep -c -- '--entry=.*heavy' asked) -le 2 ]] || fail "ptxas was asked again and again"

# One that never ends, and one that is not there, are as none.
printf '#!/bin/sh\nexit 1\n' > ptxas
expect 0 'note: kernel heavy' -- warpglass run heavy.cu
said '^heavy: cudaSuccess'
export WARPGLASS_PTXAS=$PWD/none
expect 0 'note: kernel heavy' -- warpglass run heavy.cu
said '^heavy: cudaSuccess'
finish
