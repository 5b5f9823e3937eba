/* warp: every intrinsic in which the lanes of a warp take part, in whole and in partial warps. */
#include "program.h"

template <typename T> __device__ T shuffles(T v, int lane) {
    T a = __shfl_sync(~0u, v, (lane * 7 + 3) & 31);
    T b = __shfl_up_sync(~0u, v, 5);
    T c = __shfl_down_sync(~0u, v, 9);
    T d = __shfl_xor_sync(~0u, v, 21);
    T e = __shfl_sync(~0u, v, lane + 2, 8);
    T f = __shfl_up_sync(~0u, v, 3, 16);
    T g = __shfl_down_sync(~0u, v, 1, 4);
    T h = __shfl_xor_sync(~0u, v, 12, 8);
    return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g + 17 * h;
}

template <typename T> __global__ void shuffle_kernel(T *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = shuffles((T)(i * 3 + 1), threadIdx.x & 31);
}

__global__ void vote_kernel(unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    unsigned *o = out + i * 8;
    o[0] = __ballot_sync(~0u, lane % 3 == 0);
    o[1] = __all_sync(~0u, lane < 40) * 2 + __all_sync(~0u, lane != 31);
    o[2] = __any_sync(~0u, lane == 17) * 2 + __any_sync(~0u, lane > 40);
    if (lane % 4 == 1) {
        unsigned odd = 0x22222222;
        o[3] = __ballot_sync(odd, lane > 10);
        o[4] = __all_sync(odd, lane & 1) + 2 * __any_sync(odd, lane == 2) + 4 * __any_sync(odd, lane == 29);
        o[5] = __shfl_sync(odd, i, 13);
    } else if (lane >= 16) {
        unsigned high = 0xdddd0000;
        o[3] = __ballot_sync(high, lane & 4);
        __syncwarp(high);
        int there = __shfl_down_sync(high, i, 3, 16);
        o[5] = lane < 29 && high >> (lane + 3) & 1 ? there : 0;
    }
    __syncwarp();
    o[6] = __ballot_sync(~0u, lane & 8);
    o[7] = __popc(__ballot_sync(~0u, i & 2));
}

__global__ void match_kernel(unsigned *out) {
    int lane = threadIdx.x, *pred = (int *)out + lane * 6;
    out[lane * 6 + 1] = __match_any_sync(~0u, lane / 5);
    out[lane * 6 + 2] = __match_any_sync(~0u, (long long)(lane % 7) << 33);
    out[lane * 6 + 3] = __match_any_sync(~0u, lane % 2 ? 0.0f : 1.5f);
    out[lane * 6 + 4] = __match_all_sync(~0u, lane / 32, pred);
    int other;
    out[lane * 6 + 5] = __match_all_sync(~0u, (double)(lane & 1), &other) + 100 * other;
    if (lane > 20) out[lane * 6 + 1] += __match_any_sync(0xffe00000, lane & 1);
}

__global__ void reduce_kernel(unsigned *out) {
    unsigned lane = threadIdx.x, v = lane * 2654435761u;
    unsigned *o = out + lane * 9;
    o[0] = __reduce_add_sync(~0u, v);
    o[1] = __reduce_min_sync(~0u, v);
    o[2] = __reduce_max_sync(~0u, v);
    o[3] = __reduce_and_sync(~0u, v | 0xf0);
    o[4] = __reduce_or_sync(~0u, v & 0xff00);
    o[5] = __reduce_xor_sync(~0u, v);
    o[6] = __reduce_add_sync(~0u, (int)v);
    o[7] = __reduce_min_sync(~0u, (int)v);
    o[8] = __reduce_max_sync(~0u, (int)v);
    if (lane & 1) o[0] += __reduce_max_sync(0xaaaaaaaa, lane);
}

/* Sum over a block of any size by shuffles; lanes that do not exist take no part. */
__global__ void block_sum(const int *in, int n, int *sum) {
    int v = threadIdx.x < n ? in[threadIdx.x] : 0;
    unsigned mask = __activemask();
    for (int d = 16; d; d /= 2) {
        int other = __shfl_down_sync(mask, v, d);
        if ((threadIdx.x & 31) + d < 32 && (mask >> ((threadIdx.x & 31) + d) & 1)) v += other;
    }
    if ((threadIdx.x & 31) == 0) atomicAdd(sum, v);
}

__global__ void places(unsigned *out) {
    unsigned v[6];
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(v[0]));
    asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(v[1]));
    asm volatile("mov.u32 %0, %%lanemask_le;" : "=r"(v[2]));
    asm volatile("mov.u32 %0, %%lanemask_gt;" : "=r"(v[3]));
    asm volatile("mov.u32 %0, %%lanemask_ge;" : "=r"(v[4]));
    asm volatile("mov.u32 %0, %%lanemask_eq;" : "=r"(v[5]));
    for (int i = 0; i < 6; i++)
        out[(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) * 6 + i] = v[i];
}

int main() {
    Array<int> ints(128), sum(1), ones(1000);
    Array<unsigned> uints(128), votes(128 * 8), matches(32 * 6), reduced(32 * 9), place(3 * 5 * 7 * 6);
    Array<long long> longs(128);
    Array<unsigned long long> ulongs(128);
    Array<float> floats(128);
    Array<double> doubles(128);
    shuffle_kernel<<<2, 64>>>(ints.p);
    shuffle_kernel<<<2, 64>>>(uints.p);
    shuffle_kernel<<<2, 64>>>(longs.p);
    shuffle_kernel<<<2, 64>>>(ulongs.p);
    shuffle_kernel<<<2, 64>>>(floats.p);
    shuffle_kernel<<<2, 64>>>(doubles.p);
    show("shuffle int", ints);
    show("shuffle unsigned", uints);
    show("shuffle long long", longs);
    show("shuffle unsigned long long", ulongs);
    show("shuffle float", floats);
    show("shuffle double", doubles);
    vote_kernel<<<2, 64>>>(votes);
    show("votes", votes, 16);
    match_kernel<<<1, 32>>>(matches);
    show("matches", matches, 12);
    reduce_kernel<<<1, 32>>>(reduced);
    show("reductions", reduced, 18);
    places<<<1, dim3(3, 5, 7)>>>(place);
    show("places", place, 6);
    for (int i = 0; i < 1000; i++) ones[i] = i;
    for (int n : {1, 31, 33, 100, 1000}) {
        sum[0] = 0;
        block_sum<<<1, n>>>(ones, n, sum);
        CALL(cudaDeviceSynchronize());
        printf("sum below %d: %d\n", n, sum[0]);
    }
    return 0;
}
