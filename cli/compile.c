/* The compilers' command lines: see compile.h. */
#include "cli/compile.h"
#include "base/command.h"
#include "cli/dialect.h"
#include "cli/executable.h"
#include "cli/headers.h"
#include "cli/layout.h"
#include "cli/libraries.h"
#include "cli/linker.h"
#include "cli/local_memory.h"
#include "cli/shared_pointers.h"
#include "cli/make_rule.h"
#include "cli/refused.h"
#include "cli/relocatable.h"
#include "cli/say.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One compilation: words, those first that concern the language, and where its by-products go. */
struct pass {
    struct wg_args a;
    struct wg_strbuf messages, dependencies; /* files */
    bool user_only;                          /* the system's headers are no dependencies */
};

/* `name`: of the pass, with the source's number, so that no list of dependencies is overwritten. */
static struct pass pass_begin(const struct wg_job *job, const struct wg_source *s, const char *scratch,
                              const char *name) {
    struct pass p = {.user_only = job->rule.user_only};
    unsigned number = (unsigned)(s - job->sources.v);
    wg_args_add(&p.a, job->tools.path.s);
    wg_strbuf_printf(&p.messages, "%s/%s.messages", scratch, name);
    wg_strbuf_printf(&p.dependencies, "%s/%s%u.d", scratch, name, number);
    return p;
}

static void dependency_words(struct pass *p) {
    wg_args_add(&p->a, p->user_only ? "-MMD" : "-MD");
    wg_args_add(&p->a, "-MF");
    wg_args_add(&p->a, p->dependencies.s);
}

static void pass_end(struct pass *p) {
    wg_args_free(&p->a);
    wg_strbuf_free(&p->messages);
    wg_strbuf_free(&p->dependencies);
}

/* ---- Messages -------------------------------------------------------------------------------------------
 */

/* Both passes over a file warn about what they both see. Prints those diagnostics of `text` that `said` has
 * not: a diagnostic is the lines from one with "warning: " or "error: " in it, or from "In file included", to
 * the next. */
static void print_new_messages(const char *text, const char *said) {
    bool printed = false;
    while (*text) {
        const char *end = text;
        do {
            end += strcspn(end, "\n");
            if (*end) end++;
            size_t line = strcspn(end, "\n");
            if (memmem(end, line, "warning: ", 9) || memmem(end, line, "error: ", 7)) break;
            if (!strncmp(end, "In file included", 16) || memmem(end, line, " generated when compiling", 25))
                break;
        } while (*end);
        struct wg_strbuf one = {0};
        wg_strbuf_add(&one, text, (size_t)(end - text));
        bool count = strstr(one.s, " generated when compiling") != NULL; /* "2 warnings generated ..." */
        if (count ? printed : !strstr(said, one.s)) {
            fputs(one.s, stderr);
            printed = true;
        }
        wg_strbuf_free(&one);
        text = end;
    }
}

/* Starts a pass and waits for it. */
static int pass_start(struct pass *p, struct wg_process *process) {
    if (isatty(STDERR_FILENO) && !strstr(p->a.v[0], "nvcc")) wg_args_add(&p->a, "-fcolor-diagnostics");
    *process = (struct wg_process){.argv = p->a.v, .stderr_path = p->messages.s};
    return wg_process_run(process);
}

/* Shows what a pass said and how it ended; `said` holds what earlier passes over the same file said. */
static int pass_report(struct pass *p, const struct wg_process *process, int status, struct wg_strbuf *said,
                       struct wg_strbuf *dependencies) {
    struct wg_strbuf text = {0};
    bool spoke = wg_file_read(p->messages.s, &text) && text.n;
    if (spoke) {
        print_new_messages(text.s, said->s ? said->s : "");
        if (status) wg_libraries_explain(text.s);
        wg_strbuf_puts(said, text.s);
    }
    wg_strbuf_free(&text);
    int sig = wg_process_ending_signal();
    if (sig) return WG_STATUS_SIGNAL + sig;
    if (process->start_error)
        wg_say("%s: %s", p->a.v[0], strerror(process->start_error));
    else if (process->signal)
        wg_say("%s was ended by signal %d", p->a.v[0], process->signal);
    else if (status && !spoke)
        wg_say("%s ended with status %d and no message. Is there room in %s (TMPDIR)?", p->a.v[0], status,
               wg_layout_scratch());
    if (status == 0 && dependencies) {
        wg_strbuf_puts(dependencies, p->dependencies.s);
        wg_strbuf_add(dependencies, "", 1);
    }
    return status;
}

static int pass_run(struct pass *p, struct wg_strbuf *said, struct wg_strbuf *dependencies) {
    struct wg_process process;
    int status = pass_start(p, &process);
    return pass_report(p, &process, status, said, dependencies);
}

/* The pass's last words are the source and where its product goes; what it says goes to the terminal. */
static int pass_source(struct pass *p, const struct wg_source *s, struct wg_strbuf *dependencies) {
    struct wg_strbuf said = {0};
    wg_args_add(&p->a, s->path);
    if (s->object) wg_args_add(&p->a, "-o"), wg_args_add(&p->a, s->object);
    int status = pass_run(p, &said, dependencies);
    pass_end(p);
    wg_strbuf_free(&said);
    return status;
}

/* ---- clang ----------------------------------------------------------------------------------------------
 */

/* CUDA is compiled as clang does it for CUDA 12.3, but without a toolkit: the headers are Warpglass's, and
 * like nvcc every file begins with cuda_runtime.h (clang_run). */
static void cuda_words(const struct wg_job *job, struct wg_args *a) {
    static const char *const words[] = {
        "-x",
        "cuda",
        "--cuda-path=/nonexistent",
        "-nocudainc",
        "-nocudalib",
        "-Wno-unknown-cuda-version",
        "-Wno-register", /* C++17 has no such word any more; nvcc and gcc take it all the same */
        "-Xclang",
        "-target-sdk-version=12.3",
        "-Xclang",
        "-fcuda-allow-variadic-functions"}; /* as nvcc: overloads that end a choice */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) wg_args_add(a, words[i]);
    wg_args_addf(a, "--cuda-gpu-arch=%s", job->arch);
    if (job->device_link) wg_args_add(a, "-D__CUDACC_RDC__");
}

static void own_headers(struct wg_args *a) {
    wg_args_add(a, "-isystem");
    wg_args_addf(a, "%s/include", wg_layout_libraries());
    /* <warpglass/warpglass.h>; behind the system's, since this may be /usr/include itself. */
    wg_args_add(a, "-idirafter");
    wg_args_addf(a, "%s/../../include", wg_layout_libraries());
}

/* The host object carries the text as bytes of no length: a zero byte says where it ends. */
static int terminate_text(const char *path) {
    FILE *f = fopen(path, "ab");
    bool good = f && fputc(0, f) == 0;
    if (f && fclose(f)) good = false;
    if (good) return 0;
    fprintf(stderr, "warpglass: cannot write %s: %s\n", path, strerror(errno));
    return 1;
}

/* The first n of `words`, then `more`, then `rest`. */
static int start_plainly(struct pass *p, const struct wg_args *words, size_t n, const struct wg_args *rest,
                         const struct wg_args *more, struct wg_process *process) {
    wg_args_free(&p->a);
    for (size_t i = 0; i < n; i++) wg_args_add(&p->a, words->v[i]);
    wg_args_append(&p->a, more);
    dependency_words(p);
    wg_args_append(&p->a, rest);
    return pass_start(p, process);
}

/* A pass whose words so far concern the language alone: those of `rest` are about files. Every file of CUDA
 * begins with cuda_runtime.h, read before if it can be; should clang stumble, it is for the plain way to say
 * why. */
static int clang_run(struct pass *p, const struct wg_args *rest, bool cuda, struct wg_strbuf *said,
                     struct wg_strbuf *dependencies) {
    struct pass plain = {.messages = p->messages, .dependencies = p->dependencies, .user_only = p->user_only};
    struct wg_strbuf parsed = {0};
    struct wg_args more = {0};
    struct wg_process process;
    int status = 1;
    size_t n = p->a.n;
    bool quick = cuda && wg_headers_look(&p->a, &parsed);
    if (quick) {
        /* Our headers and the library's are "system headers", whose changes clang would not look for. */
        wg_args_add_list(&p->a, "-Xclang,-fmodules-validate-system-headers,-Xclang,-include-pch,-Xclang");
        wg_args_add(&p->a, parsed.s);
        dependency_words(p);
        wg_args_append(&p->a, rest);
        status = pass_start(p, &process);
        if (!status) status = pass_report(p, &process, status, said, dependencies);
    }
    if (status && !wg_process_ending_signal()) {
        if (cuda) wg_args_add_list(&more, "-include,cuda_runtime.h");
        status = start_plainly(&plain, &p->a, n, rest, &more, &process);
        bool as_it_is = !status;
        while (status && cuda && !wg_process_ending_signal() && wg_refused_words(plain.messages.s, &more))
            status = start_plainly(&plain, &p->a, n, rest, &more, &process);
        status = pass_report(&plain, &process, status, said, dependencies);
        if (quick && as_it_is) wg_headers_drop(parsed.s); /* it was the headers that were kept */
    }
    wg_args_free(&plain.a);
    wg_args_free(&more);
    wg_strbuf_free(&parsed);
    return status;
}

/* A folder with a cuda_runtime.h of its own is a CUDA toolkit's: it is looked into after Warpglass's headers,
 * which have the same names. */
static void user_words(struct wg_args *a, const struct wg_args *words) {
    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->v[i];
        struct wg_strbuf header = {0};
        wg_strbuf_printf(&header, "%s/cuda_runtime.h", word + (strncmp(word, "-I", 2) ? 0 : 2));
        if (!strncmp(word, "-I", 2) && access(header.s, R_OK) == 0) {
            wg_args_add(a, "-idirafter");
            wg_args_add(a, word + 2);
        } else {
            wg_args_add(a, word);
        }
        wg_strbuf_free(&header);
    }
}

/* `words`: how this pass differs from clang's usual one, with commas between; may be empty. */
static int clang_device_pass(struct wg_job *job, const struct wg_source *s, const char *scratch,
                             const char *ptx, const char *words, struct wg_strbuf *said,
                             struct wg_strbuf *dependencies) {
    struct pass p = pass_begin(job, s, scratch, "device");
    struct wg_args rest = {0};
    cuda_words(job, &p.a);
    wg_args_add(&p.a, "--cuda-device-only");
    /* Without a toolkit clang takes the oldest PTX that knows the machine, and refuses what is newer. */
    wg_args_add_list(&p.a, "-Xclang,-target-feature,-Xclang,+ptx85");
    /* One lane sets a value and all of them hand it to a shuffle: in C++ the others must not even pass it on,
     * and clang would make all of them set it. CUDA programs do, and nvcc lets them. */
    wg_args_add_list(&p.a, "-Xclang,-no-enable-noundef-analysis");
    wg_args_add(&p.a, "-O3");
    /* A kernel's malloc gives NULL when the heap is used up, and programs ask: clang would take every one of
     * those that is only asked and freed for a success. */
    wg_args_add(&p.a, "-fno-builtin-malloc");
    wg_dialect_words(p.a.v[0], &p.a);
    wg_args_add(&p.a, "-Wno-pass-failed"); /* loops that #pragma unroll asks too much of, in CUB for one */
    if (*words) wg_args_add_list(&p.a, words);
    user_words(&p.a, &job->common);
    wg_args_append(&p.a, &job->cxx);
    wg_args_append(&p.a, &job->device);
    own_headers(&p.a);
    wg_args_add(&rest, "-S");
    /* Lines, and which code was inlined where: clang's own -gline-tables-only leaves the second out. */
    wg_args_add_list(&rest, "-Xclang,-debug-info-kind=line-tables-only,-Xclang,-dwarf-version=2");
    wg_args_add(&rest, "-fdebug-compilation-dir=."); /* faults name files as the user did */
    wg_args_add(&rest, s->path);
    wg_args_add(&rest, "-o");
    wg_args_add(&rest, ptx);
    int status = clang_run(&p, &rest, true, said, dependencies);
    wg_args_free(&rest);
    pass_end(&p);
    return status;
}

/* Loops of a known number of turns become that many copies up to a greater size than clang's own. */
#define UNROLLED "-mllvm,-unroll-threshold=3000"
/* An array that is given its values where it is declared gets each by a store: clang does so where what is
 * given none is filled with a pattern, too. */
#define STORED "-ftrivial-auto-var-init=pattern"

/* Arrays of a thread's own are registers where every index is known while compiling: nvcc unrolls loops over
 * them for that, clang only short ones. What is left in memory and read is tried again, and kept if less is
 * left. */
static int clang_device(struct wg_job *job, const struct wg_source *s, const char *scratch, const char *ptx,
                        struct wg_strbuf *said, struct wg_strbuf *dependencies) {
    struct wg_strbuf again = {0}, text = {0};
    int status = clang_device_pass(job, s, scratch, ptx, "", said, dependencies);
    bool stored = !status && wg_shared_pointers(ptx);
    if (stored) status = clang_device_pass(job, s, scratch, ptx, STORED, said, NULL);
    uint64_t left = status ? 0 : wg_local_memory(ptx);
    wg_strbuf_printf(&again, "%s/unrolled.ptx", scratch);
    if (left &&
        !clang_device_pass(job, s, scratch, again.s, stored ? UNROLLED "," STORED : UNROLLED, said, NULL) &&
        wg_local_memory(again.s) < left && wg_file_read(again.s, &text) &&
        !wg_file_write(ptx, text.s, text.n)) {
        wg_say("cannot write %s: %s", ptx, strerror(errno));
        status = 1;
    }
    wg_strbuf_free(&again);
    wg_strbuf_free(&text);
    return status;
}

static void host_words(const struct wg_job *job, const struct wg_source *s, struct wg_args *a) {
    if (s->language == WG_LANGUAGE_CUDA) {
        cuda_words(job, a);
        wg_args_add(a, "--cuda-host-only");
        /* What device code has, files share on the host, too. Device code itself needs no such word: a static
         * variable would get two names of it (clang 19). */
        if (job->device_link) wg_args_add(a, "-fgpu-rdc");
    } else {
        wg_args_add(a, "-x");
        wg_args_add(a, s->language == WG_LANGUAGE_C ? "c" : "c++");
        wg_args_add(a, "-Wno-register");
    }
    /* Old C, which gcc 12 warns of: what has no type is int, what is called without a declaration a function.
     */
    if (s->language == WG_LANGUAGE_C)
        wg_args_add_list(a, "-Wno-error=implicit-int,-Wno-error=implicit-function-declaration,"
                            "-Wno-error=int-conversion");
    wg_args_add(a, "-fPIC");
    wg_args_add(a, "-O2");
    wg_dialect_host_words(a);
    user_words(a, &job->common);
    wg_args_append(a, s->language == WG_LANGUAGE_C ? &job->c : &job->cxx);
    wg_args_append(a, &job->host);
    own_headers(a);
}

static int clang_preprocess(struct wg_job *job, const struct wg_source *s, const char *scratch,
                            struct wg_strbuf *dependencies) {
    struct pass p = pass_begin(job, s, scratch, "text");
    host_words(job, s, &p.a);
    if (s->language == WG_LANGUAGE_CUDA) wg_args_add_list(&p.a, "-include,cuda_runtime.h");
    dependency_words(&p);
    wg_args_add(&p.a, "-E");
    return pass_source(&p, s, dependencies);
}

static int clang_host(struct wg_job *job, const struct wg_source *s, const char *scratch, const char *ptx,
                      struct wg_strbuf *said, struct wg_strbuf *dependencies) {
    struct pass p = pass_begin(job, s, scratch, "host");
    struct wg_args rest = {0};
    bool cuda = s->language == WG_LANGUAGE_CUDA;
    host_words(job, s, &p.a);
    if (cuda) {
        wg_args_add_list(&rest, "-Xclang,-fcuda-include-gpubinary,-Xclang");
        wg_args_add(&rest, ptx);
    }
    wg_args_add(&rest, "-c");
    wg_args_add(&rest, s->path);
    wg_args_add(&rest, "-o");
    wg_args_add(&rest, s->object);
    int status = clang_run(&p, &rest, cuda, said, dependencies);
    if (!status && cuda && job->device_link && !wg_relocatable_finish(s->object)) {
        wg_say("-rdc=true: %s cannot be made relocatable: it is not an ELF object (is -flto in use?)",
               s->object);
        status = 1;
    }
    wg_args_free(&rest);
    pass_end(&p);
    return status;
}

static int clang_compile(struct wg_job *job, const struct wg_source *s, const char *scratch,
                         struct wg_strbuf *dependencies) {
    struct wg_strbuf said = {0}, ptx = {0};
    int status = 0;
    wg_strbuf_printf(&ptx, "%s/device.ptx", scratch);
    if (s->language == WG_LANGUAGE_CUDA) status = clang_device(job, s, scratch, ptx.s, &said, dependencies);
    if (!status && s->language == WG_LANGUAGE_CUDA) status = terminate_text(ptx.s);
    if (!status) status = clang_host(job, s, scratch, ptx.s, &said, dependencies);
    wg_strbuf_free(&ptx);
    wg_strbuf_free(&said);
    return status;
}

/* ---- nvcc -----------------------------------------------------------------------------------------------
 */

/* nvcc hands on to the host compiler only what stands behind -Xcompiler; these it takes as they are. */
static bool nvcc_knows(const char *word) {
    return !strncmp(word, "-O", 2) || !strcmp(word, "-g") || !strncmp(word, "-I", 2) ||
           !strncmp(word, "-D", 2) || !strncmp(word, "-U", 2) || !strncmp(word, "-std", 4) ||
           !strcmp(word, "-w");
}

static void nvcc_words(struct wg_args *a, const struct wg_args *words) {
    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->v[i];
        if (!strncmp(word, "-fsanitize-coverage=", 20)) continue; /* clang alone has what is asked for */
        bool pair = !strcmp(word, "-isystem") || !strcmp(word, "-include");
        if (!pair && !nvcc_knows(word)) wg_args_add(a, "-Xcompiler");
        wg_args_add(a, word);
        if (pair) wg_args_add(a, words->v[++i]);
    }
}

/* PTX alone: machine code for a GPU would be made for nothing. But nvcc's device linker takes the PTX of
 * objects only beside their machine code. */
static void nvcc_arch(const struct wg_job *job, struct wg_args *a) {
    if (job->device_link) {
        wg_args_addf(a, "-arch=%s", job->arch);
        return;
    }
    wg_args_add(a, "-gencode");
    wg_args_addf(a, "arch=compute_%s,code=compute_%s", job->arch + 3, job->arch + 3);
}

static int nvcc_compile(struct wg_job *job, const struct wg_source *s, const char *scratch,
                        struct wg_strbuf *dependencies) {
    struct pass p = pass_begin(job, s, scratch, "nvcc");
    dependency_words(&p);
    wg_args_add(&p.a, job->product == WG_PRODUCT_TEXT ? "-E" : "-c");
    wg_args_add(&p.a, "-x");
    wg_args_add(&p.a, s->language == WG_LANGUAGE_CUDA ? "cu" : s->language == WG_LANGUAGE_C ? "c" : "c++");
    nvcc_arch(job, &p.a);
    wg_args_add(&p.a, "-lineinfo");
    wg_args_add(&p.a, "-Xcompiler");
    wg_args_add(&p.a, "-fPIC");
    nvcc_words(&p.a, &job->common);
    nvcc_words(&p.a, s->language == WG_LANGUAGE_C ? &job->c : &job->cxx);
    nvcc_words(&p.a, &job->host);
    wg_args_append(&p.a, &job->nvcc);
    return pass_source(&p, s, dependencies);
}

static int nvcc_ptx(struct wg_job *job, const struct wg_source *s, const char *scratch, const char *ptx,
                    struct wg_strbuf *said, struct wg_strbuf *dependencies) {
    struct pass p = pass_begin(job, s, scratch, "nvcc_ptx");
    dependency_words(&p);
    wg_args_add(&p.a, "-ptx");
    wg_args_add(&p.a, "-x");
    wg_args_add(&p.a, "cu");
    wg_args_addf(&p.a, "-arch=compute_%s", job->arch + 3);
    wg_args_add(&p.a, "-lineinfo");
    nvcc_words(&p.a, &job->common);
    nvcc_words(&p.a, &job->cxx);
    wg_args_append(&p.a, &job->nvcc);
    wg_args_add(&p.a, s->path);
    wg_args_add(&p.a, "-o");
    wg_args_add(&p.a, ptx);
    int status = pass_run(&p, said, dependencies);
    pass_end(&p);
    return status;
}

int wg_compile_ptx(struct wg_job *job, const struct wg_source *s, const char *scratch, const char *ptx,
                   struct wg_strbuf *dependencies) {
    struct wg_strbuf said = {0};
    bool clang = job->tools.compiler == WG_COMPILER_CLANG;
    int status = clang ? clang_device(job, s, scratch, ptx, &said, dependencies)
                       : nvcc_ptx(job, s, scratch, ptx, &said, dependencies);
    wg_strbuf_free(&said);
    return status;
}

/* ---- Linking --------------------------------------------------------------------------------------------
 */

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

static int link_program(struct wg_job *job, const char *scratch, const char *output) {
    const char *libraries = wg_layout_libraries();
    enum wg_compiler compiler = job->tools.compiler;
    struct wg_strbuf said = {0}, word = {0};
    if (!runtime_is_there()) return 1;
    struct pass p = {0};
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
            nvcc_arch(job, &p.a);
        }
        nvcc_link_words(&p.a, &job->link);
    } else {
        wg_args_append(&p.a, &job->link);
    }
#ifdef WG_LINK_SANITIZER
    wg_args_add_words(&p.a, WG_LINK_SANITIZER, " "); /* this build's libraries expect it of the program */
#endif
    wg_strbuf_printf(&word, "-rpath,%s", libraries);
    link_word(&p.a, compiler, word.s);
    /* What our libraries need is there; looking for it in all of LLVM takes the linker half a second. */
    link_word(&p.a, compiler, "--allow-shlib-undefined");
    wg_strbuf_free(&word);
    wg_strbuf_printf(&word, "%s/libcudart.so.13", libraries);
    if (compiler == WG_COMPILER_NVCC) wg_args_add(&p.a, "-Xlinker");
    wg_args_add(&p.a, word.s);
    /* The compiler names its own libraries next, and the linker takes half of its time for the symbols of
     * those of them that no one needs. */
    link_word(&p.a, compiler, "--as-needed");
    wg_strbuf_free(&word);
    wg_args_add(&p.a, "-o");
    wg_args_add(&p.a, output);
    /* Should the linker refuse, it is for the compiler to say why. */
    struct wg_process process = {0};
    bool linked = compiler == WG_COMPILER_CLANG && wg_linker_run(&p.a, scratch, p.messages.s);
    int status = linked ? pass_report(&p, &process, 0, &said, NULL) : pass_run(&p, &said, NULL);
    pass_end(&p);
    wg_strbuf_free(&said);
    return status;
}

/* A library of objects, made anew. */
static int archive(struct wg_job *job, const char *output) {
    struct wg_strbuf ar = {0};
    struct wg_args a = {0};
    struct stat st;
    int status = 1;
    if (!wg_command_find("ar", &ar) && !wg_command_find("llvm-ar-19", &ar)) {
        wg_say("-lib: there is no ar in PATH to make the library with; it is in the package binutils");
        return 1;
    }
    wg_args_add(&a, ar.s);
    wg_args_add(&a, "qcs");
    wg_args_add(&a, output);
    wg_args_append(&a, &job->objects);
    if (stat(output, &st) == 0 && S_ISREG(st.st_mode) && unlink(output) != 0) {
        wg_say("cannot write %s: %s", output, strerror(errno));
    } else {
        struct wg_process process = {.argv = a.v};
        status = wg_process_run(&process);
    }
    wg_args_free(&a);
    wg_strbuf_free(&ar);
    return status;
}

static int compile_one(struct wg_job *job, const struct wg_source *s, const char *scratch,
                       struct wg_strbuf *dependencies) {
    if (job->product == WG_PRODUCT_PTX) return wg_compile_ptx(job, s, scratch, s->object, dependencies);
    if (job->tools.compiler != WG_COMPILER_CLANG) return nvcc_compile(job, s, scratch, dependencies);
    if (job->product == WG_PRODUCT_TEXT) return clang_preprocess(job, s, scratch, dependencies);
    return clang_compile(job, s, scratch, dependencies);
}

int wg_compile(struct wg_job *job, const char *scratch, const char *output, struct wg_strbuf *dependencies) {
    int status = 0;
    for (uint32_t i = 0; i < job->sources.n && !status; i++) {
        const struct wg_source *s = &job->sources.v[i];
        struct wg_strbuf own = {0}, *lists = job->rule.wanted ? &own : dependencies;
        status = compile_one(job, s, scratch, lists);
        if (!status && job->rule.wanted) status = wg_make_rule_write(job, s, &own);
        wg_strbuf_free(&own);
    }
    if (status) return status;
    if (job->product == WG_PRODUCT_LIBRARY) return archive(job, output);
    return job->product == WG_PRODUCT_PROGRAM ? link_program(job, scratch, output) : 0;
}
