/* The code manager: compiles versions of kernels lazily (codegen.h), caches them and links them. See jit.h.
 *
 * An object file has no addresses of the process: the runtime functions that it calls are symbols, which the
 * loader resolves. So it can be cached on disk (cache.c) and loaded in a later process, without LLVM.
 */
#include "jit/code/jit.h"
#include "analysis/inline.h"
#include "base/hash.h"
#include "base/clock.h"
#include "base/mangled.h"
#include "base/progress.h"
#include "base/thread.h"
#include "jit/code/codegen.h"
#include "jit/code/count_cells.h"
#include "jit/code/helpers.h"
#include "jit/code/load.h"
#include "jit/code/kernel_size.h"
#include "jit/code/tiers.h"
#include "build_id.h"

#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool wg_jit_host_drops_result(uint64_t at, uint64_t end) {
    static atomic_flag said = ATOMIC_FLAG_INIT; /* it is asked for each call that returned an error */
    struct wg_diag d = {0};
    const struct wg_codegen *g = wg_codegen(&d);
    if (d.text.s && !atomic_flag_test_and_set(&said)) fprintf(stderr, "warpglass: %s", d.text.s);
    wg_diag_free(&d);
    return g && g->host_drops_result(at, end);
}

/* ---- code in the process ---- */

typedef wg_warp_fn warp_fn;

/* What generated code may call. */
static uintptr_t find_helper(const char *name) {
    static const struct {
        const char *name;
        void (*at)(void);
    } list[] = {
#define H(f) {#f, (void (*)(void)) & f},
        WG_JIT_HELPERS(H)
#undef H
            {"memcpy", (void (*)(void))&memcpy},
        {"memset", (void (*)(void))&memset},
        {"memmove", (void (*)(void))&memmove},
        {"fma", (void (*)(void))(double (*)(double, double, double))fma},
        {"fesetround", (void (*)(void))&fesetround}, /* SSE4.2 */
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(list[i].name, name) == 0) return (uintptr_t)list[i].at;
    return 0;
}

/* Versions of kernels in this process, by the hash of what they were made from: launching the same
 * program twice, or two modules of the same text, shares the code. */
struct linked {
    struct linked *next;
    char key[WG_KEY_BYTES];
    uint32_t users;
    struct wg_loaded *code;
    warp_fn run;
    struct wg_cache_meta meta;
    struct wg_count_groups *groups; /* of code that counts */
};
static struct linked *all_linked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A wg_code's private data: enough to compile GENERAL when it is first needed. */
struct made {
    struct linked *version[WG_VERSIONS]; /* NULL: not needed yet */
    struct linked *first;                /* CONVERGED for whole blocks, or without re-entry; NULL: neither */
    const struct wg_ir_module *module;
    uint32_t func;
    struct wg_code_opts opts;
    struct ahead *ahead;          /* GENERAL, compiled by another thread; NULL: none, or taken */
    struct wg_count_plan *counts; /* where the code counts */
    struct wg_tier tier;
    char key[WG_KEY_BYTES];                 /* of the version that was made first */
    struct linked *better[WG_VERSIONS + 1]; /* the better code of each quick version, and of the first */
};

static struct linked *find_linked(const char *key) {
    for (struct linked *l = all_linked; l; l = l->next)
        if (strcmp(l->key, key) == 0) return l;
    return NULL;
}

static struct linked *link_objects(const struct wg_strbuf *objects, const char *key, bool counts,
                                   const struct wg_cache_meta *meta, struct wg_diag *d) {
    struct wg_strbuf why = {0};
    size_t sizes[WG_LOAD_OBJECTS] = {objects->n - meta->second_bytes, meta->second_bytes};
    char symbol[WG_KEY_BYTES + 8];
    snprintf(symbol, sizeof symbol, "wg_%s", key);
    struct wg_loaded *code = wg_load_objects(objects->s, sizes, find_helper, &why);
    uintptr_t run = code ? wg_loaded_symbol(code, symbol) : 0;
    if (code && !run) {
        wg_strbuf_printf(&why, "it has no %s (a bug in Warpglass)", symbol);
        wg_unload(code);
    }
    if (!run) {
        wg_diag_error(d, (struct wg_pos){"warpglass", 0, 0}, NULL, "linking generated code: %s", why.s);
        wg_strbuf_free(&why);
        return NULL;
    }
    struct linked *l = wg_xcalloc(1, sizeof *l);
    *l = (struct linked){.next = all_linked, .code = code, .run = (warp_fn)run, .meta = *meta};
    snprintf(l->key, sizeof l->key, "%s", key);
    snprintf(symbol, sizeof symbol, WG_COUNTS_SYMBOL, key);
    if (counts) l->groups = wg_count_groups_new((const int64_t *)wg_loaded_symbol(code, symbol));
    return all_linked = l;
}

static void let_go(struct linked *l) {
    if (!l || --l->users > 0) return;
    for (struct linked **p = &all_linked; *p; p = &(*p)->next)
        if (*p == l) {
            *p = l->next;
            break;
        }
    wg_unload(l->code);
    wg_count_groups_free(l->groups);
    free(l);
}

/* ---- versions ---- */

static struct wg_order make_order(const struct wg_ir_module *m, uint32_t func, const struct wg_code_opts *o,
                                  enum wg_version v, bool first) {
    struct wg_order w = {.m = m, .func = func, .o = o, .t = wg_target_for(o), .v = v, .first = first};
    struct wg_hash h = WG_HASH_INIT;
    wg_hash_str(&h, WG_JIT_BUILD);
    wg_hash_add(&h, m->text_hash, sizeof m->text_hash);
    wg_hash_add(&h, &func, sizeof func);
    wg_hash_add(&h, o->ntid, sizeof o->ntid);
    bool all = o->tiers == WG_TIERS_QUICK; /* of others the better code is what one wants to see */
    w.tiers = o->opt_level < 2 || (o->dump_mask && !all) ? WG_TIERS_NONE : (enum wg_tiers)o->tiers;
    uint64_t bits[22] = {o->linear31,
                         o->bounds,
                         o->given,
                         o->strangers,
                         o->shadow_outside ? o->arena_base : 0,
                         o->arena_bits,
                         o->shared_window,
                         o->opt_level,
                         o->forms_off,
                         o->combine,
                         o->whole_blocks,
                         o->grid_waits,
                         o->stages,
                         o->check,
                         o->check_told,
                         o->shadow,
                         o->shadow_outside,
                         o->dealt.threads,
                         o->dealt.shift,
                         o->dealt.along,
                         o->dealt.joined,
                         (uint64_t)m->funcs[func].apart << 1 | (w.tiers == WG_TIERS_QUICK)};
    wg_hash_add(&h, bits, sizeof bits);
    wg_hash_str(&h, !o->sites ? "" : o->dry ? "counts alone" : o->slow_alone ? "slow paths alone" : "counts");
    if (o->sites) wg_hash_add(&h, &o->sites->made, sizeof o->sites->made);
    wg_hash_str(&h, w.t->name);
    w.key[0] = v == WG_GENERAL ? 'g' : first ? 'w' : 'c';
    wg_hash_hex(&h, w.key + 1);
    return w;
}

/* A version that is not linked yet. */
struct making {
    struct wg_order w;
    struct wg_cache_meta meta;
    struct wg_strbuf objects;
    bool made, kept; /* kept: it was found */
    struct wg_diag *diag;
};

static bool uses_cache(const struct wg_order *w) { return !w->o->no_cache && !w->o->dump_mask; }

/* Made where code is made, which takes longer; with code that is kept comes its name. */
static char *readable_name(const struct making *x) {
    char **shown = x->w.o->shown;
    if (shown && *shown) return *shown;
    char *name = wg_function_name(x->w.m->funcs[x->w.func].name);
    if (shown) *shown = name;
    return name;
}

/* Says after a while what is compiled; `steps`: how far it is, too. */
static void begin_progress(const struct making *x, struct wg_progress *progress, struct wg_strbuf *what,
                           bool steps) {
    static const char *const names[WG_STEPS] = {"analysing", "making code", "optimising",
                                                "making machine code"};
    const struct wg_code_opts *o = x->w.o;
    char *name = readable_name(x);
    wg_strbuf_printf(what, "compiling kernel '%s' for blocks of %u threads", name,
                     o->ntid[0] * o->ntid[1] * o->ntid[2]);
    *progress = (struct wg_progress){
        .what = what->s, .steps = names, .nsteps = steps ? WG_STEPS : 0, .after = o->progress};
    wg_progress_begin(progress);
    if (o->compiling && o->shown) atomic_store(o->compiling, name);
    if (!o->shown) free(name);
}

static void end_progress(const struct making *x, struct wg_progress *progress, struct wg_strbuf *what) {
    if (x->w.o->compiling) atomic_store(x->w.o->compiling, NULL);
    wg_progress_end(progress);
    wg_strbuf_free(what);
}

/* How long launches have run in quick code in earlier processes. */
static uint64_t ran_before(const struct wg_order *w) {
    return uses_cache(w) ? wg_cache_load_time(w->key) : 0;
}

static void keep_time(void *user, uint64_t ns) {
    const struct wg_code *c = user;
    const struct made *made = c->impl;
    wg_cache_store_time(made->key, ns);
}

static uint64_t cost_ns(const struct wg_order *w) {
    uint64_t ns = wg_kernel_cost_ns(w->m, w->func);
    return ns > WG_TIER_WORTH_IT_NS ? ns : WG_TIER_WORTH_IT_NS;
}

/* Where earlier processes ran quick code for as long as better code costs, that is compiled at once: those were
 * too brief to compile it beside their launches. */
static bool is_kept_in_vain(const struct making *x) {
    if (!x->meta.quick) return false;
    if (x->w.tiers == WG_TIERS_NONE) return true;
    if (x->w.tiers != WG_TIERS_LARGE || x->meta.huge || wg_kernel_is_huge(x->w.m, x->w.func)) return false;
    return ran_before(&x->w) >= cost_ns(&x->w);
}

static bool find_kept(struct making *x) {
    x->made = x->kept = uses_cache(&x->w) && wg_cache_load(x->w.key, &x->meta, &x->objects);
    if (x->made && is_kept_in_vain(x)) {
        wg_strbuf_free(&x->objects);
        x->made = x->kept = false;
        x->w.tiers = WG_TIERS_NONE;
    }
    return x->made;
}

static void translate(struct making *x) {
    const struct wg_codegen *g = wg_codegen(x->diag);
    struct wg_progress progress;
    struct wg_strbuf what = {0};
    if (!g) return;
    begin_progress(x, &progress, &what, true);
    x->w.progress = &progress;
    x->made = g->translate(&x->w, &x->meta, &x->objects, x->diag);
    end_progress(x, &progress, &what);
    char *name = readable_name(x);
    snprintf(x->meta.shown, sizeof x->meta.shown, "%s", name);
    if (!x->w.o->shown) free(name);
}

static void *make(void *user) {
    struct making *x = user;
    if (!find_kept(x)) translate(x);
    return NULL;
}

/* ---- speculative compilation ----
 *
 * A large kernel whose lanes diverge waits twice: for the version it begins in, and then for GENERAL. Where
 * there are two cores, another thread compiles GENERAL while this one compiles the first.
 */

struct ahead {
    struct making x;
    struct wg_code_opts opts;
    struct wg_diag diag;
    pthread_t thread;
};

/* NULL: it is not worth it. `first`: what this thread makes. The lock is held. */
static struct ahead *begin_ahead(const struct making *first) {
    enum { LARGE = 2000 };
    const struct wg_order *w = &first->w;
    if (w->tiers == WG_TIERS_NONE || w->o->sites || w->o->dump_mask || w->o->one_thread) return NULL;
    if (wg_kernel_size(w->m, w->func) <= LARGE || wg_cpus() < 2) return NULL;
    struct ahead *a = wg_xcalloc(1, sizeof *a);
    a->opts = *w->o;
    a->opts.compiling = NULL; /* these are for the waiting thread */
    a->opts.progress = 0;
    a->x = (struct making){.w = make_order(w->m, w->func, &a->opts, WG_GENERAL, false), .diag = &a->diag};
    a->x.w.brief = a->x.w.if_needed = true;
    if (a->opts.shown) readable_name(&a->x); /* for both threads, which would both make it */
    if (find_linked(a->x.w.key) || !wg_start_thread(&a->thread, make, &a->x)) {
        free(a);
        return NULL;
    }
    return a;
}

/* Its thread has been joined. Errors are reported where it is compiled again. */
static void free_ahead(struct ahead *a) {
    wg_strbuf_free(&a->x.objects);
    wg_diag_free(&a->diag);
    free(a);
}

static void end_ahead(struct ahead *a) {
    if (!a) return;
    pthread_join(a->thread, NULL);
    free_ahead(a);
}

static void destroy(struct wg_code *c) {
    struct made *made = c->impl;
    wg_tiers_remove(&made->tier);
    pthread_mutex_lock(&lock);
    for (int v = 0; v < WG_VERSIONS; v++) let_go(made->version[v]);
    for (int i = 0; i <= WG_VERSIONS; i++) let_go(made->better[i]);
    let_go(made->first);
    pthread_mutex_unlock(&lock);
    end_ahead(made->ahead);
    wg_count_plan_free(made->counts);
    free(made);
    free(c);
}

/* ---- a version, made ---- */

/* Caches and links the objects; the lock is held. */
static struct linked *finish(struct making *x) {
    struct linked *l = NULL;
    if (x->made && !x->kept && uses_cache(&x->w))
        wg_cache_store(x->w.key, &x->meta, x->objects.s, x->objects.n);
    if (x->made) l = link_objects(&x->objects, x->w.key, x->w.o->sites != NULL, &x->meta, x->diag);
    wg_strbuf_free(&x->objects);
    return l;
}

/* Whether GENERAL of a kernel that begins in this code is brief: if this code is quick and has no re-entry,
 * GENERAL needs no exits to it before both get better. */
static bool has_brief_general(const struct linked *first) {
    return first && first->meta.quick && first->meta.one_way;
}

/* The version, made if it is not there, with one user more. begun: what the kernel began in, if that is not
 * asked for; else *ahead is what may be needed next. The lock is held. */
static struct linked *get_version(const struct wg_ir_module *m, uint32_t func, const struct wg_code_opts *o,
                                  enum wg_version v, const struct linked *begun, struct ahead **ahead,
                                  struct wg_diag *d) {
    bool first = v == WG_CONVERGED && !begun;
    struct making x = {.w = make_order(m, func, o, v, first), .diag = d};
    x.w.brief = v == WG_GENERAL && has_brief_general(begun);
    if (o->dump_mask) x.w.key[0] ^= 'a' ^ 'A'; /* dumping compiles again, beside what is linked */
    struct linked *l = find_linked(x.w.key);
    if (!l) {
        if (!find_kept(&x)) {
            if (ahead) *ahead = begin_ahead(&x);
            translate(&x);
        }
        l = finish(&x);
    }
    if (l) l->users++;
    if (l && o->shown && !*o->shown) *o->shown = wg_xstrdup(l->meta.shown);
    return l;
}

/* GENERAL as it was compiled speculatively, with one more user; NULL: it was not, or not in the form that is
 * needed. The lock is held. */
static struct linked *take_ahead(struct made *made, const struct linked *begun) {
    struct ahead *a = made->ahead;
    struct making x = {.w = {.m = made->module, .func = made->func, .o = &made->opts}};
    struct wg_progress progress;
    struct wg_strbuf what = {0};
    struct linked *l = NULL;
    begin_progress(&x, &progress, &what, false);
    pthread_join(a->thread, NULL);
    end_progress(&x, &progress, &what);
    if (a->x.made && (a->x.kept || has_brief_general(begun))) l = finish(&a->x);
    if (l) l->users++;
    made->ahead = NULL;
    free_ahead(a);
    return l;
}

/* When lanes diverge for the first time, and will need the re-entries after they reconverge: another thread
 * compiles those while this one compiles GENERAL. False: this one compiles GENERAL by itself. The lock is
 * held. */
static bool make_both_ways(struct made *made, struct wg_diag *d) {
    const struct wg_code_opts *o = &made->opts;
    struct wg_diag other = {0};
    struct making general = {.w = make_order(made->module, made->func, o, WG_GENERAL, false), .diag = d},
                  back = {.w = make_order(made->module, made->func, o, WG_CONVERGED, false), .diag = &other};
    pthread_t thread;
    if (o->dump_mask || find_linked(general.w.key) || find_linked(back.w.key)) return false;
    if (o->shown) readable_name(&general); /* for both threads, which would both make it */
    if (!wg_start_thread(&thread, make, &back)) return false;
    make(&general);
    pthread_join(thread, NULL);
    struct linked *g = finish(&general), *b = finish(&back);
    if (g) g->users++;
    if (b) b->users++;
    made->version[WG_GENERAL] = g;
    made->version[WG_CONVERGED] = b;
    wg_diag_free(&other); /* errors are reported where it is needed */
    return true;
}

static void publish(struct wg_code *c, enum wg_version v, warp_fn run) {
    const struct made *made = c->impl;
    if (v == WG_GENERAL) {
        __atomic_store_n(&c->general, run, __ATOMIC_RELEASE);
        return;
    }
    __atomic_store_n(&c->back, run, __ATOMIC_RELEASE);
    if (!made->first || made->first->meta.whole) __atomic_store_n(&c->run, run, __ATOMIC_RELEASE);
}

/* ---- better code for what was made quickly ---- */

/* For two codes of one kernel and version: whether one can resume from the other's frame. */
static bool have_same_frames(const struct wg_cache_meta *a, const struct wg_cache_meta *b) {
    struct wg_cache_meta x = *a;
    x.quick = b->quick;
    x.huge = b->huge;
    x.second_bytes = b->second_bytes;
    memcpy(x.shown, b->shown, sizeof x.shown);
    return memcmp(&x, b, sizeof x) == 0;
}

/* `have` is the first version, or version v. It is not replaced if the better code cannot resume from its
 * frame. The re-entries from a GENERAL that was brief are compiled now. */
static void make_better_version(struct wg_code *c, struct linked **have, struct linked **better,
                                enum wg_version v) {
    struct made *made = c->impl;
    bool first = have == &made->first;
    struct wg_diag d = {0};
    struct wg_code_opts o = made->opts;
    uint64_t began = wg_now_ns();
    o.shown = NULL;
    o.compiling = NULL;
    o.progress = 0;
    o.unwanted = &made->tier.unwanted;
    struct making x = {
        .w = make_order(made->module, made->func, &o, v, first || (v == WG_CONVERGED && !made->first)),
        .diag = &d};
    x.w.tiers = WG_TIERS_NONE;
    pthread_mutex_lock(&lock);
    struct linked *old = *have, *l = NULL;
    bool missing = !old && made->version[WG_GENERAL] && has_brief_general(made->first);
    bool due =
        (missing || (old && old->meta.quick && !*better)) && !__atomic_load_n(o.unwanted, __ATOMIC_RELAXED);
    if (due) l = find_linked(x.w.key);
    bool wanted = due && (!l || l->meta.quick); /* else another kernel's has been made */
    pthread_mutex_unlock(&lock);
    if (!due) return;
    if (wanted) make(&x);
    pthread_mutex_lock(&lock);
    if (wanted) l = finish(&x);
    if (l) l->users++;
    old = *have;
    *(old ? better : have) = l;
    bool takes_over = l && (!old || have_same_frames(&l->meta, &old->meta));
    if (takes_over && first)
        __atomic_store_n(l->meta.whole ? &c->whole : &c->run, l->run, __ATOMIC_RELEASE);
    else if (takes_over)
        publish(c, v, l->run);
    pthread_mutex_unlock(&lock);
    if (takes_over && o.verbose)
        fprintf(stderr, "warpglass: compiled %s once more, for speed, in %.1f ms\n",
                made->module->funcs[made->func].name, (double)(wg_now_ns() - began) * 1e-6);
    wg_diag_free(&d);
}

static void make_better(void *user) {
    struct wg_code *c = user;
    struct made *made = c->impl;
    make_better_version(c, &made->first, &made->better[WG_VERSIONS], WG_CONVERGED);
    for (int v = 0; v < WG_VERSIONS; v++)
        make_better_version(c, &made->version[v], &made->better[v], (enum wg_version)v);
}

static void watch(struct wg_code *c, const struct linked *l) {
    struct made *made = c->impl;
    if (!l || !l->meta.quick || l->meta.huge || made->opts.tiers != WG_TIERS_LARGE) return;
    struct wg_order first = make_order(made->module, made->func, &made->opts, WG_CONVERGED, true);
    if (wg_kernel_is_huge(made->module, made->func)) return;
    if (!made->tier.make) {
        made->tier.running = &c->running;
        made->tier.make = make_better;
        made->tier.user = c;
        memcpy(made->key, first.key, sizeof made->key);
        if (uses_cache(&first)) made->tier.ran = keep_time;
        made->tier.before_ns = ran_before(&first);
        made->tier.cost_ns = cost_ns(&first);
        /* A check is mostly over before better code of a large kernel is there. */
        made->tier.due_ns = made->opts.check ? made->tier.cost_ns : WG_TIER_WORTH_IT_NS;
    }
    wg_tiers_add(&made->tier);
}

/* Compiles a version that is needed for the first time, and continues in it. */
static enum wg_warp_status make_and_run(struct wg_warp *w, enum wg_version v) {
    struct wg_code *c = (struct wg_code *)w->code; /* the maker may change what is its own */
    struct made *made = c->impl;
    struct wg_diag d = {0};
    w->block->services->making(w, true);
    __atomic_fetch_add(&made->tier.waiting, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&lock);
    struct linked **l = &made->version[v];
    const struct linked *begun = made->first ? made->first : made->version[WG_CONVERGED];
    bool both = !*l && v == WG_GENERAL && made->first && made->first->meta.one_way &&
                !has_brief_general(made->first) && make_both_ways(made, &d);
    if (!*l && v == WG_GENERAL && made->ahead) *l = take_ahead(made, begun);
    if (!*l && !both) *l = get_version(made->module, made->func, &made->opts, v, begun, NULL, &d);
    warp_fn run = *l ? (*l)->run : NULL;
    if (run) publish(c, v, run);
    for (int k = 0; k < WG_VERSIONS; k++) watch(c, made->version[k]);
    pthread_mutex_unlock(&lock);
    __atomic_fetch_sub(&made->tier.waiting, 1, __ATOMIC_RELAXED);
    w->block->services->making(w, false);
    if (d.text.s) fprintf(stderr, "warpglass: %s", d.text.s);
    wg_diag_free(&d);
    if (run) return run(w);
    w->fault = (struct wg_fault){.kind = WG_FAULT_UNSUPPORTED, .lane = WG_LANES, .func = made->func};
    return WG_WARP_FAULT;
}

static enum wg_warp_status make_general(struct wg_warp *w) { return make_and_run(w, WG_GENERAL); }
static enum wg_warp_status make_converged(struct wg_warp *w) { return make_and_run(w, WG_CONVERGED); }

const struct wg_count_groups *wg_count_groups_of(const struct wg_code *c, enum wg_version v) {
    const struct made *made = c->impl;
    return (v == WG_CONVERGED && made->first ? made->first : made->version[v])->groups;
}

static void collect(const struct wg_code *c, struct wg_tally *t, struct wg_counts *rows) {
    const struct made *made = c->impl;
    const struct wg_count_groups *groups[WG_VERSIONS];
    for (int v = 0; v < WG_VERSIONS; v++) groups[v] = made->version[v] ? made->version[v]->groups : NULL;
    if (made->first) groups[WG_CONVERGED] = made->first->groups;
    wg_count_collect(made->counts, groups, t, rows);
}

/* The plan is not in the cache: computed again. */
static void plan_counts(struct wg_code *c, const struct wg_ir_module *m, uint32_t func) {
    struct made *made = c->impl;
    struct wg_inlined inl = wg_inline_calls(m, func, NULL);
    made->counts = wg_count_plan_new(inl.func, made->opts.sites);
    c->tally_units = wg_count_groups_units(wg_count_groups_of(c, WG_CONVERGED));
    c->collect = collect;
    wg_inlined_free(&inl);
}

struct wg_code *wg_jit_compile(const struct wg_ir_module *m, uint32_t func, const struct wg_code_opts *opts,
                               struct wg_diag *d) {
    struct wg_code *c = NULL;
    pthread_mutex_lock(&lock);
    struct ahead *ahead = NULL;
    struct linked *l = get_version(m, func, opts, WG_CONVERGED, NULL, &ahead, d), *g = NULL;
    if (l && (opts->dump_mask & ~(uint32_t)WG_DUMP_PLAN) && l->meta.needs_general)
        g = get_version(m, func, opts, WG_GENERAL, l, NULL, d);
    if (l) {
        bool whole = l->meta.whole, other = whole || l->meta.one_way;
        struct made *made = wg_xcalloc(1, sizeof *made);
        *made = (struct made){.version = {other ? NULL : l, g},
                              .first = other ? l : NULL,
                              .ahead = ahead,
                              .module = m,
                              .func = func,
                              .opts = *opts};
        c = wg_xcalloc(1, sizeof *c);
        *c = (struct wg_code){.run = whole ? make_converged : l->run,
                              .whole = whole ? l->run : NULL,
                              .general = g ? g->run : make_general,
                              .back = other ? make_converged : l->run,
                              .frame_bytes = l->meta.frame_bytes,
                              .local_bytes = l->meta.local_bytes,
                              .stream_bytes = l->meta.stream_bytes,
                              .warps = l->meta.warps,
                              .sums = l->meta.sums,
                              .saves = l->meta.saves,
                              .frames = l->meta.frames,
                              .sweeps = l->meta.sweeps,
                              .stages = l->meta.stages,
                              .destroy = destroy,
                              .impl = made};
        if (opts->sites) plan_counts(c, m, func);
        watch(c, l);
    } else {
        end_ahead(ahead);
    }
    pthread_mutex_unlock(&lock);
    return c;
}

bool wg_jit_can(const struct wg_ir_module *m, uint32_t func, bool *recursive) {
    return wg_inline_possible(m, func, recursive);
}
