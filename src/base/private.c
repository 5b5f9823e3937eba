/* See private.h. */
#include "base/private.h"
#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OTHERS_WRITE = S_IWGRP | S_IWOTH };

static bool say(struct wg_strbuf *why, const char *path, const char *what) {
    wg_strbuf_puts(why, path);
    wg_strbuf_puts(why, what);
    return false;
}

static bool say_owner(struct wg_strbuf *why, const char *path, const struct stat *st) {
    wg_strbuf_printf(why, "%s belongs to user %u, and you are user %u", path, (unsigned)st->st_uid,
                     (unsigned)geteuid());
    return false;
}

static bool say_mode(struct wg_strbuf *why, const char *path, const struct stat *st) {
    wg_strbuf_printf(why, "others may write to %s (mode %03o; \"chmod go-w\" ends that)", path,
                     (unsigned)st->st_mode & 0777);
    return false;
}

/* What this user alone may change. */
static bool is_own(const char *path, const struct stat *st, struct wg_strbuf *why) {
    if (st->st_uid != geteuid()) return say_owner(why, path, st);
    return !(st->st_mode & OTHERS_WRITE) || say_mode(why, path, st);
}

/* Who owns /usr can change whatever is run here; where users have numbers of their own, as in containers,
 * that may be somebody else than 0. */
static bool is_system(uid_t user) {
    struct stat st;
    return user == 0 || (stat("/usr", &st) == 0 && st.st_uid == user);
}

/* A folder above: nobody else can rename what this user has in it. A user's group that has the user's number
 * has no other members: some systems let it write to all that is made. */
static bool is_safe_above(const char *path, const struct stat *st, struct wg_strbuf *why) {
    uid_t me = geteuid();
    if (st->st_uid != me && !is_system(st->st_uid)) return say_owner(why, path, st);
    mode_t others = st->st_mode & OTHERS_WRITE;
    if (!others || st->st_mode & S_ISVTX) return true;
    if (others == S_IWGRP && st->st_uid == me && st->st_gid == me) return true;
    return say_mode(why, path, st);
}

/* From the root on: when a folder's turn comes, nobody can change the way to it any more. */
static bool is_safe_way(char *path, struct wg_strbuf *why) {
    for (char *end = path + 1;; end++) {
        struct stat st;
        end += strcspn(end, "/");
        char after = *end;
        *end = 0;
        bool there = lstat(path, &st) == 0;
        if (there && !S_ISDIR(st.st_mode)) there = false, errno = ENOTDIR;
        bool good = there && (after ? is_safe_above(path, &st, why) : is_own(path, &st, why));
        *end = after;
        if (!good || !after) return good;
    }
}

bool wg_private_folder(const char *path, struct wg_strbuf *real, struct wg_strbuf *why) {
    char *way = realpath(path, NULL);
    struct stat root;
    bool good = way && stat("/", &root) == 0 && is_safe_above("/", &root, why) && is_safe_way(way, why);
    if (good) wg_strbuf_puts(real, way);
    int reason = errno;
    free(way);
    errno = reason;
    return good;
}

int wg_private_open(const char *path, size_t most, struct stat *st, struct wg_strbuf *why) {
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        if (errno == ELOOP) say(why, path, " is a link");
        return -1;
    }
    bool good = fstat(fd, st) == 0;
    if (good && !S_ISREG(st->st_mode)) good = say(why, path, " is no file");
    if (good) good = is_own(path, st, why);
    if (good && (size_t)st->st_size > most) good = say(why, path, " is too large");
    if (good) return fd;
    close(fd);
    return -1;
}

bool wg_private_write(const char *path, const void *bytes, size_t len, mode_t mode) {
    struct wg_strbuf tmp = {0};
    wg_strbuf_printf(&tmp, "%s.XXXXXX", path);
    int fd = mkostemp(tmp.s, O_CLOEXEC), why;
    bool good = fd >= 0;
    if (good) {
        good = fchmod(fd, mode) == 0 && wg_write_all(fd, bytes, len);
        why = errno;
        if (close(fd) != 0 && good)
            good = false;
        else
            errno = why;
        if (good) good = rename(tmp.s, path) == 0;
        why = errno;
        if (!good) unlink(tmp.s);
        errno = why;
    }
    wg_strbuf_free(&tmp);
    return good;
}
