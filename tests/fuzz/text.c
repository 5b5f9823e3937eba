/* See text.h. */
#include "tests/fuzz/text.h"
#include "tests/generated/draw.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- taking a module apart ---- */

static bool begins_with(const char *line, const char *with) { return !strncmp(line, with, strlen(with)); }

/* Where the line's kernel begins: its name, or NULL. */
static const char *entry_name(struct wg_arena *a, const char *line) {
    const char *at = strstr(line, ".entry ");
    if (!at || line[0] != '.') return NULL;
    at += strlen(".entry ");
    return wg_arena_strndup(a, at, strcspn(at, "( \n"));
}

/* A register that is read where its last value was cut out has a number of its own: "%r12" of ".reg .b32
 * %r<40>;" */
static void set_registers(struct maker *m, struct program *p) {
    struct register_set *sets = NULL;
    uint32_t n = 0;
    for (const char *line = p->head; line && *line; line += strcspn(line, "\n") + 1) {
        char type[8], stem[16];
        unsigned count;
        if (sscanf(line, " .reg .%7s %15[%%a-z]<%u>;", type, stem, &count) != 3) continue;
        bool predicate = !strcmp(type, "pred");
        sets = wg_xrealloc(sets, (n + count) * sizeof *sets);
        for (uint32_t r = 0; r < count; r++) {
            const char *reg = format(m, "%s%u", stem, r);
            sets[n++] = (struct register_set){
                reg, predicate        ? format(m, "\tsetp.eq.u32 %s, %u, 1;\n", reg, r % 2)
                     : type[0] == 'f' ? format(m, "\tcvt.rn.%s.u32 %s, %u;\n", type, reg, r)
                                      : format(m, "\tmov.%s %s, %u;\n", type, reg, r)};
        }
    }
    struct register_set *kept = WG_NEW_N(m->a, struct register_set, n + 1);
    if (n) memcpy(kept, sets, n * sizeof *kept);
    free(sets);
    p->sets = kept;
    p->nsets = n;
    p->in_place_of_cut = true;
}

static bool declares(const char *line) {
    line += strspn(line, " \t");
    return begins_with(line, ".reg ") || begins_with(line, ".local ") || begins_with(line, ".shared ");
}

bool text_program(struct program *p, const char *ptx, const char *entry) {
    struct maker m = {.p = p, .a = &p->arena};
    struct wg_strbuf head = {0}, own = {0}, tail = {0}; /* own: up to the kernel's statements */
    enum { OUTSIDE, HEAD, BODY, OTHER } in = OUTSIDE;
    struct node *lines = node_new(m.a, NODE_SEQ, m.serial++);
    for (const char *at = ptx; *at;) {
        size_t n = strcspn(at, "\n");
        const char *line = wg_arena_strndup(m.a, at, n + (at[n] == '\n'));
        at += n + (at[n] == '\n');
        const char *name = in == OUTSIDE ? entry_name(m.a, line) : NULL;
        if (name) in = !strcmp(name, entry) ? HEAD : OTHER;
        if (begins_with(line, "//")) continue;
        if (in == OUTSIDE || in == HEAD) wg_strbuf_puts(own.s ? &tail : &head, line);
        if (in == BODY && declares(line))
            wg_strbuf_puts(&own, line);
        else if (in == BODY && line[0] != '}')
            node_add(m.a, lines, text_node(&m, line));
        if (in == HEAD && line[0] == '{') {
            wg_strbuf_puts(&own, head.s);
            in = BODY;
        } else if (line[0] == '}') {
            if (in == BODY) wg_strbuf_puts(&tail, line);
            in = OUTSIDE;
        }
    }
    p->head = own.s ? wg_arena_strdup(m.a, own.s) : NULL;
    p->tail = tail.s ? wg_arena_strdup(m.a, tail.s) : "";
    wg_strbuf_free(&own);
    wg_strbuf_free(&tail);
    wg_strbuf_free(&head);
    p->kernel = lines;
    p->entry = wg_arena_strdup(m.a, entry);
    set_registers(&m, p);
    return p->head != NULL;
}

/* ---- other orders ---- */

enum { MOST_OPERANDS = 24 };
struct line {
    const char *reg[MOST_OPERANDS]; /* registers and predicates, the written ones first */
    uint8_t len[MOST_OPERANDS];
    uint32_t n, written;
    bool fixed;         /* nothing goes past it */
    bool reads, writes; /* memory, or what lanes say together */
};

static bool add(struct line *l, const char *at, size_t len) {
    if (l->n == MOST_OPERANDS) return false;
    l->reg[l->n] = at;
    l->len[l->n++] = (uint8_t)len;
    return true;
}

/* %r12, %tid.x and the like. */
static size_t name_length(const char *at) {
    size_t n = 1;
    while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '$') n++;
    return n;
}

static struct line look(const char *text) {
    static const char *const moving[] = {"mov",  "add",  "sub", "mul",   "mad", "and",  "or.",  "xor",  "shl",
                                         "shr",  "not",  "neg", "min",   "max", "setp", "selp", "cvt",  "fma",
                                         "div",  "rem",  "abs", "sqrt",  "rcp", "bfe",  "bfi",  "prmt", "shf",
                                         "lop3", "popc", "clz", "brev",  "ld.", "st.",  "cvta", "slct", "sad",
                                         "dp",   "ex2",  "lg2", "rsqrt", "sin", "cos"};
    struct line l = {.fixed = true};
    const char *at = text + strspn(text, " \t");
    if (*at == '@') { /* under a predicate: what is written keeps its old value or not */
        size_t n = strcspn(at, " \t");
        const char *p = strchr(at, '%');
        if (!p || !add(&l, p, name_length(p))) return l;
        at += n + strspn(at + n, " \t");
    }
    const char *op = at;
    for (size_t k = 0; k < sizeof moving / sizeof *moving; k++) l.fixed &= !begins_with(op, moving[k]);
    const char *end = strchr(at, ';');
    if (l.fixed || !end || strchr(end + 1, ';') || strstr(op, ".cc") || begins_with(op, "addc") ||
        strchr(text, ':')) {
        l.fixed = true;
        return l;
    }
    bool store = begins_with(op, "st"),
         strong = strstr(op, "volatile") || strstr(op, "relaxed") || strstr(op, "acquire");
    l.reads = begins_with(op, "ld") && !begins_with(op, "ld.param");
    l.writes = store || (l.reads && strong);
    if (begins_with(op, "st.param")) l.fixed = true;
    at += strcspn(at, " \t");
    size_t behind_written = store                              ? 0
                            : *(at + strspn(at, " \t")) == '{' ? strcspn(at, "}")
                                                               : strcspn(at, ",");
    const char *stop = at + behind_written;
    uint32_t guard = l.n;
    for (; at < end; at++) {
        if (*at != '%') continue;
        size_t n = name_length(at);
        if (!add(&l, at, n)) l.fixed = true;
        if (at < stop && l.n > guard) l.written = l.n;
        at += n - 1;
    }
    return l;
}

/* Whether b may go before a. */
static bool free_of(const struct line *a, const struct line *b) {
    if (a->fixed || b->fixed) return false;
    if ((a->writes && (b->reads || b->writes)) || (b->writes && (a->reads || a->writes))) return false;
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t j = 0; j < b->n; j++)
            if ((i < a->written || j < b->written) && a->len[i] == b->len[j] &&
                !memcmp(a->reg[i], b->reg[j], a->len[i]))
                return false;
    return true;
}

/* What stands in braces of its own may have names without a '%'. */
static int32_t braces(const char *text) {
    int32_t n = 0;
    for (; *text; text++) n += (*text == '{') - (*text == '}');
    return n;
}

static void reorder(struct maker *m, struct node *lines, uint32_t swaps) {
    struct line *l = wg_xcalloc(lines->nkids + 1, sizeof *l);
    int32_t depth = 0;
    for (uint32_t k = 0; k < lines->nkids; k++) {
        int32_t before = depth;
        depth += braces(lines->kids[k]->text);
        l[k] = look(lines->kids[k]->text);
        l[k].fixed |= before || depth;
    }
    for (int k = 0; k < 8; k++) draw(m, 2);
    for (; swaps && lines->nkids > 2; swaps--) {
        uint32_t at = draw(m, lines->nkids - 1);
        for (uint32_t run = 1 + draw(m, 8); run && at + 1 < lines->nkids && free_of(&l[at], &l[at + 1]);
             run--, at++) {
            struct node *was = lines->kids[at];
            struct line old = l[at];
            lines->kids[at] = lines->kids[at + 1];
            l[at] = l[at + 1];
            lines->kids[at + 1] = was;
            l[at + 1] = old;
        }
    }
    free(l);
}

static uint64_t spread(uint64_t seed) { return seed * UINT64_C(0x9e3779b97f4a7c15) + 0x632be59bd9b4e019; }

void text_reorder(struct program *p, uint64_t seed, uint32_t swaps) {
    struct maker m = {.p = p, .a = &p->arena, .random = spread(seed)};
    reorder(&m, p->kernel, swaps);
}

void text_reorder_module(const char *ptx, uint64_t seed, struct wg_strbuf *out) {
    struct program p = {0};
    struct maker m = {.p = &p, .a = &p.arena, .random = spread(seed)};
    enum { OUTSIDE, HEAD, BODY } in = OUTSIDE;
    struct node *lines = NULL;
    for (const char *at = ptx; *at;) {
        size_t n = strcspn(at, "\n");
        const char *line = wg_arena_strndup(m.a, at, n + (at[n] == '\n'));
        at += n + (at[n] == '\n');
        if (in == OUTSIDE && entry_name(m.a, line)) in = HEAD;
        if (in == BODY && line[0] == '}') {
            reorder(&m, lines, lines->nkids);
            for (uint32_t k = 0; k < lines->nkids; k++) wg_strbuf_puts(out, lines->kids[k]->text);
            in = OUTSIDE;
        }
        if (in == BODY)
            node_add(m.a, lines, text_node(&m, line));
        else
            wg_strbuf_puts(out, line);
        if (in == HEAD && line[0] == '{') {
            lines = node_new(m.a, NODE_SEQ, m.serial++);
            in = BODY;
        }
    }
    program_free(&p);
}
