/* Counting from inside the program: what libwarpglass.a, which programs link for
 * include/warpglass/warpglass.h, finds in this library by name.
 *
 *     h = wg_counting_start();  launches...  wg_counting_stop(h);
 *     wg_counting_value(h, "transpose", "transpose.cu", 12, "shared_conflicts", &n)
 *
 * While it counts, kernels run the code of profile mode; what was compiled before stays for later. Several
 * may count at once, each for itself. Names of counters are those of `warpglass profile --counters` that are
 * no quotients: a class of accesses or a memory, and a counter ("global_load_sectors", "shared_conflicts"),
 * or a counter alone ("instructions").
 */
#include "driver/driver.h"
#include "machine/profile.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTING_OK, COUNTING_NO_KERNEL, COUNTING_NO_COUNTER, COUNTING_NO_LINE };

/* A place's counts, over all launches of its kernel. */
struct place {
    char *file; /* NULL: not known */
    uint32_t line;
    uint8_t class;
    struct wg_counts counts;
};
struct counted_kernel {
    char *name, *display;
    uint64_t launches;
    WG_VEC(struct place) places;
};
struct wg_counting {
    struct wg_counting *next;
    bool active;
    WG_VEC(struct counted_kernel) kernels;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct wg_counting *all;

/* ---- Launches come in ---- */

static struct counted_kernel *kernel_of(struct wg_counting *c, const struct wg_result_kernel *k) {
    for (uint32_t i = 0; i < c->kernels.n; i++)
        if (!strcmp(c->kernels.v[i].name, k->name)) return &c->kernels.v[i];
    struct counted_kernel *n = WG_PUSH(&c->kernels);
    *n = (struct counted_kernel){.name = wg_xstrdup(k->name), .display = wg_xstrdup(k->display)};
    return n;
}

static struct place *place_of(struct counted_kernel *k, const struct wg_result_site *s) {
    const struct wg_frame *f = s->nframes ? &s->frames[0] : NULL;
    const char *file = f ? f->file : NULL;
    uint32_t line = f ? f->line : 0;
    for (uint32_t i = 0; i < k->places.n; i++) {
        struct place *p = &k->places.v[i];
        bool same_file = p->file && file ? !strcmp(p->file, file) : p->file == file;
        if (same_file && p->line == line && p->class == s->class) return p;
    }
    struct place *p = WG_PUSH(&k->places);
    *p = (struct place){.file = file ? wg_xstrdup(file) : NULL, .line = line, .class = s->class};
    return p;
}

static void take(void *user, const struct wg_result_kernel *k, const struct wg_result_launch *l) {
    pthread_mutex_lock(&lock);
    for (struct wg_counting *c = all; c; c = c->next) {
        if (!c->active) continue;
        struct counted_kernel *mine = kernel_of(c, k);
        mine->launches++;
        for (uint32_t i = 0; i < k->nsites; i++)
            if (!wg_counts_are_zero(&l->counts[i]))
                wg_counts_add(&place_of(mine, &k->sites[i])->counts, &l->counts[i]);
    }
    pthread_mutex_unlock(&lock);
}

static const struct wg_listener listener = {.launch = take};

/* ---- Start and stop ---- */

static struct wg_device *device(void) {
    struct CUctx_st *ctx;
    return cuInit(0) || wg_use_primary() || wg_current(&ctx) ? NULL : ctx->dev;
}

WG_EXPORT void *wg_counting_start(void) {
    struct wg_device *dev = device();
    if (!dev) return NULL;
    wg_device_sync(dev); /* what was launched before is not counted */
    struct wg_counting *c = wg_xcalloc(1, sizeof *c);
    c->active = true;
    pthread_mutex_lock(&lock);
    c->next = all;
    all = c;
    wg_profile_listener(dev, &listener);
    pthread_mutex_unlock(&lock);
    return c;
}

WG_EXPORT void wg_counting_stop(void *handle) {
    struct wg_counting *c = handle;
    struct wg_device *dev = device();
    bool others = false;
    if (dev) wg_device_sync(dev);
    pthread_mutex_lock(&lock);
    c->active = false;
    for (struct wg_counting *o = all; o; o = o->next) others |= o->active;
    if (dev && !others) wg_profile_listener(dev, NULL);
    pthread_mutex_unlock(&lock);
}

WG_EXPORT void wg_counting_free(void *handle) {
    struct wg_counting *c = handle;
    if (c->active) wg_counting_stop(c);
    pthread_mutex_lock(&lock);
    struct wg_counting **at = &all;
    while (*at != c) at = &(*at)->next;
    *at = c->next;
    pthread_mutex_unlock(&lock);
    for (uint32_t k = 0; k < c->kernels.n; k++) {
        for (uint32_t i = 0; i < c->kernels.v[k].places.n; i++) free(c->kernels.v[k].places.v[i].file);
        free(c->kernels.v[k].places.v);
        free(c->kernels.v[k].name);
        free(c->kernels.v[k].display);
    }
    free(c->kernels.v);
    free(c);
}

/* ---- Questions ---- */

/* "transpose" is "transpose(int const*, int*)", "void transpose<1>(int*)" and the mangled name of either;
 * "transpose<1>" only the latter. NULL: every kernel. */
static bool is_called(const struct counted_kernel *k, const char *wanted) {
    if (!wanted || !strcmp(k->name, wanted) || !strcmp(k->display, wanted)) return true;
    size_t n = strlen(wanted);
    const char *end = k->display + strcspn(k->display, "<("), *start = end;
    while (start > k->display && start[-1] != ' ') start--;
    return strncmp(start, wanted, n) == 0 && (start[n] == '(' || start[n] == '<' || !start[n]);
}

/* a/b/transpose.cu is transpose.cu. */
static bool is_file(const char *file, const char *wanted) {
    size_t n = file ? strlen(file) : 0, m = strlen(wanted);
    return n >= m && !strcmp(file + n - m, wanted) && (n == m || file[n - m - 1] == '/');
}

/* Which classes, and which counter, a name stands for. */
static bool find_counter(const char *name, uint32_t *classes, enum wg_counter *counter) {
    static const struct {
        const char *prefix;
        enum wg_class_memory memory;
    } memories[] = {{"global", WG_MEMORY_GLOBAL},
                    {"local", WG_MEMORY_LOCAL},
                    {"shared", WG_MEMORY_SHARED},
                    {"dsmem", WG_MEMORY_REMOTE}};
    for (int c = 0; c < WG_COUNTERS; c++) {
        const char *own = wg_counter_infos[c].name;
        size_t n = strlen(name), m = strlen(own);
        *counter = (enum wg_counter)c;
        *classes = 0;
        if (n == m && !strcmp(name, own)) {
            *classes = c == WG_C_instructions || c == WG_C_threads ? 1u << WG_CLASS_line : UINT32_MAX;
            return true;
        }
        if (n < m + 2 || strcmp(name + n - m, own) != 0 || name[n - m - 1] != '_') continue;
        size_t prefix = n - m - 1;
        for (size_t i = 0; i < sizeof memories / sizeof *memories; i++)
            for (int k = 0; k < WG_CLASSES; k++)
                if (strlen(memories[i].prefix) == prefix && !strncmp(name, memories[i].prefix, prefix) &&
                    wg_class_infos[k].memory == memories[i].memory)
                    *classes |= 1u << k;
        for (int k = 0; k < WG_CLASSES; k++)
            if (strlen(wg_class_infos[k].name) == prefix && !strncmp(name, wg_class_infos[k].name, prefix))
                *classes |= 1u << k;
        if (*classes) return true;
    }
    return false;
}

/* `file` NULL: of the whole kernel. A value is 0 where the line did nothing of the kind. */
WG_EXPORT int wg_counting_value(void *handle, const char *kernel, const char *file, unsigned line,
                                const char *counter, uint64_t *value) {
    const struct wg_counting *c = handle;
    struct wg_counts sum = {{0}};
    enum wg_counter which;
    uint32_t classes;
    bool known = false, lines = false;
    *value = 0;
    if (!find_counter(counter, &classes, &which)) return COUNTING_NO_COUNTER;
    pthread_mutex_lock(&lock);
    for (uint32_t k = 0; k < c->kernels.n; k++) {
        const struct counted_kernel *one = &c->kernels.v[k];
        if (!is_called(one, kernel)) continue;
        known = true;
        for (uint32_t i = 0; i < one->places.n; i++) {
            const struct place *p = &one->places.v[i];
            if (file && (p->line != line || !is_file(p->file, file))) continue;
            lines = true;
            if (classes >> p->class & 1) wg_counts_add(&sum, &p->counts);
        }
    }
    pthread_mutex_unlock(&lock);
    if (!known) return COUNTING_NO_KERNEL;
    if (file && !lines) return COUNTING_NO_LINE;
    *value = sum.v[which];
    return COUNTING_OK;
}

WG_EXPORT uint64_t wg_counting_launches(void *handle, const char *kernel) {
    const struct wg_counting *c = handle;
    uint64_t n = 0;
    pthread_mutex_lock(&lock);
    for (uint32_t k = 0; k < c->kernels.n; k++)
        if (is_called(&c->kernels.v[k], kernel)) n += c->kernels.v[k].launches;
    pthread_mutex_unlock(&lock);
    return n;
}

/* The kernels' names in the order of their first launch; NULL behind the last. */
WG_EXPORT const char *wg_counting_kernel(void *handle, unsigned index) {
    const struct wg_counting *c = handle;
    pthread_mutex_lock(&lock);
    const char *name = index < c->kernels.n ? c->kernels.v[index].display : NULL;
    pthread_mutex_unlock(&lock);
    return name;
}
