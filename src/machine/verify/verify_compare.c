/* Byte-by-byte comparison of the memory that generated code left with what the reference wrote. See
 * verify.h. */
#include "machine/device.h"
#include "machine/verify/verify.h"
#include <string.h>

/* A bit for each of `n` bytes that differ. Kernel memory is no sanitizer's business. */
__attribute__((no_sanitize("address", "thread"))) static uint64_t differing(uint64_t address,
                                                                            const uint8_t *with, uint32_t n) {
    const uint8_t *p = (const uint8_t *)(uintptr_t)address;
    uint64_t mask = 0;
    if (memcmp(p, with, n) == 0) return 0;
    for (uint32_t k = 0; k < n; k++) mask |= (uint64_t)(p[k] != with[k]) << k;
    return mask;
}

__attribute__((no_sanitize("address", "thread"))) static uint64_t
differing_in(uint64_t address, const uint8_t *with, uint64_t which) {
    const uint8_t *p = (const uint8_t *)(uintptr_t)address;
    uint64_t mask = 0;
    if (which == UINT64_MAX) return differing(address, with, WG_VERIFY_LINE);
    for (; which; which &= which - 1) {
        int k = __builtin_ctzll(which);
        mask |= (uint64_t)(p[k] != with[k]) << k;
    }
    return mask;
}

/* Calls for each word of a line that has one of these bytes. */
static bool each_word(uint64_t line, uint64_t bytes, bool stray, wg_verify_each each, void *user) {
    for (uint32_t k = 0; k < WG_VERIFY_LINE; k += WG_VERIFY_WORD)
        if (bytes >> k & ((1u << WG_VERIFY_WORD) - 1) && !each(user, line + k, stray)) return false;
    return true;
}

static bool compare_part(const struct wg_verify *v, const struct wg_snapshot_part *part, wg_verify_each each,
                         void *user) {
    uint64_t end = part->address + part->bytes;
    for (uint64_t a = part->address, next; a < end; a = next) {
        uint64_t line = a & ~(uint64_t)(WG_VERIFY_LINE - 1);
        next = line + WG_VERIFY_LINE < end ? line + WG_VERIFY_LINE : end;
        uint64_t mask = differing(a, part->before + (a - part->address), (uint32_t)(next - a)) << (a - line);
        if (mask) mask &= ~wg_replay_line_at(v->overlay, a).written;
        if (mask && !each_word(line, mask, true, each, user)) return false;
    }
    return true;
}

void wg_verify_compare(const struct wg_verify *v, wg_verify_each each, void *user) {
    struct wg_snapshot_part part;
    struct wg_replay_line line;
    for (size_t at = 0; wg_replay_next(v->overlay, &at, &line);) {
        struct wg_span span;
        if (v->g->strayed && !wg_memory_find(&v->g->dev->memory, line.address, &span)) continue;
        uint64_t mask = differing_in(line.address, line.bytes, line.written);
        if (mask && v->heap) mask &= wg_verify_heap_lives(v, line.address);
        if (mask && !each_word(line.address, mask, false, each, user)) return;
    }
    for (uint64_t at = 0; !v->sample && wg_snapshot_next(v->snapshot, &at, &part);) {
        if (part.kind == WG_MEM_HEAP || (part.host && v->host_ran)) continue;
        if (!compare_part(v, &part, each, user)) return;
    }
}

/* That word is written by nothing but float atomics. */
bool wg_verify_is_by_order(const struct wg_verify *v, uint64_t word) {
    if (!v->marks) return false;
    struct wg_replay_line line = wg_replay_line_at(v->marks, word);
    uint32_t bytes = ((1u << WG_VERIFY_WORD) - 1), at = word % WG_VERIFY_LINE;
    return line.written >> at & bytes && !(line.marked >> at & bytes);
}

struct equal {
    const struct wg_verify *v;
    bool equal;
};

static bool one_differs(void *user, uint64_t word, bool stray) {
    struct equal *e = user;
    e->equal = !stray && wg_verify_is_by_order(e->v, word);
    return e->equal;
}

bool wg_verify_is_equal(const struct wg_verify *v) {
    struct equal e = {v, true};
    wg_verify_compare(v, one_differs, &e);
    return e.equal;
}

void wg_verify_expected(const struct wg_verify *v, uint64_t address, uint8_t *byte) {
    struct wg_replay_line line = wg_replay_line_at(v->overlay, address);
    if (line.written >> address % WG_VERIFY_LINE & 1)
        *byte = line.bytes[address % WG_VERIFY_LINE];
    else
        wg_snapshot_read(v->snapshot, NULL, address, byte, 1);
}

uint64_t wg_verify_bytes_written(const struct wg_replay *overlay) {
    struct wg_replay_line line;
    uint64_t n = 0;
    for (size_t at = 0; wg_replay_next(overlay, &at, &line);)
        n += (uint64_t)__builtin_popcountll(line.written);
    return n;
}
