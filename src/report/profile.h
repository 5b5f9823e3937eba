/* The result of a profiled process, as C structs: kernels, the places in them that were counted (sites), launches with each
 * site's counters, and a few recorded accesses (samples) with every lane's address.
 *
 * count/ writes the file when the program ends, report/ reads it here, and everything a user sees (text, JSON, CSV, HTML,
 * advice, budgets, comparisons) is computed from these structs alone. A JSON report contains the same data, so it can be
 * read as a result as well.
 *
 *     struct wg_arena arena = {0};
 *     struct wg_strbuf why = {0};
 *     struct wg_profile *r = wg_profile_read(&arena, "run.json", &why);
 *     if (!r) fprintf(stderr, "%s\n", why.s);
 *
 * Everything is in the arena. Invariants after reading: a site's id is its index; rows of launches refer to existing
 * sites; strings are never NULL unless stated.
 */
#ifndef WG_REPORT_PROFILE_H
#define WG_REPORT_PROFILE_H
#include "base/arena.h"
#include "base/frame.h"
#include "base/strbuf.h"
#include "count/counters.h"
#include <stdbool.h>
#include <stdint.h>

enum { WG_PROFILE_VERSION = 1 };

/* Instructions of a line's PTX, and those of them that are dear (mix.h). */
struct wg_mix {
    uint32_t all, doubles, conversions, divisions, divisions64;
};

struct wg_site {
    uint32_t id, ptx_line;
    const char *op;
    enum wg_class class;
    uint32_t bytes;          /* of a lane */
    uint32_t joined;         /* instructions of the PTX that the assembler makes one of; 1: none */
    struct wg_mix mix;       /* of a line, where its PTX is known */
    const char *what;        /* the parameter or variable that the address comes from, or NULL */
    const char *becomes;     /* an atomic on shared memory: "loop", "swap" (count/README.md), or NULL */
    struct wg_frame *frames; /* the innermost first; none without line information */
    uint32_t frame_count;
};

/* A counted instruction of the PTX. */
struct wg_code {
    uint32_t ptx_line;
    uint32_t line, block; /* sites: of its source line; of its basic block, whose executions are its own */
    uint32_t
        enters; /* site of the block that enters the loops around it; UINT32_MAX: there are none, or not known */
    const char *text; /* "ld.global.f32 %f1, [%rd4]"; NULL: not known */
};

/* An instruction of the kernel's machine code, where that is known. */
struct wg_machine_code {
    const char *text;        /* "@!P0 BRA `(.L_x_3)" */
    uint32_t ptx_line, line; /* that it was made of; the site of the source line that it is counted for */
    uint32_t block;          /* from 0, in the order of the code; functions that are called follow */
    bool spill;              /* it keeps a register in local memory */
    bool load;               /* from global, shared or local memory */
};

struct wg_site_counts {
    uint32_t site;
    struct wg_counts counts;
};

/* One access of one warp, with all its addresses. */
struct wg_recorded {
    uint32_t site;
    uint32_t block[3], warp;
    uint32_t lanes;       /* a bit for each active one */
    uint64_t address[32]; /* bytes from the allocation's start, or from that of the block's shared memory */
    const char *base;     /* "allocation 3", or NULL */
    uint32_t allocation;  /* its number, or 0 */
};

struct wg_launch {
    uint32_t index; /* in the order of the process */
    uint32_t grid[3], block[3], cluster[3];
    uint64_t dynamic_shared, stream, start_ns, end_ns;
    int device;              /* -1: there is one */
    const char *launched_by; /* a kernel, and where it does; NULL: the host */
    const char *status;
    uint32_t alike; /* launches of the kernel that have the same number share what follows */
    struct wg_counts totals;
    struct wg_site_counts *sites;
    uint32_t site_count;
    struct wg_recorded *samples;
    uint32_t sample_count;
    uint64_t spills;         /* machine instructions that keep registers in local memory */
    const uint64_t *machine; /* executions of each instruction of the kernel's; NULL: not known */
};

struct wg_profile_kernel {
    const char *name, *display, *module;
    const char *chip; /* that it ran on, where there are several kinds; or NULL */
    uint32_t registers, max_threads;
    uint32_t registers_least; /* that it is launched with, whatever ptxas says */
    bool registers_estimated;
    uint64_t static_shared, local;
    const char *ptx;     /* its module's text, or NULL: a report has none */
    const char *counted; /* "ptx", "as assembled", "sass" */
    struct wg_site *sites;
    uint32_t site_count;
    struct wg_code *code; /* in the order of the PTX's functions and blocks; none in older files */
    uint32_t code_count;
    struct wg_machine_code *machine; /* none where the assembler is not there */
    uint32_t machine_count;
    const char *assembler; /* "ptxas 13.0", whose code gives machine instructions; NULL: estimated */
    struct wg_launch *launches;
    uint32_t launch_count, alike_count; /* numbers of launches that are alike: from 0 */
    struct wg_estimate **estimates;     /* by this number, as far as they were asked for (estimate.h) */
};

struct wg_profile_allocation {
    uint32_t id;
    int device; /* whose memory it is; -1: not told, or all reach it */
    uint64_t bytes;
    const char *kind, *call;
};

/* Source text that a report brings along, so that it can be shown on another machine. */
struct wg_profile_source {
    const char *name, *text;
};

/* A call of CUDA's functions; only of programs that ran for a trace. */
struct wg_profile_call {
    const char *name;
    uint64_t start_ns, end_ns, thread;
    uint32_t status;
    const char *kind; /* what it moved: "host to device" and the like; NULL: nothing */
    uint64_t bytes, stream;
};

/* Calls of a library (cuBLAS) that are alike; the figures are those of each. */
struct wg_profile_library {
    const char *name, *sizes;
    uint64_t calls, operations, bytes_read, bytes_written;
};

/* Copies between two devices that are alike. */
struct wg_profile_copy {
    uint32_t from, to;
    bool peer_access;
    uint64_t bytes, count; /* bytes: of each */
};

struct wg_profile_device {
    const char *arch, *name;
    uint32_t sms;
};

struct wg_profile {
    struct wg_arena *arena; /* that holds it */
    const char *path;       /* of the file it came from */
    const char *warpglass, *program, *ended;
    const char *note; /* what a reader is to know of the whole, or NULL */
    const char **arguments;
    uint32_t argument_count;
    int64_t status;
    const char *arch, *device;
    uint32_t sms;
    struct wg_profile_device *devices; /* where there are several */
    uint32_t device_count;
    struct wg_profile_kernel *kernels;
    uint32_t kernel_count;
    struct wg_profile_allocation *allocations;
    uint32_t allocation_count;
    struct wg_profile_source *sources;
    uint32_t source_count;
    struct wg_profile_call *calls;
    uint32_t call_count;
    struct wg_profile_library *library; /* those that took most operations first */
    uint32_t library_count;
    struct wg_profile_copy *copies;
    uint32_t copy_count;
};

/* What was counted of a launch is from now on that of another launch of its kernel. */
void wg_launch_share(struct wg_launch *l, const struct wg_launch *like);

/* NULL with a message, without newline, in `why`: no such file, no JSON (with the line), another version, or
 * something missing or of the wrong kind, with its place such as "kernels[0].launches[2].grid". */
struct wg_profile *wg_profile_read(struct wg_arena *arena, const char *path, struct wg_strbuf *why);
/* The same of text; `path` is for messages. */
struct wg_profile *wg_profile_parse(struct wg_arena *arena, const char *text, size_t length, const char *path,
                                    struct wg_strbuf *why);

/* NULL when there is none of this number. */
const struct wg_profile_allocation *wg_profile_allocation_of(const struct wg_profile *r, uint32_t id);
/* [site] how often warps executed it in the launch. */
uint64_t *wg_profile_executions(const struct wg_profile_kernel *k, const struct wg_launch *l,
                                struct wg_arena *a);
#endif
