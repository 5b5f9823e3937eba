/* Kernel attributes, and the occupancy computed from them. */
#include "base/mangled.h"
#include "analysis/registers.h"
#include "machine/module.h"
#include "machine/worker.h"
#include "model/occupancy.h"
#include "warp/device_runtime.h"
#include <stdlib.h>
#include <string.h>

static uint32_t product(const uint32_t d[3]) {
    uint32_t n = 1;
    for (int i = 0; i < 3; i++)
        if (d[i]) n *= d[i];
    return n;
}

/* The greatest block by the kernel's own bounds. */
static uint32_t bound(const struct wg_ir_func *ir) {
    uint32_t most = ir->reqntid[0]   ? product(ir->reqntid)
                    : ir->maxntid[0] ? product(ir->maxntid)
                                     : UINT32_MAX;
    return most < WG_CHIP_BLOCK_THREADS ? most : WG_CHIP_BLOCK_THREADS;
}

void wg_func_info(const struct wg_func *f, struct wg_func_info *out) {
    const struct wg_ir_func *ir = f->ir;
    memset(out, 0, sizeof *out);
    out->name = ir->name;
    out->params = ir->params;
    out->nparams = ir->nparams;
    out->param_bytes = ir->param_bytes;
    out->shared_static = ir->shared_bytes;
    out->local_bytes = ir->local_bytes;
    out->const_bytes = (uint32_t)f->module->ir->const_bytes;
    out->bound = f->bound;
    memcpy(out->maxntid, ir->maxntid, sizeof out->maxntid);
    memcpy(out->reqntid, ir->reqntid, sizeof out->reqntid);
    out->cluster_required = ir->reqnctapercluster[0] != 0;
    out->max_cluster_rank = ir->maxclusterrank;
    out->ptx_version = (uint16_t)f->module->ir->ptx_version;
    out->sm = (uint16_t)f->module->ir->sm;
    pthread_mutex_lock(&f->module->lock);
    memcpy(out->cluster, ir->reqnctapercluster[0] ? ir->reqnctapercluster : f->cluster, sizeof out->cluster);
    out->dynamic_shared_max = f->dynamic_shared_max;
    out->nonportable_cluster = f->nonportable_cluster;
    out->carveout = f->carveout;
    pthread_mutex_unlock(&f->module->lock);
}

/* Of the device runtime: calls that only ask for something, as cudaGetLastError does, launch nothing. */
static bool is_question(const struct wg_ir_call *c) {
    if (c->builtin != WG_B_device_runtime || c->args[0].value.kind != WG_O_IMM) return false;
    uint64_t what = c->args[0].value.imm;
    return what <= WG_RUNTIME_ERROR || what >= WG_RUNTIME_DEVICE;
}

static bool launches(const struct wg_ir_func *f) {
    const uint32_t calls =
        1u << WG_B_device_runtime | 1u << WG_B_launch_device | 1u << WG_B_launch_device_ptsz;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (in->op == WG_OP_CALL && calls >> in->call->builtin & 1 && !is_question(in->call)) return true;
        }
    return false;
}

static bool may_launch(const struct wg_ir_module *m, uint32_t func) {
    bool *reached = wg_ir_reached(m, func), may = false;
    for (uint32_t k = 0; k < m->nfuncs && !may; k++) may = reached[k] && launches(&m->funcs[k]);
    free(reached);
    return may;
}

bool wg_func_may_launch(struct wg_func *f) {
    enum { UNKNOWN, NO, YES };
    uint8_t known = atomic_load_explicit(&f->launches, memory_order_relaxed);
    if (known == UNKNOWN) {
        known = may_launch(f->module->ir, f->index) ? YES : NO;
        atomic_store_explicit(&f->launches, known, memory_order_relaxed);
    }
    return known == YES;
}

void wg_func_init(struct wg_func *f) {
    f->estimate = wg_registers_estimate(f->module->ir, f->index);
    f->least = wg_ir_makes_system_calls(f->module->ir, f->index) ? WG_SYSTEM_CALL_REGISTERS : 0;
    f->bound = bound(f->ir);
}

static enum wg_status set(struct wg_func *f, enum wg_func_attr a, int64_t value) {
    const struct wg_limits *limits = f->module->dev->chip->limits;
    switch (a) {
    case WG_FUNC_DYNAMIC_SHARED:
        if (value < 0 || (uint64_t)value + f->ir->shared_bytes > limits->shared_optin)
            return wg_fail(
                WG_INVALID_VALUE,
                "kernel '%s': %lld bytes of dynamic shared memory and %u static; a block can have %u",
                f->ir->name, (long long)value, f->ir->shared_bytes, limits->shared_optin);
        f->dynamic_shared_max = (uint32_t)value;
        return WG_OK;
    case WG_FUNC_NONPORTABLE_CLUSTER:
        if (!limits->cluster_portable) return wg_fail(WG_NOT_SUPPORTED, "this device has no clusters");
        f->nonportable_cluster = value != 0;
        return WG_OK;
    case WG_FUNC_CARVEOUT:
        if (value < -1 || value > 100)
            return wg_fail(WG_INVALID_VALUE, "a carveout of %lld percent", (long long)value);
        f->carveout = (int32_t)value;
        return WG_OK;
    case WG_FUNC_CLUSTER_X:
    case WG_FUNC_CLUSTER_Y:
    case WG_FUNC_CLUSTER_Z:
        if (f->ir->reqnctapercluster[0])
            return wg_fail(WG_NOT_SUPPORTED, "kernel '%s' was compiled with a fixed cluster size",
                           f->ir->name);
        if (value < 0 || value > limits->cluster_max)
            return wg_fail(WG_INVALID_VALUE, "a cluster of %lld blocks", (long long)value);
        f->cluster[a - WG_FUNC_CLUSTER_X] = (uint32_t)value;
        return WG_OK;
    }
    return wg_fail(WG_INVALID_VALUE, "no such attribute of a function");
}

enum wg_status wg_func_set(struct wg_func *f, enum wg_func_attr a, int64_t value) {
    pthread_mutex_lock(&f->module->lock);
    enum wg_status status = set(f, a, value);
    pthread_mutex_unlock(&f->module->lock);
    return status;
}

/* ---- occupancy ---- */

static struct wg_occupancy_kernel kernel_of(struct wg_func *f, uint32_t threads, uint64_t dynamic_shared) {
    return (struct wg_occupancy_kernel){.registers = wg_func_registers(f).n,
                                        .shared = f->ir->shared_bytes + dynamic_shared,
                                        .threads = threads};
}

enum wg_status wg_func_occupancy(struct wg_func *f, uint32_t threads, size_t dynamic_shared,
                                 uint32_t *blocks) {
    struct wg_occupancy_kernel k = kernel_of(f, threads, dynamic_shared);
    if (threads == 0) return wg_fail(WG_INVALID_VALUE, "blocks with no threads");
    /* Only a launch asks for the kernel's own bounds: CUDA answers here as if it had none. */
    struct wg_occupancy o = wg_occupancy(f->module->dev->chip->limits, &k);
    *blocks = o.blocks;
    /* One block, where it is an estimate that lets none in: it would be launched. */
    if (!o.by_registers && o.by_warps && o.by_shared && !wg_func_registers_now(f).known) *blocks = 1;
    return WG_OK;
}

struct shared_question {
    size_t (*of)(void *user, uint32_t threads);
    void *user;
    size_t fixed;
};
static uint64_t shared_of(void *q, uint32_t threads) {
    const struct shared_question *s = q;
    return s->of ? s->of(s->user, threads) : s->fixed;
}

enum wg_status wg_func_best_block(struct wg_func *f, size_t (*dynamic_shared)(void *user, uint32_t threads),
                                  void *user, size_t fixed_shared, uint32_t limit, uint32_t *grid,
                                  uint32_t *block) {
    struct shared_question q = {dynamic_shared, user, fixed_shared};
    struct wg_occupancy_kernel k = kernel_of(f, 0, 0);
    const struct wg_chip *chip = f->module->dev->chip;
    uint32_t blocks;
    if (limit == 0 || limit > f->bound) limit = f->bound;
    *block = wg_occupancy_best_block(chip->limits, &k, limit, shared_of, &q, &blocks);
    *grid = blocks * chip->sms;
    return WG_OK;
}

enum wg_status wg_func_shared_for(struct wg_func *f, uint32_t blocks, uint32_t threads, size_t *bytes) {
    struct wg_occupancy_kernel k = kernel_of(f, threads, 0);
    if (blocks == 0 || threads == 0) return wg_fail(WG_INVALID_VALUE, "no blocks, or blocks with no threads");
    *bytes = wg_occupancy_shared_for(f->module->dev->chip->limits, &k, blocks);
    return WG_OK;
}

/* ---- names ---- */

char *wg_pretty_name(const char *name) {
    /* Linking appended the file's number to a static kernel's name: _ZL3addPi$2 (driver/ptx_link.h). */
    const char *mark = strrchr(name, '$');
    char *written = strndup(name, mark ? (size_t)(mark - name) : strlen(name));
    char *pretty = wg_function_name(written ? written : name);
    free(written);
    return pretty;
}

char *wg_func_pretty(const struct wg_func *f) { return wg_pretty_name(f->ir->name); }
