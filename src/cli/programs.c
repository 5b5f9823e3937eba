/* Compiled programs, kept: see programs.h. */
#include "cli/programs.h"
#include "base/cache_dir.h"
#include "base/hash.h"
#include "cli/dialect.h"
#include "cli/layout.h"
#include "cli/say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEEP_AT_MOST = 256, MEGABYTES_AT_MOST = 512 };
#define LIST ".files"
static const char first_line[] = "warpglass program 2\n";

/* ---- The key --------------------------------------------------------------------------------------------
 */

static void hash_words(struct wg_hash *h, const struct wg_args *a, const char *without) {
    for (size_t i = 0; i < a->n; i++)
        if (!without || strncmp(a->v[i], without, strlen(without)) != 0) wg_hash_str(h, a->v[i]);
    wg_hash_str(h, "");
}

static void hash_stamp(struct wg_hash *h, const char *path) {
    struct stat st;
    wg_hash_str(h, path);
    if (stat(path, &st) != 0) return;
    wg_hash_add(h, &st.st_size, sizeof st.st_size);
    wg_hash_add(h, &st.st_mtim, sizeof st.st_mtim);
}

void wg_programs_key(const struct wg_job *job, const char *scratch, struct wg_program_key *key) {
    /* What changes how clang, gcc and ld look for files. */
    static const char *const heard[] = {"CPATH",        "C_INCLUDE_PATH",    "CPLUS_INCLUDE_PATH",
                                        "LIBRARY_PATH", "NVCC_APPEND_FLAGS", "NVCC_PREPEND_FLAGS"};
    struct wg_hash h = WG_HASH_INIT;
    char folder[4096];
    wg_hash_str(&h, WG_VERSION);
    hash_stamp(&h, wg_layout_self()); /* another build may compile otherwise */
    struct wg_strbuf passes = wg_dialect_passes();
    hash_stamp(&h, passes.s);
    wg_strbuf_free(&passes);
    wg_hash_str(&h, wg_layout_libraries());
    wg_hash_str(&h, getcwd(folder, sizeof folder) ? folder : "");
    hash_stamp(&h, job->tools.path.s);
    if (job->host_program.n) hash_stamp(&h, job->host_program.s);
    wg_hash_str(&h, job->arch);
    for (uint32_t i = 0; i < job->sources.n; i++) {
        wg_hash_str(&h, job->sources.v[i].path);
        wg_hash_add(&h, &job->sources.v[i].language, sizeof job->sources.v[i].language);
    }
    const struct wg_args *lists[] = {&job->common, &job->cxx, &job->c, &job->device, &job->host, &job->nvcc};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) hash_words(&h, lists[i], NULL);
    hash_words(&h, &job->link, scratch);
    for (size_t i = 0; i < sizeof heard / sizeof *heard; i++) {
        const char *value = getenv(heard[i]);
        wg_hash_str(&h, value ? value : "");
    }
    wg_hash_hex(&h, key->name);
}

/* CACHE/programs/KEY and an ending. NULL s when there is no cache. */
static struct wg_strbuf file_of(const struct wg_program_key *key, const char *ending) {
    struct wg_strbuf path = {0};
    if (wg_cache_folder("programs", &path)) wg_strbuf_printf(&path, "/%s%s", key->name, ending);
    return path;
}

/* ---- The list of files ----------------------------------------------------------------------------------
 */

/* The kept program itself, which nobody else may have written. */
static bool hash_program(const char *path, char out[33]) {
    struct wg_strbuf bytes = {0};
    bool ok = wg_cache_read(path, &bytes);
    struct wg_hash h = WG_HASH_INIT;
    if (ok) wg_hash_add(&h, bytes.s, bytes.n);
    wg_hash_hex(&h, out);
    wg_strbuf_free(&bytes);
    return ok;
}

static bool hash_file(const char *path, char out[33]) {
    struct wg_strbuf text = {0};
    struct stat st;
    bool ok = stat(path, &st) == 0 && S_ISREG(st.st_mode) && wg_file_read(path, &text);
    struct wg_hash h = WG_HASH_INIT;
    if (ok) wg_hash_add(&h, text.s, text.n);
    wg_hash_hex(&h, out);
    wg_strbuf_free(&text);
    return ok;
}

/* One line of the list: 32 digits, a blank, the path. */
static bool line_holds(const char *line, size_t n, const char *program) {
    char now[33];
    if (n < 34 || line[32] != ' ') return false;
    struct wg_strbuf path = {0};
    wg_strbuf_add(&path, line + 33, n - 33);
    bool is_program = !strcmp(path.s, program);
    bool same = (is_program ? hash_program(program, now) : hash_file(path.s, now)) && !memcmp(now, line, 32);
    if (!same) wg_say_verbose("cache: %s has changed", path.s);
    wg_strbuf_free(&path);
    return same;
}

bool wg_programs_look(const struct wg_program_key *key, struct wg_strbuf *path) {
    struct wg_strbuf list = file_of(key, LIST), text = {0};
    *path = file_of(key, "");
    bool good = list.s && wg_cache_read_sealed(list.s, &text) && text.n > sizeof first_line &&
                !strncmp(text.s, first_line, sizeof first_line - 1) && text.s[text.n - 1] == '\n';
    const char *line = good ? text.s + sizeof first_line - 1 : "";
    bool program = false;
    for (; good && *line; line += strcspn(line, "\n") + 1) {
        size_t n = strcspn(line, "\n");
        good = line_holds(line, n, path->s);
        if (n > 33 && strlen(path->s) == n - 33 && !strncmp(line + 33, path->s, n - 33)) program = true;
    }
    good = good && program && access(path->s, X_OK) == 0;
    if (good) {
        wg_say_verbose("cache: %s", path->s);
    } else {
        wg_strbuf_free(path);
    }
    wg_strbuf_free(&list);
    wg_strbuf_free(&text);
    return good;
}

struct files {
    WG_VEC(char *) names;
};

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Every file behind the colon of a make rule: "x.o: a.cu my\ header.h \". */
static void add_rule(struct files *f, const char *text) {
    const char *at = strstr(text, ": ");
    struct wg_strbuf name = {0};
    for (at = at ? at + 2 : ""; *at; at++) {
        bool escaped = (*at == '\\' && at[1] && strchr(" #\\:", at[1])) || (*at == '$' && at[1] == '$');
        if (escaped)
            at++;
        else if (*at == '\\' && at[1] == '\n')
            continue;
        if (escaped || !strchr(" \n\t", *at))
            wg_strbuf_add(&name, at, 1);
        else if (name.n) {
            *WG_PUSH(&f->names) = name.s;
            name = (struct wg_strbuf){0};
        }
    }
    wg_strbuf_free(&name);
}

/* Objects and libraries that lie in files the user named or in folders of -L; the system's own are believed.
 */
static void add_linked(struct files *f, const struct wg_args *link) {
    struct stat st;
    for (size_t i = 0; i < link->n; i++) {
        const char *word = link->v[i];
        if (*word != '-' && stat(word, &st) == 0) *WG_PUSH(&f->names) = wg_xstrdup(word);
        for (size_t j = 0; !strncmp(word, "-l", 2) && j < link->n; j++) {
            for (int shared = 0; !strncmp(link->v[j], "-L", 2) && shared < 2; shared++) {
                struct wg_strbuf path = {0};
                wg_strbuf_printf(&path, "%s/lib%s.%s", link->v[j] + 2, word + 2, shared ? "so" : "a");
                if (stat(path.s, &st) == 0)
                    *WG_PUSH(&f->names) = path.s;
                else
                    wg_strbuf_free(&path);
            }
        }
    }
}

static void write_list(struct files *f, const char *scratch, struct wg_strbuf *out) {
    char hash[33];
    size_t n = strlen(scratch);
    wg_strbuf_puts(out, first_line);
    if (f->names.n) qsort(f->names.v, f->names.n, sizeof *f->names.v, by_name);
    for (uint32_t i = 0; i < f->names.n; i++) {
        const char *name = f->names.v[i];
        bool again = i && !strcmp(name, f->names.v[i - 1]), ours = !strncmp(name, scratch, n);
        if (!again && !ours && hash_file(name, hash)) wg_strbuf_printf(out, "%s %s\n", hash, name);
    }
}

/* ---- Keeping --------------------------------------------------------------------------------------------
 */

/* Copies the program into the cache, its list last: without a list there is no program. */
static bool store(const struct wg_program_key *key, const char *program, struct wg_strbuf *list) {
    struct wg_strbuf to = file_of(key, ""), to_list = {0}, bytes = {0};
    char hash[33];
    bool ok = to.s != NULL;
    if (ok) {
        wg_strbuf_printf(&to_list, "%s" LIST, to.s);
        unlink(to_list.s);
        ok = wg_file_read(program, &bytes) && wg_cache_write(to.s, bytes.s, bytes.n, 0700) &&
             hash_program(to.s, hash);
    }
    if (ok) {
        wg_strbuf_printf(list, "%s %s\n", hash, to.s);
        ok = wg_cache_write_sealed(to_list.s, list->s, list->n);
    }
    int why = errno;
    wg_strbuf_free(&to), wg_strbuf_free(&to_list), wg_strbuf_free(&bytes);
    errno = why;
    return ok;
}

void wg_programs_keep(const struct wg_program_key *key, const struct wg_job *job, const char *program,
                      const struct wg_strbuf *dependencies) {
    const char *scratch = wg_layout_scratch();
    struct wg_strbuf folder = {0}, list = {0};
    struct files f = {0};
    if (!wg_cache_name() || wg_cache_is_refused() || !scratch) return;
    for (const char *rule = dependencies->s; rule && *rule; rule += strlen(rule) + 1) {
        struct wg_strbuf text = {0};
        if (wg_file_read(rule, &text)) add_rule(&f, text.s);
        wg_strbuf_free(&text);
    }
    add_linked(&f, &job->link);
    write_list(&f, scratch, &list);
    if (store(key, program, &list) && wg_cache_folder("programs", &folder))
        wg_cache_trim(folder.s, KEEP_AT_MOST, MEGABYTES_AT_MOST * 1000000ull);
    else if (errno && !wg_cache_is_refused())
        wg_say("note: cannot write to the cache %s (%s): the program will be compiled again next time",
               wg_cache_name(), strerror(errno));
    for (uint32_t i = 0; i < f.names.n; i++) free(f.names.v[i]);
    free(f.names.v);
    wg_strbuf_free(&folder);
    wg_strbuf_free(&list);
}
