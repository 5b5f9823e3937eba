/* Findings: what the checks of a process found, and the file that they are written to (check/README.md).
 *
 *     struct wg_findings *f = wg_findings_new("out.json");
 *     wg_findings_add(f, &finding);          any thread, from kernel services, too
 *     wg_findings_write(f, "exit", 0);       whole or not at all: a temporary, renamed
 *
 * Findings of the same kind at the same place(s) of the same kernel are merged: the `count` adds up, and the
 * kept example is the one with the lowest (launch, block, thread) and, among those, the lowest other place;
 * so the list does not depend on the number of threads. Of more findings than WG_FINDINGS_KEPT, those of the
 * first places are kept and the file says that the rest is left out. Addresses of host code are written as an
 * object and an offset in it, because the next process has them elsewhere. Strings are copied.
 */
#ifndef WG_CHECK_FINDING_H
#define WG_CHECK_FINDING_H
#include "base/frame.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The checks that can be selected, and after them what is always reported. */
enum wg_check_id {
    WG_CHECK_memory,
    WG_CHECK_race,
    WG_CHECK_init,
    WG_CHECK_barrier,
    WG_CHECKS,
    WG_CHECK_kernel = WG_CHECKS,
    WG_CHECKS_NAMED
};
enum wg_finding_kind {
#define KIND(id, name, check, title) WG_F_##id,
#include "check/kinds.def"
    WG_FINDING_KINDS
};
struct wg_finding_info {
    const char *name, *title;
    enum wg_check_id check;
};
const struct wg_finding_info *wg_finding_info(enum wg_finding_kind k);
const char *wg_check_name(enum wg_check_id c); /* "memory" */

/* Who did what, and where in the source. */
struct wg_finding_place {
    const struct wg_frame *frames; /* innermost first */
    uint32_t nframes;
    uint32_t ptx_line;  /* 0: not in a kernel */
    const char *op;     /* "ld.global.u32", or an API function's name */
    const char *access; /* "read", "write", "atomic"; NULL: no access */
    uint32_t bytes;     /* of a thread's access; 0: none */
    bool has_thread, has_value;
    uint32_t block[3], thread[3];
    uint64_t value; /* what was read or written, its low 8 bytes */
    /* Of work of streams: the launch, or no kernel; and the host program's call that asked for it. */
    const char *kernel; /* NULL: no launch, or the finding's */
    uint64_t launch;
    const char *asked_by; /* "cudaMemcpyAsync"; NULL: not told */
    uint64_t asked_at;    /* a code address; 0: not known */
    const char *launcher; /* "parent(int*) at tree.cu:12", if a kernel launched it; NULL */
};

/* The memory it is about. */
struct wg_finding_memory {
    const char *space; /* "global", "shared", "distributed shared", "local", "constant"; NULL: none */
    uint64_t address;  /* the process's; of shared memory: from the start of the block's window */
    bool has_allocation, freed;
    const char *what;           /* "device", "managed", "host", "module", or a variable's name in `name` */
    const char *name;           /* of a variable; NULL: none */
    uint64_t base, size;        /* of the allocation */
    int64_t offset;             /* of the access from base; may be negative or beyond size */
    uint64_t made_at, freed_at; /* code addresses in the host program (return addresses); 0: not known */
    const char *made_by;        /* "cudaMalloc"; NULL: not known */
    uint32_t device; /* 1 and its number, where it is another device's than the launch's; 0: it is not */
};

struct wg_finding {
    enum wg_finding_kind kind;
    const char *kernel;        /* as the source has it; NULL: not in a kernel */
    uint64_t launch;           /* in the order of calls, from 0 */
    uint32_t module;           /* tells kernels of the same name apart; 0: none */
    uint64_t site, other_site; /* the key that findings are merged by: the instructions' ids, or any other */
    struct wg_finding_place here;
    struct wg_finding_place other; /* races: the earlier access; barriers: who waits elsewhere */
    bool has_other;
    struct wg_finding_memory memory;
    const char *detail; /* sentences for a person, beyond what the members say; NULL: none */
    bool benign;        /* a race of writes of equal values */
    uint64_t count;     /* threads' accesses like it; 0 counts as 1 */
    uint64_t host_at;   /* return address of the API call it is about; 0: none */
    /* Of a kernel: the host program's call that launched it, "cudaLaunchKernel", and its return address. */
    const char *launched_by;
    uint64_t launched_at;
    const char *launcher; /* as of places */
};

/* A launch that was checked, so that "nothing found" says in what. */
struct wg_findings_launch {
    const char *kernel; /* as in struct wg_finding */
    uint32_t module;
    uint32_t accesses; /* instructions of the kernel that access memory, and are checked */
    uint64_t threads;  /* of the launch */
};

enum { WG_FINDINGS_KEPT = 4096 };
struct wg_findings;
/* `path`: where the file is to be. It is also written periodically while the process runs, so that a
 * process that is killed leaves what was found. */
struct wg_findings *wg_findings_new(const char *path);
void wg_findings_free(struct wg_findings *f);
void wg_findings_add(struct wg_findings *f, const struct wg_finding *x);
/* A launch has ended: a good time to write what is new. */
void wg_findings_tend(struct wg_findings *f);
/* Whether there is one that is not benign; whether there is one of this kernel by that check. */
bool wg_findings_any(struct wg_findings *f);
bool wg_findings_has(struct wg_findings *f, uint32_t module, const char *kernel, enum wg_check_id check);
/* The device and program, as count/result.h has them. */
void wg_findings_device(struct wg_findings *f, const char *json);
void wg_findings_program(struct wg_findings *f, int argc, char **argv);
/* Which checks are on, a bit 1 << WG_CHECK_... each; all of them if never said. */
void wg_findings_checks(struct wg_findings *f, unsigned checks);
/* With several devices: the launch is on this one. Called before anything is found in it. */
void wg_findings_launch_on(struct wg_findings *f, uint64_t launch, uint32_t device);
/* Launches of one kernel are summed. */
void wg_findings_launched(struct wg_findings *f, const struct wg_findings_launch *l);
/* A sentence that a report must not leave out: "the race check of global memory was left out: ...". Said
 * once, however often it is noted. */
void wg_findings_note(struct wg_findings *f, const char *sentence);
/* The same, with a flag in the file: what this schedule changed may only be the rounding of floating-point
 * sums. */
void wg_findings_rounded(struct wg_findings *f, const char *sentence);
/* ended: "running", "exit", "fault" or "signal". False with errno set. */
bool wg_findings_write(struct wg_findings *f, const char *ended, int status);
#endif
