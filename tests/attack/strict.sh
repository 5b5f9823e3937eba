#!/bin/bash
# --strict: accesses past the last byte of an allocation or of a block's shared memory are errors, to the byte, by any
# instruction; those of the last byte are not.
. "$(dirname "$0")/../cli/expect.sh"
unset WARPGLASS_STRICT

cat > past.cu << 'END'
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <mma.h>
#include <sys/wait.h>
#include <unistd.h>
enum { BYTES = 208, DYNAMIC = 112 }; // 16 bytes each, so that no copy is misaligned
#define LAST(p, T, bytes) ((T *)((char *)(p) + (bytes) - sizeof(T) + off))

__device__ char variable[BYTES];
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void bulk(void *to, const void *from, unsigned bytes, uint64_t *bar) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.proxy.async;" ::"r"(at(bar)) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
                 "l"(from), "r"(bytes), "r"(at(bar))
                 : "memory");
    for (unsigned done = 0; !done;)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(at(bar))
                     : "memory");
}
__device__ void to_global(void *to, const void *from, unsigned bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(at(from)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
}
__device__ void async16(void *to, const void *from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(at(to)), "l"(from) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
}

// off: 0 where it is right, 16 where it is past the end.
__global__ void go(int mode, int off, char *global, int *out) {
    extern __shared__ __align__(16) char more[]; // the last of the block's shared memory
    __shared__ __align__(16) char first[256];
    __shared__ uint64_t bar;
    more[threadIdx.x] = first[threadIdx.x] = 0;
    __syncthreads();
    if (blockIdx.x != 2 || threadIdx.x != 5) return;
    switch (mode) {
    case 0: *out = *LAST(more, int, DYNAMIC); break;
    case 1: *LAST(more, int, DYNAMIC) = 1; break;
    case 2: atomicAdd(LAST(more, int, DYNAMIC), 1); break;
    case 3: *out = LAST(more, int4, DYNAMIC)->w; break;
    case 4: *out = atomicCAS(LAST(more, int, DYNAMIC), 1, 2); break;
    case 5: *out = *LAST(global, volatile int, BYTES); break;
    case 6: *LAST(global, int, BYTES) = 1; break;
    case 7: atomicAdd(LAST(global, int, BYTES), 1); break;
    case 8: *out = atomicExch(LAST(global, int, BYTES), 1); break;
    case 9: *LAST(global, int4, BYTES) = int4(); break;
    case 10: async16(LAST(more, int4, DYNAMIC), global); break;
    case 11: async16(first, LAST(global, int4, BYTES)); break;
    case 12: bulk(first, global + off, BYTES, &bar); break;
    case 13: bulk(more + off, global, DYNAMIC, &bar); break;
    case 14: to_global(global + off, first, BYTES); break;
    case 15: to_global(global, more + off, DYNAMIC); break;
    case 16: *out = *LAST(variable, volatile char, BYTES); break;
    }
}
__global__ void fixed(int mode, int off, int *out) { // no dynamic memory
    __shared__ int s[24];
    s[threadIdx.x % 24] = 0;
    __syncthreads();
    if (threadIdx.x != 5) return;
    int *p = (int *)((char *)(s + 23) + off);
    if (mode == 17) *out = *p;
    if (mode == 18) *p = 1;
    if (mode == 19) atomicMax(p, 1);
}
__global__ void __cluster_dims__(2) neighbour(int off, int *out) {
    __shared__ int s[24];
    auto c = cooperative_groups::this_cluster();
    s[threadIdx.x % 24] = 0;
    c.sync();
    if (threadIdx.x == 5) *out = *(int *)((char *)(c.map_shared_rank(s, c.block_rank() ^ 1) + 23) + off);
    c.sync();
}
__global__ void heap(int off, int *out) {
    char *p = (char *)malloc(BYTES);
    *LAST(p, int, BYTES) = 1;
    *out = *p;
    free(p);
}
__global__ void tile(const half *from, half *to) {
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> a;
    nvcuda::wmma::load_matrix_sync(a, from, 16);
    if (threadIdx.x == 0) to[0] = a.x[0];
}

static cudaError_t run(int mode, int off) {
    char *device, *managed, *pinned, *pooled, *other;
    int *out;
    half *h;
    cudaMalloc(&device, BYTES);
    cudaMalloc(&other, BYTES);
    cudaMalloc(&out, 4);
    cudaMalloc(&h, 512);
    cudaMallocManaged(&managed, BYTES);
    cudaMallocHost(&pinned, BYTES);
    cudaMallocAsync(&pooled, BYTES, 0);
    cudaMemset(device, 0, BYTES);
    cudaMemset(h, 0, 512);
    if (mode < 17) go<<<3, 32, DYNAMIC>>>(mode, off, device, out);
    else if (mode < 20) fixed<<<2, 64>>>(mode, off, out);
    else if (mode == 20) neighbour<<<2, 32>>>(off, out);
    else if (mode == 21) heap<<<1, 1>>>(off, out);
    else if (mode == 22) tile<<<1, 32>>>(h + off / 2, h);
    else go<<<3, 32, DYNAMIC>>>(6, off, mode == 23 ? managed : mode == 24 ? pinned : pooled, out);
    return cudaDeviceSynchronize();
}
int main() {
    for (int mode = 0; mode < 26; mode++)
        for (int off = 0; off <= 16; off += 16) {
            fflush(stdout);
            int status, pid = fork();
            if (!pid) {
                printf("%d+%d %s\n", mode, off, cudaGetErrorName(run(mode, off)));
                return 0;
            }
            waitpid(pid, &status, 0);
        }
}
END
for backend in jit ref; do
    export WARPGLASS_BACKEND=$backend
    expect 0 'access past the end of shared memory in kernel go' -- warpglass run --arch sm_90 past.cu
    [[ $(grep -c ' cudaSuccess$' "$stdout") == 52 ]] || fail "$backend: a device lets them pass"
    expect 0 '^warpglass: past.cu:[0-9]+:[0-9]+: illegal address in kernel go' -- warpglass run --strict --arch sm_90 past.cu
    [[ $(grep -c '+0 cudaSuccess$' "$stdout") == 26 ]] || fail "$backend: what is right is refused"
    [[ $(grep -c '+16 cudaErrorIllegalAddress$' "$stdout") == 26 ]] || fail "$backend: something past the end passes"
    [[ $(grep -c '^warpglass: past.cu:[0-9]*:[0-9]*: illegal address in kernel' "$stderr") == 26 ]] || fail "$backend: not each has its line"
    [[ $(grep -c 'by thread (5,0,0) of block (2,0,0)' "$stderr") == 20 ]] || fail "$backend: not each has its thread"
    grep -q 'the address is 192 bytes before the end of an allocation of 208 bytes' "$stderr" || fail "a copy's range is not told"
    grep -q 'the address is 12 bytes past the end of a block of 208 bytes (malloc at past.cu' "$stderr" || fail "nor the heap's block"
    WARPGLASS_STRICT=1 expect 0 'illegal address' -- warpglass run --arch sm_90 past.cu
    [[ $(grep -c '+16 cudaErrorIllegalAddress$' "$stdout") == 26 ]] || fail "$backend: the variable is not the option"
done
unset WARPGLASS_BACKEND

# What kernels can only read, and a thread's own memory.
cat > kinds.cu << 'END'
#include <cstdio>
#include <cstdlib>
__constant__ int table[4];
__global__ void write(int *at) { *at = 1; }
__global__ void walk(int *out, int n) {
    volatile int own[8];
    for (int i = 0; i < n; i++) own[i] = i;
    *out = own[n / 2];
}
int main(int argc, char **argv) {
    int *p;
    bool is_table = argc > 1;
    cudaMalloc(&p, 4);
    if (is_table) {
        cudaGetSymbolAddress((void **)&p, table);
        write<<<1, 1>>>(p);
    } else {
        walk<<<1, 1>>>(p, 8);
        printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
        walk<<<1, 1>>>(p, 9);
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
END
expect 0 'the address is in constant memory, which kernels can only read' -- warpglass run --strict kinds.cu -- table
expect 0 "the address is byte 32 of the thread's local memory, which has 32" -- warpglass run --strict kinds.cu
said '^cudaSuccess$'
finish
