/* See shared.h. */
#include "machine/memory/shared.h"
#include "base/arena.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

/* What was moved. Held for writing while something is; the handler of a write then waits. */
struct moved {
    uint64_t base, end;
};
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static WG_VEC(struct moved) moved;
static _Atomic uint32_t nmoved;

static bool write_all(int file, uint64_t from, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes;) {
        ssize_t n = pwrite(file, (const void *)(from + at), bytes - at, (off_t)at);
        if (n <= 0) return false;
        at += (uint64_t)n;
    }
    return true;
}

static bool move_to(int file, uint64_t base, uint64_t bytes) {
    void *at = (void *)base;
    if (ftruncate(file, (off_t)bytes) != 0 || mprotect(at, bytes, PROT_READ) != 0) return false;
    if (write_all(file, base, bytes) &&
        mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == at)
        return true;
    int reason = errno;
    mprotect(at, bytes, PROT_READ | PROT_WRITE);
    errno = reason;
    return false;
}

int wg_shared_move(uint64_t base, uint64_t bytes) {
    int file = memfd_create("warpglass", MFD_CLOEXEC);
    if (file < 0) return -1;
    pthread_rwlock_wrlock(&lock);
    *WG_PUSH(&moved) = (struct moved){base, base + bytes};
    atomic_store(&nmoved, moved.n);
    bool good = move_to(file, base, bytes);
    if (!good) atomic_store(&nmoved, --moved.n);
    pthread_rwlock_unlock(&lock);
    if (good) return file;
    int reason = errno;
    close(file);
    errno = reason;
    return -1;
}

void wg_shared_free(int file, uint64_t base) {
    if (file < 0) return;
    pthread_rwlock_wrlock(&lock);
    for (uint32_t i = 0; i < moved.n; i++)
        if (moved.v[i].base == base) moved.v[i--] = moved.v[--moved.n];
    atomic_store(&nmoved, moved.n);
    pthread_rwlock_unlock(&lock);
    close(file);
}

bool wg_shared_fault(uint64_t address) {
    bool found = false;
    if (!atomic_load(&nmoved)) return false;
    pthread_rwlock_rdlock(&lock);
    for (uint32_t i = 0; i < moved.n && !found; i++)
        found = address >= moved.v[i].base && address < moved.v[i].end;
    pthread_rwlock_unlock(&lock);
    return found;
}
