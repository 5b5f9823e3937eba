/* rsqrt.approx.f32 of vectors: every float of two exponents next to each other, which is what decides all of
 * its bits but the exponent's, and some of all the others, against 1 / sqrt in double.
 */
#include "cases.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static unsigned wrong_in(struct unit *u, uint32_t first, uint32_t step) {
    static uint64_t src[MAX_SRC][LANES], dst[MAX_DST][LANES];
    static uint32_t cc[LANES], cc_out[LANES];
    unsigned wrong = 0;
    for (uint32_t l = 0; l < LANES; l++) src[0][l] = first + l * step;
    if (!unit_run(u, 0, LANES, src, cc, dst, cc_out)) return LANES;
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t in = (uint32_t)src[0][l], out = (uint32_t)dst[0][l], want;
        float x, y;
        memcpy(&x, &in, sizeof x);
        y = (float)(1.0 / sqrt((double)x));
        memcpy(&want, &y, sizeof want);
        if (out == want || ((out & INT32_MAX) > 0x7f800000 && (want & INT32_MAX) > 0x7f800000)) continue;
        if (wrong++ == 0) fprintf(stderr, "rsqrt of %x: %x, want %x\n", in, out, want);
    }
    return wrong;
}

static unsigned wrong_at(const struct level *level) {
    struct test_case c = {.op = WG_OP_RSQRT_A,
                          .type = WG_T_F32,
                          .mods = {{WG_MC_APPROX, WG_M_approx}},
                          .src = {32},
                          .dst = {32}};
    struct unit *u = unit_compile(level, &c, 1);
    unsigned wrong = 0;
    for (uint32_t x = 126u << 23; x < 128u << 23; x += LANES) wrong += wrong_in(u, x, 1);
    for (uint64_t x = 0; x < 1ull << 32; x += LANES * 4099ull) wrong += wrong_in(u, (uint32_t)x, 4099);
    for (uint32_t e = 0; e < 512; e++) wrong += wrong_in(u, (e << 23) - LANES / 2, 1);
    unit_free(u);
    return wrong;
}

void test_roots(void **state) {
    const struct level wide = {"avx512", "skylake-avx512", true, true, "avx512vl"};
    const struct level narrow = {"avx2", "haswell", false, true, "avx2"};
    if (!__builtin_cpu_supports("avx2")) skip();
    assert_int_equal(wrong_at(&narrow), 0);
    if (__builtin_cpu_supports("avx512vl")) assert_int_equal(wrong_at(&wide), 0);
}
