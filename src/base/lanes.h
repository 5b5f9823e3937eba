/* A loop over the lanes of a mask, lowest first. The mask is read once: WG_EACH_LANE(l, lanes) { ... l ... }
 * And the lanes of a mask that are alike. */
#ifndef WG_BASE_LANES_H
#define WG_BASE_LANES_H
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define WG_EACH_LANE(l, lanes)                                                                               \
    for (uint32_t m_ = (lanes), l; m_ && (l = (uint32_t)__builtin_ctz(m_), 1); m_ &= m_ - 1)

/* Lanes that have the lowest one's 32 bits of [32]. Not of no lanes. */
static inline uint32_t wg_lanes_alike(const uint64_t *v, uint32_t lanes) {
    uint32_t first = (uint32_t)v[__builtin_ctz(lanes)], alike = 0;
#ifdef __SSE2__
    const __m128i is = _mm_set1_epi32((int)first);
    for (uint32_t l = 0; l < 32; l += 4) {
        __m128 a = _mm_loadu_ps((const float *)(v + l)), b = _mm_loadu_ps((const float *)(v + l + 2));
        __m128i low = _mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)));
        alike |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(low, is))) << l;
    }
#else
    for (uint32_t l = 0; l < 32; l++) alike |= (uint32_t)((uint32_t)v[l] == first) << l;
#endif
    return alike & lanes;
}
#endif
