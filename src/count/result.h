/* Profile results: what a profiled process counted, launch by launch, and the file that it writes
 * (count/README.md).
 *
 *     struct wg_result *r = wg_result_new("out.json");
 *     uint32_t number = wg_result_kernel(r, &kernel);
 *     wg_result_add(r, &launch, find, user);             any thread
 *     wg_result_write(r, "exit", 0);                     whole or not at all: a temporary, renamed
 *
 * Strings are copied. Memory grows with launches, not with grids.
 */
#ifndef WG_COUNT_RESULT_H
#define WG_COUNT_RESULT_H
#include "base/frame.h"
#include "count/tally.h"

struct wg_result;

struct wg_result_site {
    uint8_t class, bytes, joined;
    uint32_t ptx_line;
    const char *op, *what;         /* NULL: none */
    const char *becomes;           /* atomics on shared memory: "loop", "swap"; NULL: one instruction */
    const struct wg_frame *frames; /* innermost first */
    uint32_t nframes;
};
struct wg_result_code { /* a counted instruction, with the sites of its source line and of its basic block */
    uint32_t ptx_line, line, block;
    uint32_t enters; /* the site of the block that enters the loops around it; UINT32_MAX: none */
};
struct wg_result_kernel {
    const char *name, *display, *module;
    const char *chip; /* where there are devices of several kinds; NULL: all are of one kind */
    const char *ptx;  /* the module's text, of which the file holds one copy; NULL: none */
    uint32_t registers, registers_least, static_shared, local, max_threads;
    bool joins_modelled;
    const struct wg_result_site *sites;
    uint32_t nsites, nmemory; /* memory sites come first */
    const struct wg_result_code *code;
    uint32_t ncode;
};
/* A stream's number has that of its device above so many bits. */
enum { WG_STREAM_DEVICE_AT = 32 };
struct wg_result_launch {
    uint32_t kernel; /* as wg_result_kernel gave it */
    uint64_t index;  /* in the order in which launches were issued, from 0 */
    uint32_t grid[3], block[3], cluster[3];
    uint64_t dynamic_shared, stream, start_ns, end_ns;
    int device;              /* -1: there is one */
    const char *launched_by; /* "parent(int*) at tree.cu:12"; NULL: by the host */
    const char *status;
    const struct wg_counts *counts;      /* [nsites] */
    const struct wg_site_tally *samples; /* [nmemory] */
};
struct wg_result_call {      /* of either API */
    const char *name, *kind; /* kind: what it moves, "host to device" and the like; NULL: it moves nothing */
    uint64_t start_ns, end_ns, thread, bytes, stream;
    int status; /* CUDA's code */
};
/* A call of a library whose work is no kernel of the program's: cuBLAS. Calls alike are one row. */
struct wg_result_library {
    const char *name, *sizes;                       /* "cublasSgemm_v2", "m 64, n 64, k 64" */
    uint64_t operations, bytes_read, bytes_written; /* of each */
};
/* Copies between the memory of two devices; those alike are one row. */
struct wg_result_copy {
    uint32_t from, to;
    bool peer_access; /* else they go through the host */
    uint64_t bytes;   /* of each */
};
/* Looks up device memory: fills in the allocation that contains an address. False: none does. */
struct wg_result_allocation {
    uint64_t id, base, bytes;
    const char *kind; /* "device", "host", "managed", "module" */
    int device;       /* whose memory it is; -1: there is one device, or all reach it */
};
typedef bool (*wg_result_find)(void *user, uint64_t address, struct wg_result_allocation *out);

/* `path`: the file to write. It is also written from time to time while the process runs, so that a process
 * that is killed leaves its partial results. */
struct wg_result *wg_result_new(const char *path);
void wg_result_free(struct wg_result *r);
/* The kernel's number in the file; a kernel of the same name and module, for the same chip, is the same. */
uint32_t wg_result_kernel(struct wg_result *r, const struct wg_result_kernel *k);
void wg_result_add(struct wg_result *r, const struct wg_result_launch *l, wg_result_find find, void *user);
void wg_result_call(struct wg_result *r, const struct wg_result_call *c);
void wg_result_library(struct wg_result *r, const struct wg_result_library *l);
void wg_result_copy(struct wg_result *r, const struct wg_result_copy *c);
/* The device, as the members of a JSON object: {"arch": ..., ...}. */
void wg_result_device(struct wg_result *r, const char *json);
/* The same of several, as an array of them. */
void wg_result_devices(struct wg_result *r, const char *json);
/* A note to the reader on the whole file, a sentence or more. */
void wg_result_note(struct wg_result *r, const char *note);
void wg_result_program(struct wg_result *r, int argc, char **argv);
/* ended: "running", "exit", "fault" or "signal". False with errno set. */
bool wg_result_write(struct wg_result *r, const char *ended, int status);
#endif
