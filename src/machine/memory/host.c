/* See host.h. */
#include "machine/memory/host.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

enum { LONGEST = 4096 };

/* The number after `key` at the start of a line. */
static bool number_in(const char *path, const char *key, uint64_t *out) {
    FILE *f = fopen(path, "re");
    char line[256];
    bool found = false;
    if (!f) return false;
    while (!found && fgets(line, sizeof line, f)) {
        size_t n = strlen(key);
        char *end;
        if (strncmp(line, key, n) != 0) continue;
        *out = strtoull(line + n, &end, 10);
        found = end != line + n;
    }
    fclose(f);
    return found;
}

/* The two versions' names for the same. */
struct files {
    const char *mount, *limit, *used, *stat;
};
static const struct files v1 = {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                                "total_inactive_file "};
static const struct files v2 = {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "};

/* What one group has left; files that it has read and does not use would make room. */
static uint64_t left_in(const char *folder, const struct files *f) {
    char path[LONGEST + 64];
    uint64_t limit, used, unused = 0;
    snprintf(path, sizeof path, "%s/%s", folder, f->limit);
    if (!number_in(path, "", &limit)) return UINT64_MAX; /* "max", or no such group */
    snprintf(path, sizeof path, "%s/%s", folder, f->used);
    if (!number_in(path, "", &used)) return UINT64_MAX;
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    number_in(path, f->stat, &unused);
    if (unused < used)
        used -= unused;
    else
        used = 0;
    return limit > used ? limit - used : 0;
}

/* In a group and all that it is in. Containers see theirs as the root, whatever the path says. */
static uint64_t left(const char *root, const char *group, const struct files *f) {
    char folder[LONGEST];
    uint64_t least = UINT64_MAX;
    int mount = snprintf(folder, sizeof folder, "%s%s", root, f->mount);
    if (mount < 0 || (size_t)mount + strlen(group) >= sizeof folder) return least;
    strcpy(folder + mount, group);
    for (;;) {
        uint64_t one = left_in(folder, f);
        if (one < least) least = one;
        char *last = strrchr(folder + mount, '/');
        if (!last) return least;
        *last = 0;
    }
}

static bool has_memory(const char *controllers) {
    for (const char *s = controllers; *s; s += strcspn(s, ","), s += *s == ',')
        if (!strncmp(s, "memory", 6) && (s[6] == ',' || !s[6])) return true;
    return false;
}

/* Lines are "number:controllers:path"; v2 has one without controllers. Where /proc is not mounted, the groups
 * that a container sees as the roots. */
static uint64_t left_in_groups(const char *root) {
    char path[LONGEST], line[LONGEST];
    uint64_t least = UINT64_MAX;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *f = fopen(path, "re");
    if (!f) {
        uint64_t old = left(root, "", &v1), new = left(root, "", &v2);
        return old < new ? old : new;
    }
    while (fgets(line, sizeof line, f)) {
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group) continue;
        *group++ = 0;
        controllers++;
        group[strcspn(group, "\n")] = 0;
        bool is_v2 = !*controllers;
        if (!is_v2 && !has_memory(controllers)) continue;
        uint64_t one = left(root, group, is_v2 ? &v2 : &v1);
        if (one < least) least = one;
    }
    fclose(f);
    return least;
}

/* What is not used at all: less than what is available, for files that were read count as used. */
static uint64_t unused(void) {
    struct sysinfo info;
    return sysinfo(&info) == 0 ? ((uint64_t)info.freeram + info.bufferram) * info.mem_unit : UINT64_MAX;
}

uint64_t wg_host_available(const char *root) {
    char path[LONGEST];
    uint64_t kb, bytes = UINT64_MAX, groups = left_in_groups(root);
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    if (number_in(path, "MemAvailable:", &kb))
        bytes = kb * 1024;
    else if (!*root) /* /proc is not mounted */
        bytes = unused();
    return groups < bytes ? groups : bytes;
}
