/* See groups.h. What makes two communicators of two ranks the same is who is in them, in which order, and that as many with
 * the same were made before: making one is collective, so its ranks make those that they share in one order. */
#include "mpi/groups.h"
#include "base/arena.h"
#include "base/hash.h"
#include "mpi/record.h"

#include <pthread.h>
#include <stdlib.h>

struct made {
    uint64_t members, times;
    struct made *next;
};
static struct wg_mpi_group *groups, *gone;
static struct made *all_made;
static uint32_t numbers;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t id_of(const struct wg_mpi_group *g) {
    struct wg_hash h = WG_HASH_INIT;
    wg_hash_add(&h, &g->size, sizeof g->size);
    wg_hash_add(&h, g->world, (size_t)g->size * sizeof *g->world);
    wg_hash_add(&h, &g->between, sizeof g->between);
    struct made *m = all_made;
    while (m && m->members != h.a) m = m->next;
    if (!m) {
        m = wg_xcalloc(1, sizeof *m);
        *m = (struct made){.members = h.a, .next = all_made};
        all_made = m;
    }
    m->times++;
    wg_hash_add(&h, &m->times, sizeof m->times);
    return h.a;
}

/* Who the peers are in MPI_COMM_WORLD. */
static bool look(struct wg_mpi_group *g) {
    wg_mpi_word of_comm = 0, of_world = 0, world = wg_mpi_library()->world;
    int between = 0, *own;
    if (WG_MPI_ASK("Comm_test_inter", g->comm, (wg_mpi_word)&between) ||
        WG_MPI_ASK("Comm_rank", g->comm, (wg_mpi_word)&g->own) ||
        wg_mpi_ask(between ? "PMPI_Comm_remote_group" : "PMPI_Comm_group",
                   (wg_mpi_word[WG_MPI_WORDS]){g->comm, (wg_mpi_word)&of_comm}) ||
        WG_MPI_ASK("Comm_group", world, (wg_mpi_word)&of_world) ||
        WG_MPI_ASK("Group_size", of_comm, (wg_mpi_word)&g->size))
        return false;
    g->between = between != 0;
    g->world = wg_xcalloc((size_t)g->size + 1, sizeof *g->world);
    own = wg_xcalloc((size_t)g->size + 1, sizeof *own);
    for (int i = 0; i < g->size; i++) own[i] = i;
    bool good = !WG_MPI_ASK("Group_translate_ranks", of_comm, (wg_mpi_word)g->size, (wg_mpi_word)own,
                            of_world, (wg_mpi_word)g->world);
    for (int i = 0; i < g->size; i++)
        if (g->world[i] < 0) g->world[i] = -1; /* MPI_UNDEFINED: of another job */
    free(own);
    WG_MPI_ASK("Group_free", (wg_mpi_word)&of_comm);
    WG_MPI_ASK("Group_free", (wg_mpi_word)&of_world);
    return good;
}

static struct wg_mpi_group *known(wg_mpi_word comm) {
    struct wg_mpi_group *g = groups;
    while (g && g->comm != comm) g = g->next;
    return g;
}

const struct wg_mpi_group *wg_group_of(wg_mpi_word comm) {
    comm = wg_mpi_handle(comm);
    pthread_mutex_lock(&lock);
    struct wg_mpi_group *g = known(comm);
    if (!g) {
        g = wg_xcalloc(1, sizeof *g);
        *g = (struct wg_mpi_group){.comm = comm, .next = groups};
        if (look(g)) {
            g->number = numbers++;
            groups = g;
            wg_record(&(struct wg_mpi_event){.kind = WG_MPI_GROUP, .group = g->number, .id = id_of(g)});
        } else {
            free(g->world);
            free(g);
            g = NULL;
        }
    }
    pthread_mutex_unlock(&lock);
    return g;
}

void wg_group_forget(wg_mpi_word comm) {
    pthread_mutex_lock(&lock);
    for (struct wg_mpi_group **p = &groups; *p; p = &(*p)->next) {
        if ((*p)->comm != comm) continue;
        struct wg_mpi_group *g = *p;
        *p = g->next;
        g->next = gone; /* another thread may look at it */
        gone = g;
        break;
    }
    pthread_mutex_unlock(&lock);
}

int wg_group_world(const struct wg_mpi_group *g, int rank) {
    return g && rank >= 0 && rank < g->size ? g->world[rank] : -1;
}
