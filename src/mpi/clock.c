/* See clock.h. Rank 0 answers each message with its time; of the quickest answer the other assumes that it was read in the
 * middle, so it is wrong by half of that message's way and back at most. */
#define _GNU_SOURCE
#include "mpi/clock.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "mpi/library.h"
#include "mpi/record.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { ROUNDS = 16, TAG = 27431 };

/* The same where CLOCK_MONOTONIC is: the machine's boot and the namespace of times. */
static uint64_t own_clock(void) {
    struct wg_hash h = WG_HASH_INIT;
    struct wg_strbuf boot = {0};
    struct stat st = {0};
    if (wg_file_read("/proc/sys/kernel/random/boot_id", &boot) && boot.s) wg_hash_str(&h, boot.s);
    if (stat("/proc/self/ns/time", &st) == 0) wg_hash_add(&h, &st.st_ino, sizeof st.st_ino);
    wg_strbuf_free(&boot);
    return h.a;
}

static int send(uint64_t *value, int to) {
    const struct wg_mpi_library *l = wg_mpi_library();
    return WG_MPI_ASK("Send", (wg_mpi_word)value, sizeof *value, l->byte, (wg_mpi_word)to, TAG, l->world);
}
static int receive(uint64_t *value, int from) {
    const struct wg_mpi_library *l = wg_mpi_library();
    return WG_MPI_ASK("Recv", (wg_mpi_word)value, sizeof *value, l->byte, (wg_mpi_word)from, TAG, l->world,
                      l->ignore);
}

static void answer(int rank) {
    uint64_t value;
    for (int i = 0; i < ROUNDS; i++) {
        if (receive(&value, rank)) return;
        value = wg_now_ns();
        if (send(&value, rank)) return;
    }
}

static void ask(void) {
    uint64_t best = UINT64_MAX, theirs = 0;
    int64_t add = 0;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t before = wg_now_ns();
        if (send(&theirs, 0) || receive(&theirs, 0)) return;
        uint64_t took = wg_now_ns() - before;
        if (took >= best) continue;
        best = took;
        add = (int64_t)(theirs - before - took / 2);
    }
    wg_record(&(struct wg_mpi_event){.kind = WG_MPI_CLOCK, .from = wg_now_ns(), .id = (uint64_t)add});
}

void wg_clock_compare(int rank, int ranks) {
    const struct wg_mpi_library *l = wg_mpi_library();
    uint64_t own = own_clock(), *all = wg_xcalloc((size_t)ranks, sizeof *all);
    if (!WG_MPI_ASK("Allgather", (wg_mpi_word)&own, sizeof own, l->byte, (wg_mpi_word)all, sizeof own,
                    l->byte, l->world)) {
        for (int i = 1; !rank && i < ranks; i++)
            if (all[i] != all[0]) answer(i);
        if (rank && own != all[0]) ask();
    }
    free(all);
}
