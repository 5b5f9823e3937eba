/* See edit.h. */
#include "tests/fuzz/edit.h"
#include "base/arena.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A statement, and what it becomes. */
struct piece {
    const char *s, *body; /* body: where the kernel's statements begin */
    int n;
    uint64_t lot; /* drawn for this statement */
};
#define ADD(...) wg_strbuf_printf(out, __VA_ARGS__)

static bool begins(const struct piece *p, const char *with) { return !strncmp(p->s, with, strlen(with)); }

static const char *find(const struct piece *p, const char *what) {
    const char *hit = strstr(p->s, what);
    return hit && hit + strlen(what) <= p->s + p->n ? hit : NULL;
}

/* The piece with `more` at `at`, in place of `old` characters. */
static bool put(struct wg_strbuf *out, const struct piece *p, const char *at, int old, const char *more) {
    ADD("%.*s%s%.*s", (int)(at - p->s), p->s, more, (int)(p->s + p->n - at - old), at + old);
    return true;
}

static bool is_access(const struct piece *p) {
    bool access = begins(p, "ld.") || begins(p, "st.");
    return access && !find(p, ".param") && !find(p, ".nc") && !find(p, ".volatile") && !find(p, ".relaxed");
}

/* It counts an idiom's loop (loop_begin): another count might never end. */
static bool counts(const struct piece *p) {
    for (const char *at = p->s; at + 2 < p->s + p->n; at++)
        if (at[0] == '%' && (at[1] == 'n' || at[1] == 'c') && isdigit((unsigned char)at[2])) return true;
    return false;
}

/* Neither a branch nor what lanes or warps do together. */
static bool is_of_lane(const struct piece *p) {
    static const char *const others[] = {"@", "bra", "bar", "ret", "exit", "call", "activemask", "brx"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (begins(p, others[k])) return false;
    return !find(p, ".sync");
}

/* The register that it writes; its length is given, 0: none. */
static int result(const struct piece *p, const char **reg) {
    const char *at = memchr(p->s, ' ', (size_t)p->n);
    if (!at || at[1] != '%') return 0;
    *reg = at + 1;
    return (int)strcspn(at + 1, ",;|");
}

/* Its result has a value before: where the statement is left out, that is what it has. */
static bool may_be_left_out(const struct piece *p) {
    const char *reg = NULL;
    int n = result(p, &reg);
    if (!n) return begins(p, "st.global") || begins(p, "red.");
    for (const char *at = p->body; at < p->s; at += strcspn(at, ";") + 1) {
        at += strspn(at, " \n");
        const char *to = at + strcspn(at, " ;");
        if (*at != '.' && *to == ' ' && !strncmp(to + 1, reg, (size_t)n) && to[n + 1] == ',') return true;
    }
    return false;
}

/* ---- edits: false where it is none for the statement ---- */

static bool make_volatile(struct wg_strbuf *out, const struct piece *p) {
    return is_access(p) && put(out, p, p->s + 2, 0, ".volatile");
}

static bool make_strong(struct wg_strbuf *out, const struct piece *p) {
    static const char *const how[] = {".relaxed.gpu", ".relaxed.cta", ".relaxed.sys"};
    return is_access(p) && !find(p, ".local") && put(out, p, p->s + 2, 0, how[p->lot % 3]);
}

static bool make_ordered(struct wg_strbuf *out, const struct piece *p) {
    static const char *const how[] = {".relaxed.sys", ".acq_rel.gpu", ".relaxed.cta", ".acq_rel.cta"};
    if (begins(p, "red.global")) return put(out, p, p->s + 3, 0, how[p->lot % 3 == 1 ? 0 : p->lot % 3]);
    return begins(p, "atom.global") && put(out, p, p->s + 4, 0, how[p->lot % 4]);
}

static bool make_generic(struct wg_strbuf *out, const struct piece *p) {
    const char *at = find(p, ".global");
    bool access = begins(p, "ld.") || begins(p, "st.") || begins(p, "red.") || begins(p, "atom.");
    return access && at && !find(p, ".nc") && put(out, p, at, 7, "");
}

static bool guard(struct wg_strbuf *out, const struct piece *p) {
    if (!is_of_lane(p) || !may_be_left_out(p)) return false;
    ADD("@%s%s %.*s", p->lot & 1 ? "!" : "", p->lot & 2 ? "%edit_u" : "%edit_p", p->n, p->s);
    return true;
}

static bool twice(struct wg_strbuf *out, const struct piece *p) {
    if (!is_of_lane(p)) return false;
    ADD("%.*s; %.*s", p->n, p->s, p->n, p->s);
    return true;
}

static bool once_more(struct wg_strbuf *out, const struct piece *p) {
    if (!is_of_lane(p)) return false;
    ADD("%.*s; @%s%s %.*s", p->n, p->s, p->lot & 1 ? "!" : "", p->lot & 2 ? "%edit_u" : "%edit_p", p->n,
        p->s);
    return true;
}

static bool change_sign(struct wg_strbuf *out, const struct piece *p) {
    const char *at = find(p, ".u"), *sign = find(p, ".s");
    if (find(p, ".sat")) return false;
    while (sign && !isdigit((unsigned char)sign[2])) sign = strstr(sign + 1, ".s");
    if (sign && sign < p->s + p->n && (!at || p->lot & 1)) return put(out, p, sign, 2, ".u");
    return at && isdigit((unsigned char)at[2]) && put(out, p, at, 2, ".s");
}

static bool saturate(struct wg_strbuf *out, const struct piece *p) {
    if (find(p, ".sat")) return false;
    if (begins(p, "add.s32") || begins(p, "sub.s32") || begins(p, "cvt.u") || begins(p, "cvt.s"))
        return put(out, p, p->s + 3, 0, ".sat");
    return false;
}

static bool fence(struct wg_strbuf *out, const struct piece *p) {
    static const char *const how[] = {"membar.cta", "membar.gl", "fence.acq_rel.gpu",
                                      "bar.warp.sync %edit_m"};
    if (!is_access(p) && !begins(p, "red.") && !begins(p, "atom.")) return false;
    ADD("%.*s; activemask.b32 %%edit_m; %s", p->n, p->s, how[p->lot % 4]);
    return true;
}

/* Its result is looked at once more. */
static bool look(struct wg_strbuf *out, const struct piece *p) {
    const char *reg = NULL;
    int n = result(p, &reg);
    bool word = find(p, ".u32") || find(p, ".s32") || find(p, ".b32");
    if (!is_of_lane(p) || !word || !n || begins(p, "setp") || find(p, ".wide")) return false;
    if (begins(p, "cvt.u64") || begins(p, "cvt.s64")) return false;
    ADD("%.*s; xor.b32 %%edit_y, %%edit_y, %.*s", p->n, p->s, n, reg);
    return true;
}

static bool (*const edits[])(struct wg_strbuf *, const struct piece *) = {
    make_volatile, make_strong, make_ordered, make_generic, guard, guard, twice, once_more,
    once_more,     change_sign, change_sign,  saturate,     fence, fence, look,  look,
};

/* ---- the kernel ---- */

static const char before[] =
    "  .reg .pred %edit_p, %edit_u;\n  .reg .b32 %edit_x, %edit_y, %edit_m;\n  .reg .b64 %edit_a, %edit_b;\n"
    "  mov.u32 %edit_x, %laneid; and.b32 %edit_x, %edit_x, 5; setp.ne.u32 %edit_p, %edit_x, 4;\n"
    "  ld.param.u32 %edit_x, [p_q0]; setp.gt.u32 %edit_u, %edit_x, 8; mov.u32 %edit_y, 0;\n";

/* Behind all that an idiom's threads have of `out`. */
static const char behind[] =
    "mov.u32 %edit_x, %tid.z; mov.u32 %edit_m, %ntid.y; mul.lo.u32 %edit_x, %edit_x, %edit_m;\n"
    "  mov.u32 %edit_m, %tid.y; add.u32 %edit_x, %edit_x, %edit_m; mov.u32 %edit_m, %ntid.x;\n"
    "  mul.lo.u32 %edit_x, %edit_x, %edit_m; mov.u32 %edit_m, %tid.x; add.u32 %edit_x, %edit_x, %edit_m;\n"
    "  mov.u32 %edit_m, %ctaid.x; mad.lo.u32 %edit_x, %edit_m, 1024, %edit_x; and.b32 %edit_x, %edit_x, "
    "2047;\n"
    "  ld.param.u64 %edit_a, [p_out]; mul.wide.u32 %edit_b, %edit_x, 4; add.s64 %edit_a, %edit_a, %edit_b;\n"
    "  st.global.u32 [%edit_a+253952], %edit_y;\n  ";

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* The next statement from `at` on, without the space in front of it; n is 0 at the end. */
static struct piece next_piece(const char *at, uint64_t seed) {
    struct piece p = {0};
    for (;;) {
        at += strspn(at, " \n");
        if (*at == '}' || !*at) return p;
        size_t label = strcspn(at, ":; \n");
        if (at[label] == ':') {
            at += label + 1;
            continue;
        }
        p.s = at;
        p.n = (int)strcspn(at, ";");
        p.lot = seed;
        for (int k = 0; k < p.n; k++) p.lot = mix(p.lot * 31 + (unsigned char)at[k]);
        return p;
    }
}

static bool edit_once(struct wg_strbuf *ptx, const char *body, uint64_t seed) {
    bool (*edit)(struct wg_strbuf *, const struct piece *) = edits[seed % (sizeof edits / sizeof *edits)];
    struct piece chosen = {.lot = UINT64_MAX};
    struct wg_strbuf text = {0}, out = {0};
    for (const char *at = body;;) {
        struct piece p = next_piece(at, seed);
        p.body = body;
        if (!p.n) break;
        wg_strbuf_free(&text);
        if (*p.s != '.' && !counts(&p) && p.lot < chosen.lot && edit(&text, &p)) chosen = p;
        at = p.s + p.n + 1;
    }
    wg_strbuf_free(&text);
    if (!chosen.n) return false;
    wg_strbuf_add(&out, ptx->s, (size_t)(chosen.s - ptx->s));
    edit(&out, &chosen);
    wg_strbuf_printf(&out, "%s", chosen.s + chosen.n);
    wg_strbuf_free(ptx);
    *ptx = out;
    return true;
}

static void insert(struct wg_strbuf *ptx, size_t at, const char *text) {
    struct wg_strbuf out = {0};
    wg_strbuf_add(&out, ptx->s, at);
    wg_strbuf_printf(&out, "%s%s", text, ptx->s + at);
    wg_strbuf_free(ptx);
    *ptx = out;
}

void edit_kernel(struct wg_strbuf *ptx, uint64_t seed) {
    uint32_t wanted = mix(seed) % 3 ? 1 : 2;
    for (uint64_t k = 1; k <= 24 && wanted; k++) {
        const char *entry = strstr(ptx->s, ".entry"), *body = entry ? strchr(entry, '{') : NULL;
        if (!body) return;
        wanted -= edit_once(ptx, body + 1, mix(seed + k * 1000003));
    }
    if (!strstr(ptx->s, "%edit_")) return;
    const char *entry = strstr(ptx->s, ".entry"), *ret = entry;
    for (const char *at = entry; (at = strstr(at, "ret;")); at++) ret = at;
    if (strstr(ptx->s, "%edit_y")) insert(ptx, (size_t)(ret - ptx->s), behind);
    entry = strstr(ptx->s, ".entry");
    insert(ptx, (size_t)(strchr(entry, '{') + 2 - ptx->s), before);
}
