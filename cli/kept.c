/* See kept.h. */
#include "cli/kept.h"
#include "base/arena.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct kept {
    char name[33];
    struct timespec used;
};

static int by_use(const void *a, const void *b) {
    const struct kept *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    return (x->used.tv_nsec > y->used.tv_nsec) - (x->used.tv_nsec < y->used.tv_nsec);
}

void wg_kept_remove_oldest(const char *folder, uint32_t most) {
    WG_VEC(struct kept) kept = {0};
    DIR *dir = opendir(folder);
    struct stat st;
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (strlen(e->d_name) != 32 || fstatat(dirfd(dir), e->d_name, &st, 0) != 0) continue;
        struct kept *k = WG_PUSH(&kept);
        memcpy(k->name, e->d_name, 33);
        k->used = st.st_mtim;
    }
    if (kept.n > most) {
        qsort(kept.v, kept.n, sizeof *kept.v, by_use);
        for (uint32_t i = 0; i < kept.n - most / 2; i++) {
            char list[48];
            strcat(strcpy(list, kept.v[i].name), WG_KEPT_LIST);
            unlinkat(dirfd(dir), kept.v[i].name, 0);
            unlinkat(dirfd(dir), list, 0);
        }
    }
    if (dir) closedir(dir);
    free(kept.v);
}
