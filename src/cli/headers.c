/* See headers.h. */
#include "cli/headers.h"
#include "base/cache_dir.h"
#include "base/hash.h"
#include "cli/layout.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    KEEP_AT_MOST = 32,
    MEGABYTES_AT_MOST = 256,
    MARKS_AT_MOST = 512
}; /* headers of some 6 MB each; marks */
#define SEAL ".seal" /* what the header's bytes hash to */

/* How the header is made. Templates that it uses become code's syntax trees here, once: clang otherwise
 * leaves that to each program which is given the header, where it is two thirds of a small program's
 * compilation. */
static const char making[] =
    "-fsyntax-only,-w,-fpch-instantiate-templates,-Xclang,-emit-pch,-Xclang,-o,-Xclang";

/* What the program includes before everything else would come behind the header. */
static bool includes_first(const struct wg_args *words) {
    for (size_t i = 0; i < words->n; i++)
        if (!strncmp(words->v[i], "-include", 8) || !strncmp(words->v[i], "-imacros", 8)) return true;
    return false;
}

/* The folder that a word names to look into, or the word behind it does; NULL: it names none. */
static const char *folder_named(const char *word, const char *next) {
    static const char *const options[] = {"-I", "-isystem", "-idirafter", "-iquote", "-i"};
    for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
        size_t n = strlen(options[o]);
        if (!strncmp(word, options[o], n)) return word[n] || !next ? word + n : next;
    }
    return NULL;
}

/* A folder that is named from where we are has other headers elsewhere. */
static bool looks_from_here(const struct wg_args *words) {
    for (size_t i = 0; i < words->n; i++) {
        const char *folder = folder_named(words->v[i], i + 1 < words->n ? words->v[i + 1] : NULL);
        if (folder && *folder != '/') return true;
    }
    return false;
}

static void make_key(const struct wg_args *words, char out[33]) {
    struct wg_hash h = WG_HASH_INIT;
    struct stat st;
    char folder[4096];
    wg_hash_str(&h, making);
    for (size_t i = 0; i < words->n; i++) wg_hash_str(&h, words->v[i]);
    if (looks_from_here(words)) wg_hash_str(&h, getcwd(folder, sizeof folder) ? folder : "");
    if (stat(words->v[0], &st) == 0) {
        wg_hash_add(&h, &st.st_size, sizeof st.st_size);
        wg_hash_add(&h, &st.st_mtim, sizeof st.st_mtim);
    }
    wg_hash_hex(&h, out);
}

static bool make(const struct wg_args *words, const char *path) {
    struct wg_strbuf messages = {0}, made = {0};
    struct wg_args a = {0};
    const char *scratch = wg_layout_scratch();
    if (!scratch) return false;
    wg_strbuf_printf(&messages, "%s/headers.messages", scratch);
    wg_strbuf_printf(&made, "%s.%ld", path, (long)getpid()); /* several may make it at the same time */
    wg_args_append(&a, words);
    wg_args_add_list(&a, making);
    wg_args_add(&a, made.s);
    wg_args_addf(&a, "%s/include/warpglass/first.h", wg_layout_libraries());
    struct wg_process p = {.argv = a.v, .stderr_path = messages.s};
    bool good = wg_process_run(&p) == 0 && rename(made.s, path) == 0;
    if (!good) unlink(made.s);
    wg_args_free(&a);
    wg_strbuf_free(&messages);
    wg_strbuf_free(&made);
    return good;
}

static bool seal_of(const char *path, char seal[33]) {
    struct wg_strbuf bytes = {0};
    struct wg_hash h = WG_HASH_INIT;
    bool read = wg_cache_read(path, &bytes);
    wg_hash_str(&h, strrchr(path, '/'));
    if (read) wg_hash_add(&h, bytes.s, bytes.n);
    wg_hash_hex(&h, seal);
    wg_strbuf_free(&bytes);
    return read;
}

static bool seal(const char *path) {
    struct wg_strbuf to = {0};
    char digits[33];
    wg_strbuf_printf(&to, "%s" SEAL, path);
    bool sealed = seal_of(path, digits) && wg_cache_write(to.s, digits, 32, 0600);
    wg_strbuf_free(&to);
    return sealed;
}

/* It is there, and as it was made: clang does not look whether it is. */
static bool is_whole(const char *path) {
    struct wg_strbuf from = {0}, was = {0};
    char now[33];
    wg_strbuf_printf(&from, "%s" SEAL, path);
    bool whole = wg_cache_read(from.s, &was) && was.n == 32 && seal_of(path, now) && !memcmp(was.s, now, 32);
    wg_strbuf_free(&from);
    wg_strbuf_free(&was);
    return whole;
}

bool wg_headers_look(const struct wg_args *words, struct wg_strbuf *path) {
    struct wg_strbuf folder = {0}, once = {0}, mark = {0};
    char key[33];
    if (includes_first(words) || !wg_cache_folder("headers", &folder)) return false;
    make_key(words, key);
    bool marks = wg_cache_folder("headers/once", &once); /* an empty file for each list of words that came */
    wg_strbuf_printf(&mark, "%s/%s", marks ? once.s : folder.s, key);
    wg_strbuf_printf(path, "%s/%s", folder.s, key);
    bool there = is_whole(path->s);
    if (!there && access(mark.s, F_OK) == 0) {
        there = make(words, path->s) && seal(path->s);
        wg_cache_trim(folder.s, KEEP_AT_MOST, MEGABYTES_AT_MOST * 1000000ull);
    } else if (!there && marks) {
        wg_cache_write(mark.s, "", 0, 0600);
        wg_cache_trim(once.s, MARKS_AT_MOST, 1000000);
    }
    if (!there) wg_strbuf_free(path);
    wg_strbuf_free(&folder);
    wg_strbuf_free(&once);
    wg_strbuf_free(&mark);
    return there;
}

void wg_headers_drop(const char *path) { unlink(path); }
