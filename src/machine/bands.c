/* See bands.h. The internal blocks are 32 x 8 x n threads, so that neighbouring warps of a block are in one
 * column and eight rows. The grid must divide into whole bands, and into enough blocks for all workers. */
#include "machine/bands.h"
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

bool wg_bands_deal(const struct wg_launch *l, const struct wg_how *how, const uint8_t *params,
                   struct wg_launch *as_run, struct wg_dealt *dealt) {
    const struct wg_device *dev = l->func->module->dev;
    uint32_t width_at = 0, warps, n[3] = {l->grid[0], l->grid[1], l->grid[2]};
    uint8_t shift;
    if (how->forms_off >> WG_FORM_bands & 1) return false;
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
    if ((uint64_t)n[0] * n[1] * n[2] < (uint64_t)BLOCKS_EACH * dev->pool.nworkers) return false;
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
    *warp = strip * g->block.ntid[2] + *warp / WG_BAND_ROWS;
    ctaid[0] = g->dealt.along ? y * (g->block.nctaid[0] >> g->dealt.shift) + x : x;
    ctaid[1] = g->dealt.along ? 0 : y;
}

static uint64_t index_of(const uint32_t ctaid[3], const uint32_t n[3]) {
    return ctaid[0] + (uint64_t)n[0] * (ctaid[1] + (uint64_t)n[1] * ctaid[2]);
}

void wg_bands_undo(struct wg_grid *g) {
    struct wg_block *b = &g->block;
    uint32_t across = b->nctaid[0] >> g->dealt.shift, rows = b->nctaid[1] * WG_BAND_ROWS, first = 0;
    if (!g->dealt.threads) return;
    if (g->fault_by_signal) g->fault_warp = 0;
    find_real(g, g->fault_block, &g->fault_warp);
    find_real(g, g->stopped_block, &first);
    for (uint32_t i = 0; i < g->nstrays; i++) {
        first = 0;
        find_real(g, g->strays[i].block, &first);
    }
    b->nctaid[0] = g->dealt.along ? across * rows : across;
    b->nctaid[1] = g->dealt.along ? 1 : rows;
    b->ntid[0] = g->dealt.threads;
    b->ntid[1] = b->ntid[2] = 1;
    for (int i = 0; i < 3; i++) b->nclusterid[i] = g->clusters[i] = b->nctaid[i];
    for (uint32_t i = 0; i < g->nstrays; i++) g->strays[i].unit = index_of(g->strays[i].block, b->nctaid);
    if (g->fault_unit != UINT64_MAX) g->fault_unit = index_of(g->fault_block, b->nctaid);
    if (g->stopped_unit != UINT64_MAX) g->stopped_unit = index_of(g->stopped_block, b->nctaid);
    g->shape.nwarps = g->dealt.threads / WG_LANES;
    g->band_step = across;
    g->dealt = (struct wg_dealt){0};
}
