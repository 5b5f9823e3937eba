/* See requests.h. */
#include "mpi/requests.h"
#include "base/arena.h"

#include <pthread.h>
#include <stdlib.h>

struct entry {
    struct wg_mpi_request r;
    struct entry *next;
};
enum { CHAINS = 4096 };
static struct entry *chains[CHAINS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t ids;

uint64_t wg_request_new_id(void) { return __atomic_add_fetch(&ids, 1, __ATOMIC_RELAXED); }

static struct entry **find(wg_mpi_word handle) {
    struct entry **e = &chains[handle * UINT64_C(0x9e3779b97f4a7c15) >> 52];
    while (*e && (*e)->r.handle != handle) e = &(*e)->next;
    return e;
}

static void take_out(struct entry **e) {
    struct entry *gone = *e;
    if (!gone) return;
    *e = gone->next;
    free(gone);
}

void wg_request_put(const struct wg_mpi_request *r) {
    pthread_mutex_lock(&lock);
    struct entry **e = find(r->handle);
    if (!*e) *e = wg_xcalloc(1, sizeof **e);
    (*e)->r = *r;
    pthread_mutex_unlock(&lock);
}

bool wg_request_get(wg_mpi_word handle, struct wg_mpi_request *r) {
    pthread_mutex_lock(&lock);
    const struct entry *e = *find(handle);
    if (e) *r = e->r;
    pthread_mutex_unlock(&lock);
    return e != NULL;
}

void wg_request_over(const struct wg_mpi_request *r) {
    pthread_mutex_lock(&lock);
    struct entry **e = find(r->handle);
    if (*e && (*e)->r.id == r->id) {
        if (r->persistent)
            (*e)->r.id = 0, (*e)->r.cancelled = false;
        else
            take_out(e);
    }
    pthread_mutex_unlock(&lock);
}

void wg_request_forget(wg_mpi_word handle) {
    pthread_mutex_lock(&lock);
    take_out(find(handle));
    pthread_mutex_unlock(&lock);
}
