/* Parses what nvdisasm prints into functions of basic blocks: see sass.h. */
#include "analysis/sass.h"

#include <stdlib.h>
#include <string.h>

struct label {
    const char *name;
    size_t length;
    uint32_t at; /* the instruction after it */
};

struct parser {
    struct wg_arena *a;
    WG_VEC(struct wg_sass_instr) instrs;
    WG_VEC(struct label) labels;
    uint32_t line;
};

bool wg_sass_is(const struct wg_sass_instr *in, const char *opcode) {
    size_t n = strlen(opcode);
    return !strncmp(in->op, opcode, n) && strchr(" .;", in->op[n]); /* its end, too */
}

static bool is_one_of(const struct wg_sass_instr *in, const char *const *names) {
    while (*names && !wg_sass_is(in, *names)) names++;
    return *names != NULL;
}
bool wg_sass_loads(const struct wg_sass_instr *in) {
    return is_one_of(in, (const char *const[]){"LDG", "LDS", "LDL", "LD", NULL});
}
bool wg_sass_stores(const struct wg_sass_instr *in) {
    return is_one_of(in, (const char *const[]){"STG", "STS", "STL", "ST", NULL});
}

/* ---- Lines ---- */

/* "@!P0 BRA `(.L_x_3) ;" after the offset's comment */
static void read_instr(struct parser *p, const char *at, const char *end) {
    while (at < end && *at == ' ') at++;
    while (end > at && strchr(" ;\r", end[-1])) end--;
    if (at == end) return;
    char *text = wg_arena_strndup(p->a, at, (size_t)(end - at));
    const char *op = text;
    if (*op == '@') {
        op += strcspn(op, " ");
        op += strspn(op, " ");
    }
    bool guarded = op != text && strncmp(text, "@PT ", 4) != 0;
    *WG_PUSH(&p->instrs) = (struct wg_sass_instr){text, op, p->line, guarded};
}

static void read_line(struct parser *p, const char *at, const char *end) {
    const char *const file = "//## File \".nv_debug_ptx_txt\", line ";
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    if (end - at > 2 && !strncmp(at, "/*", 2)) {
        const char *close = memchr(at + 2, '/', (size_t)(end - at - 2));
        if (close && close[-1] == '*') read_instr(p, close + 1, end);
    } else if (!strncmp(at, file, strlen(file))) {
        p->line = (uint32_t)strtoul(at + strlen(file), NULL, 10);
    } else if (end > at && end[-1] == ':') {
        *WG_PUSH(&p->labels) = (struct label){at, (size_t)(end - 1 - at), p->instrs.n};
    }
}

/* ---- Blocks ---- */

static bool is_jump(const struct wg_sass_instr *in) {
    static const char *const names[] = {"BRA", "EXIT", "RET",  "BRX",   "BRXU", "JMP",
                                        "JMX", "CALL", "KILL", "BSYNC", "BPT"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wg_sass_is(in, names[i])) return true;
    return false;
}

static bool ends_thread(const struct wg_sass_instr *in) {
    return wg_sass_is(in, "EXIT") || wg_sass_is(in, "RET") || wg_sass_is(in, "KILL") || wg_sass_is(in, "BPT");
}

/* The instruction after the label of this name. */
static uint32_t find_label(const struct parser *p, const char *name, size_t n) {
    for (uint32_t i = 0; i < p->labels.n; i++)
        if (p->labels.v[i].length == n && !strncmp(p->labels.v[i].name, name, n)) return p->labels.v[i].at;
    return WG_SASS_NONE;
}

enum { NEXT_AT_MOST = 64 }; /* blocks after a block: those of a switch */

struct blocks {
    const struct parser *p;
    struct wg_sass_func *f;
    uint32_t *block_of; /* [instruction] */
};

static void add_next(const struct blocks *x, struct wg_sass_block *b, uint32_t at) {
    if (at >= x->f->ninstrs) return;
    uint32_t to = x->block_of[at];
    if (b->nnext == NEXT_AT_MOST) return;
    for (uint32_t i = 0; i < b->nnext; i++)
        if (b->next[i] == to) return;
    b->next[b->nnext++] = to;
}

/* The label that an operand names: `(.L_x_3) */
static const char *label_in(const char *text, size_t *n) {
    const char *at = strstr(text, "`(");
    if (!at) return NULL;
    *n = strcspn(at + 2, ")");
    return at + 2;
}

/* BRX: the targets are listed in a comment, (*"BRANCH_TARGETS .L_x_1,.L_x_2"*) */
static void add_targets(const struct blocks *x, struct wg_sass_block *b, const char *text) {
    const char *at = strstr(text, "BRANCH_TARGETS ");
    for (at = at ? at + strlen("BRANCH_TARGETS ") : ""; *at == '.';) {
        size_t n = strcspn(at, ",\"* ");
        uint32_t to = find_label(x->p, at, n);
        if (to != WG_SASS_NONE) add_next(x, b, to);
        at += n;
        at += strspn(at, ", ");
    }
}

/* Where lanes meet that a BSYNC waits for: what the last BSSY of the same register before it says. */
static uint32_t meeting_place(const struct blocks *x, uint32_t sync) {
    const char *text = x->f->instrs[sync].op, *which = strchr(text, ' ');
    for (uint32_t i = sync; which && i-- > 0;) {
        const struct wg_sass_instr *in = &x->f->instrs[i];
        const char *other = strchr(in->op, ' ');
        size_t n;
        if (!wg_sass_is(in, "BSSY") || !other || strncmp(other, which, strlen(which)) != 0) continue;
        const char *label = label_in(in->op, &n);
        return label ? find_label(x->p, label, n) : WG_SASS_NONE;
    }
    return WG_SASS_NONE;
}

static void connect(const struct blocks *x, struct wg_sass_block *b) {
    const struct wg_sass_instr *last = &x->f->instrs[b->to - 1];
    size_t n = 0;
    const char *label = label_in(last->op, &n);
    uint32_t target = label ? find_label(x->p, label, n) : WG_SASS_NONE;
    bool falls = !is_jump(last) || last->guarded;
    b->exits = ends_thread(last);
    if (wg_sass_is(last, "CALL")) {
        b->calls = label ? wg_arena_strndup(x->p->a, label, n) : "";
        b->callee = target == WG_SASS_NONE ? WG_SASS_NONE : x->block_of[target];
        falls = true;
    } else if (wg_sass_is(last, "BSYNC")) {
        uint32_t place = meeting_place(x, b->to - 1);
        if (place != WG_SASS_NONE) add_next(x, b, place);
        falls = last->guarded || place == WG_SASS_NONE;
    } else if (!strncmp(last->op, "BRA.DIV", strlen("BRA.DIV"))) {
        falls = true;
        if (target < x->f->ninstrs) x->f->blocks[x->block_of[target]].rare = true;
    } else if (is_jump(last) && !b->exits) {
        /* "BRA P1, `(.L)" and "BRA.U UP0, `(.L)" have their condition behind the opcode. */
        const char *operand = last->op + strcspn(last->op, " ");
        falls |= wg_sass_is(last, "BRA") && (strncmp(operand, " `", 2) != 0) && label;
        if (target != WG_SASS_NONE) add_next(x, b, target);
        add_targets(x, b, last->op);
    }
    if (falls) add_next(x, b, b->to);
}

static void find_blocks(const struct parser *p, struct wg_sass_func *f) {
    bool *begins = WG_NEW_N(p->a, bool, f->ninstrs + 1);
    struct blocks x = {p, f, WG_NEW_N(p->a, uint32_t, f->ninstrs + 1)};
    for (uint32_t i = 0; i < p->labels.n; i++) begins[p->labels.v[i].at] = true;
    for (uint32_t i = 0; i < f->ninstrs; i++)
        if (is_jump(&f->instrs[i])) begins[i + 1] = true;
    f->blocks = WG_NEW_N(p->a, struct wg_sass_block, f->ninstrs + 1);
    for (uint32_t i = 0; i < f->ninstrs; i++) {
        if (!i || begins[i])
            f->blocks[f->nblocks++] = (struct wg_sass_block){.from = i, .callee = WG_SASS_NONE};
        f->blocks[f->nblocks - 1].to = i + 1;
        x.block_of[i] = f->nblocks - 1;
    }
    for (uint32_t b = 0; b < f->nblocks; b++) {
        f->blocks[b].next = WG_NEW_N(p->a, uint32_t, NEXT_AT_MOST);
        connect(&x, &f->blocks[b]);
    }
}

/* ---- Functions ---- */

static void end_function(struct parser *p, const char *name, size_t n, struct wg_sass_func *f) {
    *f = (struct wg_sass_func){.name = wg_arena_strndup(p->a, name, n), .ninstrs = p->instrs.n};
    f->instrs = WG_NEW_N(p->a, struct wg_sass_instr, p->instrs.n + 1);
    if (p->instrs.n) memcpy(f->instrs, p->instrs.v, p->instrs.n * sizeof *f->instrs);
    find_blocks(p, f);
    p->instrs.n = p->labels.n = p->line = 0;
}

void wg_sass_parse(struct wg_arena *a, const char *text, struct wg_sass *out) {
    const char *const section = "\t.section\t.text.";
    struct parser p = {.a = a};
    WG_VEC(struct wg_sass_func) funcs = {0};
    const char *name = NULL;
    *out = (struct wg_sass){0};
    if (!strncmp(text, "ptxas ", 6)) out->assembler = wg_arena_strndup(a, text, strcspn(text, "\n"));
    for (const char *at = text, *end; *at; at = *end ? end + 1 : end) {
        end = at + strcspn(at, "\n");
        if (!strncmp(at, "\t.section\t", strlen("\t.section\t"))) {
            if (name) end_function(&p, name, strcspn(name, ",\""), WG_PUSH(&funcs));
            name = strncmp(at, section, strlen(section)) ? NULL : at + strlen(section);
        } else if (name) {
            read_line(&p, at, end);
        }
    }
    if (name) end_function(&p, name, strcspn(name, ",\""), WG_PUSH(&funcs));
    out->v = WG_NEW_N(a, struct wg_sass_func, funcs.n + 1);
    if (funcs.n) memcpy(out->v, funcs.v, funcs.n * sizeof *out->v);
    out->n = funcs.n;
    free(funcs.v);
    free(p.instrs.v);
    free(p.labels.v);
}

const struct wg_sass_func *wg_sass_find(const struct wg_sass *s, const char *name) {
    for (uint32_t i = 0; i < s->n; i++)
        if (!strcmp(s->v[i].name, name)) return &s->v[i];
    return NULL;
}
