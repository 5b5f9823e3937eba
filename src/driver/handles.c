/* The handles that live: a hash set of addresses with their kinds.
 *
 * Every object a program holds a handle of is entered here when made and taken out when destroyed, so that
 * any pointer can be asked whether it is one without being read. Readers (every launch and copy) share the
 * lock.
 */
#include "driver/driver.h"
#include <stdlib.h>

struct slot {
    const void *handle; /* NULL: free */
    const struct CUctx_st *ctx;
    enum wg_handle_kind kind;
    void (*end)(void *handle); /* when that of `ctx` comes */
};
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct slot *slots; /* a power of two of them, at most half full; linear probing */
static size_t capacity, used;

static size_t home(const void *h) {
    return (size_t)(((uintptr_t)h >> 4) * 0x9e3779b97f4a7c15u >> 20) & (capacity - 1);
}

static struct slot *find(const void *h) {
    if (!capacity || !h) return NULL;
    for (size_t i = home(h);; i = (i + 1) & (capacity - 1)) {
        if (slots[i].handle == h) return &slots[i];
        if (!slots[i].handle) return NULL;
    }
}

static void insert(struct slot s) {
    size_t i = home(s.handle);
    while (slots[i].handle) i = (i + 1) & (capacity - 1);
    slots[i] = s;
    used++;
}

static void grow(void) {
    struct slot *old = slots;
    size_t n = capacity;
    capacity = n ? n * 2 : 256;
    slots = wg_xcalloc(capacity, sizeof *slots);
    used = 0;
    for (size_t i = 0; i < n; i++)
        if (old[i].handle) insert(old[i]);
    free(old);
}

/* Empties a slot and moves back what had been pushed past it. */
static void erase(struct slot *s) {
    size_t hole = (size_t)(s - slots);
    used--;
    for (size_t i = (hole + 1) & (capacity - 1); slots[i].handle; i = (i + 1) & (capacity - 1)) {
        size_t want = home(slots[i].handle);
        if (((i - want) & (capacity - 1)) >= ((i - hole) & (capacity - 1))) {
            slots[hole] = slots[i];
            hole = i;
        }
    }
    slots[hole].handle = NULL;
}

static void add(struct slot s) {
    pthread_rwlock_wrlock(&lock);
    if (used * 2 >= capacity) grow();
    insert(s);
    pthread_rwlock_unlock(&lock);
}

void wg_handle_add(const void *handle, enum wg_handle_kind kind) {
    add((struct slot){.handle = handle, .kind = kind});
}

void wg_handle_add_in(const struct CUctx_st *ctx, const void *handle, enum wg_handle_kind kind,
                      void (*end)(void *handle)) {
    add((struct slot){handle, ctx, kind, end});
}

bool wg_handle_is(const void *handle, enum wg_handle_kind kind) {
    pthread_rwlock_rdlock(&lock);
    const struct slot *s = find(handle);
    bool is = s && s->kind == kind;
    pthread_rwlock_unlock(&lock);
    return is;
}

bool wg_handle_remove(const void *handle, enum wg_handle_kind kind) {
    pthread_rwlock_wrlock(&lock);
    struct slot *s = find(handle);
    bool is = s && s->kind == kind;
    if (is) erase(s);
    pthread_rwlock_unlock(&lock);
    return is;
}

bool wg_handle_end_one(const struct CUctx_st *ctx) {
    struct slot found = {0};
    pthread_rwlock_wrlock(&lock);
    for (size_t i = 0; i < capacity && !found.handle; i++)
        if (slots[i].handle && slots[i].ctx == ctx) {
            found = slots[i];
            erase(&slots[i]);
        }
    pthread_rwlock_unlock(&lock);
    if (found.handle) found.end((void *)found.handle);
    return found.handle != NULL;
}
