/* See host_compiler.h. */
#include "cli/host_compiler.h"
#include "base/command.h"
#include "cli/say.h"

#include <string.h>
#include <sys/stat.h>

enum { ASKED_SECONDS = 10 };

static bool begins(const char *word, const char *with) { return !strncmp(word, with, strlen(with)); }

/* One word after the compiler's name; `next`: the one after it, or NULL. How many words it was. */
static size_t take_word(struct wg_job *job, const char *word, const char *next) {
    static const char *const headers[] = {"-I", "-D", "-U"}, *const libraries[] = {"-L", "-l", "-Wl,"};
    if (next && (!strcmp(word, "-isystem") || !strcmp(word, "-I") || !strcmp(word, "-idirafter"))) {
        wg_args_add(&job->common, word), wg_args_add(&job->common, next);
        return 2;
    }
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (begins(word, headers[i])) wg_args_add(&job->common, word);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (begins(word, libraries[i])) wg_args_add(&job->link, word);
    if (!strcmp(word, "-pthread")) wg_args_add(&job->host, word), wg_args_add(&job->link, word);
    return 1;
}

/* "g++ -I/usr/lib/openmpi/include -L/usr/lib/openmpi/lib -lmpi": what Open MPI, MPICH, Intel's MPI and MVAPICH answer.
 * A compiler knows no -show, and fails. */
static bool ask_wrapper(struct wg_job *job) {
    char *const question[] = {job->host_program.s, "-show", NULL};
    struct wg_strbuf said = {0}, compiler = {0};
    struct wg_args words = {0};
    if (wg_command_output(question, "", 0, ASKED_SECONDS, &said) && said.n)
        wg_args_add_words(&words, said.s, " \t\n");
    bool wraps = words.n > 1 && wg_command_find(words.v[0], &compiler);
    for (size_t i = 1; wraps && i < words.n;)
        i += take_word(job, words.v[i], i + 1 < words.n ? words.v[i + 1] : NULL);
    wg_args_free(&words);
    wg_strbuf_free(&compiler);
    wg_strbuf_free(&said);
    return wraps;
}

static bool find_program(const char *program, struct wg_strbuf *path) {
    struct wg_strbuf name = {0};
    struct stat st;
    bool folder = stat(program, &st) == 0 && S_ISDIR(st.st_mode);
    wg_strbuf_printf(&name, "%s%s", program, folder ? "/g++" : "");
    bool found = wg_command_find(name.s, path);
    if (!found) wg_say("-ccbin %s: there is no such compiler", name.s);
    wg_strbuf_free(&name);
    return found;
}

int wg_host_compiler_find(struct wg_job *job) {
    if (!job->host_compiler || job->tools.compiler == WG_COMPILER_NVCC) return 0;
    if (!find_program(job->host_compiler, &job->host_program)) return 2;
    bool cuda = false, wraps = ask_wrapper(job);
    for (uint32_t i = 0; i < job->sources.n; i++) cuda |= job->sources.v[i].language == WG_LANGUAGE_CUDA;
    if (cuda)
        wg_say("note: -ccbin %s: compiles C and C++ files; of CUDA source clang compiles host code, too%s",
               job->host_compiler, wraps ? ", with its include folders and libraries" : "");
    return 0;
}
