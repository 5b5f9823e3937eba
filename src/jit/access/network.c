/* Shuffle networks between rows and fields of interleaved accesses: see network.h. */
#include "jit/access/network.h"

enum { MOST_LANES = 16, NOTHING = -1, VECTOR = 64 };

/* A unit has a number: lane * stride + field, or row * lanes + place. A class is the final vector of a
 * unit: a field, or a row. */
struct side {
    struct wg_emit *e;
    const struct wg_network *n;
    bool to_rows;
};

struct part { /* one vector */
    LLVMValueRef v;
    uint32_t classes;
    int16_t unit[MOST_LANES];
};

struct bundle { /* units of each class from some of the sources; each class is in one part only */
    struct part part[WG_NETWORK_UNITS];
    uint32_t n;
};

static uint32_t class_of(const struct side *s, int unit) {
    return s->to_rows ? (uint32_t)unit / s->n->lanes : (uint32_t)unit % s->n->stride;
}

static uint32_t place_of(const struct side *s, int unit) {
    return s->to_rows ? (uint32_t)unit % s->n->lanes : (uint32_t)unit / s->n->stride;
}

static bool is_wanted(const struct wg_network *n, uint32_t unit) { return n->wanted >> unit % n->stride & 1; }

bool wg_network_touches(const struct wg_network *n, uint32_t row) {
    for (uint32_t i = 0; i < n->lanes; i++)
        if (is_wanted(n, row * n->lanes + i)) return true;
    return false;
}

static uint32_t count(const struct side *s, const struct part *p, uint32_t classes) {
    uint32_t sum = 0;
    for (uint32_t i = 0; p && i < s->n->lanes; i++)
        sum += p->unit[i] != NOTHING && classes >> class_of(s, p->unit[i]) & 1;
    return sum;
}

/* The indices of a permutation as a vector in memory, shared by all equal ones. */
static LLVMValueRef load_places(struct wg_emit *e, LLVMTypeRef t, const LLVMValueRef *c, uint32_t lanes) {
    LLVMTypeRef element = LLVMGetElementType(t);
    LLVMValueRef at[MOST_LANES];
    char name[] = "places.0123456789abcdef";
    for (uint32_t i = 0; i < MOST_LANES; i++) {
        uint64_t from = i < lanes && !LLVMIsPoison(c[i]) ? LLVMConstIntGetZExtValue(c[i]) : 0;
        name[sizeof "places." - 1 + i] = (char)('A' + from);
        at[i] = LLVMConstInt(element, from, 0);
    }
    LLVMValueRef global = LLVMGetNamedGlobal(e->L.module, name);
    if (!global || LLVMGlobalGetValueType(global) != t) {
        global = LLVMAddGlobal(e->L.module, t, name);
        LLVMSetInitializer(global, LLVMConstVector(at, lanes));
        LLVMSetLinkage(global, LLVMPrivateLinkage);
        LLVMSetAlignment(global, VECTOR);
    }
    LLVMValueRef places = LLVMBuildLoad2(e->L.b, t, global, "");
    LLVMSetAlignment(places, VECTOR);
    LLVMSetMetadata(places, LLVMGetMDKindIDInContext(e->L.ctx, "invariant.load", 14),
                    LLVMMetadataAsValue(e->L.ctx, e->invariant));
    return places;
}

/* Uses the intrinsic, with indices opaque to LLVM: on shuffles it would spend twice the time of the rest
 * of a kernel to save an instruction. */
LLVMValueRef wg_network_permuted(struct wg_emit *e, LLVMValueRef a, LLVMValueRef b, const LLVMValueRef *c,
                                 uint32_t lanes) {
    const char *name =
        lanes == MOST_LANES ? "llvm.x86.avx512.vpermi2var.d.512" : "llvm.x86.avx512.vpermi2var.q.512";
    LLVMValueRef args[3] = {a, load_places(e, LLVMTypeOf(a), c, lanes), b};
    return wg_lower_intrinsic(&e->L, name, NULL, 0, args, 3);
}

/* The units of the two parts (b may be NULL) that belong to `classes`, in one vector; `last`: of one
 * class, in order. */
static void join(const struct side *s, const struct part *a, const struct part *b, uint32_t classes,
                 bool last, struct part *out) {
    uint32_t lanes = s->n->lanes, used = 0;
    LLVMValueRef c[MOST_LANES];
    bool same = true;
    out->classes = classes;
    for (uint32_t i = 0; i < lanes; i++) out->unit[i] = NOTHING, c[i] = LLVMGetPoison(s->e->i32);
    bool only_a = !b || !count(s, b, classes), only_b = !count(s, a, classes);
    for (uint32_t class = 0; class < s->n->stride; class ++)
        for (uint32_t i = 0; classes >> class & 1 && i < 2 * lanes; i++) {
            const struct part *from = i < lanes ? a : b;
            int unit = from ? from->unit[i % lanes] : NOTHING;
            if (unit == NOTHING || class_of(s, unit) != class) continue;
            uint32_t to = last ? place_of(s, unit) : only_a || only_b ? i % lanes : used++;
            out->unit[to] = (int16_t)unit;
            same &= to == i % lanes;
            c[to] = wg_i32(s->e, i);
        }
    out->v = only_a ? a->v : b->v;
    if (same && (only_a || only_b)) return;
    if (s->e->L.avx512) {
        out->v = wg_network_permuted(s->e, a->v, b ? b->v : a->v, c, lanes);
        return;
    }
    LLVMValueRef second = b ? b->v : LLVMGetPoison(LLVMTypeOf(a->v));
    out->v = LLVMBuildShuffleVector(s->e->L.b, a->v, second, LLVMConstVector(c, lanes), "");
}

/* Joins two parts' common classes, as many per vector as fit. */
static void join_parts(const struct side *s, const struct part *a, const struct part *b, bool last,
                       struct bundle *out) {
    uint32_t common = a->classes & (b ? b->classes : UINT32_MAX);
    while (common) {
        uint32_t bin = 0, held = 0;
        for (uint32_t class = 0; class < s->n->stride; class ++) {
            uint32_t bit = common & 1u << class;
            if (!bit) continue;
            uint32_t more = count(s, a, bit) + count(s, b, bit);
            if (bin && (last || held + more > s->n->lanes)) break;
            bin |= bit;
            held += more;
        }
        common &= ~bin;
        join(s, a, b, bin, last, &out->part[out->n++]);
    }
}

/* Joins parts[n] into one bundle. */
static void build(const struct side *s, const struct part *parts, uint32_t n, bool last, struct bundle *out) {
    uint32_t half = 1;
    out->n = 0;
    if (n == 1) {
        if (last)
            join_parts(s, &parts[0], NULL, true, out);
        else
            out->part[out->n++] = parts[0];
        return;
    }
    while (2 * half < n) half *= 2;
    struct bundle a, b;
    build(s, parts, half, false, &a);
    build(s, parts + half, n - half, false, &b);
    for (uint32_t i = 0; i < a.n; i++)
        for (uint32_t k = 0; k < b.n; k++) join_parts(s, &a.part[i], &b.part[k], last, out);
}

static void run(const struct side *s, const LLVMValueRef *from, LLVMValueRef *to) {
    const struct wg_network *n = s->n;
    struct part parts[WG_NETWORK_UNITS];
    struct bundle result;
    uint32_t count = 0, all = 0;
    for (uint32_t i = 0; i < n->stride; i++) {
        to[i] = NULL;
        bool here = s->to_rows ? wg_network_touches(n, i) : is_wanted(n, i);
        all |= (uint32_t)here << i;
    }
    for (uint32_t i = 0; i < n->stride; i++) {
        if (!from[i]) continue;
        struct part *p = &parts[count++];
        *p = (struct part){.v = from[i], .classes = all};
        for (uint32_t l = 0; l < n->lanes; l++) {
            uint32_t unit = s->to_rows ? l * n->stride + i : i * n->lanes + l;
            p->unit[l] = (int16_t)(is_wanted(n, unit) ? (int)unit : NOTHING);
        }
    }
    build(s, parts, count, true, &result);
    for (uint32_t i = 0; i < result.n; i++)
        to[(uint32_t)__builtin_ctz(result.part[i].classes)] = result.part[i].v;
}

void wg_network_to_fields(struct wg_emit *e, const struct wg_network *n, const LLVMValueRef *row,
                          LLVMValueRef *field) {
    run(&(struct side){e, n, false}, row, field);
}

void wg_network_to_rows(struct wg_emit *e, const struct wg_network *n, const LLVMValueRef *field,
                        LLVMValueRef *row) {
    run(&(struct side){e, n, true}, field, row);
}
