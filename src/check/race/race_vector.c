/* SIMD fast paths of the race check: its inner loops for 8 places, or lanes, at a time. Each gives up where a
 * closer look is needed, before it has changed anything; then the scalar code of race_row.c does all of
 * it. */
#include "base/cpu.h"
#include "base/lanes.h"
#include "check/race/race_state.h"

/* ---- the pattern of the lanes' addresses ---- */

static uint32_t stride_of(uint64_t d) { return d && d <= 64 && !(d & (d - 1)) ? (uint32_t)d : 0; }

static void scan_plain(const uint64_t address[LANES], uint32_t bytes, uint64_t base, uint64_t size,
                       struct lie *out) {
    *out = (struct lie){0};
    for (uint32_t l = 0; l < LANES; l++) out->inside |= (uint32_t)(address[l] - base < size) << l;
    for (uint32_t l = 0; l + 1 < LANES; l++) {
        out->next |= (uint32_t)(address[l + 1] - address[l] == bytes) << l;
        out->previous |= (uint32_t)(address[l] - address[l + 1] == bytes) << l;
        out->same |= (uint32_t)(address[l + 1] == address[l]) << l;
    }
    out->stride = stride_of(address[1] - address[0]);
    for (uint32_t l = 1; l + 1 < LANES; l++)
        if (address[l + 1] - address[l] != out->stride) out->stride = 0;
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
    const __m512i group[4] = {_mm512_loadu_si512(address), _mm512_loadu_si512(address + 8),
                              _mm512_loadu_si512(address + 16), _mm512_loadu_si512(address + 24)};
    const __m512i first = _mm512_set1_epi64((long long)(address[1] - address[0]));
    uint32_t alike = 0;
    *out = (struct lie){0};
    for (uint32_t k = 0; k < LANES; k += GROUP) {
        __m512i v = group[k / GROUP], next;
        next = k + GROUP < LANES ? _mm512_alignr_epi64(group[k / GROUP + 1], v, 1)
                                 : _mm512_permutexvar_epi64(up, v);
        out->inside |= (uint32_t)_mm512_cmplt_epu64_mask(_mm512_sub_epi64(v, from), most) << k;
        __m512i d = _mm512_sub_epi64(next, v);
        out->next |= (uint32_t)_mm512_cmpeq_epi64_mask(d, step) << k;
        out->previous |= (uint32_t)_mm512_cmpeq_epi64_mask(d, down) << k;
        out->same |= (uint32_t)_mm512_testn_epi64_mask(d, d) << k;
        alike |= (uint32_t)_mm512_cmpeq_epi64_mask(d, first) << k;
    }
    if ((alike | 1u << 31) == UINT32_MAX) out->stride = stride_of(address[1] - address[0]);
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
    bool waits_for_some;
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

/* As put_read() of race_row.c. */
VECTOR static inline void put(const struct knower *k, __mmask8 of, mark *one, mark *two, __m512i me) {
    const __m512i same = _mm512_set1_epi64((long long)MARK_SAME);
    __m512i a = _mm512_loadu_si512(one), b = _mm512_loadu_si512(two);
    of &= _mm512_test_epi64_mask(_mm512_xor_si512(a, me), same);
    of &= _mm512_test_epi64_mask(_mm512_xor_si512(b, me), same);
    __mmask8 left = unordered(k, of, a, me);
    if (of != left) _mm512_mask_storeu_epi64(one, of & ~left, me);
    if (!left) return;
    const __m512i thread = _mm512_set1_epi64(1023), warp = _mm512_set1_epi64(31 << 5);
    __m512i both = _mm512_xor_si512(a, b);
    __mmask8 to = left & (__mmask8)~unordered(k, left, b, me);
    to |= _mm512_mask_testn_epi64_mask(left, both, thread);
    __mmask8 one_warp = k->waits_for_some ? left : _mm512_mask_testn_epi64_mask(left, both, warp);
    to |= _mm512_mask_test_epi64_mask(one_warp, _mm512_xor_si512(a, me), warp);
    if (to) _mm512_mask_storeu_epi64(two, to, me);
}

/* Of eight places: those that two warps have read now, and nobody wrote since all knew of it. */
VECTOR static inline __mmask8 settled(const struct knower *k, const struct places *p, uint32_t i,
                                      __m512i now) {
    __m512i a = _mm512_loadu_si512(p->read[0] + i), b = _mm512_loadu_si512(p->read[1] + i);
    __mmask8 m = _mm512_cmple_epu64_mask(_mm512_loadu_si512(p->write + i), k->all);
    m &= _mm512_cmpge_epu64_mask(a, now) & _mm512_cmpge_epu64_mask(b, now);
    m &= _mm512_test_epi64_mask(_mm512_xor_si512(a, b), _mm512_set1_epi64(31 << 5));
    return m & _mm512_testn_epi64_mask(_mm512_or_si512(a, b), _mm512_set1_epi64(MARK_HOW));
}

VECTOR static void settle(const struct touch *t, const struct knower *k, const struct places *p) {
    uint32_t time = t->b->time, all = 0;
    const mark least = (mark)time << 32;
    const __m512i now = _mm512_set1_epi64((long long)least);
    for (uint32_t i = 0; i < PLACES; i += GROUP) all |= (uint32_t)settled(k, p, i, now) << i;
    t->row->settled_at = time;
    t->row->settled = all;
}

VECTOR static bool touch_vector(const struct touch *t, struct places *p) {
    const struct wg_race_block *b = t->b;
    const struct knower k = {_mm512_set1_epi64((long long)((uint64_t)b->all << 32 | UINT32_MAX)),
                             b->partial ? b->knows + t->a->warp * b->nwarps : NULL, race_waits_for_some(b)};
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
    if (load && !s && !k.waits_for_some) settle(t, &k, p);
    return true;
}

bool race_vector_touch(const struct touch *t, struct places *p) {
    if (t->b->split || !race_vector_usable()) return false;
    return touch_vector(t, p);
}
/* ---- clocks of lanes ---- */

VECTOR static void share_vector(uint32_t (*clocks)[LANES], uint32_t lanes, uint32_t now, uint32_t of) {
    __m512i low = _mm512_setzero_si512(), high = low;
    const __m512i time = _mm512_set1_epi32((int)now);
    WG_EACH_LANE(l, lanes) {
        low = _mm512_max_epu32(low, _mm512_loadu_si512(clocks[l]));
        high = _mm512_max_epu32(high, _mm512_loadu_si512(clocks[l] + 16));
    }
    low = _mm512_mask_mov_epi32(low, (__mmask16)of, time);
    high = _mm512_mask_mov_epi32(high, (__mmask16)(of >> 16), time);
    WG_EACH_LANE(l, lanes) {
        _mm512_storeu_si512(clocks[l], low);
        _mm512_storeu_si512(clocks[l] + 16, high);
    }
}

bool race_vector_share(uint32_t (*clocks)[LANES], uint32_t lanes, uint32_t now, uint32_t of) {
    if (!race_vector_usable()) return false;
    share_vector(clocks, lanes, now, of);
    return true;
}

/* ---- between blocks ---- */

/* Which of 32 marks were made since `least`; which of 32 keys there are. */
VECTOR static inline uint32_t made_since(const mark *m, __m512i least) {
    uint32_t of = 0;
    for (uint32_t i = 0; i < PLACES; i += GROUP)
        of |= (uint32_t)_mm512_cmpge_epu64_mask(_mm512_loadu_si512(m + i), least) << i;
    return of;
}

VECTOR static inline uint32_t present(const struct key_row *k) {
    uint32_t of = 0;
    for (uint32_t i = 0; k && i < PLACES; i += GROUP) {
        __m512i x = _mm512_loadu_si512(k->key + i);
        of |= (uint32_t)_mm512_test_epi64_mask(x, x) << i;
    }
    return of;
}

/* false: there is no memory for it. */
VECTOR static bool put_class(const struct wg_race_block *b, struct keys *to, enum key_class c, const mark *m,
                             uint32_t of) {
    struct key_row *row = of ? race_keys_take(b->grid->race, to, c, 0) : NULL;
    if (!row) return !of;
    uint64_t *k = row->key;
    const uint64_t upper = b->block << 32;
    const __m512i high = _mm512_set1_epi64((long long)upper), low = _mm512_set1_epi64(UINT32_MAX);
    for (uint32_t i = 0; i < PLACES; i += GROUP) {
        __m512i x = _mm512_and_si512(_mm512_loadu_si512(m + i), low);
        _mm512_mask_storeu_epi64(k + i, (__mmask8)(of >> i), _mm512_or_si512(x, high));
    }
    return true;
}

/* Whether atomics of one block's threads alone are among them. */
VECTOR static inline bool any_of_block(const uint64_t *marks) {
    uint32_t any = 0;
    for (uint32_t i = 0; i < PLACES; i += GROUP)
        any |= _mm512_test_epi64_mask(_mm512_loadu_si512(marks + i), _mm512_set1_epi64(MARK_CTA));
    return any;
}

VECTOR static bool commit_vector(const struct wg_race_block *b, const struct places *p,
                                 const struct strong_places *s, struct keys *k) {
    const mark since = (mark)(b->committed + 1) << 32;
    const __m512i least = _mm512_set1_epi64((long long)since);
    uint32_t read[2], written = made_since(p->write, least), strong[2] = {0, 0};
    for (int n = 0; n < 2; n++) {
        read[n] = made_since(p->read[n], least);
        if (s) strong[n] = made_since(s->write[n], least);
    }
    uint32_t reads = read[0] | read[1], strongs = strong[0] | strong[1];
    const struct key_row *ks = race_keys_of(k, STRONGS, 0);
    uint32_t had_read = present(race_keys_of(k, READS, 0)), had_written = present(race_keys_of(k, WRITES, 0)),
             had_strong = present(ks);
    if ((reads & (had_written | had_strong)) | (written & (had_read | had_written | had_strong)) |
        (strongs & (had_read | had_written)))
        return false;
    if (strongs & had_strong &&
        (any_of_block(s->write[0]) || any_of_block(s->write[1]) || any_of_block(ks->key)))
        return false;
    return put_class(b, k, READS, p->read[0], read[0] & ~had_read) &&
           put_class(b, k, READS, p->read[1], read[1] & ~read[0] & ~had_read) &&
           put_class(b, k, WRITES, p->write, written & ~had_written) &&
           (!strongs || (put_class(b, k, STRONGS, s->write[0], strong[0] & ~had_strong) &&
                         put_class(b, k, STRONGS, s->write[1], strong[1] & ~strong[0] & ~had_strong)));
}

bool race_vector_commit(const struct wg_race_block *b, const struct places *p, const struct strong_places *s,
                        struct keys *k) {
    return race_vector_usable() && commit_vector(b, p, s, k);
}
#else
bool race_vector_usable(void) { return false; }
void race_scan(const uint64_t address[LANES], uint32_t bytes, uint64_t base, uint64_t size, struct lie *out) {
    scan_plain(address, bytes, base, size, out);
}
bool race_vector_touch(const struct touch *t, struct places *p) { return false; }
bool race_vector_share(uint32_t (*clocks)[LANES], uint32_t lanes, uint32_t now, uint32_t of) { return false; }
bool race_vector_commit(const struct wg_race_block *b, const struct places *p, const struct strong_places *s,
                        struct keys *k) {
    return false;
}
#endif
