/* The command line taken apart: see job.h. */
#include "cli/job.h"
#include "cli/layout.h"
#include "cli/make_rule.h"
#include "cli/say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NEWEST_CLANG_ARCH = 90 }; /* what clang 19 knows; PTX for an older machine runs on newer ones */
bool wg_job_check_input(const char *path) {
    struct stat st;
    if (stat(path, &st) != 0)
        wg_say("%s: %s", path, errno == ENOENT ? "no such file" : strerror(errno));
    else if (S_ISDIR(st.st_mode))
        wg_say("%s: this is a folder, not a file", path);
    else if (S_ISREG(st.st_mode) && st.st_size == 0)
        wg_say("%s: this file is empty", path);
    else if (access(path, R_OK) != 0)
        wg_say("%s: %s", path, strerror(errno));
    else
        return true;
    return false;
}

static const struct {
    const char *end;
    enum wg_language language;
} endings[] = {{".cu", WG_LANGUAGE_CUDA}, {".c", WG_LANGUAGE_C},     {".cpp", WG_LANGUAGE_CXX},
               {".cc", WG_LANGUAGE_CXX},  {".cxx", WG_LANGUAGE_CXX}, {".C", WG_LANGUAGE_CXX},
               {".c++", WG_LANGUAGE_CXX}, {".o", WG_LANGUAGE_LINK},  {".a", WG_LANGUAGE_LINK},
               {".so", WG_LANGUAGE_LINK}};

enum wg_language wg_job_language(const char *path) {
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    const char *end = strrchr(name, '.');
    if (strstr(name, ".so.")) return WG_LANGUAGE_LINK;
    for (size_t i = 0; end && i < sizeof endings / sizeof *endings; i++)
        if (!strcmp(end, endings[i].end)) return endings[i].language;
    return WG_LANGUAGE_BY_NAME;
}

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

char *wg_job_object_name(const char *path, const char *ending) {
    struct wg_strbuf name = {0};
    const char *slash = strrchr(path, '/');
    path = slash ? slash + 1 : path;
    const char *dot = strrchr(path, '.');
    wg_strbuf_add(&name, path, dot && dot != path ? (size_t)(dot - path) : strlen(path));
    wg_strbuf_puts(&name, ending);
    return name.s;
}

void wg_job_kept_name(const struct wg_job *job, const struct wg_source *s, struct wg_strbuf *path) {
    char *name = wg_job_object_name(s->path, ".ptx");
    wg_strbuf_printf(path, "%s/%s", job->keep, name);
    free(name);
}

const char *wg_job_program_name(const struct wg_job *job) {
    if (job->output) return job->output;
    switch (job->product) {
    case WG_PRODUCT_LIBRARY: return "a.a";
    case WG_PRODUCT_DEVICE_LINK: return "a_dlink.o";
    default: return "a.out";
    }
}

static int add_linked(struct wg_job *job, const char *path) {
    const char *end = strrchr(path, '.');
    if (job->product != WG_PRODUCT_LIBRARY) {
        wg_args_add(&job->link, path);
    } else if (end && !strcmp(end, ".o")) {
        wg_args_add(&job->objects, path);
    } else {
        wg_say("%s: -lib makes a library from objects; name this file when you link the program", path);
        return 1;
    }
    return 0;
}

static char *name_object(const struct wg_job *job, const char *path, const char *scratch) {
    struct wg_strbuf name = {0};
    char *own;
    switch (job->product) {
    case WG_PRODUCT_TEXT: return job->output ? wg_xstrdup(job->output) : NULL;
    case WG_PRODUCT_OBJECTS:
    case WG_PRODUCT_PTX:
    case WG_PRODUCT_FAT_BINARY:
        if (job->output) return wg_xstrdup(job->output);
        own = wg_job_object_name(path, job->product == WG_PRODUCT_PTX       ? ".ptx"
                                       : job->product == WG_PRODUCT_OBJECTS ? ".o"
                                                                            : job->ending);
        if (!job->folder) return own;
        wg_strbuf_printf(&name, "%s/%s", job->folder, own);
        free(own);
        return name.s;
    case WG_PRODUCT_LIBRARY: /* an object's name is its member's */
        wg_strbuf_printf(&name, "%s/%u", scratch, job->sources.n - 1);
        mkdir(name.s, 0700);
        wg_strbuf_printf(&name, "/%s", own = wg_job_object_name(path, ".o"));
        free(own);
        return name.s;
    default: wg_strbuf_printf(&name, "%s/%u.o", scratch, job->sources.n - 1); return name.s;
    }
}

static int add_file(struct wg_job *job, const char *path, enum wg_language language, const char *scratch) {
    if (!wg_process_is_only_shown() && !wg_job_check_input(path)) return 1;
    if (language == WG_LANGUAGE_BY_NAME) language = wg_job_language(path);
    if (language == WG_LANGUAGE_LINK) return add_linked(job, path);
    if (language == WG_LANGUAGE_BY_NAME) {
        size_t n = strlen(path);
        if (n > 4 && !strcmp(path + n - 4, ".ptx"))
            wg_say("%s: PTX is device code only. A host program has to load it, for example with "
                   "cuModuleLoad",
                   path);
        else
            wg_say("%s: unknown type of file. Names end in .cu, .c, .cpp, .cc, .cxx, .o, .a or .so; \"-x "
                   "cu\" before it makes it CUDA source",
                   path);
        return 1;
    }
    struct wg_source *s = WG_PUSH(&job->sources);
    s->path = path;
    s->language = language;
    s->object = name_object(job, path, scratch);
    if (job->product == WG_PRODUCT_PROGRAM) wg_args_add(&job->link, s->object);
    if (job->product == WG_PRODUCT_LIBRARY) wg_args_add(&job->objects, s->object);
    bool of_device_code = job->product == WG_PRODUCT_PTX || job->product == WG_PRODUCT_FAT_BINARY;
    if (!of_device_code || language == WG_LANGUAGE_CUDA) return 0;
    wg_say("%s: -ptx is for CUDA source, whose device code it writes", path);
    return 1;
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
        wg_args_add(&job->device, truth ? "-ffp-contract=fast" : "-ffp-contract=off");
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

/* "-Wall,-O1", "-Wall -O1"; a comma of -Wl,... does not part words. */
static void add_host_words(struct wg_job *job, const char *list) {
    static const char *const linking[] = {"-Wl,", "-static-", "-rdynamic", NULL};
    static const char *const reading[] = {"-D", "-U", "-I", "-include", NULL};
    static const char *const both[] = {"-fopenmp", "-pthread", "-fsanitize=", "-flto", NULL};
    struct wg_args words = {0};
    wg_args_add_words(&words, list, strncmp(list, "-Wl,", 4) ? ", " : " ");
    for (size_t i = 0; i < words.n; i++) {
        bool links = begins_with_one(words.v[i], linking);
        /* nvcc has the host's preprocessor read device code, too. */
        bool reads = begins_with_one(words.v[i], reading);
        if (!links) wg_args_add(reads ? &job->common : &job->host, words.v[i]);
        if (!strcmp(words.v[i], "-include") && i + 1 < words.n) wg_args_add(&job->common, words.v[++i]);
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

/* -ccbin is for files without device code. */
static int find_host_compiler(struct wg_job *job) {
    if (!job->host_compiler || job->tools.compiler == WG_COMPILER_NVCC) return 0;
    if (!wg_toolchain_find_host(job->host_compiler, &job->host_program)) return 2;
    bool cuda = false;
    for (uint32_t i = 0; i < job->sources.n; i++) cuda |= job->sources.v[i].language == WG_LANGUAGE_CUDA;
    if (cuda)
        wg_say("note: -ccbin %s: compiles C and C++ files; of CUDA source clang compiles host code, too",
               job->host_compiler);
    return 0;
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
        {WG_CLI_CUBIN,
         "no machine code for GPUs is generated; the file has PTX, which cuModuleLoad also accepts"},
        {WG_CLI_DEVICE_DEBUG, "ignored; device code always has line numbers"},
        {WG_CLI_RESOURCE_USAGE, "ignored; \"warpglass occupancy FILE\" shows what kernels use"},
        {WG_CLI_SANITIZE, "ignored; \"warpglass check\" finds in any program what such code would find"},
        {WG_CLI_PTXAS_ARGS, "for NVIDIA's assembler, which is not used: ignored"},
        {WG_CLI_REGISTERS, "for NVIDIA's assembler, which is not used: ignored"}};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (notes[i].option == item->option)
            wg_say("note: %s%s%s: %s", item->spelling, item->value ? " " : "", item->value ? item->value : "",
                   notes[i].note);
}

/* Options that concern what is compiled. `language`: as -x said last. */
static int add_option(struct wg_job *job, const struct wg_item *item, enum wg_language *language) {
    const char *v = item->value;
    switch (item->option) {
    case WG_CLI_ARCH: return wg_job_set_arch(job, v);
    case WG_CLI_GENCODE: return wg_job_set_gencode(job, v);
    case WG_CLI_OPTIMISE: return set_optimisation(job, v);
    case WG_CLI_INCLUDE_DIR: wg_args_addf(&job->common, "-I%s", v); break;
    case WG_CLI_SYSTEM_DIR: wg_args_add(&job->common, "-isystem"), wg_args_add(&job->common, v); break;
    case WG_CLI_INCLUDE_FILE: wg_args_add(&job->common, "-include"), wg_args_add(&job->common, v); break;
    case WG_CLI_DEFINE: wg_args_addf(&job->common, "-D%s", v); break;
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
    case WG_CLI_ARCHIVE_ARGS: wg_args_add_list(&job->archive, v); break;
    default: say_note(item);
    }
    return 0;
}

static int plan_compiler(struct wg_job *job, const struct wg_cmdline *c) {
    const char *name = wg_cmdline_value(c, WG_CLI_COMPILER);
    if (name && strcmp(name, "clang") != 0 && strcmp(name, "nvcc") != 0) {
        wg_say("--compiler %s: expected clang or nvcc", name);
        return 2;
    }
    job->tools.compiler = name && !strcmp(name, "nvcc") ? WG_COMPILER_NVCC : WG_COMPILER_CLANG;
    return 0;
}

static int check_written(const struct wg_job *job, const char *option, const char *path) {
    struct stat in, out;
    if (!path || stat(path, &out) != 0) return 0;
    if (S_ISDIR(out.st_mode)) {
        wg_say("%s %s: this is a folder", option, path);
        return 1;
    }
    for (uint32_t i = 0; i < job->sources.n; i++)
        if (stat(job->sources.v[i].path, &in) == 0 && in.st_ino == out.st_ino && in.st_dev == out.st_dev) {
            wg_say("%s %s: this would overwrite the source", option, path);
            return 2;
        }
    return 0;
}

static int check_output(const struct wg_job *job) {
    bool needs_source = job->product != WG_PRODUCT_PROGRAM && job->product != WG_PRODUCT_LIBRARY &&
                        job->product != WG_PRODUCT_DEVICE_LINK;
    if (job->product == WG_PRODUCT_DEVICE_LINK && job->sources.n) {
        wg_say("%s: -dlink is for objects; compile this one with -dc first", job->sources.v[0].path);
        return 2;
    }
    if (!job->sources.n && (needs_source || !(job->link.n + job->objects.n))) {
        wg_say("no file to compile");
        return 2;
    }
    if (needs_source && job->output && job->sources.n > 1) {
        static const char *const what[] = {[WG_PRODUCT_OBJECTS] = "-c with -o makes one object",
                                           [WG_PRODUCT_PTX] = "-ptx with -o writes one file",
                                           [WG_PRODUCT_FAT_BINARY] = "-fatbin with -o writes one file",
                                           [WG_PRODUCT_TEXT] = "-E with -o writes one file",
                                           [WG_PRODUCT_RULE] = "-M with -o writes one rule"};
        wg_say("%s, but there are %u sources", what[job->product], job->sources.n);
        return 2;
    }
    if (!wg_make_rule_check(job)) return 2;
    return check_written(job, "-o", job->output) ?: check_written(job, "-MF", job->rule.file);
}

/* What the last word that says so asks for. */
static enum wg_product find_product(const struct wg_cmdline *c) {
    enum wg_product product = WG_PRODUCT_PROGRAM;
    for (uint32_t i = 0; i < c->items.n; i++) switch (c->items.v[i].option) {
        case WG_CLI_OBJECT:
        case WG_CLI_ONLY_CHECK:
        case WG_CLI_DEVICE_OBJECT: product = WG_PRODUCT_OBJECTS; break;
        case WG_CLI_ARCHIVE: product = WG_PRODUCT_LIBRARY; break;
        case WG_CLI_PTX: product = WG_PRODUCT_PTX; break;
        case WG_CLI_FAT_BINARY:
        case WG_CLI_CUBIN: product = WG_PRODUCT_FAT_BINARY; break;
        case WG_CLI_DEVICE_LINK: product = WG_PRODUCT_DEVICE_LINK; break;
        case WG_CLI_PREPROCESS: product = WG_PRODUCT_TEXT; break;
        case WG_CLI_ONLY_RULE:
        case WG_CLI_ONLY_RULE_OF_USER: product = WG_PRODUCT_RULE; break;
        default: break;
        }
    return product;
}

/* Where nothing else is said, what runs on all devices. */
static int plan_arch(struct wg_job *job, const struct wg_cmdline *c) {
    const char *devices = wg_cmdline_value(c, WG_CLI_DEVICES);
    const struct wg_chip *oldest;
    if (!devices) return wg_job_set_arch(job, NULL);
    return wg_job_devices(devices, NULL, &oldest) ? wg_job_set_arch(job, oldest->arch) : 2;
}

int wg_job_plan(struct wg_job *job, const struct wg_cmdline *c, const char *scratch) {
    *job = (struct wg_job){.division = 2, .root = 1, .toolkit = job->toolkit, .cudart = "static"};
    enum wg_language language = WG_LANGUAGE_BY_NAME;
    job->output = wg_cmdline_value(c, WG_CLI_OUTPUT);
    job->product = find_product(c);
    job->folder = wg_cmdline_value(c, WG_CLI_OUTPUT_FOLDER);
    job->archiver = wg_cmdline_value(c, WG_CLI_ARCHIVER);
    job->ending = wg_cmdline_has(c, WG_CLI_CUBIN) ? ".cubin" : ".fatbin";
    job->shared = wg_cmdline_has(c, WG_CLI_SHARED);
    job->trace = wg_cmdline_value(c, WG_CLI_DEVICE_TRACE);
    job->syntax_only = wg_cmdline_has(c, WG_CLI_SYNTAX_ONLY) || wg_cmdline_has(c, WG_CLI_ONLY_CHECK);
    if (wg_cmdline_has(c, WG_CLI_ONLY_CHECK)) wg_args_add(&job->common, "-fsyntax-only");
    if (wg_cmdline_has(c, WG_CLI_KEEP)) job->keep = wg_cmdline_value(c, WG_CLI_KEEP_DIR) ?: ".";
    int status = plan_compiler(job, c);
    if (!status) status = plan_arch(job, c);
    for (uint32_t i = 0; !status && i < c->items.n; i++) {
        const struct wg_item *item = &c->items.v[i];
        if (item->option == WG_CLI_FILE)
            status = add_file(job, item->value, language, scratch);
        else
            status = add_option(job, item, &language);
    }
    if (!status && *job->too_old && job->arch_is_oldest)
        wg_say("note: %s is older than the oldest supported GPU: compiled for %s", job->too_old, job->arch);
    if (!status) status = find_host_compiler(job);
    if (!status) status = check_output(job);
    /* LLVM takes these once only, and has them by itself as they are here before. */
    if (job->division != 2) wg_args_addf(&job->device, "-mllvm");
    if (job->division != 2) wg_args_addf(&job->device, "-nvptx-prec-divf32=%d", job->division);
    if (!job->root) wg_args_add_list(&job->device, "-mllvm,-nvptx-prec-sqrtf32=0");
    if (!status && job->tools.compiler == WG_COMPILER_CLANG && atoi(job->arch + 3) > NEWEST_CLANG_ARCH)
        snprintf(job->arch, sizeof job->arch, "sm_%d", NEWEST_CLANG_ARCH);
    return status;
}

void wg_job_free(struct wg_job *job) {
    wg_toolchain_free(&job->tools);
    wg_strbuf_free(&job->host_program);
    for (uint32_t i = 0; i < job->sources.n; i++) free(job->sources.v[i].object);
    free(job->sources.v);
    struct wg_args *lists[] = {&job->common, &job->cxx,  &job->c,       &job->device,       &job->host,
                               &job->nvcc,   &job->link, &job->objects, &job->rule.targets, &job->archive};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) wg_args_free(lists[i]);
    *job = (struct wg_job){0};
}
