/* Cost model and choice of the form of each access: see access_plan.h. */
#include "jit/access/access_plan.h"
#include "analysis/plan.h"

/* Costs, relative to an instruction that loads, stores or permutes a vector. */
enum {
    MASKED_LOAD = 2,
    MASKED_STORE = 3,
    MASKED_STORE_AVX2 = 12, /* on some CPUs */
    BRANCH = 4,             /* per lane: without AVX2 a mask is a branch for each lane */
    LANE = 2,               /* per lane of a gather or scatter */
    LANE_AVX2 = 5,
    COMPARED = 8, /* comparing indices with those of a row */
    WAITS = 12 /* a load that the store buffer cannot serve: of what several stores have written, or one under
                   * a mask */
};

static uint32_t vector_bytes(const struct wg_emit *e) { return e->L.avx512 ? 64 : e->L.avx2 ? 32 : 16; }

static uint32_t registers_of(const struct wg_emit *e, uint32_t elements, uint32_t bits) {
    uint32_t bytes = elements * bits / 8;
    return (bytes + vector_bytes(e) - 1) / vector_bytes(e);
}

/* ---- runs ---- */

static bool fill_run(struct wg_run *run, const struct wg_value *a, uint32_t bytes) {
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (int l = 0; l < WG_LANES; l++) {
        if (a->r && a->r[l] != run->r) continue;
        int64_t k = a->k ? a->k[l] : 0;
        if (k < low) low = k;
        if (k > high) high = k;
    }
    if ((uint64_t)(high - low) / bytes >= WG_MOST_RUN) return false;
    run->first = low;
    run->n = (uint32_t)((high - low) / bytes) + 1;
    run->injective = true;
    for (int i = 0; i < WG_MOST_RUN; i++) run->lane[i] = -1;
    for (int l = 0; l < WG_LANES; l++) {
        run->element[l] = -1;
        if (a->r && a->r[l] != run->r) continue;
        int64_t k = (a->k ? a->k[l] : 0) - low;
        if (k % bytes) return false;
        int i = (int)(k / bytes);
        run->element[l] = (int8_t)i;
        if (run->lane[i] >= 0) run->injective = false;
        run->lane[i] = (int8_t)l;
    }
    return true;
}

uint32_t wg_find_runs(const struct wg_value *a, uint32_t bits, struct wg_run run[WG_MOST_RUNS]) {
    uint32_t n = 0;
    if (a->kind != WG_AFFINE) return 0;
    for (int l = 0; l < WG_LANES; l++) {
        int64_t r = a->r ? a->r[l] : 0;
        uint32_t i = 0;
        while (i < n && run[i].r != r) i++;
        if (i < n) continue;
        if (n == WG_MOST_RUNS) return 0;
        run[n].r = r;
        if (!fill_run(&run[n++], a, bits / 8)) return 0;
    }
    return n;
}

bool wg_run_is_dense(const struct wg_run *run) {
    for (uint32_t i = 0; i < run->n; i++)
        if (run->lane[i] < 0) return false;
    return true;
}

static uint32_t cost_of_masked(const struct wg_emit *e, uint32_t bits, bool stores) {
    if (!e->L.avx2) return BRANCH * vector_bytes(e) * 8 / bits;
    if (!stores) return MASKED_LOAD;
    return e->L.avx512 ? MASKED_STORE : MASKED_STORE_AVX2;
}

/* 0: it has no runs. */
static uint32_t cost_of_runs(const struct wg_emit *e, struct wg_access *plan, const struct wg_value *a,
                             LLVMValueRef mask, bool stores) {
    uint32_t cost = 0;
    bool injective = true, full = wg_is_full(mask);
    plan->nruns = wg_find_runs(a, plan->bits, plan->run);
    for (uint32_t i = 0; i < plan->nruns; i++) {
        uint32_t n = registers_of(e, plan->run[i].n, plan->bits);
        bool masked = !full || (stores && !wg_run_is_dense(&plan->run[i]));
        cost +=
            n * (masked ? cost_of_masked(e, plan->bits, stores) : 1) + registers_of(e, WG_LANES, plan->bits);
        injective &= plan->run[i].injective;
    }
    if (injective) return cost;
    if (stores) return 0;                    /* the order of lanes that store to the same element matters */
    bool no_mask = !full && plan->bits < 32; /* masked accesses of 8- and 16-bit elements */
    return no_mask ? 0 : cost;
}

/* ---- pieces ---- */

static bool is_row(const struct wg_value *a, uint32_t bytes) {
    if (a->kind != WG_AFFINE || a->r || !a->k) return false;
    for (int l = 0; l < WG_LANES; l++)
        if (a->k[l] != (int64_t)bytes * l) return false;
    return true;
}

bool wg_is_own_memory(const struct wg_emit *e, const struct wg_ir_instr *in) {
    return in->space == WG_S_SHARED && !e->opts->check && !e->opts->bounds;
}

static void find_pieces(const struct wg_emit *e, struct wg_access *plan, uint32_t lanes) {
    uint32_t bytes = plan->bits / 8, vector = vector_bytes(e);
    plan->chunk = vector / bytes < WG_LANES ? vector / bytes : WG_LANES;
    plan->npieces = 0;
    for (uint32_t l = 0; l < WG_LANES; l += plan->chunk) {
        uint32_t on = lanes >> l & (plan->chunk == WG_LANES ? UINT32_MAX : (1u << plan->chunk) - 1);
        if (!on) continue;
        uint32_t first = (uint32_t)__builtin_ctz(on), n = 32 - (uint32_t)__builtin_clz(on) - first;
        on >>= first;
        bool row = (on & (on + 1)) == 0 && (n & (n - 1)) == 0;
        plan->piece[plan->npieces++] =
            (struct wg_piece){.lane = l + first, .n = n, .on = on, .in_a_row = row};
    }
}

static uint32_t cost_of_pieces(const struct wg_emit *e, const struct wg_ir_instr *in, struct wg_access *plan,
                               const struct wg_value *a, LLVMValueRef mask, bool stores) {
    enum { FEW = 2 }; /* at most so many lanes are stored one by one */
    bool own = wg_is_own_memory(e, in);
    uint32_t cost = 0;
    if (!LLVMIsAConstantInt(mask) || wg_is_full(mask) || !is_row(a, plan->bits / 8)) return 0;
    find_pieces(e, plan, (uint32_t)LLVMConstIntGetZExtValue(mask));
    for (uint32_t i = 0; i < plan->npieces; i++) {
        const struct wg_piece *p = &plan->piece[i];
        if (!p->in_a_row && !own && (!stores || __builtin_popcount(p->on) > FEW)) return 0;
        cost += !stores || p->in_a_row ? 2 : 4;
    }
    return cost ? cost : 1;
}

/* ---- the others ---- */

/* 0: it starts on a line boundary, or its offset in the line is not known. */
static uint32_t cost_of_lines(const struct wg_emit *e, const struct wg_ir_instr *in, struct wg_access *plan,
                              const struct wg_value *a, LLVMValueRef mask) {
    if (!e->L.avx512 || !wg_may_use(e->opts, WG_FORM_shared_lines) || in->nvec > 1) return 0;
    if (!wg_is_full(mask) || !is_row(a, wg_line_bits(e) / 8)) return 0;
    if (!wg_shared_line_begin(e, in, &plan->words) || !plan->words) return 0;
    return 2 * registers_of(e, WG_LANES, wg_line_bits(e)) + 1;
}

static uint32_t cost_of_strided(const struct wg_emit *e, struct wg_access *plan, const struct wg_value *a,
                                LLVMValueRef mask, bool stores) {
    if (!e->L.avx2 || plan->bits != 8 || a->kind != WG_AFFINE || a->r || !a->k) return 0;
    bool some = LLVMIsAConstantInt(mask) && !wg_is_full(mask); /* lanes are never all active */
    if (!e->L.avx512 && (stores || some)) return 0;
    if (!wg_may_use(e->opts, WG_FORM_strided)) return 0;
    plan->stride = a->k[1];
    if (plan->stride != 3 && plan->stride != 4) return 0;
    for (int l = 0; l < WG_LANES; l++)
        if (a->k[l] != plan->stride * l) return 0;
    if (!e->L.avx512) return 4 * 3 + BRANCH;
    return 2 * (cost_of_masked(e, plan->bits, stores) + 3);
}

static bool may_compare(const struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                        uint32_t bytes) {
    const struct wg_code_opts *o = e->opts;
    if (!e->L.avx2 || !wg_may_use(o, WG_FORM_clamped)) return false;
    return a->kind == WG_VARYING && a->step > 0 && bytes % a->step == 0 && in->guard == WG_NO_REG;
}

/* A warp of a thread block of 8 or 16 columns has threads in several rows: a row along x is then one for
 * each of them. */
static uint32_t cost_of_row(const struct wg_emit *e, struct wg_access *plan) {
    const uint32_t *n = e->opts->ntid;
    bool several = n[1] * n[2] > 1 && (n[0] == 8 || n[0] == 16);
    plan->columns = several ? n[0] : WG_LANES;
    uint32_t rows = WG_LANES / plan->columns;
    return COMPARED + rows * registers_of(e, plan->columns, plan->bits) + 2 * (rows - 1);
}

/* ---- choosing ---- */

/* Starts with gather/scatter, which is always possible. */
static void begin(const struct wg_emit *e, struct wg_access *plan, uint32_t bits) {
    plan->form = WG_ACCESS_LANES;
    plan->bits = bits;
    plan->cost = WG_LANES * (e->L.avx512 ? LANE : LANE_AVX2);
}

/* Takes the form if it is cheaper than the plan so far; cost 0: the access does not have this form. */
static void consider(struct wg_access *plan, enum wg_access_form form, uint32_t cost) {
    if (!cost || cost >= plan->cost) return;
    plan->form = form;
    plan->cost = cost;
}

/* For an index of a sum, what to compare with rows. */
static void find_term(const struct wg_emit *e, const struct wg_ir_instr *in, struct wg_access *plan) {
    bool rows = plan->form == WG_ACCESS_SPECULATED;
    plan->grows = rows ? wg_index_grows_by(e, in, plan->columns) : WG_NO_REG;
}

static void tell(const struct wg_emit *e, const struct wg_access *plan) {
    const struct wg_ir_instr *at = &e->func->blocks[e->block].instrs[e->instr];
    if (plan->form == WG_ACCESS_LINES) wg_plan_yes(e->opts, WG_FORM_shared_lines, at);
    if (plan->form == WG_ACCESS_STRIDED) wg_plan_yes(e->opts, WG_FORM_strided, at);
    if (plan->form == WG_ACCESS_SPECULATED || plan->form == WG_ACCESS_FEW_ROWS)
        wg_plan_yes(e->opts, WG_FORM_clamped, at);
}

void wg_plan_load(const struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                  uint32_t bits, LLVMValueRef mask, struct wg_access *plan) {
    begin(e, plan, bits);
    if (!wg_ir_is_weak(in)) return;
    consider(plan, WG_ACCESS_PIECES, cost_of_pieces(e, in, plan, a, mask, false));
    uint32_t lines = cost_of_lines(e, in, plan, a, mask), runs = cost_of_runs(e, plan, a, mask, false);
    consider(plan, WG_ACCESS_LINES, lines);
    consider(plan, WG_ACCESS_RUNS, lines ? runs + WAITS : runs);
    consider(plan, WG_ACCESS_STRIDED, cost_of_strided(e, plan, a, mask, false));
    /* A warp comes to GENERAL where its lanes are not in one row, and bytes and 16-bit words are gathered eight at a time. */
    bool parted = e->v == WG_GENERAL && bits < 32;
    if ((parted || e->v == WG_CONVERGED) && may_compare(e, in, a, bits / 8)) {
        if (!parted && wg_index_is_clamped(e, &in->src[0]))
            consider(plan, WG_ACCESS_SPECULATED, cost_of_row(e, plan));
        else if (wg_index_is_divided(e, &in->src[0]))
            consider(plan, parted || wg_shares_rows(e, in) ? WG_ACCESS_FEW_ROWS : WG_ACCESS_SPECULATED,
                     cost_of_row(e, plan));
    }
    find_term(e, in, plan);
    tell(e, plan);
}

void wg_plan_store(const struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                   uint32_t bits, LLVMValueRef mask, struct wg_access *plan) {
    begin(e, plan, bits);
    if (!wg_ir_is_weak(in)) return;
    uint32_t runs = cost_of_runs(e, plan, a, mask, true), waits = in->space == WG_S_SHARED ? WAITS : 0;
    plan->cost += waits;
    consider(plan, WG_ACCESS_PIECES, cost_of_pieces(e, in, plan, a, mask, true));
    consider(plan, WG_ACCESS_RUNS, runs && !wg_is_full(mask) ? runs + waits : runs);
    consider(plan, WG_ACCESS_STRIDED, cost_of_strided(e, plan, a, mask, true));
    if (e->v == WG_CONVERGED && may_compare(e, in, a, bits / 8) && wg_index_is_of_thread(e, &in->src[0]))
        consider(plan, WG_ACCESS_SPECULATED, cost_of_row(e, plan));
    find_term(e, in, plan);
    tell(e, plan);
}
