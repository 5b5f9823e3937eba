/* Who waited for whom, of files of events made by hand: each kind of wait, to the nanosecond. */
#include "report/waits.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { WORLD = 0xabc };
static struct wg_mpi_event events[4][32];
static size_t counts[4];
static uint32_t ranks;
static struct wg_arena arena;
static struct wg_waits waits;

static void add(uint32_t rank, struct wg_mpi_event e) { events[rank][counts[rank]++] = e; }

static void begin(uint32_t n) {
    memset(counts, 0, sizeof counts);
    ranks = n;
    for (uint32_t i = 0; i < n; i++) {
        add(i, (struct wg_mpi_event){.kind = WG_MPI_BEGIN,
                                     .from = 1000,
                                     .id = WG_MPI_VERSION,
                                     .peer = (int32_t)i,
                                     .tag = (int32_t)n});
        add(i, (struct wg_mpi_event){.kind = WG_MPI_GROUP, .id = WORLD});
    }
}

static void call(uint32_t rank, uint8_t kind, uint8_t call, int32_t peer, int32_t tag, uint64_t from,
                 uint64_t to, uint64_t id) {
    add(rank, (struct wg_mpi_event){
                  .kind = kind, .call = call, .peer = peer, .tag = tag, .from = from, .to = to, .id = id});
}

static void done(uint32_t rank, size_t wait, uint64_t id, int32_t peer, int32_t tag, bool early) {
    add(rank, (struct wg_mpi_event){
                  .kind = WG_MPI_DONE, .from = wait, .id = id, .peer = peer, .tag = tag, .group = early});
}

static void match(void) {
    wg_waits_begin(&waits, &arena, ranks);
    for (uint32_t i = 0; i < ranks; i++) {
        char path[] = "/tmp/warpglass-waits.XXXXXX";
        int fd = mkstemp(path);
        assert_true(fd >= 0);
        size_t bytes = counts[i] * sizeof **events;
        assert_int_equal(write(fd, events[i], bytes), (ssize_t)bytes);
        assert_int_equal(ftruncate(fd, 65536), 0); /* as a rank that was killed leaves it */
        close(fd);
        wg_waits_add(&waits, i, path);
        unlink(path);
    }
    assert_int_equal(waits.known, ranks);
    wg_waits_match(&waits);
}

static void is_wait(uint32_t i, uint32_t rank, uint32_t of, enum wg_wait_kind kind, uint8_t call, double ns) {
    assert_true(i < waits.all.n);
    const struct wg_wait *w = &waits.all.v[i];
    assert_int_equal(w->rank, rank);
    assert_int_equal(w->of, of);
    assert_int_equal(w->kind, kind);
    assert_int_equal(w->call, call);
    assert_true(fabs(w->seconds - ns * 1e-9) < 1e-12);
}

static void end(uint32_t n) {
    assert_int_equal(waits.all.n, n);
    wg_waits_free(&waits);
    wg_arena_free(&arena);
    arena = (struct wg_arena){0};
}

static void late_sender(void **state) {
    (void)state;
    begin(2);
    call(0, WG_MPI_SEND, WG_MPI_CALL_Send, 1, 5, 3000, 3100, 0);
    call(0, WG_MPI_SEND, WG_MPI_CALL_Send, 1, 5, 3200, 3210, 0);
    call(0, WG_MPI_SEND, WG_MPI_CALL_Send, 1, 6, 9000, 9100, 0);    /* of another tag: nobody has taken it */
    call(1, WG_MPI_RECEIVE, WG_MPI_CALL_Recv, 0, 5, 2000, 3150, 0); /* 1000 of 1150 */
    call(1, WG_MPI_RECEIVE, WG_MPI_CALL_Recv, 0, 5, 3250, 3260, 0); /* it was there */
    match();
    is_wait(0, 1, 0, WG_WAIT_SENDER, WG_MPI_CALL_Recv, 1000);
    assert_true(fabs(waits.in_mpi[1] - 1160e-9) < 1e-12 && fabs(waits.span[1] - 2260e-9) < 1e-12);
    assert_true(waits.waited[WG_WAIT_SENDER][0] == 0);
    end(1);
}

/* A send that was buffered did not wait, whenever its receiver came. */
static void late_receiver(void **state) {
    (void)state;
    begin(2);
    call(0, WG_MPI_SEND, WG_MPI_CALL_Send, 1, 5, 2000, 2050, 0);
    call(0, WG_MPI_SEND, WG_MPI_CALL_Ssend, 1, 5, 2100, 4200, 0);
    call(1, WG_MPI_RECEIVE, WG_MPI_CALL_Recv, 0, 5, 4000, 4100, 0);
    call(1, WG_MPI_RECEIVE, WG_MPI_CALL_Recv, 0, 5, 4110, 4200, 0);
    match();
    is_wait(0, 0, 1, WG_WAIT_RECEIVER, WG_MPI_CALL_Ssend, 2010);
    end(1);
}

/* By its clock the receiver came just after a send that had taken long, and after one that had not. */
static void clocks_are_a_little_apart(void **state) {
    begin(2);
    call(0, WG_MPI_SEND, WG_MPI_CALL_Ssend, 1, 5, 2000, 4000, 0);
    call(0, WG_MPI_SEND, WG_MPI_CALL_Send, 1, 5, 4100, 4110, 0);
    call(1, WG_MPI_RECEIVE, WG_MPI_CALL_Recv, 0, 5, 4040, 4060, 0);
    call(1, WG_MPI_RECEIVE, WG_MPI_CALL_Recv, 0, 5, 4150, 4160, 0);
    match();
    is_wait(0, 0, 1, WG_WAIT_RECEIVER, WG_MPI_CALL_Ssend, 2000);
    end(1);
    (void)state;
}

/* Wildcards: whose messages they were shows in the end; the n-th posted has the n-th sent. Of what was waited for together,
 * the last counts, and a send that was over before does not. */
static void many_at_once(void **state) {
    (void)state;
    begin(3);
    call(0, WG_MPI_RECEIVE, WG_MPI_CALL_Irecv, -1, -1, 1100, 1101, 1);
    call(0, WG_MPI_RECEIVE, WG_MPI_CALL_Irecv, 1, 7, 1110, 1111, 2);
    call(0, WG_MPI_SEND, WG_MPI_CALL_Isend, 2, 8, 1120, 1121, 3);
    call(0, WG_MPI_RECEIVE, WG_MPI_CALL_Irecv, 2, 9, 1130, 1131, 4);
    add(0, (struct wg_mpi_event){.kind = WG_MPI_DROPPED, .id = 4});
    size_t wait = counts[0];
    call(0, WG_MPI_WAIT_ALL, WG_MPI_CALL_Waitall, -1, 0, 1200, 2500, 0);
    done(0, wait, 1, 1, 7, false);
    done(0, wait, 2, 1, 7, false);
    done(0, wait, 3, -1, 0, true);
    call(1, WG_MPI_SEND, WG_MPI_CALL_Send, 0, 7, 1500, 1510, 0);
    call(1, WG_MPI_SEND, WG_MPI_CALL_Send, 0, 7, 1800, 1810, 0);
    call(2, WG_MPI_RECEIVE, WG_MPI_CALL_Recv, 0, 8, 2400, 2410, 0);
    match();
    is_wait(0, 0, 1, WG_WAIT_SENDER, WG_MPI_CALL_Waitall, 600);
    end(1);
}

/* The first that comes ends a wait for any; one that was there leaves nothing to wait for. A probe takes no message. */
static void first_of_many(void **state) {
    (void)state;
    begin(3);
    call(0, WG_MPI_RECEIVE, WG_MPI_CALL_Irecv, 1, 7, 1100, 1101, 1);
    call(0, WG_MPI_RECEIVE, WG_MPI_CALL_Irecv, 2, 7, 1110, 1111, 2);
    size_t wait = counts[0];
    call(0, WG_MPI_WAIT_ANY, WG_MPI_CALL_Waitsome, -1, 0, 1200, 1750, 0);
    done(0, wait, 1, 1, 7, false);
    done(0, wait, 2, 2, 7, false);
    call(0, WG_MPI_PROBE, WG_MPI_CALL_Probe, 2, 7, 1800, 2100, 0);
    call(0, WG_MPI_RECEIVE, WG_MPI_CALL_Recv, 2, 7, 2100, 2110, 0);
    call(1, WG_MPI_SEND, WG_MPI_CALL_Send, 0, 7, 1700, 1710, 0);
    call(2, WG_MPI_SEND, WG_MPI_CALL_Send, 0, 7, 1600, 1610, 0);
    call(2, WG_MPI_SEND, WG_MPI_CALL_Send, 0, 7, 2000, 2010, 0);
    match();
    is_wait(0, 0, 2, WG_WAIT_SENDER, WG_MPI_CALL_Waitsome, 400);
    is_wait(1, 0, 2, WG_WAIT_SENDER, WG_MPI_CALL_Probe, 200);
    end(2);
}

static void collectives(void **state) {
    static const uint64_t came[] = {2000, 2300, 2100};
    (void)state;
    begin(3);
    for (uint32_t i = 0; i < 3; i++)
        call(i, WG_MPI_COLLECTIVE, WG_MPI_CALL_Barrier, -1, (int32_t)i, came[i], 2310, 0);
    for (uint32_t i = 0; i < 3; i++) /* the root, 0, came first: nobody waited */
        call(i, WG_MPI_COLLECTIVE, WG_MPI_CALL_Bcast, 0, (int32_t)i, came[i] + 1000, 3310, 0);
    for (uint32_t i = 0; i < 3; i++) /* the root waits for the last */
        call(i, WG_MPI_COLLECTIVE, WG_MPI_CALL_Reduce, 2, (int32_t)i, came[i] + 2000, 4310, 0);
    for (uint32_t i = 0; i < 3; i++) /* 2 for 1, which is the last of those before it */
        call(i, WG_MPI_COLLECTIVE, WG_MPI_CALL_Scan, -1, (int32_t)i, came[i] + 3000, 5310, 0);
    match();
    is_wait(0, 0, 1, WG_WAIT_COLLECTIVE, WG_MPI_CALL_Barrier, 300);
    is_wait(1, 2, 1, WG_WAIT_COLLECTIVE, WG_MPI_CALL_Barrier, 200);
    is_wait(2, 2, 1, WG_WAIT_COLLECTIVE, WG_MPI_CALL_Reduce, 200);
    is_wait(3, 2, 1, WG_WAIT_COLLECTIVE, WG_MPI_CALL_Scan, 200);
    end(4);
}

/* Rank 1's clock is 1,000,000 ahead at the beginning, and runs faster by a tenth. */
static void clocks(void **state) {
    (void)state;
    begin(2);
    call(0, WG_MPI_SEND, WG_MPI_CALL_Send, 1, 5, 6000, 6100, 0);
    events[1][0].from = 1002000;
    add(1, (struct wg_mpi_event){.kind = WG_MPI_CLOCK, .from = 1002000, .id = (uint64_t)-1000000});
    call(1, WG_MPI_RECEIVE, WG_MPI_CALL_Recv, 0, 5, 1003100, 1007000, 0); /* 3000 to 6545 */
    add(1, (struct wg_mpi_event){.kind = WG_MPI_CLOCK, .from = 1013000, .id = (uint64_t)-1001000});
    match();
    assert_int_equal(waits.all.n, 1);
    assert_true(fabs(waits.all.v[0].seconds - 3000e-9) < 2e-9);
    end(1);
}

/* A rank that was killed in a call, and files that are none. */
static void killed(void **state) {
    (void)state;
    begin(2);
    call(0, WG_MPI_RECEIVE, WG_MPI_CALL_Recv, 1, 5, 2000, 0, 0);
    call(1, WG_MPI_SEND, WG_MPI_CALL_Isend, 0, 5, 3000, 3100, 1);
    events[1][counts[1] - 1].peer = 77; /* no rank: what follows is not read */
    match();
    assert_string_equal(waits.still[0], "in MPI_Recv, with rank 1");
    assert_null(waits.still[1]);
    wg_waits_add(&waits, 1, "/no/such/file");
    end(0);
    wg_waits_begin(&waits, &arena, 2);
    wg_waits_add(&waits, 0, "/proc/self/exe");
    wg_waits_match(&waits);
    assert_int_equal(waits.known, 0);
    end(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_sender),
        cmocka_unit_test(late_receiver),
        cmocka_unit_test(clocks_are_a_little_apart),
        cmocka_unit_test(many_at_once),
        cmocka_unit_test(first_of_many),
        cmocka_unit_test(collectives),
        cmocka_unit_test(clocks),
        cmocka_unit_test(killed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
