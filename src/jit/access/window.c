/* Sliding-window sums (analysis/window.h): rows are summed as vectors, and the sums shifted.
 *
 *     width 3, lanes 0..31:   a row is elements 0..33: 32 of them one vector, the other 2 the start of a
 *                             second
 *                             rows are added up, vector by vector; then
 *                             sum[l] = row[l] + row[l + 1] + row[l + 2]
 *
 * The loads and additions of the program are emitted as usual, with everything that belongs to an access, for
 * a check in between may exit to GENERAL and need their results. Here the root gets an equal value, and LLVM
 * removes what became dead.
 */
#include "jit/emit/issue.h"
#include "analysis/plan.h"
#include "analysis/window.h"
#include "jit/access/access.h"
#include "jit/lower/lower_rows.h"

#include <string.h>

enum {
    END = WG_LANES / 2, /* number of elements in a row's second vector */
    PIECE = 8           /* the fewest elements loaded of a line */
};

/* What has been loaded from where in this basic block. */
struct wg_rows {
    struct wg_window_sum **sums; /* [block] */
    uint32_t block, n;
    struct wg_row {
        uint32_t load;
        struct wg_value at;
    } *row;
    struct wg_group *group; /* shared by jammed warps; set for the first one */
};

enum { MOST_SIDES = 8 };

/* The sums of jammed warps: for each window the rows' sum for each warp. */
struct wg_group {
    bool fails;
    LLVMValueRef sum[MOST_SIDES];
};

static struct wg_window_sum *sums_here(struct wg_emit *e) {
    if (!e->L.avx2 || !wg_may_use(e->opts, WG_FORM_windows)) return NULL;
    if (!e->access.rows) {
        struct wg_arena *a = &e->an->arena;
        e->access.rows = WG_NEW_N(a, struct wg_rows, 1);
        e->access.rows->sums = wg_window_sums(e->an, a);
        uint32_t most = 0;
        for (uint32_t b = 0; b < e->func->nblocks; b++)
            if (e->access.rows->sums[b] && e->func->blocks[b].ninstrs > most)
                most = e->func->blocks[b].ninstrs;
        e->access.rows->row = WG_NEW_N(a, struct wg_row, most);
    }
    return e->access.rows->sums[e->block];
}

static bool begins_row(const struct wg_window_sum *s, uint32_t load) {
    for (; s; s = s->next)
        for (uint32_t w = 0; w < s->nwindows; w++)
            for (uint32_t r = 0; r < s->window[w].nrows; r++)
                if (s->window[w].row[r] == load) return true;
    return false;
}

void wg_window_note(struct wg_emit *e, const struct wg_value *at) {
    const struct wg_window_sum *s = sums_here(e);
    if (!s || !begins_row(s, e->instr)) return;
    if (e->access.rows->block != e->block ||
        (e->access.rows->n && e->access.rows->row[e->access.rows->n - 1].load >= e->instr))
        e->access.rows->n = 0;
    e->access.rows->block = e->block;
    e->access.rows->row[e->access.rows->n++] = (struct wg_row){e->instr, *at};
}

/* The address of lane 0's element, if the lanes are contiguous. */
static LLVMValueRef row_address(struct wg_emit *e, uint32_t load, uint32_t bytes) {
    if (e->access.rows->block != e->block) return NULL;
    for (uint32_t i = 0; i < e->access.rows->n; i++) {
        const struct wg_value *a = &e->access.rows->row[i].at;
        if (e->access.rows->row[i].load != load) continue;
        if (a->kind != WG_AFFINE || a->r || !a->k) return NULL;
        for (int64_t l = 0; l < WG_LANES; l++)
            if (a->k[l] != l * bytes) return NULL;
        return a->base;
    }
    return NULL;
}

static bool all_rows_known(struct wg_emit *e, const struct wg_window_sum *s) {
    for (uint32_t w = 0; w < s->nwindows; w++)
        for (uint32_t r = 0; r < s->window[w].nrows; r++)
            if (!row_address(e, s->window[w].row[r], s->window[w].bits / 8)) return false;
    return true;
}

/* Bit i: some active lane reads element i of its row. */
static LLVMValueRef elements_read(struct wg_emit *e, uint32_t width) {
    LLVMValueRef m = LLVMBuildZExt(e->L.b, wg_mask(e), e->i64, "");
    for (uint32_t have = 1; have < width;) {
        uint32_t more = have < width - have ? have : width - have;
        m = LLVMBuildOr(e->L.b, m, LLVMBuildShl(e->L.b, m, wg_i64(e, more), ""), "");
        have += more;
    }
    return m;
}

static LLVMValueRef load_part(struct wg_emit *e, LLVMValueRef at, const struct wg_window *w, uint32_t count,
                              LLVMValueRef mask) {
    LLVMTypeRef t = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, w->bits), count);
    LLVMValueRef p = LLVMBuildIntToPtr(e->L.b, at, e->ptr, "");
    LLVMTypeRef types[2] = {t, e->ptr};
    LLVMValueRef args[4] = {p, wg_i32(e, w->bits / 8), mask, LLVMConstNull(t)};
    if (mask) return wg_lower_intrinsic(&e->L, "llvm.masked.load", types, 2, args, 4);
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, t, p, "");
    LLVMSetAlignment(x, w->bits / 8);
    return x;
}

/* The masks of a row's two vectors; the first is NULL for a full mask. */
static void row_masks(struct wg_emit *e, uint32_t width, LLVMValueRef mask[2]) {
    LLVMValueRef m = elements_read(e, width);
    LLVMTypeRef end = LLVMVectorType(e->i1, END);
    LLVMValueRef high = LLVMBuildTrunc(e->L.b, LLVMBuildLShr(e->L.b, m, wg_i64(e, WG_LANES), ""), e->i16, "");
    mask[0] = wg_mask_is_full(e) ? NULL : wg_emit_bits(e, LLVMBuildTrunc(e->L.b, m, e->i32, ""));
    mask[1] = LLVMBuildBitCast(e->L.b, high, end, "");
}

/* Elements shift, shift + 1, ... of a row. */
static LLVMValueRef shifted(struct wg_emit *e, LLVMValueRef row, LLVMValueRef end, uint32_t shift) {
    LLVMValueRef c[WG_LANES];
    for (uint32_t l = 0; l < WG_LANES; l++) c[l] = wg_i32(e, l + shift);
    return LLVMBuildShuffleVector(e->L.b, row, end, LLVMConstVector(c, WG_LANES), "");
}

/* The offset of the rows in their lines, in words, if it is known and the same for all of them. */
static bool begins_in_line(struct wg_emit *e, const struct wg_window *w, uint32_t *words) {
    const struct wg_ir_block *blk = &e->func->blocks[e->block];
    uint32_t other;
    if (!wg_shared_line_begin(e, &blk->instrs[w->row[0]], words)) return false;
    for (uint32_t r = 1; r < w->nrows; r++)
        if (!wg_shared_line_begin(e, &blk->instrs[w->row[r]], &other) || other != *words) return false;
    return true;
}

/* The smallest aligned piece of a line that holds its elements from..to-1: *first and its length. */
static uint32_t piece_of_line(uint32_t from, uint32_t to, uint32_t *first) {
    uint32_t n = PIECE;
    while (from / n != (to - 1) / n) n *= 2;
    *first = from / n * n;
    return n;
}

/* A line's elements, of which one piece is known. */
static LLVMValueRef line_of_piece(struct wg_emit *e, LLVMValueRef piece, uint32_t first, uint32_t n) {
    LLVMValueRef c[WG_LANES];
    if (n == WG_LANES) return piece;
    for (uint32_t l = 0; l < WG_LANES; l++)
        c[l] = l >= first && l < first + n ? wg_i32(e, l - first) : LLVMGetPoison(e->i32);
    return LLVMBuildShuffleVector(e->L.b, piece, LLVMGetPoison(LLVMTypeOf(piece)),
                                  LLVMConstVector(c, WG_LANES), "");
}

/* Sums rows of a tile line by line; of the lines at the ends only what is needed, for widening costs.
 * Inactive lanes load too: all of the surroundings are shared memory. */
static LLVMValueRef sum_of_tile(struct wg_emit *e, const struct wg_window *w, uint32_t begin, uint32_t bits) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef line[3], sum = NULL;
    uint32_t end = begin + w->width - 1 + WG_LANES, bytes = w->bits / 8, first;
    for (uint32_t q = 0; q * WG_LANES < end; q++) {
        uint32_t to = end - q * WG_LANES < WG_LANES ? end - q * WG_LANES : WG_LANES;
        uint32_t n = piece_of_line(q ? 0 : begin, to, &first);
        line[q] = NULL;
        for (uint32_t r = 0; r < w->nrows; r++) {
            LLVMValueRef at = row_address(e, w->row[r], bytes);
            at = LLVMBuildAdd(b, at, wg_i64(e, ((uint64_t)q * WG_LANES + first - begin) * bytes), "");
            LLVMValueRef x = wg_emit_resize(e, load_part(e, at, w, n, NULL), bits, false);
            line[q] = line[q] ? LLVMBuildAdd(b, line[q], x, "") : x;
        }
        line[q] = line_of_piece(e, line[q], first, n);
    }
    for (uint32_t i = 0; i < w->width; i++) {
        LLVMValueRef x = wg_words_of_lines(e, line, begin + i);
        sum = sum ? LLVMBuildAdd(b, sum, x, "") : x;
    }
    return sum;
}

/* Sums rows of words in shared memory line by line (shared_lines.c). */
static LLVMValueRef sum_of_lines(struct wg_emit *e, const struct wg_window *w, uint32_t begin) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef line[4], half[2], m = NULL;
    uint32_t n = (begin + WG_LANES + w->width - 1 + 15) / 16;
    if (!wg_mask_is_full(e)) m = LLVMBuildShl(b, elements_read(e, w->width), wg_i64(e, begin), "");
    for (uint32_t q = 0; q < n; q++) {
        LLVMValueRef mask = NULL;
        if (m) {
            mask = LLVMBuildTrunc(b, LLVMBuildLShr(b, m, wg_i64(e, q * 16), ""), e->i16, "");
            mask = LLVMBuildBitCast(b, mask, LLVMVectorType(e->i1, 16), "");
        }
        line[q] = NULL;
        for (uint32_t r = 0; r < w->nrows; r++) {
            LLVMValueRef at = LLVMBuildSub(b, row_address(e, w->row[r], 4), wg_i64(e, begin * 4), "");
            LLVMValueRef x = wg_load_line(e, at, q, mask);
            line[q] = line[q] ? LLVMBuildAdd(b, line[q], x, "") : x;
        }
    }
    for (uint32_t h = 0; h < 2; h++) {
        half[h] = wg_words_of_lines(e, line, begin + 16 * h);
        for (uint32_t i = 1; i < w->width; i++)
            half[h] = LLVMBuildAdd(b, half[h], wg_words_of_lines(e, line, begin + 16 * h + i), "");
    }
    return wg_join_lines(e, half[0], half[1]);
}

/* A row's second vector, where element `first` follows the first vector's last one. It is opaque to LLVM,
 * which would else build each shift of the row from three vectors. */
static LLVMValueRef end_of_row(struct wg_emit *e, LLVMValueRef x, uint32_t bits, uint32_t n, uint32_t first) {
    LLVMValueRef c[WG_LANES];
    LLVMTypeRef t = LLVMTypeOf(x);
    for (uint32_t l = 0; l < WG_LANES; l++)
        c[l] = first + l < n ? wg_i32(e, first + l) : LLVMGetPoison(e->i32);
    if (first) {
        x = LLVMBuildShuffleVector(e->L.b, x, LLVMGetPoison(t), LLVMConstVector(c, n), "");
        x = LLVMBuildBitCast(e->L.b, x, LLVMVectorType(e->i32, n * bits / 32), "");
        x = LLVMBuildBitCast(e->L.b, wg_opaque(&e->L, x), t, "");
        for (uint32_t l = 0; l < WG_LANES; l++) c[l] = l < n ? wg_i32(e, l) : LLVMGetPoison(e->i32);
    }
    return LLVMBuildShuffleVector(e->L.b, x, LLVMGetPoison(t), LLVMConstVector(c, WG_LANES), "");
}

/* With a full mask, a host without AVX-512 loads for the second vector the last elements that the lanes
 * read, which needs no mask. */
static LLVMValueRef window_sum(struct wg_emit *e, const struct wg_window *w, uint32_t bits) {
    LLVMBuilderRef b = e->L.b;
    uint32_t begin;
    if (w->bits <= bits && begins_in_line(e, w, &begin)) {
        if (e->an->tile_bits) return sum_of_tile(e, w, begin, bits);
        if (bits == 32) return sum_of_lines(e, w, begin);
    }
    LLVMValueRef mask[2], part[2] = {NULL, NULL};
    bool backwards = !e->L.avx512 && wg_mask_is_full(e);
    uint32_t n = backwards && w->width - 1 <= PIECE ? PIECE : END;
    row_masks(e, w->width, mask);
    if (backwards) mask[1] = NULL;
    for (uint32_t r = 0; r < w->nrows; r++)
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t first = !i ? 0 : backwards ? WG_LANES + w->width - 1 - n : WG_LANES;
            LLVMValueRef at = row_address(e, w->row[r], w->bits / 8);
            if (i) at = LLVMBuildAdd(b, at, wg_i64(e, first * w->bits / 8), "");
            LLVMValueRef x = load_part(e, at, w, i ? n : WG_LANES, mask[i]);
            x = wg_emit_resize(e, x, bits, w->is_signed);
            part[i] = part[i] ? LLVMBuildAdd(b, part[i], x, "") : x;
        }
    LLVMValueRef sum = part[0], end = end_of_row(e, part[1], bits, n, backwards ? n - (w->width - 1) : 0);
    for (uint32_t i = 1; i < w->width; i++) sum = LLVMBuildAdd(b, sum, shifted(e, part[0], end, i), "");
    return sum;
}

/* ---- jammed warps ---- */

/* Which elements of the rows, counted from the first warp's first, are read. */
static void elements_of_sides(struct wg_emit *e, const struct wg_window *w, uint32_t sides, bool *read) {
    memset(read, 0, (MOST_SIDES * WG_LANES + END) * sizeof *read);
    for (uint32_t k = 0; k < sides; k++) {
        wg_switch_to_side(e, k);
        uint64_t lanes = LLVMConstIntGetZExtValue(wg_mask(e));
        for (uint32_t l = 0; l < WG_LANES; l++)
            for (uint32_t i = 0; i < w->width && lanes >> l & 1; i++) read[k * WG_LANES + l + i] = true;
    }
    wg_switch_to_side(e, 0);
}

/* A constant vector mask; NULL: all bits are set. */
static LLVMValueRef mask_of(struct wg_emit *e, const bool *read, uint32_t n) {
    LLVMValueRef c[WG_LANES];
    bool all = true;
    for (uint32_t i = 0; i < n; i++) {
        c[i] = LLVMConstInt(e->i1, read[i], 0);
        all &= read[i];
    }
    return all ? NULL : LLVMConstVector(c, n);
}

/* The sum over rows of `n` elements from the first warp's element `first` on, as a line of 32 of which
 * these are known. */
static LLVMValueRef sum_of_rows(struct wg_emit *e, const struct wg_window *w, int64_t first, uint32_t n,
                                uint32_t place, const bool *read, uint32_t bits) {
    LLVMValueRef sum = NULL, mask = read ? mask_of(e, read, n) : NULL;
    for (uint32_t r = 0; r < w->nrows; r++) {
        LLVMValueRef at = row_address(e, w->row[r], w->bits / 8);
        at = LLVMBuildAdd(e->L.b, at, wg_i64(e, (uint64_t)(first * w->bits / 8)), "");
        LLVMValueRef x = wg_emit_resize(e, load_part(e, at, w, n, mask), bits, w->is_signed);
        sum = sum ? LLVMBuildAdd(e->L.b, sum, x, "") : x;
    }
    return line_of_piece(e, sum, place, n);
}

/* Each warp's sum over a window. The rows of all warps are summed line by line: in shared memory in the
 * lines they were stored in, elsewhere from the first warp's first element on; each line when first
 * needed, so that few are live. */
static void add_window(struct wg_emit *e, const struct wg_window *w, uint32_t sides, uint32_t bits,
                       LLVMValueRef *sum) {
    LLVMValueRef line[MOST_SIDES + 2];
    bool read[MOST_SIDES * WG_LANES + END], lines = false;
    uint32_t begin = 0, first, have = 0;
    if (w->bits <= bits) lines = begins_in_line(e, w, &begin);
    if (!lines) begin = 0;
    elements_of_sides(e, w, sides, read);
    uint32_t end = begin + w->width - 1 + sides * WG_LANES;
    for (uint32_t k = 0; k < sides; k++) {
        for (; have * WG_LANES < begin + w->width - 1 + (k + 1) * WG_LANES; have++) {
            uint32_t to = end - have * WG_LANES < WG_LANES ? end - have * WG_LANES : WG_LANES;
            uint32_t n = piece_of_line(have ? 0 : begin, to, &first);
            int64_t from = (int64_t)(have * WG_LANES + first) - begin;
            line[have] = sum_of_rows(e, w, from, n, first, lines ? NULL : read + from, bits);
        }
        for (uint32_t i = 0; i < w->width; i++) {
            uint32_t at = begin + i;
            LLVMValueRef x = line[k + at / WG_LANES];
            if (at % WG_LANES) x = shifted(e, x, line[k + at / WG_LANES + 1], at % WG_LANES);
            sum[k] = sum[k] ? LLVMBuildAdd(e->L.b, sum[k], x, "") : x;
        }
    }
}

/* Whether the rows of all warps are known. Emits a run-time test: if some warp's row does not continue
 * where the previous warp's ends, each warp restarts alone. */
static bool rows_go_on(struct wg_emit *e, const struct wg_window_sum *s, uint32_t sides) {
    LLVMValueRef differs = NULL;
    bool known = true;
    for (uint32_t k = 0; k < sides && known; k++) {
        wg_switch_to_side(e, k);
        known = all_rows_known(e, s) && (LLVMIsAConstantInt(wg_mask(e)) != NULL);
    }
    for (uint32_t w = 0; w < s->nwindows && known; w++)
        for (uint32_t r = 0; r < s->window[w].nrows; r++) {
            uint32_t bytes = s->window[w].bits / 8;
            wg_switch_to_side(e, 0);
            LLVMValueRef first = row_address(e, s->window[w].row[r], bytes);
            for (uint32_t k = 1; k < sides; k++) {
                wg_switch_to_side(e, k);
                LLVMValueRef at = row_address(e, s->window[w].row[r], bytes);
                LLVMValueRef on = LLVMBuildAdd(e->L.b, first, wg_i64(e, (uint64_t)k * WG_LANES * bytes), "");
                LLVMValueRef no = LLVMBuildICmp(e->L.b, LLVMIntNE, at, on, "");
                differs = differs ? LLVMBuildOr(e->L.b, differs, no, "") : no;
            }
        }
    wg_switch_to_side(e, 0);
    if (known) wg_begin_again_if(e, differs);
    return known;
}

/* The sum of all windows for the current warp; NULL: not available. */
static LLVMValueRef sum_of_sides(struct wg_emit *e, const struct wg_window_sum *s, uint32_t bits) {
    uint32_t sides = wg_sides_in_window(e), now = sides ? wg_side_now(e) : 0;
    if (!sides || sides > MOST_SIDES) return NULL;
    wg_switch_to_side(e, 0);
    struct wg_group *g = e->access.rows->group;
    if (now == 0) {
        g = e->access.rows->group = WG_NEW(&e->an->arena, struct wg_group);
        g->fails = !rows_go_on(e, s, sides);
        for (uint32_t w = 0; w < s->nwindows && !g->fails; w++)
            add_window(e, &s->window[w], sides, bits, g->sum);
    }
    wg_switch_to_side(e, now);
    return g->fails ? NULL : g->sum[now];
}

static LLVMValueRef sum_of_windows(struct wg_emit *e, const struct wg_window_sum *s, uint32_t bits) {
    LLVMValueRef sum = sum_of_sides(e, s, bits);
    if (sum || s->together) return sum;
    for (uint32_t w = 0; w < s->nwindows; w++) {
        LLVMValueRef x = window_sum(e, &s->window[w], bits);
        sum = sum ? LLVMBuildAdd(e->L.b, sum, x, "") : x;
    }
    return sum;
}

void wg_window_sum(struct wg_emit *e, const struct wg_ir_instr *in) {
    const struct wg_window_sum *s = sums_here(e);
    while (s && s->root != e->instr) s = s->next;
    if (!s || !all_rows_known(e, s)) return;
    uint32_t reg = in->dst[0].index;
    bool fits = e->an->facts[e->v][reg].max <= UINT16_MAX; /* the sum, and so each partial sum */
    uint32_t bits = fits ? 16 : s->bits;
    LLVMValueRef sum = sum_of_windows(e, s, bits);
    if (!sum) return;
    wg_plan_yes(e->opts, WG_FORM_windows, in);
    for (uint32_t w = 0; w < s->nwindows; w++)
        for (uint32_t r = 0; r < s->window[w].nrows; r++) wg_issue(e, &s->window[w].row[r], 1);
    for (uint32_t i = 0; i < s->nrest; i++) {
        struct wg_value v = wg_operand(e, s->rest[i], s->bits);
        LLVMValueRef x = wg_emit_resize(e, wg_value_vec(e, &v), bits, false);
        sum = LLVMBuildAdd(e->L.b, sum, x, "");
    }
    wg_value_set_vec(e, reg,
                     wg_emit_resize(e, sum, wg_reg_bits(e, reg), !fits && wg_type_kind(in->type) == WG_K_S));
}
