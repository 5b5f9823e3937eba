/* Where the program's calls begin and end: device memory is closed to it between them (machine/host_memory.c), and
 * WARPGLASS_TRACE=1 beside WARPGLASS_PROFILE tells which functions of the two APIs it called, when, and what they
 * moved, for `warpglass profile --trace`.
 *
 * Only the outermost call of a thread is told of: cudaMemcpy, not the cuMemcpyHtoD inside it. What a call
 * moves is said by the driver's copies and fills on the way.
 */
#include "driver/driver.h"
#include "base/clock.h"
#include "count/result.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool tracing, checking;
static pthread_once_t asked = PTHREAD_ONCE_INIT;
static _Thread_local unsigned depth;
static _Thread_local struct wg_result_call moves; /* of the call that is running */

static void ask(void) {
    const char *trace = secure_getenv("WARPGLASS_TRACE"), *profile = getenv("WARPGLASS_PROFILE");
    const char *check = secure_getenv("WARPGLASS_CHECK");
    tracing = trace && *trace && strcmp(trace, "0") != 0 && profile && *profile;
    checking = check && *check;
}

struct wg_call wg_call_begin(const char *name, const void *from) {
    pthread_once(&asked, ask);
    if (!tracing && !checking && !wg_host_memory_closes()) return (struct wg_call){0};
    if (depth++ == 0) {
        moves = (struct wg_result_call){0};
        wg_host_enters();
        if (checking) wg_check_call_begins(name, from);
    }
    return (struct wg_call){.wanted = true, .began = wg_now_ns()};
}

static void trace_call(const struct wg_call *call, const char *name, CUresult r) {
    struct wg_result *result = wg_profile_result();
    if (!result) return;
    moves.name = name;
    moves.start_ns = call->began;
    moves.end_ns = wg_now_ns();
    moves.thread = (uint64_t)gettid();
    moves.status = (int)r;
    wg_result_call(result, &moves);
}

void wg_call_end(const struct wg_call *call, const char *name, CUresult r) {
    if (!call->wanted || --depth) return;
    if (checking) wg_check_call_ended(r);
    wg_host_leaves();
    if (tracing) trace_call(call, name, r);
}

void wg_call_error_seen(CUresult r) {
    if (checking && !depth) wg_check_error_seen(r);
}

void wg_call_has_no_result(void) {
    if (checking && depth == 1) wg_check_call_has_no_result();
}

bool wg_call_running(void) { return depth != 0; }

void wg_call_moves(uint64_t bytes, const char *kind, const struct wg_stream *s) {
    if (!depth) return;
    moves.bytes += bytes;
    moves.kind = kind;
    moves.stream = wg_stream_id(s);
}
