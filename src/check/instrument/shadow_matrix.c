/* Shadows of matrix instructions: an undefined value in a row of a, in a column of b or in an element of c
 * makes undefined only the elements of the product that are computed from it: tiles are often padded with
 * values that nobody reads.
 *
 *     ldmatrix, stmatrix, movmatrix      the shadows of the words, or halves, that each lane gets or gives
 *     wmma.load, wmma.store              the same of elements, where matrices are 16 x 16
 *     mma, wmma of these                 lanes 4 g to 4 g + 3 hold row g of a, and column g of b: they vote
 *                                        on whether all of it is defined
 *
 * Integer products ignore the shadows of a and b, since a zero makes the other factor's bits meaningless, and
 * programs that pad only one of the two rely on it. The results of other shapes, and of wgmma, count as
 * defined. See shadow.h.
 */
#include "check/instrument/shadow_emit.h"

typedef struct wg_ir_opd opd;

static opd lane_number(struct wg_shadow *s) {
    opd lane = wg_sh_reg(wg_instrument_reg(s->x, WG_W32, "lane"));
    struct wg_ir_instr in = wg_instrument_like(s->at, WG_OP_MOV_SREG, WG_T_U32);
    in.id = 0;
    in.sreg = WG_SR_laneid;
    in.dst = &lane;
    in.ndst = 1;
    wg_instrument_put(s->x, in);
    return lane;
}

/* Lanes 0 to n - 1 write `bytes`, a multiple of 16, at [at + offset]. */
static void written(struct wg_shadow *s, opd lane, uint32_t n, opd at, uint32_t bytes) {
    opd src[3] = {at, wg_sh_all(), wg_sh_all()};
    struct wg_ir_instr st = wg_instrument_like(s->at, WG_OP_CHECK_ST, WG_T_B64);
    st.guard = wg_sh_compare(s, WG_M_lt, WG_T_U32, lane, wg_sh_imm(n)).index;
    st.space = s->at->space;
    st.check = WG_CHECK_STORE;
    st.nvec = 2;
    st.nsrc = 3;
    st.src = src;
    for (uint32_t done = 0; done < bytes; done += 16) {
        st.offset = s->at->offset + done;
        wg_instrument_put(s->x, st);
    }
}

/* Where the lane's row, or column, of the tile begins. */
static opd row_address(struct wg_shadow *s, opd lane, opd stride, uint32_t bytes) {
    opd base = s->at->src[0], step[2] = {stride, wg_sh_imm(bytes)}, sum[2];
    bool shared = s->at->space == WG_S_SHARED || s->at->space == WG_S_CLUSTER;
    uint32_t bits = base.kind == WG_O_REG ? wg_sh_reg_bits(s, base.index) : shared ? 32 : 64;
    struct wg_ir_instr mul = wg_instrument_like(s->at, WG_OP_MUL_I, WG_T_U32), wide = mul;
    const struct wg_ir_instr *outer = s->at;
    mul.mod[WG_MC_MULW] = WG_M_lo;
    wide.mod[WG_MC_MULW] = bits == 64 ? WG_M_wide : WG_M_lo;
    s->at = &mul;
    step[0] = wg_sh_same(s, WG_W32, 2, step);
    step[1] = lane;
    s->at = &wide;
    sum[1] = wg_sh_same(s, wg_sh_width(bits), 2, step);
    s->at = outer;
    sum[0] = base;
    return wg_sh_op(s, WG_OP_ADD_I, bits == 64 ? WG_T_U64 : WG_T_U32, wg_sh_width(bits), 2, sum);
}

static void tile(struct wg_shadow *s, const struct wg_ir_parts *p) {
    bool by_columns = s->at->mod[WG_MC_LAYOUT] == WG_M_col;
    uint32_t rows = by_columns ? p->shape.n : p->shape.m, each = by_columns ? p->shape.m : p->shape.n;
    uint32_t bytes = wg_type_bits(s->at->type) / 8;
    bool strided = s->at->nsrc > 2u + p->a;
    opd lane = lane_number(s), stride = strided ? s->at->src[1 + p->a] : wg_sh_imm(each);
    written(s, lane, rows, row_address(s, lane, stride, bytes), each * bytes);
}

/* ---- words of other lanes ---- */

static opd plus(struct wg_shadow *s, opd a, uint32_t n) {
    opd src[2] = {a, wg_sh_imm(n)};
    return n ? wg_sh_op(s, WG_OP_ADD_I, WG_T_U32, WG_W32, 2, src) : a;
}
static opd sum(struct wg_shadow *s, opd a, opd b) {
    opd src[2] = {a, b};
    return wg_sh_op(s, WG_OP_ADD_I, WG_T_U32, WG_W32, 2, src);
}
static opd shifted(struct wg_shadow *s, enum wg_op op, opd a, opd by) {
    opd src[2] = {a, by};
    return wg_sh_op(s, op, WG_T_B32, WG_W32, 2, src);
}

/* Where the lane stands in the warp: four lanes have a row. */
struct seat {
    opd lane, group, member;
};
static struct seat seat(struct wg_shadow *s) {
    opd lane = lane_number(s);
    return (struct seat){lane, shifted(s, WG_OP_SHR, lane, wg_sh_imm(2)),
                         wg_sh_and(s, 32, lane, wg_sh_imm(3))};
}

/* What another lane has in a register. */
static opd of_lane(struct wg_shadow *s, opd value, opd lane, bool shadow) {
    struct wg_ir_instr in = wg_instrument_like(s->at, WG_OP_CHECK_SHFL, WG_T_B32);
    opd src[4] = {value, lane, wg_sh_imm(31), wg_sh_imm(UINT32_MAX)};
    opd dst = wg_sh_reg(shadow ? wg_instrument_shadow(s->x, WG_W32, "moved")
                               : wg_instrument_reg(s->x, WG_W32, "row"));
    in.mod[WG_MC_SHFL] = WG_M_idx;
    in.check = WG_CHECK_SHUFFLE;
    in.dst = &dst;
    in.ndst = 1;
    in.src = src;
    in.nsrc = 4;
    wg_instrument_put(s->x, in);
    return dst;
}

static opd load(struct wg_shadow *s, opd at, int64_t offset, uint32_t bits) {
    struct wg_ir_instr in =
        wg_instrument_like(s->at, WG_OP_CHECK_LD, bits == 16 ? WG_T_B16 : wg_sh_type(bits));
    opd dst = wg_sh_reg(wg_instrument_shadow(s->x, bits > 32 ? WG_W64 : WG_W32, "loaded"));
    in.space = s->at->space;
    in.offset = s->at->offset + offset;
    in.check = WG_CHECK_LOAD;
    in.dst = &dst;
    in.ndst = 1;
    in.src = &at;
    in.nsrc = 1;
    wg_instrument_put(s->x, in);
    return dst;
}

static void store(struct wg_shadow *s, opd at, int64_t offset, uint32_t bits, opd v) {
    struct wg_ir_instr in =
        wg_instrument_like(s->at, WG_OP_CHECK_ST, bits == 16 ? WG_T_B16 : wg_sh_type(bits));
    opd src[2] = {at, v};
    in.space = s->at->space;
    in.offset = s->at->offset + offset;
    in.check = WG_CHECK_STORE;
    in.src = src;
    in.nsrc = 2;
    wg_instrument_put(s->x, in);
}

static opd halves(struct wg_shadow *s, opd low, opd high) {
    return wg_sh_op2(s, WG_OP_OR, 32, low, shifted(s, WG_OP_SHL, high, wg_sh_imm(16)));
}
static opd half(struct wg_shadow *s, opd v, uint32_t which) {
    return which && !wg_sh_is_all(v) ? shifted(s, WG_OP_SHR, v, wg_sh_imm(16)) : v;
}

static bool overwritten(const struct wg_ir_instr *in, uint32_t first, uint32_t n) {
    for (uint32_t i = first; i < first + n && i < in->nsrc; i++)
        for (uint32_t k = 0; k < in->ndst; k++)
            if (in->src[i].kind == WG_O_REG && in->dst[k].kind == WG_O_REG &&
                in->src[i].index == in->dst[k].index)
                return true;
    return false;
}

static bool any_undefined(const struct wg_shadow *s, uint32_t first, uint32_t n) {
    for (uint32_t i = first; i < first + n; i++)
        if (s->at->src[i].kind == WG_O_REG && wg_bits_has(s->tainted, s->at->src[i].index)) return true;
    return false;
}

static void set(struct wg_shadow *s, uint32_t k, opd v) {
    if (k < s->at->ndst && s->at->dst[k].kind == WG_O_REG) wg_sh_set(s, s->at->dst[k].index, v);
}

/* ---- 8 x 8 halves ---- */

/* Lanes have the addresses of rows in 32 bits. */
static bool has_rows(const struct wg_shadow *s) {
    const opd *at = &s->at->src[0];
    return s->at->space == WG_S_SHARED && at->kind == WG_O_REG && wg_sh_reg_bits(s, at->index) == 32 &&
           !overwritten(s->at, 0, 1);
}

/* The position of the lane's half `which` of matrix `i`. */
static opd half_address(struct wg_shadow *s, const struct seat *x, uint32_t i, uint32_t which) {
    opd two = wg_sh_imm(1), row, column;
    if (s->at->mod[WG_MC_TRANS] == WG_M_none) {
        row = plus(s, x->group, 8 * i);
        column = plus(s, shifted(s, WG_OP_SHL, x->member, wg_sh_imm(2)), 2 * which);
    } else {
        row = plus(s, shifted(s, WG_OP_SHL, x->member, two), 8 * i + which);
        column = shifted(s, WG_OP_SHL, x->group, two);
    }
    return sum(s, of_lane(s, s->at->src[0], row, false), column);
}

static bool load_rows(struct wg_shadow *s) {
    if (!has_rows(s)) return false;
    struct seat x = seat(s);
    for (uint32_t i = 0; i < s->at->ndst; i++) {
        opd at = half_address(s, &x, i, 0);
        if (s->at->mod[WG_MC_TRANS] == WG_M_none) {
            set(s, i, load(s, at, 0, 32));
        } else {
            opd low = load(s, at, 0, 16);
            set(s, i, halves(s, low, load(s, half_address(s, &x, i, 1), 0, 16)));
        }
    }
    return true;
}

static void store_rows(struct wg_shadow *s, uint32_t matrices) {
    if (!has_rows(s) || !any_undefined(s, 1, matrices)) {
        written(s, lane_number(s), 8u * matrices, s->at->src[0], 16);
        return;
    }
    struct seat x = seat(s);
    for (uint32_t i = 0; i < matrices; i++) {
        opd v = wg_sh_of(s, &s->at->src[1 + i], 32);
        for (uint32_t k = 0; k < 2; k++) store(s, half_address(s, &x, i, k), 0, 16, half(s, v, k));
    }
}

/* Half h of the lane's word comes from row 2 member + h, column `group`. */
static bool transpose(struct wg_shadow *s) {
    opd v = wg_sh_of(s, &s->at->src[0], 32), part[2];
    if (wg_sh_is_all(v) || overwritten(s->at, 0, 1)) return false;
    struct seat x = seat(s);
    opd odd = shifted(s, WG_OP_SHL, wg_sh_and(s, 32, x.group, wg_sh_imm(1)), wg_sh_imm(4));
    for (uint32_t h = 0; h < 2; h++) {
        opd from = plus(s, shifted(s, WG_OP_SHL, x.member, wg_sh_imm(3)), 4 * h);
        from = sum(s, from, shifted(s, WG_OP_SHR, x.group, wg_sh_imm(1)));
        part[h] = shifted(s, WG_OP_SHR, of_lane(s, v, from, true), odd);
        part[h] = wg_sh_op2(s, WG_OP_AND, 32, part[h], wg_sh_imm(0xffff));
    }
    set(s, 0, halves(s, part[0], part[1]));
    return true;
}

/* ---- fragments of 16 x 16 ---- */

static uint32_t per_register(uint8_t type) {
    uint32_t bits = wg_type_bits(type);
    return bits < 32 ? 32 / bits : 1;
}

/* Elements of the fragment of a wmma.load or .store are where half_of, and ref/matrix.c, have them. */
static bool is_tracked(const struct wg_ir_instr *in, const struct wg_ir_parts *p) {
    uint8_t matrix = in->mod[WG_MC_MATRIX];
    uint32_t rows = matrix == WG_M_mat_b ? p->shape.k : p->shape.m,
             cols = matrix == WG_M_mat_a ? p->shape.k : p->shape.n;
    return rows == 16 && cols == 16 && wg_type_bits(in->type) >= 16 && wg_type_bits(in->type) <= 32;
}

struct fragment {
    opd first;       /* the address of slot 0 */
    opd stride;      /* elements */
    bool wide;       /* addresses of 64 bits */
    bool transposed; /* slots 2 i and 2 i + 1 are a stride apart, else adjacent */
    bool columns;    /* b: its columns are where other matrices have their rows */
    uint32_t bytes;
};

static opd product(struct wg_shadow *s, bool wide, opd a, opd b) {
    struct wg_ir_instr mul = wg_instrument_like(s->at, WG_OP_MUL_I, WG_T_U32);
    const struct wg_ir_instr *outer = s->at;
    opd src[2] = {a, b};
    mul.mod[WG_MC_MULW] = wide ? WG_M_wide : WG_M_lo;
    s->at = &mul;
    opd v = wg_sh_same(s, wide ? WG_W64 : WG_W32, 2, src);
    s->at = outer;
    return v;
}

static opd moved(struct wg_shadow *s, const struct fragment *f, opd at, opd by) {
    opd src[2] = {at, by};
    return wg_sh_op(s, WG_OP_ADD_I, f->wide ? WG_T_U64 : WG_T_U32, f->wide ? WG_W64 : WG_W32, 2, src);
}

static struct fragment fragment(struct wg_shadow *s, uint32_t parts) {
    struct seat x = seat(s);
    const struct wg_ir_instr *in = s->at;
    opd base = in->src[0], pair = shifted(s, WG_OP_SHL, x.member, wg_sh_imm(1));
    bool shared = in->space == WG_S_SHARED || in->space == WG_S_CLUSTER;
    struct fragment f = {.stride = in->nsrc > 2u + parts ? in->src[1 + parts] : wg_sh_imm(16),
                         .columns = in->mod[WG_MC_MATRIX] == WG_M_mat_b,
                         .bytes = wg_type_bits(in->type) / 8};
    f.wide = base.kind == WG_O_REG ? wg_sh_reg_bits(s, base.index) == 64 : !shared;
    f.transposed = (in->mod[WG_MC_LAYOUT] == WG_M_col) != f.columns;
    opd by = product(s, false, f.transposed ? pair : x.group, f.stride);
    by = product(s, f.wide, sum(s, by, f.transposed ? x.group : pair), wg_sh_imm(f.bytes));
    f.first = moved(s, &f, base, by);
    return f;
}

/* Slot by slot: in a, c and d a bit for the column, one for the row's half, one for the column's; in b the
 * last two are those of the other. */
static opd slot_address(struct wg_shadow *s, const struct fragment *f, uint32_t slot, int64_t *offset) {
    uint32_t pair = (slot & 1) + 8 * (f->columns ? slot >> 1 & 1 : slot >> 2),
             group = 8 * (f->columns ? slot >> 2 : slot >> 1 & 1);
    uint32_t along = f->transposed ? group : pair, across = f->transposed ? pair : group;
    *offset = (int64_t)along * f->bytes;
    return across ? moved(s, f, f->first, product(s, f->wide, f->stride, wg_sh_imm(across * f->bytes)))
                  : f->first;
}

static bool load_fragment(struct wg_shadow *s, const struct wg_ir_parts *p) {
    uint32_t e = per_register(s->at->type), n = 8 / e;
    if (overwritten(s->at, 0, s->at->nsrc)) return false;
    struct fragment f = fragment(s, 0);
    for (uint32_t r = 0; r < n; r++) {
        int64_t offset[2];
        opd at = slot_address(s, &f, r * e, &offset[0]), v;
        if (e == 1 || !f.transposed) {
            v = load(s, at, offset[0], 32);
        } else {
            v = load(s, at, offset[0], 16);
            at = slot_address(s, &f, r * e + 1, &offset[1]);
            v = halves(s, v, load(s, at, offset[1], 16));
        }
        for (uint32_t k = r; k < p->d; k += n) set(s, k, v); /* f16 has a and b twice */
    }
    return true;
}

static void store_fragment(struct wg_shadow *s, const struct wg_ir_parts *p) {
    uint32_t e = per_register(s->at->type);
    struct fragment f = fragment(s, p->a);
    for (uint32_t slot = 0; slot < 8; slot++) {
        int64_t offset;
        opd at = slot_address(s, &f, slot, &offset);
        store(s, at, offset, 32 / e, half(s, wg_sh_of(s, &s->at->src[1 + slot / e], 32), slot % e));
    }
}

/* ---- products ---- */

struct factors {
    opd rows[2], columns[2]; /* votes of the lanes: all that they have of those rows is defined */
    opd row_at, column_at[2];
};

/* Registers r of a factor with (r >> shift & 1) == half; shift 31: all. */
static opd vote(struct wg_shadow *s, uint32_t first, uint32_t n, uint32_t bits, uint32_t shift,
                uint32_t half_at) {
    opd v = wg_sh_all();
    for (uint32_t r = 0; r < n; r++)
        if ((r >> shift & 1) == half_at) v = wg_sh_and(s, bits, v, wg_sh_of(s, &s->at->src[first + r], bits));
    v = wg_sh_whole(s, bits, v);
    return wg_sh_is_all(v) ? v : wg_sh_op(s, WG_OP_CHECK_BALLOT, WG_T_B32, WG_W32, 1, &v);
}

static opd all_four(struct wg_shadow *s, opd votes, opd from) {
    if (wg_sh_is_all(votes)) return votes;
    opd four = wg_sh_op2(s, WG_OP_AND, 32, shifted(s, WG_OP_SHR, votes, from), wg_sh_imm(15));
    return wg_sh_compare(s, WG_M_eq, WG_T_B32, four, wg_sh_imm(15));
}

static struct factors factors(struct wg_shadow *s, const struct wg_ir_parts *p) {
    bool mma = s->at->op == WG_OP_MMA, tracked = mma || p->shape.k == 16;
    struct factors f = {.rows = {wg_sh_all(), wg_sh_all()}, .columns = {wg_sh_all(), wg_sh_all()}};
    if (s->at->type == WG_T_S32 || !tracked) return f;
    uint32_t na = mma || p->a < 4 ? p->a : 4, nb = mma || p->b < 4 ? p->b : 4;
    for (uint32_t h = 0; h < (p->shape.m == 16 ? 2u : 1u); h++)
        f.rows[h] = vote(s, 0, na, p->bits, p->shape.m == 16 ? 0 : 31, h);
    for (uint32_t h = 0; h < (mma ? 1u : 2u); h++) f.columns[h] = vote(s, p->a, nb, p->bits, mma ? 31 : 1, h);
    f.row_at = wg_sh_and(s, 32, lane_number(s), wg_sh_imm(28));
    f.column_at[0] = shifted(s, WG_OP_SHL, wg_sh_and(s, 32, lane_number(s), wg_sh_imm(3)), wg_sh_imm(3));
    f.column_at[1] = plus(s, f.column_at[0], 4);
    return f;
}

/* Predicate: c's element at the slot is defined. */
static opd before(struct wg_shadow *s, const struct wg_ir_parts *p, uint32_t slot) {
    uint32_t e = per_register(s->at->type4), at = p->a + p->b + slot / e;
    opd v = wg_sh_of(s, &s->at->src[at], p->bits);
    if (e == 2) v = wg_sh_or(s, 32, v, wg_sh_imm(slot % 2 ? 0xffff : 0xffff0000));
    return wg_sh_whole(s, p->bits, v);
}

static opd element(struct wg_shadow *s, const struct wg_ir_parts *p, const struct factors *f, uint32_t slot) {
    opd v = all_four(s, f->rows[slot >> 1 & 1], f->row_at);
    v = wg_sh_and(s, 1, v, all_four(s, f->columns[slot >> 2], f->column_at[slot & 1]));
    return wg_sh_and(s, 1, v, before(s, p, slot));
}

/* All bits where the predicate holds, else these. */
static opd all_or(struct wg_shadow *s, opd whole, uint32_t least) {
    return wg_sh_is_all(whole) ? whole : wg_sh_select(s, 32, wg_sh_all(), wg_sh_imm(least), whole);
}

static bool multiply(struct wg_shadow *s, const struct wg_ir_parts *p) {
    enum { MOST = 8 };
    uint32_t e = per_register(s->at->type);
    opd d[MOST];
    bool mma = s->at->op == WG_OP_MMA;
    if (p->d > MOST || !any_undefined(s, 0, p->a + p->b + p->c)) return false;
    if (!mma && (p->shape.m != 16 || p->shape.n != 16)) return false;
    struct factors f = factors(s, p);
    for (uint32_t r = 0; r < p->d; r++) {
        opd first = element(s, p, &f, r * e);
        d[r] = wg_sh_spread(s, first, p->bits);
        if (e == 1) continue;
        opd second = element(s, p, &f, r * e + 1);
        d[r] = wg_sh_and(s, 32, all_or(s, first, 0xffff0000), all_or(s, second, 0x0000ffff));
    }
    for (uint32_t r = 0; r < p->d; r++) set(s, r, d[r]);
    return true;
}

/* ---- any ---- */

bool wg_shadow_matrix_tainted(const struct wg_shadow *s, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_LDMATRIX || in->op == WG_OP_WMMA_LOAD) return true;
    if (in->op != WG_OP_MMA && in->op != WG_OP_WMMA && in->op != WG_OP_WMMA_F16 && in->op != WG_OP_MOVMATRIX)
        return false;
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (in->src[i].kind == WG_O_REG && wg_bits_has(s->tainted, in->src[i].index)) return true;
    return false;
}

/* False: nothing is known of the results, and they count as defined. */
static bool results(struct wg_shadow *s, const struct wg_ir_parts *p) {
    switch (s->at->op) {
    case WG_OP_LDMATRIX: return load_rows(s);
    case WG_OP_MOVMATRIX: return transpose(s);
    case WG_OP_WMMA_LOAD: return is_tracked(s->at, p) && load_fragment(s, p);
    case WG_OP_MMA:
    case WG_OP_WMMA_F16:
    case WG_OP_WMMA: return multiply(s, p);
    default: return false;
    }
}

void wg_shadow_matrix(struct wg_shadow *s) {
    struct wg_ir_parts p = {0};
    if (!wg_ir_matrix_parts(s->at, &p) && s->at->op != WG_OP_MOVMATRIX) return;
    if (s->at->op == WG_OP_STMATRIX)
        store_rows(s, p.a);
    else if (s->at->op == WG_OP_WMMA_STORE && is_tracked(s->at, &p) && any_undefined(s, 1, p.a))
        store_fragment(s, &p);
    else if (s->at->op == WG_OP_WMMA_STORE)
        tile(s, &p);
    else if (!results(s, &p))
        for (uint32_t k = 0; k < s->at->ndst; k++) set(s, k, wg_sh_all());
}
