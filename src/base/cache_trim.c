/* Eviction of cache entries when the cache is too large: see cache_dir.h. */
#include "base/arena.h"
#include "base/cache_dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { KEY_AT_MOST = 33, UNFINISHED_SECONDS = 3600 };

/* A file, and then all of an entry. */
struct kept {
    char key[KEY_AT_MOST + 1];
    char *name;
    struct timespec used;
    uint64_t bytes;
};
struct all {
    WG_VEC(struct kept) files;
};

static bool earlier(const struct timespec *a, const struct timespec *b) {
    return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

static int by_key(const void *a, const void *b) {
    return strcmp(((const struct kept *)a)->key, ((const struct kept *)b)->key);
}

static int by_use(const void *a, const void *b) {
    const struct kept *x = a, *y = b;
    if (earlier(&x->used, &y->used)) return -1;
    return earlier(&y->used, &x->used) ? 1 : by_key(a, b);
}

/* 32 digits, of a kernel with a letter before them; nothing else in the folder is ours to remove. */
static size_t key_length(const char *name) {
    size_t n = strcspn(name, "."), letter = n == KEY_AT_MOST;
    if (n + !letter != KEY_AT_MOST || (letter && !strchr("gwc", *name))) return 0;
    return strspn(name + letter, "0123456789abcdef") == n - letter ? n : 0;
}

/* Written under another name first, and never renamed. */
static bool is_unfinished(const char *ending, const struct stat *st) {
    static const char *const endings[] = {"", ".o", ".files", ".seal"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (!strcmp(ending, endings[i])) return false;
    return st->st_mtim.tv_sec < time(NULL) - UNFINISHED_SECONDS;
}

static void look(DIR *dir, struct all *all) {
    for (struct dirent *e; (e = readdir(dir));) {
        size_t n = key_length(e->d_name);
        struct stat st;
        if (!n || fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 || S_ISDIR(st.st_mode))
            continue;
        if (is_unfinished(e->d_name + n, &st)) {
            unlinkat(dirfd(dir), e->d_name, 0);
            continue;
        }
        struct kept *k = WG_PUSH(&all->files);
        memcpy(k->key, e->d_name, n);
        k->key[n] = 0;
        k->name = wg_xstrdup(e->d_name);
        k->used = st.st_mtim;
        k->bytes = (uint64_t)st.st_size;
    }
}

/* Files by key become entries: their number, oldest first, with the last use of any of an entry's files. */
static uint32_t join(const struct all *all, struct kept *entries) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < all->files.n; i++) {
        const struct kept *k = &all->files.v[i];
        if (n && !strcmp(entries[n - 1].key, k->key)) {
            entries[n - 1].bytes += k->bytes;
            if (earlier(&entries[n - 1].used, &k->used)) entries[n - 1].used = k->used;
        } else {
            entries[n++] = *k;
        }
    }
    qsort(entries, n, sizeof *entries, by_use);
    return n;
}

static void remove_entry(DIR *dir, const struct all *all, const struct kept *entry) {
    const struct kept *k = bsearch(entry, all->files.v, all->files.n, sizeof *k, by_key),
                      *end = all->files.v + all->files.n;
    while (k > all->files.v && !by_key(k - 1, entry)) k--;
    for (; k < end && !by_key(k, entry); k++) unlinkat(dirfd(dir), k->name, 0);
}

void wg_cache_trim(const char *folder, uint32_t most, uint64_t bytes) {
    struct all all = {0};
    DIR *dir = opendir(folder);
    if (dir) look(dir, &all);
    if (all.files.n) {
        struct kept *entries = wg_xcalloc(all.files.n, sizeof *entries);
        uint64_t there = 0;
        qsort(all.files.v, all.files.n, sizeof *all.files.v, by_key);
        uint32_t n = join(&all, entries);
        for (uint32_t i = 0; i < n; i++) there += entries[i].bytes;
        bool much = n > most || there > bytes;
        for (uint32_t i = 0; much && (n - i > most / 2 || there > bytes / 2) && i < n;
             there -= entries[i++].bytes)
            remove_entry(dir, &all, &entries[i]);
        free(entries);
    }
    for (uint32_t i = 0; i < all.files.n; i++) free(all.files.v[i].name);
    free(all.files.v);
    if (dir) closedir(dir);
}
