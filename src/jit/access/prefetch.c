/* Software prefetching where hardware prefetchers do not follow.
 *
 * The rows of a matrix tile are far apart: each warp accesses one or two cache lines per row, none of them
 * adjacent, and the core stalls on each. But the addresses are sums of thread and block indices and
 * parameters, so recomputing the same few scalar operations with %ctaid.x + 2 gives the lines that the next
 * block's warp but one will access: they are prefetched two thread blocks ahead.
 *
 *     mad.lo.s32 %r4, %tid.y + ..., n, %tid.x + %ctaid.x*32;  ld.global [base + 4*%r4]
 *       -> prefetch (the same with %ctaid.x + 2), and the next line if the lanes reach into it
 *
 * Of several vertically adjacent rows, as filters read them, only the last is prefetched: blocks above have
 * loaded the others.
 *
 * Along a row of bytes a warp uses half a line, and hardware prefetches come too late for loads and for
 * stores: each access prefetches two kilobytes ahead, where the next blocks will be. A warp that loads many
 * consecutive lines, of structures, does so with many instructions, and hardware prefetchers see each of them
 * advance in steps of a kilobyte: each prefetches as many lines six kilobytes ahead.
 *
 * In a loop the stride of an address between iterations is found the same way. Iterations are prefetched one
 * ahead where they are long (tiled products, between barriers; a block's iteration of a loop that the grid
 * runs through together), and several ahead in a grid-stride loop or a loop with atomics: each iteration
 * accesses other pages than the last, and only software prefetches arrive in time. Memory is slow if two
 * lines are fetched here and two there: where iterations are far apart, every fourth warp also prefetches
 * what the next three will read.
 */
#include "analysis/plan.h"
#include "analysis/earlier_rows.h"
#include "analysis/grid_loop.h"
#include "jit/access/access.h"
#include "jit/emit/expand.h"

#include <stdlib.h>

enum {
    AHEAD = 2,         /* thread blocks */
    MAX_IN_A_ROW = 16, /* lines that a block requests, along one row */
    MOST_IN_ROWS = 24, /* ...in several */
    LINE = 64,
    LINES_AHEAD = 12,
    BYTES_AHEAD = 2048,
    FAR_AHEAD = 6144,
    FEW_LINES = 4,
    MOST_LINES = 32,
    WARPS_TOGETHER = 4,
    FAR_TURNS = 256 * 1024,
    BLOCK_AHEAD = 4096,
    MOST_TURNS = 4
};

/* The cache level that a prefetch targets, for reading or for writing. */
enum near { TO_SECOND_LEVEL = 2, TO_FIRST_LEVEL, TO_WRITE };

static enum near near_of(const struct wg_ir_instr *in) {
    return in->op == WG_OP_ST ? TO_WRITE : TO_SECOND_LEVEL;
}

static void prefetch(struct wg_emit *e, LLVMValueRef at, enum near near) {
    bool write = near == TO_WRITE;
    LLVMValueRef args[4] = {LLVMBuildIntToPtr(e->L.b, at, e->ptr, ""), wg_i32(e, write),
                            wg_i32(e, write ? TO_FIRST_LEVEL : near), wg_i32(e, 1)};
    wg_lower_intrinsic(&e->L, "llvm.prefetch", &e->ptr, 1, args, 4);
}

/* Contiguous lanes: the lines from the first to the last. Lanes in a line each: each warp of a block
 * prefetches one lane's line, for a tile has as many rows as the block has warps. */
static uint32_t prefetch_lanes(struct wg_emit *e, LLVMValueRef base, const int64_t *k, uint32_t bytes,
                               enum near near) {
    int64_t step = k ? k[1] : 0, high = 0;
    bool linear = true;
    for (int l = 0; k && l < WG_LANES; l++) {
        linear &= k[l] == l * step;
        if (k[l] < 0) return 0;
        if (k[l] > high) high = k[l];
    }
    if (!linear && high >= 2 * LINE) return 0;
    if (linear && step >= LINE) {
        LLVMValueRef lane = LLVMBuildAnd(e->L.b, e->once.warp_id, wg_i32(e, WG_LANES - 1), "");
        LLVMValueRef off =
            LLVMBuildMul(e->L.b, LLVMBuildZExt(e->L.b, lane, e->i64, ""), wg_i64(e, (uint64_t)step), "");
        prefetch(e, LLVMBuildAdd(e->L.b, base, off, ""), near);
        return 1;
    }
    int64_t reach = high + (int64_t)bytes - 1;
    uint32_t n = 0;
    for (int64_t at = 0; at <= reach && n < 4; at += LINE, n++)
        prefetch(e, LLVMBuildAdd(e->L.b, base, wg_i64(e, (uint64_t)at), ""), near);
    return n;
}

static bool is_global(const struct wg_ir_instr *in) {
    bool ls = in->op == WG_OP_LD || in->op == WG_OP_ST;
    return ls && (in->space == WG_S_GLOBAL || in->space == WG_S_GENERIC) && in->guard == WG_NO_REG &&
           in->src[0].kind == WG_O_REG;
}

/* The indices of a lane of the thread block ahead. */
static void set_indices(struct wg_emit *e, struct wg_env *env, uint32_t lane) {
    *env = (struct wg_env){.b = e->L.b, .bits = 64};
    wg_env_of_block(e, env);
    LLVMValueRef *x = &env->axis[WG_VAR_CTAID_X];
    *x = LLVMBuildAdd(e->L.b, *x, wg_i32(e, AHEAD), "");
    for (uint32_t i = 0; i < 3; i++) {
        const struct wg_fact f = wg_tid_fact(&e->an->arena, e->opts->ntid, i);
        if (f.kind == WG_VARYING || f.r) continue;
        x = &env->axis[WG_VAR_TID_X + i];
        *x = wg_tid_base(e, i);
        if (f.k && f.k[lane]) *x = LLVMBuildAdd(e->L.b, *x, wg_i32(e, (uint32_t)f.k[lane]), "");
    }
}

/* The address that a lane of the thread block ahead will use; NULL: not known. `used`: the indices that it
 * depends on. */
static LLVMValueRef address_ahead(struct wg_emit *e, const struct wg_sum *at, uint32_t lane, uint32_t *used) {
    struct wg_env env;
    set_indices(e, &env, lane);
    LLVMValueRef x = wg_expand(e, e->an->unwrapped, at, &env);
    *used = env.used;
    return x;
}

/* Lanes that are a run-time stride apart, r[lane] strides. Lanes in a line each: each warp prefetches one
 * lane's line. A few rows of contiguous lanes: the first lane of each row is prefetched. */
static uint32_t prefetch_scaled(struct wg_emit *e, const struct wg_sum *at, const struct wg_ir_instr *in,
                                const struct wg_fact *f, LLVMValueRef base) {
    enum near near = near_of(in);
    uint32_t first[4], n = 0, l = 1, used;
    while (l < WG_LANES && f->r[l] == l * f->r[1] && (!f->k || f->k[l] == 0)) l++;
    if (l == WG_LANES) {
        LLVMValueRef step = LLVMBuildSub(e->L.b, address_ahead(e, at, 1, &used), base, "");
        LLVMValueRef lane = LLVMBuildAnd(e->L.b, e->once.warp_id, wg_i32(e, WG_LANES - 1), "");
        lane = LLVMBuildZExt(e->L.b, lane, e->i64, "");
        prefetch(e, LLVMBuildAdd(e->L.b, base, LLVMBuildMul(e->L.b, lane, step, ""), ""), near);
        return 1;
    }
    for (l = 0; l < WG_LANES; l++) {
        if (l && f->r[l] == f->r[l - 1]) continue;
        if (n == sizeof first / sizeof *first) return 0;
        first[n++] = l;
    }
    for (l = 0; l < n; l++) prefetch(e, l ? address_ahead(e, at, first[l], &used) : base, near);
    return n;
}

/* The distinct lines that lanes access, as offsets from lane 0's address; 0: more than are worth
 * prefetching. */
static uint32_t lines_of(const int64_t *k, uint32_t bytes, int64_t line[MOST_LINES]) {
    uint32_t n = 0;
    for (uint32_t l = 0; l < WG_LANES; l++)
        for (int64_t at = k ? k[l] : 0, end = at + bytes; at < end; at = (at & -LINE) + LINE) {
            uint32_t i = 0;
            while (i < n && (line[i] & -LINE) != (at & -LINE)) i++;
            if (i < n) continue;
            if (n == MOST_LINES) return 0;
            line[n++] = at & -LINE;
        }
    return n;
}

/* Whether a line of the access was prefetched already: an address that differs by a constant, as those of
 * neighbours do. */
static bool is_asked(struct wg_sum *asked, uint32_t n, const struct wg_sum *at) {
    for (uint32_t i = 0; i < n; i++) {
        struct wg_sum apart = wg_scev_sum(at, &asked[i], -1);
        if (wg_scev_is_constant(&apart) && apart.constant < LINE && apart.constant > -LINE) return true;
    }
    asked[n] = *at;
    return false;
}

/* Which accesses outside of loops, in their order, are of rows that other accesses have brought into the
 * caches. If warps span several rows, the block's first rows of floats are worth prefetching all the same. */
static bool *find_earlier_rows(struct wg_emit *e) {
    WG_VEC(struct wg_row_access) all = {0};
    for (uint32_t b = 0; b < e->func->nblocks; b++)
        for (uint32_t i = 0; e->func->blocks[b].loop == WG_NO_REG && i < e->func->blocks[b].ninstrs; i++)
            if (is_global(&e->func->blocks[b].instrs[i])) *WG_PUSH(&all) = (struct wg_row_access){b, i};
    bool *earlier = WG_NEW_N(&e->an->arena, bool, all.n + 1);
    if (e->opts->ntid[0] % WG_LANES == 0) wg_find_earlier_rows(e->an->unwrapped, all.v, all.n, earlier);
    free(all.v);
    return earlier;
}

/* Whether blocks along the row access other memory, and warps of a block that has several rows access several
 * rows. */
static bool moves_on(const struct wg_emit *e, uint32_t used) {
    bool one_row = e->opts->ntid[1] * e->opts->ntid[2] == 1;
    return used >> WG_VAR_CTAID_X & 1 && (one_row || used & (1u << WG_VAR_TID_Y | 1u << WG_VAR_TID_Z));
}

/* The functions of this file emit values that only prefetches use; if there is nothing to prefetch, LLVM
 * deletes them as dead code. */
void wg_emit_block_prefetches(struct wg_emit *e) {
    e->access.nahead = 0; /* the same ones for each copy of the block that is emitted */
    if (!wg_may_use(e->opts, WG_FORM_prefetch)) return;
    bool one_row = e->opts->ntid[1] * e->opts->ntid[2] == 1;
    struct wg_sum asked[WG_MOST_PREFETCHES];
    const bool *earlier = find_earlier_rows(e);
    uint32_t made = 0, n = 0, used, most = one_row ? MAX_IN_A_ROW : MOST_IN_ROWS;
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        if (e->func->blocks[b].loop != WG_NO_REG) continue;
        for (uint32_t i = 0; i < e->func->blocks[b].ninstrs && made < most && n < WG_MOST_PREFETCHES; i++) {
            const struct wg_ir_instr *in = &e->func->blocks[b].instrs[i];
            uint32_t bytes = wg_type_bits(in->type) / 8 * in->nvec;
            if (!is_global(in) || (*earlier++ && in->op == WG_OP_LD) || wg_in_columns(e, b, i)) continue;
            bool narrow = one_row && bytes * WG_LANES < LINE;
            const struct wg_fact *f = &e->an->facts[WG_CONVERGED][in->src[0].index];
            struct wg_sum at = wg_scev_address(e->an->unwrapped, b, i);
            /* Along one row the hardware prefetches for stores of whole lines. */
            if (f->kind == WG_VARYING || (one_row && in->op == WG_OP_ST && !narrow)) continue;
            LLVMValueRef base = address_ahead(e, &at, 0, &used);
            if (!base || !moves_on(e, used)) continue;
            if (is_asked(asked, n, &at)) continue;
            n++;
            wg_plan_yes(e->opts, WG_FORM_prefetch, in);
            int64_t line[MOST_LINES];
            uint32_t lines = f->r ? 0 : lines_of(f->k, bytes, line);
            bool thick = one_row && lines > FEW_LINES;
            if ((narrow || thick) && lines)
                e->access.ahead[e->access.nahead++] = in; /* prefetched at the access, at a constant offset */
            else if (f->r)
                made += prefetch_scaled(e, &at, in, f, base);
            else
                made += prefetch_lanes(e, wg_unless_streamed(e, in, b, base), f->k, bytes, near_of(in));
        }
    }
}

static bool never(const void *user, uint32_t reg) {
    (void)user;
    (void)reg;
    return false;
}

LLVMValueRef wg_emit_blocks_apart(struct wg_emit *e, uint32_t block, uint32_t instr) {
    const struct wg_scev_move next = {.by[WG_VAR_CTAID_X] = 1, .stays = never};
    struct wg_env env = {.b = e->L.b, .bits = 64};
    struct wg_sum at = wg_scev_address(e->an->unwrapped, block, instr), step;
    if (!wg_scev_step(e->an->unwrapped, &at, &next, &step)) return NULL;
    wg_env_of_block(e, &env);
    return wg_expand(e, e->an->unwrapped, &step, &env);
}

void wg_emit_prefetch_ahead(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a) {
    if (e->v != WG_CONVERGED || a->kind != WG_AFFINE) return;
    for (uint32_t i = 0; i < e->access.nahead; i++) {
        if (e->access.ahead[i] != in) continue;
        int64_t line[MOST_LINES], ahead;
        uint32_t n = lines_of(a->k, wg_type_bits(in->type) / 8 * in->nvec, line);
        ahead = n > FEW_LINES ? FAR_AHEAD : BYTES_AHEAD;
        if (a->k && a->k[1] < 0) ahead = -ahead;
        for (uint32_t l = 0; l < n; l++) {
            LLVMValueRef at = LLVMBuildAdd(e->L.b, a->base, wg_i64(e, (uint64_t)(line[l] + ahead)), "");
            prefetch(e, wg_unless_streamed(e, in, e->block, at), near_of(in));
        }
    }
}

/* ---- loops ---- */

static bool stays_in_loop(const void *user, uint32_t reg) {
    const struct wg_emit *e = user;
    uint32_t header = e->func->blocks[e->block].loop;
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        if (e->func->blocks[b].loop != header) continue;
        for (uint32_t i = 0; i < e->func->blocks[b].ninstrs; i++)
            if (wg_writes(&e->func->blocks[b].instrs[i], reg)) return false;
    }
    return true;
}

static LLVMValueRef uniform_value(struct wg_emit *e, uint32_t reg) {
    return e->an->facts[e->v][reg].kind == WG_UNIFORM ? wg_value_get(e, reg)->base : NULL;
}

/* The stride of the access between iterations of its loop, as an i64; NULL: not known. */
static LLVMValueRef stride_of(struct wg_emit *e) {
    const struct wg_scev_move next = {
        .to_next = true, .loop = e->func->blocks[e->block].loop, .stays = stays_in_loop, .user = e};
    struct wg_env env = {.b = e->L.b, .bits = 64, .reg = uniform_value};
    struct wg_sum at = wg_scev_address(e->an->unwrapped, e->block, e->instr), step;
    if (!wg_scev_step(e->an->unwrapped, &at, &next, &step)) return NULL;
    wg_env_of_block(e, &env);
    return wg_expand(e, e->an->unwrapped, &step, &env);
}

static bool has_barrier(const struct wg_emit *e, uint32_t header) {
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        const struct wg_ir_block *blk = &e->func->blocks[b];
        if (blk->loop == header && blk->ninstrs &&
            (wg_op_flags(blk->instrs[blk->ninstrs - 1].op) & WG_F_WAIT))
            return true;
    }
    return false;
}

/* An atomic makes an iteration so long that out-of-order execution does not reach the next one. */
static bool has_atomic(const struct wg_emit *e, uint32_t header) {
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        const struct wg_ir_block *blk = &e->func->blocks[b];
        for (uint32_t i = 0; blk->loop == header && i < blk->ninstrs; i++)
            if (blk->instrs[i].op == WG_OP_ATOM || blk->instrs[i].op == WG_OP_RED) return true;
    }
    return false;
}

/* Prefetch distance, in iterations, of a loop with a run-time stride: the lines prefetched must fit one
 * cache set, because all accesses of the loop map to the same set with a power-of-two stride, which is
 * when they are far apart. */
static uint64_t turns_ahead(struct wg_emit *e, uint32_t header) {
    uint32_t streams = 0;
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        const struct wg_ir_block *blk = &e->func->blocks[b];
        for (uint32_t i = 0; blk->loop == header && i < blk->ninstrs; i++)
            streams += is_global(&blk->instrs[i]);
    }
    return streams < LINES_AHEAD / 2 ? LINES_AHEAD / streams : 2;
}

/* A grid-stride loop, `i += blockDim.x * gridDim.x`: each iteration accesses other pages. In loops with
 * other strides out-of-order execution may reach the next iterations by itself. */
static bool goes_by_grids(struct wg_emit *e, uint32_t header) {
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        const struct wg_ir_block *blk = &e->func->blocks[b];
        for (uint32_t i = 0; blk->loop == header && i < blk->ninstrs; i++) {
            const struct wg_ir_instr *in = &blk->instrs[i];
            if (in->op == WG_OP_ADD_I && in->ndst == 1 && in->dst[0].kind == WG_O_REG &&
                in->src[0].kind == WG_O_REG && in->src[0].index == in->dst[0].index &&
                wg_is_of_grid(e->regs.def, &in->src[1]))
                return true;
        }
    }
    return false;
}

/* Prefetch distance, in iterations, where all warps of the block run an iteration before the next one
 * (analysis/interchange.h): a page of what they read, elements of `bytes` bytes. */
static uint64_t turns_of_block(const struct wg_emit *e, uint32_t bytes) {
    const uint32_t *n = e->opts->ntid;
    uint64_t turns = BLOCK_AHEAD / ((uint64_t)bytes * n[0] * n[1] * n[2]);
    return turns < 1 ? 1 : turns > MOST_TURNS ? MOST_TURNS : turns;
}

/* Uniform over the thread block, as far as is known at compile time. */
static bool of_block(const void *user, uint32_t reg) {
    const struct wg_emit *e = user;
    const struct wg_ir_instr *in = e->regs.def[reg];
    bool turn = in && in->op == WG_OP_MOV_SREG && in->sreg == WG_SR_iteration;
    return turn || (e->an->phases && wg_bits_has(e->an->phases->uniform, reg));
}

/* Whether consecutive warps of a block read consecutive memory. */
static bool warps_in_a_row(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                           uint32_t bytes) {
    const uint32_t *n = e->opts->ntid;
    const struct wg_scev_move next = {.by[WG_VAR_TID_X] = WG_LANES, .stays = of_block, .user = e};
    if (n[1] * n[2] != 1 || n[0] % (WARPS_TOGETHER * WG_LANES) || a->kind != WG_AFFINE || a->r) return false;
    for (int64_t l = 0; l < WG_LANES; l++)
        if (a->k[l] != l * bytes) return false;
    struct wg_sum at = wg_scev_at(e->an->unwrapped, &in->src[0], e->block, e->instr), step;
    return wg_scev_step(e->an->unwrapped, &at, &next, &step) && wg_scev_is_constant(&step) &&
           step.constant == (int64_t)bytes * WG_LANES;
}

/* In a sweep whose blocks' warps read consecutively: the offset to what is read some blocks ahead or,
 * after the last block, by the first blocks' next iteration. NULL: the thread blocks are too large. */
static LLVMValueRef ahead_in_sweep(struct wg_emit *e, LLVMValueRef step, uint32_t bytes) {
    uint64_t block = (uint64_t)bytes * e->opts->ntid[0], n = (BYTES_AHEAD + block - 1) / block;
    if (!e->whole || block > BLOCK_AHEAD) return NULL;
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef back = LLVMBuildMul(b, e->run.row_more, wg_i64(e, block), ""); /* to the first block */
    LLVMValueRef next = LLVMBuildSub(b, LLVMBuildAdd(b, step, wg_i64(e, (n - 1) * block), ""), back, "");
    LLVMValueRef is_last = LLVMBuildICmp(b, LLVMIntULT, e->run.more, wg_i64(e, n), "");
    return LLVMBuildSelect(b, is_last, next, wg_i64(e, n * block), "");
}

/* The offset to the line needed some warps ahead: of a later iteration or, in a sweep, after this one's. */
static LLVMValueRef ahead_of_block(struct wg_emit *e, LLVMValueRef step, uint32_t bytes, bool to_next_turn) {
    LLVMValueRef turns = LLVMBuildMul(e->L.b, step, wg_i64(e, turns_of_block(e, bytes)), "");
    if (!e->func->sweeps) return turns;
    LLVMValueRef last = wg_block_field(e, WG_SR_last_x), none = wg_i32(e, 0), ahead = NULL;
    if (to_next_turn) ahead = ahead_in_sweep(e, step, bytes);
    if (!ahead) ahead = wg_i64(e, BYTES_AHEAD);
    return LLVMBuildSelect(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, last, none, ""), ahead, turns, "");
}

/* Prefetches the lines at `at` of a later iteration, where iterations are `step` apart: each warp its own
 * and, where iterations are far apart, one warp those of some others. The others' lines stay in the caches
 * until these warps get there, which is as long as a warp takes for all its iterations; in the last level,
 * where the lines of many iterations share a set of the second. The farther apart iterations are, the
 * fewer there are. */
static void prefetch_together(struct wg_emit *e, LLVMValueRef at, LLVMValueRef step, uint32_t bytes,
                              enum near near) {
    LLVMBasicBlockRef others = wg_new_bb(e, "others"), on = wg_new_bb(e, "asked");
    LLVMValueRef end = wg_i64(e, 2 * FAR_TURNS), from = LLVMBuildAdd(e->L.b, step, wg_i64(e, FAR_TURNS), "");
    LLVMValueRef far = LLVMBuildICmp(e->L.b, LLVMIntUGT, from, end, "");
    LLVMValueRef which = LLVMBuildAnd(e->L.b, e->once.warp_id, wg_i32(e, WARPS_TOGETHER - 1), "");
    LLVMValueRef is_first = LLVMBuildICmp(e->L.b, LLVMIntEQ, which, wg_i32(e, 0), "");
    for (uint32_t i = 0; i < bytes; i += LINE) prefetch(e, LLVMBuildAdd(e->L.b, at, wg_i64(e, i), ""), near);
    LLVMBuildCondBr(e->L.b, LLVMBuildAnd(e->L.b, far, is_first, ""), others, on);
    LLVMPositionBuilderAtEnd(e->L.b, others);
    for (uint32_t i = bytes; i < WARPS_TOGETHER * bytes; i += LINE)
        prefetch(e, LLVMBuildAdd(e->L.b, at, wg_i64(e, i), ""), near);
    LLVMBuildBr(e->L.b, on);
    LLVMPositionBuilderAtEnd(e->L.b, on);
}

void wg_emit_loop_prefetch(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a) {
    uint32_t header = e->func->blocks[e->block].loop;
    if (e->v != WG_CONVERGED || header == WG_NO_REG || !is_global(in) ||
        !wg_may_use(e->opts, WG_FORM_prefetch))
        return;
    if (a->kind == WG_VARYING || in->op >= WG_OP_COUNT) return;
    LLVMValueRef step = stride_of(e);
    if (!step || (LLVMIsAConstantInt(step) && LLVMConstIntGetZExtValue(step) == 0)) return;
    wg_plan_yes(e->opts, WG_FORM_prefetch, in);
    uint32_t bytes = wg_type_bits(in->type) / 8 * in->nvec;
    bool grids = goes_by_grids(e, header);
    enum near near = near_of(in);
    if (near == TO_WRITE && !grids) return;
    if (has_barrier(e, header)) { /* one iteration of a tile loop is long enough */
        bool counts = e->func->sweeps && grids && has_atomic(e, header);
        if (counts && near == TO_SECOND_LEVEL) near = TO_FIRST_LEVEL;
        if (grids) step = ahead_of_block(e, step, bytes, counts && warps_in_a_row(e, in, a, bytes));
    } else {
        if (LLVMIsAConstantInt(step) || (!has_atomic(e, header) && !grids)) return;
        LLVMValueRef ahead = LLVMBuildMul(e->L.b, step, wg_i64(e, turns_ahead(e, header)), "");
        if (warps_in_a_row(e, in, a, bytes)) {
            LLVMValueRef at = LLVMBuildAdd(e->L.b, a->base, ahead, "");
            prefetch_together(e, at, step, bytes * WG_LANES, near);
            return;
        }
        step = ahead;
    }
    LLVMValueRef base = LLVMBuildAdd(e->L.b, a->base, step, "");
    int64_t rows = 0;
    for (int l = 0; a->r && l < WG_LANES; l++) {
        if (a->r[l] < 0) return;
        if (a->r[l] > rows) rows = a->r[l];
    }
    if (rows > 3) return;
    for (int64_t r = 0; r <= rows; r++) {
        LLVMValueRef at = base;
        if (r)
            at = LLVMBuildAdd(e->L.b, base, LLVMBuildMul(e->L.b, a->scale, wg_i64(e, (uint64_t)r), ""), "");
        prefetch_lanes(e, at, a->k, bytes, near);
    }
}
