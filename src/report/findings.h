/* The findings of a checked process (check/finding.h), as C structs, and which of them a report shows.
 *
 *     struct wg_findings_file *f = wg_findings_read(&arena, "findings.json", &why);
 *     wg_findings_symbolise(f, lookup, user);         adds source locations to host code (cli/symbols.h)
 *     wg_findings_choose(f, &choice);                 --kernel, --leaks
 *     wg_suppressions_apply(&suppressions, f);        suppress.h
 *     wg_findings_by_cause(f);                        one finding for each missing barrier (causes.c)
 *
 * Everything is in the arena. Findings with the same kind, kernel and source locations are merged, because a loop that the
 * compiler unrolled has several instructions for one line. Races at the same two locations are merged as well,
 * whichever threads are involved and whichever of the two reads. Strings are never NULL unless stated.
 */
#ifndef WG_REPORT_FINDINGS_H
#define WG_REPORT_FINDINGS_H
#include "base/arena.h"
#include "base/strbuf.h"
#include "check/finding.h"
#include "report/pattern.h"
#include "report/profile.h"

enum { WG_FINDINGS_VERSION = 1 };

/* Code of the host program. */
struct wg_found_code {
    const char *object;      /* NULL: not known */
    uint64_t offset;         /* a return address, as the object's symbols have it */
    struct wg_frame *frames; /* innermost first; none until symbolised, or without line information */
    uint32_t frame_count;
};

struct wg_found_place {
    struct wg_frame *frames; /* innermost first */
    uint32_t frame_count, ptx_line, bytes;
    const char *op, *access, *value; /* each may be NULL */
    bool has_thread;
    uint32_t block[3], thread[3];
    /* Of work of streams: the launch, or a call that is none, whose frames are those of the call. */
    const char *kernel, *asked_by; /* each may be NULL */
    uint64_t launch;
    const char *on; /* " on device 1"; "": there is one device */
    struct wg_found_code asked;
    const char *launcher; /* "parent(int*) at tree.cu:12", if a kernel launched it; NULL */
};

struct wg_found_memory {
    const char *space; /* NULL: it is about no memory */
    const char *name, *what, *made_by;
    const char *address;
    bool has_allocation, freed;
    uint64_t size;
    int64_t offset;
    struct wg_found_code made_at, freed_at;
    int device; /* another one's than the launch's; -1: it is not */
};

/* What was folded into a finding at the same places: races between others, or other accesses. */
struct wg_found_also {
    enum wg_finding_kind kind;
    const char *access, *other_access; /* the second: of a race */
    uint64_t count;
};

struct wg_found {
    enum wg_finding_kind kind;
    const char *kernel, *detail, *launched_by, *launcher; /* each may be NULL */
    uint32_t module;                                      /* tells kernels of one name apart */
    uint64_t launch, count;
    const char *on; /* as of places */
    int device;     /* -1: there is one, or it is of no launch */
    bool benign, has_other;
    struct wg_found_place here, other;
    struct wg_found_memory memory;
    struct wg_found_code host, launched;
    struct wg_found_also *also;
    uint32_t also_count;
    const char *suppressed; /* by whom, "FILE:LINE" of the suppression; NULL: not */
    struct wg_found
        *pairs; /* of places, of the same cause (wg_findings_by_cause); they have none of their own */
    uint32_t pair_count;
};

struct wg_found_kernel {
    const char *name;
    uint64_t launches, threads, accesses;
};

struct wg_findings_file {
    struct wg_arena *arena;
    const char *program, *ended, *arch, *device;
    const char **arguments;
    uint32_t argument_count;
    int64_t status;
    bool checks[WG_CHECKS];
    const char **notes;
    uint32_t note_count;
    const char *rounded; /* the note that sums of floats differ in this order; NULL */
    bool chosen;         /* some kernels alone were asked for */
    struct wg_found_kernel *kernels;
    uint32_t kernel_count;
    struct wg_found *found;
    uint32_t found_count;
};

/* NULL with a message, without newline, in `why`. */
struct wg_findings_file *wg_findings_read(struct wg_arena *arena, const char *path, struct wg_strbuf *why);

/* Fills in the frames of all host code. `look` gets each of them once. */
typedef void (*wg_findings_look)(void *user, struct wg_found_code *codes[], size_t n);
void wg_findings_symbolise(struct wg_findings_file *f, wg_findings_look look, void *user);

struct wg_findings_choice {
    const char *kernel; /* a regular expression or a name, or NULL */
    bool leaks;
};
/* Names have brackets and stars of their own: whoever copies one means it. */
bool wg_kernel_fits(const struct wg_pattern *expression, const char *text, const char *kernel);
/* Leaves the others out. False with a message when the expression is none. */
bool wg_findings_choose(struct wg_findings_file *f, const struct wg_findings_choice *c,
                        struct wg_strbuf *why);

/* Both are of one call in the host program's source. */
bool wg_found_same_code(const struct wg_found_code *a, const struct wg_found_code *b);
/* Races that one missing barrier or wait lets happen become one finding, with the others as its pairs. */
void wg_findings_by_cause(struct wg_findings_file *f);
/* The program was not ended by --timeout: kernels that were running then were interrupted. */
void wg_findings_was_asked_to_end(struct wg_findings_file *f);
/* Nothing counts but that a kernel was running when the program was ended from outside. */
bool wg_findings_late_alone(const struct wg_findings_file *f);
/* Findings that are to fail a run: neither suppressed nor benign. */
uint32_t wg_findings_counting(const struct wg_findings_file *f);

/* The frames of both places in the innermost function that both are in, which may be inlined; NULL: there is none. */
struct wg_found_apart {
    const struct wg_frame *here, *other;
};
struct wg_found_apart wg_found_apart(const struct wg_found *f);
/* The frame that a person wants to see: the innermost in their own source, not in a header of the system's.
 * NULL: there is none with a line. */
const struct wg_frame *wg_found_frame(const struct wg_frame *frames, uint32_t n);
/* The frame of the finding's first place, whether in a kernel or in the host program; or NULL. */
const struct wg_frame *wg_found_where(const struct wg_found *f);
#endif
