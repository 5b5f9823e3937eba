/* See linker.h. */
#include "cli/linker.h"
#include "base/cache_dir.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEEP_AT_MOST = 128, MEGABYTES_AT_MOST = 8 };
/* How a word that is kept begins when it stands for another: the object of that number, or the program. */
enum { OBJECT = '\1', PROGRAM = '\2' };

/* What a word names that is another in each call; 0: neither. */
static char hole(const struct wg_args *words, size_t i) {
    const char *word = words->v[i];
    size_t n = strlen(word);
    if (i && !strcmp(words->v[i - 1], "-o")) return PROGRAM;
    return i && *word != '-' && n > 2 && !strcmp(word + n - 2, ".o") ? OBJECT : 0;
}

/* The object of that number, or the program; NULL: there are not as many. */
static const char *fills(const struct wg_args *words, char what, unsigned long number) {
    for (size_t i = 0; i < words->n; i++)
        if (hole(words, i) == what && number-- == 0) return words->v[i];
    return NULL;
}

/* Words that name folders in which clang looks for its parts, or files with more words: what comes of them
 * may change from one call to the next. */
static bool for_clang_alone(const struct wg_args *words) {
    static const char *const beginnings[] = {"@", "-B", "--sysroot", "--gcc-", "--config", "-specs"};
    for (size_t i = 1; i < words->n; i++)
        for (size_t b = 0; b < sizeof beginnings / sizeof *beginnings; b++)
            if (!strncmp(words->v[i], beginnings[b], strlen(beginnings[b]))) return true;
    return false;
}

/* CACHE/linkers/KEY, or none where it cannot be written to; false without a cache. All that clang's answer
 * depends on, but for the C library's place. */
static bool kept_path(const struct wg_args *words, struct wg_strbuf *folder, struct wg_strbuf *path) {
    static const char *const variables[] = {"LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX", "PATH",
                                            "CCC_OVERRIDE_OPTIONS"};
    struct wg_hash h = WG_HASH_INIT;
    struct stat st;
    char key[33];
    if (!wg_cache_name() || stat(words->v[0], &st) != 0) return false;
    bool kept = wg_cache_folder("linkers", folder);
    if (!kept && wg_cache_is_refused()) return false;
    wg_hash_add(&h, &st.st_size, sizeof st.st_size);
    wg_hash_add(&h, &st.st_mtim, sizeof st.st_mtim);
    for (size_t i = 0; i < words->n; i++)
        wg_hash_str(&h, hole(words, i) ? (char[]){hole(words, i), 0} : words->v[i]);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        wg_hash_str(&h, value ? value : "");
    }
    wg_hash_hex(&h, key);
    if (kept) wg_strbuf_printf(path, "%s/%s", folder->s, key);
    return true;
}

/* ---- What is kept: the words, each with a NUL behind it. No words: clang has to link. */

/* gcc's folder of one version lies beside those of others, of which clang takes the newest: it is asked again
 * when there is another. `asked`: when it was. */
static bool another_gcc(const char *word, const struct timespec *asked) {
    const char *begin = strstr(word, "/crtbegin");
    struct wg_strbuf versions = {0};
    struct stat st;
    if (!begin) return false;
    wg_strbuf_add(&versions, word, (size_t)(begin - word));
    wg_strbuf_puts(&versions, "/..");
    bool changed = stat(word, &st) != 0 || stat(versions.s, &st) != 0 || st.st_mtim.tv_sec >= asked->tv_sec;
    wg_strbuf_free(&versions);
    return changed;
}

/* The kept words; false when there are none, or they are damaged or of before the last change of gcc. */
static bool read_kept(const char *path, struct wg_strbuf *kept) {
    struct stat st;
    bool good = lstat(path, &st) == 0 && wg_cache_read_sealed(path, kept);
    for (const char *word = kept->s; good && word < kept->s + kept->n; word += strlen(word) + 1)
        good = !another_gcc(word, &st.st_mtim);
    if (!good) wg_strbuf_free(kept);
    return good;
}

/* The kept words with this call's objects and program. */
static bool fill_in(const struct wg_strbuf *kept, const struct wg_args *words, struct wg_args *line) {
    for (const char *word = kept->s; word && word < kept->s + kept->n; word += strlen(word) + 1) {
        bool filled = *word == OBJECT || *word == PROGRAM;
        const char *given = filled ? fills(words, *word, strtoul(word + 1, NULL, 10)) : word;
        if (!given) return false;
        wg_args_add(line, given);
    }
    return line->n > 0;
}

/* ---- Asking clang ---------------------------------------------------------------------------------------
 */

/* The words of a line of clang's: each in quotes, with a backslash before what would end them. NULL at its
 * end. */
static const char *quoted_word(const char *at, struct wg_strbuf *word) {
    at += strspn(at, " ");
    if (*at++ != '"') return NULL;
    for (; *at && *at != '"' && *at != '\n'; at++) {
        if (*at == '\\' && at[1]) at++;
        wg_strbuf_add(word, at, 1);
    }
    return *at == '"' ? at + 1 : NULL;
}

/* One word of the linker's line, as it is kept: a hole for the next of what stands in holes. */
static void keep_word(const char *word, const struct wg_args *words, unsigned *objects, unsigned *programs,
                      struct wg_strbuf *kept) {
    const char *object = fills(words, OBJECT, *objects), *program = fills(words, PROGRAM, *programs);
    if (object && !strcmp(word, object))
        wg_strbuf_printf(kept, "%c%u", OBJECT, (*objects)++);
    else if (program && !strcmp(word, program))
        wg_strbuf_printf(kept, "%c%u", PROGRAM, (*programs)++);
    else
        wg_strbuf_puts(kept, word);
    wg_strbuf_add(kept, "", 1);
}

/* Keeps nothing of an answer that has more than one command, or not all that clang was given. */
static void keep_line(const char *answer, const struct wg_args *words, struct wg_strbuf *kept) {
    const char *at = strstr(answer, "\n \"");
    unsigned objects = 0, programs = 0;
    if (!at++ || strstr(at, "\n \"") || strstr(answer, "error:") || strstr(answer, "warning:")) return;
    do {
        struct wg_strbuf word = {0};
        at = quoted_word(at, &word);
        if (at) keep_word(word.s ? word.s : "", words, &objects, &programs, kept);
        wg_strbuf_free(&word);
    } while (at);
    if (fills(words, OBJECT, objects) || programs != 1) wg_strbuf_free(kept);
}

static bool ask(const struct wg_args *words, const char *scratch, struct wg_strbuf *kept) {
    struct wg_strbuf path = {0}, answer = {0};
    struct wg_args a = {0};
    wg_strbuf_printf(&path, "%s/linker.answer", scratch);
    wg_args_append(&a, words);
    wg_args_add(&a, "-###");
    struct wg_process p = {.argv = a.v, .stderr_path = path.s};
    bool good = wg_process_run(&p) == 0 && wg_file_read(path.s, &answer) && answer.s;
    if (good) keep_line(answer.s, words, kept);
    wg_args_free(&a);
    wg_strbuf_free(&path);
    wg_strbuf_free(&answer);
    return good;
}

/* The line for `words`, kept or asked for; `path`: where it is kept. */
static bool look(const struct wg_args *words, const char *scratch, struct wg_strbuf *path,
                 struct wg_args *line) {
    struct wg_strbuf folder = {0}, kept = {0};
    if (for_clang_alone(words) || !kept_path(words, &folder, path)) return false;
    if (!(path->s && read_kept(path->s, &kept)) && ask(words, scratch, &kept) && path->s) {
        wg_cache_write_sealed(path->s, kept.s ? kept.s : "", kept.n);
        wg_cache_trim(folder.s, KEEP_AT_MOST, MEGABYTES_AT_MOST * 1000000ull);
    }
    bool found = fill_in(&kept, words, line);
    wg_strbuf_free(&folder);
    wg_strbuf_free(&kept);
    return found;
}

bool wg_linker_run(const struct wg_args *words, const char *scratch, const char *messages) {
    struct wg_strbuf path = {0};
    struct wg_args line = {0};
    bool linked = false;
    if (look(words, scratch, &path, &line)) {
        struct wg_process p = {.argv = line.v, .stderr_path = messages};
        linked = wg_process_run(&p) == 0;
        if (!linked && path.s) unlink(path.s); /* for clang to be asked again */
    }
    wg_args_free(&line);
    wg_strbuf_free(&path);
    return linked;
}
