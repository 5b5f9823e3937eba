/* Calls that wait for operations which were begun before, or look whether they are over; and those that begin persistent ones.
 * What is over is known by the handles, read before the call, and whose message it was by the statuses. */
#include "base/arena.h"
#include "base/clock.h"
#include "mpi/calls.h"
#include "mpi/requests.h"

#include <stdlib.h>
#include <string.h>

/* ---- Statuses ---------------------------------------------------------------------------------------------
 */

void wg_status_have(wg_mpi_word *status, void *own) {
    if (*status == wg_mpi_library()->ignore) *status = (wg_mpi_word)own;
}

static int status_int(wg_mpi_word statuses, size_t index, size_t offset) {
    int value;
    memcpy(&value, (const char *)statuses + index * wg_mpi_library()->status + offset, sizeof value);
    return value;
}
int wg_status_source(wg_mpi_word statuses, size_t index) {
    return status_int(statuses, index, wg_mpi_library()->source);
}
int wg_status_tag(wg_mpi_word statuses, size_t index) {
    return status_int(statuses, index, wg_mpi_library()->tag);
}

/* ---- Waiting ----------------------------------------------------------------------------------------------
 */

/* The numbers of arguments; -1: there is none. */
static const struct wait_shape {
    uint8_t kind;
    int8_t count, requests, found, out, indices, statuses;
} wait_shapes[] = {
    [WAIT] = {WG_MPI_WAIT_ALL, -1, 0, -1, -1, -1, 1},  [WAITALL] = {WG_MPI_WAIT_ALL, 0, 1, -1, -1, -1, 2},
    [WAITANY] = {WG_MPI_WAIT_ANY, 0, 1, -1, -1, 2, 3}, [WAITSOME] = {WG_MPI_WAIT_ANY, 0, 1, -1, 2, 3, 4},
    [TEST] = {WG_MPI_TEST, -1, 0, 1, -1, -1, 2},       [TESTALL] = {WG_MPI_TEST, 0, 1, 2, -1, -1, 3},
    [TESTANY] = {WG_MPI_TEST, 0, 1, 3, -1, 2, 4},      [TESTSOME] = {WG_MPI_TEST, 0, 1, -1, 2, 3, 4},
};

struct waiting {
    const struct wait_shape *shape;
    wg_mpi_word *a;
    size_t n;
    struct wg_mpi_request *requests; /* id 0: not known */
    bool *early;                     /* it was over before the wait */
    uint64_t event;
};

/* A send that was over did not wait for its receiver, who may come during the wait. */
static bool is_over(wg_mpi_word handle) {
    int over = 0;
    return !WG_MPI_ASK("Request_get_status", handle, (wg_mpi_word)&over, wg_mpi_library()->ignore) && over;
}

static void look(struct waiting *w) {
    w->n = w->shape->count < 0 ? 1 : (size_t)(int)w->a[w->shape->count];
    w->requests = wg_xcalloc(w->n + 1, sizeof *w->requests);
    w->early = wg_xcalloc(w->n + 1, sizeof *w->early);
    for (size_t i = 0; i < w->n; i++) {
        struct wg_mpi_request *r = &w->requests[i];
        wg_mpi_word handle = wg_mpi_handle_at(w->a[w->shape->requests], i);
        if (!wg_request_get(handle, r)) continue;
        w->early[i] = w->shape->kind != WG_MPI_TEST && r->id && r->kind == WG_MPI_SEND && is_over(handle);
    }
}

/* One operation is over; `status` is the number of its status. */
static void over(struct waiting *w, size_t i, size_t status) {
    struct wg_mpi_request *r = &w->requests[i];
    wg_mpi_word statuses = w->a[w->shape->statuses];
    struct wg_mpi_event e = {
        .kind = WG_MPI_DONE, .from = w->event, .id = r->id, .peer = -1, .group = w->early[i]};
    int cancelled = 0;
    if (!r->id) return;
    if (r->cancelled)
        WG_MPI_ASK("Test_cancelled", statuses + status * wg_mpi_library()->status, (wg_mpi_word)&cancelled);
    if (cancelled) {
        e.kind = WG_MPI_DROPPED;
    } else if (r->kind == WG_MPI_RECEIVE) {
        e.peer = wg_group_world(r->group, wg_status_source(statuses, status));
        e.tag = wg_status_tag(statuses, status);
    }
    wg_record(&e);
    wg_request_over(r);
}

static void all_over(struct waiting *w) {
    const struct wait_shape *s = w->shape;
    const int *indices = s->indices < 0 ? NULL : (const int *)w->a[s->indices];
    if (s->found >= 0 && !*(const int *)w->a[s->found]) return;
    if (s->out >= 0) {
        int out = *(const int *)w->a[s->out];
        for (int j = 0; j < out; j++) over(w, (size_t)indices[j], (size_t)j);
    } else if (indices) {
        if (*indices >= 0) over(w, (size_t)*indices, 0);
    } else {
        for (size_t i = 0; i < w->n; i++) over(w, i, i);
    }
}

static int wait(enum wg_mpi_call call, wg_mpi_word *a) {
    struct waiting w = {.shape = &wait_shapes[wg_mpi_rows[call].shape], .a = a, .event = WG_NO_EVENT};
    bool test = w.shape->kind == WG_MPI_TEST;
    look(&w);
    void *own = wg_xcalloc(w.n + 1, WG_MPI_STATUS_BYTES);
    wg_status_have(&a[w.shape->statuses], own);
    uint64_t began = wg_now_ns();
    if (!test) w.event = wg_call_enter(w.shape->kind, call, NULL, w.n == 1 ? w.requests->begin.peer : -1, 0);
    int error = wg_mpi_real(call, a);
    if (!test) wg_record_returned(w.event, wg_now_ns(), -1, 0);
    if (!error) {
        struct wg_mpi_event e = {.kind = WG_MPI_TEST, .call = (uint8_t)call, .from = began, .peer = -1};
        bool found = w.shape->found < 0 ? !test || *(const int *)a[w.shape->out] > 0
                                        : *(const int *)a[w.shape->found] != 0;
        if (test && found) w.event = wg_record(&e);
        if (test) wg_record_returned(w.event, wg_now_ns(), -1, 0);
        if (found) all_over(&w);
    }
    free(own);
    free(w.early);
    free(w.requests);
    return error;
}

/* ---- Persistent operations, and those that nobody waits for -----------------------------------------------
 */

static int start(enum wg_mpi_call call, wg_mpi_word *a, size_t n, wg_mpi_word requests) {
    for (size_t i = 0; i < n; i++) {
        struct wg_mpi_request r;
        if (!wg_request_get(wg_mpi_handle_at(requests, i), &r) || !r.persistent) continue;
        r.id = r.begin.id = wg_request_new_id();
        r.begin.from = r.begin.to = wg_now_ns();
        wg_record(&r.begin);
        wg_request_put(&r);
    }
    return wg_call_timed(call, a);
}

static int cancel(enum wg_mpi_call call, wg_mpi_word *a) {
    struct wg_mpi_request r;
    int error = wg_mpi_real(call, a);
    if (!error && wg_request_get(wg_mpi_handle_at(a[0], 0), &r)) {
        r.cancelled = true;
        wg_request_put(&r);
    }
    return error;
}

int wg_call_waiting(enum wg_mpi_call call, wg_mpi_word *a) {
    switch (wg_mpi_rows[call].shape) {
    case START: return start(call, a, 1, a[0]);
    case STARTALL: return start(call, a, (size_t)(int)a[0], a[1]);
    case CANCEL: return cancel(call, a);
    case REQUEST_FREE: wg_request_forget(wg_mpi_handle_at(a[0], 0)); return wg_mpi_real(call, a);
    default: return wait(call, a);
    }
}
