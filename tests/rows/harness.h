/* Runs a kernel over a grid without machine/: just enough of a machine to test the code that ref/ and jit/
 * make.
 *
 *     struct harness_kernel k;
 *     harness_open(&k, "name.ptx", text, "kernel");
 *     struct harness_launch l = {.kernel = &k, .backend = HARNESS_REF, .grid = {4, 1, 1},
 *                                .block = {128, 1, 1}, .params = &p, .param_bytes = sizeof p};
 *     struct harness_result r;
 *     if (!harness_run(&l, &r)) puts(r.message);
 *     harness_close(&k);
 *
 * Blocks run one after the other, clusters together, cooperative grids all at once; one thread. Barriers are
 * counted from the waits that warps show, as warp/warp.h describes. Memory for kernels comes from
 * harness_alloc: 64 bytes before and after it may be read.
 */
#ifndef WG_TESTS_ROWS_HARNESS_H
#define WG_TESTS_ROWS_HARNESS_H
#include "ref/ref.h"
#include "ref/replay.h"

enum harness_backend { HARNESS_REF, HARNESS_JIT, HARNESS_BACKENDS };
bool harness_has(enum harness_backend b); /* is it built in? */
const char *harness_name(enum harness_backend b);
/* Level 2, level 1, level 2 made by LLVM in its quickest way (jit/code/tiers.h), level 0. */
enum harness_code { HARNESS_BEST, HARNESS_LEVEL_1, HARNESS_QUICK, HARNESS_LEVEL_0 };

struct harness_kernel {
    struct wg_ir_module *module;
    uint32_t func;
    uint64_t *symbols; /* addresses of module variables, initialised by harness_open and harness_reset */
    void *image;       /* their memory */
    struct wg_diag diag;
};
/* False: see k->diag. */
bool harness_open(struct harness_kernel *k, const char *name, const char *ptx, const char *kernel);
void harness_reset(struct harness_kernel *k); /* module variables get their first values again */
void harness_close(struct harness_kernel *k);

struct harness_launch {
    struct harness_kernel *kernel;
    enum harness_backend backend;
    uint32_t grid[3], block[3];
    uint32_t cluster; /* blocks per cluster along x; 0: 1, not explicit */
    uint32_t dynamic_shared;
    const void *params;
    uint32_t param_bytes;
    bool cooperative;
    bool whole;          /* by the code for whole blocks, where the kernel has it */
    uint32_t fuel;       /* back edges between yields; 0: 100000 */
    uint32_t max_yields; /* of one warp before it counts as endless; 0: 100000 */
    uint32_t stack; /* bytes of local memory a lane beyond what the code asks for; 0: 16384 for kernels with
                       calls */
    enum harness_code code;   /* HARNESS_JIT */
    uint16_t width;           /* of wg_code_opts */
    struct wg_replay *replay; /* HARNESS_REF: run dry */
};
struct harness_result {
    bool ok;
    struct wg_fault fault; /* kind NONE when something else is wrong */
    uint32_t block, warp;
    char message[512];
    struct wg_strbuf printed; /* one line a call of vprintf: its lane and format */
    double seconds_compile, seconds_run;
};
/* Compiles and runs. Free r->printed. */
bool harness_run(const struct harness_launch *l, struct harness_result *r);

/* Zeroed memory for kernels, aligned to 4096. */
void *harness_alloc(size_t bytes);
void harness_free(void *p);
#endif
