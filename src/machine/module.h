/* Modules: parsed PTX, its variables in device memory, and the code of its kernels, compiled on demand. */
#ifndef WG_MACHINE_MODULE_H
#define WG_MACHINE_MODULE_H
#include "analysis/bands.h"
#include "machine/device.h"

/* How code is compiled: by the user's options, or otherwise for comparison (verify.h). */
struct wg_how {
    uint8_t backend; /* enum wg_backend */
    uint8_t opt_level;
    uint16_t width;
    uint64_t forms_off; /* bits by enum wg_form */
    bool plain;         /* without checks and counters */
    bool dry;           /* with counters, without accesses (wg_code_opts) */
    bool slow_alone;    /* without checks, and with counters of slow paths alone */
    bool in_order;      /* ignores --schedule */
};
struct wg_how wg_how_asked(const struct wg_options *o);

/* Code of one kernel for one kind of launch. */
struct wg_variant {
    struct wg_variant *next;
    struct wg_code *code;
    struct wg_how how;
    uint32_t ntid[3];
    bool linear31, bounds, given, counted, whole, cooperative;
    uint64_t strangers; /* as in wg_code_opts */
    uint8_t stages;     /* enum wg_runs_stages */
    struct wg_dealt dealt;
};

struct wg_func {
    struct wg_module *module;
    uint32_t index; /* into ir->funcs */
    const struct wg_ir_func *ir;
    uint32_t bound;             /* threads a block, by its own bounds: see wg_func_info */
    uint32_t estimate;          /* registers a thread, from the PTX */
    uint32_t least;             /* registers a thread, whatever the code needs */
    _Atomic uint32_t assembled; /* by ptxas, once that has run (`asked`); 0: it gives no number */
    bool asked;
    enum wg_band_kind bands; /* bands.h, once bands_known; and a matrix's width among the parameters */
    bool bands_known;
    uint32_t width_at;
    uint8_t joins, joins_known; /* joined_rows.h: bit n for rows of 1 << n threads */
    _Atomic uint8_t adds_later; /* one_order.c's own */
    _Atomic uint8_t ends_soon;  /* here.c's own */
    _Atomic uint8_t launches;   /* func.c's own */
    uint64_t words;             /* analysis/touch.h: parameters that may be pointers */
    _Atomic uint64_t strangers; /* of them, those that were not in some launch: wg_code_opts */
    bool recursive;             /* recursive, directly or not: known once it is compiled */
    char *shown;                /* its name as the source has it: NULL until generated code is there */
    struct wg_variant *variants;
    struct wg_form_facts *forms;    /* check_forms.c: NULL until wanted */
    struct wg_check_formed *formed; /* check_forms.c: of the last launches, under the module's lock */
    struct wg_check_proven *proven; /* check_alike.c: launches, under the module's lock */
    struct wg_sites *sites;         /* profile.c: NULL until wanted */
    struct wg_profile_known *known; /* profile_known.c: launches, under the module's lock */
    uint32_t result_kernel;         /* its number in the result, and 1; 0: not there yet */
    /* wg_func_set; under the module's lock. */
    uint32_t dynamic_shared_max;
    uint32_t cluster[3];
    bool nonportable_cluster;
    int32_t carveout;
};

struct wg_module {
    struct wg_device *dev;
    struct wg_ir_module *ir;
    char *ptx;            /* the text it was parsed from; NULL: several */
    pthread_mutex_t lock; /* variants and attributes */
    struct wg_func *funcs;
    uint32_t nfuncs;
    bool reserves_shared;   /* some function reads %reserved_smem_offset_1: wg_block.reserved_at */
    void *globals, *consts; /* the data images */
    uint64_t *symbols;      /* addresses, by index into ir->syms */
    uint32_t nformed;       /* forms that its functions keep of launches, all of them: under the same lock */
    struct wg_instrumented *instrumented; /* check.c: NULL until wanted */
    struct wg_arena spin_arena;
    const uint8_t *spins; /* [function] enum wg_spin, once spins_known; NULL: none does */
    bool spins_known;
    struct wg_module *next, *prev;
};

/* The code for launches, compiled if needed. `as` selects the variant: all members but `code` and `counted`.
 * NULL: *status and wg_last_detail say why. */
struct wg_code *wg_func_code(struct wg_func *f, const struct wg_variant *as, enum wg_status *status);
/* Whether so many threads a block fit the device, by their registers: OUT_OF_RESOURCES for what ptxas says. */
enum wg_status wg_registers_check(struct wg_func *f, uint32_t threads);
/* Whether jit/ compiles it with optimisation, so that transformations for generated code pay off. */
bool wg_func_optimised(struct wg_func *f, const struct wg_how *how);
/* Whether jit/ compiles it at all. */
bool wg_func_generated(struct wg_func *f, const struct wg_how *how);
/* Whether a thread of the kernel may wait for another block, or the host, by polling memory. */
bool wg_func_may_wait(struct wg_func *f);
/* Whether a thread of it may launch kernels. */
bool wg_func_may_launch(struct wg_func *f);
/* Whether any function of it calls malloc or free. */
bool wg_module_allocates(const struct wg_module *m);
/* Names a variable of the device's modules that holds the address; false: none does. */
bool wg_module_name_address(struct wg_device *dev, uint64_t a, struct wg_strbuf *out);
void wg_modules_close(struct wg_device *dev);
/* func.c. A kernel's name as its author wrote it ("add(float*, int)"), where the process can tell; to be freed. */
char *wg_func_pretty(const struct wg_func *f);
char *wg_pretty_name(const char *mangled); /* of any function */

static inline const struct wg_ir_module *wg_grid_ir(const struct wg_grid *g) { return g->func->module->ir; }
/* grid.c: bytes of local memory of a lane, from one lane to the next. */
uint64_t wg_local_stride(const struct wg_device *dev, const struct wg_func *f, const struct wg_code *code);
/* func.c: fills in what is computed from the IR. */
void wg_func_init(struct wg_func *f);
#endif
