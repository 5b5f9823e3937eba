/* See fixture.h. */
#include "tests/machine/fixture.h"

static void destroy(struct wg_code *c) { free(c); }

/* The module's `name` is the list of fakes: the machine hands it back when it wants code. */
static struct wg_code *compile(const struct wg_ir_module *m, uint32_t func, const struct wg_code_opts *opts,
                               struct wg_diag *d) {
    const struct fake *f = (const struct fake *)(uintptr_t)m->text_hash[0] + func;
    struct wg_code *c = calloc(1, sizeof *c);
    *c = (struct wg_code){.run = f->run,
                          .whole = f->whole,
                          .frame_bytes = f->frame_bytes,
                          .local_bytes = f->local_bytes,
                          .destroy = destroy};
    return c;
}

static void make_body(struct wg_arena *a, struct wg_ir_func *f, const struct fake *kernel) {
    f->nblocks = 1;
    f->blocks = WG_NEW(a, struct wg_ir_block);
    f->blocks->term = WG_TERM_EXIT;
    if (kernel->loops) {
        f->blocks->term = WG_TERM_BR;
        f->blocks->nsucc = 1;
        f->blocks->succ = WG_NEW(a, uint32_t);
    }
    if (kernel->does) {
        f->blocks->ninstrs = 1;
        f->blocks->instrs = WG_NEW(a, struct wg_ir_instr);
        f->blocks->instrs->op = kernel->does;
        f->blocks->instrs->guard = WG_NO_REG;
        if (kernel->does == WG_OP_CALL) {
            f->blocks->instrs->call = WG_NEW(a, struct wg_ir_call);
            f->blocks->instrs->call->func = WG_NO_REG;
            f->blocks->instrs->call->builtin = WG_B_vprintf;
        }
    }
}

static struct wg_ir_module *make_module(const struct fake *kernels) {
    struct wg_ir_module *m = calloc(1, sizeof *m);
    while (kernels[m->nfuncs].name) m->nfuncs++;
    m->name = "fakes";
    m->ptx_version = 78;
    m->sm = 50;
    m->text_hash[0] = (uintptr_t)kernels;
    m->funcs = WG_NEW_N(&m->arena, struct wg_ir_func, m->nfuncs);
    m->locs = WG_NEW_N(&m->arena, struct wg_ir_loc, 4);
    m->nlocs = 4;
    m->locs[1] = (struct wg_ir_loc){.file = "fake.cu", .line = 11, .col = 5};
    m->locs[2] =
        (struct wg_ir_loc){.file = "fake.cu", .line = 22, .col = 3, .inlined_at = 1, .function = "inner"};
    for (uint32_t i = 0; i < m->nfuncs; i++) {
        struct wg_ir_func *f = &m->funcs[i];
        f->name = kernels[i].name;
        f->entry = f->visible = true;
        make_body(&m->arena, f, &kernels[i]);
        f->shared_bytes = kernels[i].shared_bytes;
        f->maxntid[0] = kernels[i].maxntid;
        f->nparams = PARAMS;
        f->param_bytes = 8 * PARAMS;
        f->params = WG_NEW_N(&m->arena, struct wg_ir_param, PARAMS);
        for (uint32_t p = 0; p < PARAMS; p++)
            f->params[p] = (struct wg_ir_param){.name = "p", .offset = 8 * p, .size = 8, .align = 8};
    }
    return m;
}

void rig_open_with(struct rig *r, const struct fake *kernels, const struct wg_options *options) {
    struct wg_options o = *options;
    struct wg_diag d = {0};
    o.compile = compile;
    assert_int_equal(wg_device_open(&o, &r->dev, &d), WG_OK);
    assert_int_equal(wg_module_from_ir(r->dev, make_module(kernels), &r->mod, &d), WG_OK);
    r->stream = wg_device_stream(r->dev, WG_STREAM_LEGACY);
    wg_diag_free(&d);
}

void rig_open(struct rig *r, const struct fake *kernels, uint32_t threads) {
    struct wg_options o;
    wg_options_init(&o);
    o.threads = threads;
    o.strict = 1; /* strays are stray_test.c's */
    rig_open_with(r, kernels, &o);
}

void rig_close(struct rig *r) { wg_device_close(r->dev); }

struct wg_launch rig_launch(struct rig *r, const char *kernel, uint32_t blocks, uint32_t threads,
                            const void *args, uint32_t nargs) {
    static _Thread_local uint64_t params[PARAMS];
    memset(params, 0, sizeof params);
    if (nargs) memcpy(params, args, nargs * 8);
    return (struct wg_launch){.func = wg_module_func(r->mod, kernel),
                              .grid = {blocks, 1, 1},
                              .block = {threads, 1, 1},
                              .params = params,
                              .param_bytes = sizeof params};
}

enum wg_status rig_run(struct rig *r, const char *kernel, uint32_t blocks, uint32_t threads, const void *args,
                       uint32_t nargs) {
    struct wg_launch l = rig_launch(r, kernel, blocks, threads, args, nargs);
    enum wg_status s = wg_launch(r->stream, &l);
    return s == WG_OK ? wg_device_sync(r->dev) : s;
}

void *rig_alloc(struct rig *r, size_t bytes) {
    void *p;
    assert_int_equal(wg_mem_alloc(r->dev, WG_MEM_DEVICE, bytes, &p), WG_OK);
    return p;
}

struct wg_wait *add_wait(struct wg_warp *w, enum wg_wait_kind kind, uint8_t id, uint32_t lanes) {
    struct wg_wait *wait = &w->wait[w->nwait++];
    *wait = (struct wg_wait){.lanes = lanes, .kind = (uint8_t)kind, .id = id, .loc = 1};
    return wait;
}

enum wg_warp_status stop_at_barrier(struct wg_warp *w, uint8_t id, uint32_t next) {
    w->nwait = 0;
    add_wait(w, WG_WAIT_BLOCK, id, w->live);
    w->resume = next;
    return WG_WARP_BARRIER;
}

enum wg_warp_status fault_at(struct wg_warp *w, enum wg_fault_kind kind, uint32_t lane, uint64_t address) {
    w->fault = (struct wg_fault){
        .kind = kind, .lane = lane, .loc = 2, .size = 4, .address = address, .op = WG_OP_LD};
    return WG_WARP_FAULT;
}
