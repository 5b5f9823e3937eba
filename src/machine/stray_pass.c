/* Recording of a stray that a kernel is allowed: where in its launch it came from. */
#include "machine/device.h"
#include "machine/stray.h"
#include "machine/worker.h"
#include <string.h>

/* Several places in the source may share an instruction, in functions that LLVM or we made of what recurs: one
 * place in a block, another one in the next, or of another kernel. So one instruction is looked at some times. */
static void note(struct wg_grid *g, const struct wg_warp *w, uint64_t address, uint64_t code) {
    const struct wg_cta *c = w->machine;
    const struct wg_block *b = w->block;
    /* Code may have gone on to this block by itself. */
    uint64_t unit = (c->index + (c->unit->more - c->unit->ctas[0].block.more)) / g->shape.nctas;
    uint32_t same = 0;
    bool again = false; /* when the unit runs once more all its places are found */
    pthread_mutex_lock(&g->lock);
    for (uint32_t i = 0; i < g->nstrays; i++) {
        same += g->strays[i].code == code;
        again |= g->strays[i].code == code && g->strays[i].unit == unit;
    }
    if (!again && same < WG_STRAY_LOOKS && g->nstrays < WG_STRAYS_KEPT) {
        struct wg_stray_seen *s = &g->strays[g->nstrays++];
        *s = (struct wg_stray_seen){.code = code, .address = address, .unit = unit};
        memcpy(s->block, b->ctaid, sizeof s->block);
    }
    pthread_mutex_unlock(&g->lock);
}

bool wg_stray_pass(struct wg_worker *w, uint64_t address, uint64_t code) {
    struct wg_device *dev = w->pool->dev;
    const struct wg_warp *warp = atomic_load_explicit(&w->warp, memory_order_relaxed);
    struct wg_grid *g = ((const struct wg_cta *)warp->machine)->unit->grid;
    if (dev->options.strict || wg_checks(dev) || !wg_strays_open(&dev->memory, address)) return false;
    if (!g->replayed && !g->dry) note(g, warp, address, code);
    g->strayed = true;
    return true;
}
