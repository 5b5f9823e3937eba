/* See library.h. */
#include "blas/library.h"
#include "driver/entry.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

static struct wg_blas_library library;
static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* LAPACK's may lie in a library of its own, and are there in any case for who does not call them. */
static bool fill(void *from, void *lapack) {
    bool whole = true;
    struct {
        wg_blas_fn **to;
        const char *names[4];
    } list[] = {
#define FN(NAME, S, D, C, Z) {library.NAME, {S, D, C, Z}},
#include "blas/library.def"
    };
    for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
        for (unsigned t = 0; t < 4; t++) {
            if (!*list[i].names[t]) continue;
            void *at = dlsym(from, list[i].names[t]);
            if (!at && lapack) at = dlsym(lapack, list[i].names[t]);
            *(void **)&list[i].to[t] = at;
            whole = whole && (at || list[i].to >= library.getrf || list[i].to == library.syr ||
                              list[i].to == library.symv);
        }
    return whole;
}

/* As many threads as kernels have. */
static void set_threads(void *from) {
    const char *threads = getenv("WARPGLASS_THREADS");
    void (*set)(int);
    *(void **)&set = dlsym(from, "openblas_set_num_threads");
    if (set && threads && atoi(threads) > 0) set(atoi(threads));
}

static void load(void) {
    static const char *const names[] = {"libopenblas.so.0", "libblas.so.3"};
    const char *asked = secure_getenv("WARPGLASS_BLAS");
    void *from = NULL, *lapack = NULL;
    for (unsigned i = 0; !from && i < sizeof names / sizeof *names; i++)
        from = dlopen(asked ? asked : names[i], RTLD_NOW | RTLD_LOCAL);
    if (!from && asked) {
        wg_say("%s, as WARPGLASS_BLAS has it: %s", asked, dlerror());
        return;
    }
    if (!from) {
        wg_say("cuBLAS needs a BLAS library on the host, and libopenblas.so.0 was not found: on Debian, "
               "apt-get install libopenblas0-pthread");
        return;
    }
    if (!dlsym(from, "sgetrf_")) lapack = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL);
    loaded = fill(from, lapack);
    if (!loaded) wg_say("%s is not a whole BLAS", asked ? asked : "the BLAS that is installed");
    set_threads(from);
}

const struct wg_blas_library *wg_blas_library(void) {
    pthread_once(&once, load);
    return loaded ? &library : NULL;
}

void wg_blas_fortran(wg_blas_fn *fn, const void *const a[WG_BLAS_ARGUMENTS]) {
    typedef const void *P;
    typedef void all(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P);
    ((all *)fn)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14],
                a[15], a[16], a[17], a[18], a[19]);
}
