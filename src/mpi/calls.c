/* What libwarpglass-mpi-calls.so puts before MPI's functions in a rank that is profiled: each notes when it was called, with whom
 * it speaks and when it returned, and calls MPI's own function, which has another name for that (PMPI_). Arguments are words,
 * of which each shape of call knows those that it needs (library.h). The program sees what it would see without. */
#define _GNU_SOURCE
#include "mpi/calls.h"
#include "base/clock.h"
#include "mpi/clock.h"
#include "mpi/requests.h"

#include <stdio.h>
#include <stdlib.h>

const struct wg_mpi_row wg_mpi_rows[] = {
#define CALL(name, words, shape, comm, root, last) {shape, comm, root, last},
#include "mpi/calls.def"
};

/* ---- The beginning and the end ----------------------------------------------------------------------------
 */

static int rank, ranks;

static void begin(void) {
    const char *path = secure_getenv("WARPGLASS_MPI_EVENTS");
    const struct wg_mpi_library *l = wg_mpi_library();
    if (!path || !l || wg_record_on()) return;
    if (WG_MPI_ASK("Comm_rank", l->world, (wg_mpi_word)&rank) ||
        WG_MPI_ASK("Comm_size", l->world, (wg_mpi_word)&ranks))
        return;
    bool on = wg_record_begin(path);
    wg_record(&(struct wg_mpi_event){
        .kind = WG_MPI_BEGIN, .from = wg_now_ns(), .peer = rank, .tag = ranks, .id = WG_MPI_VERSION});
    wg_clock_compare(rank, ranks); /* also where nothing is recorded: others wait */
    if (on) wg_group_of(l->world);
}

static int finish(enum wg_mpi_call call, wg_mpi_word *a) {
    if (ranks) {
        wg_record(&(struct wg_mpi_event){.kind = WG_MPI_END, .from = wg_now_ns()});
        wg_clock_compare(rank, ranks);
        wg_record_end();
    }
    return wg_mpi_real(call, a);
}

/* Launchers kill all ranks at once where one asks for it, and with them what they were to report. This one ends like one that
 * failed, and whoever started it asks the others to end. */
static int give_up(enum wg_mpi_call call, wg_mpi_word *a) {
    int status = (int)a[1] & 0xff;
    if (!wg_record_on()) return wg_mpi_real(call, a);
    fprintf(stderr, "warpglass: rank %d called MPI_Abort with %d\n", rank, (int)a[1]);
    exit(status ? status : 1);
}

/* ---- Calls of any kind ------------------------------------------------------------------------------------
 */

uint64_t wg_call_enter(uint8_t kind, enum wg_mpi_call call, const struct wg_mpi_group *g, int peer, int tag) {
    return wg_record(&(struct wg_mpi_event){.kind = kind,
                                            .call = (uint8_t)call,
                                            .from = wg_now_ns(),
                                            .group = g ? g->number : 0,
                                            .peer = peer,
                                            .tag = tag});
}

int wg_call_timed(enum wg_mpi_call call, wg_mpi_word *a) {
    uint64_t e = wg_call_enter(WG_MPI_OTHER, call, NULL, -1, 0);
    int error = wg_mpi_real(call, a);
    wg_record_returned(e, wg_now_ns(), -1, 0);
    return error;
}

int wg_call_going_on(enum wg_mpi_call call, wg_mpi_word *a, uint8_t kind, int peer, int tag) {
    const struct wg_mpi_row *r = &wg_mpi_rows[call];
    const struct wg_mpi_group *g = wg_group_of(a[r->comm]);
    bool init = r->shape == SEND_INIT || r->shape == RECEIVE_INIT;
    struct wg_mpi_event e = {.kind = kind,
                             .call = (uint8_t)call,
                             .from = wg_now_ns(),
                             .id = init ? 0 : wg_request_new_id(),
                             .group = g ? g->number : 0,
                             .peer = peer,
                             .tag = tag};
    uint64_t event = init ? WG_NO_EVENT : wg_record(&e);
    int error = wg_mpi_real(call, a);
    wg_record_returned(event, wg_now_ns(), -1, 0);
    if (!error && g)
        wg_request_put(&(struct wg_mpi_request){.handle = wg_mpi_handle_at(a[r->last], 0),
                                                .id = e.id,
                                                .kind = kind,
                                                .persistent = init,
                                                .group = g,
                                                .begin = e});
    return error;
}

/* ---- Collective calls -------------------------------------------------------------------------------------
 */

static int collective(enum wg_mpi_call call, wg_mpi_word *a) {
    const struct wg_mpi_row *r = &wg_mpi_rows[call];
    const struct wg_mpi_group *g = wg_group_of(a[r->comm]);
    if (!g || g->between) return wg_call_timed(call, a);
    int root = r->root == WG_MPI_NO_ARGUMENT ? -1 : wg_group_world(g, (int)a[r->root]);
    if (r->last != WG_MPI_NO_ARGUMENT) return wg_call_going_on(call, a, WG_MPI_COLLECTIVE, root, g->own);
    uint64_t e = wg_call_enter(WG_MPI_COLLECTIVE, call, g, root, g->own);
    int error = wg_mpi_real(call, a);
    wg_record_returned(e, wg_now_ns(), -1, 0);
    return error;
}

static int comm_new(enum wg_mpi_call call, wg_mpi_word *a) {
    int error = wg_mpi_rows[call].comm == WG_MPI_NO_ARGUMENT ? wg_call_timed(call, a) : collective(call, a);
    wg_mpi_word made = wg_mpi_handle_at(a[wg_mpi_rows[call].last], 0);
    if (!error && made != wg_mpi_library()->no_comm) wg_group_of(made); /* none: this rank is not in it */
    return error;
}

static int comm_free(enum wg_mpi_call call, wg_mpi_word *a) {
    wg_mpi_word comm = wg_mpi_handle_at(a[0], 0);
    int error = wg_call_timed(call, a);
    if (!error) wg_group_forget(comm);
    return error;
}

/* ---- MPI's names ------------------------------------------------------------------------------------------
 */

static int begin_and_call(enum wg_mpi_call call, wg_mpi_word *a) {
    int error = wg_mpi_real(call, a);
    if (!error) begin();
    return error;
}

static int on(enum wg_mpi_call call, wg_mpi_word *a) {
    enum wg_mpi_shape shape = wg_mpi_rows[call].shape;
    if (shape == INIT) return begin_and_call(call, a);
    if (shape == FINALIZE) return finish(call, a);
    if (shape == ABORT) return give_up(call, a);
    if (!wg_record_on()) return wg_mpi_real(call, a);
    if (shape < START) return wg_call_message(call, a);
    if (shape < ALL) return wg_call_waiting(call, a);
    if (shape < OTHER) return collective(call, a);
    return shape == COMM_NEW    ? comm_new(call, a)
           : shape == COMM_FREE ? comm_free(call, a)
                                : wg_call_timed(call, a);
}

#define WORDS_0  void
#define WORDS_1  wg_mpi_word a
#define WORDS_2  WORDS_1, wg_mpi_word b
#define WORDS_3  WORDS_2, wg_mpi_word c
#define WORDS_4  WORDS_3, wg_mpi_word d
#define WORDS_5  WORDS_4, wg_mpi_word e
#define WORDS_6  WORDS_5, wg_mpi_word f
#define WORDS_7  WORDS_6, wg_mpi_word g
#define WORDS_8  WORDS_7, wg_mpi_word h
#define WORDS_9  WORDS_8, wg_mpi_word i
#define WORDS_10 WORDS_9, wg_mpi_word j
#define WORDS_12 WORDS_10, wg_mpi_word k, wg_mpi_word l
#define NAMES_0  0
#define NAMES_1  a
#define NAMES_2  NAMES_1, b
#define NAMES_3  NAMES_2, c
#define NAMES_4  NAMES_3, d
#define NAMES_5  NAMES_4, e
#define NAMES_6  NAMES_5, f
#define NAMES_7  NAMES_6, g
#define NAMES_8  NAMES_7, h
#define NAMES_9  NAMES_8, i
#define NAMES_10 NAMES_9, j
#define NAMES_12 NAMES_10, k, l
#define CALL(name, words, shape, comm, root, last)                                                           \
    __attribute__((visibility("default"))) int MPI_##name(WORDS_##words);                                    \
    int MPI_##name(WORDS_##words) {                                                                          \
        return on(WG_MPI_CALL_##name, (wg_mpi_word[WG_MPI_WORDS]){NAMES_##words});                           \
    }
#include "mpi/calls.def"
