/* A device that counts: kernels from PTX text, and the result file read back.
 *
 *     struct profiled p;
 *     profiled_open(&p, ptx, (struct profiled_how){.backend = WG_BACKEND_JIT, .threads = 1});
 *     profiled_launch(&p, &(struct wg_launch){...});
 *     json_t *result = profiled_close(&p);        what WARPGLASS_PROFILE would have left
 *     profiled_count(result, 0, "global_load", "sectors")
 */
#ifndef WG_TESTS_COUNT_PROFILED_H
#define WG_TESTS_COUNT_PROFILED_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "machine/machine.h"

struct profiled_how {
    enum wg_backend backend;
    uint32_t threads, width;
};
struct profiled {
    struct wg_device *dev;
    struct wg_module *mod;
    struct wg_stream *stream;
    struct wg_result *result;
    char path[64];
};

void profiled_open(struct profiled *p, const char *ptx, struct profiled_how how);
/* Zeroed memory of the device's. */
void *profiled_memory(struct profiled *p, size_t bytes);
/* Waits until it has run. `func` by name. */
void profiled_launch(struct profiled *p, const char *kernel, struct wg_launch l);
json_t *profiled_close(struct profiled *p);

/* The launch with this index, wherever its kernel stands. */
json_t *profiled_at(json_t *result, uint32_t index);
/* A counter of all sites of a class; "" for the whole launch. 0 where the file has none. */
uint64_t profiled_count(json_t *result, uint32_t index, const char *class, const char *counter);
#endif
