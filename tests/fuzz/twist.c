/* See twist.h. */
#include "tests/fuzz/twist.h"
#include "base/arena.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct statement {
    const char *s; /* from its first word to before its semicolon */
    size_t n;
    const char *reg; /* what it gives for certain; NULL: nothing, or several, or under a guard */
    size_t length;
    uint32_t block; /* counted by labels and branches */
};
struct kernel {
    WG_VEC(struct statement) all;
    uint32_t at; /* the one to be twisted */
    uint64_t state;
};
#define ADD(...) wg_strbuf_printf(out, __VA_ARGS__)

static uint32_t below(struct kernel *k, size_t n) {
    k->state = k->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((k->state >> 33) % n);
}

/* ---- reading ---- */

/* "%rd12" */
static size_t register_length(const char *at) {
    size_t n = 1;
    while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
    return n;
}

/* "%rd", which says of which kind it is. */
static size_t stem_length(const char *reg) {
    size_t n = 1;
    while (isalpha((unsigned char)reg[n])) n++;
    return n;
}

/* Where the operands begin. */
static size_t operands(const struct statement *p) {
    size_t k = 0;
    for (int words = p->s[0] == '@' ? 2 : 1; words && k < p->n; words--) {
        k += strcspn(p->s + k, " \t;");
        k += strspn(p->s + k, " \t");
    }
    return k < p->n ? k : p->n;
}

static bool begins(const struct statement *p, const char *with) { return !strncmp(p->s, with, strlen(with)); }

static const char *find(const struct statement *p, const char *what) {
    const char *hit = strstr(p->s, what);
    return hit && hit + strlen(what) <= p->s + p->n ? hit : NULL;
}

/* As `find`, but not inside a word: "red." is no part of "shared.". */
static const char *find_word(const struct statement *p, const char *what) {
    const char *hit = find(p, what);
    return hit && (hit == p->s || !isalnum((unsigned char)*what) || !isalnum((unsigned char)hit[-1])) ? hit
                                                                                                      : NULL;
}

static void note_result(struct statement *p) {
    size_t k = operands(p);
    bool none = begins(p, "@") || begins(p, "st.") || begins(p, "red.") || begins(p, "bar") || begins(p, "{");
    if (none || p->s[k] != '%') return;
    p->reg = p->s + k;
    p->length = register_length(p->reg);
}

/* The statements of the kernel, from its first brace on; declarations are left out. */
static void read(struct kernel *k, const char *ptx) {
    const char *entry = strstr(ptx, ".entry"), *at = entry ? strchr(entry, '{') : NULL;
    uint32_t block = 0;
    for (at += at != NULL; at;) {
        at += strspn(at, " \t\n");
        if (!*at || *at == '}') return;
        size_t label = strcspn(at, ":; \t\n");
        if (at[label] == ':') {
            block += k->all.n != 0; /* the first label begins the function */
            at += label + 1;
            continue;
        }
        struct statement p = {.s = at, .n = strcspn(at, ";"), .block = block};
        note_result(&p);
        if (*at != '.') *WG_PUSH(&k->all) = p;
        if (find(&p, "bra")) block++;
        at += p.n + (at[p.n] == ';');
    }
}

/* ---- drawing ---- */

/* One of the kind of `like`, but not that: it is given in the kernel's first block, or before in this one. */
static const struct statement *draw_register(struct kernel *k, const char *like, size_t length) {
    const struct statement *drawn = NULL;
    size_t stem = stem_length(like);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < k->at; i++) {
        const struct statement *p = &k->all.v[i];
        bool there = p->reg && (!p->block || p->block == k->all.v[k->at].block);
        bool fits = there && stem_length(p->reg) == stem && strncmp(p->reg, like, stem) == 0;
        bool other = fits && (p->length != length || strncmp(p->reg, like, length) != 0);
        if (other && !below(k, ++seen)) drawn = p;
    }
    return drawn;
}

/* The statement with `size` characters at `at` as `with`. */
static bool put(struct wg_strbuf *out, const struct statement *p, const char *at, size_t size,
                const char *with, size_t length) {
    ADD("%.*s%.*s%.*s;", (int)(at - p->s), p->s, (int)length, with, (int)(p->s + p->n - at - (long)size),
        at + size);
    return true;
}

/* ---- twists: false where it is none for the statement ---- */

static bool other_register(struct kernel *k, struct wg_strbuf *out) {
    const struct statement *p = &k->all.v[k->at], *other;
    const char *where[8];
    uint32_t n = 0;
    for (size_t c = operands(p) + (p->reg ? p->length : 0); c < p->n; c++)
        if (p->s[c] == '%' && n < 8) where[n++] = p->s + c;
    if (!n) return false;
    const char *at = where[below(k, n)];
    size_t length = register_length(at);
    if (at[length] == '.') return false; /* %tid.x */
    other = draw_register(k, at, length);
    return other && put(out, p, at, length, other->reg, other->length);
}

static bool other_number(struct kernel *k, struct wg_strbuf *out) {
    const struct statement *p = &k->all.v[k->at];
    const char *where[8];
    char with[32];
    uint32_t n = 0;
    for (size_t c = operands(p); c < p->n; c++) {
        bool number = isdigit((unsigned char)p->s[c]) && !isalnum((unsigned char)p->s[c - 1]);
        if (number && p->s[c - 1] != '_' && p->s[c - 1] != '%' && n < 8) where[n++] = p->s + c;
    }
    if (!n || find(p, "bra") || find(p, "0f") || find(p, "0d")) return false;
    const char *at = where[below(k, n)];
    char *end;
    long long was = strtoll(at, &end, 10),
              step[] = {was + 1, was - 1, 2 * was, was / 2, 0, 1, was ^ 1, 4 * was, was + 4, was + 64, 3};
    long long to = step[below(k, sizeof step / sizeof *step)];
    if (to == was || (to < 0 && (begins(p, "shl") || begins(p, "shr") || begins(p, "bar")))) return false;
    bool minus = to < 0 && at[-1] == '-';
    snprintf(with, sizeof with, "%lld", minus ? -to : to);
    return put(out, p, at - minus, (size_t)(end - at) + minus, with, strlen(with));
}

static bool other_offset(struct kernel *k, struct wg_strbuf *out) {
    static const char *const with[] = {"+4]", "+128]", "+1]", "+8]", "+-4]"};
    const struct statement *p = &k->all.v[k->at];
    const char *at = find(p, "]");
    if (!at || find(p, ".param") || find(p, "+")) return false;
    const char *to = with[below(k, sizeof with / sizeof *with)];
    return put(out, p, at, 1, to, strlen(to));
}

/* Operations of the same operands: one for another of its group; a type of no sign where it asks for one. */
static bool other_operation(struct kernel *k, struct wg_strbuf *out) {
    static const char *const groups[][12] = {
        {"add.s32", "sub.s32", "xor.b32", "and.b32", "or.b32", "min.s32", "max.u32", "mul.lo.s32",
         "mul.hi.u32", "shl.b32"},
        {"add.s64", "sub.s64", "xor.b64", "and.b64", "or.b64", "min.s64", "max.u64", "mul.lo.s64"},
        {"shr.u32", "shr.s32", "shl.b32", "div.u32", "rem.u32", "div.s32", "rem.s32"},
        {"mul.wide.u32", "mul.wide.s32"},
        {"setp.eq", "setp.ne", "setp.lt", "setp.le", "setp.gt", "setp.ge"},
        {".add.", ".min.", ".max.", ".and.", ".or.", ".xor.", ".exch.", ".inc."},
        {".global.u32", ".global.u16", ".global.s8", ".global.u8"},
        {".shared.u32", ".shared.u16", ".shared.s8", ".shared.u8"},
        {".s32", ".u32", ".b32"},
        {".s64", ".u64", ".b64"},
        {"%tid.x", "%laneid", "%tid.y", "%ctaid.x", "%ntid.x", "%warpid"},
        {"ld.global", "ld.volatile.global", "ld.relaxed.gpu.global", "ld.global.nc"},
        {"st.shared", "st.volatile.shared", "st.relaxed.cta.shared"},
        {"atom.", "red."},
    };
    enum { GROUPS = sizeof groups / sizeof *groups };
    const struct statement *p = &k->all.v[k->at];
    for (uint32_t g = below(k, GROUPS), left = GROUPS; left; left--, g = (g + 1) % GROUPS) {
        uint32_t n = 0;
        while (n < 12 && groups[g][n]) n++;
        for (uint32_t i = 0; i < n; i++) {
            const char *at = find_word(p, groups[g][i]), *to = groups[g][(i + 1 + below(k, n - 1)) % n];
            if (at) return put(out, p, at, strlen(groups[g][i]), to, strlen(to));
        }
    }
    return false;
}

static bool other_guard(struct kernel *k, struct wg_strbuf *out) {
    const struct statement *p = &k->all.v[k->at];
    const struct statement *by = draw_register(k, "%p", 0);
    if (begins(p, "@!")) return put(out, p, p->s + 1, 1, "", 0);
    if (begins(p, "@%") && below(k, 2)) return put(out, p, p->s + 1, 0, "!", 1);
    if (begins(p, "@%") && !find(p, "bra")) return put(out, p, p->s, strcspn(p->s, " \t"), "", 0);
    bool may_be_off = begins(p, "st.") || begins(p, "red.") || begins(p, "bar");
    if (!by || !may_be_off) return false;
    ADD("@%s%.*s %.*s;", below(k, 2) ? "!" : "", (int)by->length, by->reg, (int)p->n, p->s);
    return true;
}

/* A statement that gives nothing is not there. */
static bool left_out(struct kernel *k, struct wg_strbuf *out) {
    const struct statement *p = &k->all.v[k->at];
    if (!begins(p, "st.") && !begins(p, "red.") && !begins(p, "bar") && !(find(p, "bra") && below(k, 2) == 0))
        return false;
    ADD("/* left out */");
    return true;
}

/* What stood elsewhere stands here, too. */
static bool one_more(struct kernel *k, struct wg_strbuf *out) {
    static const char *const some[] = {"bar.sync 0", "membar.gl", "membar.cta", "bar.warp.sync -1",
                                       "membar.sys"};
    const struct statement *p = &k->all.v[k->at], *more = &k->all.v[below(k, k->all.n)];
    bool fixed = below(k, 3) == 0,
         stores = begins(more, "st.") || begins(more, "red.") || begins(more, "atom.");
    bool there = !more->block || more->block == p->block;
    if (find(p, "bra") || (!fixed && (!stores || !there || more >= p))) return false;
    const char *text = some[below(k, sizeof some / sizeof *some)];
    ADD("%.*s; %.*s;", (int)p->n, p->s, fixed ? (int)strlen(text) : (int)more->n, fixed ? text : more->s);
    return true;
}

/* What it gives is computed once more from what it gave. */
static bool goes_on(struct kernel *k, struct wg_strbuf *out) {
    static const char *const of32[] = {"add.s32 %.*s, %.*s, 1",    "xor.b32 %.*s, %.*s, 4",
                                       "shl.b32 %.*s, %.*s, 1",    "and.b32 %.*s, %.*s, 63",
                                       "mul.lo.s32 %.*s, %.*s, 3", "max.s32 %.*s, %.*s, 0"};
    static const char *const of64[] = {"add.s64 %.*s, %.*s, 4", "add.s64 %.*s, %.*s, 64",
                                       "and.b64 %.*s, %.*s, -64"};
    const struct statement *p = &k->all.v[k->at];
    if (!p->reg ||
        (strncmp(p->reg, "%r", 2) != 0 || !(isdigit((unsigned char)p->reg[2]) || p->reg[2] == 'd')))
        return false;
    bool wide = p->reg[2] == 'd';
    const char *form =
        wide ? of64[below(k, sizeof of64 / sizeof *of64)] : of32[below(k, sizeof of32 / sizeof *of32)];
    ADD("%.*s; ", (int)p->n, p->s);
    ADD(form, (int)p->length, p->reg, (int)p->length, p->reg);
    ADD(";");
    return true;
}

/* A modifier that few kernels have. */
static bool saturated(struct kernel *k, struct wg_strbuf *out) {
    const struct statement *p = &k->all.v[k->at];
    bool may = begins(p, "add.s32") || begins(p, "sub.s32") || begins(p, "cvt.s") || begins(p, "cvt.u");
    return may && !find(p, ".sat") && put(out, p, p->s + 3, 0, ".sat", 4);
}

/* What it gives follows from itself. */
static bool of_itself(struct kernel *k, struct wg_strbuf *out) {
    const struct statement *p = &k->all.v[k->at];
    for (size_t c = operands(p) + p->length; p->reg && c < p->n; c++) {
        const char *at = p->s + c;
        if (*at != '%' || strncmp(at, p->reg, stem_length(p->reg)) != 0 ||
            stem_length(at) != stem_length(p->reg))
            continue;
        if (at[register_length(at)] == '.') return false;
        return put(out, p, at, register_length(at), p->reg, p->length);
    }
    return false;
}

static bool (*const twists[])(struct kernel *, struct wg_strbuf *) = {
    other_register, other_number, other_number, other_offset, other_operation, other_operation,
    other_guard,    left_out,     one_more,     goes_on,      saturated,       of_itself,
};

/* "A => B" of the statement at hand. */
static bool twist_once(struct kernel *k, struct wg_strbuf *out) {
    struct wg_strbuf with = {0};
    const struct statement *p = &k->all.v[k->at];
    bool good = !strchr(p->s, '{') || strchr(p->s, '{') > p->s + p->n;
    good =
        good && twists[below(k, sizeof twists / sizeof *twists)](k, &with) && !memchr(with.s, '\n', with.n);
    if (good) ADD("%s%.*s; => %s", out->s && out->n ? " && " : "", (int)p->n, p->s, with.s);
    wg_strbuf_free(&with);
    return good;
}

void twist_draw(const char *ptx, uint64_t seed, struct wg_strbuf *edits) {
    struct kernel k = {.state = seed * UINT64_C(0x9e3779b97f4a7c15)};
    read(&k, ptx);
    uint32_t wanted = k.all.n ? 1 + (below(&k, 3) == 0) + (below(&k, 9) == 0) : 0;
    uint32_t last = UINT32_MAX;
    for (uint32_t tries = 0; tries < 60 && wanted; tries++) {
        k.at = below(&k, k.all.n);
        if (k.at != last && twist_once(&k, edits)) last = k.at, wanted--;
    }
    free(k.all.v);
}
