/* Fault reports: the message for a person about a fault in a kernel.
 *
 *     saxpy.cu:7:14: illegal address in kernel saxpy(int, float, float*, float*)
 *         ld of 4 bytes at 0x7f2a40404000
 *         by thread (0,0,0) of block (4096,0,0)
 *         the address is just past the end of an allocation of 16777216 bytes at 0x7f2a3f404000
 */
#include "machine/module.h"
#include "base/clock.h"
#include "base/thread_text.h"
#include "machine/memory/reserved.h"
#include "machine/stray.h"
#include "machine/worker.h"
#include "warp/mbarrier.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* kind -> status and what it is called. */
static const struct {
    enum wg_status status;
    const char *text;
} meanings[] = {
    [WG_FAULT_NONE] = {WG_INTERNAL, "failure"},
    [WG_FAULT_ADDRESS] = {WG_ILLEGAL_ADDRESS, "illegal address"},
    [WG_FAULT_MISALIGNED] = {WG_MISALIGNED_ADDRESS, "misaligned address"},
    [WG_FAULT_TRAP] = {WG_LAUNCH_FAILED, "trap"},
    [WG_FAULT_ASSERT] = {WG_ASSERT, "failed assertion"},
    [WG_FAULT_UNSUPPORTED] = {WG_ILLEGAL_INSTRUCTION, "instruction not supported by Warpglass yet"},
    [WG_FAULT_CALL] = {WG_INVALID_PC, "call of something that is not a function"},
    [WG_FAULT_DEADLOCK] = {WG_LAUNCH_FAILED, "deadlock"},
    [WG_FAULT_STACK] = {WG_ILLEGAL_ADDRESS, "stack overflow"},
    [WG_FAULT_TIMEOUT] = {WG_LAUNCH_TIMEOUT, "stopped"},
    [WG_FAULT_BARRIER] = {WG_LAUNCH_FAILED, "misused barrier"},
    [WG_FAULT_COPY] = {WG_LAUNCH_FAILED, "invalid bulk copy"},
    [WG_FAULT_MBARRIER] = {WG_LAUNCH_FAILED, "misused mbarrier"},
};

/* ---- addresses ---- */

static void describe_size(struct wg_strbuf *out, const struct wg_span *s) {
    static const char *const names[] = {
        [WG_MEM_NONE] = "nothing",
        [WG_MEM_DEVICE] = "an allocation",
        [WG_MEM_PINNED] = "pinned memory",
        [WG_MEM_MANAGED] = "managed memory",
        [WG_MEM_REGISTERED] = "registered host memory",
        [WG_MEM_MODULE] = "a module's variables",
        [WG_MEM_HEAP] = "the kernels' heap",
        [WG_MEM_SCRATCH] = "shared or local memory",
    };
    wg_strbuf_printf(out, "%s of %llu bytes at %#llx", names[s->kind], (unsigned long long)(s->end - s->base),
                     (unsigned long long)s->base);
}

static void describe_span(struct wg_strbuf *out, const struct wg_span *s, uint64_t a) {
    bool before = a < s->base, past = a >= s->end;
    unsigned long long n = before ? s->base - a : past ? a - s->end : a - s->base;
    if (past && !n)
        wg_strbuf_puts(out, "just past the end of ");
    else
        wg_strbuf_printf(out, "%llu byte%s %s ", n, n == 1 ? "" : "s",
                         before ? "before"
                         : past ? "past the end of"
                                : "into");
    describe_size(out, s);
}

/* An instruction that names shared memory has an offset for its address; any other has the process's address.
 */
static bool describe_shared(struct wg_strbuf *out, const struct wg_grid *g, uint64_t a, bool named) {
    int64_t offset = named && !(a >> 32) ? (int32_t)a : (int64_t)(a - g->fault_shared),
            last = g->shape.nctas - 1;
    if (offset != (int32_t)offset) return false;
    int64_t block = offset < 0 ? 0 : offset / WG_SHARED_STRIDE;
    if (block > last) block = last;
    if (!named && (offset < -WG_PAGE || offset >= (last + 1) * WG_SHARED_STRIDE)) return false;
    if (last)
        wg_strbuf_printf(out, "byte %lld of the shared memory of block %lld of the cluster, which has %u",
                         (long long)(offset - block * WG_SHARED_STRIDE), (long long)block,
                         g->shape.window_bytes);
    else
        wg_strbuf_printf(out, "byte %lld of the block's shared memory, which has %u", (long long)offset,
                         g->shape.window_bytes);
    return true;
}

static bool host_has(uint64_t a) {
    unsigned char present;
    return a >> 47 == 0 && mincore((void *)(a & ~(uint64_t)(WG_PAGE - 1)), 1, &present) == 0;
}

/* Another device's memory, which kernels of this one do not reach. */
static bool describe_other(struct wg_strbuf *out, struct wg_device *dev, uint64_t a) {
    struct wg_found f;
    if (!wg_fleet_find(dev, a, &f) || f.dev == dev || f.span.kind == WG_MEM_SCRATCH) return false;
    wg_strbuf_printf(out, "%llu bytes into ", (unsigned long long)(a - f.span.base));
    describe_size(out, &f.span);
    wg_strbuf_printf(out, " of device %u; this kernel runs on device %u", f.dev->ordinal, dev->ordinal);
    if (f.reached) return true;
    if (f.dev->ordinal == dev->ordinal)
        wg_strbuf_puts(out, ", in another context");
    else if (f.span.pooled)
        wg_strbuf_puts(out,
                       f.span.mapped
                           ? ", to which cuMemSetAccess has not given access"
                           : ", which can access memory of that device's pool after cudaMemPoolSetAccess");
    else
        wg_strbuf_printf(
            out, ", which can access it after cudaSetDevice(%u) and cudaDeviceEnablePeerAccess(%u, 0)",
            dev->ordinal, f.dev->ordinal);
    return true;
}

/* The location of the access relative to an allocation that the program knows. */
static void describe_address(struct wg_strbuf *out, struct wg_grid *g, const struct wg_fault *f,
                             const struct wg_ir_instr *in) {
    struct wg_memory *m = &g->dev->memory;
    uint64_t a = f->address;
    struct wg_reserved_at reserved;
    struct wg_span s;
    if (describe_shared(out, g, a, in && (in->space == WG_S_SHARED || in->space == WG_S_CLUSTER))) return;
    if (a < 65536) {
        wg_strbuf_puts(out, "a null pointer or near one");
    } else if (wg_memory_find(m, a, &s) && a + f->size > s.end) {
        wg_strbuf_printf(out, "%llu bytes before the end of ", (unsigned long long)(s.end - a));
        describe_size(out, &s);
    } else if (!wg_memory_holds(m, a) && describe_other(out, g->dev, a)) {
        return;
    } else if (!wg_memory_holds(m, a) && host_has(a)) {
        wg_strbuf_puts(
            out, "host memory that no kernel can access; cudaMalloc, cudaMallocManaged, cudaMallocHost and "
                 "cudaHostRegister give memory that kernels can access");
    } else if (wg_memory_freed(m, a, &s)) {
        describe_span(out, &s, a);
        wg_strbuf_puts(out, ", which has been freed");
    } else if (wg_memory_reserved(m, a, &reserved)) {
        wg_strbuf_printf(out, "%llu bytes into %llu that were reserved, where %s",
                         (unsigned long long)(a - reserved.base), (unsigned long long)reserved.size,
                         reserved.read_only ? "cuMemSetAccess lets memory only be read"
                         : reserved.mapped  ? "cuMemSetAccess has given no access"
                                            : "nothing is mapped");
    } else if (wg_memory_nearest(m, a, &s)) {
        if (!wg_module_name_address(g->dev, a, out)) describe_span(out, &s, a);
    } else {
        wg_strbuf_puts(out, "not near any allocation: there are none");
    }
}

/* The instruction at the fault's place, if there is no doubt which: faults say line and opcode only. */
static const struct wg_ir_instr *find_instr(const struct wg_ir_module *m, const struct wg_fault *f) {
    const struct wg_ir_instr *found = NULL;
    if (!f->loc || !f->op) return NULL;
    for (uint32_t i = 0; i < m->nfuncs; i++)
        for (uint32_t b = 0; b < m->funcs[i].nblocks; b++)
            for (uint32_t k = 0; k < m->funcs[i].blocks[b].ninstrs; k++) {
                const struct wg_ir_instr *in = &m->funcs[i].blocks[b].instrs[k];
                if (in->loc != f->loc || in->op != f->op) continue;
                if (found && (found->space != in->space || found->type != in->type)) return NULL;
                found = in;
            }
    return found;
}

/* ---- the record ---- */

static void add_places(struct wg_fault_record *r, struct wg_arena *a, const struct wg_ir_module *ir,
                       uint32_t loc) {
    uint32_t n = 0;
    for (uint32_t at = loc; at && at < ir->nlocs && n < 64; at = ir->locs[at].inlined_at) n++;
    struct wg_place *places = WG_NEW_N(a, struct wg_place, n ? n : 1);
    for (uint32_t i = 0, at = loc; i < n; i++, at = ir->locs[at].inlined_at) {
        const struct wg_ir_loc *l = &ir->locs[at];
        places[i] = (struct wg_place){
            .function = l->function  ? wg_arena_strdup(a, l->function)
                        : i + 1 == n ? r->kernel
                                     : NULL,
            .file = l->file ? wg_arena_strdup(a, l->file) : NULL,
            .line = l->line,
            .col = l->col,
        };
    }
    r->places = places;
    r->nplaces = n;
}

static const char *operation_name(struct wg_arena *a, uint32_t op, const struct wg_ir_instr *in) {
    static const char *const names[] = {
#define OP(id, name, ...) [WG_OP_##id] = name,
#include "ptx/ops.def"
#undef OP
    };
    static const char *const spaces[] = {[WG_S_GENERIC] = "",       [WG_S_GLOBAL] = ".global",
                                         [WG_S_SHARED] = ".shared", [WG_S_CLUSTER] = ".shared::cluster",
                                         [WG_S_LOCAL] = ".local",   [WG_S_CONST] = ".const",
                                         [WG_S_PARAM] = ".param"};
    if (!op || op >= sizeof names / sizeof *names) return NULL;
    if (!in) return names[op];
    const char *type = wg_type_name(in->type);
    return wg_arena_printf(a, "%s%s%s%s", names[op], spaces[in->space], *type ? "." : "", type);
}

static void write_place(struct wg_strbuf *out, const struct wg_place *p) {
    wg_strbuf_printf(out, "%s:%u", p->file ? p->file : "?", p->line);
    if (p->col) wg_strbuf_printf(out, ":%u", p->col);
}

static void write_message(struct wg_strbuf *out, const struct wg_fault_record *r, const char *what,
                          const char *detail) {
    bool memory = r->kind == WG_FAULT_ADDRESS || r->kind == WG_FAULT_MISALIGNED;
    if (r->nplaces) {
        write_place(out, &r->places[0]);
        wg_strbuf_puts(out, ": ");
    }
    wg_strbuf_printf(out, "%s in kernel %s\n", what, r->kernel);
    for (uint32_t i = 1; i < r->nplaces; i++) {
        wg_strbuf_printf(out, "    in %s, inlined at ",
                         r->places[i - 1].function ? r->places[i - 1].function : "a function");
        write_place(out, &r->places[i]);
        wg_strbuf_puts(out, "\n");
    }
    if (memory) {
        wg_strbuf_printf(out, "    %s", r->operation ? r->operation : "access");
        if (r->size) wg_strbuf_printf(out, " of %u byte%s", r->size, r->size == 1 ? "" : "s");
        wg_strbuf_printf(out, " at %#llx\n", (unsigned long long)r->address);
    }
    if (r->block_known) {
        if (r->thread_known)
            wg_strbuf_printf(out, "    by thread (%u,%u,%u) of ", r->thread[0], r->thread[1], r->thread[2]);
        else
            wg_strbuf_puts(out, r->kind == WG_FAULT_TIMEOUT ? "    in " : "    by an unknown thread of ");
        wg_strbuf_printf(out, "block (%u,%u,%u)\n", r->block[0], r->block[1], r->block[2]);
    }
    if (r->nearest) wg_strbuf_printf(out, "    the address is %s\n", r->nearest);
    for (const char *line = detail; line && *line;) {
        size_t n = strcspn(line, "\n");
        const char *text = line + strspn(line, " ");
        wg_strbuf_printf(out, "    %.*s\n", (int)(line + n - text), text);
        line += n + (line[n] == '\n');
    }
}

/* What the fault itself says. */
static void fill_in(struct wg_fault_record *r, struct wg_arena *a, const struct wg_grid *g,
                    const struct wg_stray_place *at, const struct wg_ir_instr *in) {
    const uint32_t *n = g->block.ntid;
    char *pretty = wg_func_pretty(g->func);
    r->kernel = wg_arena_strdup(a, pretty);
    free(pretty);
    r->kind = at->fault.kind;
    r->status = meanings[r->kind].status;
    r->address = at->fault.address;
    r->size = at->fault.size;
    r->operation = operation_name(a, at->fault.op, in);
    add_places(r, a, wg_grid_ir(g), at->fault.loc);
    memcpy(r->block, at->block, sizeof r->block);
    r->block_known = at->block[0] != WG_BLOCK_UNKNOWN;
    if (at->fault.lane >= WG_LANES) return;
    uint32_t t = at->warp * WG_LANES + at->fault.lane;
    r->thread[0] = t % n[0];
    r->thread[1] = t / n[0] % n[1];
    r->thread[2] = t / n[0] / n[1];
    r->thread_known = true;
}

/* A launch that was stopped and has no fault of its own. */
static const char *why_stopped(const struct wg_grid *g, struct wg_fault_record *r, struct wg_arena *a) {
    r->kind = WG_FAULT_TIMEOUT;
    switch (atomic_load(&((struct wg_grid *)g)->stop)) {
    case WG_STOP_TIMEOUT:
        return wg_arena_printf(a, "it ran longer than %g seconds (--timeout, WARPGLASS_TIMEOUT)",
                               g->dev->options.timeout);
    case WG_STOP_INTERRUPT: return "it was interrupted";
    case WG_STOP_MEMORY:
        r->status = WG_OUT_OF_MEMORY;
        r->kind = WG_FAULT_NONE;
        return "the host has no memory left for its blocks' shared and local memory";
    default: return "it was stopped";
    }
}

struct wg_fault_record *wg_fault_report(struct wg_grid *g) {
    bool faulted = g->fault_unit != UINT64_MAX;
    struct wg_device *dev = g->dev;
    if (!faulted && atomic_load(&g->stop) == WG_STOP_NO) return NULL;
    uint32_t loop = 0;
    if (faulted && g->fault_by_signal && wg_replay_find(g)) g->fault_by_signal = false;
    if (!faulted && g->stopped_unit != UINT64_MAX) loop = wg_replay_where(g);
    pthread_mutex_lock(&dev->modules_lock);
    struct wg_arena *a = &dev->fault_arena;
    struct wg_fault_record *r = WG_NEW(a, struct wg_fault_record);
    struct wg_strbuf text = {0};
    const char *detail = g->fault_detail;
    const struct wg_ir_instr *in = find_instr(wg_grid_ir(g), &g->fault);
    struct wg_stray_place at = {.fault = g->fault, .warp = g->fault_warp};
    memcpy(at.block, g->fault_block, sizeof at.block);
    fill_in(r, a, g, &at, in);
    if (faulted) {
        if (r->kind == WG_FAULT_COPY && !detail)
            detail = "sizes and addresses must be multiples of 16 bytes (128 in shared memory for tensors), "
                     "and so\n"
                     "must a tensor's innermost coordinate times its element's size; a tensor map must come "
                     "from\n"
                     "cuTensorMapEncodeTiled with as many dimensions, the mbarrier must have been "
                     "initialised, and\n"
                     "a multicast must go to blocks of the cluster";
    } else {
        *r = (struct wg_fault_record){.kernel = r->kernel};
        detail = why_stopped(g, r, a);
        if (!r->status) r->status = meanings[r->kind].status;
        add_places(r, a, wg_grid_ir(g), loop);
        memcpy(r->block, g->stopped_block, sizeof r->block);
        r->block_known = g->stopped_unit != UINT64_MAX;
    }
    pthread_mutex_unlock(&dev->modules_lock);
    bool local = in && in->space == WG_S_LOCAL;             /* no allocation is near that */
    if (r->kind == WG_FAULT_ADDRESS && detail && *detail) { /* watch/strict.c knew */
        r->nearest = wg_arena_strdup(a, detail);
        detail = NULL;
    } else if (r->kind == WG_FAULT_ADDRESS || (r->kind == WG_FAULT_MISALIGNED && !local)) {
        describe_address(&text, g, &g->fault, in);
        if (r->kind == WG_FAULT_MISALIGNED && r->size && r->address % r->size)
            wg_strbuf_printf(&text, ", which is not a multiple of %u", r->size);
        r->nearest = wg_arena_strdup(a, text.s);
        text.n = 0;
    }
    write_message(&text, r, meanings[r->kind].text, detail);
    r->message = wg_arena_strdup(a, text.s);
    wg_strbuf_free(&text);
    return r;
}

char *wg_stray_text(struct wg_grid *g, const struct wg_stray_place *p, bool first) {
    static const char *const more[] = {
        "the access succeeds, as on most GPUs: the memory there belongs to no allocation; loads return what "
        "was stored there, or 0\n\"warpglass check\" finds all such accesses, and --strict makes them errors",
        "the access succeeds: the memory there, up to the end of a page, belongs to no block\n"
        "\"warpglass check\" finds all such accesses, and --strict makes them errors"};
    uint64_t all = (uint64_t)g->shape.nctas * WG_SHARED_STRIDE;
    bool shared = g->overrun.seen && p->fault.address - g->fault_shared < all;
    struct wg_arena a = {0};
    struct wg_fault_record r = {0};
    struct wg_strbuf text = {0};
    pthread_mutex_lock(&g->dev->modules_lock);
    const struct wg_ir_instr *in = find_instr(wg_grid_ir(g), &p->fault);
    fill_in(&r, &a, g, p, in);
    pthread_mutex_unlock(&g->dev->modules_lock);
    describe_address(&text, g, &p->fault, in);
    r.nearest = wg_arena_strdup(&a, text.s);
    text.n = 0;
    write_message(&text, &r,
                  shared ? "access past the end of shared memory" : "access outside all allocations",
                  first ? more[shared] : NULL);
    wg_arena_free(&a);
    return text.s;
}
