/* See record.h. */
#define _GNU_SOURCE
#include "mpi/record.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* 6.7 million events. Room is made in steps, so that a full disk is an error and not a signal. */
enum { MOST_BYTES = 256 << 20, FIRST_STEP = 64 << 10, LAST_STEP = 4 << 20 };

static struct {
    pthread_mutex_t lock;
    struct wg_mpi_event *events;
    uint64_t n, room;
    size_t step;
    int fd;
    bool on;
} file = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

static bool grow(void) {
    size_t bytes = file.room * sizeof *file.events, step = file.step;
    if (bytes + step > MOST_BYTES || posix_fallocate(file.fd, (off_t)bytes, (off_t)step) != 0) return false;
    file.room = (bytes + step) / sizeof *file.events;
    if (file.step < LAST_STEP) file.step *= 2;
    return true;
}

bool wg_record_begin(const char *path) {
    file.fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file.fd < 0) return false;
    void *map = mmap(NULL, MOST_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file.fd, 0);
    file.step = FIRST_STEP;
    if (map == MAP_FAILED) return false;
    file.events = map;
    __atomic_store_n(&file.on, grow(), __ATOMIC_RELEASE);
    return file.on;
}

bool wg_record_on(void) { return __atomic_load_n(&file.on, __ATOMIC_ACQUIRE); }

/* The kind last: whoever reads the file of a process that was killed finds whole events. */
static void put(const struct wg_mpi_event *e) {
    struct wg_mpi_event *to = &file.events[file.n];
    uint8_t kind = e->kind;
    *to = *e;
    to->kind = WG_MPI_NOTHING;
    __atomic_store_n(&to->kind, kind, __ATOMIC_RELEASE);
    file.n++;
}

uint64_t wg_record(const struct wg_mpi_event *e) {
    uint64_t number = WG_NO_EVENT;
    pthread_mutex_lock(&file.lock);
    bool end = e->kind == WG_MPI_END; /* for which there is room */
    if (file.on && !end && file.n + 2 >= file.room && !grow()) {
        put(&(struct wg_mpi_event){.kind = WG_MPI_FULL, .from = e->from});
        __atomic_store_n(&file.on, false, __ATOMIC_RELEASE);
    }
    if (file.on || (end && file.room)) {
        number = file.n;
        put(e);
    }
    pthread_mutex_unlock(&file.lock);
    return number;
}

void wg_record_returned(uint64_t event, uint64_t now, int32_t peer, int32_t tag) {
    if (event == WG_NO_EVENT) return;
    struct wg_mpi_event *e = &file.events[event];
    if (peer >= 0) e->peer = peer, e->tag = tag;
    __atomic_store_n(&e->to, now, __ATOMIC_RELEASE);
}

void wg_record_end(void) {
    pthread_mutex_lock(&file.lock);
    __atomic_store_n(&file.on, false, __ATOMIC_RELEASE);
    if (ftruncate(file.fd, (off_t)(file.n * sizeof *file.events)) != 0) file.n = 0; /* then zeros follow */
    pthread_mutex_unlock(&file.lock);
}
