/* WARPGLASS_TRACE=1 beside WARPGLASS_PROFILE: which functions of the two APIs the program called, when, and
 * what they moved, for `warpglass profile --trace`.
 *
 * Only the outermost call of a thread is told of: cudaMemcpy, not the cuMemcpyHtoD inside it. What a call
 * moves is said by the driver's copies and fills on the way.
 */
#include "driver/driver.h"
#include "count/result.h"
#include "machine/park.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool tracing;
static pthread_once_t asked = PTHREAD_ONCE_INIT;
static _Thread_local unsigned depth;
static _Thread_local struct wg_result_call moves; /* of the call that is running */

static void ask(void) {
    const char *trace = getenv("WARPGLASS_TRACE"), *profile = getenv("WARPGLASS_PROFILE");
    tracing = trace && *trace && strcmp(trace, "0") != 0 && profile && *profile;
}

struct wg_call wg_call_begin(void) {
    pthread_once(&asked, ask);
    if (!tracing) return (struct wg_call){0};
    if (depth++ == 0) moves = (struct wg_result_call){0};
    return (struct wg_call){.began = wg_now_ns()};
}

void wg_call_end(const struct wg_call *call, const char *name, CUresult r) {
    if (!call->began || --depth) return;
    struct wg_result *result = wg_profile_result();
    if (!result) return;
    moves.name = name;
    moves.start_ns = call->began;
    moves.end_ns = wg_now_ns();
    moves.thread = (uint64_t)gettid();
    moves.status = (int)r;
    wg_result_call(result, &moves);
}

void wg_call_moves(uint64_t bytes, const char *kind, const struct wg_stream *s) {
    if (!depth) return;
    moves.bytes += bytes;
    moves.kind = kind;
    moves.stream = wg_stream_id(s);
}
