/* Arithmetic with a named rounding, conversions, approximate functions. */
// PTX: add\.rz\.f32
// PTX: fma\.rm\.f32
// PTX: div\.rp\.f64
// PTX: rcp\.rn\.f32
// PTX: sqrt\.rz\.f64
// PTX: cvt\.rni\.s32\.f32
// PTX: cvt\.rpi\.u64\.f64
// PTX: cvt\.rm\.f32\.s64
// PTX: cvt\.rz\.f32\.u32
// PTX: cvt\.rzi\.s32\.f32
// PTX: ex2\.approx
// PTX: lg2\.approx
// PTX: sin\.approx
// PTX: div\.approx
// PTX: sat\.f32
__global__ void all(float *f, double *d, int *i, long long *ll) {
    float x = f[0], y = f[1];
    double a = d[0], b = d[1];
    f[2] = __fadd_rn(x, y) + __fadd_rz(x, y) + __fsub_ru(x, y) + __fmul_rd(x, y) + __fmaf_rd(x, y, x) +
           __fdiv_rn(x, y);
    f[3] = __frcp_rn(x) + __fsqrt_ru(x) + __frsqrt_rn(x) + __saturatef(x) + __fdividef(x, y);
    d[2] = __dadd_rn(a, b) + __dmul_rz(a, b) + __fma_ru(a, b, a) + __ddiv_ru(a, b) + __drcp_rd(a) +
           __dsqrt_rz(b) + __dsub_rd(a, b);
    f[4] = __expf(x) + __exp10f(x) + __logf(x) + __log2f(x) + __log10f(x) + __sinf(x) + __cosf(x) +
           __tanf(x) + __powf(x, y);
    __sincosf(x, f + 5, f + 6);
    i[0] = __float2int_rn(x) + __float2int_rz(x) + __double2int_ru(a) + __float_as_int(x) +
           __double2hiint(a) + __double2loint(b);
    ll[0] = __float2ll_rd(x) + __double2ull_ru(a) + __double_as_longlong(b) + __double2ll_rn(a) +
            __float2uint_rn(y);
    f[7] = __int2float_rn(i[1]) + __uint2float_rz(3u) + __ll2float_rd(ll[1]) + __int_as_float(i[2]) +
           __double2float_rn(a);
    d[3] = __hiloint2double(i[0], i[1]) + __longlong_as_double(ll[1]) + __ll2double_rn(ll[2]) +
           __int2double_rn(i[3]);
}
int main() { all<<<1, 1>>>(0, 0, 0, 0); }
