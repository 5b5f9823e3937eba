/* Modules, memory and services of the test machine: see harness.h. The loop over warps is harness_run.c. */
#include "tests/rows/harness_inside.h"
#include "base/arena.h"
#include <stdlib.h>
#include <string.h>
#ifdef WG_TEST_JIT
#include "jit/code/jit.h"
#endif

enum { PAD = 4096 };

void *harness_alloc(size_t bytes) {
    size_t whole = (bytes + 3 * PAD - 1) / PAD * PAD;
    uint8_t *p = aligned_alloc(PAD, whole);
    if (!p) abort();
    memset(p, 0, whole);
    return p + PAD;
}
void harness_free(void *p) {
    if (p) free((uint8_t *)p - PAD);
}

bool harness_has(enum harness_backend b) {
#ifdef WG_TEST_JIT
    return b < HARNESS_BACKENDS;
#else
    return b == HARNESS_REF;
#endif
}
const char *harness_name(enum harness_backend b) { return b == HARNESS_REF ? "reference" : "jit"; }

struct wg_code *harness_compile(const struct harness_launch *l, struct wg_diag *d) {
    static const uint8_t levels[] = {2, 1, 2, 0};
    struct wg_code_opts o = {.full_warps = l->block[0] * l->block[1] * l->block[2] % WG_LANES == 0,
                             .linear31 = true,
                             .whole_blocks = l->whole && !l->cluster && !l->cooperative,
                             .shared_window = WG_SHARED_MOST,
                             .arena_bits = 48, /* all memory of the process is the device's */
                             .opt_level = levels[l->code],
                             .tiers = l->code == HARNESS_QUICK ? WG_TIERS_QUICK : WG_TIERS_NONE,
                             .width = l->width,
                             .no_cache = true};
    memcpy(o.ntid, l->block, sizeof o.ntid);
#ifdef WG_TEST_JIT
    if (l->backend == HARNESS_JIT) return wg_jit_compile(l->kernel->module, l->kernel->func, &o, d);
#endif
    return wg_ref_compile(l->kernel->module, l->kernel->func, &o, d);
}

/* ---- modules ---- */

static uint64_t aligned(uint64_t v, uint64_t to) { return (v + to - 1) / to * to; }

bool harness_open(struct harness_kernel *k, const char *name, const char *ptx, const char *kernel) {
    *k = (struct harness_kernel){0};
    k->module = wg_ir_from_ptx(name, ptx, strlen(ptx), &k->diag);
    if (!k->module) return false;
    const char *wrong = wg_ir_verify(k->module);
    if (wrong) {
        wg_diag_error(&k->diag, (struct wg_pos){name, 0, 0}, NULL, "the IR is not sound: %s", wrong);
        return false;
    }
    k->func = wg_ir_find_func(k->module, kernel);
    if (k->func == WG_NO_REG) {
        wg_diag_error(&k->diag, (struct wg_pos){name, 0, 0}, NULL, "no kernel '%s'", kernel);
        return false;
    }
    uint64_t bytes = 0;
    k->symbols = wg_xcalloc(k->module->nsyms + 1, sizeof *k->symbols);
    for (uint32_t s = 0; s < k->module->nsyms; s++) {
        const struct wg_ir_sym *y = &k->module->syms[s];
        if (y->kind != WG_SYM_GLOBAL) continue;
        bytes = aligned(bytes, y->align > 16 ? y->align : 16);
        k->symbols[s] = bytes;
        bytes += y->size;
    }
    k->image = harness_alloc(bytes + 64);
    for (uint32_t s = 0; s < k->module->nsyms; s++) k->symbols[s] += (uint64_t)(uintptr_t)k->image;
    harness_reset(k);
    return true;
}

void harness_reset(struct harness_kernel *k) {
    for (uint32_t s = 0; s < k->module->nsyms; s++) {
        const struct wg_ir_sym *y = &k->module->syms[s];
        if (y->kind != WG_SYM_GLOBAL) continue;
        uint8_t *at = (uint8_t *)(uintptr_t)k->symbols[s];
        if (y->init)
            memcpy(at, y->init, y->size);
        else
            memset(at, 0, y->size);
        for (uint32_t n = 0; n < y->nrelocs; n++) {
            const struct wg_ir_sym *to = &k->module->syms[y->relocs[n].sym];
            uint64_t v = to->kind == WG_SYM_FUNC ? (uint64_t)to->func + 1 : k->symbols[y->relocs[n].sym];
            v += (uint64_t)y->relocs[n].addend;
            memcpy(at + y->relocs[n].offset, &v, sizeof v);
        }
    }
}

void harness_close(struct harness_kernel *k) {
    if (k->module) wg_ir_free(k->module);
    free(k->symbols);
    harness_free(k->image);
    wg_diag_free(&k->diag);
    *k = (struct harness_kernel){0};
}

/* ---- services ---- */

static struct harness_grid *grid_of(struct wg_warp *w) {
    return ((struct harness_block *)w->block->machine)->grid;
}

static void print(struct wg_warp *w, uint32_t id, uint32_t lanes, const uint64_t *format,
                  const uint64_t *args, uint32_t *ret) {
    for (uint32_t k = 0; k < WG_LANES; k++) {
        if (!(lanes >> k & 1)) continue;
        wg_strbuf_printf(&grid_of(w)->result->printed, "%u: %s\n", w->id * WG_LANES + k,
                         (const char *)(uintptr_t)format[k]);
        ret[k] = args[k] ? 1 : 0;
    }
}
static void allocate(struct wg_warp *w, uint32_t id, uint32_t lanes, const uint64_t *size, uint64_t *ret) {
    for (uint32_t k = 0; k < WG_LANES; k++)
        if (lanes >> k & 1) ret[k] = (uint64_t)(uintptr_t)calloc(1, size[k] + 16);
}
static void give_back(struct wg_warp *w, uint32_t id, uint32_t lanes, const uint64_t *ptr) {
    for (uint32_t k = 0; k < WG_LANES; k++)
        if (lanes >> k & 1) free((void *)(uintptr_t)ptr[k]);
}
static void assert_failed(struct wg_warp *w, uint32_t lanes, const uint64_t *message, const uint64_t *file,
                          const uint32_t *line, const uint64_t *function) {
    uint32_t k = (uint32_t)__builtin_ctz(lanes);
    wg_strbuf_printf(&grid_of(w)->result->printed, "%s:%u: %s\n", (const char *)(uintptr_t)file[k], line[k],
                     (const char *)(uintptr_t)message[k]);
}
static void bar_arrive(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t threads) {
    struct harness_block *b = w->block->machine;
    /* The barrier counts whole warps: once for each warp that comes, however many of its lanes do. */
    b->arrived[id] += lanes == w->live ? WG_LANES : (uint32_t)__builtin_popcount(lanes);
}
static void cluster_arrive(struct wg_warp *w, uint32_t lanes) {
    struct harness_block *b = w->block->machine;
    b->cluster_arrived += (uint32_t)__builtin_popcount(lanes);
}
static bool may_touch(struct wg_warp *w, uint64_t at, uint64_t bytes) { return true; }
static void making(struct wg_warp *w, bool begins) {}
static uint64_t clock_(struct wg_warp *w) { return ++grid_of(w)->ticks; }

const struct wg_services harness_services = {.vprintf = print,
                                             .malloc = allocate,
                                             .free = give_back,
                                             .assertfail = assert_failed,
                                             .bar_arrive = bar_arrive,
                                             .cluster_arrive = cluster_arrive,
                                             .clock = clock_,
                                             .globaltimer = clock_,
                                             .may_touch = may_touch,
                                             .making = making};
