/* Registers per thread: the number that NVIDIA's assembler gives for a kernel, where it is installed, else an
 * estimate; and which blocks fit a device's register file with it.
 *
 * Used by a kernel's attributes (func.c) and its launches (launch.c); analysis/ has both sources. The
 * assembler is slow, so it runs only when a program queries the number, and for a launch whose validity may
 * depend on it. A launch is refused for what the assembler says, never for an estimate: that is only a doubt,
 * which is reported.
 */
#include "analysis/ptxas.h"
#include "analysis/registers.h"
#include "machine/module.h"
#include "model/occupancy.h"

#include <stdio.h>

/* A program does not wait longer than this for the number. */
enum { SECONDS_AT_MOST = 10 };
/* The estimate of nine in ten kernels is less than half off. */
static uint32_t at_the_most(const struct wg_func *f) {
    const struct wg_limits *l = f->module->dev->chip->limits;
    uint32_t n = f->estimate * 3 / 2;
    return n < l->regs_per_thread ? n : l->regs_per_thread;
}

struct wg_registers wg_func_registers_now(const struct wg_func *f) {
    uint32_t assembled = atomic_load(&f->assembled), n = assembled ? assembled : f->estimate;
    return (struct wg_registers){n < f->least ? f->least : n, assembled != 0};
}

struct wg_registers wg_func_registers(struct wg_func *f) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const struct wg_module *m = f->module;
    struct wg_ptxas_figures figures;
    struct wg_strbuf said = {0};
    pthread_mutex_lock(&lock);
    if (!f->asked && m->ptx) {
        wg_ptxas_ask(m->ptx, m->dev->chip->arch, &f->ir->name, 1, SECONDS_AT_MOST, &said);
        if (wg_ptxas_look(said.s, f->ir->name, &figures)) atomic_store(&f->assembled, figures.registers);
        wg_strbuf_free(&said);
    }
    f->asked = true;
    pthread_mutex_unlock(&lock);
    return wg_func_registers_now(f);
}

static bool fits(const struct wg_func *f, uint32_t registers, uint32_t threads) {
    struct wg_occupancy_kernel k = {.registers = registers, .threads = threads};
    return wg_occupancy(f->module->dev->chip->limits, &k).by_registers > 0;
}

static uint32_t greatest(const struct wg_func *f, uint32_t registers, uint32_t bound) {
    while (bound > WG_CHIP_WARP && !fits(f, registers, bound))
        bound = (bound - 1) / WG_CHIP_WARP * WG_CHIP_WARP;
    return bound;
}

uint32_t wg_func_max_threads(struct wg_func *f) {
    struct wg_registers r = wg_func_registers(f);
    return r.known ? greatest(f, r.n, f->bound) : f->bound;
}

enum wg_status wg_registers_check(struct wg_func *f, uint32_t threads) {
    if (fits(f, at_the_most(f), threads)) return WG_OK;
    struct wg_registers r = wg_func_registers(f);
    if (!r.known || fits(f, r.n, threads)) return WG_OK;
    return wg_fail(WG_OUT_OF_RESOURCES,
                   "%u threads per block need %u registers each, according to ptxas: at most %u threads fit",
                   threads, r.n, greatest(f, r.n, f->bound));
}

bool wg_launch_doubt(const struct wg_launch *l, char *why, size_t size) {
    const struct wg_func *f = l->func;
    const struct wg_chip *chip = f->module->dev->chip;
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    struct wg_registers r = wg_func_registers_now(f);
    struct wg_occupancy_kernel k = {
        .registers = r.n, .shared = f->ir->shared_bytes + l->dynamic_shared, .threads = threads};
    if (r.known) return false;
    if (!fits(f, r.n, threads)) {
        snprintf(
            why, size,
            "%u threads per block may be too many for %s: with %u registers a thread, which is an estimate, "
            "at most %u would fit. It runs here anyway",
            threads, chip->name, r.n, greatest(f, r.n, f->bound));
        return true;
    }
    uint64_t room = (uint64_t)wg_occupancy(chip->limits, &k).blocks * chip->sms;
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    if (!l->cooperative || blocks <= room) return false;
    snprintf(why, size,
             "a cooperative launch of %llu blocks may be too large for %s: with %u registers a thread, which "
             "is an estimate, %llu of them would run at once. It runs here anyway",
             (unsigned long long)blocks, chip->name, r.n, (unsigned long long)room);
    return true;
}
