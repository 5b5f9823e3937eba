/* The compilers on this machine: see toolchain.h. */
#include "cli/toolchain.h"
#include "base/command.h"
#include "cli/layout.h"
#include "cli/process.h"
#include "cli/say.h"

#include <stdlib.h>
#include <string.h>

enum { OLDEST_CLANG = 19 };

void wg_toolchain_version(const struct wg_toolchain *t, struct wg_strbuf *out) {
    const char *scratch = wg_layout_scratch();
    if (!scratch) return;
    struct wg_strbuf path = {0}, text = {0};
    struct wg_args a = {0};
    wg_strbuf_printf(&path, "%s/version", scratch);
    wg_args_add(&a, t->path.s);
    wg_args_add(&a, "--version");
    struct wg_process p = {.argv = a.v, .stdout_path = path.s, .stderr_path = path.s};
    if (wg_process_run(&p) == 0 && wg_file_read(path.s, &text)) {
        /* clang's first line; nvcc's is the one that begins with "Cuda compilation tools". */
        const char *line = strstr(text.s, "Cuda compilation tools");
        if (!line) line = text.s;
        wg_strbuf_add(out, line, strcspn(line, "\n"));
    }
    wg_args_free(&a);
    wg_strbuf_free(&text);
    wg_strbuf_free(&path);
}

/* 19 of "Debian clang version 19.1.7 (3~deb12u1)"; 0 when there is no such number. */
static int clang_version(const struct wg_toolchain *t) {
    struct wg_strbuf text = {0};
    int version = 0;
    wg_toolchain_version(t, &text);
    const char *number = text.s ? strstr(text.s, "clang version ") : NULL;
    if (number) version = atoi(number + strlen("clang version "));
    wg_strbuf_free(&text);
    return version;
}

static bool look_for_clang(struct wg_toolchain *t) {
    static const char *const names[] = {"clang++-19", "clang++-20", "clang++-21", "clang++"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!wg_command_find(names[i], &t->path)) continue;
        /* A name with its version is believed; the plain one may be anything. */
        if (strchr(names[i], '-') || clang_version(t) >= OLDEST_CLANG) return true;
        wg_strbuf_free(&t->path);
    }
    return false;
}

/* One that is not Warpglass under its name. */
static bool look_for_nvcc(struct wg_toolchain *t) {
    const char *home = getenv("CUDA_HOME");
    struct wg_strbuf name = {0};
    bool found = wg_command_find_foreign("nvcc", &t->path);
    if (!found && home) {
        wg_strbuf_printf(&name, "%s/bin/nvcc", home);
        found = wg_command_find_foreign(name.s, &t->path);
        wg_strbuf_free(&name);
    }
    return found || wg_command_find_foreign("/usr/local/cuda/bin/nvcc", &t->path);
}

static const char *const variables[] = {"WARPGLASS_CLANG", "WARPGLASS_NVCC"};

bool wg_toolchain_look(struct wg_toolchain *t, enum wg_compiler compiler) {
    const char *own = getenv(variables[compiler]);
    *t = (struct wg_toolchain){.compiler = compiler};
    if (own && *own) return wg_command_find(own, &t->path);
    return compiler == WG_COMPILER_CLANG ? look_for_clang(t) : look_for_nvcc(t);
}

bool wg_toolchain_find(struct wg_toolchain *t, enum wg_compiler compiler) {
    const char *own = getenv(variables[compiler]);
    if (wg_toolchain_look(t, compiler)) return true;
    if (own && *own)
        wg_say("%s is %s, which does not exist", variables[compiler], own);
    else if (compiler == WG_COMPILER_CLANG)
        wg_say("no clang %d or later in PATH to compile CUDA source with. On Debian: apt-get install "
               "clang-19 g++; "
               "elsewhere set WARPGLASS_CLANG to a clang++",
               OLDEST_CLANG);
    else
        wg_say("no nvcc in PATH, CUDA_HOME or /usr/local/cuda. Without --compiler nvcc, clang is used, "
               "which needs no NVIDIA software; or set WARPGLASS_NVCC");
    return false;
}

void wg_toolchain_free(struct wg_toolchain *t) { wg_strbuf_free(&t->path); }
