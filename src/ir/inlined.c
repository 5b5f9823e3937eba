/* Which code was inlined where, from the debugging information that clang puts into PTX.
 *
 * nvcc says it in each .loc (function_name, inlined_at); clang leaves it to DWARF: a tree of subprograms and
 * inlined subroutines, each with the labels its code lies between and the place of the call:
 *
 *     DW_TAG_inlined_subroutine  origin: load   $L__tmp1 .. $L__tmp2   call: file 1, line 7, column 10
 *
 * Read once a module (version 2 to 4, the forms clang writes); what is not understood leaves the places as
 * .loc has them. While a body is built, labels open and close calls: the deepest that is open is where code
 * stands.
 */
#include "ir/build.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, MOST_ATTRIBUTES = 32, MOST_CALLS = 1 << 20 };
enum { TAG_INLINED = 0x1d };
enum {
    AT_NAME = 0x03,
    AT_LOW = 0x11,
    AT_HIGH = 0x12,
    AT_ORIGIN = 0x31,
    AT_RANGES = 0x55,
    AT_COLUMN = 0x57,
    AT_FILE = 0x58,
    AT_LINE = 0x59
};

/* A label at which a call's code begins or ends. */
struct edge {
    const struct wg_name *label;
    uint32_t call; /* 1 + index */
    bool ends;
};
struct wg_inlines {
    WG_VEC(struct wg_inline *) calls;
    WG_VEC(struct edge) edges; /* by label, once complete; ends first */
    WG_VEC(uint32_t) open;     /* calls, each as often as ranges of it are open */
    const struct wg_inline *now;
};

struct attribute {
    uint32_t name, form;
};
struct abbreviation {
    uint32_t tag, nattributes;
    bool children;
    struct attribute attributes[MOST_ATTRIBUTES];
};
struct value {
    uint64_t number;
    const char *text;
    const struct wg_name *label;
};
struct reader {
    const struct wg_ptx_debug *s;
    uint32_t at, version;
    bool bad;
};

static uint64_t take(struct reader *r, uint32_t width) {
    uint64_t x = 0;
    if (r->bad || r->s->n - r->at < width) {
        r->bad = true;
        return 0;
    }
    for (uint32_t i = 0; i < width; i++) x |= (uint64_t)r->s->bytes[r->at++] << 8 * i;
    return x;
}

static uint64_t take_leb(struct reader *r) {
    uint64_t x = 0, byte = 0x80;
    for (uint32_t shift = 0; byte & 0x80 && shift < 63 && !r->bad; shift += 7) {
        byte = take(r, 1);
        x |= (byte & 0x7f) << shift;
    }
    return x;
}

static const struct wg_name *label_at(const struct wg_ptx_debug *s, uint32_t at) {
    uint32_t low = 0, high = s->nrefs;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (s->refs[mid].at < at)
            low = mid + 1;
        else
            high = mid;
    }
    return low < s->nrefs && s->refs[low].at == at ? s->refs[low].label : NULL;
}

static struct value take_value(struct reader *r, uint32_t form) {
    struct value v = {.label = label_at(r->s, r->at)};
    switch (form) {
    case 0x01: /* addr */
    case 0x07: /* data8 */
    case 0x14: v.number = take(r, 8); break;
    case 0x05: /* data2 */
    case 0x12: v.number = take(r, 2); break;
    case 0x06: /* data4 */
    case 0x0e: /* strp */
    case 0x10: /* ref_addr */
    case 0x13: /* ref4 */
    case 0x17: v.number = take(r, 4); break;
    case 0x0b: /* data1 */
    case 0x0c: /* flag */
    case 0x11: v.number = take(r, 1); break;
    case 0x0d: /* sdata */
    case 0x0f: /* udata */
    case 0x15: v.number = take_leb(r); break;
    case 0x19: v.number = 1; break; /* flag_present */
    case 0x08: {                    /* string */
        const uint8_t *end = r->bad ? NULL : memchr(r->s->bytes + r->at, 0, r->s->n - r->at);
        if (!end) {
            r->bad = true;
            break;
        }
        v.text = (const char *)r->s->bytes + r->at;
        r->at = (uint32_t)(end - r->s->bytes) + 1;
        break;
    }
    case 0x0a: r->at += (uint32_t)take(r, 1); break; /* block1 */
    default: r->bad = true;
    }
    if (r->at > r->s->n) r->bad = true;
    return v;
}

/* The abbreviation `code`; the table is short and read anew each time. */
static bool find_abbreviation(const struct wg_ptx_debug *s, uint64_t code, struct abbreviation *out) {
    struct reader r = {.s = s};
    while (!r.bad) {
        uint64_t have = take_leb(&r);
        if (!have) return false;
        *out = (struct abbreviation){.tag = (uint32_t)take_leb(&r)};
        out->children = take(&r, 1) != 0;
        for (;;) {
            struct attribute a = {.name = (uint32_t)take_leb(&r)};
            a.form = (uint32_t)take_leb(&r);
            if (r.bad) return false;
            if (!a.name && !a.form) break;
            if (out->nattributes == MOST_ATTRIBUTES) return false;
            out->attributes[out->nattributes++] = a;
        }
        if (have == code) return true;
    }
    return false;
}

/* The name of the subprogram at an offset. */
static const char *name_of(const struct wg_build *b, uint32_t offset) {
    struct reader r = {.s = &b->tree->info, .at = offset};
    struct abbreviation a;
    if (offset >= r.s->n || !find_abbreviation(&b->tree->abbrev, take_leb(&r), &a)) return NULL;
    for (uint32_t i = 0; i < a.nattributes && !r.bad; i++) {
        struct value v = take_value(&r, a.attributes[i].form);
        if (r.bad || a.attributes[i].name != AT_NAME) continue;
        if (v.text) return v.text;
        for (uint32_t k = 0; k < b->tree->strings.n && v.label; k++)
            if (b->tree->strings.v[k].label == v.label) return b->tree->strings.v[k].bytes;
    }
    return NULL;
}

static void add_range(struct wg_inlines *t, uint32_t call, const struct wg_name *low,
                      const struct wg_name *high) {
    if (!low || !high || low == high) return;
    *WG_PUSH(&t->edges) = (struct edge){low, call, false};
    *WG_PUSH(&t->edges) = (struct edge){high, call, true};
}

static void add_ranges(struct wg_build *b, uint32_t call, uint32_t at) {
    const struct wg_ptx_debug *s = &b->tree->ranges;
    for (; at + 16 <= s->n; at += 16) {
        const struct wg_name *low = label_at(s, at), *high = label_at(s, at + 8);
        if (!low || !high) return; /* the end: two zeros */
        add_range(b->inlines, call, low, high);
    }
}

/* One entry of the tree. Gives the call that its children are in. */
static uint32_t read_entry(struct wg_build *b, struct reader *r, const struct abbreviation *a,
                           uint32_t parent) {
    struct wg_inlines *t = b->inlines;
    struct wg_inline call = {.parent = parent ? t->calls.v[parent - 1] : NULL};
    const struct wg_name *low = NULL, *high = NULL;
    uint64_t ranges = UINT64_MAX, origin = 0;
    for (uint32_t i = 0; i < a->nattributes; i++) {
        struct value v = take_value(r, a->attributes[i].form);
        switch (a->attributes[i].name) {
        case AT_LOW: low = v.label; break;
        case AT_HIGH: high = v.label; break;
        case AT_RANGES: ranges = v.number; break;
        case AT_ORIGIN: origin = v.number; break;
        case AT_FILE: call.file = (uint32_t)v.number; break;
        case AT_LINE: call.line = (uint32_t)v.number; break;
        case AT_COLUMN: call.col = (uint32_t)v.number; break;
        default: break;
        }
    }
    if (r->bad || a->tag != TAG_INLINED || t->calls.n >= MOST_CALLS)
        return a->tag == TAG_INLINED ? parent : 0;
    const char *name = name_of(b, (uint32_t)origin);
    if (name) call.function = wg_name_intern(b->names, name, (uint32_t)strlen(name))->s;
    call.depth = call.parent ? call.parent->depth + 1 : 0;
    struct wg_inline *kept = WG_NEW(&b->scratch, struct wg_inline);
    *kept = call;
    *WG_PUSH(&t->calls) = kept;
    add_range(t, t->calls.n, low, high);
    if (ranges != UINT64_MAX && ranges < b->tree->ranges.n) add_ranges(b, t->calls.n, (uint32_t)ranges);
    return t->calls.n;
}

static int by_label(const void *x, const void *y) {
    const struct edge *a = x, *b = y;
    if (a->label != b->label) return (uintptr_t)a->label < (uintptr_t)b->label ? -1 : 1;
    return (int)b->ends - (int)a->ends;
}

void wg_inlines_read(struct wg_build *b) {
    struct reader r = {.s = &b->tree->info};
    if (!r.s->n || !b->tree->abbrev.n) return;
    b->inlines = wg_xcalloc(1, sizeof *b->inlines);
    take(&r, 4);
    r.version = (uint32_t)take(&r, 2);
    take(&r, 4);
    take(&r, 1);
    if (r.bad || r.version < 2 || r.version > 4) return;
    uint32_t in[DEEPEST] = {0}, depth = 0;
    do {
        struct abbreviation a;
        uint64_t code = take_leb(&r);
        if (r.bad) break;
        if (!code) {
            if (depth) depth--;
            continue;
        }
        if (!find_abbreviation(&b->tree->abbrev, code, &a)) break;
        uint32_t inside = read_entry(b, &r, &a, in[depth]);
        if (a.children && depth + 1 < DEEPEST)
            in[++depth] = inside;
        else if (a.children)
            break;
    } while (depth && !r.bad);
    if (b->inlines->edges.n)
        qsort(b->inlines->edges.v, b->inlines->edges.n, sizeof *b->inlines->edges.v, by_label);
}

void wg_inlines_begin(struct wg_build *b) {
    if (!b->inlines) return;
    b->inlines->open.n = 0;
    b->inlines->now = NULL;
}

static void pass_edge(struct wg_inlines *t, const struct edge *e) {
    if (!e->ends) {
        *WG_PUSH(&t->open) = e->call;
        return;
    }
    for (uint32_t i = t->open.n; i-- > 0;)
        if (t->open.v[i] == e->call) {
            t->open.v[i] = t->open.v[--t->open.n];
            return;
        }
}

void wg_inlines_label(struct wg_build *b, const struct wg_name *label) {
    struct wg_inlines *t = b->inlines;
    if (!t) return;
    uint32_t low = 0, high = t->edges.n;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if ((uintptr_t)t->edges.v[mid].label < (uintptr_t)label)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == t->edges.n || t->edges.v[low].label != label) return;
    for (; low < t->edges.n && t->edges.v[low].label == label; low++) pass_edge(t, &t->edges.v[low]);
    t->now = NULL;
    for (uint32_t i = 0; i < t->open.n; i++) {
        const struct wg_inline *call = t->calls.v[t->open.v[i] - 1];
        if (!t->now || call->depth > t->now->depth) t->now = call;
    }
}

const struct wg_inline *wg_inlines_now(const struct wg_build *b) {
    return b->inlines ? b->inlines->now : NULL;
}

void wg_inlines_free(struct wg_build *b) {
    if (!b->inlines) return;
    free(b->inlines->calls.v);
    free(b->inlines->edges.v);
    free(b->inlines->open.v);
    free(b->inlines);
    b->inlines = NULL;
}
