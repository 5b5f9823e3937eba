#!/bin/bash
# Accesses near an allocation: they pass and are told once, unless --strict or WARPGLASS_STRICT makes them errors.
. "$(dirname "$0")/expect.sh"
unset WARPGLASS_STRICT

cat > strays.cu << 'END'
#include <cstdio>
#include <cstdlib>

__global__ void put(int *a, long at, int v) {
    a[at + threadIdx.x] = v;
}
__device__ int twice(const int *a, long at) {
    return 2 * a[at];
}
__global__ void get(const int *a, long at, int *out) {
    out[threadIdx.x] = twice(a, at + threadIdx.x);
}
__global__ void add(int *a, long at) {
    atomicAdd(&a[at], 1);
}

int main(int argc, char **argv) {
    int *a, *out, h[32];
    cudaMalloc(&a, 4096);
    cudaMalloc(&out, sizeof h);
    const long far = argc > 1 ? 1l << 33 : 1024, at = far + 1024;
    for (int i = 0; i < 5; i++) put<<<i + 1, 32>>>(a, at, 7);
    add<<<3, 32>>>(a, at);
    get<<<1, 32>>>(a, at, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    if (cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess) printf("%d %d\n", h[0], h[31]);
    printf("copy: %s\n", cudaGetErrorName(cudaMemcpy(h, a + at, sizeof h, cudaMemcpyDeviceToHost)));
    return 0;
}
END
for backend in jit ref; do
    export WARPGLASS_BACKEND=$backend
    expect 0 '^warpglass: strays.cu:5:[0-9]+: access outside all allocations in kernel put\(int\*, long, int\)$' \
        -- warpglass run strays.cu
    said '^cudaSuccess$'
    said '^206 14$' # 7 and three warps of additions
    said '^copy: cudaErrorInvalidValue$'
    grep -q 'st.global.u32 of 4 bytes at' "$stderr" || fail "the operation is not told"
    grep -q 'by thread (0,0,0) of block (0,0,0)' "$stderr" || fail "the thread is not told"
    grep -q 'the address is 4096 bytes past the end of an allocation of 4096 bytes' "$stderr" || fail "nor the place"
    [[ $(grep -c 'strays.cu:5:' "$stderr") == 1 ]] || fail "a place is not told once"
    [[ $(grep -c 'access outside all allocations in kernel' "$stderr") == 3 ]] || fail "there are three places"
    grep -q 'in twice, inlined at strays.cu:11:' "$stderr" || fail "a place that was inlined"
    [[ $(grep -c 'warpglass check' "$stderr") == 1 ]] || fail "what to do is to be said once"
    expect 0 'strays.cu:5:[0-9]+: illegal address in kernel put' -- warpglass run --strict strays.cu
    said '^cudaErrorIllegalAddress$'
    WARPGLASS_STRICT=1 expect 0 'strays.cu:5:[0-9]+: illegal address in kernel put' -- warpglass run strays.cu
    expect 0 'strays.cu:5:[0-9]+: illegal address in kernel put' -- warpglass run strays.cu -- far
    said '^cudaErrorIllegalAddress$'
done
unset WARPGLASS_BACKEND
expect 0 'access outside all allocations in kernel get' -- warpglass profile strays.cu
expect 0 'illegal address in kernel put' -- warpglass profile --strict strays.cu
expect 3 '' -- warpglass check strays.cu
said '^3 findings$|^4 findings$'
said 'out-of-bounds'
WARPGLASS_STRICT=2 expect 0 "WARPGLASS_STRICT: '2' is not 0 or 1" -- warpglass run strays.cu
expect 0 'verify: 7 launches compared with the reference, [0-9]+ bytes: equal' -- warpglass run --verify strays.cu

# Two places of which LLVM makes one instruction: a block meets the one, another block the other.
cat > two.cu << 'END'
#include <cstdio>
__global__ void two(int *a, long far, long further) {
    int *p = a + threadIdx.x;
    if (blockIdx.x == 0)
        asm volatile("st.global.u32 [%0], 5;" ::"l"(p + far));
    else
        asm volatile("st.global.u32 [%0], 5;" ::"l"(p + further));
}
int main() {
    int *a;
    cudaMalloc(&a, 4096);
    for (int i = 0; i < 10; i++) two<<<2, 32>>>(a, 1024l * (16 * i + 4), 1 << 20);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
END
expect 0 '^warpglass: two.cu:5:[0-9]+: access outside all allocations in kernel two' -- warpglass run two.cu
grep -q '^warpglass: two.cu:7:[0-9]*: access outside all allocations in kernel two' "$stderr" || fail "one place of two is silent"

# Stores past the end of shared memory, in its last page: told once, an error with --strict.
cat > past.cu << 'END'
#include <cstdio>
#include <cstdlib>
__global__ void past(int *out, int n) {
    __shared__ int s[12];
    extern __shared__ int more[];
    if (threadIdx.x < 12) s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (blockIdx.x == 3) {
        s[n] = 7;
        if (n == 12) more[n] = 8;
    }
    __syncthreads();
    if (threadIdx.x < 12) out[blockIdx.x * 12 + threadIdx.x] = s[threadIdx.x];
}
int main(int argc, char **argv) {
    int *d;
    cudaMalloc(&d, 5 * 48);
    for (int i = 0; i < 3; i++) past<<<5, 32, argc > 2 ? 40 : 0>>>(d, atoi(argv[1]));
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
END
for backend in jit ref; do
    export WARPGLASS_BACKEND=$backend
    expect 0 '^warpglass: past.cu:9:14: access past the end of shared memory in kernel past\(int\*, int\)$' \
        -- warpglass run past.cu -- 12
    said '^cudaSuccess$'
    grep -q 'st.shared.u32 of 4 bytes at' "$stderr" || fail "the operation is not told"
    grep -q 'by thread (0,0,0) of block (3,0,0)' "$stderr" || fail "the thread is not told"
    grep -q "the address is byte 48 of the block's shared memory, which has 48" "$stderr" || fail "nor the place"
    grep -q '^warpglass: past.cu:10:[0-9]*: access past the end' "$stderr" || fail "nor the one behind it"
    [[ $(grep -c 'access past the end' "$stderr") == 2 ]] || fail "each place is told once"
    [[ $(grep -c 'warpglass check' "$stderr") == 1 ]] || fail "what to do is to be said once"
    expect 0 'past.cu:10:[0-9]+: access past the end' -- warpglass run past.cu -- 12 dynamic
    ! grep -q past.cu:9: "$stderr" || fail "there is dynamic memory"
    expect 0 '' -- warpglass run past.cu -- 11
    ! grep -q 'past the end' "$stderr" || fail "the last element is not past the end"
    expect 0 'past.cu:9:14: illegal address in kernel past' -- warpglass run --strict past.cu -- 1000
    said '^cudaErrorIllegalAddress$'
done
unset WARPGLASS_BACKEND
expect 3 '' -- warpglass check past.cu -- 12

# What a page holds does not outlive that memory is allocated there.
cat > clean.cu << 'END'
#include <cstdio>
__global__ void spread(char *a) { a[4096l * (blockIdx.x + 2)] = 1; }
int main() {
    char *first, *next, host[65536];
    cudaMalloc(&first, 4096);
    spread<<<2000, 1>>>(first);
    cudaDeviceSynchronize();
    int bad = 0;
    for (int i = 0; i < 100; i++) {
        cudaMalloc(&next, sizeof host);
        cudaMemcpy(host, next, sizeof host, cudaMemcpyDeviceToHost);
        for (char c : host) bad += c != 0;
    }
    printf("%s, %d bytes are not zero\n", cudaGetErrorName(cudaDeviceSynchronize()), bad);
}
END
expect 0 'clean.cu:2:' -- warpglass run clean.cu
said '^cudaSuccess, 0 bytes are not zero$'
finish
