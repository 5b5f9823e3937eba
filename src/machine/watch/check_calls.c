/* Checks of service calls: malloc and free of kernels, and printf. */
#include "machine/watch/check.h"
#include "base/lanes.h"
#include "machine/memory/origin.h"
#include "machine/memory/shadow.h"
#include <stdlib.h>
#include <string.h>

static struct wg_grid *grid_of(const struct wg_warp *w) {
    const struct wg_cta *c = w->machine;
    return c->unit->grid;
}

static bool is_asked(const struct wg_warp *w, enum wg_check_id check) {
    const struct wg_device *dev = grid_of(w)->dev;
    return dev->options.findings && wg_checks(dev) >> check & 1;
}

/* ---- malloc and free ---- */

void wg_check_malloc(const struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *p) {
    const struct wg_grid *g = grid_of(w);
    struct wg_arena a = {0};
    struct wg_finding_place place = wg_check_place(&a, g->func, id);
    const char *text = "malloc";
    if (place.nframes) {
        const struct wg_frame *f = &place.frames[0];
        text = wg_arena_printf(&a, "malloc at %s:%u:%u in %s", f->file, f->line, f->column, f->function);
    }
    WG_EACH_LANE(l, lanes)
        if (p[l]) wg_heap_made(g->dev, p[l], text);
    wg_arena_free(&a);
}

/* Lanes are about to free what kernels got of malloc. */
void wg_check_free(const struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *p) {
    struct wg_device *dev = grid_of(w)->dev;
    if (!is_asked(w, WG_CHECK_memory)) return;
    WG_EACH_LANE(l, lanes) {
        struct wg_heap_block b = {0};
        bool twice = false;
        if (!p[l]) continue;
        bool known = wg_heap_find(dev, p[l], &b);
        for (uint32_t k = 0; k < l; k++) twice |= (lanes >> k & 1) && p[k] == p[l];
        bool whole = known && b.base == p[l];
        if (whole && !b.freed && !twice) continue;
        struct wg_finding f = {.kind = whole ? WG_F_double_free : WG_F_invalid_free,
                               .memory = {.space = "global", .address = p[l]}};
        if (known) {
            f.memory.has_allocation = true;
            f.memory.what = "kernel heap";
            f.memory.made_by = b.made_by;
            f.memory.base = b.base;
            f.memory.size = b.size;
            f.memory.offset = (int64_t)(p[l] - b.base);
            f.memory.freed = b.freed || twice;
        }
        wg_check_found(w, 1u << l, id, &f);
    }
}

/* ---- launches by kernels ---- */

void wg_check_child_refused(const struct wg_warp *w, uint32_t lane, uint32_t id, const struct wg_func *child,
                            const char *why) {
    const struct wg_grid *g = grid_of(w);
    struct wg_arena a = {0};
    if (!g->dev->options.findings) return;
    char *kernel = child ? wg_func_pretty(child) : NULL;
    struct wg_finding f = {.kind = WG_F_launch_refused,
                           .site = id,
                           .here = wg_check_place_of(&a, w, 1u << lane, id),
                           .detail = wg_arena_printf(&a, "%s is not launched: %.*s",
                                                     kernel ? kernel : "what is no kernel",
                                                     (int)strcspn(why, "\n"), why)};
    f.here.op = "a launch";
    wg_check_add(g, &f);
    free(kernel);
    wg_arena_free(&a);
}

/* ---- printf ---- */

/* One lane's call. */
struct print {
    const struct wg_warp *w;
    uint32_t lane, id;
};

static void print_argument(void *user, uint32_t number, uint64_t at, uint32_t bytes) {
    const struct print *p = user;
    const struct wg_device *dev = grid_of(p->w)->dev;
    const uint8_t *shadow = wg_shadow_at(&dev->memory, at);
    struct wg_arena a = {0};
    struct wg_origin first;
    uint32_t defined = 0;
    if (!is_asked(p->w, WG_CHECK_init) || !shadow) return;
    while (defined < bytes && shadow[defined] == UINT8_MAX) defined++;
    if (defined == bytes) return;
    struct wg_finding f = {.kind = WG_F_uninitialised_use};
    const char *what = wg_arena_printf(&a, "value %u that it prints was never written", number);
    f.detail = what;
    if (wg_origin_find(&dev->memory, dev->origins, at, bytes, &first)) {
        f.memory = first.memory;
        f.detail = wg_arena_printf(&a, "%s: it was read at %s", what, first.read_at);
    }
    wg_check_found(p->w, 1u << p->lane, p->id, &f);
    wg_arena_free(&a);
}

static void print_string(void *user, uint32_t number, uint64_t address) {
    static const struct wg_ir_instr load = {.op = WG_OP_LD, .space = WG_S_GENERIC, .type = WG_T_U8};
    static const struct wg_check_site site = {.instr = &load, .variable = WG_NO_REG};
    const struct print *p = user;
    struct wg_check_access_at at = {
        .w = p->w, .site = &site, .lane = p->lane, .bytes = 1, .variable = -1, .address = address};
    struct wg_check_verdict v;
    if (!is_asked(p->w, WG_CHECK_memory) || !address) return;
    wg_check_judge(&at, &v);
    if (v.good) return;
    struct wg_arena a = {0};
    struct wg_finding f = {.kind = v.kind, .memory = v.memory};
    f.detail = wg_arena_printf(&a, "it is the string that value %u of printf points to", number);
    wg_check_found(p->w, 1u << p->lane, p->id, &f);
    wg_arena_free(&a);
}

void wg_check_print(const struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *format,
                    const uint64_t *buffer) {
    WG_EACH_LANE(l, lanes) {
        struct print p = {w, l, id};
        struct wg_print_reader reader = {&p, print_argument, print_string};
        wg_print_read(format[l], buffer[l], &reader);
    }
}
