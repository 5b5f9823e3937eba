/* `warpglass occupancy`: how many blocks of a kernel one SM holds, what limits it, and what to change. Of a
 * shape that the options give, or of every kernel of files. */
#include "cli/commands.h"
#include "cli/say.h"
#include "cli/shape.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The command line
 * -------------------------------------------------------------------------------------- */

static bool whole_number(const char *spelling, const char *text, uint64_t least, uint64_t most, uint64_t *n) {
    char *end;
    bool digits = *text >= '0' && *text <= '9';
    *n = digits ? strtoull(text, &end, 10) : 0;
    if (digits && !*end && *n >= least && *n <= most) return true;
    wg_say("%s %s: expected a whole number from %llu to %llu", spelling, text, (unsigned long long)least,
           (unsigned long long)most);
    return false;
}

/* 4096, 48K, 48KB, 48k: bytes. */
static bool size(const char *text, uint64_t *bytes) {
    char *end;
    bool digits = *text >= '0' && *text <= '9';
    *bytes = digits ? strtoull(text, &end, 10) : 0;
    if (digits && (*end == 'K' || *end == 'k')) {
        *bytes *= 1024;
        end++;
        if (*end == 'B' || *end == 'b') end++;
    }
    if (digits && !*end && *bytes < 1u << 30) return true;
    wg_say("--shared %s: expected bytes, such as 4096, or kilobytes, such as 48K", text);
    return false;
}

struct asked {
    const struct wg_chip *chip;
    uint64_t threads, registers, shared, cluster, barriers, grid; /* 0: not given, but registers */
    bool registers_given;
};

static bool check_cluster(const struct asked *a) {
    const struct wg_limits *l = a->chip->limits;
    if (a->cluster > 1 && !l->cluster_max) {
        wg_say("--cluster %llu: %s (%s) has no clusters; sm_90 and later do", (unsigned long long)a->cluster,
               a->chip->name, a->chip->arch);
        return false;
    }
    if (a->cluster > 1 && a->cluster > l->cluster_max) {
        wg_say("--cluster %llu: a cluster of %s (%s) has at most %u blocks, %u by default",
               (unsigned long long)a->cluster, a->chip->name, a->chip->arch, l->cluster_max,
               l->cluster_portable);
        return false;
    }
    if (a->cluster && a->grid % a->cluster) {
        wg_say("--blocks %llu: not a multiple of the cluster's %llu blocks", (unsigned long long)a->grid,
               (unsigned long long)a->cluster);
        return false;
    }
    return true;
}

/* 0, or an exit status after a message. */
static int read_options(struct asked *a, const struct wg_cmdline *c) {
    const struct {
        enum wg_option option;
        uint64_t least, most, *n;
    } numbers[] = {{WG_CLI_BLOCK_THREADS, 1, WG_CHIP_BLOCK_THREADS, &a->threads},
                   {WG_CLI_THREAD_REGISTERS, 1, 255, &a->registers},
                   {WG_CLI_CLUSTER, 1, 32, &a->cluster},
                   {WG_CLI_BARRIERS, 1, 16, &a->barriers},
                   {WG_CLI_GRID, 1, (uint64_t)1 << 40, &a->grid}};
    const char *shared = wg_cmdline_value(c, WG_CLI_BLOCK_SHARED);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (uint32_t k = 0; k < c->items.n; k++) {
            const struct wg_item *item = &c->items.v[k];
            if (item->option == numbers[i].option &&
                !whole_number(item->spelling, item->value, numbers[i].least, numbers[i].most, numbers[i].n))
                return 2;
        }
    a->registers_given = a->registers != 0;
    if (shared && !size(shared, &a->shared)) return 2;
    if (!(a->chip = wg_job_chip(wg_cmdline_value(c, WG_CLI_ARCH)))) return 2;
    return check_cluster(a) ? 0 : 2;
}

/* ---- Shapes
 * ------------------------------------------------------------------------------------------------ */

const uint32_t wg_shape_sizes[] = {32,  64,  96,  128, 160, 192, 224,  256, 320,
                                   384, 448, 512, 640, 768, 896, 1024, 0};

/* What no launch could ask for is the user's mistake, not a kernel without occupancy. */
static bool check_shared(const struct wg_shape *s) {
    const struct wg_limits *l = s->chip->limits;
    if (s->k.shared <= l->shared_optin) return true;
    wg_say("%s%s%llu bytes of shared memory per block%s: a block of %s (%s) can have %u",
           s->kernel ? s->kernel->display : "", s->kernel ? ": " : "", (unsigned long long)s->k.shared,
           s->kernel && s->dynamic_shared ? ", static and dynamic" : "", s->chip->name, s->chip->arch,
           l->shared_optin);
    return false;
}

static struct wg_shape shape_of(const struct asked *a, const struct wg_kernel *kernel) {
    struct wg_shape s = {.chip = a->chip,
                         .kernel = kernel,
                         .k = {.registers = (uint32_t)a->registers,
                               .shared = a->shared,
                               .threads = (uint32_t)a->threads,
                               .barriers = (uint32_t)a->barriers},
                         .dynamic_shared = a->shared,
                         .cluster = a->cluster ? (uint32_t)a->cluster : 1,
                         .grid = a->grid,
                         .most = WG_CHIP_BLOCK_THREADS};
    if (!kernel) return s;
    s.k.shared += kernel->shared;
    s.most = kernel->most;
    if (!a->registers_given) s.k.registers = kernel->registers;
    if (!a->barriers) s.k.barriers = kernel->barriers;
    if (!a->cluster && kernel->cluster) s.cluster = kernel->cluster;
    if (!a->threads) {
        uint32_t blocks;
        s.best = !kernel->exactly;
        s.k.threads = kernel->exactly;
        if (s.best) s.k.threads = wg_occupancy_best_block(a->chip->limits, &s.k, s.most, NULL, NULL, &blocks);
        if (!s.k.threads) s.k.threads = s.most;
    }
    return s;
}

static bool check_threads(const struct wg_shape *s) {
    const struct wg_kernel *k = s->kernel;
    if (k->exactly && s->k.threads != k->exactly)
        wg_say("--threads %u: %s runs with exactly %u threads per block", s->k.threads, k->display,
               k->exactly);
    else if (s->k.threads > k->most)
        wg_say("--threads %u: %s has at most %u threads per block (__launch_bounds__)", s->k.threads,
               k->display, k->most);
    else
        return true;
    return false;
}

static int print(const struct wg_cmdline *c, const struct wg_shape *shapes, size_t n) {
    struct wg_strbuf text = {0};
    if (wg_cmdline_has(c, WG_CLI_OCCUPANCY_JSON))
        wg_shapes_json(shapes, n, &text);
    else
        for (size_t i = 0; i < n; i++) {
            if (i) wg_strbuf_puts(&text, "\n");
            wg_shape_text(&shapes[i], &text);
        }
    return wg_terminal_finish(&text);
}

static int of_files(const struct wg_cmdline *c, const struct asked *a) {
    struct wg_kernels kernels;
    WG_VEC(struct wg_shape) shapes = {0};
    int status = wg_kernels_read(&kernels, c, a->chip);
    if (!status && !kernels.list.n) {
        wg_say(
            "%s: it has no kernel (the compiler drops a static __global__ function that is never launched, "
            "and a template has none until it is launched)",
            wg_cmdline_value(c, WG_CLI_FILE));
        status = 1;
    }
    for (uint32_t i = 0; i < kernels.list.n && !status; i++) {
        struct wg_shape s = shape_of(a, &kernels.list.v[i]);
        if (!check_shared(&s) || (a->threads && !check_threads(&s))) status = 2;
        *WG_PUSH(&shapes) = s;
    }
    if (!status) status = print(c, shapes.v, shapes.n);
    free(shapes.v);
    wg_kernels_free(&kernels);
    return status;
}

int wg_command_occupancy(const struct wg_cmdline *c) {
    struct asked a = {0};
    int status = read_options(&a, c);
    if (status) return status;
    if (wg_cmdline_has(c, WG_CLI_FILE)) return of_files(c, &a);
    if (!a.threads || !a.registers) {
        wg_say("give --threads N (per block) and --registers N (per thread; nvcc -Xptxas -v prints it), or "
               "a file, FILE.cu or FILE.ptx, for all of its kernels");
        return 2;
    }
    struct wg_shape s = shape_of(&a, NULL);
    return check_shared(&s) ? print(c, &s, 1) : 2;
}
