/* integers: intrinsics on bits, bytes and words; division, remainder and shifts at their edges; packed
 * arithmetic. */
#include "program.h"

constexpr int N = 1024;

__host__ __device__ static uint32_t edge(uint32_t i, uint32_t random) {
    const uint32_t edges[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x00ff00ff, 0x80808080, 31};
    return i % 4 ? random : edges[i / 4 % 8];
}

__global__ void bits(const uint32_t *in, uint32_t *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t a = in[i], b = in[(i * 5 + 1) % N], c = in[(i * 3 + 2) % N], *o = out + i * 24;
    unsigned long long l = (unsigned long long)a << 32 | b;
    o[0] = __popc(a) + 100 * __popcll(l);
    o[1] = __clz(a) + 100 * __clzll(l);
    o[2] = __ffs(a) + 100 * __ffsll(l);
    o[3] = __brev(a);
    o[4] = (uint32_t)(__brevll(l) >> 20);
    o[5] = __funnelshift_l(a, b, c);
    o[6] = __funnelshift_r(a, b, c);
    o[7] = __funnelshift_lc(a, b, c);
    o[8] = __funnelshift_rc(a, b, c);
    o[9] = __byte_perm(a, b, c);
    o[10] = __mulhi((int)a, (int)b);
    o[11] = __umulhi(a, b);
    o[12] = (uint32_t)__mul64hi(l, l * 3) ^ (uint32_t)(__umul64hi(l, l * 7) >> 32);
    o[13] = __mul24(a, b) ^ __umul24(b, c);
    o[14] = __sad(a, b, c) ^ __usad(b, a, c);
    o[15] = __hadd(a, b) ^ __rhadd(b, c);
    o[16] = __uhadd(a, b) ^ __urhadd(b, c);
    o[17] = __dp4a((int)a, (int)b, (int)c) ^ __dp4a(a, b, c);
    o[18] = __dp2a_lo((int)a, (int)b, (int)c) ^ __dp2a_hi(a, b, c);
    o[19] = __fns(a, b & 31, (int)(c % 5) - 2);
    o[20] = min((int)a, (int)b) ^ max(a, b);
    o[21] = abs((int)a) + (uint32_t)llabs((long long)l);
    o[22] = (a >> (c & 31)) ^ ((int)b >> (c & 31)) ^ (a << (b & 31));
    o[23] = (uint32_t)(l >> (c & 63)) ^ (uint32_t)((long long)l >> (b & 63));
}

__global__ void division(const uint32_t *in, uint32_t *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t a = in[i], b = in[(i * 5 + 1) % N] | 1, *o = out + i * 10;
    unsigned long long l = (unsigned long long)a << 32 | in[(i + 1) % N],
                       m = (unsigned long long)(b >> (i & 31)) << (i & 7) | 1;
    o[0] = a / b;
    o[1] = a % b;
    o[2] = (int)(a >> 1) / ((int)b >> (i & 15) | 1);
    o[3] = (int)a % ((int)(b & 0xffff) + 1);
    o[4] = (uint32_t)(l / m);
    o[5] = (uint32_t)(l % m);
    o[6] = (uint32_t)((long long)l / (long long)(m + 1));
    o[7] = (uint32_t)((long long)l % (long long)(m + 1));
    o[8] = (uint16_t)a / (uint16_t)b + ((int8_t)a / ((int8_t)b | 1) << 16);
    o[9] = a / 7 + a % 10 + (int)a / 3 + (int)a % -5 + (uint32_t)(l / 1000000007ull);
}

__global__ void packed(const uint32_t *in, uint32_t *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t a = in[i], b = in[(i * 5 + 1) % N], c = in[(i * 3 + 2) % N], *o = out + i * 20;
    o[0] = __vadd4(a, b);
    o[1] = __vsub2(a, b);
    o[2] = __vaddss2(a, b) ^ __vaddss4(a, b);
    o[3] = __vsubus4(a, b) ^ __vaddus2(a, b);
    o[4] = __vabs4(a) ^ __vabsss2(b);
    o[5] = __vabsdiffu4(a, b) ^ __vabsdiffs2(a, b);
    o[6] = __vavgu4(a, b) ^ __vavgs2(a, b);
    o[7] = __vcmpeq4(a, b & 0xff00ff00);
    o[8] = __vcmpgts2(a, b) ^ __vcmpleu4(a, b);
    o[9] = __vmaxs2(a, b) ^ __vminu4(a, b);
    o[10] = __vsetlts4(a, b) | __vsetgeu2(a, b) << 8;
    o[11] = __vsadu4(a, b) + __vsads2(a, b);
    o[12] = __vneg4(a) ^ __vnegss2(b);
    o[13] = __vhaddu4(a, b) ^ __vhaddu2(b, c);
    o[14] = __vimax3_s32((int)a, (int)b, (int)c);
    o[15] = __vimin3_u32(a, b, c);
    o[16] = __viaddmax_s32((int)a, (int)b, (int)c);
    o[17] = __vimax_s16x2_relu(a, b);
    bool low, high;
    o[18] = __vibmax_u16x2(a, b, &high, &low);
    o[19] = low + 2 * high;
}

/* Bits of one value in place of another's, in some of the lanes, where the lanes have been apart. */
__global__ void selected(const uint32_t *in, uint32_t *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t a = in[i], b = in[(i * 5 + 1) % N], c = a * b;
    if (a > 1u << 31)
        for (uint32_t k = 0; k < (b & 3); k++) c = c * 5 + a;
    float d, e = __uint_as_float(c);
    asm("copysign.f32 %0, %1, %2;" : "=f"(d) : "f"(__uint_as_float(a)), "f"(e));
    out[i] = __float_as_uint(b % 3 ? d : e);
}

int main() {
    Array<uint32_t> in(N), merged(N), out(N * 24), divided(N * 10), vectors(N * 20);
    uint32_t state = 3;
    for (int i = 0; i < N; i++) in[i] = edge(i, next_random(state));
    bits<<<8, 128>>>(in, out);
    show("bits", out, 0);
    division<<<8, 128>>>(in, divided);
    show("division", divided, 0);
    packed<<<8, 128>>>(in, vectors);
    show("packed", vectors, 0);
    selected<<<8, 128>>>(in, merged);
    show("selected", merged);
    for (int k = 0; k < 24; k++) {
        Array<uint32_t> column(N);
        for (int i = 0; i < N; i++) column[i] = out[i * 24 + k];
        char name[32];
        snprintf(name, sizeof name, "bits %d", k);
        show(name, column, 2);
    }
    for (int k = 0; k < 10; k++) {
        Array<uint32_t> column(N);
        for (int i = 0; i < N; i++) column[i] = divided[i * 10 + k];
        char name[32];
        snprintf(name, sizeof name, "division %d", k);
        show(name, column, 2);
    }
    for (int k = 0; k < 20; k++) {
        Array<uint32_t> column(N);
        for (int i = 0; i < N; i++) column[i] = vectors[i * 20 + k];
        char name[32];
        snprintf(name, sizeof name, "packed %d", k);
        show(name, column, 2);
    }
    return 0;
}
