/* The test machine's loop: blocks that run together, their warps in turn, their barriers. */
#include "tests/rows/harness_inside.h"
#include "base/arena.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { PAGE = 4096 };

static uint32_t count_of(const uint32_t v[3]) { return v[0] * v[1] * v[2]; }

static void unravel(uint32_t index, const uint32_t size[3], uint32_t out[3]) {
    out[0] = index % size[0];
    out[1] = index / size[0] % size[1];
    out[2] = index / size[0] / size[1];
}

/* ---- blocks ---- */

static void block_open(struct harness_block *b, struct harness_grid *g, uint32_t index, uint8_t *shared) {
    const struct harness_launch *l = g->launch;
    uint32_t cluster = l->cluster ? l->cluster : 1, threads = count_of(l->block);
    const struct wg_ir_func *f = &l->kernel->module->funcs[l->kernel->func];
    *b = (struct harness_block){.grid = g, .index = index, .nwarps = (threads + WG_LANES - 1) / WG_LANES};
    struct wg_block *w = &b->block;
    w->services = &harness_services;
    w->cluster_shared = shared;
    w->params = l->params;
    w->symbols = l->kernel->symbols;
    w->cluster_ctarank = index % cluster;
    w->cluster_nctarank = cluster;
    w->shared_offset = w->cluster_ctarank * WG_SHARED_STRIDE;
    w->dynamic_shared = l->dynamic_shared;
    w->static_shared = (f->shared_bytes + 127) / 128 * 128;
    memcpy(w->nctaid, l->grid, sizeof w->nctaid);
    memcpy(w->ntid, l->block, sizeof w->ntid);
    unravel(index, l->grid, w->ctaid);
    for (int k = 0; k < 3; k++) w->cluster_nctaid[k] = k ? 1 : cluster;
    for (int k = 0; k < 3; k++) w->nclusterid[k] = l->grid[k] / w->cluster_nctaid[k];
    for (int k = 0; k < 3; k++) w->clusterid[k] = w->ctaid[k] / w->cluster_nctaid[k];
    w->cluster_ctaid[0] = w->cluster_ctarank;
    w->explicit_cluster = l->cluster != 0;
    w->cooperative = l->cooperative;
    w->nsmid = 1;
    w->stop = &g->stop;
    w->current = &b->current;
    w->machine = b;
    b->warps = wg_xcalloc(b->nwarps, sizeof *b->warps);
    b->status = wg_xcalloc(b->nwarps, sizeof *b->status);
    b->yields = wg_xcalloc(b->nwarps, sizeof *b->yields);
    uint32_t stack = l->stack ? l->stack : f->has_calls ? 16384 : 0;
    uint64_t stride = (g->code->local_bytes + stack + 63) / 64 * 64;
    for (uint32_t k = 0; k < b->nwarps; k++) {
        struct wg_warp *x = &b->warps[k];
        uint32_t lanes = threads - k * WG_LANES;
        x->block = w;
        x->id = k;
        x->live = lanes >= WG_LANES ? UINT32_MAX : (1u << lanes) - 1;
        x->active = x->live;
        x->frame = harness_alloc(g->code->frame_bytes + 64);
        x->local = harness_alloc(stride * WG_LANES);
        x->local_stride = stride;
        x->save_bytes = g->code->saves ? (uint64_t)stack * WG_LANES : 0;
        x->saves = harness_alloc(x->save_bytes + 64);
        x->code = g->code;
        b->status[k] = WG_WARP_YIELD;
    }
}

static void block_close(struct harness_block *b) {
    for (uint32_t k = 0; k < b->nwarps; k++) {
        harness_free(b->warps[k].frame);
        harness_free(b->warps[k].local);
        harness_free(b->warps[k].saves);
    }
    free(b->warps);
    free(b->status);
    free(b->yields);
}

/* ---- barriers ---- */

#define FOR_WAITS(b, w, n)                                                                                   \
    for (uint32_t w = 0; w < (b)->nwarps; w++)                                                               \
        for (uint32_t n = 0; n < ((b)->status[w] == WG_WARP_DONE ? 0 : (b)->warps[w].nwait); n++)

static uint32_t live_warps(const struct harness_block *b) {
    uint32_t n = 0;
    for (uint32_t w = 0; w < b->nwarps; w++) n += b->warps[w].live != 0;
    return n;
}

/* What the waits at one barrier of a block come to. */
struct gathering {
    uint32_t arrived, threads, yes, lanes;
};
static struct gathering gather(const struct harness_block *b, uint32_t id) {
    struct gathering g = {.arrived = b->arrived[id]};
    for (uint32_t w = 0; w < b->nwarps; w++) {
        const struct wg_warp *x = &b->warps[w];
        uint32_t here = 0;
        for (uint32_t n = 0; n < (b->status[w] == WG_WARP_DONE ? 0 : x->nwait); n++) {
            const struct wg_wait *y = &x->wait[n];
            if (y->kind != WG_WAIT_BLOCK || y->id != id || y->released) continue;
            here |= y->lanes;
            g.yes += (uint32_t)__builtin_popcount(y->predicate);
            g.threads = y->threads;
        }
        /* A warp counts whole when all its live lanes are there. */
        g.arrived += here && here == x->live ? WG_LANES : (uint32_t)__builtin_popcount(here);
        g.lanes += (uint32_t)__builtin_popcount(here);
    }
    return g;
}

/* Completes barrier `id` of the block if everybody is there. */
static bool try_barrier(struct harness_block *b, uint32_t id) {
    struct gathering g = gather(b, id);
    if (!g.lanes || g.arrived < (g.threads ? g.threads : live_warps(b) * WG_LANES)) return false;
    FOR_WAITS(b, w, n) {
        struct wg_wait *x = &b->warps[w].wait[n];
        if (x->kind != WG_WAIT_BLOCK || x->id != id) continue;
        x->released = 1;
        x->result = x->red == WG_M_popc ? g.yes : x->red == WG_M_and ? g.yes == g.lanes : g.yes != 0;
    }
    b->arrived[id] = 0;
    return true;
}

/* Releases waits of `kind` when all live lanes of all blocks are at one. */
static bool try_all(struct harness_block *bs, uint32_t n, enum wg_wait_kind kind) {
    uint32_t live = 0, waiting = 0, arrived = 0;
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t w = 0; w < bs[k].nwarps; w++) live += (uint32_t)__builtin_popcount(bs[k].warps[w].live);
        FOR_WAITS(&bs[k], w, x)
        if (bs[k].warps[w].wait[x].kind == kind && !bs[k].warps[w].wait[x].released)
            waiting += (uint32_t)__builtin_popcount(bs[k].warps[w].wait[x].lanes);
        arrived += bs[k].cluster_arrived;
    }
    bool complete = kind == WG_WAIT_GRID ? waiting == live : arrived >= live;
    if (!waiting || !complete) return false;
    for (uint32_t k = 0; k < n; k++) {
        FOR_WAITS(&bs[k], w, x)
        if (bs[k].warps[w].wait[x].kind == kind) bs[k].warps[w].wait[x].released = 1;
        if (kind == WG_WAIT_CLUSTER) bs[k].cluster_arrived = 0;
    }
    return true;
}

/* ---- the loop ---- */

static void fail(struct harness_grid *g, const struct harness_block *b, uint32_t warp, const char *why) {
    struct harness_result *r = g->result;
    const struct wg_fault *f = &b->warps[warp].fault;
    r->fault = b->status[warp] == WG_WARP_FAULT ? *f : (struct wg_fault){0};
    r->block = b->index;
    r->warp = warp;
    snprintf(r->message, sizeof r->message,
             "%s (%s): block %u, warp %u: %s; fault kind %u, lane %u, op %s, "
             "address 0x%llx, size %u, loc %u",
             g->launch->kernel->module->name, harness_name(g->launch->backend), b->index, warp, why,
             r->fault.kind, r->fault.lane, wg_op_id(r->fault.op), (unsigned long long)r->fault.address,
             r->fault.size, r->fault.loc);
}

static bool can_run(const struct harness_block *b, uint32_t w) {
    if (b->status[w] == WG_WARP_DONE) return false;
    if (b->status[w] == WG_WARP_YIELD) return true;
    for (uint32_t n = 0; n < b->warps[w].nwait; n++)
        if (b->warps[w].wait[n].released) return true;
    return false;
}

/* One turn of one warp: false when the launch is to end. */
static bool run_warp(struct harness_grid *g, struct harness_block *b, uint32_t w) {
    const struct harness_launch *l = g->launch;
    struct wg_warp *x = &b->warps[w];
    x->fuel = l->fuel ? l->fuel : 100000;
    b->status[w] = l->replay ? wg_replay_run(l->replay, x) : g->code->run(x);
    if (b->status[w] == WG_WARP_DONE) x->live = 0;
    if (b->status[w] == WG_WARP_FAULT) {
        fail(g, b, w, "fault");
        return false;
    }
    if (b->status[w] == WG_WARP_YIELD && ++b->yields[w] > (l->max_yields ? l->max_yields : 100000)) {
        fail(g, b, w, "endless");
        return false;
    }
    return true;
}

/* The block's beginning, or all of it, by code for whole blocks. */
static bool run_whole(struct harness_grid *g, struct harness_block *b) {
    enum wg_warp_status s = g->code->whole(b->warps);
    if (s == WG_WARP_FAULT) {
        uint32_t w = atomic_load(&b->current)->id;
        b->status[w] = s;
        fail(g, b, w, "fault");
        return false;
    }
    for (uint32_t w = 0; w < b->nwarps; w++) {
        struct wg_warp *x = &b->warps[w];
        if (s == WG_WARP_DONE) x->live = 0;
        b->status[w] = !x->live ? WG_WARP_DONE : x->nwait ? WG_WARP_BARRIER : WG_WARP_YIELD;
    }
    return true;
}

/* Runs blocks that are resident together to their end. */
static bool run_together(struct harness_grid *g, struct harness_block *bs, uint32_t n, uint32_t cluster) {
    if (g->code->whole && !run_whole(g, bs)) return false;
    for (;;) {
        bool ran = false, left = false;
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t w = 0; w < bs[k].nwarps; w++) {
                left |= bs[k].status[w] != WG_WARP_DONE;
                if (!can_run(&bs[k], w)) continue;
                ran = true;
                if (!run_warp(g, &bs[k], w)) return false;
            }
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t id = 0; id < WG_BARRIERS + WG_GROUP_BARRIERS; id++) ran |= try_barrier(&bs[k], id);
        for (uint32_t k = 0; k < n; k += cluster) ran |= try_all(bs + k, cluster, WG_WAIT_CLUSTER);
        ran |= try_all(bs, n, WG_WAIT_GRID);
        if (!left) return true;
        if (!ran) {
            uint32_t w = 0;
            while (bs[0].status[w] == WG_WARP_DONE && w + 1 < bs[0].nwarps) w++;
            fail(g, &bs[0], w, "no warp can go on");
            g->result->fault.kind = WG_FAULT_DEADLOCK;
            return false;
        }
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Mostly address space. What lies in front of a window may be read. */
static uint8_t *windows_open(uint32_t blocks) {
    size_t bytes = PAGE + (size_t)blocks * WG_SHARED_STRIDE;
    uint8_t *p =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) abort();
    return p + PAGE;
}
static void windows_close(uint8_t *p, uint32_t blocks) {
    munmap(p - PAGE, PAGE + (size_t)blocks * WG_SHARED_STRIDE);
}

static bool run_grid(struct harness_grid *g) {
    const struct harness_launch *l = g->launch;
    uint32_t blocks = count_of(l->grid), cluster = l->cluster ? l->cluster : 1,
             together = l->cooperative ? blocks : cluster;
    struct harness_block *bs = wg_xcalloc(together, sizeof *bs);
    bool ok = true;
    uint8_t *shared = windows_open(together);
    for (uint32_t first = 0; ok && first < blocks; first += together) {
        for (uint32_t k = 0; k < together; k++)
            block_open(&bs[k], g, first + k, shared + (size_t)(k / cluster * cluster) * WG_SHARED_STRIDE);
        ok = run_together(g, bs, together, cluster);
        for (uint32_t k = 0; k < together; k++) block_close(&bs[k]);
    }
    windows_close(shared, together);
    free(bs);
    return ok;
}

bool harness_run(const struct harness_launch *l, struct harness_result *r) {
    struct wg_diag d = {0};
    struct harness_grid g = {.launch = l, .result = r};
    *r = (struct harness_result){0};
    double t0 = now();
    g.code = harness_compile(l, &d);
    r->seconds_compile = now() - t0;
    if (!g.code) {
        snprintf(r->message, sizeof r->message, "%s: not compiled: %s", harness_name(l->backend),
                 d.text.s ? d.text.s : "no reason given");
        wg_diag_free(&d);
        return false;
    }
    t0 = now();
    r->ok = run_grid(&g);
    r->seconds_run = now() - t0;
    g.code->destroy(g.code);
    wg_diag_free(&d);
    return r->ok;
}
