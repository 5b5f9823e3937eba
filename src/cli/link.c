/* Linking: see link.h. */
#include "cli/link.h"
#include "base/clock.h"
#include "base/command.h"
#include "cli/device_link.h"
#include "cli/executable.h"
#include "cli/layout.h"
#include "cli/libraries.h"
#include "cli/linker.h"
#include "cli/pass.h"
#include "cli/phases.h"
#include "cli/say.h"
#include "cli/toolkit.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool runtime_is_there(void) {
    struct wg_strbuf path = {0};
    wg_strbuf_printf(&path, "%s/libcudart.so.13", wg_layout_libraries());
    bool there = access(path.s, R_OK) == 0;
    if (!there) wg_say("%s is missing: Warpglass is not built or installed completely", path.s);
    wg_strbuf_free(&path);
    return there;
}

/* nvcc takes objects and libraries as they are, and the linker's options behind -Xlinker. */
static void nvcc_link_words(struct wg_args *a, const struct wg_args *words) {
    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->v[i];
        if (!strncmp(word, "-Wl,", 4)) {
            wg_args_add(a, "-Xlinker");
            wg_args_add(a, word + 4);
        } else {
            if (!strncmp(word, "-f", 2) || !strcmp(word, "-pthread")) wg_args_add(a, "-Xcompiler");
            if (strstr(word, ".so.")) wg_args_add(a, "-Xlinker"); /* no library to nvcc by its name */
            wg_args_add(a, word);
        }
    }
}

static void link_word(struct wg_args *a, enum wg_compiler compiler, const char *word) {
    if (compiler == WG_COMPILER_NVCC) wg_args_add(a, "-Xlinker");
    wg_args_addf(a, compiler == WG_COMPILER_NVCC ? "%s" : "-Wl,%s", word);
}

/* nvcc links device code without being told to, where an object has any that is to be linked. */
static bool links_device_code(const struct wg_job *job) {
    for (uint32_t i = 0; i < job->link.n; i++) {
        const char *word = job->link.v[i], *dot = strrchr(word, '.');
        if (dot && !strcmp(dot, ".o") && wg_object_has_linkable_device_code(word)) return true;
    }
    return false;
}

/* Warpglass's own, by its path. */
static void link_runtime(enum wg_compiler compiler, struct wg_args *a) {
    const char *libraries = wg_layout_libraries();
    struct wg_strbuf word = {0};
    wg_args_addf(a, "-L%s", libraries); /* -lcublas */
    wg_strbuf_printf(&word, "-rpath,%s", libraries);
    link_word(a, compiler, word.s);
    /* What our libraries need is there; looking for it in all of LLVM takes the linker half a second. */
    link_word(a, compiler, "--allow-shlib-undefined");
    if (compiler == WG_COMPILER_NVCC) wg_args_add(a, "-Xlinker");
    wg_args_addf(a, "%s/libcudart.so.13", libraries);
    /* The compiler names its own libraries next, and the linker takes half of its time for the symbols of
     * those of them that no one needs. */
    link_word(a, compiler, "--as-needed");
    wg_strbuf_free(&word);
}

/* As nvcc does it, and as those who ask it how do by themselves. */
static void link_toolkit(const struct wg_job *job, struct wg_args *a) {
    wg_toolkit_library_folders(job->toolkit, a);
    if (!strcmp(job->cudart, "none")) return;
    wg_args_add(a, "-lcudadevrt");
    wg_args_add(a, !strcmp(job->cudart, "static") ? "-lcudart_static" : "-lcudart");
    wg_args_add_list(a, "-lrt,-lpthread,-ldl");
}

/* Files of libraries that are needed for their device code alone. */
static void ask_for_device_code(const struct wg_job *job, struct wg_args *a) {
    struct wg_args names = {0};
    wg_device_link_look(&job->link, &names);
    for (size_t i = 0; i < names.n; i++) wg_args_addf(a, "-Wl,-u,%s", names.v[i]);
    wg_args_free(&names);
}

/* GCC's OpenMP library, as makefiles name it for nvcc, beside code of clang's: its functions would not know clang's threads.
 * Clang's has GCC's entry points, too, for objects that g++ compiled. */
static void link_clang_words(const struct wg_job *job, struct wg_args *a) {
    char clang[PATH_MAX] = "";
    struct wg_strbuf library = {0};
    char *bin = realpath(job->tools.path.s, clang) ? strrchr(clang, '/') : NULL;
    if (bin) *bin = 0;
    wg_strbuf_printf(&library, "%s/../lib/libomp.so", clang);
    bool replaces = bin && access(library.s, F_OK) == 0;
    for (size_t i = 0; i < job->link.n; i++)
        wg_args_add(a, replaces && !strcmp(job->link.v[i], "-lgomp") ? "-fopenmp" : job->link.v[i]);
    wg_strbuf_free(&library);
}

int wg_link_program(struct wg_job *job, const char *scratch, const char *output) {
    enum wg_compiler compiler = job->tools.compiler;
    struct wg_strbuf said = {0};
    if (!runtime_is_there()) return 1;
    struct wg_pass p = {0};
    wg_args_add(&p.a, job->tools.path.s);
    wg_strbuf_printf(&p.messages, "%s/link.messages", scratch);
    if (job->shared) wg_args_add(&p.a, "-shared");
    if (compiler == WG_COMPILER_NVCC) {
        job->device_link = job->device_link || links_device_code(job);
        /* Its own runtime is linked only where nvcc would otherwise not link device code; ours has its name.
         */
        wg_args_add(&p.a, "-cudart");
        wg_args_add(&p.a, job->device_link ? "shared" : "none");
        if (job->device_link) {
            wg_args_add(&p.a, "-rdc=true");
            wg_args_addf(&p.a, "-arch=%s", job->arch);
        }
        nvcc_link_words(&p.a, &job->link);
    } else {
        ask_for_device_code(job, &p.a);
        link_clang_words(job, &p.a);
    }
#ifdef WG_LINK_SANITIZER
    wg_args_add_words(&p.a, WG_LINK_SANITIZER, " "); /* this build's libraries expect it of the program */
#endif
    if (job->toolkit)
        link_toolkit(job, &p.a);
    else
        link_runtime(compiler, &p.a);
    wg_args_add(&p.a, "-o");
    wg_args_add(&p.a, output);
    /* Should the linker refuse, it is for the compiler to say why. */
    struct wg_process process = {0};
    /* By a build system, or a person: how nvcc would link. */
    bool asked = (job->toolkit && wg_say_is_verbose()) || wg_process_is_only_shown();
    uint64_t begin = wg_now_ns();
    bool linked = compiler == WG_COMPILER_CLANG && !asked && wg_linker_run(&p.a, scratch, p.messages.s);
    if (linked) wg_phases_add(NULL, "link", &p.a, begin);
    int status = linked ? wg_pass_report(&p, &process, 0, &said, NULL) : wg_pass_run(&p, &said, NULL);
    if (status) wg_libraries_linked(&job->link, said.s ? said.s : "");
    wg_pass_end(&p);
    wg_strbuf_free(&said);
    return status;
}

/* An object that asks the linker for `names`; with none there is nothing in it. */
static int make_references(struct wg_job *job, const struct wg_args *names, const char *scratch,
                           const char *output) {
    struct wg_strbuf said = {0}, text = {0}, source = {0};
    struct wg_pass p = {0};
    for (size_t i = 0; i < names->n; i++)
        wg_strbuf_printf(&text, "extern const char %s[];\n%s const void *const wg_linked_%zu = %s;\n",
                         names->v[i], "static __attribute__((used, section(\".data.rel.ro.warpglass\")))", i,
                         names->v[i]);
    wg_strbuf_printf(&source, "%s/references.c", scratch);
    int status = 1;
    if (wg_process_is_only_shown() || wg_file_write(source.s, text.s ? text.s : "", text.n)) {
        wg_args_add(&p.a, job->tools.path.s);
        wg_strbuf_printf(&p.messages, "%s/link.messages", scratch);
        wg_args_add_list(&p.a, "-x,c,-fPIC,-c");
        wg_args_add(&p.a, source.s);
        wg_args_add(&p.a, "-o");
        wg_args_add(&p.a, output);
        status = wg_pass_run(&p, &said, NULL);
        wg_pass_end(&p);
    } else {
        wg_say("cannot write %s: %s", source.s, strerror(errno));
    }
    wg_strbuf_free(&said);
    wg_strbuf_free(&text);
    wg_strbuf_free(&source);
    return status;
}

int wg_link_device_code(struct wg_job *job, const char *scratch, const char *output) {
    struct wg_args names = {0};
    wg_device_link_look(&job->link, &names);
    int status = make_references(job, &names, scratch, output);
    wg_args_free(&names);
    return status;
}

int wg_link_archive(struct wg_job *job, const char *output) {
    struct wg_strbuf ar = {0};
    struct wg_args a = {0};
    struct stat st;
    int status = 1;
    if (job->archiver ? !wg_command_find(job->archiver, &ar)
                      : !wg_command_find("ar", &ar) && !wg_command_find("llvm-ar-19", &ar)) {
        if (job->archiver)
            wg_say("-arbin %s: program not found", job->archiver);
        else
            wg_say("-lib: no ar in PATH to make the library with; the package binutils has it");
        return 1;
    }
    wg_args_add(&a, ar.s);
    wg_args_add(&a, "qcs");
    wg_args_append(&a, &job->archive);
    wg_args_add(&a, output);
    wg_args_append(&a, &job->objects);
    wg_process_show_step((char *[]){"rm", "-f", (char *)output, NULL}, NULL);
    bool there = !wg_process_is_only_shown() && stat(output, &st) == 0 && S_ISREG(st.st_mode);
    if (there && unlink(output) != 0) {
        wg_say("cannot write %s: %s", output, strerror(errno));
    } else {
        struct wg_process process = {.argv = a.v};
        status = wg_process_run(&process);
    }
    wg_args_free(&a);
    wg_strbuf_free(&ar);
    return status;
}
