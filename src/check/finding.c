/* See finding.h. Findings are sorted by the key that identifies them, each stored as the text that the file
 * will hold; the file lists them in the order of their examples. */
#include "check/finding.h"
#include "base/arena.h"
#include "base/pace.h"
#include "base/strbuf.h"
#include "base/clock.h"
#include "check/code_place.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Finer than this the order of examples does not need to be: one thread's findings come in its own order. */
enum { RANKS = 14, RANK_LAUNCH = 1, FREE_MS = 50 };

struct entry {
    struct wg_finding key; /* its numbers, and `kernel`; no other pointer of it lives on */
    char *kernel, *text;
    uint64_t count, rank[RANKS];
};
struct checked {
    char *kernel;
    uint32_t module, accesses;
    uint64_t launches, threads;
};

struct wg_findings {
    pthread_mutex_t lock;
    bool any;                     /* found, and not benign */
    bool stale;                   /* what the file has */
    WG_VEC(struct entry) entries; /* sorted by same() */
    WG_VEC(struct checked) checked;
    WG_VEC(uint8_t) devices; /* by launch; none where there is one device */
    WG_VEC(char *) notes;
    char *rounded; /* the first of those that tell of rounding; NULL */
    struct wg_strbuf device, program;
    unsigned checks;
    bool overflowed;
    char *path;
    struct wg_pace pace;
};

static const struct wg_finding_info infos[] = {
#define KIND(id, name, check, title) {name, title, WG_CHECK_##check},
#include "check/kinds.def"
};

const struct wg_finding_info *wg_finding_info(enum wg_finding_kind k) { return &infos[k]; }

const char *wg_check_name(enum wg_check_id c) {
    static const char *const names[WG_CHECKS_NAMED] = {"memory", "race", "init", "barrier", "kernel"};
    return names[c];
}

struct wg_findings *wg_findings_new(const char *path) {
    struct wg_findings *f = wg_xcalloc(1, sizeof *f);
    f->path = wg_xstrdup(path);
    f->checks = (1u << WG_CHECKS) - 1;
    wg_pace_begin(&f->pace, FREE_MS, true);
    pthread_mutex_init(&f->lock, NULL);
    return f;
}

static void free_entry(struct entry *e) {
    free(e->kernel);
    free(e->text);
}

void wg_findings_free(struct wg_findings *f) {
    if (!f) return;
    for (uint32_t i = 0; i < f->entries.n; i++) free_entry(&f->entries.v[i]);
    for (uint32_t i = 0; i < f->checked.n; i++) free(f->checked.v[i].kernel);
    for (uint32_t i = 0; i < f->notes.n; i++) free(f->notes.v[i]);
    free(f->entries.v);
    free(f->checked.v);
    free(f->devices.v);
    free(f->notes.v);
    free(f->rounded);
    free(f->path);
    wg_strbuf_free(&f->device);
    wg_strbuf_free(&f->program);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

/* ---- JSON ---- */

/* What is not known is left out. */
static void put_known(struct wg_strbuf *b, const char *name, const char *text) {
    if (!text) return;
    wg_strbuf_puts(b, ", ");
    wg_strbuf_json_member(b, name, text);
}

static void put_code(struct wg_strbuf *b, const char *name, uint64_t address) {
    struct wg_strbuf path = {0};
    uint64_t offset;
    if (address && wg_code_place(address, &path, &offset)) {
        wg_strbuf_printf(b, ", \"%s\": {", name);
        wg_strbuf_json_member(b, "object", path.s);
        wg_strbuf_printf(b, ", \"offset\": %" PRIu64 "}", offset);
    }
    wg_strbuf_free(&path);
}

static void put_three(struct wg_strbuf *b, const char *name, const uint32_t v[3]) {
    wg_strbuf_printf(b, ", \"%s\": [%u, %u, %u]", name, v[0], v[1], v[2]);
}

static void put_device(const struct wg_findings *f, struct wg_strbuf *b, uint64_t launch) {
    if (launch < f->devices.n) wg_strbuf_printf(b, ", \"device\": %u", f->devices.v[launch]);
}

static void put_place(const struct wg_findings *f, struct wg_strbuf *b, const char *name,
                      const struct wg_finding_place *p) {
    wg_strbuf_printf(b, ",\n   \"%s\": {\"ptx_line\": %u", name, p->ptx_line);
    put_known(b, "op", p->op);
    put_known(b, "access", p->access);
    if (p->bytes) wg_strbuf_printf(b, ", \"bytes\": %u", p->bytes);
    if (p->has_thread) {
        put_three(b, "block", p->block);
        put_three(b, "thread", p->thread);
    }
    if (p->kernel) {
        put_known(b, "kernel", p->kernel);
        wg_strbuf_printf(b, ", \"launch\": %" PRIu64, p->launch);
        put_device(f, b, p->launch);
    }
    put_known(b, "asked_by", p->asked_by);
    put_code(b, "asked_at", p->asked_at);
    put_known(b, "launcher", p->launcher);
    if (p->has_value) wg_strbuf_printf(b, ", \"value\": \"0x%" PRIx64 "\"", p->value);
    wg_strbuf_puts(b, ", ");
    wg_frames_json(b, p->frames, p->nframes);
    wg_strbuf_puts(b, "}");
}

static void put_memory(struct wg_strbuf *b, const struct wg_finding_memory *m) {
    wg_strbuf_puts(b, ",\n   \"memory\": {");
    wg_strbuf_json_member(b, "space", m->space);
    wg_strbuf_printf(b, ", \"address\": \"0x%" PRIx64 "\"", m->address);
    put_known(b, "name", m->name);
    if (m->has_allocation) {
        put_known(b, "what", m->what);
        wg_strbuf_printf(b, ", \"size\": %" PRIu64 ", \"offset\": %" PRId64 ", \"freed\": %s", m->size,
                         m->offset, m->freed ? "true" : "false");
        put_known(b, "made_by", m->made_by);
        put_code(b, "made_at", m->made_at);
        put_code(b, "freed_at", m->freed_at);
        if (m->device) wg_strbuf_printf(b, ", \"device\": %u", m->device - 1);
    }
    wg_strbuf_puts(b, "}");
}

/* Everything but the count, which is known when the file is written. */
static char *text_of(const struct wg_findings *f, const struct wg_finding *x) {
    struct wg_strbuf b = {0};
    wg_strbuf_json_member(&b, "kind", infos[x->kind].name);
    put_known(&b, "kernel", x->kernel);
    wg_strbuf_printf(&b, ", \"module\": %u, \"launch\": %" PRIu64, x->module, x->launch);
    if (x->kernel) put_device(f, &b, x->launch);
    if (x->benign) wg_strbuf_puts(&b, ", \"benign\": true");
    put_known(&b, "detail", x->detail);
    put_code(&b, "host", x->host_at);
    if (x->launched_by) {
        wg_strbuf_puts(&b, ", ");
        wg_strbuf_json_member(&b, "launched_by", x->launched_by);
    }
    put_code(&b, "launched", x->launched_at);
    put_known(&b, "launcher", x->launcher);
    put_place(f, &b, "here", &x->here);
    if (x->has_other) put_place(f, &b, "other", &x->other);
    if (x->memory.space) put_memory(&b, &x->memory);
    return b.s;
}

/* ---- The list ---- */

static int order(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

/* 0: the same finding. Outside of kernels the calls of the host are what tells findings apart. */
static int same(const struct wg_finding *a, const struct wg_finding *b) {
    int o = order(!a->kernel, !b->kernel);
    if (!o && a->kernel) o = strcmp(a->kernel, b->kernel);
    if (!o) o = order(a->module, b->module);
    if (!o) o = order(a->site, b->site);
    if (!o) o = order(a->other_site, b->other_site);
    if (!o) o = order(a->kind, b->kind);
    if (!o) o = order(a->host_at, b->host_at);
    if (!o && !a->kernel) o = order(a->memory.made_at, b->memory.made_at);
    return o;
}

static uint64_t *rank_place(uint64_t *r, const struct wg_finding_place *p) {
    for (int d = 2; d >= 0; d--) *r++ = p->has_thread ? p->block[d] : 0;
    for (int d = 2; d >= 0; d--) *r++ = p->has_thread ? p->thread[d] : 0;
    return r;
}

static void rank(const struct wg_finding *x, uint64_t r[RANKS]) {
    static const struct wg_finding_place nowhere;
    *r++ = x->benign; /* one pair of values that differ, and the place is not benign */
    *r++ = x->launch;
    r = rank_place(r, &x->here);
    rank_place(r, x->has_other ? &x->other : &nowhere);
}

static int order_ranks(const uint64_t a[RANKS], const uint64_t b[RANKS]) {
    for (int i = 0; i < RANKS; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Where it is, or would be. */
static uint32_t search(const struct wg_findings *f, const struct wg_finding *x, bool *found) {
    uint32_t low = 0, high = f->entries.n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int o = same(&f->entries.v[middle].key, x);
        if (!o) {
            *found = true;
            return middle;
        }
        if (o < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = false;
    return low;
}

/* What is kept when there is no room is what comes first, whenever it came: the list and its counts are the
 * same in every order. */
static void insert(struct wg_findings *f, uint32_t at, const struct wg_finding *x,
                   const uint64_t ranks[RANKS]) {
    if (f->entries.n == WG_FINDINGS_KEPT) {
        f->overflowed = true;
        if (at == f->entries.n) return;
        free_entry(&f->entries.v[--f->entries.n]);
    }
    struct entry *end = WG_PUSH(&f->entries), *e = &f->entries.v[at];
    memmove(e + 1, e, (size_t)(end - e) * sizeof *e);
    *e = (struct entry){.key = *x, .text = text_of(f, x), .count = x->count ? x->count : 1};
    e->kernel = x->kernel ? wg_xstrdup(x->kernel) : NULL;
    e->key.kernel = e->kernel;
    memcpy(e->rank, ranks, sizeof e->rank);
}

static void write_now_and_then(struct wg_findings *f);

void wg_findings_add(struct wg_findings *f, const struct wg_finding *x) {
    uint64_t ranks[RANKS];
    bool found;
    rank(x, ranks);
    pthread_mutex_lock(&f->lock);
    f->any |= !x->benign;
    uint32_t at = search(f, x, &found);
    if (!found) {
        insert(f, at, x, ranks);
        write_now_and_then(f);
    } else {
        struct entry *e = &f->entries.v[at];
        f->stale = true;
        e->count += x->count ? x->count : 1;
        if (order_ranks(ranks, e->rank) < 0) {
            free(e->text);
            e->text = text_of(f, x);
            memcpy(e->rank, ranks, sizeof e->rank);
        }
    }
    pthread_mutex_unlock(&f->lock);
}

bool wg_findings_any(struct wg_findings *f) {
    pthread_mutex_lock(&f->lock);
    bool any = f->any;
    pthread_mutex_unlock(&f->lock);
    return any;
}

bool wg_findings_has(struct wg_findings *f, uint32_t module, const char *kernel, enum wg_check_id check) {
    bool has = false;
    pthread_mutex_lock(&f->lock);
    for (uint32_t i = 0; i < f->entries.n && !has; i++) {
        const struct wg_finding *x = &f->entries.v[i].key;
        has = x->kernel && x->module == module && !strcmp(x->kernel, kernel) && !x->benign &&
              wg_finding_info(x->kind)->check == check;
    }
    pthread_mutex_unlock(&f->lock);
    return has;
}

void wg_findings_launch_on(struct wg_findings *f, uint64_t launch, uint32_t device) {
    pthread_mutex_lock(&f->lock);
    while (f->devices.n <= launch) *WG_PUSH(&f->devices) = 0;
    f->devices.v[launch] = (uint8_t)device;
    pthread_mutex_unlock(&f->lock);
}

void wg_findings_launched(struct wg_findings *f, const struct wg_findings_launch *l) {
    uint32_t i = 0;
    pthread_mutex_lock(&f->lock);
    while (i < f->checked.n &&
           (f->checked.v[i].module != l->module || strcmp(f->checked.v[i].kernel, l->kernel) != 0))
        i++;
    if (i == f->checked.n) {
        struct checked *n = WG_PUSH(&f->checked);
        *n = (struct checked){.kernel = wg_xstrdup(l->kernel), .module = l->module, .accesses = l->accesses};
    }
    f->checked.v[i].launches++;
    f->checked.v[i].threads += l->threads;
    write_now_and_then(f);
    pthread_mutex_unlock(&f->lock);
}

void wg_findings_checks(struct wg_findings *f, unsigned checks) {
    pthread_mutex_lock(&f->lock);
    f->checks = checks;
    pthread_mutex_unlock(&f->lock);
}

void wg_findings_device(struct wg_findings *f, const char *json) {
    pthread_mutex_lock(&f->lock);
    f->device.n = 0;
    wg_strbuf_puts(&f->device, json);
    pthread_mutex_unlock(&f->lock);
}

void wg_findings_program(struct wg_findings *f, int argc, char **argv) {
    pthread_mutex_lock(&f->lock);
    f->program.n = 0;
    wg_strbuf_json_member(&f->program, "program", argc ? argv[0] : NULL);
    wg_strbuf_puts(&f->program, ", \"arguments\": [");
    for (int i = 1; i < argc; i++) {
        if (i > 1) wg_strbuf_puts(&f->program, ", ");
        wg_strbuf_json(&f->program, argv[i]);
    }
    wg_strbuf_puts(&f->program, "]");
    pthread_mutex_unlock(&f->lock);
}

void wg_findings_note(struct wg_findings *f, const char *sentence) {
    uint32_t i = 0;
    pthread_mutex_lock(&f->lock);
    while (i < f->notes.n && strcmp(f->notes.v[i], sentence) != 0) i++;
    if (i == f->notes.n) *WG_PUSH(&f->notes) = wg_xstrdup(sentence);
    pthread_mutex_unlock(&f->lock);
}

void wg_findings_rounded(struct wg_findings *f, const char *sentence) {
    wg_findings_note(f, sentence);
    pthread_mutex_lock(&f->lock);
    if (!f->rounded) f->rounded = wg_xstrdup(sentence);
    pthread_mutex_unlock(&f->lock);
}

/* ---- The file ---- */

/* In the order of launches, then of examples' places in the code; what is of no kernel behind those, and
 * leaks at the end, where they are found. */
static int order_entries(const void *pa, const void *pb) {
    const struct entry *a = *(const struct entry *const *)pa, *b = *(const struct entry *const *)pb;
    int o = order(a->key.kind == WG_F_leak, b->key.kind == WG_F_leak);
    if (!o) o = order(a->rank[RANK_LAUNCH], b->rank[RANK_LAUNCH]);
    if (!o) o = same(&a->key, &b->key);
    return o;
}

static void put_findings(const struct wg_findings *f, struct wg_strbuf *b) {
    struct entry const **sorted = wg_xmalloc((f->entries.n + 1) * sizeof(struct entry *));
    for (uint32_t i = 0; i < f->entries.n; i++) sorted[i] = &f->entries.v[i];
    qsort(sorted, f->entries.n, sizeof *sorted, order_entries);
    wg_strbuf_puts(b, " \"findings\": [");
    for (uint32_t i = 0; i < f->entries.n; i++)
        wg_strbuf_printf(b, "%s\n  {\"count\": %" PRIu64 ", %s}", i ? "," : "", sorted[i]->count,
                         sorted[i]->text);
    wg_strbuf_puts(b, "]");
    free(sorted);
}

static int order_checked(const void *pa, const void *pb) {
    const struct checked *a = pa, *b = pb;
    int o = strcmp(a->kernel, b->kernel);
    return o ? o : order(a->module, b->module);
}

static void put_checked(struct wg_findings *f, struct wg_strbuf *b) {
    if (f->checked.n) qsort(f->checked.v, f->checked.n, sizeof *f->checked.v, order_checked);
    wg_strbuf_puts(b, " \"kernels\": [");
    for (uint32_t i = 0; i < f->checked.n; i++) {
        const struct checked *c = &f->checked.v[i];
        wg_strbuf_puts(b, i ? ",\n  {" : "\n  {");
        wg_strbuf_json_member(b, "name", c->kernel);
        wg_strbuf_printf(b, ", \"launches\": %" PRIu64 ", \"threads\": %" PRIu64 ", \"accesses\": %u}",
                         c->launches, c->threads, c->accesses);
    }
    wg_strbuf_puts(b, "],\n");
}

static int order_notes(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void put_notes(struct wg_findings *f, struct wg_strbuf *b) {
    if (f->notes.n) qsort(f->notes.v, f->notes.n, sizeof *f->notes.v, order_notes);
    wg_strbuf_puts(b, " \"notes\": [");
    for (uint32_t i = 0; i < f->notes.n; i++) {
        if (i) wg_strbuf_puts(b, ", ");
        wg_strbuf_json(b, f->notes.v[i]);
    }
    if (f->overflowed)
        wg_strbuf_printf(b,
                         "%s\"there were more than %d findings: only those of the first places are listed\"",
                         f->notes.n ? ", " : "", WG_FINDINGS_KEPT);
    wg_strbuf_puts(b, "],\n");
}

static void put_checks(const struct wg_findings *f, struct wg_strbuf *b) {
    const char *comma = "";
    wg_strbuf_puts(b, " \"checks\": [");
    for (enum wg_check_id c = 0; c < WG_CHECKS; c++) {
        if (!(f->checks >> c & 1)) continue;
        wg_strbuf_printf(b, "%s\"%s\"", comma, wg_check_name(c));
        comma = ", ";
    }
    wg_strbuf_puts(b, "],\n");
}

static bool write_file(struct wg_findings *f, const char *ended, int status) {
    struct wg_strbuf b = {0};
    uint64_t began = wg_now_ns();
    wg_strbuf_puts(&b, "{\"format\": \"warpglass-findings\", \"version\": 1, \"warpglass\": \"" WG_VERSION
                       "\",\n ");
    if (f->program.n) wg_strbuf_printf(&b, "%s, ", f->program.s);
    wg_strbuf_printf(&b, "\"ended\": \"%s\", \"status\": %d,\n \"device\": %s,\n", ended, status,
                     f->device.n ? f->device.s : "null");
    put_checks(f, &b);
    put_notes(f, &b);
    if (f->rounded) {
        wg_strbuf_puts(&b, " ");
        wg_strbuf_json_member(&b, "rounded", f->rounded);
        wg_strbuf_puts(&b, ",\n");
    }
    put_checked(f, &b);
    put_findings(f, &b);
    wg_strbuf_puts(&b, "}\n");
    bool good = wg_file_write(f->path, b.s, b.n);
    wg_strbuf_free(&b);
    f->stale = false;
    wg_pace_wrote(&f->pace, began);
    return good;
}

static void write_now_and_then(struct wg_findings *f) {
    f->stale = true;
    if (wg_pace_allows(&f->pace)) write_file(f, "running", 0);
}

void wg_findings_tend(struct wg_findings *f) {
    pthread_mutex_lock(&f->lock);
    if (f->stale) write_now_and_then(f);
    pthread_mutex_unlock(&f->lock);
}

bool wg_findings_write(struct wg_findings *f, const char *ended, int status) {
    pthread_mutex_lock(&f->lock);
    bool good = write_file(f, ended, status);
    pthread_mutex_unlock(&f->lock);
    return good;
}
