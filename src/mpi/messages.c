/* Calls that send and get messages, and look for them: what is sent to nobody and got from nobody is no message. */
#include "base/clock.h"
#include "mpi/calls.h"
#include "mpi/requests.h"

static bool is_nobody(wg_mpi_word peer) { return (int)peer == wg_mpi_library()->nobody; }

static int nobodys(enum wg_mpi_call call, wg_mpi_word *a) {
    int error = wg_mpi_real(call, a);
    if (!error && wg_mpi_rows[call].last != WG_MPI_NO_ARGUMENT)
        wg_request_forget(wg_mpi_handle_at(a[wg_mpi_rows[call].last], 0));
    return error;
}

static int send(enum wg_mpi_call call, wg_mpi_word *a) {
    if (is_nobody(a[3])) return nobodys(call, a);
    const struct wg_mpi_group *g = wg_group_of(a[5]);
    int to = wg_group_world(g, (int)a[3]);
    if (wg_mpi_rows[call].last != WG_MPI_NO_ARGUMENT)
        return wg_call_going_on(call, a, WG_MPI_SEND, to, (int)a[4]);
    uint64_t e = wg_call_enter(WG_MPI_SEND, call, g, to, (int)a[4]);
    int error = wg_mpi_real(call, a);
    wg_record_returned(e, wg_now_ns(), -1, 0);
    return error;
}

/* What gets a message and tells in the status at `status` whose it was. */
static int get(enum wg_mpi_call call, wg_mpi_word *a, uint8_t kind, const wg_mpi_word *envelope, int status) {
    const struct wg_mpi_group *g = wg_group_of(envelope[2]);
    char own[WG_MPI_STATUS_BYTES];
    wg_status_have(&a[status], own);
    uint64_t e = wg_call_enter(kind, call, g, wg_group_world(g, (int)envelope[0]), (int)envelope[1]);
    int error = wg_mpi_real(call, a);
    uint64_t now = wg_now_ns();
    if (error)
        wg_record_returned(e, now, -1, 0);
    else
        wg_record_returned(e, now, wg_group_world(g, wg_status_source(a[status], 0)),
                           wg_status_tag(a[status], 0));
    return error;
}

static int receive(enum wg_mpi_call call, wg_mpi_word *a) {
    if (is_nobody(a[3])) return nobodys(call, a);
    if (wg_mpi_rows[call].last == WG_MPI_NO_ARGUMENT) return get(call, a, WG_MPI_RECEIVE, a + 3, 6);
    return wg_call_going_on(call, a, WG_MPI_RECEIVE, wg_group_world(wg_group_of(a[5]), (int)a[3]), (int)a[4]);
}

static int maybe_take(enum wg_mpi_call call, wg_mpi_word *a) {
    char own[WG_MPI_STATUS_BYTES];
    uint64_t now = wg_now_ns();
    wg_status_have(&a[5], own);
    int error = wg_mpi_real(call, a);
    if (error || !*(const int *)a[3] || is_nobody((wg_mpi_word)wg_status_source(a[5], 0))) return error;
    const struct wg_mpi_group *g = wg_group_of(a[2]);
    uint64_t e = wg_record(&(struct wg_mpi_event){
        .kind = WG_MPI_RECEIVE, .call = (uint8_t)call, .from = now, .group = g ? g->number : 0, .peer = -1});
    wg_record_returned(e, wg_now_ns(), wg_group_world(g, wg_status_source(a[5], 0)), wg_status_tag(a[5], 0));
    return error;
}

/* Two operations, and a wait for both. `from`: where the arguments of the receive are. */
static int exchange(enum wg_mpi_call call, wg_mpi_word *a, int from, int comm) {
    const struct wg_mpi_group *g = wg_group_of(a[comm]);
    char own[WG_MPI_STATUS_BYTES];
    bool sends = !is_nobody(a[3]), receives = !is_nobody(a[from]);
    uint64_t ids[2] = {sends ? wg_request_new_id() : 0, receives ? wg_request_new_id() : 0},
             now = wg_now_ns();
    struct wg_mpi_event e = {.call = (uint8_t)call, .from = now, .to = now, .group = g ? g->number : 0};
    wg_status_have(&a[comm + 1], own);
    e.kind = WG_MPI_SEND, e.id = ids[0], e.peer = wg_group_world(g, (int)a[3]), e.tag = (int)a[4];
    if (sends) wg_record(&e);
    e.kind = WG_MPI_RECEIVE, e.id = ids[1], e.peer = wg_group_world(g, (int)a[from]),
    e.tag = (int)a[from + 1];
    if (receives) wg_record(&e);
    uint64_t wait = wg_call_enter(WG_MPI_WAIT_ALL, call, NULL, receives ? e.peer : -1, 0);
    int error = wg_mpi_real(call, a);
    wg_record_returned(wait, wg_now_ns(), -1, 0);
    if (error) return error;
    e = (struct wg_mpi_event){.kind = WG_MPI_DONE, .from = wait, .id = ids[0], .peer = -1};
    if (sends) wg_record(&e);
    e.id = ids[1];
    if (receives)
        e.peer = wg_group_world(g, wg_status_source(a[comm + 1], 0)), e.tag = wg_status_tag(a[comm + 1], 0);
    if (receives) wg_record(&e);
    return error;
}

int wg_call_message(enum wg_mpi_call call, wg_mpi_word *a) {
    switch (wg_mpi_rows[call].shape) {
    case SEND: return send(call, a);
    case RECEIVE: return receive(call, a);
    case EXCHANGE: return exchange(call, a, 8, 10);
    case REPLACE: return exchange(call, a, 5, 7);
    case PROBE: return get(call, a, WG_MPI_PROBE, a, 3);
    case TAKE: return get(call, a, WG_MPI_RECEIVE, a, 4);
    case MAYBE_TAKE: return maybe_take(call, a);
    case SEND_INIT: return send(call, a);
    default: return receive(call, a);
    }
}
