/* `warpglass info`: what is modelled, and what was found on this machine. For a person, 80 columns wide. */
#include "analysis/plan.h"
#include "base/thread.h"
#include "base/cache_dir.h"
#include "base/private.h"
#include "base/cpu.h"
#include "cli/commands.h"
#include "cli/dialect.h"
#include "cli/info.h"
#include "cli/job.h"
#include "cli/layout.h"
#include "cli/say.h"
#include "cli/terminal.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void print_devices(void) {
    size_t n;
    const struct wg_chip *chips = wg_chip_list(&n);
    printf("Devices (--arch takes either name; * is the default)\n   %-8s %-34s %4s %10s %8s %8s\n", "arch",
           "chip", "SMs", "shared KB", "cluster", "memory");
    for (size_t i = 0; i < n; i++) {
        const struct wg_chip *c = &chips[i];
        char cluster[8] = "-";
        if (c->limits->cluster_max) snprintf(cluster, sizeof cluster, "%u", c->limits->cluster_max);
        printf(" %c %-8s %-34s %4u %10u %8s %5.0f GB\n", c == wg_job_chip(NULL) ? '*' : ' ', c->arch, c->name,
               c->sms, c->limits->shared_optin / 1024, cluster, (double)c->memory_bytes / (1 << 30));
    }
}

/* "AMD EPYC 9B14" of /proc/cpuinfo. */
static void print_cpu_name(void) {
    static const char key[] = "model name\t: ";
    struct wg_strbuf text = {0};
    const char *at = wg_file_read("/proc/cpuinfo", &text) && text.s ? strstr(text.s, key) : NULL;
    if (at) printf("  %-9s %.*s\n", "CPU", (int)strcspn(at + sizeof key - 1, "\n"), at + sizeof key - 1);
    wg_strbuf_free(&text);
}

static void print_machine(void) {
    uint32_t bits = wg_cpu_vector_bits();
    printf("\nThis machine\n");
    print_cpu_name();
    printf("  %-9s %s, %u bits wide\n", "vectors",
           bits == 512   ? "AVX-512"
           : bits == 256 ? "AVX2"
                         : "SSE4.2",
           bits);
    printf("  %-9s %u, one per available CPU\n", "threads", wg_cpus());
    if (access("/proc/self/stat", R_OK) != 0)
        printf("  %-9s not mounted: free memory is what the host does not use at all, and host code of\n"
               "  %-9s executables has no lines in findings\n",
               "/proc", "");
}

static void print_compiler(const char *name, enum wg_compiler compiler, const char *without) {
    struct wg_toolchain t;
    struct wg_strbuf version = {0};
    if (wg_toolchain_look(&t, compiler)) {
        wg_toolchain_version(&t, &version);
        printf("  %-9s %s\n  %-9s %s\n", name, t.path.s, "", version.n ? version.s : "reports no version");
        if (compiler == WG_COMPILER_CLANG && !wg_dialect_has_passes(t.path.s))
            printf("  %-9s not of LLVM %s, with which Warpglass is built: in device code,\n  %-9s "
                   "conversions of out-of-range numbers behave as in clang\n",
                   "", WG_LLVM_TOOLS, "");
    } else {
        printf("  %-9s not found; %s\n", name, without);
    }
    wg_strbuf_free(&version);
    wg_toolchain_free(&t);
}

static unsigned long long cache_files, cache_bytes;

static int count_file(const char *path, const struct stat *st, int kind, struct FTW *where) {
    (void)path, (void)where;
    if (kind == FTW_F) cache_files++, cache_bytes += (unsigned long long)st->st_size;
    return 0;
}

static void print_cache(void) {
    const char *cache = wg_cache_name();
    printf("\nCache of compiled programs and kernels\n");
    if (!cache) {
        printf("  none (WARPGLASS_CACHE_DIR, or no HOME)\n");
        return;
    }
    struct stat st;
    if (stat(cache, &st) == 0 && !S_ISDIR(st.st_mode)) {
        printf("  %s\n  a file, not a folder: nothing is cached\n", cache);
        return;
    }
    struct wg_strbuf real = {0}, why = {0};
    if (!wg_private_folder(cache, &real, &why) && why.s) {
        printf("  %s\n  not used, and nothing is cached: %s\n", cache, why.s);
        wg_strbuf_free(&why);
        return;
    }
    wg_strbuf_free(&real);
    nftw(cache, count_file, 16, FTW_PHYS);
    printf("  %s\n  %llu files, %.1f MB", cache, cache_files, (double)cache_bytes / 1e6);
    if (access(cache, F_OK) != 0)
        printf(": does not exist yet");
    else if (access(cache, W_OK) != 0)
        printf(": not writable");
    printf("\n");
}

static bool print_libraries(void) {
    static const char *const names[] = {"libcudart.so.13", "libcuda.so.1", "libwarpglass-codegen.so",
                                        "include/cuda_runtime.h"};
    bool all = true;
    printf("\nLibraries and headers\n  %s\n", wg_layout_libraries());
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct wg_strbuf path = {0};
        wg_strbuf_printf(&path, "%s/%s", wg_layout_libraries(), names[i]);
        bool there = access(path.s, R_OK) == 0;
        printf("    %s%s\n", names[i], there ? "" : "   MISSING");
        all = all && there;
        wg_strbuf_free(&path);
    }
    return all;
}

static void print_moves(uint8_t moves) {
    static const char *const words[] = {"hoists",      "sinks",      "joins",  "widens",
                                        "interleaves", "privatizes", "replays"};
    printf("  moves  %s", moves ? "" : "nothing");
    for (uint32_t i = 0, any = 0; i < sizeof words / sizeof *words; i++)
        if (moves >> i & 1) printf("%s%s", any++ ? ", " : "", words[i]);
    printf("\n");
}

static void print_forms(void) {
    printf("Ways to run a kernel faster than instruction by instruction. --opt 2,-NAME turns one off.\n");
    for (uint32_t f = 0; f < WG_FORMS; f++) {
        const struct wg_form_info *x = wg_form_info(f);
        printf("\n%s: %s, from level %u\n  gain   %s\n  legal  %s\n", x->name, x->term, x->level, x->gain,
               x->legal);
        print_moves(x->moves);
        printf("  scope  ");
        for (const char *c = x->scope; *c; c++) putchar(*c - 'A' + 'a');
        printf("\n");
    }
}

int wg_command_info(const struct wg_cmdline *c) {
    if (wg_cmdline_has(c, WG_CLI_FILE) || *c->program_args) {
        wg_say("info takes no file argument");
        return 2;
    }
    if (wg_cmdline_has(c, WG_CLI_FORMS)) {
        print_forms();
        return wg_terminal_print(&(struct wg_strbuf){0}) ? 0 : 1;
    }
    printf("Warpglass " WG_VERSION "\n\n");
    print_devices();
    print_machine();
    printf("\nCompilers\n");
    print_compiler("clang", WG_COMPILER_CLANG, "CUDA source cannot be compiled: apt-get install clang-19");
    print_compiler("nvcc", WG_COMPILER_NVCC, "needed only for --compiler nvcc");
    wg_info_mpi();
    print_cache();
    bool all = print_libraries();
    return wg_terminal_print(&(struct wg_strbuf){0}) && all ? 0 : 1;
}
