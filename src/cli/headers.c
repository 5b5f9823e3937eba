/* See headers.h. */
#include "cli/headers.h"
#include "base/cache_dir.h"
#include "base/hash.h"
#include "cli/header_names.h"
#include "cli/layout.h"
#include "cli/make_rule.h"

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
#define SEAL  ".seal"  /* what the header's bytes hash to */
#define NAMES ".names" /* the names in the files that it was made from */

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

const char *wg_headers_folder(const char *word, const char *next) {
    static const char *const options[] = {"-I",      "-isystem",  "-idirafter",
                                          "-iquote", "-isysroot", "-iwithprefix"};
    for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
        size_t n = strlen(options[o]);
        if (!strncmp(word, options[o], n)) return word[n] || !next ? word + n : next;
    }
    return NULL;
}

/* ---- What concerns headers ---------------------------------------------------------------------------------
 */

static bool is_optimised(const char *level) {
    return !level[0] || (level[0] >= '1' && level[0] <= '3' && !level[1]);
}

/* The last word about optimising, behind its "-O"; NULL: there is none. */
static const char *level_of(const struct wg_args *words) {
    const char *level = NULL;
    for (size_t i = 0; i < words->n; i++)
        if (!strncmp(words->v[i], "-O", 2)) level = words->v[i] + 2;
    return level;
}

static bool has_word(const struct wg_args *words, const char *word) {
    for (size_t i = 0; i < words->n; i++)
        if (!strcmp(words->v[i], word)) return true;
    return false;
}

/* Warnings, of which headers of the system give none, and debug information, which is made of the whole. */
static bool is_about_the_rest(const char *word) {
    static const char *const debug[] = {"", "0", "1", "2", "3", "gdb", "dwarf-4", "dwarf-5"};
    if (!strncmp(word, "-W", 2) || !strcmp(word, "-w")) return strncmp(word, "-Wp,", 4) != 0;
    for (size_t i = 0; i < sizeof debug / sizeof *debug; i++)
        if (!strncmp(word, "-g", 2) && !strcmp(word + 2, debug[i])) return true;
    return false;
}

/* Of the words of a compilation those that concern headers, so that one header serves many programs: `general`; and
 * those about macros, which may: `macros`. Of optimisation headers see only whether there is any; the host has
 * no GPU. */
static void split(const struct wg_args *words, struct wg_args *general, struct wg_args *macros) {
    const char *level = level_of(words);
    bool optimised = level && is_optimised(level), host = has_word(words, "--cuda-host-only");
    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->v[i];
        bool macro = (!strncmp(word, "-D", 2) || !strncmp(word, "-U", 2)) && word[2];
        if (is_about_the_rest(word)) continue;
        if ((optimised && !strncmp(word, "-O", 2)) || (host && !strncmp(word, "--cuda-gpu-arch=", 16)))
            continue;
        if (!strcmp(word, "-mllvm") && i + 1 < words->n)
            i++;
        else
            wg_args_add(macro ? macros : general, word);
    }
    if (optimised) wg_args_add(general, "-O2");
}

/* A folder that is named from where we are has other headers elsewhere. */
static bool looks_from_here(const struct wg_args *words) {
    for (size_t i = 0; i < words->n; i++) {
        const char *folder = wg_headers_folder(words->v[i], i + 1 < words->n ? words->v[i + 1] : NULL);
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

/* Keeps the names in the files that a rule in `rule` names; without them programs with macros of their own
 * have headers of their own, too. */
static void keep_names(const char *rule, const char *path) {
    struct wg_strbuf text = {0}, names = {0}, to = {0};
    struct wg_args files = {0};
    if (wg_file_read(rule, &text) && text.s) wg_make_rule_read(text.s, &files);
    wg_strbuf_printf(&to, "%s" NAMES, path);
    if (files.n && wg_header_names(&files, &names)) wg_cache_write_sealed(to.s, names.s, names.n);
    wg_args_free(&files);
    wg_strbuf_free(&text);
    wg_strbuf_free(&names);
    wg_strbuf_free(&to);
}

static bool make(const struct wg_args *words, const char *path) {
    struct wg_strbuf messages = {0}, made = {0}, rule = {0};
    struct wg_args a = {0};
    const char *scratch = wg_layout_scratch();
    if (!scratch) return false;
    wg_strbuf_printf(&messages, "%s/headers.messages", scratch);
    wg_strbuf_printf(&rule, "%s/headers.d", scratch);
    wg_strbuf_printf(&made, "%s.%ld", path, (long)getpid()); /* several may make it at the same time */
    wg_args_append(&a, words);
    wg_args_add_list(&a, making);
    wg_args_add(&a, made.s);
    wg_args_add_list(&a, "-MD,-MF");
    wg_args_add(&a, rule.s);
    wg_args_addf(&a, "%s/include/warpglass/first.h", wg_layout_libraries());
    struct wg_process p = {.argv = a.v, .stderr_path = messages.s};
    bool good = wg_process_run(&p) == 0 && rename(made.s, path) == 0;
    if (good)
        keep_names(rule.s, path);
    else
        unlink(made.s);
    wg_args_free(&a);
    wg_strbuf_free(&messages);
    wg_strbuf_free(&made);
    wg_strbuf_free(&rule);
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

/* The header that `words` alone make, if they came before. */
static bool look(const struct wg_args *words, struct wg_strbuf *path) {
    struct wg_strbuf folder = {0}, once = {0}, mark = {0};
    char key[33];
    if (!wg_cache_folder("headers", &folder)) return false;
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

/* Whether one of the macros is a name in the header's files, or may be. */
static bool is_known_there(const struct wg_args *macros, const char *path) {
    struct wg_strbuf from = {0}, names = {0};
    wg_strbuf_printf(&from, "%s" NAMES, path);
    bool known = macros->n && !wg_cache_read_sealed(from.s, &names);
    for (size_t i = 0; i < macros->n && !known; i++) known = wg_header_names_macro(&names, macros->v[i]);
    wg_strbuf_free(&from);
    wg_strbuf_free(&names);
    return known;
}

bool wg_headers_look(const struct wg_args *words, struct wg_strbuf *path) {
    struct wg_args general = {0}, macros = {0};
    if (includes_first(words)) return false;
    split(words, &general, &macros);
    bool there = look(&general, path);
    if (there && is_known_there(&macros, path->s)) {
        wg_strbuf_free(path);
        wg_args_append(&general, &macros);
        there = look(&general, path);
    }
    wg_args_free(&general);
    wg_args_free(&macros);
    return there;
}

void wg_headers_drop(const char *path) { unlink(path); }
