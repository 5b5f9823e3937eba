/* See bands.h. The internal blocks are 32 x 8 x n threads, so that neighbouring warps of a block are in one
 * column and eight rows; or, where rows are joined, several of the program's side by side. The grid must divide
 * into whole bands or whole rows of 32, and into enough blocks for all workers. */
#include "machine/bands.h"
#include "analysis/joined_rows.h"
#include "analysis/plan.h"
#include "machine/device.h"

#include <string.h>

enum { BLOCKS_EACH = 4, MOST_WARPS_ALONG = WG_MAX_WARPS / WG_BAND_ROWS };

static enum wg_band_kind kind_of(struct wg_func *f, uint32_t *width_at) {
    pthread_mutex_lock(&f->module->lock);
    if (!f->bands_known) f->bands = wg_find_bands(f->module->ir, f->ir, &f->width_at);
    f->bands_known = true;
    enum wg_band_kind kind = f->bands;
    *width_at = f->width_at;
    pthread_mutex_unlock(&f->module->lock);
    return kind;
}

static bool one_row(const uint32_t n[3]) { return n[1] == 1 && n[2] == 1; }

/* Of the blocks of ours that one of the program's is cut into along its row; false: into no power of two. */
static bool cut(uint32_t threads, uint32_t *warps, uint8_t *shift) {
    uint32_t all = threads / WG_LANES;
    if (threads % WG_LANES || !all) return false;
    for (*warps = MOST_WARPS_ALONG; all % *warps; --*warps) {
    }
    uint32_t strips = all / *warps;
    *shift = (uint8_t)__builtin_ctz(strips);
    return (strips & (strips - 1)) == 0;
}

static uint32_t common(uint32_t a, uint32_t b) { return b ? common(b, a % b) : a; }

/* How many blocks make a whole number of rows of the matrix. */
static uint32_t blocks_of_rows(const uint8_t *params, uint32_t width_at, uint32_t threads) {
    uint32_t width;
    memcpy(&width, params + width_at, sizeof width);
    return width / common(width, threads);
}

static bool are_enough(const struct wg_device *dev, const uint32_t grid[3]) {
    return (uint64_t)grid[0] * grid[1] * grid[2] >= (uint64_t)BLOCKS_EACH * dev->pool.nworkers;
}

static bool rows_join(struct wg_func *f, uint32_t threads) {
    uint8_t bit = (uint8_t)(1u << __builtin_ctz(threads));
    pthread_mutex_lock(&f->module->lock);
    if (!(f->joins_known & bit) && wg_rows_join(f->ir, threads)) f->joins |= bit;
    f->joins_known |= bit;
    bool joins = f->joins & bit;
    pthread_mutex_unlock(&f->module->lock);
    return joins;
}

/* Blocks beside each other, until a row has the threads of a warp. */
static bool join(const struct wg_launch *l, const struct wg_how *how, struct wg_launch *as_run,
                 struct wg_dealt *dealt) {
    uint32_t threads = l->block[0], blocks = WG_LANES / threads;
    const uint32_t grid[3] = {l->grid[0] / blocks, l->grid[1], l->grid[2]};
    if (threads & (threads - 1) || l->grid[0] % blocks || l->block[1] * l->block[2] > WG_MAX_WARPS)
        return false;
    if (!are_enough(l->func->module->dev, grid) || !wg_func_optimised(l->func, how) ||
        !rows_join(l->func, threads))
        return false;
    *as_run = *l;
    as_run->grid[0] = grid[0];
    as_run->block[0] = WG_LANES;
    *dealt = (struct wg_dealt){.threads = threads, .shift = (uint8_t)__builtin_ctz(blocks), .joined = true};
    return true;
}

bool wg_bands_deal(const struct wg_launch *l, const struct wg_how *how, const uint8_t *params,
                   struct wg_launch *as_run, struct wg_dealt *dealt) {
    const struct wg_device *dev = l->func->module->dev;
    uint32_t width_at = 0, warps, n[3] = {l->grid[0], l->grid[1], l->grid[2]};
    uint8_t shift;
    if (how->forms_off >> WG_FORM_bands & 1) return false;
    if (l->block[0] < WG_LANES) return join(l, how, as_run, dealt);
    if (!one_row(l->block) || !cut(l->block[0], &warps, &shift)) return false;
    enum wg_band_kind kind = kind_of(l->func, &width_at);
    if (kind == WG_BANDS_NONE || !wg_func_optimised(l->func, how)) return false;
    if (kind == WG_BANDS_ALONG) {
        n[0] = blocks_of_rows(params, width_at, l->block[0]);
        if (!one_row(l->grid) || !n[0] || l->grid[0] % n[0]) return false;
        n[1] = l->grid[0] / n[0];
    }
    if (n[1] % WG_BAND_ROWS || (uint64_t)n[0] << shift >> 26) return false;
    n[0] <<= shift;
    n[1] /= WG_BAND_ROWS;
    if (!are_enough(dev, n)) return false;
    *as_run = *l;
    memcpy(as_run->grid, n, sizeof n);
    as_run->block[0] = WG_LANES;
    as_run->block[1] = WG_BAND_ROWS;
    as_run->block[2] = warps;
    *dealt = (struct wg_dealt){.threads = l->block[0], .shift = shift, .along = kind == WG_BANDS_ALONG};
    return true;
}

/* A block of ours, and one of its warps -> the program's. */
static void find_real(const struct wg_grid *g, uint32_t ctaid[3], uint32_t *warp) {
    uint32_t strip = ctaid[0] & ((1u << g->dealt.shift) - 1), x = ctaid[0] >> g->dealt.shift;
    uint32_t y = ctaid[1] * WG_BAND_ROWS + *warp % WG_BAND_ROWS;
    if (g->dealt.joined) {
        ctaid[0] <<= g->dealt.shift;
        return;
    }
    *warp = strip * g->block.ntid[2] + *warp / WG_BAND_ROWS;
    ctaid[0] = g->dealt.along ? y * (g->block.nctaid[0] >> g->dealt.shift) + x : x;
    ctaid[1] = g->dealt.along ? 0 : y;
}

/* The warp of a fault is a row of ours, and its lane is one of some block's. */
static void find_lane(struct wg_grid *g) {
    uint32_t n = g->dealt.threads, lane = g->fault.lane, thread = g->fault_warp * n + lane % n;
    if (g->fault_by_signal || lane >= WG_LANES) {
        g->fault_warp = 0;
        return;
    }
    g->fault_block[0] += lane / n;
    g->fault_warp = thread / WG_LANES;
    g->fault.lane = (uint8_t)(thread % WG_LANES);
}

static uint64_t index_of(const uint32_t ctaid[3], const uint32_t n[3]) {
    return ctaid[0] + (uint64_t)n[0] * (ctaid[1] + (uint64_t)n[1] * ctaid[2]);
}

/* The program's grid and blocks again. */
static void undo_shape(struct wg_grid *g) {
    const struct wg_dealt *d = &g->dealt;
    struct wg_block *b = &g->block;
    uint32_t across = b->nctaid[0] >> d->shift, rows = b->nctaid[1] * WG_BAND_ROWS;
    b->ntid[0] = d->threads;
    if (d->joined) {
        b->nctaid[0] <<= d->shift;
        g->band_step = 1;
        g->band_blocks = 1u << d->shift;
    } else {
        b->nctaid[0] = d->along ? across * rows : across;
        b->nctaid[1] = d->along ? 1 : rows;
        b->ntid[1] = b->ntid[2] = 1;
        g->band_step = across;
        g->band_blocks = WG_BAND_ROWS;
    }
    g->shape.nwarps = wg_grid_warps(b->ntid, &g->last_lanes);
    for (int i = 0; i < 3; i++) b->nclusterid[i] = g->clusters[i] = b->nctaid[i];
}

void wg_bands_undo(struct wg_grid *g) {
    uint32_t first = 0;
    if (!g->dealt.threads) return;
    if (g->fault_by_signal) g->fault_warp = 0;
    find_real(g, g->fault_block, &g->fault_warp);
    if (g->dealt.joined) find_lane(g);
    find_real(g, g->stopped_block, &first);
    for (uint32_t i = 0; i < g->nstrays; i++) {
        first = 0;
        find_real(g, g->strays[i].block, &first);
    }
    undo_shape(g);
    const uint32_t *n = g->block.nctaid;
    for (uint32_t i = 0; i < g->nstrays; i++) g->strays[i].unit = index_of(g->strays[i].block, n);
    if (g->fault_unit != UINT64_MAX) g->fault_unit = index_of(g->fault_block, n);
    if (g->stopped_unit != UINT64_MAX) g->stopped_unit = index_of(g->stopped_block, n);
    g->dealt = (struct wg_dealt){0};
}
