/* Where things lie: see layout.h. */
#include "cli/layout.h"
#include "cli/guard.h"
#include "cli/say.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SCRATCH "warpglass."
static struct wg_strbuf libraries, scratch;

/* Where /proc is not mounted, by the name that it was started by. */
const char *wg_layout_self(void) {
    static char exe[PATH_MAX];
    if (*exe) return exe;
    ssize_t n = readlink("/proc/self/exe", exe, PATH_MAX - 1);
    exe[n < 0 ? 0 : n] = 0;
    if (n >= 0) return exe;
    const char *name = (const char *)getauxval(AT_EXECFN);
    if (!name || !realpath(name, exe))
        wg_say("cannot find its own files: /proc is not mounted, and '%s' is not there", name ? name : "?");
    return exe;
}

const char *wg_layout_libraries(void) {
    char exe[PATH_MAX];
    if (libraries.s) return libraries.s;
    snprintf(exe, sizeof exe, "%s", wg_layout_self());
    for (int up = 0; up < 2; up++) { /* less "/warpglass", less "/bin" */
        char *slash = strrchr(exe, '/');
        if (slash) *slash = 0;
    }
    wg_strbuf_printf(&libraries, "%s/lib/warpglass", exe);
    return libraries.s;
}

/* Who lives holds a shared lock on its folder, and so does its guard. */
static bool is_left_behind(const char *folder) {
    enum { NEW = 60 }; /* seconds: between making a folder and locking it */
    struct stat st;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool left = fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() && !(st.st_mode & 077) &&
                time(NULL) - st.st_mtime > NEW && flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (fd >= 0) close(fd);
    return left;
}

/* Folders of commands that were killed together with their guards. */
static void sweep(const char *tmp) {
    DIR *d = opendir(tmp);
    struct wg_strbuf path = {0};
    for (struct dirent *e; d && (e = readdir(d));) {
        if (strncmp(e->d_name, SCRATCH, sizeof SCRATCH - 1) != 0 || strlen(e->d_name) != sizeof SCRATCH + 5)
            continue;
        wg_strbuf_free(&path);
        wg_strbuf_printf(&path, "%s/%s", tmp, e->d_name);
        if (is_left_behind(path.s)) wg_layout_remove(path.s);
    }
    wg_strbuf_free(&path);
    if (d) closedir(d);
}

const char *wg_layout_scratch(void) {
    const char *tmp = getenv("TMPDIR");
    if (scratch.s) return scratch.s;
    if (!tmp || !*tmp) tmp = "/tmp";
    sweep(tmp);
    wg_strbuf_printf(&scratch, "%s/%sXXXXXX", tmp, SCRATCH);
    sigset_t mask = wg_guard_hold();
    bool made = mkdtemp(scratch.s) != NULL;
    if (made) wg_guard_begin(scratch.s);
    wg_guard_release(&mask);
    if (made) return scratch.s;
    wg_say("cannot make a temporary folder %s: %s. Set TMPDIR to a folder that can be written to", scratch.s,
           strerror(errno));
    wg_strbuf_free(&scratch);
    return NULL;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where) {
    (void)st, (void)kind, (void)where;
    remove(path);
    return 0;
}

void wg_layout_remove(const char *folder) { nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

void wg_layout_remove_scratch(void) {
    if (scratch.s) wg_layout_remove(scratch.s);
    wg_strbuf_free(&scratch);
}
