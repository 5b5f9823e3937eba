/* arguments: kernel parameters of all sizes and alignments up to 4 KB; local arrays; shared memory of several
 * types. */
#include "program.h"

struct Small {
    char c;
    short s;
    double d;
    float3 v;
    bool b;
};
struct Large {
    int values[1000];
    double tail[10];
};
struct alignas(16) Wide {
    float4 v;
    unsigned char bytes[7];
};
struct Empty {};
union Either {
    float f;
    unsigned u;
};

__global__ void mixed(char a, Small s, unsigned short b, Wide w, Empty, long long c, Either e, bool flag,
                      float3 v, double *out) {
    out[0] = a, out[1] = s.c, out[2] = s.s, out[3] = s.d, out[4] = s.v.z, out[5] = s.b, out[6] = b;
    out[7] = w.v.w, out[8] = w.bytes[6], out[9] = (double)c, out[10] = e.u, out[11] = flag, out[12] = v.y;
}

__global__ void large(__grid_constant__ const Large x, int *out) {
    int i = threadIdx.x;
    out[i] = x.values[(i * 37) % 1000] + (int)x.tail[i % 10];
}

/* The copy of a parameter is the thread's own. */
__global__ void changed(Large x, int *out) {
    int i = threadIdx.x;
    x.values[(i * 7) % 1000] = -i;
    int s = 0;
    for (int k = 0; k < 1000; k += 7) s += x.values[k];
    out[i] = s;
}

__global__ void local_arrays(const int *keys, int *out) {
    int stack[32], top = 0, counts[10] = {};
    short history[3][5];
    for (int i = 0; i < 32; i++) {
        int k = keys[threadIdx.x * 32 + i];
        counts[k % 10]++;
        if (top && stack[top - 1] > k)
            top--;
        else
            stack[top++] = k;
        history[i % 3][k % 5] = (short)k;
    }
    int s = top;
    for (int i = 0; i < top; i++) s = s * 31 + stack[i];
    for (int i = 0; i < 10; i++) s = s * 7 + counts[i];
    out[threadIdx.x] = s + history[1][keys[threadIdx.x] % 5] * 0;
}

extern __shared__ double dynamic[];
__global__ void divided(int doubles, int ints, int bytes, unsigned long long *out) {
    __shared__ short fixed[33];
    int *i4 = (int *)&dynamic[doubles];
    unsigned char *i1 = (unsigned char *)&i4[ints];
    for (int i = threadIdx.x; i < doubles; i += blockDim.x) dynamic[i] = i * 0.5;
    for (int i = threadIdx.x; i < ints; i += blockDim.x) i4[i] = i * 3;
    for (int i = threadIdx.x; i < bytes; i += blockDim.x) i1[i] = (unsigned char)(i * 7);
    if (threadIdx.x < 33) fixed[threadIdx.x] = threadIdx.x;
    __syncthreads();
    double d = 0;
    unsigned long long s = 0;
    for (int i = 0; i < doubles; i++) d += dynamic[i];
    for (int i = 0; i < ints; i++) s += i4[i];
    for (int i = 0; i < bytes; i++) s += (unsigned long long)i1[i] << 20;
    for (int i = 0; i < 33; i++) s += (unsigned long long)fixed[i] << 40;
    unsigned size;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(size));
    out[threadIdx.x] = s + (unsigned long long)d + ((unsigned long long)size << 44);
}

__global__ void vectors(const float4 *in, float4 *out, uchar4 *bytes, double2 *doubles, longlong4 *longs) {
    int i = threadIdx.x;
    float4 v = in[i];
    out[i] = make_float4(v.w, v.z, v.y, v.x);
    bytes[i] = make_uchar4(i, i + 1, i + 2, i + 3);
    doubles[i] = make_double2(v.x, -v.y);
    longs[i] = make_longlong4(i, -i, i * 2, 1ll << i % 60);
}

int main() {
    Array<double> reals(13);
    Small s = {'x', -3, 2.5, {1, 2, 3}, true};
    Wide w = {{4, 5, 6, 7}, {1, 2, 3, 4, 5, 6, 250}};
    Either e;
    e.f = 1;
    mixed<<<1, 1>>>(-7, s, 65535, w, Empty(), -1ll << 40, e, true, make_float3(8, 9, 10), reals);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 13; i++) printf("%.1f%c", reals[i], i < 12 ? ' ' : '\n');
    Large l;
    for (int i = 0; i < 1000; i++) l.values[i] = i * i;
    for (int i = 0; i < 10; i++) l.tail[i] = i;
    Array<int> out(128), keys(128 * 32);
    large<<<1, 128>>>(l, out);
    show("large", out);
    changed<<<1, 128>>>(l, out);
    show("changed", out);
    uint32_t state = 2;
    for (size_t i = 0; i < keys.n; i++) keys[i] = next_random(state) % 1000;
    local_arrays<<<1, 128>>>(keys, out);
    show("local", out);
    Array<unsigned long long> sums(100);
    divided<<<1, 100, 100 * 8 + 77 * 4 + 99>>>(100, 77, 99, sums);
    show("divided", sums);
    CALL(cudaFuncSetAttribute((const void *)divided, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000));
    divided<<<1, 100, 200000>>>(20000, 9000, 4000, sums);
    show("divided, 200000 bytes", sums);
    Array<float4> in(64), back(64);
    Array<uchar4> bytes(64);
    Array<double2> doubles(64);
    Array<longlong4> longs(64);
    for (int i = 0; i < 64; i++) in[i] = make_float4(i, i * 2, i * 3, i * 4);
    vectors<<<1, 64>>>(in, back, bytes, doubles, longs);
    show("float4", back);
    show("uchar4", bytes);
    show("double2", doubles);
    show("longlong4", longs);
    return 0;
}
