/* Escape analysis of a kernel's parameters: which of them may become addresses. wg_touch_words of touch.h. */
#include "cfg/cfg.h"
#include "analysis/touch.h"

/* They are loaded from through registers. */
static uint64_t words_of_structures(const struct wg_ir_func *f) {
    uint64_t words = 0;
    for (uint32_t i = 0; i < f->nparams; i++)
        for (uint32_t at = 0; f->params[i].size > 8 && at < f->params[i].size; at += 8)
            words |= wg_touch_word(f->params[i].offset + at);
    return words;
}

static uint64_t words_loaded(const struct wg_ir_module *m, const struct wg_ir_func *f,
                             const struct wg_ir_instr *in) {
    if (in->space != WG_S_PARAM || wg_type_bits(in->type) != 64) return 0;
    if (in->src[0].kind != WG_O_SYM) return words_of_structures(f);
    const struct wg_ir_sym *s = &m->syms[in->src[0].index];
    uint64_t words = 0;
    for (uint32_t k = 0; k < in->nvec && s->kind == WG_SYM_PARAM; k++)
        words |= wg_touch_word(s->offset + in->src[0].imm + (uint64_t)in->offset + 8 * (uint64_t)k);
    return words;
}

/* Registers that addresses are made of, as far as touch.c follows pointers. */
struct sources {
    const struct wg_ir_func *f;
    wg_bits of;
    uint64_t words;
    bool more;
};

static void add_source(struct sources *s, const struct wg_ir_opd *o) {
    if (!o || o->kind != WG_O_REG || s->f->regs[o->index].width < WG_W64 || wg_bits_has(s->of, o->index))
        return;
    wg_bits_add(s->of, o->index);
    s->more = true;
}

static void add_argument(void *sources, uint32_t reg) {
    struct wg_ir_opd o = {.kind = WG_O_REG, .index = reg};
    add_source(sources, &o);
}

static void look_for_sources(struct sources *s, const struct wg_ir_module *m, const struct wg_ir_instr *in) {
    uint64_t offset;
    bool wanted = false;
    if (in->op == WG_OP_CALL) wg_each_use(in, add_argument, s);
    add_source(s, wg_touch_address(in, &offset));
    for (uint32_t k = 0; k < in->ndst; k++)
        wanted |= in->dst[k].kind == WG_O_REG && wg_bits_has(s->of, in->dst[k].index);
    if (!wanted) return;
    switch (in->op) {
    case WG_OP_LD: s->words |= words_loaded(m, s->f, in); break;
    case WG_OP_MAD_I: add_source(s, &in->src[2]); break;
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
    case WG_OP_AND:
    case WG_OP_OR:
    case WG_OP_XOR:
    case WG_OP_MIN_I:
    case WG_OP_MAX_I:
    case WG_OP_SELP: add_source(s, &in->src[1]); /* fall through */
    case WG_OP_MOV:
    case WG_OP_CVT:
    case WG_OP_CVTA:
    case WG_OP_CVTA_TO: add_source(s, &in->src[0]); break;
    default: break;
    }
}

uint64_t wg_touch_words(const struct wg_ir_module *m, const struct wg_ir_func *f) {
    struct wg_arena room = {0};
    struct sources s = {.f = f, .of = wg_bits_new(&room, f->nregs + 1), .more = true};
    while (s.more) {
        s.more = false;
        for (uint32_t b = f->nblocks; b-- > 0;)
            for (uint32_t i = f->blocks[b].ninstrs; i-- > 0;)
                look_for_sources(&s, m, &f->blocks[b].instrs[i]);
    }
    wg_arena_free(&room);
    return s.words;
}
