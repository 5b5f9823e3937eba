/* See check.h. */
#include "machine/watch/check.h"
#include "machine/watch/check_late.h"
#include "base/lanes.h"
#include "check/code_place.h"
#include "machine/watch/check_race.h"
#include "machine/watch/check_stream.h"
#include "machine/memory/origin.h"
#include "machine/memory/padding.h"
#include "machine/memory/untouched.h"
#ifdef WG_HAVE_JIT
#include "jit/code/jit.h"
#endif
#include "machine/watch/check_async.h"
#include "machine/watch/check_barrier.h"
#include "machine/worker.h"
#include <stdlib.h>
#include <string.h>

static const struct wg_cta *cta_of(const struct wg_warp *w) { return w->machine; }
static const struct wg_grid *grid_of(const struct wg_warp *w) { return cta_of(w)->unit->grid; }

const struct wg_ir_module *wg_check_ir(struct wg_func *f) {
    struct wg_module *m = f->module;
    uint32_t checks = wg_checks(m->dev);
    if (!checks) return m->ir;
    if (!m->instrumented) {
        m->instrumented = wg_instrument(m->ir, checks, m->dev->options.tells_all);
        if (!m->dev->options.findings) wg_strict_instrumented(m->instrumented);
    }
    return m->instrumented->module;
}

void wg_check_open(struct wg_device *dev) {
    if (wg_checks(dev) & 1u << WG_CHECK_init) dev->origins = wg_origins_new();
    wg_check_streams_open(dev);
}

void wg_check_close(struct wg_device *dev) {
    wg_check_init_host_close(dev);
    wg_check_streams_close(dev);
    wg_check_race_close(dev);
    wg_origins_free(dev->origins);
    dev->origins = NULL;
}

/* ---- launches ---- */

static bool is_access(const struct wg_ir_instr *in) { return in && wg_op_is(in->op, WG_IS_ACCESS); }

/* Bytes that an instruction stores of a structure, perhaps. What the copy engine writes is wide. */
static uint32_t stored_bytes(const struct wg_ir_instr *in) {
    enum { WIDE = 16 };
    if (!in) return 0;
    if (!is_access(in)) return wg_op_flags(in->op) & WG_F_BULK ? WIDE : 0;
    bool elsewhere = in->space == WG_S_LOCAL || in->space == WG_S_PARAM;
    return elsewhere || wg_op_is(in->op, WG_IS_LOAD) ? 0 : wg_type_bits(in->type) / 8 * in->nvec;
}

static void note_types(struct wg_memory *m, const struct wg_ir_module *ir, const struct wg_instrumented *i) {
    uint32_t widest = 0;
    for (uint32_t id = 0; id < i->nids; id++) {
        uint32_t bytes = stored_bytes(i->sites[id].instr);
        if (bytes > widest) widest = bytes;
    }
    wg_padding_add(m, ir->records, ir->nrecords, widest);
}

/* What clang leaves of a kernel in which it saw what C++ does not allow, on every way through it; and of one with
 * arguments in which nothing has an effect. */
static bool is_taken_out(const struct wg_ir_func *f) {
    bool empty = f->nblocks == 1 && !f->blocks[0].ninstrs;
    return empty && (f->blocks[0].term == WG_TERM_EXIT || f->nparams);
}

static void note_taken_out(const struct wg_grid *g, const char *kernel) {
    bool undefined = g->func->ir->blocks[0].term == WG_TERM_EXIT;
    struct wg_arena a = {0};
    wg_findings_note(
        g->dev->options.findings,
        wg_arena_printf(
            &a, "the compiler removed all of %s, because %s; with -O0 it is checked as written", kernel,
            undefined ? "everything it does leads to undefined behaviour, such as __builtin_unreachable()"
                      : "nothing it does has an effect: values that it reads are unused, or undefined"));
    wg_arena_free(&a);
}

static void note_launch(const struct wg_grid *g) {
    const struct wg_instrumented *i = g->func->module->instrumented;
    const struct wg_block *b = &g->block;
    char *pretty = wg_func_pretty(g->func);
    struct wg_findings_launch l = {.kernel = pretty, .module = wg_check_module_number(g->func), .threads = 1};
    const struct wg_ir_module *ir = g->func->module->ir;
    for (uint32_t id = 0; id < i->nids; id++)
        l.accesses += g->check->reached[i->sites[id].func] && is_access(i->sites[id].instr) &&
                      i->sites[id].instr->space != WG_S_PARAM;
    for (int k = 0; k < 3; k++) l.threads *= (uint64_t)b->ntid[k] * b->nctaid[k];
    if (g->dev->options.ndevices > 1)
        wg_findings_launch_on(g->dev->options.findings, b->gridid - 1, g->dev->ordinal);
    wg_findings_launched(g->dev->options.findings, &l);
    if (is_taken_out(&ir->funcs[g->func->index])) note_taken_out(g, pretty);
    free(pretty);
}

void wg_check_begin(struct wg_grid *g) {
    uint32_t n = g->dev->pool.nworkers;
    g->check = NULL;
    if (!wg_checks(g->dev)) return;
    struct wg_check_launch *c = wg_xcalloc(1, sizeof *c + n * sizeof *c->windows);
    c->sites = g->func->module->instrumented->sites;
    c->nids = g->func->module->instrumented->nids;
    c->nworkers = n;
    c->reached = wg_ir_reached(g->func->module->ir, g->func->index);
    c->launches = wg_func_may_launch(g->func) && g->job.units * g->shape.nctas > 1;
    g->check = c;
    wg_untouched_settle(&g->dev->memory);
    wg_check_race_begin(g);
    wg_check_constants_begin(g);
    if (wg_checks(g->dev) & 1u << WG_CHECK_barrier) wg_check_round_begin(g);
    if (g->dev->options.findings) note_launch(g);
    note_types(&g->dev->memory, g->func->module->ir, g->func->module->instrumented);
}

void wg_check_end(struct wg_grid *g, const struct wg_fault_record *fault) {
    struct wg_check_launch *c = g->check;
    if (!c) return;
    wg_check_race_end(g);
    wg_check_constants_end(g);
    if (wg_checks(g->dev) & 1u << WG_CHECK_barrier) wg_check_barrier_fault(g);
    if (fault && g->dev->options.findings) wg_check_fault(g, fault);
    wg_check_init_end(g);
    wg_check_round_end(g);
    for (uint32_t i = 0; i < c->nworkers; i++) free(c->windows[i]);
    free(c->reached);
    free(c);
    g->check = NULL;
    if (g->dev->options.findings) wg_findings_tend(g->dev->options.findings);
}

struct wg_check_window *wg_check_windows(const struct wg_grid *g, uint32_t worker) {
    struct wg_check_launch *c = g->check;
    if (!c) return NULL;
    struct wg_check_window **w = &c->windows[worker];
    if (*w) return *w;
    *w = wg_xcalloc(c->nids + 1, sizeof **w);
    wg_check_shared_windows(g, *w);
    return *w;
}

void wg_check_block_ended(const struct wg_cta *c) {
    const struct wg_check_launch *l = c->unit->grid->check;
    if (!l || c->unit->shape.nctas == 1) return;
    memset(c->warps[0].windows, 0, l->nids * sizeof *c->warps[0].windows);
    wg_check_shared_windows(c->unit->grid, c->warps[0].windows);
}

/* ---- services ---- */

/* Lanes refused, by what is wrong with them. */
struct refusal {
    uint32_t lanes;
    struct wg_check_verdict first; /* of the lowest */
};

/* Windows of other blocks' shared memory are places in it: check_memory.c. */
static bool is_shared_window(const struct wg_warp *w, const struct wg_check_window *window) {
    uint64_t size = (uint64_t)w->block->cluster_nctarank * WG_SHARED_STRIDE;
    return window->lo < WG_SHARED_MOST || window->lo - (uint64_t)w->block->cluster_shared < size;
}

static bool is_in_window(const struct wg_warp *w, const struct wg_check_window *window, uint64_t at) {
    if (window->lo < WG_SHARED_MOST) { /* a place: see is_shared_window */
        at -= (uint64_t)w->block->cluster_shared;
        if (at >= w->block->cluster_nctarank * (uint64_t)WG_SHARED_STRIDE) return false;
        at %= WG_SHARED_STRIDE;
    }
    return at - window->lo < window->starts;
}

/* Of accesses that are all to be heard of, which have been found good all the same: generated code looks in
 * vain for a window so high. */
#define HEARD_OF (UINT64_C(1) << 63)

static uint32_t judge_lanes(const struct wg_warp *w, uint32_t lanes, const struct wg_check_ask *a,
                            struct refusal of[WG_FINDING_KINDS]) {
    const struct wg_check_site *site = &grid_of(w)->check->sites[a->id];
    struct wg_check_window *window = &w->windows[a->id];
    uint32_t refused = 0, bytes = wg_type_bits(site->instr->type) / 8 * site->instr->nvec;
    bool moved = false;
    WG_EACH_LANE(l, lanes) {
        struct wg_check_access_at at = {w, site, l, bytes, a->variable, a->address[l], 0};
        struct wg_check_verdict v;
        if (is_in_window(w, window, a->address[l]) && (a->address[l] & (bytes - 1)) == 0) continue;
        wg_check_judge(&at, &v);
        if (v.good) {
            if (!v.window.starts) continue;
            wg_check_constants_read(grid_of(w), a->id, a->address[l], bytes, &v.window, window);
            *window = v.window;
            window->quiet = is_shared_window(w, window) ? wg_check_shared_quiet(grid_of(w), a->id)
                                                        : wg_check_written_quiet(grid_of(w), a->id, window);
            moved = true;
            continue;
        }
        if (!of[v.kind].lanes) of[v.kind].first = v;
        of[v.kind].lanes |= 1u << l;
        refused |= 1u << l;
    }
    if (moved) window->defined = wg_check_init_window(grid_of(w), a->id, window);
    WG_EACH_LANE(l, lanes) /* of these it says nothing */
        if (a->address[l] - window->lo >= window->starts) window->defined = 0;
    return refused;
}

/* All lanes are in the window, and aligned: what most accesses are that are to be heard of. */
static bool are_known(const struct wg_warp *w, uint32_t lanes, const struct wg_check_ask *a) {
    const struct wg_ir_instr *in = grid_of(w)->check->sites[a->id].instr;
    const struct wg_check_window *window = &w->windows[a->id];
    uint64_t spelt[WG_LANES], bytes = wg_type_bits(in->type) / 8 * in->nvec;
    uint64_t shared = (uint64_t)w->block->cluster_shared,
             all = w->block->cluster_nctarank * (uint64_t)WG_SHARED_STRIDE;
    const uint64_t *at = a->address ? a->address : spelt;
    uint32_t other = 0;
    if (window->lo >= WG_SHARED_MOST) return false; /* no place: see is_shared_window */
    if (!a->address) wg_check_addresses(a, spelt);
    for (uint32_t l = 0; l < WG_LANES; l++) {
        uint64_t place = (at[l] - shared) % WG_SHARED_STRIDE;
        bool good = at[l] - shared < all && place - window->lo < window->starts && !(at[l] & (bytes - 1));
        other |= (uint32_t)!good << l;
    }
    return !(other & lanes);
}

static void refuse_lowest(const struct wg_warp *w, uint32_t refused, const struct wg_check_ask *a,
                          const struct refusal of[WG_FINDING_KINDS]) {
    const struct wg_check_site *site = &grid_of(w)->check->sites[a->id];
    uint32_t lane = (uint32_t)__builtin_ctz(refused), k = 0;
    struct wg_check_access_at at = {.w = w, .site = site, .lane = lane, .address = a->address[lane]};
    at.bytes = wg_type_bits(site->instr->type) / 8 * site->instr->nvec;
    while (!(of[k].lanes >> lane & 1)) k++;
    wg_strict_refuse(&at, &of[k].first);
}

static uint32_t judge_access(const struct wg_warp *w, uint32_t lanes, const struct wg_check_ask *a) {
    struct refusal of[WG_FINDING_KINDS];
    for (int k = 0; k < WG_FINDING_KINDS; k++) of[k].lanes = 0;
    uint32_t refused = judge_lanes(w, lanes, a, of);
    if (!(wg_checks(grid_of(w)->dev) & 1u << WG_CHECK_memory)) { /* it was asked for the windows */
        if (refused) wg_check_init_shared_unknown(cta_of(w)->unit);
        return 0;
    }
    if (refused && !a->converged && !grid_of(w)->dev->options.findings) {
        refuse_lowest(w, refused, a, of);
        return refused;
    }
    for (int k = 0; k < WG_FINDING_KINDS && refused && !a->converged; k++) {
        if (!of[k].lanes) continue;
        struct wg_finding f = {
            .kind = of[k].first.kind, .memory = of[k].first.memory, .detail = of[k].first.detail};
        wg_check_found(w, of[k].lanes, a->id, &f);
    }
    return refused;
}

/* An access that can race with nothing: generated code does not tell of it once it knows that. */
static bool is_quiet(const struct wg_warp *w, uint32_t lanes, const struct wg_check_ask *a) {
    const struct wg_check_window *window = &w->windows[a->id];
    if (!window->quiet) return false;
    WG_EACH_LANE(l, lanes)
        if (!is_in_window(w, window, a->address[l])) return false;
    return true;
}

/* What is found says what memory holds. */
static void make_additions(struct wg_warp *w, struct wg_worker *worker, uint8_t space) {
    if (space == WG_S_SHARED || space == WG_S_CLUSTER || !wg_sums_pending(&worker->sums)) return;
    worker->in_service = false;
    wg_combine_service_publish(w, WG_COMBINERS);
    worker->in_service = true;
}

uint32_t wg_check_service_access(struct wg_warp *w, uint32_t lanes, const struct wg_check_ask *a) {
    const struct wg_cta *c = cta_of(w);
    struct wg_worker *worker = c->unit->worker;
    struct wg_check_ask spelt;
    uint64_t address[WG_LANES];
    uint32_t refused = 0;
    lanes &= grid_of(w)->check->sites[a->id].lanes;
    bool watched = c->watch && c->unit->shape.nctas > 1;
    bool judged = !a->inside && wg_checks(grid_of(w)->dev) & ~(1u << WG_CHECK_barrier);
    struct wg_check_window *window = &w->windows[a->id];
    if (watched) window->lo &= ~HEARD_OF;
    bool remote = watched && wg_check_remote_known(w, a->id);
    if (judged && remote && !c->race && are_known(w, lanes, a)) judged = false;
    watched = watched && !remote;
    if (!a->address && (watched || judged)) {
        wg_check_addresses(a, address);
        spelt = *a;
        spelt.address = address;
        a = &spelt;
    }
    remote |= watched && wg_check_remote_access(w, lanes, a->id, a->address);
    worker->in_service = true;
    if (judged) refused = judge_access(w, lanes, a);
    bool again = !a->converged && w->told == a->id;
    w->told = 0;
    bool told = c->race && !wg_instrument_changes_mbarrier(grid_of(w)->check->sites[a->id].instr) && !again &&
                !(refused && a->converged) && !(judged && is_quiet(w, lanes & ~refused, a));
    if (told) make_additions(w, worker, grid_of(w)->check->sites[a->id].instr->space);
    if (told) wg_check_race_access(w, lanes & ~refused, a);
    if (told && (grid_of(w)->children || grid_of(w)->check->launches))
        wg_check_late_access(w, lanes & ~refused, a);
    if (remote && !c->race) window->lo |= HEARD_OF;
    worker->in_service = false;
    wg_strict_leave(worker);
    return refused;
}

void wg_check_service_event(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t event, const uint64_t *a,
                            const uint64_t *b) {
    struct wg_worker *worker = cta_of(w)->unit->worker;
    bool barriers = cta_of(w)->watch != NULL;
    if (!lanes) return;
    worker->in_service = true;
    switch ((enum wg_check_event)event) {
    case WG_EVENT_FENCE: wg_check_race_fence(w, lanes, id); break;
    case WG_EVENT_ARRIVE: wg_check_race_mbarrier_arrive(w, lanes, id, a, b); break;
    case WG_EVENT_PASSED: wg_check_race_mbarrier_passed(w, lanes, id, a, b); break;
    case WG_EVENT_MBARRIER: wg_check_race_mbarrier_begins(w, lanes, id, a); break;
    case WG_EVENT_PROXY_FENCE: wg_check_async_proxy_fence(w, lanes, id); break;
    case WG_EVENT_BULK_COMMIT: wg_check_async_commit(w, lanes, false); break;
    case WG_EVENT_BULK_WAIT: wg_check_async_wait(w, lanes, id, a); break;
    case WG_EVENT_MATRIX_COMMIT: wg_check_async_commit(w, lanes, true); break;
    case WG_EVENT_MATRIX_WAIT: wg_check_async_wait(w, lanes, id, a); break;
    case WG_EVENT_CLUSTER_ARRIVE: wg_check_race_cluster_arrive(w, lanes); break;
    case WG_EVENT_MALLOC: wg_check_malloc(w, lanes, id, a); break;
    case WG_EVENT_FREE: wg_check_free(w, lanes, id, a); break;
    case WG_EVENT_PRINT: wg_check_print(w, lanes, id, a, b); break;
    case WG_EVENT_WARP_SYNC:
        wg_check_race_meeting(w, lanes, a);
        if (barriers) wg_check_meeting(w, lanes, id, a);
        break;
    case WG_EVENT_LEAVE:
        if (barriers) wg_check_left(w, lanes, id);
        break;
    case WG_EVENT_COPIES_COMMIT: wg_check_copies_commit(w, lanes); break;
    case WG_EVENT_COPIES_WAIT: wg_check_copies_wait(w, lanes, a); break;
    case WG_EVENT_COPIES_DONE: wg_check_copies_wait(w, lanes, NULL); break;
    case WG_EVENT_BARRIER:
        wg_check_race_plain_barrier(cta_of(w));
        wg_check_init_shared((struct wg_cta *)cta_of(w));
        break;
    default: wg_check_round_event(w, lanes, id, event, a); break;
    }
    worker->in_service = false;
}

void wg_check_plain_barrier(struct wg_cta *c) {
    wg_check_race_plain_barrier(c);
    wg_check_init_shared(c);
    if (c->watch) wg_check_all_at_barrier(c);
}

void wg_check_unit_begin(struct wg_unit *u) {
    wg_check_init_unit_begin(u);
    wg_check_race_unit_begin(u);
    wg_check_round_unit_begin(u);
}
void wg_check_unit_end(struct wg_unit *u) { wg_check_race_unit_end(u); }

/* ---- the host's side ---- */

bool wg_host_call_is_dropped(uint64_t at) {
#ifdef WG_HAVE_JIT
    return wg_jit_host_drops_result(at, wg_code_end(at));
#else
    (void)at;
    return false;
#endif
}
