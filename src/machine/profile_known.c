/* Launches like earlier ones. What is counted by classes of blocks follows from the launch's shape and parameters alone: a
 * launch that has those of an earlier one has its counters, too. So a kernel that is launched again and again, or in turns
 * for two buffers, is counted once. */
#include "machine/profile.h"
#include <stdlib.h>
#include <string.h>

enum { KNOWN_MOST = 8 };

/* Of a function: the latest of the launches whose blocks were sorted. */
struct wg_profile_known {
    uint32_t n; /* so far, of which the last are kept */
    struct known {
        struct wg_strbuf key;
        struct wg_profile *counted; /* NULL: they could not be */
    } v[KNOWN_MOST];
};

bool wg_profile_known(struct wg_func *f, const struct wg_strbuf *key, uint64_t stream,
                      struct wg_profile **counted) {
    bool found = false;
    pthread_mutex_lock(&f->module->lock);
    for (uint32_t i = 0; f->known && i < KNOWN_MOST && !found; i++) {
        const struct known *k = &f->known->v[i];
        found = k->key.n == key->n && memcmp(k->key.s, key->s, key->n) == 0;
        if (found) *counted = k->counted ? wg_profile_copy(k->counted, f, stream) : NULL;
    }
    pthread_mutex_unlock(&f->module->lock);
    return found;
}

static void forget(struct known *k) {
    wg_strbuf_free(&k->key);
    wg_profile_free(k->counted);
    *k = (struct known){0};
}

void wg_profile_keep(struct wg_func *f, struct wg_strbuf *key, const struct wg_profile *counted) {
    pthread_mutex_lock(&f->module->lock);
    if (!f->known) f->known = wg_xcalloc(1, sizeof *f->known);
    struct known *k = &f->known->v[f->known->n++ % KNOWN_MOST];
    forget(k);
    *k = (struct known){*key, counted ? wg_profile_copy(counted, f, 0) : NULL};
    pthread_mutex_unlock(&f->module->lock);
    *key = (struct wg_strbuf){0};
}

void wg_profile_forget(struct wg_func *f) {
    for (uint32_t i = 0; f->known && i < KNOWN_MOST; i++) forget(&f->known->v[i]);
    free(f->known);
    f->known = NULL;
}
