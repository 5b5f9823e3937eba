/* See pattern.h. A piece of an expression is a range of steps that knows nothing of what stands around it:
 * jumps are by distances. So a repeated piece is copied, and room is made before one by moving it.
 *
 *     a*(b|c)     0: either 1 or 3   1: a   2: to 0   3: either 4 or 6   4: b   5: to 7   6: c   7: found
 */
#include "report/pattern.h"
#include "base/arena.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_AT_MOST = 2000, DEPTH_AT_MOST = 100, REPEATS_AT_MOST = 255 };
enum kind { CHARACTER, EITHER, JUMP, BEGIN, END, WORD_BEGIN, WORD_END, WORD_EDGE, WORD_INSIDE, FOUND };

struct step {
    enum kind kind;
    int to, or_to;   /* distances from here */
    uint32_t set[8]; /* of a character: which it may be */
};

struct wg_pattern {
    struct step *v;
    int n;
};

struct parser {
    struct wg_pattern *p;
    const char *at;
    const char *wrong; /* NULL: nothing so far */
    int depth;
};

/* ---- From text to steps ----------------------------------------------------------------------------------
 */

static bool fail(struct parser *x, const char *wrong) {
    if (!x->wrong) x->wrong = wrong;
    return false;
}

/* Room for `n` steps at `at`. */
static struct step *make_room(struct parser *x, int at, int n) {
    struct wg_pattern *p = x->p;
    if (p->n + n > STEPS_AT_MOST) {
        fail(x, "it is too long, or repeats too much");
        return NULL;
    }
    memmove(p->v + at + n, p->v + at, (size_t)(p->n - at) * sizeof *p->v);
    memset(p->v + at, 0, (size_t)n * sizeof *p->v);
    p->n += n;
    return p->v + at;
}

static struct step *add(struct parser *x, enum kind kind, int to, int or_to) {
    struct step *s = make_room(x, x->p->n, 1);
    if (s) s->kind = kind, s->to = to, s->or_to = or_to;
    return s;
}

static void include(struct step *s, unsigned char c) { s->set[c / 32] |= 1u << c % 32; }
static void exclude_rest(struct step *s) {
    for (int i = 0; i < 8; i++) s->set[i] = ~s->set[i];
}

static bool add_character(struct parser *x, unsigned char c) {
    struct step *s = add(x, CHARACTER, 0, 0);
    if (s) include(s, c);
    return s != NULL;
}

static int is_word(int c) { return isalnum(c) || c == '_'; }

static void include_class(struct step *s, int (*is)(int)) {
    for (int c = 1; c < 256; c++)
        if (is(c)) include(s, (unsigned char)c);
}

static bool add_escaped(struct parser *x) {
    static const struct {
        char letter;
        enum kind kind;
    } edges[] = {{'<', WORD_BEGIN},  {'>', WORD_END}, {'b', WORD_EDGE},
                 {'B', WORD_INSIDE}, {'`', BEGIN},    {'\'', END}};
    char c = *x->at;
    if (!c) return fail(x, "a backslash ends it");
    x->at++;
    if (c >= '1' && c <= '9') return fail(x, "back references (\\1) are not supported");
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        if (c == edges[i].letter) return add(x, edges[i].kind, 0, 0) != NULL;
    if (!strchr("wWsS", c)) return add_character(x, (unsigned char)c);
    struct step *s = add(x, CHARACTER, 0, 0);
    if (!s) return false;
    include_class(s, tolower(c) == 'w' ? is_word : isspace);
    if (isupper(c)) exclude_rest(s);
    return true;
}

/* [:alpha:], of which the bracket was read. */
static bool include_named(struct parser *x, struct step *s) {
    static const struct {
        const char *name;
        int (*is)(int);
    } classes[] = {{"alpha", isalpha}, {"digit", isdigit}, {"alnum", isalnum}, {"upper", isupper},
                   {"lower", islower}, {"space", isspace}, {"blank", isblank}, {"punct", ispunct},
                   {"print", isprint}, {"graph", isgraph}, {"cntrl", iscntrl}, {"xdigit", isxdigit}};
    size_t n = strcspn(x->at + 1, ":");
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (strlen(classes[i].name) != n || strncmp(x->at + 1, classes[i].name, n) != 0) continue;
        if (strncmp(x->at + 1 + n, ":]", 2) != 0) break;
        include_class(s, classes[i].is);
        x->at += n + 3;
        return true;
    }
    return fail(x, "unknown character class");
}

/* One end of a range: a character, perhaps as [.c.] or [=c=]. */
static bool read_member(struct parser *x, unsigned char *c) {
    char mark = x->at[0] == '[' ? x->at[1] : 0;
    if (mark == '.' || mark == '=') {
        if (!x->at[2] || x->at[3] != mark || x->at[4] != ']') return fail(x, "a bracket is not closed");
        *c = (unsigned char)x->at[2];
        x->at += 5;
        return true;
    }
    *c = (unsigned char)*x->at;
    if (!*c) return fail(x, "a bracket is not closed");
    x->at++;
    return true;
}

static bool add_bracket(struct parser *x) {
    struct step *s = add(x, CHARACTER, 0, 0);
    if (!s) return false;
    bool others = *x->at == '^';
    if (others) x->at++;
    for (bool first = true; first || *x->at != ']'; first = false) {
        unsigned char from, to;
        if (x->at[0] == '[' && x->at[1] == ':') {
            x->at++;
            if (!include_named(x, s)) return false;
            continue;
        }
        if (!read_member(x, &from)) return false;
        to = from;
        if (x->at[0] == '-' && x->at[1] != ']') {
            x->at++;
            if (!read_member(x, &to)) return false;
            if (to < from) return fail(x, "the range is reversed");
        }
        for (int c = from; c <= to; c++) include(s, (unsigned char)c);
    }
    x->at++;
    if (others) exclude_rest(s);
    return true;
}

static bool add_choices(struct parser *x);

static bool add_group(struct parser *x) {
    if (++x->depth > DEPTH_AT_MOST) return fail(x, "parentheses are nested too deeply");
    if (!add_choices(x)) return false;
    x->depth--;
    if (*x->at != ')') return fail(x, "a parenthesis is not closed");
    x->at++;
    return true;
}

/* How often: {2}, {2,}, {2,3}; *, + and ?. `most` < 0: any number. */
static bool read_repeats(struct parser *x, int *least, int *most) {
    char c = *x->at++;
    *least = c == '+', *most = c == '?' ? 1 : -1;
    if (c != '{') return true;
    char *end;
    if (!isdigit((unsigned char)*x->at) && *x->at != ',') return fail(x, "a number is missing in braces");
    long from = isdigit((unsigned char)*x->at) ? strtol(x->at, &end, 10) : 0, to = from;
    x->at += strspn(x->at, "0123456789");
    if (*x->at == ',') {
        x->at++;
        to = isdigit((unsigned char)*x->at) ? strtol(x->at, &end, 10) : -1;
        x->at += strspn(x->at, "0123456789");
    }
    if (*x->at++ != '}') return fail(x, "a brace is not closed");
    if (from > REPEATS_AT_MOST || to > REPEATS_AT_MOST) return fail(x, "it repeats too much");
    if (to >= 0 && to < from) return fail(x, "the range in braces is reversed");
    *least = (int)from, *most = (int)to;
    return true;
}

static bool copy(struct parser *x, const struct step *piece, int n) {
    struct step *to = make_room(x, x->p->n, n);
    if (to) memcpy(to, piece, (size_t)n * sizeof *to);
    return to != NULL;
}

/* `piece` of `n` steps, repeated: it stands there no more. */
static bool add_repeated(struct parser *x, const struct step *piece, int n, int least, int most) {
    for (int i = 0; i < least; i++)
        if (!copy(x, piece, n)) return false;
    if (most < 0) return add(x, EITHER, 1, n + 2) && copy(x, piece, n) && add(x, JUMP, -n - 1, 0);
    for (int i = least; i < most; i++)
        if (!add(x, EITHER, 1, n + 1) || !copy(x, piece, n)) return false;
    return true;
}

static bool repeat(struct parser *x, int begin) {
    int least, most, n = x->p->n - begin;
    if (!read_repeats(x, &least, &most)) return false;
    struct step *piece = wg_xcalloc((size_t)n + 1, sizeof *piece);
    memcpy(piece, x->p->v + begin, (size_t)n * sizeof *piece);
    x->p->n = begin;
    bool good = add_repeated(x, piece, n, least, most);
    free(piece);
    return good;
}

static bool add_any(struct parser *x) {
    struct step *s = add(x, CHARACTER, 0, 0);
    if (s) exclude_rest(s);
    return s != NULL;
}

/* One piece and how often it comes. Places, such as ^, do not come often. */
static bool add_piece(struct parser *x) {
    int begin = x->p->n;
    char c = *x->at++;
    bool good;
    switch (c) {
    case '^': return add(x, BEGIN, 0, 0) != NULL;
    case '$': return add(x, END, 0, 0) != NULL;
    case '*':
    case '+':
    case '?':
    case '{': return fail(x, "there is nothing to repeat");
    case '(': good = add_group(x); break;
    case '[': good = add_bracket(x); break;
    case '.': good = add_any(x); break;
    case '\\':
        if (!add_escaped(x)) return false;
        if (x->p->v[begin].kind != CHARACTER) return true;
        good = true;
        break;
    default: good = add_character(x, (unsigned char)c);
    }
    while (good && *x->at && strchr("*+?{", *x->at)) good = repeat(x, begin);
    return good;
}

static bool add_choices(struct parser *x) {
    int ends[STEPS_AT_MOST / 2], nends = 0;
    for (;;) {
        int begin = x->p->n;
        while (*x->at && *x->at != '|' && !(*x->at == ')' && x->depth))
            if (!add_piece(x)) return false;
        if (*x->at != '|') break;
        x->at++;
        struct step *either = make_room(x, begin, 1);
        if (!either || !add(x, JUMP, 0, 0)) return false;
        x->p->v[begin] = (struct step){.kind = EITHER, .to = 1, .or_to = x->p->n - begin};
        ends[nends++] = x->p->n - 1;
    }
    while (nends--) x->p->v[ends[nends]].to = x->p->n - ends[nends];
    return true;
}

struct wg_pattern *wg_pattern_make(const char *expression, struct wg_strbuf *why) {
    struct wg_pattern *p = wg_xcalloc(1, sizeof *p);
    p->v = wg_xcalloc(STEPS_AT_MOST, sizeof *p->v);
    struct parser x = {.p = p, .at = expression};
    if (add_choices(&x) && add(&x, FOUND, 0, 0)) return p;
    wg_strbuf_printf(why, "'%s' is not a regular expression: %s", expression, x.wrong);
    wg_pattern_free(p);
    return NULL;
}

void wg_pattern_free(struct wg_pattern *p) {
    if (p) free(p->v);
    free(p);
}

/* ---- Following them ---------------------------------------------------------------------------------------
 */

/* Steps that may come next, each once. */
struct front {
    int v[STEPS_AT_MOST], n;
    bool in[STEPS_AT_MOST];
};

static void enter(struct front *f, int step) {
    if (f->in[step]) return;
    f->in[step] = true;
    f->v[f->n++] = step;
}

static bool holds(enum kind kind, const char *text, const char *at) {
    bool before = at > text && is_word((unsigned char)at[-1]), after = *at && is_word((unsigned char)*at);
    switch (kind) {
    case BEGIN: return at == text;
    case END: return !*at;
    case WORD_BEGIN: return !before && after;
    case WORD_END: return before && !after;
    case WORD_EDGE: return before != after;
    default: return before == after;
    }
}

/* What comes after the steps of `now` when the next character is *at. True: found. */
static bool follow(const struct wg_pattern *p, struct front *now, struct front *next, const char *text,
                   const char *at) {
    unsigned char c = (unsigned char)*at;
    for (int i = 0; i < now->n; i++) {
        const struct step *s = &p->v[now->v[i]];
        switch (s->kind) {
        case CHARACTER:
            if (c && s->set[c / 32] >> c % 32 & 1) enter(next, now->v[i] + 1);
            break;
        case EITHER:
            enter(now, now->v[i] + s->to);
            enter(now, now->v[i] + s->or_to);
            break;
        case JUMP: enter(now, now->v[i] + s->to); break;
        case FOUND: return true;
        default:
            if (holds(s->kind, text, at)) enter(now, now->v[i] + 1);
        }
    }
    return false;
}

static void clear(const struct wg_pattern *p, struct front *f) {
    f->n = 0;
    memset(f->in, 0, (size_t)p->n * sizeof *f->in);
}

bool wg_pattern_fits(const struct wg_pattern *p, const char *text) {
    struct front fronts[2], *now = &fronts[0], *next = &fronts[1];
    clear(p, now);
    for (const char *at = text;; at++) {
        clear(p, next);
        enter(now, 0); /* it may begin anywhere */
        if (follow(p, now, next, text, at)) return true;
        if (!*at) return false;
        struct front *before = now;
        now = next, next = before;
    }
}
