/* Decomposition of a warp's access into pieces of rows. Most have one or two: adjacent lanes.
 */
#include "check/race/race_state.h"

static uint32_t row_bytes(const struct wg_race_access *a) { return a->bytes >= 4 ? 128 : 32; }

/* Lanes first..last, whose elements follow each other, upwards or downwards. */
static void put_run(struct pieces *out, const struct wg_race_access *a, uint32_t first, uint32_t last,
                    bool down) {
    uint32_t shift = a->bytes >= 4 ? 2 : 0, step = (uint32_t)__builtin_ctz(a->bytes) - shift;
    uint32_t period = 32u << step, lowest = down ? 31 - last : first, row = row_bytes(a) - 1;
    uint64_t from = race_address(a, down ? last : first),
             end = from + (uint64_t)(last - first + 1) * a->bytes;
    for (uint64_t at = from; at < end;) {
        uint64_t next = (at | row) + 1 < end ? (at | row) + 1 : end;
        uint32_t place = (uint32_t)(at & row) >> shift, n = (uint32_t)(next - at) >> shift;
        uint32_t offset = (lowest << step) + ((uint32_t)(at - from) >> shift) + period - place % period;
        out->v[out->n++] = (struct piece){
            .address = at & ~(uint64_t)row,
            .places = (n == PLACES ? UINT32_MAX : (1u << n) - 1) << place,
            .layout = {(uint16_t)(offset & (period - 1)), (uint8_t)step, down ? 31 : 0},
            .last = NO_LANE,
        };
        at = next;
    }
}

static void put_lane(struct pieces *out, const struct wg_race_access *a, uint32_t lane, uint32_t last) {
    uint64_t at = race_address(a, lane);
    uint32_t shift = a->bytes >= 4 ? 2 : 0, row = row_bytes(a) - 1, n = a->bytes >> shift;
    out->v[out->n++] = (struct piece){
        .address = at & ~(uint64_t)row,
        .places = ((1u << n) - 1) << ((uint32_t)(at & row) >> shift),
        .layout = one_lane(lane),
        .last = (uint8_t)last,
    };
}

/* Lanes with a stride of `stride` bytes, several to a row: fields of structures (interleaved access). */
static void put_strided(struct pieces *out, const struct wg_race_access *a, uint32_t stride) {
    uint32_t step = (uint32_t)__builtin_ctz(stride) - 2, period = 32u << step, in_row = 128 / stride;
    for (uint32_t l = 0; l < LANES;) {
        uint64_t at = race_address(a, l);
        uint32_t place = (uint32_t)(at & 127) >> 2, n = in_row - (uint32_t)(at & 127) / stride, places = 0;
        if (n > LANES - l) n = LANES - l;
        for (uint32_t i = 0; i < n; i++) places |= ((1u << a->bytes / 4) - 1) << (place + (i << step));
        out->v[out->n++] = (struct piece){
            .address = at & ~UINT64_C(127),
            .places = places,
            .layout = {(uint16_t)(((l << step) + period - (place & ~((1u << step) - 1))) & (period - 1)),
                       (uint8_t)step, 0},
            .last = NO_LANE,
        };
        l += n;
    }
}

/* From the lowest lane to the first that breaks off. */
static uint32_t run_from(uint32_t first, uint32_t goes_on) {
    return first + (uint32_t)__builtin_ctzll(~(uint64_t)(goes_on >> first));
}

/* reads: lanes at one place do no more than read it; else they are a race by themselves. */
void race_take_apart(struct pieces *out, const struct wg_race_access *a, bool reads, uint32_t lanes,
                     const struct lie *lie) {
    uint32_t both = lanes & lanes >> 1, next = lie->next & both, same = reads ? lie->same & both : 0;
    uint32_t previous = lie->previous & both;
    out->n = 0;
    if (lanes == UINT32_MAX && lie->stride && a->bytes >= 4 && a->bytes < lie->stride) {
        put_strided(out, a, lie->stride);
        return;
    }
    while (lanes) {
        uint32_t first = (uint32_t)__builtin_ctz(lanes), last = first;
        if (next >> first & 1) {
            last = run_from(first, next);
            put_run(out, a, first, last, false);
        } else if (previous >> first & 1) {
            last = run_from(first, previous);
            put_run(out, a, first, last, true);
        } else {
            if (same >> first & 1) last = run_from(first, same);
            put_lane(out, a, first, last > first ? last : NO_LANE);
        }
        lanes &= last == 31 ? 0 : UINT32_MAX << (last + 1);
    }
}
