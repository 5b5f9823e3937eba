/* See trace.h. */
#include "report/trace.h"
#include "count/result.h"
#include "model/link.h"
#include "report/estimate.h"
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HOST = 1, DEVICE = 2, FIRST_KERNEL = 10 }; /* "processes" of the trace */
enum { DEFAULT_STREAM = 1 };                      /* as the machine numbers them */
enum { WAVES_SHOWN = 12 };                        /* from the first, and the last one */

/* ---- Events ---- */

static void put_name(struct wg_strbuf *out, const char *what, unsigned process, uint64_t row,
                     const char *name) {
    json_t *text = json_string(name);
    char *quoted = text ? json_dumps(text, JSON_ENCODE_ANY | JSON_ENSURE_ASCII) : NULL;
    wg_strbuf_printf(out,
                     ",\n{\"ph\": \"M\", \"name\": \"%s\", \"pid\": %u, \"tid\": %" PRIu64
                     ", \"args\": {\"name\": %s}}",
                     what, process, row, quoted ? quoted : "\"?\"");
    free(quoted);
    json_decref(text);
}

/* A slice; `args` is taken over. Times in microseconds. */
static void put_slice(struct wg_strbuf *out, unsigned process, uint64_t row, const char *category,
                      const char *name, double start, double length, json_t *args) {
    json_t *slice =
        json_pack("{s:s, s:s, s:s, s:i, s:I, s:f, s:f, s:o}", "ph", "X", "name", name, "cat", category, "pid",
                  (int)process, "tid", (json_int_t)row, "ts", start, "dur", length, "args", args);
    char *text = slice ? json_dumps(slice, JSON_REAL_PRECISION(12) | JSON_ENSURE_ASCII) : NULL;
    if (text) wg_strbuf_printf(out, ",\n%s", text);
    free(text);
    json_decref(slice);
}

/* ---- Device work in order ---- */

struct work {
    const struct wg_profile_kernel *kernel; /* NULL: a copy or fill */
    const struct wg_launch *launch;
    const struct wg_profile_call *call;
    struct wg_estimate estimate;
    uint64_t began, ended; /* in this run, ns */
    uint64_t stream;
    double start, length; /* on the device, seconds */
};
struct works {
    struct work *v;
    uint32_t n;
};

/* What a copy takes: twice through memory on the device, else over PCI Express of the chip's generation. */
static double copy_seconds(const struct wg_chip *c, const struct wg_profile_call *call) {
    enum { FIXED_NS = 1500 };
    bool over_bus = strstr(call->kind, "host") != NULL;
    double memory = 0.9 * wg_chip_bandwidth(c) / (strcmp(call->kind, "fill") ? 2 : 1);
    return FIXED_NS * 1e-9 + (double)call->bytes / (over_bus ? wg_link_host(c) : memory);
}

static int by_beginning(const void *a, const void *b) {
    const struct work *x = a, *y = b;
    if (x->began != y->began) return x->began < y->began ? -1 : 1;
    return x->launch && y->launch && x->launch->index < y->launch->index ? -1 : 1;
}

/* When a launch was asked for, which decides what waits for what: its call, the index-th that launches. */
static uint64_t asked_at(const struct wg_profile *p, const struct wg_launch *l) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->call_count; i++)
        if (strstr(p->calls[i].name, "Launch") && n++ == l->index)
            return p->calls[i].start_ns < l->start_ns ? p->calls[i].start_ns : l->start_ns;
    return l->start_ns;
}

static struct works collect(struct wg_arena *arena, const struct wg_profile *p, const struct wg_chip *chip) {
    struct works w = {0};
    uint32_t n = p->call_count;
    for (uint32_t k = 0; k < p->kernel_count; k++) n += p->kernels[k].launch_count;
    w.v = WG_NEW_N(arena, struct work, n + 1);
    for (uint32_t k = 0; k < p->kernel_count; k++)
        for (uint32_t l = 0; l < p->kernels[k].launch_count; l++) {
            struct work *one = &w.v[w.n];
            const struct wg_launch *launch = &p->kernels[k].launches[l];
            *one = (struct work){.kernel = &p->kernels[k],
                                 .launch = launch,
                                 .began = asked_at(p, launch),
                                 .ended = launch->end_ns,
                                 .stream = launch->stream};
            if (!wg_estimate_launch(p, one->kernel, launch, &one->estimate)) continue;
            one->length = one->estimate.bound.time.seconds;
            w.n++;
        }
    for (uint32_t i = 0; i < p->call_count && chip; i++) {
        const struct wg_profile_call *c = &p->calls[i];
        if (!c->kind) continue;
        w.v[w.n++] = (struct work){.call = c,
                                   .began = c->start_ns,
                                   .ended = c->end_ns,
                                   .stream = c->stream,
                                   .length = copy_seconds(chip, c)};
    }
    qsort(w.v, w.n, sizeof *w.v, by_beginning);
    return w;
}

static bool call_waits(const struct wg_profile_call *c) {
    if (strstr(c->name, "Synchronize")) return true;
    return c->kind && !strstr(c->name, "Async") && strcmp(c->kind, "fill") != 0;
}

/* When the last call that waited was done before this time; 0: none was. */
static uint64_t last_wait(const struct wg_profile *p, uint64_t before) {
    uint64_t last = 0;
    for (uint32_t i = 0; i < p->call_count; i++)
        if (call_waits(&p->calls[i]) && p->calls[i].end_ns <= before && p->calls[i].end_ns > last)
            last = p->calls[i].end_ns;
    return last;
}

static uint32_t device_of(const struct work *w) { return (uint32_t)(w->stream >> WG_STREAM_DEVICE_AT); }
static bool is_default(const struct work *w) { return (uint32_t)w->stream == DEFAULT_STREAM; }

static void lay_out(const struct wg_profile *p, struct works *w) {
    for (uint32_t i = 0; i < w->n; i++) {
        struct work *b = &w->v[i];
        uint64_t waited = last_wait(p, b->began);
        for (uint32_t k = 0; k < i; k++) {
            const struct work *a = &w->v[k];
            bool ordered =
                a->stream == b->stream || (device_of(a) == device_of(b) && (is_default(a) || is_default(b)));
            double end = a->start + a->length;
            if (end > b->start && (ordered || a->ended <= waited)) b->start = end;
        }
    }
}

/* ---- The three groups ---- */

static void put_calls(struct wg_strbuf *out, const struct wg_profile *p) {
    uint64_t zero = UINT64_MAX;
    for (uint32_t i = 0; i < p->call_count; i++)
        if (p->calls[i].start_ns < zero) zero = p->calls[i].start_ns;
    if (p->call_count) put_name(out, "process_name", HOST, 0, "This run: calls of CUDA (real time here)");
    for (uint32_t i = 0; i < p->call_count; i++) {
        const struct wg_profile_call *c = &p->calls[i];
        json_t *args = json_pack("{s:i}", "status", (int)c->status);
        if (c->kind) {
            json_object_set_new(args, "moves", json_string(c->kind));
            json_object_set_new(args, "bytes", json_integer((json_int_t)c->bytes));
        }
        put_slice(out, HOST, c->thread, "api", c->name, (double)(c->start_ns - zero) / 1e3,
                  (double)(c->end_ns - c->start_ns) / 1e3, args);
    }
}

static json_t *launch_args(const struct work *w) {
    const struct wg_launch *l = w->launch;
    const struct wg_estimate *e = &w->estimate;
    struct wg_strbuf why = {0};
    wg_bound_statement(&e->bound, &e->input, &why);
    json_t *j = json_pack("{s:[i,i,i], s:[i,i,i], s:i, s:f, s:f, s:f, s:f, s:f, s:s, s:s}", "grid",
                          (int)l->grid[0], (int)l->grid[1], (int)l->grid[2], "block", (int)l->block[0],
                          (int)l->block[1], (int)l->block[2], "launch", (int)l->index, "occupancy",
                          (double)e->occupancy.warps / e->chip->limits->warps_per_sm, "waves", e->waves.waves,
                          "instructions", e->input.time.instructions, "sectors from L2",
                          e->bound.time.l1_misses, "bytes of memory", e->bound.time.dram_bytes,
                          "longest part", wg_time_part_names[e->bound.time.longest], "model says", why.s);
    wg_strbuf_free(&why);
    return j;
}

static void put_device(struct wg_strbuf *out, const struct wg_chip *chip, bool several,
                       const struct works *w) {
    struct wg_strbuf name = {0};
    wg_strbuf_printf(&name, "%s: kernels and copies by stream (times are the model's)", chip->name);
    put_name(out, "process_name", DEVICE, 0, name.s);
    for (uint32_t i = 0; i < w->n; i++) {
        const struct work *one = &w->v[i];
        bool seen = false;
        for (uint32_t k = 0; k < i; k++) seen |= w->v[k].stream == one->stream;
        if (!seen) {
            wg_strbuf_free(&name);
            if (several) wg_strbuf_printf(&name, "device %u, ", device_of(one));
            wg_strbuf_printf(&name, is_default(one) ? "default stream" : "stream %u", (uint32_t)one->stream);
            put_name(out, "thread_name", DEVICE, one->stream, name.s);
        }
        json_t *args = one->kernel ? launch_args(one)
                                   : json_pack("{s:I, s:f}", "bytes", (json_int_t)one->call->bytes, "GB/s",
                                               (double)one->call->bytes / one->length / 1e9);
        put_slice(out, DEVICE, one->stream, one->kernel ? "kernel" : "copy",
                  one->kernel ? one->kernel->display : one->call->kind, one->start * 1e6, one->length * 1e6,
                  args);
    }
    wg_strbuf_free(&name);
}

/* Blocks go round the SMs in order, as many at once as fit; each wave takes the same time. */
static void put_wave(struct wg_strbuf *out, unsigned process, const struct work *w, uint64_t wave) {
    const struct wg_estimate *e = &w->estimate;
    const struct wg_launch *l = w->launch;
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2], at_once = e->waves.at_once;
    uint32_t sms = e->chip->sms;
    double each = w->length / (double)e->waves.rounds;
    for (uint32_t sm = 0; sm < sms; sm++) {
        struct wg_strbuf list = {0}, name = {0};
        uint64_t n = 0;
        for (uint64_t b = wave * at_once + sm; b < blocks && b < (wave + 1) * at_once; b += sms) {
            wg_strbuf_printf(&list, "%s%" PRIu64, n ? ", " : "", b);
            n++;
        }
        if (!n) continue;
        wg_strbuf_printf(&name, "%" PRIu64 " block%s", n, n == 1 ? "" : "s");
        put_slice(out, process, sm, "blocks", name.s, (w->start + (double)wave * each) * 1e6, each * 1e6,
                  json_pack("{s:s, s:I}", "blocks", list.s, "wave", (json_int_t)wave));
        wg_strbuf_free(&name);
        wg_strbuf_free(&list);
    }
}

static void put_blocks(struct wg_strbuf *out, const struct wg_profile *p, const struct works *w) {
    for (uint32_t k = 0; k < p->kernel_count; k++) {
        const struct work *first = NULL;
        for (uint32_t i = 0; i < w->n && !first; i++)
            if (w->v[i].kernel == &p->kernels[k]) first = &w->v[i];
        if (!first || !first->estimate.waves.at_once) continue;
        struct wg_strbuf name = {0};
        wg_strbuf_printf(&name, "%s: blocks by SM, launch %u (model)", p->kernels[k].display,
                         first->launch->index);
        put_name(out, "process_name", FIRST_KERNEL + k, 0, name.s);
        for (uint32_t sm = 0; sm < first->estimate.chip->sms; sm++) {
            wg_strbuf_free(&name);
            wg_strbuf_printf(&name, "SM %u", sm);
            put_name(out, "thread_name", FIRST_KERNEL + k, sm, name.s);
        }
        wg_strbuf_free(&name);
        uint64_t rounds = first->estimate.waves.rounds;
        for (uint64_t r = 0; r < rounds && r < WAVES_SHOWN; r++) put_wave(out, FIRST_KERNEL + k, first, r);
        if (rounds > WAVES_SHOWN) put_wave(out, FIRST_KERNEL + k, first, rounds - 1);
    }
}

bool wg_write_trace(struct wg_strbuf *out, struct wg_arena *arena, const struct wg_profile *p,
                    struct wg_strbuf *why) {
    const struct wg_chip *chip = wg_chip_find(p->device ? p->device : "");
    if (!chip && p->arch) chip = wg_chip_find(p->arch);
    struct works w = collect(arena, p, chip);
    if (!chip || (!w.n && !p->call_count)) {
        wg_strbuf_printf(why, "%s: there is nothing to put on a timeline: no launch and no CUDA call",
                         p->path);
        return false;
    }
    lay_out(p, &w);
    wg_strbuf_puts(
        out, "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"made by\": \"Warpglass\", \"device times\": "
             "\"a model, see docs/time_model.md\"},\n\"traceEvents\": [\n"
             "{\"ph\": \"M\", \"name\": \"trace\", \"pid\": 0, \"args\": {}}");
    put_calls(out, p);
    put_device(out, chip, p->device_count > 1, &w);
    put_blocks(out, p, &w);
    wg_strbuf_puts(out, "\n]}\n");
    return true;
}
