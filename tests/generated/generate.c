/* Whole programs: nesting of control flow, functions and calls, and the frame around them. */
#include "tests/generated/draw.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static struct node *body(struct maker *m, const struct place *at, uint32_t statements);

/* ---- control flow ---- */

static struct node *branch(struct maker *m, const struct place *at) {
    struct node *n = node_new(m->a, NODE_IF, m->serial++);
    struct place in = *at;
    bool uniform = at->uniform && chance(m, 40);
    n->name = format(m, "%%c%u", m->serial++);
    const char *set = uniform ? uniform_condition(m, n->name) : condition(m, n->name);
    in.depth++;
    in.uniform = uniform;
    struct place other = in;
    if (at->mask && !uniform) { /* the lanes that go each way */
        in.mask = format(m, "%%m%u", m->serial++);
        other.mask = format(m, "%%m%u", m->serial++);
        n->text = format(m,
                         "  .reg .pred %s;\n  .reg .b32 %s, %s;\n%s  vote.sync.ballot.b32 %s, %s, %s;\n"
                         "  vote.sync.ballot.b32 %s, !%s, %s;\n",
                         n->name, in.mask, other.mask, set, in.mask, n->name, at->mask, other.mask, n->name,
                         at->mask);
    } else {
        n->text = format(m, "  .reg .pred %s;\n%s", n->name, set);
    }
    node_add(m->a, n, body(m, &in, 1 + draw(m, 4)));
    if (chance(m, 50)) node_add(m->a, n, body(m, &other, 1 + draw(m, 4)));
    return n;
}

static struct node *loop(struct maker *m, const struct place *at) {
    struct node *n = node_new(m->a, NODE_LOOP, m->serial++);
    struct place in = *at;
    bool uniform = at->uniform && chance(m, 50);
    uint32_t s = m->serial++;
    n->name = format(m, "%%c%u", s);
    in.depth++;
    in.uniform = uniform;
    const char *bound = uniform ? format(m, "and.b32 %%n%u, %%q%u, 7;", s, draw(m, NQ))
                                : format(m, "and.b32 %%n%u, %s, %u;", s, any_v(m), chance(m, 80) ? 7 : 31);
    n->text = format(m, "  .reg .pred %s;\n  .reg .b32 %%n%u, %%m%u;\n  %s\n  mov.u32 %%m%u, %s;\n", n->name,
                     s, s, bound, s, at->mask ? at->mask : "0");
    const char *more =
        at->mask && !uniform ? format(m, "  vote.sync.ballot.b32 %%m%u, !%s, %%m%u;\n", s, n->name, s) : "";
    n->test = format(m, "  setp.eq.u32 %s, %%n%u, 0;\n%s", n->name, s, more);
    n->after = format(m, "  sub.u32 %%n%u, %%n%u, 1;\n", s, s);
    if (at->mask && !uniform) in.mask = format(m, "%%m%u", s);
    node_add(m->a, n, body(m, &in, 1 + draw(m, 5)));
    return n;
}

static struct node *choice(struct maker *m, const struct place *at) {
    struct node *n = node_new(m->a, NODE_SWITCH, m->serial++);
    struct place in = *at;
    uint32_t arms = 2 + draw(m, 4);
    in.depth++;
    in.uniform = false;
    in.mask = NULL;
    n->name = format(m, "%%n%u", m->serial++);
    n->text = format(m, "  .reg .b32 %s;\n  rem.u32 %s, %s, %u;\n", n->name, n->name, any_v(m), arms);
    for (uint32_t k = 0; k < arms; k++) node_add(m->a, n, body(m, &in, 1 + draw(m, 3)));
    return n;
}

/* Blocks with jumps anywhere; at most 24 of them are gone through. */
static struct node *web(struct maker *m, const struct place *at) {
    struct node *n = node_new(m->a, NODE_WEB, m->serial++);
    struct place in = *at;
    uint32_t blocks = 3 + draw(m, 4), s = m->serial++;
    in.depth = 9;
    in.uniform = false;
    in.mask = NULL;
    n->text = format(m, "  .reg .b32 %%n%u;\n  mov.u32 %%n%u, %u;\n", s, s, 6 + draw(m, 18));
    for (uint32_t k = 0; k < blocks; k++) {
        struct node *b = body(m, &in, 1 + draw(m, 2));
        b->name = format(m, "%%c%u", m->serial++);
        /* Out of the web when the count is used up: the second hop of block k is k + 1, so all ways lead out.
         */
        b->test = format(
            m,
            "  .reg .pred %s, %s_, %s__;\n  sub.u32 %%n%u, %%n%u, 1;\n  setp.gt.s32 %s__, %%n%u, 0;\n%s"
            "  and.pred %s, %s_, %s__;\n",
            b->name, b->name, b->name, s, s, b->name, s, condition(m, format(m, "%s_", b->name)), b->name,
            b->name, b->name);
        b->hop[0] = draw(m, blocks);
        b->hop[1] = k + 1;
        node_add(m->a, n, b);
    }
    return n;
}

/* ---- calls ---- */

static struct node *call(struct maker *m, const struct place *at) {
    uint32_t f = draw(m, at->functions);
    bool indirect = chance(m, 30) && (at->kernel || !m->p->flat);
    uint32_t s = m->serial++;
    const char *target = format(m, "f%u", f), *set = "";
    if (indirect) {
        target = format(m, "%%to%u", s);
        const char *which = chance(m, 50) ? any_v(m) : "%q0";
        set = format(m,
                     "  .reg .b64 %%to%u;\n  { .reg .b32 %%i; .reg .b64 %%a; rem.u32 %%i, %s, %u; "
                     "mul.wide.u32 %%a, %%i, 8;"
                     " mov.u64 %%to%u, table_%u; add.s64 %%a, %%a, %%to%u; ld.global.u64 %%to%u, [%%a]; }\n"
                     "  PROTO_%u: .callprototype (.param .b32 _) _ (.param .b64 _, .param .b64 _, .param "
                     ".b32 _, .param .b32 _);\n",
                     s, which, at->functions, s, at->functions, s, s, s);
    }
    return text_node(
        m, format(m,
                  "%s  { .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b32 p3; .param .b32 pr;\n"
                  "    st.param.b64 [p0], %%in; st.param.b64 [p1], %%own; st.param.b32 [p2], %s; "
                  "st.param.b32 [p3], %s;\n"
                  "    call (pr), %s, (p0, p1, p2, p3)%s;\n    ld.param.b32 %s, [pr]; }\n",
                  set, any_v(m), any_v(m), target, indirect ? format(m, ", PROTO_%u", s) : "", any_v(m)));
}

/* ---- bodies ---- */

static struct node *leave(struct maker *m, struct place *at) {
    const char *p = format(m, "%%c%u", m->serial++);
    at->exits = true;
    return text_node(m, format(m,
                               "  .reg .pred %s;\n  { .reg .b32 %%t; and.b32 %%t, %s, 15; setp.eq.u32 %s, "
                               "%%t, %u; }\n  @%s %s;\n",
                               p, any_v(m), p, draw(m, 16), p, chance(m, 50) ? "exit" : "bra DONE"));
}

static struct node *statement(struct maker *m, struct place *at) {
    uint32_t kind = draw(m, 100);
    bool nest = at->depth < 4 && m->budget > 4;
    if (kind < 9 && nest) return branch(m, at);
    if (kind < 16 && nest) return loop(m, at);
    if (kind < 19 && nest) return choice(m, at);
    if (kind < 22 && nest) return web(m, at);
    if (kind < 27 && at->functions && at->depth < 3) return call(m, at);
    if (kind < 33 && at->kernel && at->mask) return together(m, at);
    if (kind < 38 && at->kernel && at->uniform) return exchange(m, at);
    if (kind < 60) return memory(m, at);
    return simple(m, at);
}

static struct node *body(struct maker *m, const struct place *at, uint32_t statements) {
    struct node *n = node_new(m->a, NODE_SEQ, m->serial++);
    struct place here = *at;
    for (uint32_t k = 0; k < statements && m->budget; k++) {
        m->budget--;
        node_add(m->a, n, statement(m, &here));
    }
    return n;
}

/* The kernel: early exits come at its top level only, so that who is gone is known. */
static struct node *kernel_body(struct maker *m, const struct place *at) {
    struct node *n = node_new(m->a, NODE_SEQ, m->serial++);
    struct place here = *at;
    while (m->budget) {
        m->budget--;
        bool out = !here.exits && m->budget < 12 && chance(m, 10);
        node_add(m->a, n, out ? leave(m, &here) : statement(m, &here));
    }
    return n;
}

/* One to a thousand threads, mostly one warp or two of which the last is not whole. */
static void any_block(struct maker *m, uint32_t block[3]) {
    uint32_t kind = draw(m, 20), most = kind < 13 ? 64 : kind < 16 ? 256 : kind < 17 ? MAX_THREADS : 0;
    block[0] = most ? 1 + draw(m, most) : 1 + draw(m, 12);
    block[1] = most ? 1 : 1 + draw(m, 9);
    block[2] = most ? 1 : 1 + draw(m, 3);
}

void program_make(struct program *p, uint64_t seed, uint32_t size, enum purpose purpose) {
    static const uint32_t shapes[][3] = {{64, 1, 1}, {32, 1, 1}, {128, 1, 1}, {16, 8, 1}, {8, 4, 2},
                                         {48, 1, 1}, {33, 1, 1}, {7, 5, 3},   {1, 1, 1},  {256, 1, 1}};
    *p = (struct program){.seed = seed, .exact = purpose == FOR_A_GPU, .flat = purpose == FOR_CHECKS};
    struct maker m = {
        .p = p, .a = &p->arena, .random = seed * UINT64_C(0x9e3779b97f4a7c15) + 0x632be59bd9b4e019};
    for (int k = 0; k < 8; k++) draw(&m, 2);
    memcpy(p->block, shapes[draw(&m, sizeof shapes / sizeof *shapes)], sizeof p->block);
    if (seed >= ANY_SIZE_FROM) any_block(&m, p->block);
    memcpy(p->grid, (uint32_t[]){1 + draw(&m, 3), 1, 1}, sizeof p->grid);
    for (int k = 0; k < 2; k++) p->q[k] = draw(&m, chance(&m, 50) ? 16 : 1000);
    p->nfunctions = chance(&m, 60) ? 0 : 1 + draw(&m, MAX_FUNCTIONS);
    for (uint32_t k = 0; k < p->nfunctions; k++) {
        struct place at = {.functions = k, .depth = 1};
        m.budget = size / 4 + 2;
        p->function[k] = body(&m, &at, m.budget);
        if (chance(&m, 8) && !p->flat) p->recursive |= 1u << k;
    }
    struct place at = {.kernel = true, .uniform = true, .mask = "-1", .functions = p->nfunctions};
    m.budget = size;
    p->kernel = kernel_body(&m, &at);
}

/* ---- the frame ---- */

static const char registers[] =
    "  .reg .b32 %v<10>, %q<4>, %x, %t, %tx, %ty, %lane, %threads, %cells, %all, %z<6>;\n"
    "  .reg .b64 %w<4>, %in, %own, %mine, %counts, %out, %at;\n  .reg .f32 %g<4>;\n  .reg .f64 %k<2>;\n"
    "  .local .align 16 .b8 locals[64];\n  mov.u64 %mine, locals;\n";

/* Values in every register, from %x and what the thread read. */
static void first_values(struct wg_strbuf *o) {
    for (int k = 0; k < 4; k++)
        wg_strbuf_printf(o, "  st.local.v4.b32 [%%mine+%d], {%%x, %%tx, %d, %%z0};\n", 16 * k, k * 77);
    for (int k = 0; k < 10; k++)
        wg_strbuf_printf(o, "  mad.lo.u32 %%v%d, %%z0, %u, %u;\n", k, k * 2654435 + 1, k * 40503);
    for (int k = 0; k < 4; k++) wg_strbuf_printf(o, "  mul.wide.s32 %%w%d, %%v%d, %%v%d;\n", k, k, k + 5);
    for (int k = 0; k < 4; k++)
        wg_strbuf_printf(o, "  cvt.rn.f32.s32 %%g%d, %%v%d;\n  mul.f32 %%g%d, %%g%d, 0f38D1B717;\n", k, k + 2,
                         k, k);
    for (int k = 0; k < 2; k++) wg_strbuf_printf(o, "  cvt.rn.f64.s32 %%k%d, %%v%d;\n", k, k + 7);
}

static void print_function(const struct program *p, uint32_t k, struct wg_strbuf *o) {
    wg_strbuf_printf(o,
                     ".func (.param .b32 r) f%u (.param .b64 p_in, .param .b64 p_own, .param .b32 p_a, "
                     ".param .b32 p_b) {\n%s",
                     k, registers);
    wg_strbuf_puts(o,
                   "  ld.param.b64 %in, [p_in];\n  ld.param.b64 %own, [p_own];\n  ld.param.b32 %z0, [p_a];\n"
                   "  ld.param.b32 %x, [p_b];\n  mov.u32 %tx, %tid.x;\n  mov.u32 %ty, %tid.y;\n  mov.u32 "
                   "%lane, %laneid;\n"
                   "  mov.u64 %counts, counts_at;\n  ld.global.u64 %counts, [%counts];\n");
    for (int q = 0; q < 4; q++)
        wg_strbuf_printf(o, "  mov.u32 %%q%d, %%ctaid.x;\n  add.u32 %%q%d, %%q%d, %d;\n", q, q, q, q * 3);
    first_values(o);
    node_print(p->function[k], o);
    if (p->recursive >> k & 1) /* as deep as the argument's low bits say */
        wg_strbuf_printf(o,
                         "  { .reg .b32 %%t; .reg .pred %%c; and.b32 %%t, %%x, 3; setp.eq.u32 %%c, %%t, 0; "
                         "@%%c bra FLAT;\n"
                         "    shr.u32 %%t, %%x, 2;\n    { .param .b64 p0; .param .b64 p1; .param .b32 p2; "
                         ".param .b32 p3; .param .b32 s;\n"
                         "      st.param.b64 [p0], %%in; st.param.b64 [p1], %%own; st.param.b32 [p2], %%v1; "
                         "st.param.b32 [p3], %%t;\n"
                         "      call (s), f%u, (p0, p1, p2, p3); ld.param.b32 %%v2, [s]; }\n  }\nFLAT:\n",
                         k);
    wg_strbuf_puts(
        o,
        "DONE:\n  xor.b32 %v0, %v0, %v1;\n  add.u32 %v0, %v0, %v2;\n  st.param.b32 [r], %v0;\n  ret;\n}\n");
}

/* Addresses of the first n functions. */
static void print_table(uint32_t n, struct wg_strbuf *o) {
    wg_strbuf_printf(o, ".global .align 8 .u64 table_%u[%u] = {", n, n);
    for (uint32_t k = 0; k < n; k++) wg_strbuf_printf(o, "%sf%u", k ? ", " : "", k);
    wg_strbuf_puts(o, "};\n");
}

/* All registers and a part of local memory, in few instructions: every one is compiled a few times. */
static void results(struct wg_strbuf *o) {
    wg_strbuf_puts(o, "  st.global.v4.b32 [%out], {%v0, %v1, %v2, %v3};\n  st.global.v4.b32 [%out+16], {%v4, "
                      "%v5, %v6, %v7};\n"
                      "  st.global.v2.b32 [%out+32], {%v8, %v9};\n  st.global.v2.b64 [%out+48], {%w0, %w1};\n"
                      "  st.global.v2.b64 [%out+64], {%w2, %w3};\n  .reg .pred %nan;\n");
    for (int k = 0; k < 4; k++)
        wg_strbuf_printf(o,
                         "  setp.nan.f32 %%nan, %%g%d, %%g%d;\n  selp.f32 %%g%d, 0f7FFFFFFF, %%g%d, %%nan;\n",
                         k, k, k, k);
    for (int k = 0; k < 2; k++)
        wg_strbuf_printf(
            o, "  setp.nan.f64 %%nan, %%k%d, %%k%d;\n  selp.f64 %%k%d, 0d7FF8000000000000, %%k%d, %%nan;\n",
            k, k, k, k);
    wg_strbuf_puts(
        o, "  st.global.v4.f32 [%out+80], {%g0, %g1, %g2, %g3};\n  st.global.v2.f64 [%out+96], {%k0, %k1};\n"
           "  ld.local.v4.b32 {%v0, %v1, %v2, %v3}, [%mine];\n  st.global.v4.b32 [%out+112], {%v0, %v1, %v2, "
           "%v3};\n");
}

static void print_frame(const struct program *p, struct wg_strbuf *o) {
    uint32_t threads = p->block[0] * p->block[1] * p->block[2];
    wg_strbuf_printf(o, ".shared .align 16 .b8 cells[%u];\n.global .align 8 .u64 counts_at;\n",
                     p->seed < ANY_SIZE_FROM ? 1024 : MAX_THREADS * 4);
    for (uint32_t k = 0; k < p->nfunctions; k++) {
        print_function(p, k, o);
        print_table(k + 1, o);
    }
    wg_strbuf_printf(
        o,
        ".visible .entry made(.param .u64 p_in, .param .u64 p_own, .param .u64 p_out, .param .u64 p_counts,\n"
        "    .param .u32 p_q0, .param .u32 p_q1) {\n%s",
        registers);
    wg_strbuf_printf(
        o,
        "  mov.u32 %%tx, %%tid.x;\n  mov.u32 %%ty, %%tid.y;\n  mov.u32 %%z1, %%tid.z;\n"
        "  mad.lo.u32 %%t, %%z1, %u, %%ty;\n  mad.lo.u32 %%t, %%t, %u, %%tx;\n  mov.u32 %%threads, %u;\n"
        "  mov.u32 %%z2, %%ctaid.x;\n  mad.lo.u32 %%x, %%z2, %%threads, %%t;\n  mov.u32 %%lane, %%laneid;\n",
        p->block[1], p->block[0], threads);
    wg_strbuf_printf(
        o,
        "  ld.param.u64 %%in, [p_in];\n  ld.param.u64 %%own, [p_own];\n  ld.param.u64 %%out, [p_out];\n"
        "  ld.param.u64 %%counts, [p_counts];\n  st.global.u64 [counts_at], %%counts;\n"
        "  mul.wide.u32 %%at, %%x, %d;\n  add.s64 %%own, %%own, %%at;\n"
        "  mul.wide.u32 %%at, %%x, %d;\n  add.s64 %%out, %%out, %%at;\n  mov.u32 %%cells, cells;\n"
        "  ld.param.u32 %%q0, [p_q0];\n  ld.param.u32 %%q1, [p_q1];\n  mov.u32 %%q2, %%z2;\n"
        "  xor.b32 %%q3, %%q0, %%q2;\n  mul.wide.u32 %%at, %%x, 4;\n  add.s64 %%at, %%in, %%at;\n"
        "  ld.global.b32 %%z0, [%%at];\n  .reg .pred %%live;\n  setp.eq.u32 %%live, 0, 0;\n"
        "  vote.sync.ballot.b32 %%all, %%live, -1;\n",
        4 * OWN_WORDS, 4 * OUT_WORDS);
    first_values(o);
    node_print(p->kernel, o);
    wg_strbuf_puts(o, "DONE:\n");
    results(o);
    wg_strbuf_puts(o, "  ret;\n}\n");
}

static bool mentions(const char *text, const char *reg) {
    size_t n = strlen(reg);
    for (const char *at = strstr(text, reg); at; at = strstr(at + n, reg))
        if (!isalnum((unsigned char)at[n])) return true;
    return false;
}

/* In one of a list of lines. */
static bool cut_mentions(const struct node *lines, const char *reg) {
    for (uint32_t k = 0; k < lines->nkids; k++)
        if (lines->kids[k]->removed && mentions(lines->kids[k]->text, reg)) return true;
    return false;
}

/* The statements, and before them what sets their registers and the registers of that. */
static void print_wanted(const struct program *p, struct wg_strbuf *o) {
    struct wg_strbuf statements = {0};
    bool *wanted = wg_xcalloc(p->nsets + 1, sizeof *wanted);
    node_print(p->kernel, &statements);
    for (uint32_t k = p->nsets; k-- > 0;) {
        if (p->in_place_of_cut && !cut_mentions(p->kernel, p->sets[k].reg)) continue;
        wanted[k] = statements.s && mentions(statements.s, p->sets[k].reg);
        for (uint32_t n = k + 1; n < p->nsets && !wanted[k]; n++)
            wanted[k] = wanted[n] && mentions(p->sets[n].text, p->sets[k].reg);
    }
    for (uint32_t k = 0; k < p->nsets; k++)
        if (wanted[k]) wg_strbuf_puts(o, p->sets[k].text);
    if (statements.s) wg_strbuf_puts(o, statements.s);
    wg_strbuf_free(&statements);
    free(wanted);
}

void program_print(const struct program *p, struct wg_strbuf *o) {
    wg_strbuf_printf(o,
                     "// seed %llu: grid %u x %u x %u, block %u x %u x %u, q %u %u, data %u, kernel %s\n%s",
                     (unsigned long long)p->seed, p->grid[0], p->grid[1], p->grid[2], p->block[0],
                     p->block[1], p->block[2], p->q[0], p->q[1], p->data, p->entry ? p->entry : "made",
                     p->entry ? "" : ".version 8.6\n.target sm_90\n.address_size 64\n");
    if (p->head) {
        wg_strbuf_puts(o, p->head);
        print_wanted(p, o);
        wg_strbuf_puts(o, p->tail);
    } else {
        print_frame(p, o);
    }
    if (p->edit) p->edit(o, p->seed);
}

void program_free(struct program *p) { wg_arena_free(&p->arena); }
