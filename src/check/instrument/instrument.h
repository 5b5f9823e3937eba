/* Instrumentation: rewrites a module's IR into the same IR with internal instructions added (ptx/own.def).
 *
 * It runs between ir/ and the back ends: machine/ compiles its result in place of the module. The result
 * shares symbols, source locations and instruction numbers with the module, which must outlive it.
 *
 *     ld.global.f32 %f1, [%rd4+8]     ->     check.access [%rd4+8]
 *                                            ld.global.f32 %f1, [%rd4+8]       (checked)
 *
 * Each check is a pass (pass.h). The passes run in one fixed order, both before and after an instruction.
 */
#ifndef WG_CHECK_INSTRUMENT_H
#define WG_CHECK_INSTRUMENT_H
#include "ir/ir.h"

/* What the machine knows of an instruction by its number. */
struct wg_check_site {
    const struct wg_ir_instr *instr;   /* the original; NULL: no instruction has the number */
    const struct wg_ir_block *end;     /* the block that it is the end of; NULL: an instruction */
    uint32_t func;                     /* the function that contains it */
    bool passed_by;                    /* see wg_meeting_is_passed_by */
    bool late;                         /* the write of an asynchronous copy, which may come later */
    uint32_t lanes;                    /* whose addresses count */
    const struct wg_ir_instr *part_of; /* this is one of its accesses, split off; NULL: a whole instruction */
    uint32_t parts; /* copies and products by hardware of its own: the number of the first access taken out of
                       it */
    uint32_t variable; /* the symbol that the address was made from, or WG_NO_REG: not known, or several */
    uint8_t quiet;     /* enum wg_quiet, of what it does to shared memory: quiet.h */
    uint64_t roots;    /* what it touches of global memory: roots.h; 0: nothing */
    bool data;         /* volatile, and does not poll a flag: volatile.h */
    bool takes;        /* an exchange that takes a lock: lock.h */
    bool blind;        /* an atomic whose result is unused */
    const struct wg_ir_instr *guess; /* the exchange that validates a speculative load: guess.h; NULL */
};

struct wg_quiet_pairs;
struct wg_instrumented {
    struct wg_arena arena;
    const struct wg_ir_module *module;   /* instrumented */
    const struct wg_check_site *sites;   /* [nids] */
    uint32_t nids;                       /* the module's, followed by accesses split off from instructions */
    const struct wg_quiet_pairs **pairs; /* [function] see quiet.h; NULL */
    const uint8_t *spinning; /* by function: threads may be met there that wait by asking memory (enum
                                wg_spin). NULL: in none */
};
/* checks: a bit for each enum wg_check_id (check/finding.h). tell_all: accesses that are proven not to race
 * are reported, too. */
struct wg_instrumented *wg_instrument(const struct wg_ir_module *m, uint32_t checks, bool tell_all);
void wg_instrumented_free(struct wg_instrumented *i);
/* Whether it modifies an mbarrier, perhaps another block's, and does not only test it. */
bool wg_instrument_changes_mbarrier(const struct wg_ir_instr *in);
#endif
