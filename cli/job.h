/* What is to be compiled and linked, and with which words for whom: the command line taken apart.
 *
 *     warpglass cc -O2 -Iinclude a.cu b.c -lm -o app
 *     sources  {a.cu CUDA SCRATCH/0.o} {b.c C SCRATCH/1.o}
 *     common   -isystem include ...        device  -O2 ...        host  -O2 ...
 *     link     SCRATCH/0.o SCRATCH/1.o -lm
 */
#ifndef WG_CLI_JOB_H
#define WG_CLI_JOB_H
#include "cli/options.h"
#include "cli/process.h"
#include "cli/toolchain.h"
#include "model/chip.h"

enum wg_language { WG_LANGUAGE_BY_NAME, WG_LANGUAGE_CUDA, WG_LANGUAGE_C, WG_LANGUAGE_CXX, WG_LANGUAGE_LINK };

struct wg_source {
    const char *path;
    enum wg_language language;
    char *object; /* what it becomes */
};

struct wg_job {
    struct wg_toolchain tools;
    char arch[16]; /* "sm_90": what device code is compiled for */
    WG_VEC(struct wg_source) sources;
    struct wg_args common; /* for every compilation */
    struct wg_args cxx, c; /* for CUDA and C++; for C */
    struct wg_args device, host;
    struct wg_args nvcc; /* for nvcc alone: what clang has no word for */
    struct wg_args link; /* objects, libraries and the linker's options, in the user's order */
    bool only_objects, shared, device_link;
    struct {
        bool wanted, user_only, phony; /* user_only: without the system's headers */
        const char *file;              /* NULL: beside the object */
        struct wg_args targets;
    } rule; /* for make: make_rule.h */
    const char *output;
};

/* 0, or an exit status after a message. `scratch`: the folder for objects. Looks for no compiler. */
int wg_job_plan(struct wg_job *job, const struct wg_cmdline *c, const char *scratch);
void wg_job_free(struct wg_job *job);

/* The chip that --arch names or the default one; NULL after a message. */
const struct wg_chip *wg_job_chip(const char *arch);
/* False after a message: not there, a folder, empty, or not to be read. */
bool wg_job_check_input(const char *path);
/* By the name's end; WG_LANGUAGE_BY_NAME when it says nothing. */
enum wg_language wg_job_language(const char *path);
#endif
