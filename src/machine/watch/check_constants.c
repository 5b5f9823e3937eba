/* Which constants a launch reads, for the check of races between streams: a copy may write them meanwhile.
 *
 * Loads of constants are asked about as all are, but once they are valid generated code asks no more as long as they
 * stay in their instruction's window. Where other streams may write (wg_check_streams_loose), a window only holds what is
 * already known to be read:
 *
 *     readers   [byte of the module's constants] the lowest number of an instruction that reads it, and 1; 0: none
 *     window    bytes around the address whose reader is this instruction, or a lower one
 *
 * So each instruction asks once for each byte at most, and who reads does not depend on the number of threads. */
#include "check/race/race.h"
#include "machine/watch/check.h"
#include "machine/watch/check_stream.h"
#include <stdlib.h>

static bool reads_constants(const struct wg_grid *g) {
    for (uint32_t id = 0; id < g->check->nids; id++)
        if (g->check->sites[id].instr && g->check->sites[id].instr->space == WG_S_CONST) return true;
    return false;
}

void wg_check_constants_begin(struct wg_grid *g) {
    const struct wg_module *m = g->func->module;
    if (!wg_check_streams_loose(g->dev) || !m->ir->const_bytes || !reads_constants(g)) return;
    g->check->constants = wg_xcalloc(m->ir->const_bytes, sizeof *g->check->constants);
}

void wg_check_constants_end(struct wg_grid *g) {
    _Atomic uint32_t *readers = g->check->constants;
    uint64_t base = (uint64_t)g->func->module->consts, n = g->func->module->ir->const_bytes;
    if (!readers) return;
    for (uint64_t from = 0, to; from < n; from = to) {
        uint32_t reader = readers[from];
        for (to = from + 1; to < n && readers[to] == reader;) to++;
        if (reader) wg_check_stream_reads(g, base + from, base + to, reader - 1);
    }
    free(readers);
    g->check->constants = NULL;
}

/* Whether the instruction need not ask for the byte. */
static bool is_known(_Atomic uint32_t *reader, uint32_t id) {
    uint32_t r = atomic_load_explicit(reader, memory_order_relaxed);
    return r && r <= id + 1;
}

void wg_check_constants_read(const struct wg_grid *g, uint32_t id, uint64_t address, uint64_t bytes,
                             struct wg_check_window *window, const struct wg_check_window *before) {
    _Atomic uint32_t *readers = g->check->constants;
    uint64_t base = (uint64_t)g->func->module->consts, n = g->func->module->ir->const_bytes;
    uint64_t from = address - base, to = from + bytes;
    if (!readers || g->check->sites[id].instr->space != WG_S_CONST || from >= n || to > n) return;
    for (uint64_t i = from; i < to; i++) {
        uint32_t now = atomic_load_explicit(&readers[i], memory_order_relaxed);
        while ((!now || now > id + 1) && !atomic_compare_exchange_weak(&readers[i], &now, id + 1)) continue;
    }
    /* What the last window holds is known. */
    uint64_t last = before->lo - base, end = last + before->starts + bytes - 1;
    if (before->starts && last < n && last <= from && from <= end) {
        from = last;
        if (to < end) to = end;
    }
    while (from && is_known(&readers[from - 1], id)) from--;
    while (to < n && is_known(&readers[to], id)) to++;
    /* Within what it said before: the variable. */
    uint64_t lo = window->lo - base, hi = lo + window->starts + bytes - 1;
    if (from < lo) from = lo;
    if (to > hi) to = hi;
    window->lo = base + from;
    window->starts = to - from - bytes + 1;
}
