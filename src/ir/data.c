/* Initial values of variables: nested lists to bytes, and addresses to relocations. */
#include "ir/build.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_INIT = 256 << 20 };

struct image {
    struct wg_build *b;
    const struct wg_ptx_var *v;
    struct wg_ir_sym *sym;
    uint8_t *bytes;
    uint32_t element; /* bytes */
    WG_VEC(struct wg_ir_reloc) relocs;
    /* 0xff(sym), 0xff00(sym), ... in a row make one address: what is collected so far */
    struct wg_name *masked;
    int64_t masked_addend;
    uint32_t masked_bytes;
    uint64_t masked_at;
};

static bool fail(struct image *im, uint32_t off, const char *what) {
    wg_ptx_error(im->b->src, off, "in the initial value of '%s': %s", im->v->name->s, what);
    return false;
}

static bool add_reloc(struct image *im, uint32_t off, uint64_t at, struct wg_name *name, int64_t addend,
                      bool generic) {
    struct wg_binding *x = name->binding;
    if (!x || x->kind != WG_BIND_SYM) {
        wg_ptx_error(im->b->src, off, "unknown name '%s'", name->s);
        return false;
    }
    struct wg_ir_sym *s = &im->b->syms.v[x->index];
    if (s->kind == WG_SYM_FUNC)
        im->b->m->funcs[s->func].address_taken = !im->b->func_src[s->func]->entry;
    else if (s->kind != WG_SYM_GLOBAL)
        return fail(im, off,
                    "only variables in .global and .const have an address when the module is loaded");
    *WG_PUSH(&im->relocs) =
        (struct wg_ir_reloc){.offset = at, .sym = x->index, .addend = addend, .generic = generic};
    return true;
}

/* Byte k of an address must follow byte k-1 of the same one. */
static bool masked_byte(struct image *im, const struct wg_ptx_init *e, uint64_t at) {
    uint32_t k = 0;
    while (k < 8 && e->mask != 0xffull << 8 * k) k++;
    if (k == 8) return fail(im, e->off, "a mask of an address has one byte set, as 0xff00");
    if (im->element != 1) return fail(im, e->off, "masks of addresses are for variables of bytes");
    if (k != im->masked_bytes ||
        (k && (im->masked != e->name || im->masked_addend != e->addend || im->masked_at + k != at)))
        return fail(im, e->off, "the bytes of an address must follow one another, lowest first");
    if (k == 0) {
        im->masked = e->name;
        im->masked_addend = e->addend;
        im->masked_at = at;
    }
    im->masked_bytes = k + 1;
    if (k < 7) return true;
    im->masked_bytes = 0;
    return add_reloc(im, e->off, im->masked_at, e->name, e->addend, e->generic);
}

static bool scalar(struct image *im, const struct wg_ptx_init *e, uint64_t at) {
    if (e->mask) return masked_byte(im, e, at);
    if (im->masked_bytes) return fail(im, e->off, "an address is cut off in its middle");
    if (e->symbol) {
        if (im->element != 8) return fail(im, e->off, "an address needs 8 bytes: .u64 or .b64");
        return add_reloc(im, e->off, at, e->name, e->addend, e->generic);
    }
    uint64_t bits = 0;
    uint8_t type = im->v->type;
    struct wg_ptx_value v = e->value;
    enum wg_type_kind kind = wg_type_kind(type);
    if (v.kind == WG_V_INT && kind == WG_K_F && im->element >= 4) {
        double d = v.is_unsigned ? (double)v.bits : (double)(int64_t)v.bits;
        v.kind = WG_V_F64;
        memcpy(&v.bits, &d, sizeof d);
    }
    if (v.kind == WG_V_INT)
        bits = v.bits;
    else if (!wg_immediate(im->b, e->off, v, type, &bits))
        return false;
    memcpy(im->bytes + at, &bits, im->element < 8 ? im->element : 8);
    return true;
}

/* The elements of a list at nesting level `level`: each is a row of the dimensions within. */
static bool fill(struct image *im, const struct wg_ptx_init *e, uint32_t level, uint64_t at, uint64_t bytes) {
    uint32_t levels = im->v->ndims + (im->v->vec > 1);
    if (!e->list) {
        if (bytes < im->element) return fail(im, e->off, "too many values");
        return scalar(im, e, at);
    }
    uint64_t n = level < im->v->ndims ? im->v->dims[level] : im->v->vec;
    if (level >= levels && !(level == 0 && e->n <= 1))
        return fail(im, e->off, "braces are nested too deeply");
    uint64_t step = n ? bytes / n : 0, end = at + bytes;
    for (uint32_t i = 0; i < e->n; i++) {
        uint64_t size = e->elem[i].list ? step : im->element;
        if (at + size > end || !size) return fail(im, e->elem[i].off, "too many values");
        if (!fill(im, &e->elem[i], level + 1, at, size)) return false;
        at += size;
    }
    return true;
}

/* x[] = {1, 2, 3}: as many as there are. */
static void size_from_init(struct image *im) {
    if (!im->v->unsized || !im->v->init->list) return;
    uint64_t row = im->element * im->v->vec;
    for (int i = 1; i < im->v->ndims; i++) row *= im->v->dims[i];
    uint64_t n = im->v->init->n;
    bool nested = n && im->v->init->elem[0].list;
    im->sym->size = nested ? n * row : row ? (n * im->element + row - 1) / row * row : 0;
}

static bool has_value(const struct wg_ptx_init *e) {
    if (!e->list) return e->symbol || e->value.bits != 0;
    for (uint32_t i = 0; i < e->n; i++)
        if (has_value(&e->elem[i])) return true;
    return false;
}

bool wg_build_init(struct wg_build *b, const struct wg_ptx_var *v, struct wg_ir_sym *sym) {
    struct image im = {.b = b, .v = v, .sym = sym, .element = (wg_type_bits(v->type) + 7) / 8};
    size_from_init(&im);
    if (!has_value(v->init)) return true; /* zeros need no image */
    if (sym->size > MAX_INIT) return fail(&im, v->off, "more than 256 MiB are not supported");
    im.bytes = wg_arena_alloc(b->arena, sym->size + 8);
    bool ok = fill(&im, v->init, 0, 0, sym->size);
    if (ok && im.masked_bytes) ok = fail(&im, v->off, "an address is cut off at its end");
    sym->init = im.bytes;
    sym->nrelocs = im.relocs.n;
    sym->relocs = WG_NEW_N(b->arena, struct wg_ir_reloc, im.relocs.n);
    if (im.relocs.n) memcpy(sym->relocs, im.relocs.v, im.relocs.n * sizeof *im.relocs.v);
    free(im.relocs.v);
    return ok;
}
