/* The command line taken apart: see job.h. */
#include "cli/host_compiler.h"
#include "cli/job.h"
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

/* How device code computes. LLVM takes its own options once only, so they come here, when all of the program's are known.
 *
 * Products and sums are fused as nvcc does, by NVPTX's own rule, and what that leaves as ptxas does (ir/contract.c). With the
 * front end's permission clang's general rule would come first, and fuse products that are used otherwise, too. */
static void add_arithmetic(struct wg_job *job) {
    wg_args_add_list(&job->device, "-ffp-contract=off,-mllvm");
    wg_args_addf(&job->device, "-nvptx-fma-level=%d", !job->fuses_nothing);
    if (job->division != 2) {
        wg_args_add(&job->device, "-mllvm");
        wg_args_addf(&job->device, "-nvptx-prec-divf32=%d", job->division);
    }
    if (!job->root) wg_args_add_list(&job->device, "-mllvm,-nvptx-prec-sqrtf32=0");
    /* Between __int128 and floating-point numbers: elsewhere a function of the compiler's library, which NVPTX has not. */
    wg_args_add_list(&job->device, "-mllvm,-expand-fp-convert-bits=64");
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
            status = wg_job_add_option(job, item, &language);
    }
    if (!status && *job->too_old && job->arch_is_oldest)
        wg_say("note: %s is older than the oldest supported GPU: compiled for %s", job->too_old, job->arch);
    if (!status) status = wg_host_compiler_find(job);
    if (!status) status = check_output(job);
    add_arithmetic(job);
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
