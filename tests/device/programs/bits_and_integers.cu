/* Bit counting, permutation, wide products, dot products and words taken as bytes. */
// PTX: popc\.b32
// PTX: popc\.b64
// PTX: clz\.b32
// PTX: brev\.b64
// PTX: prmt
// PTX: shf\.l\.wrap
// PTX: shf\.r\.clamp
// PTX: mul\.hi\.u64
// PTX: mul24
// PTX: sad\.s32
// PTX: dp4a\.s32
// PTX: dp2a\.lo
__global__ void bits(int *i, unsigned *u, long long *ll, unsigned long long *ull) {
    int a = i[0], b = i[1];
    unsigned x = u[0], y = u[1];
    i[2] = __popc(x) + __popcll(ull[0]) + __clz(a) + __clzll(ll[0]) + __ffs(a) + __ffsll(ll[1]);
    u[2] = __brev(x) ^ __byte_perm(x, y, 0x3210) ^ __funnelshift_l(x, y, 3) ^ __funnelshift_rc(x, y, 40) ^
           __funnelshift_lc(x, y, 2);
    ull[2] = __brevll(ull[0]) + __umul64hi(ull[0], ull[1]);
    ll[2] = __mul64hi(ll[0], ll[1]);
    i[3] = __mul24(a, b) + __mulhi(a, b) + __hadd(a, b) + __rhadd(a, b) + __dp4a(a, b, 1) +
           __dp2a_lo(a, b, 1) + __dp2a_hi(a, b, 2);
    u[3] = __umul24(x, y) + __umulhi(x, y) + __uhadd(x, y) + __urhadd(x, y) + __sad(a, b, x) +
           __usad(x, y, 3u) + __dp4a(x, y, 4u);
    u[4] = __vadd4(x, y) ^ __vsub2(x, y) ^ __vmaxs4(x, y) ^ __vminu2(x, y) ^ __vcmpgtu4(x, y) ^
           __vsetles2(x, y) ^ __vabsdiffu4(x, y);
    u[5] = __vsadu4(x, y) + __vavgu4(x, y) + __vaddss2(x, y) + __vabs4(x) + __vneg2(x) + __vsubus4(x, y) +
           __fns(x, 0, 2);
}
int main() { bits<<<1, 1>>>(0, 0, 0, 0); }
