/* See proc.h. */
#include "base/proc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wg_proc_read(pid_t pid, struct wg_proc *out) {
    enum { STATE = 3, STARTTIME = 22 }; /* fields, from 1 */
    char path[64], text[1024];
    int parent;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "re");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f) fclose(f);
    text[n] = 0;
    const char *s = strrchr(text, ')'); /* the name before it may have anything in it */
    if (!s || sscanf(s + 1, " %c %d", &out->state, &parent) != 2) return false;
    for (int field = STATE - 1; s && field < STARTTIME; field++) s = strchr(s + 1, ' ');
    if (!s) return false;
    out->parent = parent;
    out->began = strtoull(s, NULL, 10);
    return true;
}
