/* Devices, launches and blocks of the race check: see race.h. Block states are reused, and their time is not
 * reset, so that what the previous block left in shared memory's rows is merely old. */
#include "check/race/race_state.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { DONE_MOST = 64 }; /* blocks that wait for their turn before workers wait for the one that turns */

static void *reserve(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Blocks take these a few times each, for moments: who finds one taken does better to try again than to
 * sleep. */
static void init_lock(pthread_mutex_t *lock) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
    pthread_mutex_init(lock, &a);
    pthread_mutexattr_destroy(&a);
}

static bool add_arena(struct wg_race *r, uint64_t base, uint32_t bits) {
    struct arena *a = &r->arenas[r->narenas];
    *a = (struct arena){.base = base, .size = UINT64_C(1) << bits};
    a->nchunks = a->size / CHUNK_BYTES;
    if (!a->nchunks) a->nchunks = 1;
    a->chunks = reserve(a->nchunks * sizeof *a->chunks);
    if (a->chunks) atomic_fetch_add(&r->narenas, 1);
    return a->chunks;
}

void wg_race_add_arena(struct wg_race *r, uint64_t base, uint32_t bits) {
    pthread_mutex_lock(&r->lock);
    if (!race_arena(r, base) && r->narenas < ARENAS_MOST) add_arena(r, base, bits);
    pthread_mutex_unlock(&r->lock);
}

struct wg_race *wg_race_new(const struct wg_race_options *o) {
    struct wg_race *r = wg_xcalloc(1, sizeof *r);
    r->o = *o;
    if (!add_arena(r, o->base, o->bits)) {
        free(r);
        return NULL;
    }
    init_lock(&r->lock);
    init_lock(&r->commits);
    return r;
}

/* ---- blocks ---- */

static void forget_feet(struct wg_race_block *b) {
    for (uint32_t i = 0; i < FEET; i++) {
        free(b->feet[i]);
        b->feet[i] = NULL;
    }
}

static void block_free(struct wg_race_block *b) {
    for (uint32_t i = 0; i < b->nwarps * b->nwarps; i++) free(b->pairs[i]);
    free(b->pairs);
    free(b->pair_time);
    free(b->knows);
    free(b->arrived);
    race_clocks_free(b);
    free(b->fences[0]);
    free(b->thread_release);
    free(b->heard);
    free(b->lines);
    free(b->sectors);
    forget_feet(b);
    free(b->feet);
    race_trail_free(b);
    race_remote_clear(b);
    race_pool_free(&b->strangers);
    race_table_free(&b->table);
    free(b->uncommitted.v);
    race_pool_free(&b->kept);
    race_pool_free(&b->pool);
    race_cluster_times_clear(b);
    race_set_clear(&b->known);
    race_set_clear(&b->late);
    race_set_clear(&b->flags);
    free(b->locks);
    race_meeting_clear(&b->own_meeting);
    free(b->found.v);
    free(b);
}

void wg_race_free(struct wg_race *r) {
    if (!r) return;
    while (r->free) {
        struct wg_race_block *b = r->free;
        r->free = b->next;
        block_free(b);
    }
    race_cells_free(r);
    race_pool_free(&r->keys);
    free(r->used.v);
    for (uint32_t i = 0; i < r->narenas; i++)
        munmap(r->arenas[i].chunks, r->arenas[i].nchunks * sizeof *r->arenas[i].chunks);
    pthread_mutex_destroy(&r->lock);
    pthread_mutex_destroy(&r->commits);
    free(r->launches);
    free(r);
}

void wg_race_ignore(struct wg_race *r, uint64_t base, uint64_t size) {
    atomic_store(&r->ignored, base);
    atomic_store(&r->ignored_size, size);
}

uint64_t wg_race_bytes(const struct wg_race *r) { return atomic_load(&r->bytes); }
uint64_t wg_race_left_out(const struct wg_race *r) { return atomic_load(&r->left_out); }

static bool fits(const struct wg_race_block *b, const struct wg_race_shape *s) {
    return b->threads == s->threads && b->nlines * 128 >= s->shared_bytes &&
           b->nlines * 128 <= s->shared_bytes * 2 + 4096;
}

static struct wg_race_block *block_new(const struct wg_race_shape *s) {
    struct wg_race_block *b = wg_xcalloc(1, sizeof *b);
    b->threads = s->threads;
    b->nwarps = (s->threads + LANES - 1) / LANES;
    for (uint32_t w = 0; w < b->nwarps; w++) b->full[w] = UINT32_MAX;
    if (s->threads % LANES) b->full[b->nwarps - 1] = (1u << s->threads % LANES) - 1;
    b->nlines = (s->shared_bytes + 127) / 128;
    size_t square = (size_t)b->nwarps * b->nwarps, threads = (size_t)b->nwarps * LANES;
    b->lines = wg_xcalloc(b->nlines + 1, sizeof *b->lines);
    b->feet = wg_xcalloc(FEET, sizeof *b->feet);
    b->knows = wg_xcalloc(square, sizeof *b->knows);
    b->pairs = wg_xcalloc(square, sizeof *b->pairs);
    b->pair_time = wg_xcalloc(square, sizeof *b->pair_time);
    b->fences[FOR_BLOCK] = wg_xcalloc(REACHES * threads, sizeof **b->fences);
    b->fences[FOR_GRID] = b->fences[FOR_BLOCK] + threads;
    b->thread_release = wg_xcalloc(threads, sizeof *b->thread_release);
    b->heard = wg_xcalloc(threads, sizeof *b->heard);
    return b;
}

static struct wg_race_block *block_take(struct wg_race *r, const struct wg_race_shape *s) {
    struct wg_race_block *b = NULL;
    pthread_mutex_lock(&r->lock);
    for (struct wg_race_block **at = &r->free; *at; at = &(*at)->next)
        if (fits(*at, s)) {
            b = *at;
            *at = b->next;
            break;
        }
    pthread_mutex_unlock(&r->lock);
    return b ? b : block_new(s);
}

static void block_give(struct wg_race_block *b) {
    struct wg_race *r = b->grid->race;
    race_table_clear(b);
    b->uncommitted.n = 0;
    pthread_mutex_lock(&r->lock);
    b->next = r->free;
    r->free = b;
    pthread_mutex_unlock(&r->lock);
}

static void begin_rows_anew(struct wg_race_block *b) {
    memset(b->lines, 0, b->nlines * sizeof *b->lines);
    free(b->sectors);
    b->sectors = NULL;
    race_pool_reset(&b->kept);
}

/* Time is used up: nothing of before may be taken for something of now. */
static void begin_time_anew(struct wg_race_block *b) {
    size_t square = (size_t)b->nwarps * b->nwarps, threads = (size_t)b->nwarps * LANES;
    b->time = 0;
    begin_rows_anew(b);
    for (size_t i = 0; i < square; i++) {
        free(b->pairs[i]);
        b->pairs[i] = NULL;
        b->knows[i] = b->pair_time[i] = 0;
    }
    memset(b->fences[0], 0, REACHES * threads * sizeof **b->fences);
}

struct wg_race_block *wg_race_block_begin(struct wg_race_grid *g, uint64_t block, uint32_t rank,
                                          struct wg_race_block **peers, const void *shared) {
    struct wg_race_block *b = block_take(g->race, &g->shape);
    if (b->time > UINT32_MAX / 2) begin_time_anew(b);
    if (b->serial != g->first_serial) {
        begin_rows_anew(b); /* other rows by bytes, other rows with atomics */
        forget_feet(b);
        race_trail_free(b);
    }
    b->serial = g->first_serial;
    b->grid = g;
    b->block = block;
    b->rank = rank;
    b->peers = g->shape.cluster > 1 ? peers : NULL;
    b->shared = shared;
    b->all = b->committed = b->cluster_time = ++b->time;
    b->time++;
    b->partial = b->split = b->fenced = false;
    b->arrivals = b->nclocks = 0;
    b->latest_fence[0] = b->latest_fence[1] = 0;
    b->last_release = 0;
    memset(b->changed, 0, sizeof b->changed);
    if (b->signalled) { /* by a block before this one */
        memset(b->thread_release, 0, b->nwarps * LANES * sizeof *b->thread_release);
        memset(b->heard, 0, b->nwarps * LANES * sizeof *b->heard);
    }
    b->signalled = b->signalled_shared = false;
    b->known.n = b->late.n = b->flags.n = 0;
    race_locks_clear(b);
    race_cluster_times_clear(b);
    b->dirty = false;
    race_meeting_clear(&b->own_meeting);
    if (b->peers) {
        b->peers[rank] = b;
        g->cluster_of[block] = (uint32_t)(b->peers[0] ? b->peers[0]->block : block);
    }
    b->meeting = g->shape.ordered ? &g->meeting : &b->own_meeting;
    race_trail_begin(b);
    pthread_mutex_lock(&g->lock);
    b->prev = NULL;
    b->next = g->running;
    if (b->next) b->next->prev = b;
    g->running = b;
    pthread_mutex_unlock(&g->lock);
    return b;
}

/* ---- in the order of the blocks' numbers ---- */

static void put_done(struct wg_race_grid *g, struct wg_race_block *b) {
    struct wg_race_block **at = &g->done;
    while (*at && (*at)->block < b->block) at = &(*at)->next;
    b->next = *at;
    *at = b;
    g->ndone++;
}

/* Under the lock, which it lets go of while a block is held against the others. */
static void commit_those_due(struct wg_race_grid *g, bool whatever) {
    g->committing = true;
    while (g->done && (whatever || g->done->block <= g->turn)) {
        struct wg_race_block *b = g->done;
        g->done = b->next;
        g->ndone--;
        g->turn = b->block + 1;
        pthread_mutex_unlock(&g->lock);
        race_commit(b);
        block_give(b);
        pthread_mutex_lock(&g->lock);
        if (g->ndone == DONE_MOST / 2) pthread_cond_broadcast(&g->turned);
    }
    g->committing = false;
    pthread_cond_broadcast(&g->turned);
}

static void leave_running(struct wg_race_grid *g, struct wg_race_block *b) {
    if (b->prev)
        b->prev->next = b->next;
    else
        g->running = b->next;
    if (b->next) b->next->prev = b->prev;
}

void wg_race_block_end(struct wg_race_block *b) {
    struct wg_race_grid *g = b->grid;
    race_pairs_tell(g, &b->found);
    race_remote_clear(b);
    if (b->peers && b->peers[b->rank] == b) b->peers[b->rank] = NULL;
    if (g->shape.ordered) race_commit(b);
    pthread_mutex_lock(&g->lock);
    leave_running(g, b);
    if (g->shape.ordered || g->shape.no_global) {
        pthread_mutex_unlock(&g->lock);
        block_give(b);
        return;
    }
    put_done(g, b);
    bool full = g->ndone > DONE_MOST; /* who waits does so for room for several */
    while (full && g->committing && g->ndone > DONE_MOST / 2) pthread_cond_wait(&g->turned, &g->lock);
    if (!g->committing) commit_those_due(g, false);
    pthread_mutex_unlock(&g->lock);
}

/* ---- launches ---- */

static uint32_t next_serial(struct wg_race *r, uint64_t launch) {
    pthread_mutex_lock(&r->lock);
    if (r->nserials == r->cap_serials) {
        r->cap_serials = r->cap_serials ? r->cap_serials * 2 : 64;
        r->launches = wg_xrealloc(r->launches, r->cap_serials * sizeof *r->launches);
    }
    r->launches[r->nserials++] = launch;
    uint32_t serial = r->nserials; /* from 1 */
    pthread_mutex_unlock(&r->lock);
    return serial;
}

struct wg_race_grid *wg_race_begin(struct wg_race *r, const struct wg_race_shape *s) {
    struct wg_race_grid *g = wg_xcalloc(1, sizeof *g);
    g->race = r;
    g->shape = *s;
    g->shape.ordered |= s->cluster > 1;
    g->serial = g->first_serial = next_serial(r, s->launch);
    if (g->shape.ordered) g->last_release = reserve(s->blocks * sizeof *g->last_release);
    if (s->cluster > 1) g->cluster_of = reserve(s->blocks * sizeof *g->cluster_of);
    init_lock(&g->lock);
    pthread_cond_init(&g->turned, NULL);
    return g;
}

void wg_race_end(struct wg_race_grid *g) {
    while (g->running) wg_race_block_end(g->running);
    pthread_mutex_lock(&g->lock);
    commit_those_due(g, true);
    pthread_mutex_unlock(&g->lock);
    if (g->race->o.settled) g->race->o.settled(g->shape.user);
    race_pairs_tell(g, &g->found);
    race_meeting_clear(&g->meeting);
    if (g->last_release) munmap(g->last_release, g->shape.blocks * sizeof *g->last_release);
    if (g->cluster_of) munmap(g->cluster_of, g->shape.blocks * sizeof *g->cluster_of);
    pthread_mutex_destroy(&g->lock);
    pthread_cond_destroy(&g->turned);
    free(g->found.v);
    free(g);
}

void wg_race_grid_barrier(struct wg_race_grid *g) {
    for (struct wg_race_block *b = g->running; b; b = b->next) race_trail_leave(b);
    for (struct wg_race_block *b = g->running; b; b = b->next) race_commit(b);
    pthread_mutex_lock(&g->lock);
    commit_those_due(g, true);
    pthread_mutex_unlock(&g->lock);
    if (g->race->o.settled) g->race->o.settled(g->shape.user);
    for (struct wg_race_block *b = g->running; b; b = b->next) {
        b->all = b->time++;
        b->partial = b->split = false;
    }
    g->serial = next_serial(g->race, g->shape.launch);
}
