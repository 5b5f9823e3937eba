/* See result.h. Launches are kept as serialized text, as the file will have it. */
#include "count/result.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/pace.h"
#include "base/clock.h"
#include "count/distinct.h"
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifndef WG_VERSION
#define WG_VERSION "0"
#endif

struct kernel {
    char *name, *module, *chip;
    uint32_t nsites, nmemory;
    uint8_t *classes;                /* [site] */
    struct wg_strbuf head, launches; /* members before the launches; the launches */
    uint32_t nlaunches;
    struct wg_distinct distinct;
};

struct copy_row {
    struct wg_result_copy what;
    uint64_t count;
};
struct library_row {
    char *name, *sizes;
    uint64_t operations, bytes_read, bytes_written, calls;
};

struct wg_result {
    pthread_mutex_t lock;
    WG_VEC(struct library_row) library;
    WG_VEC(struct copy_row) copies;
    WG_VEC(struct kernel) kernels;
    WG_VEC(struct wg_result_allocation) allocations;
    WG_VEC(struct wg_hash) texts; /* of modules, as `ptx` holds them */
    struct wg_strbuf ptx;         /* a list of JSON strings */
    struct wg_strbuf device, devices, program, calls, note;
    char *path;
    struct wg_pace pace;
};

enum { FREE_MS = 10 }; /* of writing: a launch of a short program is not to take twice as long for it */

struct wg_result *wg_result_new(const char *path) {
    struct wg_result *r = wg_xcalloc(1, sizeof *r);
    r->path = wg_xstrdup(path);
    wg_pace_begin(&r->pace, FREE_MS, false);
    pthread_mutex_init(&r->lock, NULL);
    return r;
}

void wg_result_free(struct wg_result *r) {
    if (!r) return;
    for (uint32_t i = 0; i < r->kernels.n; i++) {
        free(r->kernels.v[i].name);
        free(r->kernels.v[i].module);
        free(r->kernels.v[i].chip);
        free(r->kernels.v[i].classes);
        wg_strbuf_free(&r->kernels.v[i].head);
        wg_strbuf_free(&r->kernels.v[i].launches);
        wg_distinct_free(&r->kernels.v[i].distinct);
    }
    free(r->kernels.v);
    for (uint32_t i = 0; i < r->library.n; i++) {
        free(r->library.v[i].name);
        free(r->library.v[i].sizes);
    }
    free(r->library.v);
    free(r->copies.v);
    free(r->allocations.v);
    free(r->texts.v);
    free(r->path);
    wg_strbuf_free(&r->ptx);
    wg_strbuf_free(&r->device);
    wg_strbuf_free(&r->devices);
    wg_strbuf_free(&r->note);
    wg_strbuf_free(&r->program);
    wg_strbuf_free(&r->calls);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

/* ---- JSON ---- */

/* A launch has thousands of numbers, and a program thousands of launches: printf would be most of their time. */
static void put_number(struct wg_strbuf *b, const char *before, uint64_t n) {
    char text[24], *at = text + sizeof text;
    do *--at = (char)('0' + n % 10);
    while (n /= 10);
    wg_strbuf_puts(b, before);
    wg_strbuf_add(b, at, (size_t)(text + sizeof text - at));
}

static void put_signed(struct wg_strbuf *b, const char *before, int64_t n) {
    wg_strbuf_puts(b, before);
    put_number(b, n < 0 ? "-" : "", n < 0 ? -(uint64_t)n : (uint64_t)n);
}

static void put_name(struct wg_strbuf *b, const char *before, const char *name) {
    wg_strbuf_puts(b, before);
    wg_strbuf_puts(b, "\"");
    wg_strbuf_puts(b, name);
    wg_strbuf_puts(b, "\": ");
}

static void put_three(struct wg_strbuf *b, const char *name, const uint32_t v[3]) {
    put_name(b, "", name);
    put_number(b, "[", v[0]);
    put_number(b, ", ", v[1]);
    put_number(b, ", ", v[2]);
    wg_strbuf_puts(b, "], ");
}

/* ---- kernels ---- */

static void put_site(struct wg_strbuf *b, uint32_t id, const struct wg_result_site *s) {
    wg_strbuf_printf(b, "{\"id\": %u, \"class\": \"%s\", \"ptx_line\": %u, ", id,
                     wg_class_infos[s->class].name, s->ptx_line);
    if (s->op) {
        wg_strbuf_json_member(b, "op", s->op);
        wg_strbuf_puts(b, ", ");
    }
    if (s->bytes) wg_strbuf_printf(b, "\"bytes\": %u, \"joined\": %u, ", s->bytes, s->joined);
    if (s->becomes) wg_strbuf_printf(b, "\"becomes\": \"%s\", ", s->becomes);
    wg_strbuf_json_member(b, "what", s->what);
    wg_strbuf_puts(b, ", ");
    wg_frames_json(b, s->frames, s->nframes);
    wg_strbuf_puts(b, "}");
}

/* The number of a module's text among those that the file holds, which it joins when it is new. */
static uint32_t number_text(struct wg_result *r, const char *ptx) {
    struct wg_hash h = WG_HASH_INIT;
    wg_hash_str(&h, ptx);
    uint32_t i = 0;
    while (i < r->texts.n && (r->texts.v[i].a != h.a || r->texts.v[i].b != h.b)) i++;
    if (i < r->texts.n) return i;
    *WG_PUSH(&r->texts) = h;
    wg_strbuf_puts(&r->ptx, i ? ",\n  " : "\n  ");
    wg_strbuf_json(&r->ptx, ptx);
    return i;
}

static void put_kernel(struct wg_result *r, struct wg_strbuf *b, const struct wg_result_kernel *k) {
    wg_strbuf_json_member(b, "name", k->name);
    wg_strbuf_puts(b, ", ");
    wg_strbuf_json_member(b, "display", k->display);
    wg_strbuf_puts(b, ", ");
    wg_strbuf_json_member(b, "module", k->module);
    if (k->chip) {
        wg_strbuf_puts(b, ", ");
        wg_strbuf_json_member(b, "chip", k->chip);
    }
    if (k->ptx) wg_strbuf_printf(b, ", \"ptx\": %u", number_text(r, k->ptx));
    wg_strbuf_printf(b,
                     ", \"registers\": %u, \"registers_least\": %u, \"registers_from\": \"estimate\", "
                     "\"static_shared\": %u, "
                     "\"local\": %u, \"max_threads\": %u, \"counted\": \"%s\",\n  \"sites\": [",
                     k->registers, k->registers_least, k->static_shared, k->local, k->max_threads,
                     k->joins_modelled ? "as assembled" : "ptx");
    for (uint32_t i = 0; i < k->nsites; i++) {
        wg_strbuf_puts(b, i ? ",\n   " : "\n   ");
        put_site(b, i, &k->sites[i]);
    }
    wg_strbuf_puts(b, "],\n  \"code\": [");
    for (uint32_t i = 0; i < k->ncode; i++)
        wg_strbuf_printf(b, "%s[%u, %u, %u]", i ? ", " : "", k->code[i].ptx_line, k->code[i].line,
                         k->code[i].block);
    wg_strbuf_puts(b, "],\n  \"loops\": [");
    const char *comma = "";
    for (uint32_t i = 0; i < k->ncode; i++) {
        if (k->code[i].enters == UINT32_MAX || (i && k->code[i].block == k->code[i - 1].block)) continue;
        wg_strbuf_printf(b, "%s[%u, %u]", comma, k->code[i].block, k->code[i].enters);
        comma = ", ";
    }
    wg_strbuf_puts(b, "]");
}

uint32_t wg_result_kernel(struct wg_result *r, const struct wg_result_kernel *k) {
    uint32_t i = 0;
    pthread_mutex_lock(&r->lock);
    while (i < r->kernels.n &&
           (strcmp(r->kernels.v[i].name, k->name) != 0 || strcmp(r->kernels.v[i].module, k->module) != 0 ||
            strcmp(r->kernels.v[i].chip, k->chip ? k->chip : "") != 0))
        i++;
    if (i == r->kernels.n) {
        struct kernel *n = WG_PUSH(&r->kernels);
        *n = (struct kernel){.name = wg_xstrdup(k->name),
                             .module = wg_xstrdup(k->module),
                             .chip = wg_xstrdup(k->chip ? k->chip : ""),
                             .nsites = k->nsites,
                             .nmemory = k->nmemory};
        n->classes = wg_xmalloc(k->nsites + 1);
        for (uint32_t s = 0; s < k->nsites; s++) n->classes[s] = k->sites[s].class;
        put_kernel(r, &n->head, k);
    }
    pthread_mutex_unlock(&r->lock);
    return i;
}

/* ---- launches ---- */

static void put_counts(struct wg_strbuf *b, const struct wg_counts *c) {
    const char *comma = "";
    wg_strbuf_puts(b, "{");
    for (int i = 0; i < WG_COUNTERS; i++) {
        if (!c->v[i]) continue;
        put_name(b, comma, wg_counter_infos[i].name);
        put_number(b, "", c->v[i]);
        comma = ", ";
    }
    wg_strbuf_puts(b, "}");
}

/* Totals of each class of site, and of all of them. The totals of instructions and threads are the lines'. */
static void put_totals(struct wg_strbuf *b, const struct wg_counts classes[WG_CLASSES]) {
    struct wg_counts all = {{0}};
    for (int c = 0; c < WG_CLASSES; c++) {
        struct wg_counts part = classes[c];
        if (c != WG_CLASS_line) part.v[WG_C_instructions] = part.v[WG_C_threads] = 0;
        wg_counts_add(&all, &part);
    }
    wg_strbuf_puts(b, "\"totals\": ");
    put_counts(b, &all);
    wg_strbuf_puts(b, ",\n    \"classes\": {");
    const char *comma = "";
    for (int c = 0; c < WG_CLASSES; c++) {
        if (wg_counts_are_zero(&classes[c])) continue;
        put_name(b, comma, wg_class_infos[c].name);
        put_counts(b, &classes[c]);
        comma = ", ";
    }
    wg_strbuf_puts(b, "}");
}

/* Columns are the counters that are not 0 everywhere. */
static void put_rows(struct wg_strbuf *b, const struct wg_result_launch *l, uint32_t nsites) {
    struct wg_counts any = {{0}};
    for (uint32_t i = 0; i < nsites; i++)
        for (int c = 0; c < WG_COUNTERS; c++) any.v[c] |= l->counts[i].v[c];
    wg_strbuf_puts(b, "\"sites\": {\"columns\": [\"site\"");
    for (int c = 0; c < WG_COUNTERS; c++) {
        if (!any.v[c]) continue;
        wg_strbuf_puts(b, ", \"");
        wg_strbuf_puts(b, wg_counter_infos[c].name);
        wg_strbuf_puts(b, "\"");
    }
    wg_strbuf_puts(b, "], \"rows\": [");
    const char *comma = "";
    for (uint32_t i = 0; i < nsites; i++) {
        if (wg_counts_are_zero(&l->counts[i])) continue;
        wg_strbuf_puts(b, comma);
        put_number(b, "\n     [", i);
        for (int c = 0; c < WG_COUNTERS; c++)
            if (any.v[c]) put_number(b, ", ", l->counts[i].v[c]);
        wg_strbuf_puts(b, "]");
        comma = ",";
    }
    wg_strbuf_puts(b, "]}");
}

/* The allocation's number in the file: in the order in which samples name them, which does not depend on what
 * else lies in memory. */
static uint32_t number_allocation(struct wg_result *r, const struct wg_result_allocation *a) {
    for (uint32_t i = 0; i < r->allocations.n; i++)
        if (r->allocations.v[i].id == a->id) return i + 1;
    *WG_PUSH(&r->allocations) = *a;
    return r->allocations.n;
}

struct sampling {
    struct wg_result *r;
    const struct wg_result_launch *l;
    wg_result_find find;
    void *user;
    struct wg_strbuf *out;
    const char *comma;
};

static void put_sample(struct sampling *x, uint32_t site, uint8_t class, const struct wg_sample *s,
                       const char *which) {
    static const char *const spaces[] = {"", "global", "shared", "remote", "local", "constant", "bulk"};
    enum wg_class_memory memory = wg_class_infos[class].memory;
    struct wg_result_allocation a = {0};
    const uint32_t *n = x->l->grid;
    if (!s->taken) return;
    uint32_t first = (uint32_t)__builtin_ctz(s->mask);
    bool held = memory == WG_MEMORY_GLOBAL && x->find && x->find(x->user, s->address[first], &a);
    const uint32_t block[3] = {(uint32_t)(s->block % n[0]), (uint32_t)(s->block / n[0] % n[1]),
                               (uint32_t)(s->block / n[0] / n[1])};
    wg_strbuf_puts(x->out, x->comma);
    put_number(x->out, "\n     {\"site\": ", site);
    wg_strbuf_puts(x->out, ", \"which\": \"");
    wg_strbuf_puts(x->out, which);
    put_number(x->out, "\", \"cost\": ", s->cost);
    wg_strbuf_puts(x->out, ", ");
    put_three(x->out, "block", block);
    put_number(x->out, "\"warp\": ", s->warp);
    put_number(x->out, ", \"mask\": ", s->mask);
    wg_strbuf_puts(x->out, ", \"space\": \"");
    wg_strbuf_puts(x->out, spaces[memory]);
    wg_strbuf_puts(x->out, "\", \"base\": ");
    if (held) {
        put_number(x->out, "\"allocation ", number_allocation(x->r, &a));
        wg_strbuf_puts(x->out, "\"");
    } else {
        wg_strbuf_puts(x->out, "null");
    }
    wg_strbuf_puts(x->out, ", \"addresses\": [");
    for (uint32_t l = 0; l < 32; l++) {
        if (s->mask >> l & 1)
            put_signed(x->out, l ? ", " : "", (int64_t)(s->address[l] - a.base));
        else
            wg_strbuf_puts(x->out, l ? ", null" : "null");
    }
    wg_strbuf_puts(x->out, "]}");
    x->comma = ",";
}

/* What a launch has of its own, even if it is like an earlier one. */
static void put_shape(struct wg_strbuf *b, const struct wg_result_launch *l) {
    put_number(b, b->n ? ",\n   {\"index\": " : "\n   {\"index\": ", l->index);
    wg_strbuf_puts(b, ", ");
    put_three(b, "grid", l->grid);
    put_three(b, "block", l->block);
    put_three(b, "cluster", l->cluster);
    put_number(b, "\"dynamic_shared\": ", l->dynamic_shared);
    put_number(b, ", \"stream\": ", l->stream);
    put_number(b, ", \"start_ns\": ", l->start_ns);
    put_number(b, ", \"end_ns\": ", l->end_ns);
    wg_strbuf_puts(b, ", ");
    if (l->device >= 0) wg_strbuf_printf(b, "\"device\": %d, ", l->device);
    if (l->launched_by) {
        wg_strbuf_json_member(b, "launched_by", l->launched_by);
        wg_strbuf_puts(b, ", ");
    }
    wg_strbuf_json_member(b, "status", l->status);
}

/* Of the shape, the counters, and the memory that the first access of each site is to: a model of two launches for which
 * all this is the same is the same. */
static struct wg_hash hash_launch(const struct kernel *k, const struct wg_result_launch *l,
                                  wg_result_find find, void *user) {
    struct wg_hash h = WG_HASH_INIT;
    wg_hash_add(&h, l->grid, sizeof l->grid);
    wg_hash_add(&h, l->block, sizeof l->block);
    wg_hash_add(&h, l->cluster, sizeof l->cluster);
    wg_hash_add(&h, &l->dynamic_shared, sizeof l->dynamic_shared);
    wg_hash_add(&h, &l->device, sizeof l->device);
    wg_hash_str(&h, l->status);
    wg_hash_add(&h, l->counts, k->nsites * sizeof *l->counts);
    for (uint32_t i = 0; find && i < k->nmemory; i++) {
        const struct wg_sample *s = &l->samples[i].first;
        struct wg_result_allocation a;
        if (!s->taken || wg_class_infos[k->classes[i]].memory != WG_MEMORY_GLOBAL) continue;
        if (!find(user, s->address[__builtin_ctz(s->mask)], &a)) continue;
        wg_hash_add(&h, &i, sizeof i);
        wg_hash_add(&h, &a.bytes, sizeof a.bytes);
        wg_hash_add(&h, &a.device, sizeof a.device);
        wg_hash_str(&h, a.kind);
    }
    return h;
}

static void put_launch(struct wg_result *r, struct kernel *k, const struct wg_result_launch *l,
                       wg_result_find find, void *user) {
    struct wg_strbuf *b = &k->launches;
    struct wg_counts sums[WG_CLASSES] = {{{0}}};
    uint32_t like = k->nlaunches++;
    struct wg_hash h = hash_launch(k, l, find, user);
    put_shape(b, l);
    if (wg_distinct_find(&k->distinct, &h, &like)) {
        put_number(b, ", \"like\": ", like);
        wg_strbuf_puts(b, "}");
        return;
    }
    for (uint32_t i = 0; i < k->nsites; i++) wg_counts_add(&sums[k->classes[i]], &l->counts[i]);
    wg_strbuf_puts(b, ",\n    ");
    put_totals(b, sums);
    wg_strbuf_puts(b, ",\n    ");
    put_rows(b, l, k->nsites);
    wg_strbuf_puts(b, ",\n    \"samples\": [");
    struct sampling x = {r, l, find, user, b, ""};
    for (uint32_t i = 0; i < k->nmemory; i++) {
        put_sample(&x, i, k->classes[i], &l->samples[i].first, "first");
        put_sample(&x, i, k->classes[i], &l->samples[i].worst, "worst");
    }
    wg_strbuf_puts(b, "]}");
}

/* ---- calls ---- */

void wg_result_call(struct wg_result *r, const struct wg_result_call *c) {
    pthread_mutex_lock(&r->lock);
    struct wg_strbuf *b = &r->calls;
    wg_strbuf_printf(b,
                     "%s\n  {\"name\": \"%s\", \"start_ns\": %" PRIu64 ", \"end_ns\": %" PRIu64
                     ", \"thread\": %" PRIu64 ", \"result\": %d",
                     b->n ? "," : "", c->name, c->start_ns, c->end_ns, c->thread, c->status);
    if (c->kind)
        wg_strbuf_printf(b, ", \"kind\": \"%s\", \"bytes\": %" PRIu64 ", \"stream\": %" PRIu64, c->kind,
                         c->bytes, c->stream);
    wg_strbuf_puts(b, "}");
    pthread_mutex_unlock(&r->lock);
}

/* ---- libraries ---- */

static bool is_alike(const struct library_row *row, const struct wg_result_library *l) {
    return row->operations == l->operations && row->bytes_read == l->bytes_read &&
           row->bytes_written == l->bytes_written && !strcmp(row->name, l->name) &&
           !strcmp(row->sizes, l->sizes);
}

static void put_library(const struct wg_result *r, struct wg_strbuf *b) {
    if (!r->library.n) return;
    wg_strbuf_puts(b, ",\n \"library\": [");
    for (uint32_t i = 0; i < r->library.n; i++) {
        const struct library_row *l = &r->library.v[i];
        wg_strbuf_puts(b, i ? ",\n  {" : "\n  {");
        wg_strbuf_json_member(b, "name", l->name);
        wg_strbuf_puts(b, ", ");
        wg_strbuf_json_member(b, "sizes", l->sizes);
        wg_strbuf_printf(b,
                         ", \"calls\": %" PRIu64 ", \"operations\": %" PRIu64 ", \"bytes_read\": %" PRIu64
                         ", \"bytes_written\": %" PRIu64 "}",
                         l->calls, l->operations, l->bytes_read, l->bytes_written);
    }
    wg_strbuf_puts(b, "]");
}

/* ---- copies between devices ---- */

static void put_copies(const struct wg_result *r, struct wg_strbuf *b) {
    if (!r->copies.n) return;
    wg_strbuf_puts(b, ",\n \"copies\": [");
    for (uint32_t i = 0; i < r->copies.n; i++) {
        const struct copy_row *c = &r->copies.v[i];
        wg_strbuf_printf(b,
                         "%s{\"from\": %u, \"to\": %u, \"peer_access\": %s, \"bytes\": %" PRIu64
                         ", \"count\": %" PRIu64 "}",
                         i ? ",\n  " : "\n  ", c->what.from, c->what.to,
                         c->what.peer_access ? "true" : "false", c->what.bytes, c->count);
    }
    wg_strbuf_puts(b, "]");
}

/* ---- the file ---- */

void wg_result_note(struct wg_result *r, const char *note) {
    pthread_mutex_lock(&r->lock);
    r->note.n = 0;
    wg_strbuf_puts(&r->note, note);
    pthread_mutex_unlock(&r->lock);
}

void wg_result_devices(struct wg_result *r, const char *json) {
    pthread_mutex_lock(&r->lock);
    r->devices.n = 0;
    wg_strbuf_printf(&r->devices, " \"devices\": %s,\n", json);
    pthread_mutex_unlock(&r->lock);
}

void wg_result_device(struct wg_result *r, const char *json) {
    pthread_mutex_lock(&r->lock);
    r->device.n = 0;
    wg_strbuf_puts(&r->device, json);
    pthread_mutex_unlock(&r->lock);
}

void wg_result_program(struct wg_result *r, int argc, char **argv) {
    wg_strbuf_json_member(&r->program, "program", argc ? argv[0] : NULL);
    wg_strbuf_puts(&r->program, ", \"arguments\": [");
    for (int i = 1; i < argc; i++) {
        if (i > 1) wg_strbuf_puts(&r->program, ", ");
        wg_strbuf_json(&r->program, argv[i]);
    }
    wg_strbuf_puts(&r->program, "]");
}

static void put_file(struct wg_result *r, struct wg_strbuf *b, const char *ended, int status) {
    wg_strbuf_puts(b, "{\"format\": \"warpglass-result\", \"version\": 1, \"warpglass\": \"" WG_VERSION
                      "\",\n ");
    if (r->program.n) wg_strbuf_printf(b, "%s, ", r->program.s);
    if (r->note.n) {
        wg_strbuf_json_member(b, "note", r->note.s);
        wg_strbuf_puts(b, ", ");
    }
    wg_strbuf_printf(b, "\"ended\": \"%s\", \"status\": %d,\n \"device\": %s,\n%s \"kernels\": [", ended,
                     status, r->device.n ? r->device.s : "null", r->devices.n ? r->devices.s : "");
    for (uint32_t i = 0; i < r->kernels.n; i++) {
        const struct kernel *k = &r->kernels.v[i];
        wg_strbuf_puts(b, i ? ",\n {" : "\n {");
        wg_strbuf_add(b, k->head.s, k->head.n);
        wg_strbuf_puts(b, ",\n  \"launches\": [");
        if (k->launches.n) wg_strbuf_add(b, k->launches.s, k->launches.n);
        wg_strbuf_puts(b, "]}");
    }
    wg_strbuf_puts(b, "],\n \"allocations\": [");
    for (uint32_t i = 0; i < r->allocations.n; i++) {
        const struct wg_result_allocation *a = &r->allocations.v[i];
        wg_strbuf_printf(b, "%s{\"id\": %u, \"bytes\": %" PRIu64 ", \"kind\": \"%s\"", i ? ", " : "", i + 1,
                         a->bytes, a->kind);
        if (a->device >= 0) wg_strbuf_printf(b, ", \"device\": %d", a->device);
        wg_strbuf_puts(b, "}");
    }
    wg_strbuf_puts(b, "]");
    put_copies(r, b);
    if (r->ptx.n) wg_strbuf_printf(b, ",\n \"ptx\": [%s]", r->ptx.s);
    put_library(r, b);
    if (r->calls.n) wg_strbuf_printf(b, ",\n \"api\": [%s]", r->calls.s);
    wg_strbuf_puts(b, "}\n");
}

static bool write_file(struct wg_result *r, const char *ended, int status) {
    struct wg_strbuf b = {0};
    uint64_t began = wg_now_ns();
    put_file(r, &b, ended, status);
    bool good = wg_file_write(r->path, b.s, b.n);
    wg_strbuf_free(&b);
    wg_pace_wrote(&r->pace, began);
    return good;
}

bool wg_result_write(struct wg_result *r, const char *ended, int status) {
    pthread_mutex_lock(&r->lock);
    bool good = write_file(r, ended, status);
    pthread_mutex_unlock(&r->lock);
    return good;
}

void wg_result_add(struct wg_result *r, const struct wg_result_launch *l, wg_result_find find, void *user) {
    pthread_mutex_lock(&r->lock);
    put_launch(r, &r->kernels.v[l->kernel], l, find, user);
    if (wg_pace_allows(&r->pace)) write_file(r, "running", 0);
    pthread_mutex_unlock(&r->lock);
}

void wg_result_library(struct wg_result *r, const struct wg_result_library *l) {
    uint32_t i = 0;
    pthread_mutex_lock(&r->lock);
    while (i < r->library.n && !is_alike(&r->library.v[i], l)) i++;
    if (i == r->library.n)
        *WG_PUSH(&r->library) = (struct library_row){.name = wg_xstrdup(l->name),
                                                     .sizes = wg_xstrdup(l->sizes),
                                                     .operations = l->operations,
                                                     .bytes_read = l->bytes_read,
                                                     .bytes_written = l->bytes_written};
    r->library.v[i].calls++;
    if (wg_pace_allows(&r->pace)) write_file(r, "running", 0);
    pthread_mutex_unlock(&r->lock);
}

void wg_result_copy(struct wg_result *r, const struct wg_result_copy *c) {
    uint32_t i = 0;
    pthread_mutex_lock(&r->lock);
    for (; i < r->copies.n; i++) {
        const struct wg_result_copy *o = &r->copies.v[i].what;
        if (o->from == c->from && o->to == c->to && o->peer_access == c->peer_access && o->bytes == c->bytes)
            break;
    }
    if (i == r->copies.n) *WG_PUSH(&r->copies) = (struct copy_row){.what = *c};
    r->copies.v[i].count++;
    if (wg_pace_allows(&r->pace)) write_file(r, "running", 0);
    pthread_mutex_unlock(&r->lock);
}
