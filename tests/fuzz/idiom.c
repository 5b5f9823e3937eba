/* Idioms' common part: see idiom.h. */
#include "tests/fuzz/idiom.h"
#include <string.h>

const struct idiom idioms[] = {
    {"structure", words_structure},
    {"permuted", words_permuted},
    {"network", words_network},
    {"image", words_image},
    {"local", words_local},
    {"ring", words_ring},
    {"rows", words_rows},
    {"shared", shared_permuted},
    {"butterfly", shared_butterfly},
    {"sort", shared_sort},
    {"scan", shared_scan},
    {"tile", shared_tile},
    {"sum", shared_sum},
    {"halo", shared_stencil},
    {"product", shared_product},
    {"lanes", lanes_sum},
    {"lanescan", lanes_scan},
    {"lanemix", lanes_mixed},
    {"exits", lanes_exits},
    {"switch", lanes_switch},
    {"recursion", lanes_recursion},
    {"warpwords", lanes_words},
    {"stride", grid_stride},
    {"stencil", grid_stencil},
    {"histogram", grid_histogram},
    {"table", grid_table},
    {"gather", grid_gather},
};
const uint32_t nidioms = sizeof idioms / sizeof *idioms;

const struct type types[] = {{"u32", 4, 'v'}, {"f32", 4, 'g'}, {"u8", 1, 'v'},
                             {"s8", 1, 'v'},  {"u16", 2, 'v'}, {"s16", 2, 'v'},
                             {"u64", 8, 'w'}, {"f64", 8, 'k'}, {"b16", 2, 'h'}};

void statement_put(struct maker *m, const char *text) {
    node_add(m->a, m->into, text_node(m, format(m, "  %s\n", text)));
}

uint32_t either(struct maker *m, const uint32_t *of, uint32_t n) { return of[draw(m, n)]; }

const struct type *type_any(struct maker *m) {
    if (m->p->data == DATA_FLOATS) return &types[EITHER(TYPE_F32, TYPE_F32, TYPE_F32, TYPE_F64)];
    return &types[EITHER(TYPE_U32, TYPE_U32, TYPE_U32, TYPE_U32, TYPE_U8, TYPE_S8, TYPE_U16, TYPE_S16,
                         TYPE_F16, TYPE_U64)];
}

/* ---- shapes ---- */

uint32_t threads_of(const struct program *p) { return p->block[0] * p->block[1] * p->block[2]; }
uint32_t total_of(const struct program *p) { return threads_of(p) * p->grid[0] * p->grid[1] * p->grid[2]; }

void shape_set(struct maker *m, uint32_t blocks, uint32_t x, uint32_t y, uint32_t z) {
    uint32_t block[] = {x, y, z}, grid[] = {blocks, 1, 1}, most = FUZZ_THREADS / (x * y * z);
    if (grid[0] > most) grid[0] = most;
    memcpy(m->p->block, block, sizeof block);
    memcpy(m->p->grid, grid, sizeof grid);
}

/* Any number, smaller ones more often. */
static uint32_t size_to(struct maker *m, uint32_t most) {
    uint32_t top = 1u << (1 + draw(m, 10));
    return 1 + draw(m, top < most ? top : most);
}

void shape_any(struct maker *m, uint32_t most) {
    uint32_t x = size_to(m, most), y = 1, z = 1, kind = draw(m, 10);
    if (kind < 5) {
        do x = EITHER(32, 32, 64, 64, 96, 128, 256, 512, 1024);
        while (x > most);
    } else if (kind < 8) {
        x = kind == 5 ? EITHER(8, 16, 32) : 1 + draw(m, 40);
        y = 1 + draw(m, kind == 5 ? 8 : 12);
        z = chance(m, 25) ? 1 + draw(m, 4) : 1;
        while (x * y * z > most) *(z > 1 ? &z : y > 1 ? &y : &x) /= 2;
    } else if (kind == 8 && most >= 256) { /* warps side by side, and one that is not whole */
        x = 64 + draw(m, 192);
    } else if (kind == 9 && chance(m, 25)) {
        x = 1;
    }
    shape_set(m, 1 + draw(m, 4), x, y, z);
}

void shape_power(struct maker *m, uint32_t least, uint32_t most) {
    uint32_t n = least;
    while (n < most && chance(m, 60)) n *= 2;
    shape_set(m, 1 + draw(m, 3), n, 1, 1);
}

/* ---- the frame ---- */

struct settings {
    struct maker *m;
    struct register_set set[160];
    uint32_t n;
    struct wg_strbuf declared;
};
static void set(struct settings *s, const char *reg, const char *text) {
    s->set[s->n++] = (struct register_set){reg, format(s->m, "  %s\n", text)};
}

static void registers(struct settings *s, const char *type, char name, uint32_t n, const char *how) {
    if (!n) return;
    wg_strbuf_printf(&s->declared, "  .reg .%s %%%c<%u>;\n", type, name, n);
    for (uint32_t k = 0; k < n; k++) {
        const char *reg = format(s->m, "%%%c%u", name, k);
        set(s, reg, format(s->m, "%s %s, %u;", how, reg, k + 1));
    }
}

static void who(struct settings *s, const struct program *p) {
    const uint32_t *b = p->block;
    set(s, "%tx", "mov.u32 %tx, %tid.x;");
    set(s, "%ty", "mov.u32 %ty, %tid.y;");
    set(s, "%tz", "mov.u32 %tz, %tid.z;");
    set(s, "%bx", "mov.u32 %bx, %ctaid.x;");
    set(s, "%lane", "mov.u32 %lane, %laneid;");
    if (b[1] * b[2] == 1)
        set(s, "%t", "mov.u32 %t, %tx;");
    else if (b[2] == 1)
        set(s, "%t", format(s->m, "mad.lo.u32 %%t, %%ty, %u, %%tx;", b[0]));
    else
        set(s, "%t",
            format(s->m, "mad.lo.u32 %%t, %%tz, %u, %%ty; mad.lo.u32 %%t, %%t, %u, %%tx;", b[1], b[0]));
    set(s, "%n", chance(s->m, 50) ? "mov.u32 %n, %ntid.x;" : format(s->m, "mov.u32 %%n, %u;", threads_of(p)));
    if (b[1] * b[2] > 1) s->set[s->n - 1].text = format(s->m, "  mov.u32 %%n, %u;\n", threads_of(p));
    set(s, "%x", "mad.lo.u32 %x, %bx, %n, %t;");
}

/* The parameter's value, moved by %x * stride. */
static void moved(struct settings *s, const char *base, uint32_t stride) {
    const char *load = format(s->m, "ld.param.u64 %%%s, [p_%s];", base, base),
               *reg = format(s->m, "%%%s", base);
    uint32_t log = stride ? (uint32_t)__builtin_ctz(stride) : 0, kind = stride ? draw(s->m, 5) : 9;
    if (kind == 9)
        set(s, reg, load);
    else if (kind == 0)
        set(s, reg, format(s->m, "%s mad.wide.u32 %s, %%x, %u, %s;", load, reg, stride, reg));
    else if (kind == 1 && !(stride & (stride - 1)))
        set(s, reg,
            format(s->m, "%s cvt.u64.u32 %%d, %%x; shl.b64 %%d, %%d, %u; add.s64 %s, %s, %%d;", load, log,
                   reg, reg));
    else
        set(s, reg,
            format(s->m, "%s mul.wide.%s %%d, %%x, %u; add.s64 %s, %s, %%d;", load, kind == 2 ? "s32" : "u32",
                   stride, reg, reg));
}

static void set_all(struct settings *s, const struct frame *f) {
    registers(s, "b32", 'v', f->nv, "mov.b32");
    for (uint32_t k = 0; f->by_lane && k < f->nv; k++)
        s->set[k].text =
            format(s->m, "  mov.u32 %%v%u, %%laneid; add.u32 %%v%u, %%v%u, %u;\n", k, k, k, k + 1);
    registers(s, "f32", 'g', f->ng, "cvt.rn.f32.u32");
    registers(s, "b64", 'w', f->nw, "mov.b64");
    registers(s, "f64", 'k', f->nk, "cvt.rn.f64.u32");
    registers(s, "b16", 'h', f->nh, "mov.b16");
    set(s, "%q0", "ld.param.u32 %q0, [p_q0];");
    set(s, "%q1", "ld.param.u32 %q1, [p_q1];");
    who(s, s->m->p);
    moved(s, "in", 0);
    moved(s, "counts", 0);
    moved(s, "own", f->own_stride);
    moved(s, "out", f->out_stride);
    set(s, "%i", "mov.u32 %i, %t;");
    set(s, "%j", "mov.u32 %j, 0;");
    set(s, "%e", "mov.u32 %e, %x;");
    set(s, "%a", "mov.u64 %a, %own;");
    set(s, "%b", "mov.u64 %b, %out;");
    for (uint32_t k = 0; k < 8; k++)
        set(s, format(s->m, "%%p%u", k), format(s->m, "setp.gt.u32 %%p%u, %%x, %u;", k, 5 * k));
    if (f->shared) set(s, "%cells", "mov.u32 %cells, shared_bytes;");
    if (f->local) set(s, "%mine", "mov.u64 %mine, local_bytes;");
}

void frame_put(struct maker *m, const struct frame *f) {
    struct settings s = {.m = m};
    set_all(&s, f);
    struct register_set *kept = WG_NEW_N(m->a, struct register_set, s.n);
    memcpy(kept, s.set, s.n * sizeof *kept);
    m->p->sets = kept;
    m->p->nsets = s.n;
    if (f->shared) wg_strbuf_printf(&s.declared, "  .shared .align 16 .b8 shared_bytes[%u];\n", f->shared);
    if (f->local) wg_strbuf_puts(&s.declared, "  .local .align 16 .b8 local_bytes[256];\n");
    m->p->head = format(
        m,
        "%s.visible .entry made(.param .u64 p_in, .param .u64 p_own, .param .u64 p_out, .param .u64 "
        "p_counts,\n    .param .u32 p_q0, .param .u32 p_q1) {\n"
        "  .reg .b32 %%t, %%tx, %%ty, %%tz, %%bx, %%x, %%lane, %%n, %%i, %%j, %%e, %%q0, %%q1, %%cells;\n"
        "  .reg .b64 %%in, %%own, %%out, %%counts, %%a, %%b, %%d, %%mine;\n  .reg .pred %%p<8>;\n%s",
        f->functions ? f->functions : "", s.declared.s ? s.declared.s : "");
    m->p->tail = "DONE:\n  ret;\n}\n";
    wg_strbuf_free(&s.declared);
}

/* Whether what is the same in all lanes may be shuffled where lanes may be absent: a GPU's assembler leaves
 * out such a shuffle, and PTX allows that. */
static bool may_leave_out_shuffles(const struct program *p) {
    static const char *const same_in_all[] = {"redux.sync", "match.", "vote."};
    struct wg_strbuf text = {0};
    program_print(p, &text);
    bool absent = threads_of(p) % 32 || strstr(text.s, "exit;") || strstr(text.s, "bra DONE");
    bool same = false;
    for (uint32_t k = 0; k < 3; k++) same |= strstr(text.s, same_in_all[k]) != NULL;
    const char *from_one = strstr(text.s, "shfl.sync.idx"); /* and what another shuffle makes of it */
    same |= from_one && strstr(from_one + 1, "shfl.sync");
    bool may = absent && same && strstr(text.s, "shfl.sync");
    wg_strbuf_free(&text);
    return may;
}

void idiom_make(struct program *p, const struct idiom *i, uint64_t seed) {
    *p = (struct program){.seed = seed, .kind = i->name};
    struct maker m = {
        .p = p, .a = &p->arena, .random = seed * UINT64_C(0x9e3779b97f4a7c15) + 0x632be59bd9b4e019};
    for (int k = 0; k < 8; k++) draw(&m, 2);
    for (int k = 0; k < 2; k++) p->q[k] = draw(&m, chance(&m, 50) ? 16 : 1000);
    p->kernel = m.into = node_new(m.a, NODE_SEQ, m.serial++);
    p->data = chance(&m, 60) ? DATA_INTEGERS : DATA_FLOATS;
    i->make(&m);
    p->open |= may_leave_out_shuffles(p);
}

/* ---- control ---- */

uint32_t loop_begin(struct maker *m, const char *count, struct node **saved) {
    struct node *n = node_new(m->a, NODE_LOOP, m->serial++);
    uint32_t s = m->serial++;
    n->name = format(m, "%%c%u", s);
    n->text = format(m, "  .reg .pred %%c%u;\n  .reg .b32 %%n%u;\n  mov.u32 %%n%u, 0;\n", s, s, s);
    const char *step = format(m, "  add.u32 %%n%u, %%n%u, 1;\n", s, s);
    if (chance(m, 50)) {
        n->test = format(m, "  setp.ge.u32 %%c%u, %%n%u, %s;\n", s, s, count);
        n->after = step;
    } else {
        n->after =
            format(m, "%s  setp.%s.u32 %%c%u, %%n%u, %s;\n", step, chance(m, 50) ? "ne" : "lt", s, s, count);
    }
    struct node *body = node_new(m->a, NODE_SEQ, m->serial++);
    node_add(m->a, n, body);
    node_add(m->a, m->into, n);
    *saved = m->into;
    m->into = body;
    return s;
}
void loop_end(struct maker *m, struct node *saved) { m->into = saved; }

void if_begin(struct maker *m, const char *predicate, struct node **saved) {
    struct node *n = node_new(m->a, NODE_IF, m->serial++), *body = node_new(m->a, NODE_SEQ, m->serial++);
    n->name = predicate;
    n->text = "";
    node_add(m->a, n, body);
    node_add(m->a, m->into, n);
    *saved = m->into;
    m->into = body;
}
void if_end(struct maker *m, struct node *saved) { m->into = saved; }

/* ---- orders and operations ---- */

void permutation(struct maker *m, uint8_t *order, uint32_t n, bool near) {
    for (uint32_t k = 0; k < n; k++) order[k] = (uint8_t)k;
    for (uint32_t k = 0; n > 1 && k < (near ? 1 + draw(m, n) : 3 * n); k++) {
        uint32_t i = draw(m, n - 1), j = near ? i + 1 : draw(m, n);
        uint8_t was = order[i];
        order[i] = order[j];
        order[j] = was;
    }
}

void shuffle(struct maker *m, uint32_t from, bool near) {
    struct node **kids = m->into->kids + from;
    uint32_t n = m->into->nkids - from;
    for (uint32_t k = 0; n > 1 && k < (near ? 1 + draw(m, 2 * n) : 3 * n); k++) {
        uint32_t i = draw(m, n - 1), j = near ? i + 1 : draw(m, n);
        struct node *was = kids[i];
        kids[i] = kids[j];
        kids[j] = was;
    }
}

const char *operation(struct maker *m, const struct type *t) {
    static const char *const b32[] = {"add.u32", "sub.u32",    "xor.b32", "min.s32",
                                      "max.u32", "mul.lo.u32", "and.b32"};
    static const char *const f32[] = {"add.f32", "sub.f32", "min.f32", "max.f32"};
    static const char *const b64[] = {"add.u64", "xor.b64", "sub.s64", "min.u64"};
    static const char *const f64[] = {"add.f64", "sub.f64", "max.f64"};
    static const char *const b16[] = {"add.u16", "sub.u16", "xor.b16", "min.s16", "mul.lo.u16"};
    switch (t->reg) {
    case 'g': return f32[draw(m, 4)];
    case 'w': return b64[draw(m, 4)];
    case 'k': return f64[draw(m, 3)];
    case 'h': return b16[draw(m, 5)];
    default: return b32[draw(m, 7)];
    }
}
