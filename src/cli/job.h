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

enum wg_product {
    WG_PRODUCT_PROGRAM,
    WG_PRODUCT_OBJECTS,
    WG_PRODUCT_LIBRARY, /* of objects, by ar */
    WG_PRODUCT_PTX,
    WG_PRODUCT_FAT_BINARY, /* of the PTX */
    WG_PRODUCT_DEVICE_LINK,
    WG_PRODUCT_TEXT, /* as the preprocessor leaves it */
    WG_PRODUCT_RULE  /* for make, alone */
};

struct wg_source {
    const char *path;
    enum wg_language language;
    char *object; /* what it becomes; NULL: standard output */
};

struct wg_job {
    struct wg_toolchain tools;
    char arch[16]; /* "sm_90": what device code is compiled for */
    WG_VEC(struct wg_source) sources;
    struct wg_args common; /* for every compilation */
    struct wg_args cxx, c; /* for CUDA and C++; for C */
    struct wg_args device, host;
    struct wg_args nvcc;    /* for nvcc alone: what clang has no word for */
    struct wg_args link;    /* objects, libraries and the linker's options, in the user's order */
    struct wg_args objects; /* what a library of objects is made of */
    enum wg_product product;
    bool per_thread; /* stream 0 is each thread's own */
    bool shared, device_link, by_gencode, arch_is_oldest;
    char too_old[16]; /* an arch that was asked for and is not there any more */
    const char
        *toolkit; /* whose libraries are linked with (toolkit.h); NULL: Warpglass's own, by their paths */
    const char *cudart; /* "static", "shared" or "none": which of the toolkit's */
    const char *keep;   /* the folder for what is compiled on the way; NULL: none is kept */
    const char *trace;  /* where clang tells of its own time for device code; NULL: nowhere */
    bool syntax_only;   /* device code is checked, and none generated */
    bool fuses_nothing; /* -fmad=false */
    bool shows_usage;   /* -Xptxas -v: what each kernel takes */
    int division, root; /* of float, LLVM's levels: 2 and 1 are rounded right, 0 is quickest */
    struct {
        bool wanted, user_only, phony; /* user_only: without the system's headers */
        const char *file;              /* NULL: beside the object */
        struct wg_args targets;
    } rule; /* for make: make_rule.h */
    const char *output;
    const char *folder;            /* for files that are named by their sources; NULL: the current one */
    const char *host_compiler;     /* -ccbin, as it was said; NULL: clang */
    struct wg_strbuf host_program; /* the same, found; what compiles C and C++ */
    const char *archiver;          /* NULL: ar */
    struct wg_args archive;        /* for ar */
    const char *ending;            /* of fat binaries: ".fatbin" or ".cubin" */
};

/* 0, or an exit status after a message. `scratch`: the folder for objects. Looks for no compiler. */
int wg_job_plan(struct wg_job *job, const struct wg_cmdline *c, const char *scratch);
void wg_job_free(struct wg_job *job);
/* An option that concerns what is compiled. `language`: as -x said last. 0, or an exit status after a message. */
int wg_job_add_option(struct wg_job *job, const struct wg_item *item, enum wg_language *language);

/* The chip that --arch names or the default one; NULL after a message. */
const struct wg_chip *wg_job_chip(const char *arch);
/* --devices: how many there are, and the oldest of them, if that is wanted. 0 after a message. */
unsigned wg_job_devices(const char *list, const char *arch, const struct wg_chip **oldest);
/* -arch and -gencode: what device code is compiled for. 0, or an exit status after a message. */
int wg_job_set_arch(struct wg_job *job, const char *name);
int wg_job_set_gencode(struct wg_job *job, const char *text);
/* False after a message: not there, a folder, empty, or not to be read. */
bool wg_job_check_input(const char *path);
/* --arch asks for whatever there is: native, all, all-major. */
bool wg_job_any_chip(const char *arch);
/* dir/kernel.cu -> kernel.o, as compilers name it with -c. To be freed. */
char *wg_job_object_name(const char *path, const char *ending);
/* Where --keep leaves a source's device code. */
void wg_job_kept_name(const struct wg_job *job, const struct wg_source *s, struct wg_strbuf *path);
/* Of the program or the library that is made. */
const char *wg_job_program_name(const struct wg_job *job);
/* By the name's end; WG_LANGUAGE_BY_NAME when it says nothing. */
enum wg_language wg_job_language(const char *path);
#endif
