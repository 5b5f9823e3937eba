/* See chain.h. */
#include "report/chain.h"
#include "report/ptx_text.h"
#include <math.h>
#include <string.h>

/* Of an SM. Additions of integers and moves go to either of the first two. */
enum pipe { FMA, ALU, EITHER, XU, F64, SHUFFLE, PIPES, NO_PIPE };

/* Cycles from an instruction to one that reads its result, and those that it keeps an SM's pipe busy for a warp. */
struct kind {
    double latency, busy;
    enum pipe pipe;
};

/* ---- Instructions by name ---- */

struct named {
    const char *name; /* the operation, and what its type ends in; "" any */
    const char *type;
    struct kind kind;
};
/* From h200-chains.tsv: chains, and of rates those that a pipe binds; the first that fits. */
static const struct named named[] = {
    {"div.full", "f32", {26, 2, XU}},
    {"div.approx", "f32", {26, 2, XU}},
    {"div", "f32", {44.7, 4.39, FMA}},
    {"div", "f64", {110.7, 5.84, F64}},
    {"rcp.approx.ftz", "f64", {23, 2, XU}},
    {"rcp", "f64", {80.4, 5.84, F64}},
    {"sqrt.approx", "f32", {23, 2, XU}},
    {"sqrt", "f32", {64.2, 2.46, XU}},
    {"sqrt", "f64", {80.4, 6.26, F64}},
    {"rsqrt", "f64", {80.4, 6.26, F64}},
    {"rcp.approx", "f32", {23, 2, XU}},
    {"rcp", "f32", {64.2, 2.46, XU}},
    {"div", "s64", {165.7, 8.61, FMA}},
    {"div", "u64", {165.7, 8.61, FMA}},
    {"rem", "s64", {165.7, 8.61, FMA}},
    {"rem", "u64", {165.7, 8.61, FMA}},
    {"div", "u32", {56.9, 3.19, ALU}},
    {"rem", "u32", {60.8, 3.19, ALU}},
    {"div", "", {68.6, 4.48, ALU}},
    {"rem", "", {72.5, 4.26, ALU}},
    {"ex2", "", {23, 2.1, XU}},
    {"lg2", "", {23, 2.1, XU}},
    {"sin", "", {23, 2.1, XU}},
    {"cos", "", {23, 2.1, XU}},
    {"tanh", "", {23, 2.1, XU}},
    {"rsqrt", "", {23, 2.1, XU}},
    {"popc", "", {23.2, 0.88, XU}},
    {"clz", "", {23.3, 0.86, XU}},
    {"bfind", "", {23.3, 0.86, XU}},
    {"brev", "", {23.3, 0.86, XU}},
    {"vote", "", {21.5, 1.17, SHUFFLE}},
    {"shfl", "", {23, 1, SHUFFLE}},
    {"redux", "", {44.2, 2.09, SHUFFLE}},
    {"match", "", {44.2, 2.09, SHUFFLE}},
    {"mul.wide", "", {4.6, 0.5, FMA}},
    {"mad.wide", "", {4.6, 0.5, FMA}},
    {"mul", "64", {12.5, 2.06, FMA}},
    {"mad", "64", {12.5, 2.06, FMA}},
    {"mul", "s32", {4.6, 0.5, FMA}},
    {"mul", "u32", {4.6, 0.5, FMA}},
    {"mad", "s32", {4.6, 0.5, FMA}},
    {"mad", "u32", {4.6, 0.5, FMA}},
};

static const struct kind simple = {4.07, 0.5, ALU}, nothing = {0, 0, NO_PIPE};

static bool ends(const char *s, const char *with) {
    size_t n = strlen(s), m = strlen(with);
    return n >= m && !strcmp(s + n - m, with);
}

/* cvt.rn.f32.s32 and the like are of the pipe for special functions; narrower integers are bits of wider ones. */
static struct kind conversion(const char *op) {
    const char *from = strrchr(op, '.'), *to = from ? from - 1 : op;
    while (to > op && *to != '.') to--;
    bool floats = from && (from[1] == 'f' || to[1] == 'f' || from[1] == 'b' || to[1] == 'b');
    if (!floats) return (struct kind){4.07, 0.5, ALU};
    if (ends(op, "f32.f16") || strstr(op, ".f16.f32") || strstr(op, "bf16"))
        return (struct kind){4.6, 0.5, ALU};
    return (struct kind){23, 2.11, XU};
}

/* Loads of memory in the SM, which trips (trips.h) are not. */
static struct kind load(const char *op) {
    const double shared = 30.1, local = 32.1, constant = 35.3;
    if (wg_ptx_starts(op, "ld.shared") || wg_ptx_starts(op, "ldmatrix"))
        return (struct kind){shared, 0, NO_PIPE};
    if (wg_ptx_starts(op, "ld.local")) return (struct kind){local, 0, NO_PIPE};
    if (wg_ptx_starts(op, "ld.const")) return (struct kind){constant, 0, NO_PIPE};
    return nothing;
}

/* What takes no instruction of its own, or whose result no warp waits for here. */
static bool is_nothing(const char *op) {
    static const char *const names[] = {"st",   "red.",     "atom.",   "bra",     "ret", "bar",
                                        "cvta", "mov.",     "membar.", "fence",   "cp.", "call",
                                        "exit", "prefetch", "pragma",  "isspacep"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wg_ptx_starts(op, names[i])) return true;
    return false;
}

static struct kind kind_of(const char *op) {
    if (wg_ptx_starts(op, "ld")) return load(op);
    if (wg_ptx_starts(op, "atom.shared")) return (struct kind){60.2, 0, NO_PIPE};
    if (is_nothing(op)) return nothing;
    if (wg_ptx_starts(op, "cvt.")) return conversion(op);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        size_t n = strlen(named[i].name);
        if (wg_ptx_starts(op, named[i].name) && (op[n] == '.' || !op[n]) && ends(op, named[i].type))
            return named[i].kind;
    }
    bool compares = wg_ptx_starts(op, "setp") || wg_ptx_starts(op, "min") || wg_ptx_starts(op, "max");
    if (ends(op, "f64")) return (struct kind){8.2, 0.59, F64};
    if (ends(op, "f32") && !compares) return (struct kind){4.07, 0.25, FMA};
    if (ends(op, "64") && !wg_ptx_starts(op, "selp")) return (struct kind){8.14, 1, ALU};
    bool either = wg_ptx_starts(op, "add") || wg_ptx_starts(op, "sub");
    return either ? (struct kind){4.07, 0.5, EITHER} : simple;
}

/* ---- Blocks ---- */

struct ready {
    uint32_t block; /* that wrote the register, plus one; and when it is there */
    double cycle;
};
struct work {
    double path;        /* cycles of the longest path */
    double busy[PIPES]; /* cycles of each pipe, a warp */
};

static void wait_for(struct wg_ptx_names *names, const struct ready *ready, uint32_t block, const char *at,
                     double *start) {
    const char *name;
    size_t n;
    while (wg_ptx_next(&at, NULL, &name, &n)) {
        const struct ready *r = &ready[wg_ptx_name(names, name, n)];
        if (r->block == block && r->cycle > *start) *start = r->cycle;
    }
}

static void follow(struct work *w, struct wg_ptx_names *names, struct ready *ready, uint32_t block,
                   const char *text) {
    struct wg_ptx_text t = wg_ptx_text(text);
    struct kind kind = kind_of(t.op);
    double start = 0;
    wait_for(names, ready, block, t.sources, &start);
    if (t.guard) wait_for(names, ready, block, t.guard, &start); /* and for what it writes, which may stay */
    double end = start + kind.latency;
    const char *at = t.operands, *name;
    size_t n;
    while (t.writes && wg_ptx_next(&at, t.sources, &name, &n))
        ready[wg_ptx_name(names, name, n)] = (struct ready){block, end};
    if (end > w->path) w->path = end;
    if (kind.pipe != NO_PIPE) w->busy[kind.pipe] += kind.busy;
}

/* ---- The launch ---- */

static double busiest(const double busy[PIPES]) {
    double most = (busy[FMA] + busy[ALU] + busy[EITHER]) / 2;
    for (int i = 0; i < PIPES; i++)
        if (i != EITHER) most = fmax(most, busy[i]);
    return most;
}

/* Cycles that warps wait longer for shared memory because lanes take turns at a bank: measured, as 32 to a bank take 92.0
 * cycles and one 30.1. */
static double conflicts(const struct wg_profile_kernel *k, const struct wg_launch *l) {
    const double turn = (92.0 - 30.1) / 31;
    double turns = 0;
    for (uint32_t i = 0; i < l->site_count; i++) {
        const uint64_t *v = l->sites[i].counts.v;
        if (wg_class_infos[k->sites[l->sites[i].site].class].memory == WG_MEMORY_SHARED)
            turns += (double)v[WG_C_wavefronts] - (double)v[WG_C_ideal_wavefronts];
    }
    return fmax(0, turns) * turn;
}

struct wg_chain wg_chain_find(const struct wg_profile_kernel *k, const struct wg_launch *l, double warps,
                              const struct wg_slowest *slowest) {
    struct wg_chain c = {0};
    struct wg_arena a = {0};
    double busy[PIPES] = {0}, own = 0;
    const uint64_t *executed = wg_profile_executions(k, l, &a);
    struct wg_ptx_names names = wg_ptx_names(k, &a);
    struct ready *ready = WG_NEW_N(&a, struct ready, names.mask + 1);
    bool known = k->code_count > 0;
    for (uint32_t i = 0; i < k->code_count; i++) known &= k->code[i].text != NULL;
    for (uint32_t i = 0; known && i < k->code_count;) {
        struct work w = {0};
        uint32_t first = i, block = k->code[i].block;
        for (; i < k->code_count && k->code[i].block == block; i++)
            follow(&w, &names, ready, first + 1, k->code[i].text);
        c.cycles += w.path * (double)executed[block];
        own += w.path * wg_slowest_turns(slowest, k->code[first].ptx_line);
        for (int p = 0; p < PIPES; p++) busy[p] += w.busy[p] * (double)executed[block];
    }
    c.slowest = c.cycles > 0 ? own * warps / c.cycles : 0;
    if (known) c.cycles += conflicts(k, l);
    c.pipes = busiest(busy);
    wg_arena_free(&a);
    return c;
}
