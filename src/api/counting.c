/* The counting half of include/warpglass/warpglass.h: hands on to libcuda.so.1 (driver/counting.c) if that is
 * Warpglass's, which it shows by having the functions. */
#include "warpglass/warpglass.h"
#include <dlfcn.h>
#include <pthread.h>

/* X(field, name in libcuda.so.1, result, parameters) */
#define FUNCTIONS(X)                                                                                         \
    X(start, "wg_counting_start", void *, (void))                                                            \
    X(stop, "wg_counting_stop", void, (void *))                                                              \
    X(free, "wg_counting_free", void, (void *))                                                              \
    X(value, "wg_counting_value", int,                                                                       \
      (void *, const char *, const char *, unsigned, const char *, uint64_t *))                              \
    X(launches, "wg_counting_launches", uint64_t, (void *, const char *))                                    \
    X(kernel, "wg_counting_kernel", const char *, (void *, unsigned))

static struct {
#define X(field, name, result, parameters) result(*field) parameters;
    FUNCTIONS(X)
#undef X
} there;
static bool here;
static pthread_once_t looked = PTHREAD_ONCE_INIT;

static void look(void) {
    here = true;
#define X(field, name, result, parameters)                                                                   \
    *(void **)&there.field = dlsym(RTLD_DEFAULT, name);                                                      \
    here = here && there.field;
    FUNCTIONS(X)
#undef X
}

bool wg_is_here(void) {
    pthread_once(&looked, look);
    return here;
}

const char *wg_answer_text(wg_answer answer) {
    switch (answer) {
    case WG_COUNTED: return "counted";
    case WG_NOT_WARPGLASS: return "this is not Warpglass: nothing is counted";
    case WG_NO_KERNEL: return "no kernel of this name was launched while it counted";
    case WG_NO_COUNTER:
        return "there is no counter of this name; \"warpglass profile --counters\" lists them";
    case WG_NO_LINE: return "the kernel did nothing on this line, or was compiled without line numbers";
    case WG_WRONG_CALL: return "a pointer must not be NULL";
    }
    return "not a status of Warpglass";
}

wg_counting *wg_count_start(void) { return wg_is_here() ? there.start() : NULL; }

void wg_count_stop(wg_counting *counting) {
    if (counting) there.stop(counting);
}

void wg_count_free(wg_counting *counting) {
    if (counting) there.free(counting);
}

static wg_answer value(const wg_counting *counting, const char *kernel, const char *file, unsigned line,
                       const char *counter, uint64_t *value) {
    /* driver/counting.c's codes, in its order */
    static const wg_answer answers[] = {WG_COUNTED, WG_NO_KERNEL, WG_NO_COUNTER, WG_NO_LINE};
    if (!counter || !value) return WG_WRONG_CALL;
    *value = 0;
    if (!counting) return wg_is_here() ? WG_WRONG_CALL : WG_NOT_WARPGLASS;
    return answers[there.value((void *)counting, kernel, file, line, counter, value)];
}

wg_answer wg_count_kernel(const wg_counting *counting, const char *kernel, const char *counter,
                          uint64_t *out) {
    return value(counting, kernel, NULL, 0, counter, out);
}

wg_answer wg_count_line(const wg_counting *counting, const char *kernel, const char *file, unsigned line,
                        const char *counter, uint64_t *out) {
    return file ? value(counting, kernel, file, line, counter, out) : WG_WRONG_CALL;
}

uint64_t wg_count_launches(const wg_counting *counting, const char *kernel) {
    return counting ? there.launches((void *)counting, kernel) : 0;
}

const char *wg_count_name(const wg_counting *counting, unsigned index) {
    return counting ? there.kernel((void *)counting, index) : NULL;
}
