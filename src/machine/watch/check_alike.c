/* Races in shared memory of blocks that are alike (analysis/alike.h): all of them make the same accesses to it, at the same
 * addresses, between the same barriers. Where one block of each class has come to its end without a finding, those that
 * begin later need not tell of their accesses.
 *
 *     for (s = 1; s < blockDim.x; s *= 2) {             no branch, and no address in shared memory, depends on
 *         if (t % (2 * s) == 0) tile[t] += tile[t + s];     loaded data, nor the address on the block's index
 *         __syncthreads();
 *     }
 *
 * A launch like an earlier one, in its shape and parameters, of which all classes have come to their end, needs not even that.
 *
 * Whether a race is benign does depend on data: one that is counts as a finding here. Volatile accesses, and atomics
 * beside fences, order what comes before and after them: kernels with such accesses to shared memory are left out.
 */
#include "analysis/alike.h"
#include "cfg/cfg.h"
#include "machine/device.h"
#include "machine/watch/check.h"
#include "machine/worker.h"
#include <stdlib.h>
#include <string.h>

enum {
    WRAPS = 32,     /* bits of an index that could wrap: alike.h */
    BLOCKS_FEW = 4, /* so few are checked sooner than sorted */
    PROVEN_MOST = 8,
};

struct wg_check_alike {
    uint32_t n; /* classes */
    uint64_t first[WG_ALIKE_CLASSES];
    _Atomic uint32_t left; /* of which no block has ended yet; forever, if that has a finding */
    atomic_bool found;
    bool proven; /* by an earlier launch */
    bool silent; /* nothing else is to be told either: blocks need no state */
    bool *knows; /* [worker] its windows say so */
};

/* ---- addresses ---- */

static bool is_of_thread(uint32_t sreg) {
    switch (sreg) {
    case WG_SR_tid_x:
    case WG_SR_tid_y:
    case WG_SR_tid_z:
    case WG_SR_ntid_x:
    case WG_SR_ntid_y:
    case WG_SR_ntid_z:
    case WG_SR_laneid: return true;
    default: return false;
    }
}

static enum wg_part differs(const void *user, const struct wg_ir_instr *in) {
    (void)user;
    if (in->op == WG_OP_MOV_SREG) return is_of_thread(in->sreg) ? WG_PART_NONE : WG_PART_BEGINS;
    if (in->op == WG_OP_LD && in->space == WG_S_PARAM) return WG_PART_FOLLOWS;
    return wg_op_flags(in->op) || in->op == WG_OP_NONE ? WG_PART_BEGINS : WG_PART_FOLLOWS;
}

/* Whether each access that may race has the same address in all blocks; false where an access orders others. */
static bool may_be_alike(struct wg_grid *g, struct wg_arena *a) {
    const struct wg_check_site *sites = g->check->sites;
    const struct wg_ir_func *f = &g->func->module->ir->funcs[g->func->index];
    wg_bits other = wg_following(a, f, differs, NULL);
    bool any = false;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            const struct wg_ir_opd *at = &in->src[0];
            bool shared = in->nsrc && (in->space == WG_S_SHARED || in->space == WG_S_GENERIC);
            if (!shared || !wg_check_race_is_told(g, in->id)) continue;
            if (in->space == WG_S_SHARED && sites[in->id].quiet == WG_TOLD) return false;
            if (sites[in->id].quiet != WG_PERHAPS_QUIET) continue;
            if (at->kind == WG_O_REG && wg_bits_has(other, at->index)) return false;
            any |= !wg_check_shared_quiet(g, in->id);
        }
    return any;
}

/* ---- launches like earlier ones ---- */

/* Of a function: the latest of the launches in which no block can race in shared memory. */
struct wg_check_proven {
    uint32_t n; /* so far, of which the last are kept */
    struct wg_strbuf key[PROVEN_MOST];
};

/* All that a block's way through the kernel depends on, other than data. */
static struct wg_strbuf key_of(const struct wg_grid *g) {
    const struct wg_block *b = &g->block;
    struct wg_strbuf key = {0};
    wg_strbuf_add(&key, (const char *)b->ntid, sizeof b->ntid);
    wg_strbuf_add(&key, (const char *)b->nctaid, sizeof b->nctaid);
    wg_strbuf_add(&key, (const char *)&g->shape.window_bytes, sizeof g->shape.window_bytes);
    wg_strbuf_add(&key, g->params, g->func->ir->param_bytes);
    return key;
}

static bool is_proven(const struct wg_grid *g) {
    struct wg_func *f = g->func;
    struct wg_strbuf key = key_of(g);
    bool found = false;
    pthread_mutex_lock(&f->module->lock);
    for (uint32_t i = 0; f->proven && i < PROVEN_MOST && !found; i++) {
        const struct wg_strbuf *k = &f->proven->key[i];
        found = k->n == key.n && memcmp(k->s, key.s, key.n) == 0;
    }
    pthread_mutex_unlock(&f->module->lock);
    wg_strbuf_free(&key);
    return found;
}

static void keep_proven(const struct wg_grid *g) {
    struct wg_func *f = g->func;
    pthread_mutex_lock(&f->module->lock);
    if (!f->proven) f->proven = wg_xcalloc(1, sizeof *f->proven);
    struct wg_strbuf *to = &f->proven->key[f->proven->n++ % PROVEN_MOST];
    wg_strbuf_free(to);
    *to = key_of(g);
    pthread_mutex_unlock(&f->module->lock);
}

void wg_check_alike_forget(struct wg_func *f) {
    for (uint32_t i = 0; f->proven && i < PROVEN_MOST; i++) wg_strbuf_free(&f->proven->key[i]);
    free(f->proven);
}

/* ---- launches ---- */

static uint32_t sort(const struct wg_grid *g, struct wg_alike_class *classes) {
    struct wg_alike_launch l = {.module = g->func->module->ir, .func = g->func->ir, .params = g->params};
    memcpy(l.ntid, g->block.ntid, sizeof l.ntid);
    memcpy(l.nctaid, g->block.nctaid, sizeof l.nctaid);
    return wg_alike_classes(&l, classes);
}

void wg_check_alike_begin(struct wg_grid *g, bool silent) {
    struct wg_check_races *r = &g->check->races;
    struct wg_alike_class classes[WG_ALIKE_CLASSES];
    struct wg_arena arena = {0};
    bool pairs = g->func->module->instrumented->pairs[g->func->index] != NULL;
    bool usual = g->shape.nctas == 1 && !g->cooperative && !g->schedule && g->job.units >= BLOCKS_FEW &&
                 !(g->dev->memory.used >> WRAPS);
    bool may = pairs && usual && may_be_alike(g, &arena), proven = may && is_proven(g);
    uint32_t n = may && !proven ? sort(g, classes) : 0;
    wg_arena_free(&arena);
    if (!n && !proven) return;
    struct wg_check_alike *x = r->alike = wg_xcalloc(1, sizeof *x);
    x->proven = proven;
    x->n = x->left = n;
    x->silent = silent;
    x->knows = wg_xcalloc(g->check->nworkers, sizeof *x->knows);
    const uint32_t *grid = g->block.nctaid;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *b = classes[i].block;
        x->first[i] = b[0] + grid[0] * (b[1] + (uint64_t)grid[1] * b[2]);
    }
}

void wg_check_alike_end(struct wg_grid *g) {
    struct wg_check_alike *x = g->check->races.alike;
    if (!x) return;
    if (!x->proven && !atomic_load(&x->left) && !atomic_load(&x->found)) keep_proven(g);
    free(x->knows);
    free(x);
    g->check->races.alike = NULL; /* findings of the launch's end follow */
}

void wg_check_alike_found(const struct wg_grid *g) {
    struct wg_check_alike *x = g->check ? g->check->races.alike : NULL;
    if (x) atomic_store(&x->found, true);
}

bool wg_check_alike_proven(const struct wg_grid *g) {
    struct wg_check_alike *x = g->check->races.alike;
    return x && !atomic_load(&x->left);
}

/* ---- blocks ---- */

bool wg_check_alike_unit_begin(struct wg_unit *u) {
    struct wg_check_alike *x = u->grid->check->races.alike;
    if (!wg_check_alike_proven(u->grid)) return false;
    bool *knows = &x->knows[u->worker->index];
    if (!*knows) wg_check_shared_windows(u->grid, u->ctas[0].warps[0].windows);
    *knows = true;
    return x->silent;
}

void wg_check_alike_unit_end(struct wg_unit *u) {
    struct wg_check_alike *x = u->grid->check->races.alike;
    if (!x || !atomic_load(&x->left) || atomic_load(&x->found) || wg_grid_stops(u->grid, u->index)) return;
    for (uint32_t i = 0; i < x->n; i++)
        if (x->first[i] == u->index) atomic_fetch_sub(&x->left, 1);
}
