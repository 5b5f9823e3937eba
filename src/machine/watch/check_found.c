/* Findings of launches: adds to each its place in the source, its thread and its launch. */
#include "analysis/sites.h"
#include "machine/watch/check.h"
#include <stdlib.h>
#include <string.h>

static const struct wg_grid *grid_of(const struct wg_warp *w) {
    return ((const struct wg_cta *)w->machine)->unit->grid;
}
static bool is_access(const struct wg_ir_instr *in) { return in && wg_op_is(in->op, WG_IS_ACCESS); }

uint32_t wg_check_module_number(const struct wg_func *f) { return (uint32_t)f->module->ir->text_hash[0]; }

/* What is no access. */
static const char *spell(struct wg_arena *a, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_CALL)
        return in->call->builtin == WG_B_grid_sync ? "grid.sync"
               : in->call->builtin == WG_B_free    ? "free"
                                                   : "printf";
    struct wg_strbuf words = {0};
    wg_ir_print_words(in, &words);
    const char *text = wg_arena_strdup(a, words.s);
    wg_strbuf_free(&words);
    return text;
}

struct wg_finding_place wg_check_place(struct wg_arena *a, const struct wg_func *kernel, uint32_t id) {
    struct wg_finding_place p = {0};
    const struct wg_check_site *s = &kernel->module->instrumented->sites[id];
    const struct wg_ir_module *m = kernel->module->ir;
    if (!s->instr && !s->end) return p;
    const struct wg_ir_func *f = &m->funcs[s->func];
    char *pretty = wg_pretty_name(f->within ? f->within : f->name);
    p.frames =
        wg_ir_frames(a, m, s->instr ? s->instr->loc : s->end->loc, wg_arena_strdup(a, pretty), &p.nframes);
    free(pretty);
    p.ptx_line = s->instr ? s->instr->ptx_line : s->end->ptx_line;
    if (!s->instr) {
        p.op = s->end->term == WG_TERM_BRX ? "brx.idx" : "bra";
    } else if (!is_access(s->instr)) {
        p.op = spell(a, s->instr);
    } else {
        p.op = s->part_of ? spell(a, s->part_of) : wg_site_spelling(a, s->instr);
        bool reads = s->instr->op == WG_OP_LD || s->instr->op == WG_OP_LDU;
        p.access = reads ? "read" : s->instr->op == WG_OP_ST ? "write" : "atomic";
        /* How much an engine's copy moves is not in the text. */
        bool engine = s->part_of && kernel->module->instrumented->sites[s->part_of->id].parts;
        p.bytes = engine ? 0 : wg_type_bits(s->instr->type) / 8 * s->instr->nvec;
    }
    return p;
}

static void in_three(uint64_t at, const uint32_t n[3], uint32_t out[3]) {
    out[0] = (uint32_t)(at % n[0]);
    out[1] = (uint32_t)(at / n[0] % n[1]);
    out[2] = (uint32_t)(at / n[0] / n[1]);
}

void wg_check_place_thread(const uint32_t blocks[3], const uint32_t threads[3], uint64_t block,
                           uint32_t thread, struct wg_finding_place *out) {
    out->has_thread = true;
    in_three(block, blocks, out->block);
    in_three(thread, threads, out->thread);
}

struct wg_finding_place wg_check_place_of(struct wg_arena *a, const struct wg_warp *w, uint32_t lanes,
                                          uint32_t id) {
    uint32_t thread = w->id * WG_LANES + (uint32_t)__builtin_ctz(lanes);
    struct wg_finding_place p = wg_check_place(a, grid_of(w)->func, id);
    wg_check_place_thread(w->block->nctaid, w->block->ntid, 0, thread, &p);
    memcpy(p.block, w->block->ctaid, sizeof p.block);
    return p;
}

void wg_check_add(const struct wg_grid *g, struct wg_finding *f) {
    char *pretty = wg_func_pretty(g->func);
    f->kernel = pretty;
    f->launch = g->block.gridid - 1;
    f->launched_by = g->asked_by;
    f->launched_at = g->asked_at;
    f->launcher = g->launched_by;
    f->module = wg_check_module_number(g->func);
    wg_findings_add(g->dev->options.findings, f);
    wg_check_alike_found(g);
    free(pretty);
}

void wg_check_found(const struct wg_warp *w, uint32_t lanes, uint32_t id, struct wg_finding *f) {
    struct wg_arena a = {0};
    struct wg_finding_place here = wg_check_place_of(&a, w, lanes, id);
    if (f->here.bytes) here.bytes = f->here.bytes;
    here.has_value = f->here.has_value;
    here.value = f->here.value;
    f->here = here;
    f->site = id;
    f->count = (uint32_t)__builtin_popcount(lanes);
    wg_check_add(grid_of(w), f);
    wg_arena_free(&a);
}
