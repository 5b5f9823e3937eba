/* Machines and their memory: see machines.h. */
#include "tests/fuzz/machines.h"
#include "base/cpu.h"
#include "check/finding.h"
#include "count/result.h"
#include "machine/machine.h"
#include "tests/fuzz/idiom.h"
#include "tests/generated/memory.h"
#include "tests/rows/gpu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PARTS = 4 };
static const struct {
    const char *name;
    uint32_t words;
} parts[PARTS] = {{"in", FUZZ_IN_WORDS}, {"own", FUZZ_WORDS}, {"out", FUZZ_WORDS}, {"counts", COUNT_WORDS}};

struct one {
    struct way way;
    struct wg_device *dev;        /* NULL: not open */
    struct wg_findings *findings; /* of checks; NULL: they are off */
    struct wg_result *result;     /* of counters; NULL: nothing is counted */
    struct wg_strbuf report;      /* what either came to in the last run */
    bool races;                   /* the reference, for the race check alone */
    uint32_t *part[PARTS];
};
enum { HOLDERS = 2 };
struct machines {
    struct one reference, generated[MOST_WAYS], holder[HOLDERS];
    uint32_t ngenerated;
    uint32_t *first[PARTS]; /* what memory holds at the start */
    int data;
    uint32_t dump;
    bool gpu; /* compared with, too */
    uint64_t at_gpu[PARTS];
    uint32_t *of_gpu[PARTS]; /* NULL: not open */
    struct wg_options options;
    bool of_host;                       /* memory: the program's own */
    bool checked, counted, cooperative; /* kernels are */
    uint32_t shared;                    /* bytes, what launches give them of shared memory */
};

uint32_t ways_list(struct way ways[MOST_WAYS]) {
    static const struct way all[] = {
        {512, 2, 1, 20, false}, {512, 2, 1, 10, true}, {256, 2, 1, 20, false}, {256, 2, 1, 10, true},
        {128, 2, 1, 4, false},  {512, 2, 3, 8, false}, {256, 2, 3, 8, false},  {512, 1, 1, 5, false},
        {256, 1, 1, 5, false},  {128, 1, 1, 1, false}, {512, 0, 1, 4, false},  {256, 0, 1, 4, false},
        {128, 0, 1, 1, false},
    };
    uint32_t n = 0;
    for (uint32_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].width <= wg_cpu_vector_bits()) ways[n++] = all[k];
    return n;
}

struct machines *machines_new(uint32_t dump, bool gpu) {
    struct machines *x = wg_xcalloc(1, sizeof *x);
    x->data = -1;
    x->dump = dump;
    x->gpu = gpu;
    wg_options_init(&x->options);
    for (int k = 0; k < PARTS; k++) x->first[k] = wg_xcalloc(parts[k].words, sizeof(uint32_t));
    return x;
}

bool machines_option(struct machines *x, const char *option) {
    const char *value = strchr(option, '=');
    size_t n, length = value ? (size_t)(value - option) : 0;
    const struct wg_option_info *all = wg_option_list(&n);
    struct wg_diag d = {0};
    if (!strcmp(option, "memory=host")) return x->of_host = true;
    if (!strcmp(option, "check=1")) return x->checked = true;
    if (!strcmp(option, "count=1")) return x->counted = true;
    if (!strcmp(option, "cooperative=1")) return x->cooperative = true;
    if (sscanf(option, "shared=%u", &x->shared) == 1) return true;
    for (size_t i = 0; i < n && value; i++)
        if (strlen(all[i].name) == length && !strncmp(all[i].name, option, length))
            return wg_options_set(&x->options, i, value + 1, &d);
    return false;
}

/* ---- memory ---- */

static uint32_t word(enum data data, uint32_t k) {
    uint32_t v = k * 2654435761u, small = (v >> 20) % 64;
    if (data == DATA_INTEGERS) return k % 5 == 0 ? v % 64 : k % 5 == 1 ? v | 0x80000000 : v ^ v >> 13;
    union {
        float f;
        uint32_t u;
    } x = {.f = ((float)small - 24) / 4};
    return x.u;
}

static void fill(struct machines *x, enum data data) {
    if (x->data == (int)data) return;
    x->data = (int)data;
    for (int part = 0; part < 2; part++)
        for (uint32_t k = 0; k < parts[part].words; k++)
            x->first[part][k] = word(data, k + 7 * (uint32_t)part);
}

/* ---- a run ---- */

static void complain(void *user, const char *message) {}

/* Between pages that nobody may touch. */
static bool host_memory(struct one *o, size_t size, void **p) {
    enum { PAGE = 4096 };
    char *room = mmap(NULL, size + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *p = room + PAGE;
    return room != MAP_FAILED && !mprotect(*p, size, PROT_READ | PROT_WRITE) &&
           wg_mem_register(o->dev, *p, size, 0) == WG_OK;
}

/* Of a launch by the reference: an edit may have made a loop endless. */
enum { MOST_SECONDS = 20 };

/* Where findings and counters are written to be compared. */
static const char *report_path(char path[64]) {
    snprintf(path, 64, "/tmp/fuzz_kernels.%d", (int)getpid());
    return path;
}

static bool open_one(const struct machines *x, struct one *o, bool reference, char *why, size_t size) {
    struct wg_options options = x->options;
    struct wg_diag d = {0};
    char path[64];
    options.threads = reference ? 1 : o->way.threads;
    options.backend = reference ? WG_BACKEND_REF : WG_BACKEND_JIT;
    if (!options.timeout) options.timeout = MOST_SECONDS;
    if (!reference) options.timeout = 0;
    if (reference) options.opt.forms_off = UINT64_MAX; /* every warp runs */
    options.dump = reference ? 0 : x->dump;
    options.width = o->way.width;
    options.opt.level = o->way.level;
    strcpy(options.cache_dir, "none");
    options.on_fault = complain;
    if (!o->races && x->checked) o->findings = wg_findings_new(report_path(path));
    if (!o->races && x->counted) o->result = wg_result_new(report_path(path));
    options.findings = o->findings;
    options.result = o->result;
    options.checks = 1u << WG_CHECK_race | 1u << WG_CHECK_init;
    options.strict_init = o->races; /* what nobody wrote may differ, and then all that follows from it */
    bool good = wg_device_open(&options, &o->dev, &d) == WG_OK;
    for (int k = 0; good && k < PARTS; k++) {
        void *p = NULL;
        if (x->of_host)
            good = host_memory(o, parts[k].words * sizeof(uint32_t), &p);
        else
            good = wg_mem_alloc(o->dev, o->findings ? WG_MEM_MANAGED : WG_MEM_DEVICE,
                                parts[k].words * sizeof(uint32_t), &p) == WG_OK;
        o->part[k] = p;
    }
    if (!good) snprintf(why, size, "no device: %s", d.text.s ? d.text.s : wg_last_detail());
    wg_diag_free(&d);
    return good;
}

static void close_one(struct one *o) {
    if (o->dev) wg_device_close(o->dev);
    if (o->findings && !o->races) wg_findings_free(o->findings);
    if (o->result) wg_result_free(o->result);
    o->dev = NULL;
    o->result = NULL;
    if (!o->races) o->findings = NULL;
}

/* Leaves out what is different by nature: addresses, of another device, and times. */
static void blank(char *report) {
    static const char *const keys[] = {"\"address\": ", "_ns\": "};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        for (char *at = report; (at = strstr(at, keys[k]));) {
            at += strlen(keys[k]);
            char *end = at + strcspn(at, ",\n");
            memmove(at, end, strlen(end) + 1);
        }
}

static bool take_report(struct one *o) {
    char path[64];
    if (o->races || (!o->findings && !o->result)) return true;
    wg_strbuf_free(&o->report);
    bool good =
        o->findings ? wg_findings_write(o->findings, "exit", 0) : wg_result_write(o->result, "exit", 0);
    good = good && wg_file_read(report_path(path), &o->report);
    if (good) blank(o->report.s);
    unlink(path);
    return good;
}

static bool launch(const struct machines *x, struct one *o, const struct program *p, struct wg_module *module,
                   char *why, size_t size) {
    struct memory_params params = {o->part[0], o->part[1], o->part[2], o->part[3], {p->q[0], p->q[1]}};
    struct wg_launch l = {.func = wg_module_func(module, p->entry ? p->entry : "made"),
                          .params = &params,
                          .param_bytes = sizeof params,
                          .dynamic_shared = x->shared,
                          .cooperative = x->cooperative};
    if (!l.func) {
        snprintf(why, size, "no kernel '%s'", p->entry ? p->entry : "made");
        return false;
    }
    memcpy(l.grid, p->grid, sizeof l.grid);
    memcpy(l.block, p->block, sizeof l.block);
    enum wg_status s = wg_launch(wg_device_stream(o->dev, WG_STREAM_LEGACY), &l);
    if (s == WG_OK) s = wg_device_sync(o->dev);
    if (s == WG_OK) return true;
    const struct wg_fault_record *f = wg_device_fault(o->dev);
    snprintf(why, size, "%s: %s", wg_status_name(s), f ? f->message : wg_last_detail());
    return false;
}

static bool run(struct machines *x, struct one *o, const struct program *p, const char *ptx, char *why,
                size_t size) {
    struct wg_module *module = NULL;
    struct wg_diag d = {0};
    bool reference = o == &x->reference || o->races;
    if (!o->dev && !open_one(x, o, reference, why, size)) return false;
    for (int k = 0; k < PARTS; k++) memcpy(o->part[k], x->first[k], parts[k].words * sizeof(uint32_t));
    bool good = wg_module_load(o->dev, "made.ptx", ptx, strlen(ptx), &module, &d) == WG_OK;
    if (!good) snprintf(why, size, "%s", d.text.s ? d.text.s : wg_last_detail());
    good = good && launch(x, o, p, module, why, size);
    if (module) wg_module_unload(module);
    if (wg_device_status(o->dev) != WG_OK) close_one(o); /* it stays so */
    if (good && !take_report(o)) snprintf(why, size, "no report"), good = false;
    wg_diag_free(&d);
    return good;
}

/* The first word that is not the same: `what` has the other one. */
static bool words_differ(uint32_t *const reference[PARTS], uint32_t *const other[PARTS], const char *what,
                         char *why, size_t size) {
    for (int part = PARTS - 1; part >= 0; part--) {
        const uint32_t *a = reference[part], *b = other[part];
        uint32_t k = 0;
        if (!memcmp(a, b, parts[part].words * sizeof(uint32_t))) continue;
        while (a[k] == b[k]) k++;
        snprintf(why, size, "%s, word %u: reference 0x%x, %s 0x%x", parts[part].name, k, a[k], what, b[k]);
        return true;
    }
    return false;
}
static bool differs(const struct one *a, const struct one *b, char *why, size_t size) {
    int n =
        snprintf(why, size, "%u bits, level %u, %u threads: ", b->way.width, b->way.level, b->way.threads);
    if (words_differ(a->part, b->part, "generated code", why + n, size - (size_t)n)) return true;
    if (!a->report.n || !strcmp(a->report.s, b->report.s)) return false;
    snprintf(why + n, size - (size_t)n, "other findings or counters");
    return true;
}

/* Runs it on the GPU and compares with what the reference left. */
static bool gpu_differs(struct machines *x, const struct program *p, const char *ptx, char *why,
                        size_t size) {
    if (!x->of_gpu[0]) {
        gpu_open();
        for (int k = 0; k < PARTS; k++) {
            x->of_gpu[k] = wg_xcalloc(parts[k].words, sizeof(uint32_t));
            x->at_gpu[k] = gpu_alloc(parts[k].words * sizeof(uint32_t));
        }
    }
    uint32_t q[2] = {p->q[0], p->q[1]};
    void *params[] = {&x->at_gpu[0], &x->at_gpu[1], &x->at_gpu[2], &x->at_gpu[3], &q[0], &q[1]};
    for (int k = 0; k < PARTS; k++) gpu_write(x->at_gpu[k], x->first[k], parts[k].words * sizeof(uint32_t));
    if (!gpu_run(ptx, p->entry ? p->entry : "made", p->grid, p->block, params)) {
        snprintf(why, size, "the GPU's driver does not load it");
        return true;
    }
    for (int k = 0; k < PARTS; k++) gpu_read(x->of_gpu[k], x->at_gpu[k], parts[k].words * sizeof(uint32_t));
    return words_differ(x->reference.part, x->of_gpu, "the GPU", why, size);
}

static struct one *one_of(struct machines *x, const struct way *w) {
    for (uint32_t k = 0; k < x->ngenerated; k++) {
        const struct way *v = &x->generated[k].way;
        if (v->width == w->width && v->level == w->level && v->threads == w->threads &&
            v->tested == w->tested)
            return &x->generated[k];
    }
    x->generated[x->ngenerated].way = *w;
    return &x->generated[x->ngenerated++];
}

int machines_hush(void) {
    static int file = -1;
    if (file < 0) file = memfd_create("said", 0);
    if (ftruncate(file, 0) || lseek(file, 0, SEEK_SET)) return -1;
    int was = dup(STDERR_FILENO);
    dup2(file, STDERR_FILENO);
    return was;
}
bool machines_said(int was, char *text, size_t size) {
    if (was < 0) return false;
    ssize_t n = pread(STDERR_FILENO, text, size - 1, 0);
    dup2(was, STDERR_FILENO);
    close(was);
    if (n > 0) text[n] = 0;
    return n > 0;
}

static uint32_t count_of(const char *text, const char *word) {
    uint32_t n = 0;
    for (; (text = strstr(text, word)); text++) n++;
    return n;
}

/* Values of lanes that do not exist are left open by PTX, but no back end may give others than the reference. */
static bool has_others(struct wg_findings *f, const char *path) {
    char text[1 << 16];
    if (!wg_findings_any(f) || !wg_findings_write(f, "exit", 0)) return wg_findings_any(f);
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[n] = 0;
    return count_of(text, "\"kind\": ") != count_of(text, "of this warp do not exist\"");
}

bool machines_race(struct machines *x, const struct program *p, const char *ptx, char *why, size_t size) {
    char path[64], said[640] = "the race check finds something";
    fill(x, p->data);
    snprintf(path, sizeof path, "/tmp/fuzz_kernels.%d", (int)getpid());
    struct one o = {.findings = wg_findings_new(path), .races = true};
    bool racy = !run(x, &o, p, ptx, said, sizeof said) || has_others(o.findings, path);
    /* What follows from where memory lies is not the same twice. */
    if (!racy && x->reference.dev)
        racy = words_differ(x->reference.part, o.part, "once more", said, sizeof said);
    close_one(&o);
    wg_findings_free(o.findings);
    unlink(path);
    if (racy) snprintf(why, size, "of no worth: %s", said);
    return racy;
}

void machines_close(struct machines *x) {
    close_one(&x->reference);
    for (uint32_t k = 0; k < x->ngenerated; k++) close_one(&x->generated[k]);
    for (uint32_t k = 0; k < HOLDERS; k++) close_one(&x->holder[k]);
}

void machines_free(struct machines *x) {
    machines_close(x);
    for (int k = 0; k < PARTS; k++) free(x->first[k]);
    free(x);
}

/* The first device of a process finds room around its memory, and perhaps one more. Without it code tests
 * addresses, and goes without some forms (machine/memory/memory.c). So one way is open at a time, and before the
 * reference is; or behind two devices that hold the room. */
static bool take_turn(struct machines *x, struct one *o, char *why, size_t size) {
    bool good = true;
    if (o->dev) return true;
    for (uint32_t k = 0; k < x->ngenerated; k++) close_one(&x->generated[k]);
    for (uint32_t k = 0; k < HOLDERS; k++) {
        if (o->way.tested && !x->holder[k].dev) good &= open_one(x, &x->holder[k], true, why, size);
        if (!o->way.tested) close_one(&x->holder[k]);
    }
    return good && open_one(x, o, false, why, size);
}

enum verdict machines_judge(struct machines *x, const struct program *p, const char *ptx,
                            const struct way *ways, uint32_t nways, char *why, size_t size) {
    fill(x, p->data);
    if (x->checked || x->counted) { /* findings and counters add up over a device's launches */
        close_one(&x->reference);
        for (uint32_t k = 0; k < x->ngenerated; k++) close_one(&x->generated[k]);
    }
    if (nways && !take_turn(x, one_of(x, &ways[0]), why, size)) return BROKEN;
    if (!run(x, &x->reference, p, ptx, why, size)) return BROKEN;
    for (uint32_t k = 0; k < nways; k++) {
        struct one *o = one_of(x, &ways[k]);
        char said[640];
        int was = x->dump ? -1 : machines_hush();
        bool same = take_turn(x, o, why, size) && run(x, o, p, ptx, why, size) &&
                    !differs(&x->reference, o, why, size);
        if (machines_said(was, said, sizeof said) && same) {
            snprintf(why, size, "%u bits, level %u: %s", o->way.width, o->way.level, said);
            same = false;
        }
        if (!same) return machines_race(x, p, ptx, why, size) ? BROKEN : DIFFERENT;
    }
    if (x->gpu && !p->open && gpu_differs(x, p, ptx, why, size))
        return machines_race(x, p, ptx, why, size) ? BROKEN : STRANGE;
    return SAME;
}
