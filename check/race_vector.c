/* The race check's inner loops for 8 places, or lanes, at a time. Each gives up where there is anything to
 * look at more closely, before it has changed anything; then the plain code of race_row.c does all of it. */
#include "base/cpu.h"
#include "check/race_state.h"

/* ---- how the lanes' addresses lie ---- */

static void scan_plain(const uint64_t address[LANES], uint32_t bytes, uint64_t base, uint64_t size,
                       struct lie *out) {
    *out = (struct lie){0};
    for (uint32_t l = 0; l < LANES; l++) out->inside |= (uint32_t)(address[l] - base < size) << l;
    for (uint32_t l = 0; l + 1 < LANES; l++) {
        out->next |= (uint32_t)(address[l + 1] - address[l] == bytes) << l;
        out->previous |= (uint32_t)(address[l] - address[l + 1] == bytes) << l;
        out->same |= (uint32_t)(address[l + 1] == address[l]) << l;
    }
}

#if defined(__x86_64__)
#include <immintrin.h>
#define VECTOR __attribute__((target("avx512f,avx512cd,avx512bw,avx512vl,avx512dq")))
enum { GROUP = 8 };

bool race_vector_usable(void) {
    static _Atomic int usable; /* 0: not known yet */
    int u = atomic_load_explicit(&usable, memory_order_relaxed);
    if (!u) {
        u = wg_cpu_vector_bits() >= 512 ? 1 : 2;
        atomic_store_explicit(&usable, u, memory_order_relaxed);
    }
    return u == 1;
}

VECTOR static void scan_vector(const uint64_t address[LANES], uint32_t bytes, uint64_t base, uint64_t size,
                               struct lie *out) {
    const __m512i from = _mm512_set1_epi64((long long)base), most = _mm512_set1_epi64((long long)size),
                  step = _mm512_set1_epi64(bytes), down = _mm512_set1_epi64(-(long long)bytes),
                  up = _mm512_setr_epi64(1, 2, 3, 4, 5, 6, 7, 7);
    *out = (struct lie){0};
    for (uint32_t k = 0; k < LANES; k += GROUP) {
        __m512i v = _mm512_loadu_si512(address + k), next;
        next = k + GROUP < LANES ? _mm512_loadu_si512(address + k + 1) : _mm512_permutexvar_epi64(up, v);
        out->inside |= (uint32_t)_mm512_cmplt_epu64_mask(_mm512_sub_epi64(v, from), most) << k;
        __m512i d = _mm512_sub_epi64(next, v);
        out->next |= (uint32_t)_mm512_cmpeq_epi64_mask(d, step) << k;
        out->previous |= (uint32_t)_mm512_cmpeq_epi64_mask(d, down) << k;
        out->same |= (uint32_t)_mm512_testn_epi64_mask(d, d) << k;
    }
    out->next &= UINT32_MAX >> 1;
    out->previous &= UINT32_MAX >> 1;
    out->same &= UINT32_MAX >> 1;
}

void race_scan(const uint64_t address[LANES], uint32_t bytes, uint64_t base, uint64_t size, struct lie *out) {
    (race_vector_usable() ? scan_vector : scan_plain)(address, bytes, base, size, out);
}

/* ---- places ---- */

struct knower { /* who comes, and what it knows of each warp */
    __m512i all;
    const uint32_t *knows; /* NULL: no more than `all` */
};

/* Which of the marks are of other threads than `me` has there, who have no order with those. */
VECTOR static inline __mmask8 unordered(const struct knower *k, __mmask8 of, __m512i marks, __m512i me) {
    __mmask8 u = _mm512_mask_cmpgt_epu64_mask(of, marks, k->all);
    if (!u) return 0;
    u = _mm512_mask_test_epi64_mask(u, _mm512_xor_si512(marks, me), _mm512_set1_epi64(1023));
    if (!u || !k->knows) return u;
    __m512i warp = _mm512_and_si512(_mm512_srli_epi64(marks, 5), _mm512_set1_epi64(31));
    __m256i known = _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), u, warp, k->knows, 4);
    __m512i stamp = _mm512_srli_epi64(marks, 32);
    return _mm512_mask_cmpgt_epu64_mask(u, stamp, _mm512_cvtepu32_epi64(known));
}

VECTOR static inline __m512i marks_of(const struct touch *t, uint32_t place) {
    const __m512i iota = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    __m512i at = _mm512_add_epi64(iota, _mm512_set1_epi64(place + t->layout.offset));
    at = _mm512_and_si512(_mm512_srl_epi64(at, _mm_cvtsi32_si128(t->layout.step)), _mm512_set1_epi64(31));
    at = _mm512_xor_si512(at, _mm512_set1_epi64(t->layout.flip));
    return _mm512_or_si512(at, _mm512_set1_epi64((long long)t->mark));
}

/* As put() of race_row.c. */
VECTOR static inline void put(const struct knower *k, __mmask8 of, mark *one, mark *two, __m512i me) {
    __m512i a = _mm512_loadu_si512(one);
    __mmask8 left = unordered(k, of, a, me);
    if (of != left) _mm512_mask_storeu_epi64(one, of & ~left, me);
    if (!left) return;
    const __m512i thread = _mm512_set1_epi64(1023), warp = _mm512_set1_epi64(31 << 5);
    __m512i b = _mm512_loadu_si512(two), both = _mm512_xor_si512(a, b);
    __mmask8 to = left & (__mmask8)~unordered(k, left, b, me);
    to |= _mm512_mask_testn_epi64_mask(left, both, thread);
    __mmask8 one_warp = _mm512_mask_testn_epi64_mask(left, both, warp);
    to |= _mm512_mask_test_epi64_mask(one_warp, _mm512_xor_si512(a, me), warp);
    if (to) _mm512_mask_storeu_epi64(two, to, me);
}

VECTOR static bool touch_vector(const struct touch *t, struct places *p) {
    const struct wg_race_block *b = t->b;
    const struct knower k = {_mm512_set1_epi64((long long)((uint64_t)b->all << 32 | UINT32_MAX)),
                             b->partial ? b->knows + t->a->warp * b->nwarps : NULL};
    const struct strong_places *s = t->row->strong;
    bool load = t->access == WG_RACE_LOAD;
    for (uint32_t i = 0; i < PLACES; i += GROUP) {
        __mmask8 of = (__mmask8)(t->places >> i);
        if (!of) continue;
        __m512i me = marks_of(t, i);
        if (unordered(&k, of, _mm512_loadu_si512(p->write + i), me)) return false;
        if (s && unordered(&k, of, _mm512_loadu_si512(s->write[0] + i), me)) return false;
        if (s && unordered(&k, of, _mm512_loadu_si512(s->write[1] + i), me)) return false;
        if (load) continue;
        if (unordered(&k, of, _mm512_loadu_si512(p->read[0] + i), me)) return false;
        if (unordered(&k, of, _mm512_loadu_si512(p->read[1] + i), me)) return false;
    }
    for (uint32_t i = 0; i < PLACES; i += GROUP) {
        __mmask8 of = (__mmask8)(t->places >> i);
        if (!of) continue;
        __m512i me = marks_of(t, i);
        if (load)
            put(&k, of, p->read[0] + i, p->read[1] + i, me);
        else
            _mm512_mask_storeu_epi64(p->write + i, of, me);
    }
    return true;
}

bool race_vector_touch(const struct touch *t, struct places *p) {
    if (t->b->split || !race_vector_usable()) return false;
    return touch_vector(t, p);
}
#else
bool race_vector_usable(void) { return false; }
void race_scan(const uint64_t address[LANES], uint32_t bytes, uint64_t base, uint64_t size, struct lie *out) {
    scan_plain(address, bytes, base, size, out);
}
bool race_vector_touch(const struct touch *t, struct places *p) { return false; }
#endif
