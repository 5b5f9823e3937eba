/* Compilation: see rtc_program.h. The compiler is the command beside this library, in a process of its own.
 *
 *     FOLDER/program.cu               the source, and variables for the name expressions
 *     FOLDER/h/1/2/3/4/NAME           its headers: deep, so that "../NAME" stays in FOLDER
 *     FOLDER/program.ptx, .cubin
 */
#include "base/command.h"
#include "base/fat_binary.h"
#include "rtc/rtc_program.h"

#include <dlfcn.h>
#include <errno.h>
#include <ftw.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADERS "h/1/2/3/4"
enum { DEEP = 4, OPTIONS_WRONG = 2 /* the command's exit status */ };

struct compilation {
    nvrtcProgram program;
    WG_VEC(char *) words;
    char folder[PATH_MAX];
    struct wg_strbuf here, command, ptx; /* here: this library's folder */
    const char *arch;                    /* that code is made for: sm_90; NULL: PTX alone */
    bool default_device;                 /* functions that say nothing are for the device, too */
    bool without_folder;                 /* the source's own is not searched for headers */
};

static nvrtcResult fail(nvrtcProgram p, nvrtcResult result, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static nvrtcResult fail(nvrtcProgram p, nvrtcResult result, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    wg_strbuf_vprintf(&p->log, fmt, ap);
    wg_strbuf_puts(&p->log, "\n");
    va_end(ap);
    return result;
}

static void add_word(struct compilation *c, const char *word) { *WG_PUSH(&c->words) = wg_xstrdup(word); }

/* ---- Options --------------------------------------------------------------------------------------------
 */

static bool is_one(const char *option, const char *const *names) {
    if (*option == '-') option += option[1] == '-' ? 2 : 1;
    for (; *names; names++)
        if (!strncmp(option, *names, strlen(*names)) && strchr("=", option[strlen(*names)])) return true;
    return false;
}

/* The machine of --gpu-architecture=sm_90 and the like. */
static const char *code_of(const char *option, const char *next) {
    static const char *const names[] = {"gpu-architecture", "arch", NULL};
    if (!is_one(option, names)) return NULL;
    const char *value = strchr(option, '=') ? strchr(option, '=') + 1 : next;
    return value && !strncmp(value, "sm_", 3) ? value : NULL;
}

/* Options of nvcc's go to the command as they are; those that NVRTC alone has are dealt with here. */
static nvrtcResult read_options(struct compilation *c, int n, const char *const *options) {
    static const char *const device[] = {"default-device", "device-as-default-execution-space", NULL};
    static const char *const no_folder[] = {"no-source-include", NULL};
    static const char *const refused[] = {"dlto", "dlink-time-opt", "gen-opt-lto", "optix-ir", "ltoir", NULL};
    static const char *const needless[] = {"minimal", "pch", "no-cache", "device-int128", NULL};
    static const char *const needless_values[] = {"builtin-move-forward",
                                                  "builtin-initializer-list",
                                                  "version-ident",
                                                  "create-pch",
                                                  "use-pch",
                                                  "pch-dir",
                                                  "pch-verbose",
                                                  "pch-messages",
                                                  "modify-stack-limit",
                                                  "instantiate-templates-in-pch",
                                                  NULL};
    for (int i = 0; i < n; i++) {
        const char *code = code_of(options[i], i + 1 < n ? options[i + 1] : NULL);
        if (code) c->arch = code;
        if (is_one(options[i], refused))
            return fail(c->program, NVRTC_ERROR_INVALID_OPTION,
                        "nvrtc: error: %s: Warpglass makes PTX, and no code for NVIDIA's linker or OptiX",
                        options[i]);
        if (is_one(options[i], device))
            c->default_device = !strstr(options[i], "=false");
        else if (is_one(options[i], no_folder))
            c->without_folder = !strstr(options[i], "=false");
        else if (is_one(options[i], needless_values))
            i += !strchr(options[i], '=');
        else if (!is_one(options[i], needless))
            add_word(c, options[i]);
    }
    return NVRTC_SUCCESS;
}

/* ---- Files ----------------------------------------------------------------------------------------------
 */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where) {
    (void)st, (void)kind, (void)where;
    remove(path);
    return 0;
}

/* The folders above a file. False with errno set. */
static bool make_folders(char *path, size_t from) {
    for (char *slash = strchr(path + from, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        bool good = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!good) return false;
    }
    return true;
}

/* Whether a header's name stays in the folder: at most DEEP "..", all at its beginning. */
static bool stays_inside(const char *name) {
    int up = 0;
    for (; !strncmp(name, "../", 3); name += 3) up++;
    return *name && *name != '/' && up <= DEEP && !strstr(name, "/../") && strcmp(name, "..") != 0;
}

static nvrtcResult write_headers(struct compilation *c) {
    for (uint32_t i = 0; i < c->program->headers.n; i++) {
        const struct wg_rtc_header *h = &c->program->headers.v[i];
        struct wg_strbuf path = {0};
        if (!stays_inside(h->name))
            return fail(
                c->program, NVRTC_ERROR_INVALID_INPUT,
                "nvrtc: error: the header's name '%s' is an absolute path, or leads up more than %d folders",
                h->name, DEEP);
        wg_strbuf_printf(&path, "%s/" HEADERS "/%s", c->folder, h->name);
        bool good =
            make_folders(path.s, strlen(c->folder) + 1) && wg_file_write(path.s, h->text, strlen(h->text));
        wg_strbuf_free(&path);
        if (!good)
            return fail(c->program, NVRTC_ERROR_BUILTIN_OPERATION_FAILURE,
                        "nvrtc: error: cannot write %s: %s", h->name, strerror(errno));
    }
    return NVRTC_SUCCESS;
}

static bool write_source(const struct compilation *c, const char *path) {
    struct wg_strbuf text = {0};
    const struct _nvrtcProgram *p = c->program;
    if (c->default_device) wg_strbuf_puts(&text, "#pragma clang force_cuda_host_device begin\n");
    wg_strbuf_puts(&text, "#include <assert.h>\n#line 1 "); /* NVRTC has assert by itself */
    wg_strbuf_json(&text, p->name);
    wg_strbuf_printf(&text, "\n%s\n", p->source);
    if (c->default_device) wg_strbuf_puts(&text, "\n#pragma clang force_cuda_host_device end\n");
    wg_rtc_names_ask(p, &text);
    bool good = wg_file_write(path, text.s, text.n);
    wg_strbuf_free(&text);
    return good;
}

/* ---- The compiler ---------------------------------------------------------------------------------------
 */

/* This library lies in lib/warpglass/, the command in bin/. */
static bool find_command(struct compilation *c) {
    Dl_info own;
    char real[PATH_MAX];
    if (!dladdr((void *)find_command, &own) || !realpath(own.dli_fname, real)) return false;
    wg_strbuf_puts(&c->here, dirname(real));
    wg_strbuf_printf(&c->command, "%s/../../bin/warpglass", c->here.s);
    return access(c->command.s, X_OK) == 0;
}

static void add_words(struct compilation *c, const char *source) {
    char name[PATH_MAX], word[PATH_MAX + 16];
    static const char *const own[] = {"-ptx", "-x", "cu", "-D__CUDACC_RTC__=1"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) add_word(c, own[i]);
    snprintf(word, sizeof word, "-I%s/" HEADERS, c->folder);
    add_word(c, word);
    snprintf(word, sizeof word, "-I%s/include/warpglass/rtc", c->here.s);
    add_word(c, word);
    if (!c->without_folder) {
        snprintf(name, sizeof name, "%s", c->program->name);
        snprintf(word, sizeof word, "-I%s", dirname(name));
        add_word(c, word);
    }
    add_word(c, "-o");
    add_word(c, c->ptx.s);
    add_word(c, source);
    *WG_PUSH(&c->words) = NULL;
}

static void replace_all(struct wg_strbuf *text, const char *what, const char *by) {
    struct wg_strbuf out = {0};
    const char *from = text->s ? text->s : "", *at;
    for (; (at = strstr(from, what)); from = at + strlen(what)) {
        wg_strbuf_add(&out, from, (size_t)(at - from));
        wg_strbuf_puts(&out, by);
    }
    wg_strbuf_puts(&out, from);
    wg_strbuf_free(text);
    *text = out;
}

/* The folder has another name each time; what the program sees has the names that it gave, and is the same each time, so that
 * the code made of it is found in the cache. */
static void forget_folder(const struct compilation *c, struct wg_strbuf *text) {
    struct wg_strbuf path = {0};
    wg_strbuf_printf(&path, "%s/" HEADERS "/", c->folder);
    replace_all(text, path.s, "");
    wg_strbuf_free(&path);
    wg_strbuf_printf(&path, "%s/program.cu", c->folder);
    replace_all(text, path.s, c->program->name);
    wg_strbuf_free(&path);
}

static nvrtcResult run(struct compilation *c) {
    nvrtcProgram p = c->program;
    int status = wg_command_status(c->words.v, "", 0, 0, &p->log);
    forget_folder(c, &p->log);
    if (status == OPTIONS_WRONG) return NVRTC_ERROR_INVALID_OPTION;
    p->tried = true;
    if (status == 1) return NVRTC_ERROR_COMPILATION;
    if (status != 0)
        return fail(p, NVRTC_ERROR_INTERNAL_ERROR, "nvrtc: error: %s ended with status %d", c->command.s,
                    status);
    if (!wg_file_read(c->ptx.s, &p->ptx))
        return fail(p, NVRTC_ERROR_INTERNAL_ERROR, "nvrtc: error: %s wrote no PTX", c->command.s);
    forget_folder(c, &p->ptx);
    if (!wg_rtc_names_read(p))
        return fail(p, NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID,
                    "nvrtc: error: a name expression is no function's or variable's address");
    if (c->arch) wg_fat_binary_add(&p->cubin, WG_FAT_PTX, c->arch, p->ptx.s, p->ptx.n);
    return NVRTC_SUCCESS;
}

static nvrtcResult compile_in_folder(struct compilation *c) {
    struct wg_strbuf source = {0};
    nvrtcResult result = write_headers(c);
    wg_strbuf_printf(&source, "%s/program.cu", c->folder);
    wg_strbuf_printf(&c->ptx, "%s/program.ptx", c->folder);
    if (!result && !write_source(c, source.s))
        result = fail(c->program, NVRTC_ERROR_BUILTIN_OPERATION_FAILURE, "nvrtc: error: cannot write %s: %s",
                      source.s, strerror(errno));
    if (!result) add_words(c, source.s);
    if (!result) result = run(c);
    nftw(c->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    wg_strbuf_free(&source);
    return result;
}

nvrtcResult wg_rtc_compile(nvrtcProgram p, int option_count, const char *const *options) {
    const char *temporary = getenv("TMPDIR");
    struct compilation c = {.program = p};
    nvrtcResult result = NVRTC_SUCCESS;
    snprintf(c.folder, sizeof c.folder, "%s/warpglass-rtc.XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    if (!find_command(&c)) {
        result = fail(p, NVRTC_ERROR_INTERNAL_ERROR, "nvrtc: error: there is no command %s to compile with",
                      c.command.s ? c.command.s : "warpglass");
    } else {
        add_word(&c, "/usr/bin/env");
        add_word(&c, "WARPGLASS_RTC=1"); /* of jit/llvm/dialect.cc */
        add_word(&c, c.command.s);
        add_word(&c, "nvcc");
        result = read_options(&c, option_count, options);
    }
    if (!result && !mkdtemp(c.folder))
        result = fail(p, NVRTC_ERROR_BUILTIN_OPERATION_FAILURE, "nvrtc: error: cannot make a folder %s: %s",
                      c.folder, strerror(errno));
    if (!result) result = compile_in_folder(&c);
    for (uint32_t i = 0; i < c.words.n; i++) free(c.words.v[i]);
    free(c.words.v);
    wg_strbuf_free(&c.here);
    wg_strbuf_free(&c.command);
    wg_strbuf_free(&c.ptx);
    return result;
}
