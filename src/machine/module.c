/* See module.h. */
#include "analysis/sites.h"
#include "analysis/touch.h"
#include "base/clock.h"
#include "check/instrument/spin.h"
#include "machine/children.h"
#include "machine/profile.h"
#include "machine/watch/watch.h"
#include "machine/work.h"
#include "machine/worker.h"
#include "ptx/parse.h"
#include "ref/ref.h"
#ifdef WG_HAVE_JIT
#include "jit/code/jit.h"
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- loading ---- */

static enum wg_status say(struct wg_diag *d, enum wg_status status, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static enum wg_status say(struct wg_diag *d, enum wg_status status, const char *name, const char *fmt, ...) {
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (d) wg_diag_error(d, (struct wg_pos){.file = name}, NULL, "%s", text);
    return wg_fail(status, "%s: %s", name, text);
}

static enum wg_status check_target(const struct wg_device *dev, const struct wg_ir_module *ir,
                                   struct wg_diag *d) {
    unsigned cc = dev->chip->limits->cc;
    if (ir->sm_specific && ir->sm != cc)
        return say(d, WG_NO_IMAGE_FOR_DEVICE, ir->name,
                   "the PTX is only for sm_%ua, and this device is %s; compile for compute_%u, or run with "
                   "--arch sm_%u",
                   ir->sm, dev->chip->arch, ir->sm, ir->sm);
    if (ir->sm > cc)
        return say(d, WG_NO_IMAGE_FOR_DEVICE, ir->name,
                   "the PTX is for sm_%u and later, this device is %s; run with --arch sm_%u, or compile for "
                   "an older one",
                   ir->sm, dev->chip->arch, ir->sm);
    return WG_OK;
}

static enum wg_status allocate_images(struct wg_module *m) {
    struct wg_memory *mem = &m->dev->memory;
    enum wg_status s = WG_OK;
    if (m->ir->global_bytes) s = wg_memory_alloc(mem, WG_MEM_MODULE, m->ir->global_bytes, 0, &m->globals);
    if (s == WG_OK && m->ir->const_bytes)
        s = wg_memory_alloc(mem, WG_MEM_MODULE, m->ir->const_bytes, 0, &m->consts);
    return s;
}

/* Addresses of all symbols; a function's is its number + 1 (see ir.h). */
static enum wg_status resolve(struct wg_module *m, struct wg_diag *d) {
    const struct wg_ir_module *ir = m->ir;
    m->symbols = wg_xcalloc(ir->nsyms ? ir->nsyms : 1, sizeof *m->symbols);
    for (uint32_t i = 0; i < ir->nsyms; i++) {
        const struct wg_ir_sym *s = &ir->syms[i];
        if (s->kind == WG_SYM_FUNC && s->func != WG_NO_REG) m->symbols[i] = (uint64_t)s->func + 1;
        if (s->kind != WG_SYM_GLOBAL) continue;
        if (s->external)
            return say(d, WG_SYMBOL_NOT_FOUND, ir->name,
                       "variable '%s' is declared .extern but defined nowhere (with -rdc=true for every "
                       "file, kernels can use variables of other files)",
                       s->name);
        m->symbols[i] = (uint64_t)(s->space == WG_S_CONST ? m->consts : m->globals) + s->offset;
    }
    return WG_OK;
}

/* Whether the variable is in the program's own memory. One that could not be resolved has no address. */
static bool hosted(const struct wg_module *m, uint32_t sym) {
    return m->ir->syms[sym].kind == WG_SYM_GLOBAL && m->symbols[sym] &&
           !wg_memory_holds(&m->dev->memory, m->symbols[sym]);
}

/* `hosts`: also those in the program's memory. */
static void initialise(struct wg_module *m, bool hosts) {
    const struct wg_ir_module *ir = m->ir;
    for (uint32_t i = 0; i < ir->nsyms; i++) {
        const struct wg_ir_sym *s = &ir->syms[i];
        if (s->kind != WG_SYM_GLOBAL || (!hosts && hosted(m, i))) continue;
        uint8_t *at = (uint8_t *)m->symbols[i];
        if (s->init)
            memcpy(at, s->init, s->size);
        else if (hosted(m, i))
            memset(at, 0, s->size); /* an earlier loading may have left something */
        for (uint32_t r = 0; r < s->nrelocs; r++) {
            uint64_t value = m->symbols[s->relocs[r].sym] + (uint64_t)s->relocs[r].addend;
            memcpy(at + s->relocs[r].offset, &value, sizeof value);
        }
    }
}

static void collect_kernels(struct wg_module *m) {
    const struct wg_ir_module *ir = m->ir;
    m->funcs = wg_xcalloc(ir->nfuncs ? ir->nfuncs : 1, sizeof *m->funcs);
    for (uint32_t i = 0; i < ir->nfuncs; i++) {
        const struct wg_ir_func *f = &ir->funcs[i];
        if (!f->entry || !f->nblocks) continue;
        uint32_t room = m->dev->chip->limits->shared_per_block;
        m->funcs[m->nfuncs++] = (struct wg_func){
            .module = m,
            .index = i,
            .ir = f,
            .words = wg_touch_words(ir, f),
            .dynamic_shared_max = f->shared_bytes < room ? room - f->shared_bytes : 0,
            .carveout = -1,
        };
        wg_func_init(&m->funcs[m->nfuncs - 1]);
    }
}

static bool reserves_shared(const struct wg_ir_module *ir) {
    for (uint32_t i = 0; i < ir->nfuncs; i++)
        for (uint32_t k = 0; k < ir->funcs[i].nblocks; k++)
            for (uint32_t n = 0; n < ir->funcs[i].blocks[k].ninstrs; n++) {
                const struct wg_ir_instr *in = &ir->funcs[i].blocks[k].instrs[n];
                if (in->op == WG_OP_MOV_SREG &&
                    (in->sreg == WG_SR_reserved_smem_0 || in->sreg == WG_SR_reserved_smem_1))
                    return true;
            }
    return false;
}

static void destroy(struct wg_module *m) {
    struct wg_memory *mem = &m->dev->memory;
    for (uint32_t i = 0; i < m->nfuncs; i++)
        for (struct wg_variant *v = m->funcs[i].variants, *next; v; v = next) {
            next = v->next;
            v->code->destroy(v->code);
            free(v);
        }
    for (uint32_t i = 0; i < m->nfuncs; i++) {
        wg_sites_free(m->funcs[i].sites);
        free(m->funcs[i].shown);
        wg_check_forms_forget(&m->funcs[i]);
        wg_check_alike_forget(&m->funcs[i]);
        wg_profile_forget(&m->funcs[i]);
    }
    for (uint32_t i = 0; m->symbols && i < m->ir->nsyms; i++)
        if (hosted(m, i)) wg_memory_unregister(mem, WG_MEM_MANAGED, (void *)m->symbols[i]);
    if (m->globals) wg_memory_free(mem, 1u << WG_MEM_MODULE, m->globals);
    if (m->consts) wg_memory_free(mem, 1u << WG_MEM_MODULE, m->consts);
    wg_instrumented_free(m->instrumented);
    wg_arena_free(&m->spin_arena);
    free(m->symbols);
    free(m->funcs);
    wg_ir_free(m->ir);
    pthread_mutex_destroy(&m->lock);
    free(m->ptx);
    free(m);
}

enum wg_status wg_module_from_ir(struct wg_device *dev, struct wg_ir_module *ir, struct wg_module **out,
                                 struct wg_diag *d) {
    struct wg_module *m = wg_xcalloc(1, sizeof *m);
    *out = NULL;
    m->dev = dev;
    m->ir = ir;
    pthread_mutex_init(&m->lock, NULL);
    enum wg_status status = wg_device_usable(dev);
    if (status == WG_OK) status = check_target(dev, ir, d);
    if (status == WG_OK) status = allocate_images(m);
    if (status == WG_OK) status = resolve(m, d);
    if (status != WG_OK) {
        destroy(m);
        return status;
    }
    initialise(m, true);
    m->reserves_shared = reserves_shared(ir);
    collect_kernels(m);
    pthread_mutex_lock(&dev->modules_lock);
    m->next = dev->modules;
    if (m->next) m->next->prev = m;
    dev->modules = m;
    pthread_mutex_unlock(&dev->modules_lock);
    *out = m;
    return WG_OK;
}

static void dump(void *user, const char *what, const char *text) {
    struct wg_strbuf shown = {0}; /* names of files may have anything in them */
    size_t n = strlen(text);
    wg_strbuf_shown(&shown, text, n);
    flockfile(stderr);
    fprintf(stderr, "// ---- %s ----\n%s", what, shown.s ? shown.s : "");
    if (n && text[n - 1] != '\n') fputc('\n', stderr);
    funlockfile(stderr);
    wg_strbuf_free(&shown);
}

static void dump_module(const struct wg_device *dev, const struct wg_ir_module *ir, const char *text) {
    if (dev->options.dump & WG_DUMP_PTX) dump(NULL, "ptx", text);
    if (!(dev->options.dump & WG_DUMP_IR)) return;
    for (uint32_t i = 0; i < ir->nfuncs; i++) {
        struct wg_strbuf out = {0};
        if (!ir->funcs[i].nblocks) continue;
        wg_ir_print(ir, &ir->funcs[i], &out);
        dump(NULL, "ir", out.s ? out.s : "");
        wg_strbuf_free(&out);
    }
}

static enum wg_status load(struct wg_device *dev, const char *name, const char *text, size_t len,
                           struct wg_module **out, struct wg_diag *d) {
    struct wg_diag own = {0};
    *out = NULL;
    enum wg_status status = wg_device_usable(dev);
    if (status != WG_OK) return status;
    uint32_t version = wg_ptx_version(text, (uint32_t)len);
    if (version > WG_PTX_NEWEST)
        return say(d, WG_UNSUPPORTED_PTX, name,
                   "this is PTX %u.%u, and the newest supported here is %u.%u; compile it with an older CUDA "
                   "toolkit, or with Warpglass",
                   version / 10, version % 10, WG_PTX_NEWEST / 10, WG_PTX_NEWEST % 10);
    struct wg_ir_module *ir = wg_ir_from_ptx_apart(name, text, len, d ? d : &own);
    if (!ir) {
        const struct wg_diag *said = d ? d : &own;
        status = wg_fail(WG_INVALID_PTX, "%s", said->text.s ? said->text.s : "the PTX text has errors");
        wg_diag_free(&own);
        return status;
    }
    wg_diag_free(&own);
    dump_module(dev, ir, text);
    status = wg_module_from_ir(dev, ir, out, d);
    if (status == WG_OK) {
        (*out)->ptx = wg_xmalloc(len + 1);
        memcpy((*out)->ptx, text, len);
        (*out)->ptx[len] = 0;
    }
    return status;
}

enum wg_status wg_module_load(struct wg_device *dev, const char *name, const char *text, size_t len,
                              struct wg_module **out, struct wg_diag *d) {
    struct wg_strbuf joined = {0};
    bool launches = wg_device_runtime_join(text, len, &joined);
    enum wg_status status = load(dev, name, launches ? joined.s : text, launches ? joined.n : len, out, d);
    wg_strbuf_free(&joined);
    return status;
}

void wg_module_unload(struct wg_module *m) {
    struct wg_device *dev = m->dev;
    if (!wg_device_is_here(dev))
        return; /* a forked child's copy: nobody works there who could be waited for */
    wg_work_wait_all(dev, NULL);
    pthread_mutex_lock(&dev->modules_lock);
    *(m->prev ? &m->prev->next : &dev->modules) = m->next;
    if (m->next) m->next->prev = m->prev;
    pthread_mutex_unlock(&dev->modules_lock);
    destroy(m);
}

void wg_modules_close(struct wg_device *dev) {
    while (dev->modules) {
        struct wg_module *m = dev->modules;
        dev->modules = m->next;
        destroy(m);
    }
}

/* ---- looking things up ---- */

struct wg_func *wg_module_func(struct wg_module *m, const char *name) {
    for (uint32_t i = 0; i < m->nfuncs; i++)
        if (strcmp(m->funcs[i].ir->name, name) == 0) return &m->funcs[i];
    return NULL;
}
uint32_t wg_module_func_count(const struct wg_module *m) { return m->nfuncs; }
struct wg_func *wg_module_func_at(struct wg_module *m, uint32_t index) {
    return index < m->nfuncs ? &m->funcs[index] : NULL;
}
enum wg_status wg_func_refused(const struct wg_func *f) {
    struct wg_diag d = {0};
    if (!wg_ir_refused(f->module->ir, f->index, &d)) return WG_OK;
    char *shown = wg_func_pretty(f);
    wg_fail(WG_INVALID_PTX, "kernel '%s' cannot run: %s", shown, d.text.s);
    free(shown);
    wg_diag_free(&d);
    return WG_INVALID_PTX;
}
const struct wg_ir_module *wg_module_ir(const struct wg_module *m) { return m->ir; }

/* The symbol's number; nsyms: there is no such variable. */
static uint32_t find_global(const struct wg_module *m, const char *name) {
    uint32_t i = 0;
    while (i < m->ir->nsyms &&
           (m->ir->syms[i].kind != WG_SYM_GLOBAL || strcmp(m->ir->syms[i].name, name) != 0))
        i++;
    return i;
}

enum wg_status wg_module_global(struct wg_module *m, const char *name, void **address, size_t *size) {
    uint32_t i = find_global(m, name);
    if (i == m->ir->nsyms) return wg_fail(WG_SYMBOL_NOT_FOUND, "no variable '%s' in %s", name, m->ir->name);
    if (address) *address = (void *)m->symbols[i];
    if (size) *size = m->ir->syms[i].size;
    return WG_OK;
}

enum wg_status wg_module_host(struct wg_module *m, const struct wg_hosted *variables, uint32_t n,
                              bool fresh) {
    for (uint32_t k = 0; k < n; k++) {
        const struct wg_hosted *h = &variables[k];
        uint32_t i = find_global(m, h->name);
        if (i == m->ir->nsyms)
            return wg_fail(WG_SYMBOL_NOT_FOUND, "no variable '%s' in %s", h->name, m->ir->name);
        struct wg_ir_sym *s = &m->ir->syms[i];
        if (s->size != h->size)
            return wg_fail(WG_INVALID_VALUE, "variable '%s' has %llu bytes in %s but %zu in the program",
                           h->name, (unsigned long long)s->size, m->ir->name, h->size);
        enum wg_status status = wg_memory_register(&m->dev->memory, WG_MEM_MANAGED, h->at, h->size, 0);
        if (status != WG_OK) return status;
        m->symbols[i] = (uint64_t)h->at;
        s->managed = true;
    }
    initialise(m, fresh);
    return WG_OK;
}

bool wg_func_may_wait(struct wg_func *f) {
    struct wg_module *m = f->module;
    pthread_mutex_lock(&m->lock);
    if (!m->spins_known) m->spins = wg_spin_find(&m->spin_arena, m->ir);
    m->spins_known = true;
    pthread_mutex_unlock(&m->lock);
    return m->spins && (m->spins[f->index] & ~(unsigned)WG_SPIN_CALLED) == WG_SPIN_OTHERS;
}

bool wg_module_allocates(const struct wg_module *m) {
    for (uint32_t i = 0; i < m->ir->nfuncs; i++)
        if (wg_ir_calls(&m->ir->funcs[i], 1u << WG_B_malloc | 1u << WG_B_free)) return true;
    return false;
}

bool wg_module_name_address(struct wg_device *dev, uint64_t a, struct wg_strbuf *out) {
    bool found = false;
    pthread_mutex_lock(&dev->modules_lock);
    for (struct wg_module *m = dev->modules; m && !found; m = m->next)
        for (uint32_t i = 0; i < m->ir->nsyms && !found; i++) {
            const struct wg_ir_sym *s = &m->ir->syms[i];
            if (s->kind != WG_SYM_GLOBAL || a < m->symbols[i] || a - m->symbols[i] >= s->size) continue;
            wg_strbuf_printf(out, "variable '%s' (%llu bytes)", s->name, (unsigned long long)s->size);
            found = true;
        }
    pthread_mutex_unlock(&dev->modules_lock);
    return found;
}

/* ---- code ---- */

/* Recursion that is counted or checked runs on the reference: what generated code does to save registers is
 * not the program's. */
static wg_compile_fn compiler(const struct wg_options *o, const struct wg_how *how, struct wg_func *f) {
    if (o->compile && how->backend == WG_BACKEND_JIT) return o->compile;
#ifdef WG_HAVE_JIT
    bool can = wg_jit_can(f->module->ir, f->index, &f->recursive);
    bool watched = wg_profile_sites(f) != NULL || (!how->plain && wg_checks(f->module->dev));
    f->recursive |= !can;
    if (how->backend == WG_BACKEND_JIT && can && !(f->recursive && watched)) return wg_jit_compile;
#else
    f->recursive = f->ir->has_calls;
#endif
    return wg_ref_compile;
}

static enum wg_status cannot_run(const struct wg_func *f, const char *why) {
    char *shown = wg_func_pretty(f);
    enum wg_status status = wg_fail(WG_NOT_SUPPORTED, "kernel '%s' cannot run: %s", shown,
                                    why ? why : "the compiler gave no reason");
    free(shown);
    return status;
}

static struct wg_code *compile(struct wg_func *f, const struct wg_variant *v, enum wg_status *status) {
    struct wg_device *dev = f->module->dev;
    const struct wg_options *o = &dev->options;
    if ((*status = wg_func_refused(f)) != WG_OK) return NULL;
    struct wg_diag d = {0};
    bool bare = v->how.plain || v->how.slow_alone;
    uint32_t checks = bare ? 0 : wg_checks(dev);
    struct wg_code_opts opts = {
        .ntid = {v->ntid[0], v->ntid[1], v->ntid[2]},
        .dealt = v->dealt,
        .linear31 = v->linear31,
        .full_warps = (uint64_t)v->ntid[0] * v->ntid[1] * v->ntid[2] % WG_LANES == 0,
        .bounds = !checks && v->bounds,
        .given = !checks && v->given,
        .strangers = v->strangers,
        .arena_base = dev->memory.base,
        .arena_bits = dev->memory.bits,
        .sites = v->counted ? wg_profile_sites(f) : NULL,
        .shared_window = WG_SHARED_MOST, /* what a launch has less is not mapped */
        .dry = v->how.dry,
        .slow_alone = v->how.slow_alone,
        .combine = !v->how.dry,
        .whole_blocks = v->whole,
        .grid_waits = v->cooperative,
        .stages = v->stages,
        .check = checks != 0,
        .shadow = bare ? 0 : dev->memory.shadow,
        .shadow_outside = checks && v->given,
        .check_told = (checks & 1u << WG_CHECK_race) != 0,
        .opt_level = v->how.opt_level,
        .forms_off = v->how.forms_off,
        .width = v->how.width,
        .tiers = (uint8_t)o->tiers,
        .verbose = o->verbose > 0,
        .no_cache = strcmp(o->cache_dir, "none") == 0,
        .one_thread = dev->pool.nworkers == 1,
        .shown = &f->shown,
        .compiling = &dev->compiling,
        .progress = o->progress,
        .dump = dump,
        .dump_mask = o->dump,
    };
    uint64_t launches, launches_then, began = wg_now_ns();
    uint64_t none =
        0; /* the device's clock is stopped meanwhile, or an event recorded now would be too late */
    bool idle =
        wg_device_idle(dev, &launches) && atomic_compare_exchange_strong(&dev->compiling_since, &none, began);
    const struct wg_ir_module *ir = bare ? f->module->ir : wg_check_ir(f);
    struct wg_code *code = compiler(o, &v->how, f)(ir, f->index, &opts, &d);
    /* Events around a kernel's first launch tell its time and not ours, if all that passed is ours. */
    if (idle && wg_device_idle(dev, &launches_then) && launches == launches_then)
        atomic_fetch_add(&dev->compiled_ns, wg_now_ns() - began);
    if (idle) atomic_store(&dev->compiling_since, 0);
    if (!code)
        *status = cannot_run(f, d.text.s);
    else if (o->verbose)
        fprintf(stderr, "warpglass: compiled %s for blocks of %ux%ux%u%s%s in %.1f ms\n", f->ir->name,
                v->ntid[0], v->ntid[1], v->ntid[2], v->dealt.threads ? " dealt from rows of threads" : "",
                v->bounds || v->given || v->strangers & f->words ? ", testing addresses" : "",
                (double)(wg_now_ns() - began) * 1e-6);
    wg_diag_free(&d);
    return code;
}

struct wg_how wg_how_asked(const struct wg_options *o) {
    return (struct wg_how){
        .backend = (uint8_t)(o->schedule.lanes ? WG_BACKEND_REF : o->backend),
        .opt_level = (uint8_t)o->opt.level,
        .width = (uint16_t)o->width,
        .forms_off = o->opt.forms_off,
    };
}

static bool same_how(const struct wg_how *a, const struct wg_how *b) {
    return a->backend == b->backend && a->opt_level == b->opt_level && a->width == b->width &&
           a->forms_off == b->forms_off && a->plain == b->plain && a->dry == b->dry &&
           a->slow_alone == b->slow_alone;
}

struct wg_code *wg_func_code(struct wg_func *f, const struct wg_variant *as, enum wg_status *status) {
    pthread_mutex_lock(&f->module->lock);
    struct wg_variant *v = f->variants, one = *as;
    one.counted = !one.how.plain && wg_profile_sites(f) != NULL;
    one.code = NULL;
    while (v && !(same_how(&v->how, &one.how) && memcmp(v->ntid, one.ntid, sizeof v->ntid) == 0 &&
                  v->linear31 == one.linear31 && v->bounds == one.bounds && v->given == one.given &&
                  v->strangers == one.strangers && v->counted == one.counted && v->whole == one.whole &&
                  v->cooperative == one.cooperative && v->stages == one.stages &&
                  v->dealt.threads == one.dealt.threads && v->dealt.shift == one.dealt.shift &&
                  v->dealt.along == one.dealt.along && v->dealt.joined == one.dealt.joined))
        v = v->next;
    if (!v && (one.code = compile(f, &one, status))) {
        v = wg_xmalloc(sizeof *v);
        *v = one;
        v->next = f->variants;
        f->variants = v;
    }
    pthread_mutex_unlock(&f->module->lock);
    return v ? v->code : NULL;
}

bool wg_func_generated(struct wg_func *f, const struct wg_how *how) {
    const struct wg_options *o = &f->module->dev->options;
    pthread_mutex_lock(&f->module->lock);
    bool generated = compiler(o, how, f) != wg_ref_compile && !o->compile;
    pthread_mutex_unlock(&f->module->lock);
    return generated;
}

bool wg_func_optimised(struct wg_func *f, const struct wg_how *how) {
    pthread_mutex_lock(&f->module->lock);
    bool counted = !how->plain && wg_profile_sites(f) != NULL;
    pthread_mutex_unlock(&f->module->lock);
    return !counted && wg_func_generated(f, how) && how->opt_level >= 2 && !wg_checks(f->module->dev);
}
