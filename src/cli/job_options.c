/* What each option of a compilation puts into the job: see job.h. */
#include "cli/job.h"
#include "cli/layout.h"
#include "cli/make_rule.h"
#include "cli/refused.h"
#include "cli/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool set_language(const char *name, enum wg_language *language) {
    static const struct {
        const char *name;
        enum wg_language language;
    } names[] = {{"cu", WG_LANGUAGE_CUDA},
                 {"cuda", WG_LANGUAGE_CUDA},
                 {"c", WG_LANGUAGE_C},
                 {"c++", WG_LANGUAGE_CXX},
                 {"none", WG_LANGUAGE_BY_NAME}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i].name)) {
            *language = names[i].language;
            return true;
        }
    wg_say("-x %s: the languages are cu, c, c++ and none", name);
    return false;
}

static void add_library(struct wg_job *job, const char *name) {
    static const char *const own[] = {"cudart", "cudart_static", "cudadevrt", "cuda"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!strcmp(name, own[i])) {
            /* The runtime is always linked, see compile.c. */
            if (!strcmp(name, "cuda") && job->toolkit)
                wg_args_add(&job->link, "-lcuda");
            else if (!strcmp(name, "cuda"))
                wg_args_addf(&job->link, "%s/libcuda.so.1", wg_layout_libraries());
            return;
        }
    if (!strcmp(name, "warpglass"))
        wg_args_addf(&job->link, "%s/../libwarpglass.a", wg_layout_libraries());
    else
        wg_args_addf(&job->link, "-l%s", name);
}

static int set_truth(const struct wg_item *item, bool *value) {
    *value = !strcmp(item->value, "true");
    if (*value || !strcmp(item->value, "false")) return 0;
    wg_say("%s=%s: expected true or false", item->spelling, item->value);
    return 2;
}

static int check_number(const struct wg_item *item) {
    if (*item->value && strspn(item->value, "0123456789") == strlen(item->value)) return 0;
    wg_say("%s %s: expected a number", item->spelling, item->value);
    return 2;
}

static int set_version(struct wg_job *job, const struct wg_item *item) {
    enum { OLDEST = 5, NEWEST = 13 };
    char *end;
    long version = strtol(item->value, &end, 10);
    if (end == item->value || (*end && *end != '.') || version < OLDEST || version > NEWEST) {
        wg_say("%s %s: the versions of CUDA are %d to %d", item->spelling, item->value, OLDEST, NEWEST);
        return 2;
    }
    if (version == NEWEST) wg_args_add(&job->common, WG_ONLY_NEWEST);
    return 0;
}

static int set_rdc(struct wg_job *job, const struct wg_item *item) {
    int status = set_truth(item, &job->device_link);
    if (job->device_link) wg_args_add(&job->nvcc, "-rdc=true");
    return status;
}

static int set_optimisation(struct wg_job *job, const char *level) {
    if (strlen(level) > 1 || (*level && !strchr("0123456789sgz", *level))) {
        wg_say("-O%s: the levels are -O0 to -O3", level);
        return 2;
    }
    if (*level > '3' && *level <= '9') level = "3"; /* as gcc has it */
    wg_args_addf(&job->device, "-O%s", level);
    wg_args_addf(&job->host, "-O%s", level);
    return 0;
}

/* ---- Device code's arithmetic ----------------------------------------------------------------------------
 */

static void set_fast_math(struct wg_job *job) {
    wg_args_add_list(&job->device, "-fgpu-flush-denormals-to-zero,-fgpu-approx-transcendentals");
    job->division = job->root = 0;
    wg_args_add(&job->common, "-D__CUDACC_FAST_MATH__");
    wg_args_add(&job->nvcc, "-use_fast_math");
}

/* One of fast arithmetic's parts, or of accurate arithmetic's: --ftz and the like. */
static int set_arithmetic(struct wg_job *job, const struct wg_item *item) {
    bool truth = true;
    int status = set_truth(item, &truth);
    const char *value = truth ? "true" : "false";
    switch (item->option) {
    case WG_CLI_FMAD:
        job->fuses_nothing = !truth;
        wg_args_addf(&job->nvcc, "-fmad=%s", value);
        break;
    case WG_CLI_FTZ:
        wg_args_add(&job->device,
                    truth ? "-fgpu-flush-denormals-to-zero" : "-fno-gpu-flush-denormals-to-zero");
        wg_args_addf(&job->nvcc, "-ftz=%s", value);
        break;
    case WG_CLI_PRECISE_DIVISION:
        job->division = truth ? 2 : 1;
        wg_args_addf(&job->nvcc, "-prec-div=%s", value);
        break;
    default: job->root = truth; wg_args_addf(&job->nvcc, "-prec-sqrt=%s", value);
    }
    return status;
}

/* ---- Words for the compilers and the linker --------------------------------------------------------------
 */

static void set_standard(struct wg_job *job, const char *name) {
    bool cxx = strstr(name, "++") != NULL;
    wg_args_addf(cxx ? &job->cxx : &job->c, "-std=%s", name);
}

/* Kinds of warnings that nvcc alone has: what they warn of is an error to clang, or nothing. */
static bool is_nvcc_warning(const char *what) {
    static const char *const kinds[] = {"cross-execution-space-call", "default-stream-launch",
                                        "missing-launch-bounds", "ext-lambda-captures-this",
                                        "deprecated-gpu-targets"};
    if (!strncmp(what, "no-", 3)) what += 3;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(what, kinds[i])) return true;
    return false;
}

/* -Werror KINDS, kind by kind. */
static void add_errors(struct wg_job *job, const char *kinds) {
    struct wg_args list = {0};
    wg_args_add_list(&list, kinds);
    for (size_t i = 0; i < list.n; i++) {
        if (is_nvcc_warning(list.v[i]))
            wg_args_addf(&job->nvcc, "-Werror=%s", list.v[i]);
        else if (!strcmp(list.v[i], "all-warnings"))
            wg_args_add(&job->common, "-Werror");
        else
            wg_args_addf(&job->common, "-Werror=%s", list.v[i]);
    }
    wg_args_free(&list);
}

static void add_warning(struct wg_job *job, const char *what) {
    if (!strncmp(what, "error=", 6))
        add_errors(job, what + 6);
    else if (is_nvcc_warning(what))
        wg_args_addf(&job->nvcc, "-W%s", what);
    else if (!strncmp(what, "l,", 2))
        wg_args_addf(&job->link, "-W%s", what);
    else if (!strncmp(what, "a,", 2) || !strncmp(what, "p,", 2))
        wg_args_addf(&job->host, "-W%s", what);
    else
        wg_args_addf(&job->common, "-W%s", what);
}

static bool begins_with_one(const char *word, const char *const *begins) {
    while (*begins && strncmp(word, *begins, strlen(*begins)) != 0) begins++;
    return *begins != NULL;
}

static bool is_one(const char *word, const char *const *names) {
    while (*names && strcmp(word, *names) != 0) names++;
    return *names != NULL;
}

/* "-Wall,-O1", "-Wall -O1"; a comma of -Wl,... does not part words. */
static void add_host_words(struct wg_job *job, const char *list) {
    static const char *const linking[] = {"-Wl,", "-static-", "-rdynamic", NULL};
    static const char *const reading[] = {"-D",       "-U",         "-I",      "-include", "-imacros",
                                          "-isystem", "-idirafter", "-iquote", NULL};
    static const char *const both[] = {"-fopenmp", "-pthread", "-fsanitize=", "-flto", NULL};
    struct wg_args words = {0};
    wg_args_add_words(&words, list, strncmp(list, "-Wl,", 4) ? ", " : " ");
    for (size_t i = 0; i < words.n; i++) {
        bool links = begins_with_one(words.v[i], linking);
        /* nvcc has the host's preprocessor read device code, too. */
        bool reads = begins_with_one(words.v[i], reading);
        if (!links) wg_args_add(reads ? &job->common : &job->host, words.v[i]);
        if (is_one(words.v[i], reading) && i + 1 < words.n) wg_args_add(&job->common, words.v[++i]);
        if (links || begins_with_one(words.v[i], both)) wg_args_add(&job->link, words.v[i]);
    }
    wg_args_free(&words);
}

static void add_link_words(struct wg_job *job, const char *list) {
    struct wg_args words = {0};
    wg_args_add_words(&words, list, ", ");
    for (size_t i = 0; i < words.n; i++)
        wg_args_add(&job->link, "-Xlinker"), wg_args_add(&job->link, words.v[i]);
    wg_args_free(&words);
}

static int set_cudart(struct wg_job *job, const char *value) {
    job->cudart = value;
    if (job->toolkit && (!strcmp(value, "static") || !strcmp(value, "none"))) return 0;
    if (!strcmp(value, "static"))
        wg_say("note: -cudart=static: programs get Warpglass's shared runtime instead");
    else if (strcmp(value, "shared") != 0) {
        wg_say("-cudart=%s: only shared is supported", value);
        return 2;
    }
    return 0;
}

/* clang has them anyway; programs ask whether they are on. */
static void set_nvcc_feature(struct wg_job *job, const struct wg_item *item) {
    const char *value = item->value ? item->value : "";
    wg_args_addf(&job->nvcc, "%s%s", item->spelling, value);
    if (job->tools.compiler != WG_COMPILER_CLANG) return;
    if (strstr(item->spelling, "extended-lambda") || !strcmp(value, "extended-lambda"))
        wg_args_add(&job->common, "-D__CUDACC_EXTENDED_LAMBDA__=1");
    if (!strcmp(value, "relaxed-constexpr")) wg_args_add(&job->common, "-D__CUDACC_RELAXED_CONSTEXPR__=1");
}

static int set_default_stream(struct wg_job *job, const struct wg_item *item) {
    if (!strcmp(item->value, "legacy") || !strcmp(item->value, "null")) return 0;
    if (strcmp(item->value, "per-thread") != 0) {
        wg_say("%s=%s: expected legacy, null or per-thread", item->spelling, item->value);
        return 2;
    }
    wg_args_add(&job->common, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    job->per_thread = job->tools.compiler == WG_COMPILER_CLANG;
    if (!job->per_thread) wg_args_add(&job->nvcc, "-default-stream=per-thread");
    return 0;
}

static void set_rule(struct wg_job *job, const struct wg_item *item) {
    struct wg_strbuf target = {0};
    switch (item->option) {
    case WG_CLI_RULE:
    case WG_CLI_ONLY_RULE: job->rule.wanted = true; break;
    case WG_CLI_ONLY_RULE_OF_USER:
    case WG_CLI_RULE_OF_USER: job->rule.wanted = job->rule.user_only = true; break;
    case WG_CLI_RULE_FILE: job->rule.file = item->value; break;
    case WG_CLI_RULE_TARGET: wg_args_add(&job->rule.targets, item->value); break;
    case WG_CLI_RULE_QUOTED_TARGET:
        wg_make_rule_quote(&target, item->value);
        wg_args_add(&job->rule.targets, target.s);
        break;
    default: job->rule.phony = true;
    }
    wg_strbuf_free(&target);
}

static void set_host_compiler(struct wg_job *job, const char *program) {
    if (job->tools.compiler == WG_COMPILER_NVCC) {
        wg_args_add(&job->nvcc, "-ccbin"), wg_args_add(&job->nvcc, program);
        wg_args_add(&job->link, "-ccbin"), wg_args_add(&job->link, program);
    }
    job->host_compiler = program;
}

/* A comma in it is its own, where nvcc's would end it. */
static void add_macro(struct wg_job *job, const char *definition) {
    struct wg_strbuf word = {0};
    bool quoted = false;
    wg_strbuf_puts(&word, "-D");
    for (const char *p = definition; *p; p++) {
        quoted ^= *p == '"';
        if (*p == ',' && !quoted && job->tools.compiler == WG_COMPILER_NVCC) wg_strbuf_puts(&word, "\\");
        wg_strbuf_add(&word, p, 1);
    }
    wg_args_add(&job->common, word.s);
    wg_strbuf_free(&word);
}

/* -f... is for host code, but what it says about the language's meaning is for both. */
static void add_feature(struct wg_job *job, const char *name) {
    static const char *const meanings[] = {"strict-aliasing", "strict-overflow", "strict-enums",
                                           "strict-return",   "finite-loops",    "delete-null-pointer-checks",
                                           "wrapv",           "signed-char",     "unsigned-char"};
    const char *meaning = strncmp(name, "no-", 3) ? name : name + 3;
    wg_args_addf(&job->host, "-f%s", name);
    wg_args_addf(&job->link, "-f%s", name);
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (!strcmp(meaning, meanings[i])) wg_args_addf(&job->device, "-f%s", name);
}

/* Options that are taken with a note. */
static void say_note(const struct wg_item *item) {
    static const struct {
        enum wg_option option;
        const char *note;
    } notes[] = {
        {WG_CLI_DEVICE_LTO, "device code is linked and optimised when the program runs"},
        {WG_CLI_DEVICE_DEBUG, "ignored; device code always has line numbers"},
        {WG_CLI_SANITIZE, "ignored; \"warpglass check\" finds in any program what such code would find"},
        {WG_CLI_PTXAS_ARGS, "for NVIDIA's assembler, which is not used: all but -v is ignored"},
        {WG_CLI_REGISTERS, "for NVIDIA's assembler, which is not used: ignored"}};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (notes[i].option == item->option)
            wg_say("note: %s%s%s: %s", item->spelling, item->value ? " " : "", item->value ? item->value : "",
                   notes[i].note);
}

/* What of -Xptxas is not for machine code. */
static void set_assembler_words(struct wg_job *job, const struct wg_item *item) {
    struct wg_args words = {0};
    bool others = false;
    wg_args_add_words(&words, item->value, ", ");
    for (size_t i = 0; i < words.n; i++) {
        bool verbose = !strcmp(words.v[i], "-v") || !strcmp(words.v[i], "--verbose");
        job->shows_usage |= verbose;
        others |= !verbose;
    }
    wg_args_free(&words);
    if (others) say_note(item);
}

int wg_job_add_option(struct wg_job *job, const struct wg_item *item, enum wg_language *language) {
    const char *v = item->value;
    switch (item->option) {
    case WG_CLI_ARCH: return wg_job_set_arch(job, v);
    case WG_CLI_CUDA_VERSION: return set_version(job, item);
    case WG_CLI_GENCODE: return wg_job_set_gencode(job, v);
    case WG_CLI_OPTIMISE: return set_optimisation(job, v);
    case WG_CLI_INCLUDE_DIR: wg_args_addf(&job->common, "-I%s", v); break;
    case WG_CLI_SYSTEM_DIR: wg_args_add(&job->common, "-isystem"), wg_args_add(&job->common, v); break;
    case WG_CLI_INCLUDE_FILE: wg_args_add(&job->common, "-include"), wg_args_add(&job->common, v); break;
    case WG_CLI_DEFINE: add_macro(job, v); break;
    case WG_CLI_UNDEFINE: wg_args_addf(&job->common, "-U%s", v); break;
    case WG_CLI_STANDARD: set_standard(job, v); break;
    case WG_CLI_LANGUAGE: return set_language(v, language) ? 0 : 2;
    case WG_CLI_DEBUG: wg_args_add(&job->host, "-g"); break;
    case WG_CLI_FAST_MATH: set_fast_math(job); break;
    case WG_CLI_FMAD:
    case WG_CLI_FTZ:
    case WG_CLI_PRECISE_DIVISION:
    case WG_CLI_PRECISE_ROOT: return set_arithmetic(job, item);
    case WG_CLI_TEMPLATE_DEPTH: wg_args_addf(&job->cxx, "-ftemplate-depth=%s", v); break;
    case WG_CLI_TEMPLATE_TRACE: wg_args_addf(&job->cxx, "-ftemplate-backtrace-limit=%s", v); break;
    case WG_CLI_NO_EXCEPTIONS: wg_args_add(&job->cxx, "-fno-exceptions"); break;
    case WG_CLI_DEFAULT_STREAM: return set_default_stream(job, item);
    case WG_CLI_GPROF: wg_args_add(&job->host, "-pg"), wg_args_add(&job->link, "-pg"); break;
    case WG_CLI_WARNING: add_warning(job, v); break;
    case WG_CLI_QUIET: wg_args_add(&job->common, "-w"); break;
    case WG_CLI_FEATURE: add_feature(job, v); break;
    case WG_CLI_CPU: wg_args_addf(&job->host, "-m%s", v); break;
    case WG_CLI_PTHREAD: wg_args_add(&job->host, "-pthread"), wg_args_add(&job->link, "-pthread"); break;
    case WG_CLI_LIBRARY: add_library(job, v); break;
    case WG_CLI_LIBRARY_DIR: wg_args_addf(&job->link, "-L%s", v); break;
    case WG_CLI_HOST_ARGS: add_host_words(job, v); break;
    case WG_CLI_LINK_ARGS: add_link_words(job, v); break;
    case WG_CLI_RDC: return set_rdc(job, item);
    case WG_CLI_DEVICE_OBJECT: return set_rdc(job, &(struct wg_item){WG_CLI_RDC, "-dc: -rdc", "true"});
    case WG_CLI_HOST_COMPILER: set_host_compiler(job, v); break;
    case WG_CLI_RULE:
    case WG_CLI_RULE_OF_USER:
    case WG_CLI_ONLY_RULE:
    case WG_CLI_ONLY_RULE_OF_USER:
    case WG_CLI_RULE_FILE:
    case WG_CLI_RULE_TARGET:
    case WG_CLI_RULE_QUOTED_TARGET:
    case WG_CLI_RULE_PHONY: set_rule(job, item); break;
    case WG_CLI_CUDART: return set_cudart(job, v);
    case WG_CLI_NVCC_FEATURE: set_nvcc_feature(job, item); break;
    case WG_CLI_COMPILER_THREADS: return check_number(item);
    case WG_CLI_DEVICE_DEBUG:
        wg_args_add(&job->common, "-D__CUDACC_DEBUG__=1");
        say_note(item);
        break;
    case WG_CLI_PTXAS_ARGS: set_assembler_words(job, item); break;
    case WG_CLI_RESOURCE_USAGE: job->shows_usage = true; break;
    case WG_CLI_ARCHIVE_ARGS: wg_args_add_list(&job->archive, v); break;
    default: say_note(item);
    }
    return 0;
}
