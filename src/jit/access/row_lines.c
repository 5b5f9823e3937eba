/* Lanes that walk along rows of their own (analysis/row_lines.h): of each row a whole line is loaded, all are
 * transposed into an array of this function's, and the iterations that follow read it there.
 *
 *     key = base & ~63                                 lane 0's line; the others are multiples of a line away
 *     if (key == held) x = array[(base & 63) / 4]      a vector of all lanes' words
 *     else if (may) held = key, transpose, the same
 *     else gather
 *
 * Without it each iteration gathers from 32 lines; where rows are a power of two apart these share one set of the
 * first-level cache. A line has a word that is loaded there and then, so it is memory that may be read, and faults
 * as that word would.
 *
 * Several words of a row in an iteration are a structure, of which each lane loads a piece, and pieces are quicker than
 * lines unless the rows share a few sets. There the lines are copied as they are, and the pieces loaded from the copies
 * or, where how far apart they are is known at run time only, the lines are transposed: pieces from either place would be twice
 * the code.
 *
 * Lines are kept from an iteration to the next, but by nobody else: `again` is set only where the loop's own
 * branches lead to its header, which takes it back. Before each store of the loop its lanes' range is compared with
 * the lines'; where they overlap, no lines are kept until the loop is entered again. The first iterations gather:
 * a loop of few does not pay.
 */
#include "jit/access/row_lines.h"
#include "analysis/plan.h"
#include "analysis/row_lines.h"
#include "jit/access/access.h"
#include "jit/access/structures.h"

#include <stdio.h>

/* Instead of a line's address. */
enum { NONE = 1, NEVER = 2, FIRST_LOADS = 4 };
enum { AHEAD = 2 * WG_ROW_LINE };

struct wg_kept_lines {
    struct wg_kept_lines *next;
    LLVMValueRef fn;
    uint32_t header;
    struct wg_row_lines rows;
    bool compete;                                               /* the code is for rows that do */
    enum { UNUSED, TRANSPOSED, COPIED } are[WG_MOST_ROW_LINES]; /* how that code keeps a register's lines */
    LLVMValueRef again, turns;                                  /* allocas */
    LLVMValueRef held[WG_MOST_ROW_LINES], apart[WG_MOST_ROW_LINES], array[WG_MOST_ROW_LINES];
};

static LLVMValueRef variable(struct wg_emit *e, LLVMValueRef initial, const char *name) {
    LLVMValueRef at = LLVMBuildAlloca(e->entry_b, LLVMTypeOf(initial), name);
    LLVMBuildStore(e->entry_b, initial, at);
    return at;
}

static LLVMValueRef get(struct wg_emit *e, LLVMTypeRef t, LLVMValueRef at) {
    return LLVMBuildLoad2(e->L.b, t, at, "");
}

static struct wg_kept_lines *kept_by(const struct wg_emit *e, uint32_t header) {
    struct wg_kept_lines *s = e->access.kept_lines;
    if (e->v != WG_CONVERGED || e->sides) return NULL;
    while (s && (s->fn != e->fn || s->header != header)) s = s->next;
    return s;
}

static struct wg_kept_lines *new_lines(struct wg_emit *e, const struct wg_row_lines *rows) {
    struct wg_kept_lines *s = WG_NEW(&e->an->arena, struct wg_kept_lines);
    *s = (struct wg_kept_lines){.next = e->access.kept_lines, .fn = e->fn, .header = e->block, .rows = *rows};
    s->again = variable(e, LLVMConstInt(e->i1, 0, 0), "again");
    s->turns = variable(e, wg_i32(e, 0), "turns");
    for (uint32_t k = 0; k < rows->n; k++) {
        LLVMTypeRef t = LLVMArrayType2(e->i64, WG_LANES * WG_ROW_LINE / 8);
        s->held[k] = variable(e, wg_i64(e, NONE), "held");
        s->apart[k] = variable(e, wg_i64(e, 0), "apart");
        s->array[k] = LLVMBuildAlloca(e->entry_b, t, "lines");
        LLVMSetAlignment(s->array[k], WG_ROW_LINE);
    }
    return e->access.kept_lines = s;
}

void wg_row_lines_begin(struct wg_emit *e) {
    struct wg_row_lines rows;
    LLVMBuilderRef b = e->L.b;
    if (e->v != WG_CONVERGED || e->sides || !e->L.avx2 || !wg_find_row_lines(e->an, e->block, &rows)) return;
    struct wg_kept_lines *s = new_lines(e, &rows);
    LLVMValueRef again = get(e, e->i1, s->again), turns = get(e, e->i32, s->turns);
    LLVMBuildStore(b, LLVMConstInt(e->i1, 0, 0), s->again);
    turns = LLVMBuildSelect(b, again, LLVMBuildAdd(b, turns, wg_i32(e, 1), ""), wg_i32(e, 0), "");
    LLVMBuildStore(b, turns, s->turns);
    for (uint32_t k = 0; k < rows.n; k++) {
        LLVMValueRef held = get(e, e->i64, s->held[k]);
        LLVMBuildStore(b, LLVMBuildSelect(b, again, held, wg_i64(e, NONE), ""), s->held[k]);
    }
}

void wg_row_lines_repeat(struct wg_emit *e, uint32_t to) {
    struct wg_kept_lines *s = kept_by(e, to);
    if (s && wg_in_loop(e->func, e->block, to)) LLVMBuildStore(e->L.b, LLVMConstInt(e->i1, 1, 0), s->again);
}

/* ---- loads ---- */

/* From a lane's row to the next one's; NULL: they are not rows of lines. */
static LLVMValueRef distance(struct wg_emit *e, const struct wg_value *a) {
    const int64_t *by = a->r ? a->r : a->k;
    if (a->kind != WG_AFFINE || !by) return NULL;
    if (!wg_is_lane_line(by) || (a->r && a->k && (a->k[1] || !wg_is_lane_line(a->k)))) return NULL;
    LLVMValueRef one = wg_i64(e, (uint64_t)by[1]);
    return a->r ? LLVMBuildMul(e->L.b, a->scale, one, "") : one;
}

static void fill(struct wg_emit *e, struct wg_kept_lines *s, uint32_t k, LLVMValueRef line,
                 LLVMValueRef apart) {
    uint32_t bytes = s->rows.row[k].bytes, columns = WG_ROW_LINE / bytes;
    char helper[32];
    snprintf(helper, sizeof helper, "wg_jit_transpose%u%s", bytes * 8, e->L.avx512 ? "" : "_avx2");
    LLVMValueRef args[9] = {LLVMBuildIntToPtr(e->L.b, line, e->ptr, ""),
                            apart,
                            wg_i32(e, WG_LANES),
                            s->array[k],
                            wg_i64(e, WG_LANES * bytes),
                            wg_i32(e, columns),
                            wg_i64(e, s->rows.row[k].step > 0 ? AHEAD : (uint64_t)-AHEAD),
                            wg_i64(e, 0),
                            wg_i32(e, 0)};
    wg_call_helper(e, helper, LLVMVoidTypeInContext(e->L.ctx), args, 9);
    LLVMBuildStore(e->L.b, line, s->held[k]);
    LLVMBuildStore(e->L.b, apart, s->apart[k]);
}

/* Whether lines may be loaded: not yet, not any more, or the rows are no multiples of a line apart. */
static LLVMValueRef may_fill(struct wg_emit *e, struct wg_kept_lines *s, uint32_t k, LLVMValueRef apart) {
    LLVMBuilderRef b = e->L.b;
    uint32_t first = (FIRST_LOADS + s->rows.row[k].loads - 1) / s->rows.row[k].loads;
    LLVMValueRef late = LLVMBuildICmp(b, LLVMIntUGE, get(e, e->i32, s->turns), wg_i32(e, first), "");
    LLVMValueRef ever = LLVMBuildICmp(b, LLVMIntNE, get(e, e->i64, s->held[k]), wg_i64(e, NEVER), "");
    LLVMValueRef low = LLVMBuildAnd(b, apart, wg_i64(e, WG_ROW_LINE - 1), "");
    LLVMValueRef lines = LLVMBuildICmp(b, LLVMIntEQ, low, wg_i64(e, 0), "");
    return LLVMBuildAnd(b, LLVMBuildAnd(b, late, ever, ""), lines, "");
}

static LLVMValueRef is_held(struct wg_emit *e, struct wg_kept_lines *s, uint32_t k, LLVMValueRef line,
                            LLVMValueRef apart) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef same = LLVMBuildICmp(b, LLVMIntEQ, get(e, e->i64, s->held[k]), line, "");
    return LLVMBuildAnd(b, same, LLVMBuildICmp(b, LLVMIntEQ, get(e, e->i64, s->apart[k]), apart, ""), "");
}

static LLVMValueRef kept_words(struct wg_emit *e, struct wg_kept_lines *s, uint32_t k, LLVMValueRef at) {
    LLVMTypeRef t = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, s->rows.row[k].bytes * 8), WG_LANES);
    LLVMValueRef off = LLVMBuildAnd(e->L.b, at, wg_i64(e, WG_ROW_LINE - 1), "");
    off = LLVMBuildMul(e->L.b, off, wg_i64(e, WG_LANES), "");
    LLVMValueRef p = LLVMBuildGEP2(e->L.b, LLVMInt8TypeInContext(e->L.ctx), s->array[k], &off, 1, "");
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, t, p, "");
    LLVMSetAlignment(x, WG_ROW_LINE);
    return x;
}

static bool is_load_of(const struct wg_kept_lines *s, const struct wg_ir_instr *in, uint32_t *k) {
    for (*k = 0; *k < s->rows.n; (*k)++)
        if (in->src[0].kind == WG_O_REG && in->src[0].index == s->rows.row[*k].reg) break;
    return *k < s->rows.n && in->op == WG_OP_LD && in->space == WG_S_GLOBAL && in->guard == WG_NO_REG &&
           in->nvec == 1 && wg_type_bits(in->type) == s->rows.row[*k].bytes * 8;
}

bool wg_row_lines_load(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                       LLVMValueRef mask, LLVMValueRef *x) {
    struct wg_kept_lines *s = kept_by(e, e->func->blocks[e->block].loop);
    uint32_t k;
    LLVMValueRef apart;
    LLVMBuilderRef b = e->L.b;
    if (!s || !is_load_of(s, in, &k) || s->are[k] == COPIED || !(apart = distance(e, a))) return false;
    s->are[k] = TRANSPOSED;
    wg_plan_yes(e->opts, WG_FORM_columns, in);
    LLVMBasicBlockRef miss = wg_new_bb(e, "miss"), load = wg_new_bb(e, "fill"), use = wg_new_bb(e, "kept"),
                      from[2] = {use, wg_new_bb(e, "gather")}, join = wg_new_bb(e, "rows");
    LLVMValueRef value[2], line = LLVMBuildAnd(b, a->base, wg_i64(e, ~(uint64_t)(WG_ROW_LINE - 1)), "");
    LLVMValueRef all = LLVMBuildICmp(b, LLVMIntEQ, mask, wg_i32(e, UINT32_MAX), "");
    LLVMBuildCondBr(b, LLVMBuildAnd(b, all, is_held(e, s, k, line, apart), ""), use, miss);
    LLVMPositionBuilderAtEnd(b, miss);
    LLVMBuildCondBr(b, LLVMBuildAnd(b, all, may_fill(e, s, k, apart), ""), load, from[1]);
    LLVMPositionBuilderAtEnd(b, load);
    fill(e, s, k, line, apart);
    LLVMBuildBr(b, use);
    LLVMPositionBuilderAtEnd(b, from[1]);
    struct wg_value lanes = *a;
    value[1] = wg_gather(e, &lanes, s->rows.row[k].bytes * 8, s->rows.row[k].bytes, mask);
    from[1] = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, join);
    LLVMPositionBuilderAtEnd(b, use);
    value[0] = kept_words(e, s, k, a->base);
    LLVMBuildBr(b, join);
    LLVMPositionBuilderAtEnd(b, join);
    x[0] = LLVMBuildPhi(b, LLVMTypeOf(value[0]), "");
    LLVMAddIncoming(x[0], value, from, 2);
    return true;
}

/* ---- copies of lines ---- */

/* Copies the lanes' lines one behind the other, and requests those that come some iterations later. */
static void copy(struct wg_emit *e, struct wg_kept_lines *s, uint32_t k, LLVMValueRef line,
                 LLVMValueRef apart) {
    LLVMBuilderRef b = e->L.b;
    LLVMTypeRef t = LLVMVectorType(e->i64, WG_ROW_LINE / 8);
    LLVMBasicBlockRef from[2] = {LLVMGetInsertBlock(b), wg_new_bb(e, "row")}, done = wg_new_bb(e, "copied");
    LLVMBuildBr(b, from[1]);
    LLVMPositionBuilderAtEnd(b, from[1]);
    LLVMValueRef at = LLVMBuildPhi(b, e->i64, ""), to = LLVMBuildPhi(b, e->i64, "");
    LLVMValueRef x = LLVMBuildLoad2(b, t, LLVMBuildIntToPtr(b, at, e->ptr, ""), "");
    LLVMSetAlignment(x, WG_ROW_LINE);
    LLVMValueRef st = LLVMBuildStore(b, x, LLVMBuildGEP2(b, e->i8, s->array[k], &to, 1, ""));
    LLVMSetAlignment(st, WG_ROW_LINE);
    LLVMValueRef far = wg_i64(e, s->rows.row[k].step > 0 ? AHEAD : (uint64_t)-AHEAD);
    far = LLVMBuildIntToPtr(b, LLVMBuildAdd(b, at, far, ""), e->ptr, "");
    LLVMValueRef args[4] = {far, wg_i32(e, 0), wg_i32(e, 2), wg_i32(e, 1)};
    wg_lower_intrinsic(&e->L, "llvm.prefetch", &e->ptr, 1, args, 4);
    LLVMValueRef lines[2] = {line, LLVMBuildAdd(b, at, apart, "")},
                 places[2] = {wg_i64(e, 0), LLVMBuildAdd(b, to, wg_i64(e, WG_ROW_LINE), "")};
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntULT, places[1], wg_i64(e, WG_LANES * WG_ROW_LINE), "");
    LLVMBuildCondBr(b, more, from[1], done);
    LLVMAddIncoming(at, lines, from, 2);
    LLVMAddIncoming(to, places, from, 2);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMBuildStore(b, line, s->held[k]);
    LLVMBuildStore(b, apart, s->apart[k]);
}

/* Whether rows are so far apart that their lines compete for few sets of the first-level cache. Known while compiling: a
 * test at run time of whether to copy, and both kinds of code, would cost short rows more than a tenth (one of whether
 * to transpose words costs less: compete_by_page). */
static bool compete(LLVMValueRef apart) {
    enum { FEW_SETS = 2048 }; /* bytes, of a cache that has 64 sets of lines */
    return LLVMIsAConstantInt(apart) && LLVMConstIntGetZExtValue(apart) % FEW_SETS == 0;
}

static LLVMValueRef either(struct wg_emit *e, LLVMValueRef x, LLVMValueRef y, LLVMBasicBlockRef from[2]) {
    LLVMValueRef value[2] = {x, y}, phi = LLVMBuildPhi(e->L.b, LLVMTypeOf(x), "");
    LLVMAddIncoming(phi, value, from, 2);
    return phi;
}

/* As multiples of what is known at run time only. */
static const int64_t *each_lane(struct wg_emit *e) {
    int64_t *lane = WG_NEW_N(&e->an->arena, int64_t, WG_LANES);
    for (int64_t l = 0; l < WG_LANES; l++) lane[l] = l;
    return lane;
}

/* Whether what all lanes load, from `first` on, is in a line each. */
static LLVMValueRef are_in_lines(struct wg_emit *e, LLVMValueRef first, uint32_t bytes, LLVMValueRef mask) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef all = LLVMBuildICmp(b, LLVMIntEQ, mask, wg_i32(e, UINT32_MAX), "");
    LLVMValueRef off = LLVMBuildAnd(b, first, wg_i64(e, WG_ROW_LINE - 1), "");
    LLVMValueRef in = LLVMBuildICmp(b, LLVMIntULE, off, wg_i64(e, WG_ROW_LINE - bytes), "");
    return LLVMBuildAnd(b, all, in, "");
}

/* Goes to from[0] with the lanes' lines at hand, which `make` puts there if they are not and may be, else to from[1]. */
static void
reach_lines(struct wg_emit *e, struct wg_kept_lines *s, uint32_t k, LLVMValueRef line, LLVMValueRef apart,
            void (*make)(struct wg_emit *, struct wg_kept_lines *, uint32_t, LLVMValueRef, LLVMValueRef),
            LLVMBasicBlockRef from[2]) {
    LLVMBuilderRef b = e->L.b;
    LLVMBasicBlockRef miss = wg_new_bb(e, "miss"), load = wg_new_bb(e, "fill");
    LLVMBuildCondBr(b, is_held(e, s, k, line, apart), from[0], miss);
    LLVMPositionBuilderAtEnd(b, miss);
    LLVMBuildCondBr(b, may_fill(e, s, k, apart), load, from[1]);
    LLVMPositionBuilderAtEnd(b, load);
    make(e, s, k, line, apart);
    LLVMBuildBr(b, from[0]);
}

bool wg_row_lines_near(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a, int64_t low,
                       uint32_t bytes, LLVMValueRef mask, struct wg_value *near) {
    struct wg_kept_lines *s = kept_by(e, e->func->blocks[e->block].loop);
    uint32_t k;
    LLVMValueRef apart;
    LLVMBuilderRef b = e->L.b;
    if (!s || !is_load_of(s, in, &k) || s->are[k] == TRANSPOSED || !(apart = distance(e, a)) ||
        !compete(apart))
        return false;
    s->are[k] = COPIED;
    wg_plan_yes(e->opts, WG_FORM_columns, in);
    LLVMValueRef first = LLVMBuildAdd(b, a->base, wg_i64(e, (uint64_t)low), ""),
                 line = LLVMBuildAnd(b, first, wg_i64(e, ~(uint64_t)(WG_ROW_LINE - 1)), "");
    LLVMBasicBlockRef one = wg_new_bb(e, "line"), from[2] = {wg_new_bb(e, "kept"), wg_new_bb(e, "others")},
                      join = wg_new_bb(e, "near");
    LLVMBuildCondBr(b, are_in_lines(e, first, bytes, mask), one, from[1]);
    LLVMPositionBuilderAtEnd(b, one);
    reach_lines(e, s, k, line, apart, copy, from);
    LLVMPositionBuilderAtEnd(b, from[0]);
    LLVMValueRef kept = LLVMBuildPtrToInt(b, s->array[k], e->i64, "");
    kept = LLVMBuildAdd(b, kept, LLVMBuildSub(b, a->base, line, ""), "");
    LLVMBuildBr(b, join);
    LLVMPositionBuilderAtEnd(b, from[1]);
    LLVMBuildBr(b, join);
    LLVMPositionBuilderAtEnd(b, join);
    *near = (struct wg_value){.kind = WG_AFFINE, .r = each_lane(e)};
    near->base = either(e, kept, a->base, from);
    near->scale = either(e, wg_i64(e, WG_ROW_LINE), apart, from);
    return true;
}

/* ---- structures, from lines ---- */

/* The members' words of all lanes, from lines that are kept. */
static void kept_members(struct wg_emit *e, struct wg_kept_lines *s, uint32_t k, LLVMValueRef first,
                         const struct wg_structure *of, LLVMValueRef *x) {
    LLVMTypeRef t = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, of->unit * 8), WG_LANES);
    LLVMValueRef off = LLVMBuildAnd(e->L.b, first, wg_i64(e, WG_ROW_LINE - 1), "");
    off = LLVMBuildMul(e->L.b, off, wg_i64(e, WG_LANES), "");
    LLVMValueRef from = LLVMBuildGEP2(e->L.b, e->i8, s->array[k], &off, 1, "");
    for (uint32_t i = 0; i < of->n; i++) {
        off = wg_i64(e, (uint64_t)(of->member[i].at - of->low) * WG_LANES);
        x[i] = LLVMBuildLoad2(e->L.b, t, LLVMBuildGEP2(e->L.b, e->i8, from, &off, 1, ""), "");
        LLVMSetAlignment(x[i], WG_ROW_LINE);
    }
}

/* Whether lines of rows so far apart compete for the sets of a page. In rows half a page apart, pieces are quicker still. */
static LLVMValueRef compete_by_page(struct wg_emit *e, LLVMValueRef apart) {
    enum { PAGE = 4096 };
    LLVMValueRef low = LLVMBuildAnd(e->L.b, apart, wg_i64(e, PAGE - 1), "");
    return LLVMBuildICmp(e->L.b, LLVMIntEQ, low, wg_i64(e, 0), "");
}

/* Words alone, as those that the lines are transposed for. */
static bool are_words(const struct wg_structure *of, uint32_t bytes) {
    for (uint32_t i = 0; i < of->n; i++)
        if (of->member[i].nvec != 1 || of->member[i].bytes != bytes) return false;
    return bytes == 4 && of->unit == bytes && of->size <= WG_ROW_LINE;
}

bool wg_row_lines_structure(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                            int64_t at, LLVMValueRef mask, struct wg_structure *of) {
    struct wg_kept_lines *s = kept_by(e, e->func->blocks[e->block].loop);
    uint32_t k;
    LLVMValueRef apart, kept[WG_STRUCTURE_MEMBERS];
    LLVMBuilderRef b = e->L.b;
    if (!s || !is_load_of(s, in, &k) || s->are[k] == COPIED || !(apart = distance(e, a)) ||
        LLVMIsAConstantInt(apart) || !are_words(of, s->rows.row[k].bytes))
        return false;
    /* What comes from either place meets in registers, of which 256 bits have enough for one matrix's rows. */
    if (!e->L.avx512 && s->rows.n > 1) return false;
    s->are[k] = TRANSPOSED;
    wg_plan_yes(e->opts, WG_FORM_columns, in);
    LLVMBasicBlockRef far = wg_new_bb(e, "far"), one = wg_new_bb(e, "line"),
                      from[2] = {wg_new_bb(e, "kept"), wg_new_bb(e, "pieces")},
                      join = wg_new_bb(e, "members");
    LLVMBuildCondBr(b, compete_by_page(e, apart), far, from[1]);
    LLVMPositionBuilderAtEnd(b, far);
    LLVMValueRef first = LLVMBuildAdd(b, a->base, wg_i64(e, (uint64_t)(of->low - at)), ""),
                 line = LLVMBuildAnd(b, first, wg_i64(e, ~(uint64_t)(WG_ROW_LINE - 1)), "");
    LLVMBuildCondBr(b, are_in_lines(e, first, of->size, mask), one, from[1]);
    LLVMPositionBuilderAtEnd(b, one);
    reach_lines(e, s, k, line, apart, fill, from);
    LLVMPositionBuilderAtEnd(b, from[0]);
    kept_members(e, s, k, first, of, kept);
    LLVMBuildBr(b, join);
    LLVMPositionBuilderAtEnd(b, from[1]);
    wg_structure_load_lanes(e, of, a, at, mask);
    from[1] = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, join);
    LLVMPositionBuilderAtEnd(b, join);
    for (uint32_t i = 0; i < of->n; i++) of->member[i].x[0] = either(e, kept[i], of->member[i].x[0], from);
    return true;
}

/* ---- stores ---- */

struct range {
    LLVMValueRef low, past;
};

static struct range between(struct wg_emit *e, LLVMValueRef x, LLVMValueRef y, uint32_t bytes) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef less = LLVMBuildICmp(b, LLVMIntULT, x, y, "");
    LLVMValueRef high = LLVMBuildSelect(b, less, y, x, "");
    return (struct range){LLVMBuildSelect(b, less, x, y, ""), LLVMBuildAdd(b, high, wg_i64(e, bytes), "")};
}

/* Where the store's lanes are, the first and the last one at the ends. */
static struct range range_of(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a) {
    enum { LAST = WG_LANES - 1 };
    LLVMValueRef last = a->base;
    if (a->kind == WG_AFFINE && a->k) last = LLVMBuildAdd(e->L.b, last, wg_i64(e, (uint64_t)a->k[LAST]), "");
    if (a->kind == WG_AFFINE && a->r) {
        LLVMValueRef by = LLVMBuildMul(e->L.b, a->scale, wg_i64(e, (uint64_t)a->r[LAST]), "");
        last = LLVMBuildAdd(e->L.b, last, by, "");
    }
    return between(e, a->base, last, wg_type_bits(in->type) / 8 * in->nvec);
}

static void forget_lines(struct wg_emit *e, struct wg_kept_lines *s, uint32_t k, const struct range *r) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef held = get(e, e->i64, s->held[k]), never = wg_i64(e, NEVER);
    if (r) {
        LLVMValueRef apart = get(e, e->i64, s->apart[k]);
        LLVMValueRef last = LLVMBuildMul(b, apart, wg_i64(e, WG_LANES - 1), "");
        struct range lines = between(e, held, LLVMBuildAdd(b, held, last, ""), WG_ROW_LINE);
        LLVMValueRef meets = LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntULT, r->low, lines.past, ""),
                                          LLVMBuildICmp(b, LLVMIntULT, lines.low, r->past, ""), "");
        never = LLVMBuildSelect(b, meets, never, held, "");
    }
    LLVMBuildStore(b, never, s->held[k]);
}

bool wg_row_lines_kept(const struct wg_emit *e) {
    for (struct wg_kept_lines *s = e->access.kept_lines; s; s = s->next)
        if (kept_by(e, s->header) == s && wg_in_loop(e->func, e->block, s->header)) return true;
    return false;
}

void wg_row_lines_store(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a) {
    if ((in->space != WG_S_GLOBAL && in->space != WG_S_GENERIC) || !wg_row_lines_kept(e)) return;
    bool lines = a->kind == WG_AFFINE && wg_is_lane_line(a->k) && wg_is_lane_line(a->r);
    bool known = a->kind == WG_UNIFORM || lines;
    struct range r = {0};
    if (known) r = range_of(e, in, a);
    for (struct wg_kept_lines *s = e->access.kept_lines; s; s = s->next)
        for (uint32_t k = 0; k < s->rows.n; k++)
            if (kept_by(e, s->header) == s && wg_in_loop(e->func, e->block, s->header))
                forget_lines(e, s, k, known ? &r : NULL);
}
