/* Finding the tag in a name: see cluster_tag.h. */
#include "ptx/cluster_tag.h"
#include "base/arena.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = "wg_cluster_dims_";
enum { MARK = sizeof mark - 1, MOST = 80 };

/* "2_1_1_" -> 2, 1, 1; all three zero where it is something else. */
static void read_dims(const char *text, uint32_t len, uint32_t dims[3]) {
    char copy[MOST + 1];
    int end = 0;
    memcpy(copy, text, len);
    copy[len] = 0;
    int n = sscanf(copy, "%" SCNu32 "_%" SCNu32 "_%" SCNu32 "_%n", &dims[0], &dims[1], &dims[2], &end);
    if (n != 3 || end != (int)len || !dims[0] || !dims[1] || !dims[2]) dims[0] = dims[1] = dims[2] = 0;
}

bool wg_cluster_tag_in(const char *text, uint32_t len) { return memmem(text, len, mark, MARK) != NULL; }

bool wg_cluster_tag_find(const char *name, uint32_t len, struct wg_cluster_tag *out) {
    const char *at = memmem(name, len, mark, MARK);
    uint32_t digits = 0, tag = 0, scale = 1;
    if (!at) return false;
    uint32_t begin = (uint32_t)(at - name);
    for (; digits < 2 && begin > digits && name[begin - digits - 1] >= '0' && name[begin - digits - 1] <= '9';
         digits++, scale *= 10)
        tag += (uint32_t)(name[begin - digits - 1] - '0') * scale;
    if (!digits || begin == digits || name[begin - digits - 1] != 'B') return false;
    if (tag < MARK || tag > MOST || tag > len - begin) return false;
    *out = (struct wg_cluster_tag){.begin = begin - digits - 1, .end = begin + tag};
    read_dims(at + MARK, tag - MARK, out->dims);
    return true;
}

char *wg_cluster_tag_remove(const char *name) {
    struct wg_cluster_tag t;
    char *copy = wg_xstrdup(name);
    if (wg_cluster_tag_find(copy, (uint32_t)strlen(copy), &t))
        memmove(copy + t.begin, copy + t.end, strlen(copy + t.end) + 1);
    return copy;
}
