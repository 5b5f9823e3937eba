/* The compilers' command lines: see compile.h. */
#include "cli/compile.h"
#include "base/command.h"
#include "base/fat_binary.h"
#include "base/progress.h"
#include "cli/dialect.h"
#include "cli/headers.h"
#include "cli/layout.h"
#include "cli/link.h"
#include "cli/local_memory.h"
#include "cli/shared_pointers.h"
#include "cli/make_rule.h"
#include "cli/pass.h"
#include "cli/refused.h"
#include "cli/relocatable.h"
#include "cli/resource_usage.h"
#include "cli/say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- clang ----------------------------------------------------------------------------------------------
 */

/* What clang refuses, and nvcc and gcc take, most with a warning: `register` in C++17, {n} where n is wider than what
 * it initialises, "%"PRId64 without a space, and x.template f(y). */
static void lenient_words(struct wg_args *a) {
    wg_args_add_list(a, "-Wno-register,-Wno-error=c++11-narrowing,-Wno-error=reserved-user-defined-literal,"
                        "-Wno-error=missing-template-arg-list-after-template-kw,-Wno-invalid-constexpr");
}

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
        "-Xclang",
        "-target-sdk-version=12.3",
        "-Xclang",
        "-fcuda-allow-variadic-functions"}; /* as nvcc: overloads that end a choice */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) wg_args_add(a, words[i]);
    lenient_words(a);
    wg_args_addf(a, "--cuda-gpu-arch=%s", job->arch);
    wg_args_addf(a, "-D__CUDA_ARCH_LIST__=%d0", atoi(job->arch + 3));
    if (job->device_link) wg_args_add(a, "-D__CUDACC_RDC__");
    if (job->toolkit) wg_args_add(a, "-D__NVCC__");
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
    if (wg_process_is_only_shown()) {
        wg_process_show_step((char *[]){"printf", "\\0", NULL}, path);
        return 0;
    }
    FILE *f = fopen(path, "ab");
    bool good = f && fputc(0, f) == 0;
    if (f && fclose(f)) good = false;
    if (good) return 0;
    fprintf(stderr, "warpglass: cannot write %s: %s\n", path, strerror(errno));
    return 1;
}

/* --keep */
static int keep_text(const struct wg_job *job, const struct wg_source *s, const char *ptx) {
    struct wg_strbuf path = {0}, text = {0};
    wg_job_kept_name(job, s, &path);
    wg_process_show_step((char *[]){"cp", (char *)ptx, path.s, NULL}, NULL);
    bool good =
        wg_process_is_only_shown() || (wg_file_read(ptx, &text) && wg_file_write(path.s, text.s, text.n));
    if (!good) wg_say("--keep: cannot write %s: %s", path.s, strerror(errno));
    wg_strbuf_free(&path);
    wg_strbuf_free(&text);
    return good ? 0 : 1;
}

/* The first n of `words`, then `more`, then `rest`. */
static int start_plainly(struct wg_pass *p, const struct wg_args *words, size_t n, const struct wg_args *rest,
                         const struct wg_args *more, struct wg_process *process) {
    wg_args_free(&p->a);
    for (size_t i = 0; i < n; i++) wg_args_add(&p->a, words->v[i]);
    wg_args_append(&p->a, more);
    wg_pass_dependency_words(p);
    wg_args_append(&p->a, rest);
    return wg_pass_start(p, process);
}

/* A pass whose words so far concern the language alone: those of `rest` are about files. Every file of CUDA
 * begins with cuda_runtime.h, read before if it can be; should clang stumble, it is for the plain way to say
 * why. `common`: the words of all passes. */
static int clang_run(struct wg_pass *p, const struct wg_args *rest, bool cuda, struct wg_args *common,
                     struct wg_strbuf *said, struct wg_strbuf *dependencies) {
    struct wg_pass plain = {.messages = p->messages,
                            .dependencies = p->dependencies,
                            .user_only = p->user_only,
                            .name = p->name,
                            .source = p->source};
    struct wg_strbuf parsed = {0};
    struct wg_args more = {0};
    struct wg_process process;
    int status = 1;
    size_t n = p->a.n;
    bool quick = cuda && !wg_process_is_only_shown() && wg_headers_look(&p->a, &parsed);
    if (quick) {
        /* Our headers and the library's are "system headers", whose changes clang would not look for. */
        wg_args_add_list(&p->a, "-Xclang,-fmodules-validate-system-headers,-Xclang,-include-pch,-Xclang");
        wg_args_add(&p->a, parsed.s);
        wg_pass_dependency_words(p);
        wg_args_append(&p->a, rest);
        status = wg_pass_start(p, &process);
        if (!status) status = wg_pass_report(p, &process, status, said, dependencies);
    }
    if (status && !wg_process_ending_signal()) {
        if (cuda) wg_args_add_list(&more, "-include,cuda_runtime.h");
        status = start_plainly(&plain, &p->a, n, rest, &more, &process);
        bool as_it_is = !status;
        while (status && cuda && !wg_process_ending_signal() &&
               wg_refused_words(plain.messages.s, plain.dependencies.s, &plain.a, &more))
            status = start_plainly(&plain, &p->a, n, rest, &more, &process);
        for (size_t i = 0; i < more.n; i++)
            if (!strcmp(more.v[i], WG_AS_NVCC)) wg_args_add(common, more.v[i]);
        status = wg_pass_report(&plain, &process, status, said, dependencies);
        if (quick && as_it_is) wg_headers_drop(parsed.s); /* it was the headers that were kept */
    }
    wg_args_free(&plain.a);
    wg_args_free(&more);
    wg_strbuf_free(&parsed);
    return status;
}

static bool is_toolkit(const char *folder) {
    struct wg_strbuf header = {0};
    wg_strbuf_printf(&header, "%s/cuda_runtime.h", folder);
    bool found = access(header.s, R_OK) == 0;
    wg_strbuf_free(&header);
    return found;
}

/* A folder with a cuda_runtime.h of its own is a CUDA toolkit's: it is looked into after Warpglass's headers,
 * which have the same names. */
static void user_words(struct wg_args *a, const struct wg_args *words) {
    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->v[i];
        const char *next = i + 1 < words->n ? words->v[i + 1] : NULL;
        const char *folder = wg_headers_folder(word, next);
        bool pair = folder && folder == next, later = folder && is_toolkit(folder);
        wg_args_add(a, later ? "-idirafter" : word);
        if (later || pair) wg_args_add(a, folder);
        if (pair) i++;
    }
}

/* -fdevice-time-trace: nvcc's file is JSON and ends in that, whatever it is called. */
static void add_trace(struct wg_args *a, const char *name) {
    const char *end = strrchr(name, '.');
    wg_args_add(a, "-Xclang");
    wg_args_addf(a, "-ftime-trace=%s%s", name, end && !strcmp(end, ".json") ? "" : ".json");
}

/* -fdevice-syntax-only: a module without code, in place of what is only checked. */
static int write_nothing(const struct wg_job *job, const char *ptx) {
    struct wg_strbuf text = {0};
    wg_strbuf_printf(&text, ".version 8.5\n.target %s\n.address_size 64\n", job->arch);
    bool good = wg_process_is_only_shown() || wg_file_write(ptx, text.s, text.n);
    if (!good) wg_say("cannot write %s: %s", ptx, strerror(errno));
    wg_strbuf_free(&text);
    return good ? 0 : 1;
}

/* `words`: how this pass differs from clang's usual one, with commas between; may be empty. */
static int clang_device_pass(struct wg_job *job, const struct wg_source *s, const char *scratch,
                             const char *ptx, const char *words, struct wg_strbuf *said,
                             struct wg_strbuf *dependencies) {
    struct wg_pass p = wg_pass_begin(job, s, scratch, "device");
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
    wg_args_add(&rest, job->syntax_only ? "-fsyntax-only" : "-S");
    if (job->trace) add_trace(&rest, job->trace);
    /* Lines, and which code was inlined where: clang's own -gline-tables-only leaves the second out. */
    wg_args_add_list(&rest, "-Xclang,-debug-info-kind=line-tables-only,-Xclang,-dwarf-version=2");
    wg_args_add(&rest, "-fdebug-compilation-dir=."); /* faults name files as the user did */
    wg_args_add(&rest, s->path);
    wg_args_add(&rest, "-o");
    wg_args_add(&rest, ptx);
    int status = clang_run(&p, &rest, true, &job->common, said, dependencies);
    wg_args_free(&rest);
    wg_pass_end(&p);
    return status;
}

/* Loops of a known number of turns become that many copies up to a greater size than clang's own. */
#define UNROLLED "-mllvm,-unroll-threshold=3000"
/* An array that is given its values where it is declared gets each by a store: clang does so where what is
 * given none is filled with a pattern, too. */
#define STORED "-ftrivial-auto-var-init=pattern"

/* clang says of a module with lines that it is for a debugger: ptxas would leave products and sums apart (docs/contraction.md).
 * nvcc says so with -G alone. */
static int target_no_debugger(const char *ptx) {
    static const char word[] = ", debug";
    struct wg_strbuf text = {0};
    bool good = wg_process_is_only_shown() || (wg_file_read(ptx, &text) && text.n);
    char *line = text.n ? strstr(text.s, "\n.target ") : NULL;
    char *at = line ? memmem(line, 1 + strcspn(line + 1, "\n"), word, sizeof word - 1) : NULL;
    if (at) {
        memmove(at, at + sizeof word - 1, strlen(at + sizeof word - 1) + 1);
        good = wg_file_write(ptx, text.s, text.n - (sizeof word - 1));
    }
    if (!good) wg_say("cannot write %s: %s", ptx, strerror(errno));
    wg_strbuf_free(&text);
    return good ? 0 : 1;
}

/* Arrays of a thread's own are registers where every index is known while compiling: nvcc unrolls loops over
 * them for that, clang only short ones. What is left in memory and read is tried again, and kept if less is
 * left. */
static int clang_device(struct wg_job *job, const struct wg_source *s, const char *scratch, const char *ptx,
                        struct wg_strbuf *said, struct wg_strbuf *dependencies) {
    struct wg_strbuf again = {0}, text = {0};
    int status = clang_device_pass(job, s, scratch, ptx, "", said, dependencies);
    if (job->syntax_only) return status ? status : write_nothing(job, ptx);
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
    return status ? status : target_no_debugger(ptx);
}

static bool names_a_cpu(const struct wg_args *words) {
    for (size_t i = 0; i < words->n; i++)
        if (!strncmp(words->v[i], "-march=", 7) || !strcmp(words->v[i], "-mfma")) return true;
    return false;
}

static void host_words(const struct wg_job *job, const struct wg_source *s, struct wg_args *a) {
    if (s->language == WG_LANGUAGE_CUDA) {
        cuda_words(job, a);
        wg_args_add(a, "--cuda-host-only");
        if (job->per_thread) wg_args_add_list(a, "-Xclang,-fgpu-default-stream=per-thread");
        /* What device code has, files share on the host, too. Device code itself needs no such word: a static
         * variable would get two names of it (clang 19). */
        if (job->device_link) wg_args_add(a, "-fgpu-rdc");
    } else {
        wg_args_add(a, "-x");
        wg_args_add(a, s->language == WG_LANGUAGE_C ? "c" : "c++");
        lenient_words(a);
    }
    /* Old C, which gcc 12 warns of: what has no type is int, what is called without a declaration a function.
     */
    if (s->language == WG_LANGUAGE_C)
        wg_args_add_list(a, "-Wno-error=implicit-int,-Wno-error=implicit-function-declaration,"
                            "-Wno-error=int-conversion");
    wg_args_add(a, "-fPIC");
    wg_args_add(a, "-O2");
    /* clang computes a * b + c of constants with one rounding, gcc with two unless the CPU has such an instruction. */
    if (!names_a_cpu(&job->common) && !names_a_cpu(&job->host)) wg_args_add(a, "-ffp-contract=off");
    wg_dialect_host_words(a);
    user_words(a, &job->common);
    wg_args_append(a, s->language == WG_LANGUAGE_C ? &job->c : &job->cxx);
    user_words(a, &job->host);
    own_headers(a);
}

/* C and C++ by the compiler that -ccbin names: gcc, or what takes gcc's words. As nvcc gives it. */
static int host_compiler(struct wg_job *job, const struct wg_source *s, const char *scratch, const char *what,
                         struct wg_strbuf *dependencies) {
    struct wg_pass p = wg_pass_begin(job, s, scratch, "host");
    wg_args_free(&p.a);
    wg_args_add(&p.a, job->host_program.s);
    wg_args_add(&p.a, "-x");
    wg_args_add(&p.a, s->language == WG_LANGUAGE_C ? "c" : "c++");
    wg_args_add_list(&p.a, "-fPIC,-O2");
    user_words(&p.a, &job->common);
    wg_args_append(&p.a, s->language == WG_LANGUAGE_C ? &job->c : &job->cxx);
    user_words(&p.a, &job->host);
    own_headers(&p.a);
    wg_pass_dependency_words(&p);
    wg_args_add(&p.a, what);
    return wg_pass_source(&p, s, dependencies);
}

static int clang_preprocess(struct wg_job *job, const struct wg_source *s, const char *scratch,
                            struct wg_strbuf *dependencies) {
    struct wg_pass p = wg_pass_begin(job, s, scratch, "text");
    host_words(job, s, &p.a);
    if (s->language == WG_LANGUAGE_CUDA) wg_args_add_list(&p.a, "-include,cuda_runtime.h");
    wg_pass_dependency_words(&p);
    wg_args_add(&p.a, "-E");
    return wg_pass_source(&p, s, dependencies);
}

static int clang_host(struct wg_job *job, const struct wg_source *s, const char *scratch, const char *ptx,
                      struct wg_strbuf *said, struct wg_strbuf *dependencies) {
    struct wg_pass p = wg_pass_begin(job, s, scratch, "host");
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
    int status = clang_run(&p, &rest, cuda, &job->common, said, dependencies);
    bool links = cuda && job->device_link && !wg_process_is_only_shown();
    if (!status && links && !wg_relocatable_finish(s->object)) {
        wg_say("-rdc=true: %s cannot be made relocatable: it is not an ELF object (is -flto in use?)",
               s->object);
        status = 1;
    }
    wg_args_free(&rest);
    wg_pass_end(&p);
    return status;
}

/* -Xptxas -v. `ptx`: the file with the source's device code. */
static int say_usage(const struct wg_job *job, const struct wg_source *s, const char *ptx) {
    struct wg_kernels k = {0};
    const struct wg_chip *chip = wg_job_chip(job->arch);
    int status = chip && !wg_process_is_only_shown() ? wg_kernels_add_ptx(&k, ptx, s->path, chip) : 0;
    wg_resource_usage_say(&k, job->arch);
    wg_kernels_free(&k);
    return status;
}

static int clang_compile(struct wg_job *job, const struct wg_source *s, const char *scratch,
                         struct wg_strbuf *dependencies) {
    struct wg_strbuf said = {0}, ptx = {0};
    int status = 0;
    wg_strbuf_printf(&ptx, "%s/device.ptx", scratch);
    if (s->language == WG_LANGUAGE_CUDA) status = clang_device(job, s, scratch, ptx.s, &said, dependencies);
    if (!status && s->language == WG_LANGUAGE_CUDA && job->keep) status = keep_text(job, s, ptx.s);
    if (!status && s->language == WG_LANGUAGE_CUDA && job->shows_usage) status = say_usage(job, s, ptx.s);
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
    struct wg_pass p = wg_pass_begin(job, s, scratch, "nvcc");
    if (job->shows_usage && s->language == WG_LANGUAGE_CUDA)
        wg_say(
            "note: %s: what kernels take is not shown with --compiler nvcc, which makes PTX alone here; see "
            "\"warpglass occupancy\"",
            s->path);
    wg_pass_dependency_words(&p);
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
    return wg_pass_source(&p, s, dependencies);
}

static int nvcc_ptx(struct wg_job *job, const struct wg_source *s, const char *scratch, const char *ptx,
                    struct wg_strbuf *said, struct wg_strbuf *dependencies) {
    struct wg_pass p = wg_pass_begin(job, s, scratch, "nvcc_ptx");
    wg_pass_dependency_words(&p);
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
    int status = wg_pass_run(&p, said, dependencies);
    wg_pass_end(&p);
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

static int compile_fat_binary(struct wg_job *job, const struct wg_source *s, const char *scratch,
                              struct wg_strbuf *dependencies) {
    struct wg_strbuf ptx = {0};
    wg_strbuf_printf(&ptx, "%s/fat.ptx", scratch);
    int status = wg_compile_ptx(job, s, scratch, ptx.s, dependencies);
    if (!status && job->shows_usage) status = say_usage(job, s, ptx.s);
    if (!status && !wg_process_is_only_shown() && !wg_fat_binary_wrap(ptx.s, job->arch, s->object)) {
        wg_say("cannot write %s: %s", s->object, strerror(errno));
        status = 1;
    }
    wg_strbuf_free(&ptx);
    return status;
}

static int compile_one(struct wg_job *job, const struct wg_source *s, const char *scratch,
                       struct wg_strbuf *dependencies) {
    if (job->product == WG_PRODUCT_PTX) return wg_compile_ptx(job, s, scratch, s->object, dependencies);
    if (job->product == WG_PRODUCT_FAT_BINARY) return compile_fat_binary(job, s, scratch, dependencies);
    if (job->tools.compiler != WG_COMPILER_CLANG) return nvcc_compile(job, s, scratch, dependencies);
    if (job->host_program.n && s->language != WG_LANGUAGE_CUDA)
        return host_compiler(job, s, scratch, job->product == WG_PRODUCT_TEXT ? "-E" : "-c", dependencies);
    if (job->product == WG_PRODUCT_TEXT) return clang_preprocess(job, s, scratch, dependencies);
    return clang_compile(job, s, scratch, dependencies);
}

/* After how long a line says what is compiled, as for kernels (machine/options.h), which check the variable. */
static double progress_after(void) {
    const char *given = getenv("WARPGLASS_PROGRESS");
    return given && *given ? strtod(given, NULL) : isatty(STDERR_FILENO) ? 2 : 0;
}

static const char *in_all(struct wg_strbuf *text, const struct wg_job *job, uint32_t number) {
    wg_strbuf_printf(text, "compiling %s", job->sources.v[number].path);
    if (job->sources.n > 1) wg_strbuf_printf(text, " (%u of %u)", number + 1, job->sources.n);
    return text->s;
}

int wg_compile(struct wg_job *job, const char *scratch, const char *output, struct wg_strbuf *dependencies) {
    int status = 0;
    for (uint32_t i = 0; i < job->sources.n && !status; i++) {
        const struct wg_source *s = &job->sources.v[i];
        struct wg_strbuf own = {0}, what = {0}, *lists = job->rule.wanted ? &own : dependencies;
        struct wg_progress progress = {.what = in_all(&what, job, i), .after = progress_after()};
        wg_progress_begin(&progress);
        status = compile_one(job, s, scratch, lists);
        wg_progress_end(&progress);
        wg_strbuf_free(&what);
        if (!status && job->rule.wanted && !wg_process_is_only_shown())
            status = wg_make_rule_write(job, s, &own);
        wg_strbuf_free(&own);
    }
    int sig = wg_process_ending_signal();
    if (status) return sig ? WG_STATUS_SIGNAL + sig : status;
    if (job->product == WG_PRODUCT_LIBRARY) return wg_link_archive(job, output);
    if (job->product == WG_PRODUCT_DEVICE_LINK) return wg_link_device_code(job, scratch, output);
    return job->product == WG_PRODUCT_PROGRAM ? wg_link_program(job, scratch, output) : 0;
}
