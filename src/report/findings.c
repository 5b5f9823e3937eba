/* See findings.h. */
#include "report/findings.h"
#include "report/names.h"
#include "report/reader.h"
#include "report/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ----------------------------------------------------------------------------------------------
 */

static bool flag(const json_t *o, const char *key) { return json_is_true(json_object_get(o, key)); }

static void read_code(struct wg_reader *r, const json_t *o, const char *key, struct wg_found_code *c) {
    const json_t *v = json_object_get(o, key);
    if (!v) return;
    c->object = wg_read_text_needed(r, v, "object");
    c->offset = wg_read_large(r, v, "offset");
}

/* -1: nothing is said of one. */
static int device_in(const json_t *o) {
    const json_t *v = json_object_get(o, "device");
    return json_is_integer(v) ? (int)json_integer_value(v) : -1;
}
static const char *on_device(struct wg_reader *r, const json_t *o) {
    int device = device_in(o);
    return device < 0 ? "" : wg_arena_printf(r->arena, " on device %d", device);
}

static void read_place(struct wg_reader *r, const json_t *o, const char *key, struct wg_found_place *p) {
    const json_t *v = json_object_get(o, key);
    *p = (struct wg_found_place){.ptx_line = wg_read_small(r, v, "ptx_line", 0),
                                 .bytes = wg_read_small(r, v, "bytes", 0),
                                 .op = wg_read_text(r, v, "op"),
                                 .access = wg_read_text(r, v, "access"),
                                 .value = wg_read_text(r, v, "value"),
                                 .kernel = wg_read_text(r, v, "kernel"),
                                 .launch = wg_read_large(r, v, "launch"),
                                 .on = on_device(r, v),
                                 .asked_by = wg_read_text(r, v, "asked_by"),
                                 .has_thread = json_object_get(v, "thread") != NULL};
    p->frames = wg_read_frames(r, v, &p->frame_count);
    if (p->has_thread) {
        wg_read_shape(r, v, "block", true, 0, p->block);
        wg_read_shape(r, v, "thread", true, 0, p->thread);
    }
    read_code(r, v, "asked_at", &p->asked);
    p->launcher = wg_read_text(r, v, "launcher");
}

static void read_memory(struct wg_reader *r, const json_t *o, struct wg_found_memory *m) {
    const json_t *v = json_object_get(o, "memory");
    if (!v) return;
    *m = (struct wg_found_memory){.space = wg_read_text_needed(r, v, "space"),
                                  .name = wg_read_text(r, v, "name"),
                                  .what = wg_read_text(r, v, "what"),
                                  .made_by = wg_read_text(r, v, "made_by"),
                                  .address = wg_read_text_needed(r, v, "address"),
                                  .has_allocation = json_object_get(v, "size") != NULL,
                                  .freed = flag(v, "freed"),
                                  .size = wg_read_large(r, v, "size"),
                                  .offset = json_integer_value(json_object_get(v, "offset")),
                                  .device = device_in(v)};
    /* Clang keeps all arrays of a thread's own in one variable, which nobody knows by its name. */
    if (m->name && !strncmp(m->name, "__local_depot", 13)) m->name = NULL;
    if (m->name) m->name = wg_variable_name(r->arena, m->name);
    read_code(r, v, "made_at", &m->made_at);
    read_code(r, v, "freed_at", &m->freed_at);
}

static enum wg_finding_kind kind_of(struct wg_reader *r, const json_t *o) {
    const char *name = wg_read_text_needed(r, o, "kind");
    for (int k = 0; k < WG_FINDING_KINDS; k++)
        if (!strcmp(name, wg_finding_info(k)->name)) return (enum wg_finding_kind)k;
    wg_read_fail(r, "kind", wg_arena_printf(r->arena, "unknown kind '%s'", name));
    return WG_F_out_of_bounds;
}

static void read_found(struct wg_reader *r, const json_t *v, struct wg_found *f) {
    *f = (struct wg_found){.kind = kind_of(r, v),
                           .kernel = wg_read_text(r, v, "kernel"),
                           .detail = wg_read_text(r, v, "detail"),
                           .module = wg_read_small(r, v, "module", 0),
                           .launch = wg_read_large(r, v, "launch"),
                           .on = on_device(r, v),
                           .device = device_in(v),
                           .count = wg_read_large(r, v, "count"),
                           .benign = flag(v, "benign"),
                           .has_other = json_object_get(v, "other") != NULL};
    read_place(r, v, "here", &f->here);
    if (f->has_other) read_place(r, v, "other", &f->other);
    read_memory(r, v, &f->memory);
    read_code(r, v, "host", &f->host);
    read_code(r, v, "launched", &f->launched);
    f->launched_by = wg_read_text(r, v, "launched_by");
    f->launcher = wg_read_text(r, v, "launcher");
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

static bool same_lines(const struct wg_frame *a, uint32_t n, const struct wg_frame *b, uint32_t m) {
    bool same = n == m;
    for (uint32_t i = 0; i < n && same; i++) same = a[i].line == b[i].line && !strcmp(a[i].file, b[i].file);
    return same;
}

static bool same_frames(const struct wg_frame *a, uint32_t n, const struct wg_frame *b, uint32_t m) {
    bool same = same_lines(a, n, b, m);
    for (uint32_t i = 0; i < n && same; i++) same = a[i].column == b[i].column;
    return same;
}

/* Compilers copy calls, too, when they unroll loops. */
bool wg_found_same_code(const struct wg_found_code *a, const struct wg_found_code *b) {
    if (!same_text(a->object, b->object)) return false;
    return a->offset == b->offset ||
           (a->frame_count && same_frames(a->frames, a->frame_count, b->frames, b->frame_count));
}

static bool in_headers(const struct wg_found_place *p) {
    for (uint32_t i = 0; i < p->frame_count; i++)
        if (!wg_source_is_system(p->frames[i].file)) return false;
    return p->frame_count > 0;
}

/* The ways that a library's own calls take to a place are one. */
static bool same_line(const struct wg_found_place *a, const struct wg_found_place *b) {
    if (!a->frame_count && a->ptx_line != b->ptx_line) return false;
    if (!same_text(a->kernel, b->kernel) || !wg_found_same_code(&a->asked, &b->asked)) return false;
    if (in_headers(a) && in_headers(b)) return same_frames(a->frames, 1, b->frames, 1);
    return same_frames(a->frames, a->frame_count, b->frames, b->frame_count);
}

static bool same_place(const struct wg_found_place *a, const struct wg_found_place *b) {
    return same_line(a, b) && same_text(a->access, b->access);
}

/* Without an allocation near, an address is all that is known. */
static bool same_memory(const struct wg_found_memory *a, const struct wg_found_memory *b) {
    if (a->has_allocation != b->has_allocation || a->freed != b->freed || !same_text(a->space, b->space))
        return false;
    return a->has_allocation ? a->size == b->size && same_text(a->name, b->name) &&
                                   wg_found_same_code(&a->made_at, &b->made_at)
                             : same_text(a->address, b->address);
}

/* The read and the write of `x[i] += 1` are one: of the same memory, in the same place of the source. */
static bool same_update(const struct wg_found *a, const struct wg_found *b) {
    return wg_finding_info(a->kind)->check == WG_CHECK_memory && a->here.access && b->here.access &&
           a->here.frame_count && same_line(&a->here, &b->here) && same_memory(&a->memory, &b->memory);
}

static bool same_pair(const struct wg_found_place *a, const struct wg_found_place *a_other,
                      const struct wg_found_place *b, const struct wg_found_place *b_other) {
    return same_place(a, b) && same_place(a_other, b_other);
}

static bool is_race(const struct wg_found *f) { return wg_finding_info(f->kind)->check == WG_CHECK_race; }

static bool on_lines(const struct wg_found *a, const struct wg_found_place *x,
                     const struct wg_found_place *y) {
    return a->here.frame_count && a->other.frame_count &&
           same_lines(a->here.frames, a->here.frame_count, x->frames, x->frame_count) &&
           same_lines(a->other.frames, a->other.frame_count, y->frames, y->frame_count);
}

/* Of one array in shared memory, between two lines: one barrier of the block is missing, and orders both. */
static bool same_gap(const struct wg_found *a, const struct wg_found *b) {
    const struct wg_found *of[] = {a, b};
    for (int i = 0; i < 2; i++)
        if ((of[i]->kind != WG_F_race_warp && of[i]->kind != WG_F_race_block) || of[i]->benign) return false;
    return same_text(a->memory.space, "shared") && same_memory(&a->memory, &b->memory) &&
           (on_lines(a, &b->here, &b->other) || on_lines(a, &b->other, &b->here));
}

/* At the same two places, whichever of the two came first; inside of a launch or not. */
static bool same_race(const struct wg_found *a, const struct wg_found *b) {
    if (same_gap(a, b)) return true;
    bool streams = a->kind == WG_F_race_stream || b->kind == WG_F_race_stream;
    if (streams && (a->kind != b->kind || !same_line(&a->here, &b->here))) return false;
    return (same_line(&a->here, &b->here) && same_line(&a->other, &b->other)) ||
           (same_line(&a->here, &b->other) && same_line(&a->other, &b->here));
}

/* What a kernel did is told apart by its places, what the program did by its calls. Lines of PTX are those of
 * one module. */
static bool same_finding(const struct wg_found *a, const struct wg_found *b) {
    bool source = a->here.frame_count && (!a->has_other || a->other.frame_count);
    if (!same_text(a->kernel, b->kernel) || a->has_other != b->has_other) return false;
    if (a->kernel && !source && a->module != b->module) return false;
    if (is_race(a) && is_race(b)) return same_race(a, b);
    if (a->kind != b->kind) return false;
    if (!a->kernel)
        return same_text(a->here.op, b->here.op) && wg_found_same_code(&a->host, &b->host) &&
               wg_found_same_code(&a->memory.made_at, &b->memory.made_at) &&
               (a->host.object || a->memory.made_at.object);
    if (!a->has_other && same_update(a, b)) return true;
    return same_pair(&a->here, &a->other, &b->here, &b->other);
}

static bool same_text_pair(const char *a, const char *b, const char *c, const char *d) {
    return (same_text(a, c) && same_text(b, d)) || (same_text(a, d) && same_text(b, c));
}

/* `n` more of that kind, by such accesses. */
static void fold(struct wg_arena *arena, struct wg_found *into, enum wg_finding_kind kind, const char *access,
                 const char *other, uint64_t n) {
    into->count += n;
    if (kind == into->kind && same_text_pair(access, other, into->here.access, into->other.access)) return;
    for (uint32_t i = 0; i < into->also_count; i++) {
        struct wg_found_also *x = &into->also[i];
        if (x->kind != kind || !same_text_pair(x->access, x->other_access, access, other)) continue;
        x->count += n;
        return;
    }
    struct wg_found_also *v = WG_NEW_N(arena, struct wg_found_also, into->also_count + 1);
    for (uint32_t i = 0; i < into->also_count; i++) v[i] = into->also[i];
    v[into->also_count++] = (struct wg_found_also){kind, access, other, n};
    into->also = v;
}

/* Keeps the first, which is the one of the lowest launch, unless it alone is benign, or between lanes of one warp. */
static void merge(struct wg_arena *arena, struct wg_found *into, const struct wg_found *f) {
    struct wg_found rest = *f;
    bool wider = into->kind == WG_F_race_warp && f->kind == WG_F_race_block;
    if ((into->benign && !f->benign) || (into->benign == f->benign && wider)) {
        rest = *into;
        *into = *f;
    }
    uint64_t own = rest.count;
    for (uint32_t i = 0; i < rest.also_count; i++) {
        const struct wg_found_also *x = &rest.also[i];
        own -= x->count;
        fold(arena, into, x->kind, x->access, x->other_access, x->count);
    }
    fold(arena, into, rest.kind, rest.here.access, rest.other.access, own);
}

static void merge_same(struct wg_findings_file *file) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < file->found_count; i++) {
        uint32_t j = 0;
        while (j < n && !same_finding(&file->found[j], &file->found[i])) j++;
        if (j < n)
            merge(file->arena, &file->found[j], &file->found[i]);
        else
            file->found[n++] = file->found[i];
    }
    file->found_count = n;
}

/* What counts comes before what does not. */
static void put_benign_last(struct wg_findings_file *file) {
    struct wg_found *sorted = WG_NEW_N(file->arena, struct wg_found, file->found_count + 1);
    uint32_t n = 0;
    for (int benign = 0; benign < 2; benign++)
        for (uint32_t i = 0; i < file->found_count; i++)
            if (file->found[i].benign == benign) sorted[n++] = file->found[i];
    file->found = sorted;
}

static void read_all_found(struct wg_reader *r, const json_t *root, struct wg_findings_file *file) {
    const json_t *a = wg_read_array(r, root, "findings", true);
    size_t n = json_array_size(a);
    file->found = WG_NEW_N(r->arena, struct wg_found, n);
    for (size_t i = 0; i < n && !r->failed; i++) {
        size_t before = wg_read_enter(r, "findings", i);
        read_found(r, json_array_get(a, i), &file->found[file->found_count++]);
        wg_read_leave(r, before);
    }
    merge_same(file);
    put_benign_last(file);
}

static const char **read_texts(struct wg_reader *r, const json_t *root, const char *key, uint32_t *count) {
    const json_t *a = wg_read_array(r, root, key, false);
    size_t n = json_array_size(a);
    const char **v = WG_NEW_N(r->arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        const char *s = json_string_value(json_array_get(a, i));
        v[i] = wg_arena_strdup(r->arena, s ? s : "");
    }
    *count = (uint32_t)n;
    return v;
}

static void read_checks(struct wg_reader *r, const json_t *root, struct wg_findings_file *file) {
    uint32_t n;
    const char **names = read_texts(r, root, "checks", &n);
    for (uint32_t i = 0; i < n; i++)
        for (int c = 0; c < WG_CHECKS; c++) file->checks[c] |= !strcmp(names[i], wg_check_name(c));
}

static void read_kernels(struct wg_reader *r, const json_t *root, struct wg_findings_file *file) {
    const json_t *a = wg_read_array(r, root, "kernels", true);
    size_t n = json_array_size(a);
    file->kernels = WG_NEW_N(r->arena, struct wg_found_kernel, n);
    file->kernel_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *v = json_array_get(a, i);
        size_t before = wg_read_enter(r, "kernels", i);
        file->kernels[i] = (struct wg_found_kernel){.name = wg_read_text_needed(r, v, "name"),
                                                    .launches = wg_read_large(r, v, "launches"),
                                                    .threads = wg_read_large(r, v, "threads"),
                                                    .accesses = wg_read_large(r, v, "accesses")};
        wg_read_leave(r, before);
    }
}

static bool is_ours(struct wg_reader *r, const json_t *root) {
    const char *format = json_string_value(json_object_get(root, "format"));
    long long version = json_integer_value(json_object_get(root, "version"));
    if (!format || strcmp(format, "warpglass-findings") != 0)
        wg_read_fail(r, NULL, "this is JSON, but not a findings file");
    else if (version != WG_FINDINGS_VERSION)
        wg_read_fail(r, NULL,
                     wg_arena_printf(r->arena, "its version is %lld, and this Warpglass reads version %d",
                                     version, WG_FINDINGS_VERSION));
    return !r->failed;
}

static struct wg_findings_file *read_root(struct wg_reader *r, const json_t *root) {
    struct wg_findings_file *f = WG_NEW(r->arena, struct wg_findings_file);
    const json_t *device = json_object_get(root, "device");
    f->arena = r->arena;
    f->program = wg_read_text(r, root, "program");
    if (!f->program) f->program = "the program";
    f->arguments = read_texts(r, root, "arguments", &f->argument_count);
    f->ended = wg_read_text_needed(r, root, "ended");
    f->status = json_integer_value(json_object_get(root, "status"));
    const char *arch = wg_read_text(r, device, "arch"), *name = wg_read_text(r, device, "name");
    f->arch = arch ? arch : "";
    f->device = name ? name : "";
    f->notes = read_texts(r, root, "notes", &f->note_count);
    f->rounded = wg_read_text(r, root, "rounded");
    read_checks(r, root, f);
    read_kernels(r, root, f);
    read_all_found(r, root, f);
    return f;
}

struct wg_findings_file *wg_findings_read(struct wg_arena *arena, const char *path, struct wg_strbuf *why) {
    struct wg_strbuf text = {0};
    struct wg_reader r = {.arena = arena, .why = why, .path = path};
    struct wg_findings_file *file = NULL;
    if (!wg_file_read(path, &text)) {
        wg_strbuf_printf(why, "%s: %s", path, strerror(errno));
    } else {
        json_t *root = wg_read_json(&r, text.s ? text.s : "", text.n);
        if (root && is_ours(&r, root)) file = read_root(&r, root);
        json_decref(root);
    }
    wg_strbuf_free(&text);
    return r.failed ? NULL : file;
}

/* ---- Host code --------------------------------------------------------------------------------------------
 */

/* A launch is called from a function that the compiler made for the kernel, which stands where the kernel
 * does: who called that is meant. */
static void leave_stub(struct wg_found_code *c, const char *call) {
    if (!call || !strstr(call, "LaunchKernel") || c->frame_count < 2) return;
    c->frames++;
    c->frame_count--;
}

/* A call that is no launch is a place by itself. */
static void place_call(struct wg_found_place *p) {
    leave_stub(&p->asked, p->asked_by);
    if (p->kernel || p->frame_count || !p->asked.frame_count) return;
    const struct wg_frame *own = wg_found_frame(p->asked.frames, p->asked.frame_count);
    p->frames = p->asked.frames + (own - p->asked.frames); /* without CUDA's own wrappers */
    p->frame_count = p->asked.frame_count - (uint32_t)(own - p->asked.frames);
}

void wg_findings_symbolise(struct wg_findings_file *f, wg_findings_look look, void *user) {
    WG_VEC(struct wg_found_code *) codes = {0};
    for (uint32_t i = 0; i < f->found_count; i++) {
        struct wg_found *x = &f->found[i];
        struct wg_found_code *all[] = {&x->host,       &x->memory.made_at, &x->memory.freed_at,
                                       &x->here.asked, &x->other.asked,    &x->launched};
        for (int j = 0; j < 6; j++)
            if (all[j]->object) *WG_PUSH(&codes) = all[j];
    }
    if (codes.n) look(user, codes.v, codes.n);
    for (uint32_t i = 0; i < f->found_count; i++) {
        leave_stub(&f->found[i].host, f->found[i].here.op);
        leave_stub(&f->found[i].launched, f->found[i].launched_by);
        place_call(&f->found[i].here);
        place_call(&f->found[i].other);
    }
    merge_same(f);
    free(codes.v);
}

const struct wg_frame *wg_found_frame(const struct wg_frame *frames, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (!wg_source_is_system(frames[i].file)) return &frames[i];
    return n ? &frames[0] : NULL;
}

const struct wg_frame *wg_found_where(const struct wg_found *f) {
    const struct wg_frame *in_kernel = wg_found_frame(f->here.frames, f->here.frame_count);
    if (in_kernel || f->kernel) return in_kernel;
    const struct wg_found_code *host = f->host.object ? &f->host : &f->memory.made_at;
    return wg_found_frame(host->frames, host->frame_count);
}

/* ---- What is shown ----------------------------------------------------------------------------------------
 */

bool wg_kernel_fits(const struct wg_pattern *expression, const char *text, const char *kernel) {
    return !strcmp(text, kernel) || wg_pattern_fits(expression, kernel);
}

bool wg_findings_choose(struct wg_findings_file *f, const struct wg_findings_choice *c,
                        struct wg_strbuf *why) {
    struct wg_pattern *kernel = c->kernel ? wg_pattern_make(c->kernel, why) : NULL;
    uint32_t n = 0;
    if (c->kernel && !kernel) return false;
    for (uint32_t i = 0; i < f->found_count; i++) {
        const struct wg_found *x = &f->found[i];
        if (c->kernel && (!x->kernel || !wg_kernel_fits(kernel, c->kernel, x->kernel))) continue;
        if (x->kind == WG_F_leak && !c->leaks) continue;
        f->found[n++] = *x;
    }
    f->found_count = n;
    if (!c->kernel) return true;
    n = 0;
    for (uint32_t i = 0; i < f->kernel_count; i++)
        if (wg_kernel_fits(kernel, c->kernel, f->kernels[i].name)) f->kernels[n++] = f->kernels[i];
    f->kernel_count = n;
    f->chosen = true;
    wg_pattern_free(kernel);
    return true;
}

void wg_findings_was_asked_to_end(struct wg_findings_file *f) {
    bool by_signal = !strcmp(f->ended, "signal"); /* and not by the machine's own limit, WARPGLASS_TIMEOUT */
    for (uint32_t i = 0; by_signal && i < f->found_count; i++)
        if (f->found[i].kind == WG_F_timeout) f->found[i].kind = WG_F_interrupted;
}

bool wg_findings_late_alone(const struct wg_findings_file *f) {
    for (uint32_t i = 0; i < f->found_count; i++) {
        const struct wg_found *x = &f->found[i];
        bool late = x->kind == WG_F_timeout || x->kind == WG_F_interrupted;
        if (!x->suppressed && !x->benign && !late) return false;
    }
    return true;
}

uint32_t wg_findings_counting(const struct wg_findings_file *f) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->found_count; i++) n += !f->found[i].suppressed && !f->found[i].benign;
    return n;
}
