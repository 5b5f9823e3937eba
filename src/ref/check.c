/* Check instructions, which are our own (ptx/own.def): the lanes of a group call the machine together, as in
 * compiled code. A refused lane skips its access: access.c tests lane->refused. */
#include "ref/access.h"

static uint64_t value_of(const struct ref_lane *l, const struct ref_ins *i) {
    uint64_t half[2] = {0};
    for (uint32_t k = 2, had = 0; k < i->nsrc && had < 128; k++, had += i->bits)
        half[had / 64] |= ref_bits(l, i, k, i->bits) << had % 64;
    return wg_check_both(half[0], half[1]);
}

static int64_t variable_of(const struct ref_lane *l, const struct ref_ins *i) {
    const struct wg_warp *w = l->warp->wg;
    if (i->src[1].kind != REF_LOCAL) return -1;
    return (int64_t)(wg_ref_symbol(l, &i->src[1]) - (uint64_t)(uintptr_t)w->local - l->id * w->local_stride);
}

/* Lanes whose local variable is at different offsets of their frames (recursion) call by themselves. */
static void access(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    uint64_t address[WG_LANES], value[WG_LANES];
    struct wg_check_ask ask = {.id = i->ir->id, .address = address, .value = i->nsrc > 2 ? value : NULL};
    REF_FOR_LANES(k, lanes) {
        address[k] = wg_ref_raw_address(&w->lane[k], i);
        value[k] = value_of(&w->lane[k], i);
    }
    while (lanes) {
        uint32_t alike = 0;
        ask.variable = variable_of(&w->lane[__builtin_ctz(lanes)], i);
        REF_FOR_LANES(k, lanes) alike |= (uint32_t)(variable_of(&w->lane[k], i) == ask.variable) << k;
        uint32_t refused = w->wg->block->services->check_access(w->wg, alike, &ask);
        REF_FOR_LANES(k, alike)
        w->lane[k].refused = (refused >> k & 1) || (i->checked && w->lane[k].refused);
        lanes &= ~alike;
    }
}

static void gather(struct ref_warp *w, const struct ref_ins *i, uint32_t s, uint32_t lanes, uint64_t *out) {
    REF_FOR_LANES(k, lanes) out[k] = ref_opd_raw(&w->lane[k], &i->src[s]);
}

static void event(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    uint64_t a[WG_LANES], b[WG_LANES];
    if (i->nsrc > 0) gather(w, i, 0, lanes, a);
    if (i->nsrc > 1) gather(w, i, 1, lanes, b);
    w->wg->block->services->check_event(w->wg, lanes, i->ir->id, i->ir->check & ~(uint32_t)WG_EVENT_IF_APART,
                                        i->nsrc > 0 ? a : NULL, i->nsrc > 1 ? b : NULL);
}

static uint64_t ones(uint32_t bits) { return ref_low(UINT64_MAX, bits); }

static void defined(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    uint64_t shadow[WG_LANES];
    uint32_t undefined = 0;
    gather(w, i, 0, lanes, shadow);
    REF_FOR_LANES(k, lanes) undefined |= (uint32_t)(ref_low(shadow[k], i->bits) != ones(i->bits)) << k;
    if (undefined) w->wg->block->services->check_defined(w->wg, undefined, i->ir->id, i->ir->check);
}

/* ---- shadows ---- */

/* Where the lane's shadow bytes lie; 0: there are none, because the access is refused or its memory is not
 * the device's. */
static uint64_t shadow_of(const struct ref_lane *l, const struct ref_ins *i, uint64_t address) {
    const struct wg_code_opts *o = &l->warp->code->opts;
    if ((i->checked && l->refused) || l->warp->replay || (address ^ o->arena_base) >> o->arena_bits) return 0;
    return address + o->shadow;
}

static void tell(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes, const uint64_t *address) {
    if (lanes) w->wg->block->services->check_undefined(w->wg, lanes, i->ir->id, i->ir->check, address);
}

static void shadow_ld(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    uint64_t address[WG_LANES];
    uint32_t bytes = i->bits / 8u, undefined = 0;
    REF_FOR_LANES(k, lanes) {
        struct ref_lane *l = &w->lane[k];
        address[k] = wg_ref_raw_address(l, i);
        uint64_t at = shadow_of(l, i, address[k]);
        for (uint32_t e = 0; e < i->ndst; e++) {
            uint64_t v = at ? 0 : UINT64_MAX;
            if (at) wg_ref_peek(l, at + e * bytes, &v, bytes);
            undefined |= (uint32_t)(i->dst[e].kind == REF_REG && ref_low(v, i->bits) != ones(i->bits)) << k;
            ref_put(l, &i->dst[e], ref_low(v, i->bits), i->bits, i->is_signed);
        }
    }
    tell(w, i, undefined, address);
}

static void shadow_st(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    uint64_t address[WG_LANES];
    uint32_t bytes = i->bits / 8u, undefined = 0;
    REF_FOR_LANES(k, lanes) {
        struct ref_lane *l = &w->lane[k];
        address[k] = wg_ref_raw_address(l, i);
        uint64_t at = shadow_of(l, i, address[k]);
        for (uint32_t e = 1; at && e < i->nsrc; e++) {
            uint64_t v = ref_src(l, i, e);
            wg_ref_poke(l, at + (e - 1) * bytes, &v, bytes);
            undefined |= (uint32_t)(v != ones(i->bits)) << k;
        }
    }
    tell(w, i, undefined, address);
}

/* A value from an inactive lane, or from one outside the mask, is undefined. */
static void shadow_shfl(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    uint64_t out[WG_LANES], source[WG_LANES];
    uint32_t nowhere = 0;
    bool in_range;
    REF_FOR_LANES(k, lanes) {
        uint32_t from = wg_ref_shfl_source(&w->lane[k], i, &in_range);
        bool there = (lanes & ref_bits(&w->lane[k], i, 3, 32)) >> from & 1;
        source[k] = from;
        out[k] = there ? ref_bits(&w->lane[from], i, 0, 32) : 0;
        nowhere |= (uint32_t)!there << k;
    }
    REF_FOR_LANES(k, lanes) ref_set(&w->lane[k], i, out[k]);
    tell(w, i, nowhere, source);
}

static void shadow_ballot(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    uint32_t on = 0;
    REF_FOR_LANES(k, lanes) on |= (uint32_t)ref_pred(&w->lane[k], i, 0) << k;
    REF_FOR_LANES(k, lanes) ref_set(&w->lane[k], i, on);
}

const struct ref_row wg_ref_check_rows[WG_OP_ALL - WG_OP_COUNT] = {
    [WG_OP_CHECK_ACCESS - WG_OP_COUNT] = {.group = access},
    [WG_OP_CHECK_EVENT - WG_OP_COUNT] = {.group = event},
    [WG_OP_CHECK_DEFINED - WG_OP_COUNT] = {.group = defined},
    [WG_OP_CHECK_LD - WG_OP_COUNT] = {.group = shadow_ld},
    [WG_OP_CHECK_ST - WG_OP_COUNT] = {.group = shadow_st},
    [WG_OP_CHECK_SHFL - WG_OP_COUNT] = {.group = shadow_shfl},
    [WG_OP_CHECK_BALLOT - WG_OP_COUNT] = {.group = shadow_ballot},
};
