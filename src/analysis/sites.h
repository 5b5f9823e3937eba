/* Profiling sites: the places of a kernel where something is counted, each with its line in the user's
 * source.
 *
 *     ld.global.u32 %r1, [%rd4]       one site, global_load
 *     ld.u32 %r1, [%rd4]              a generic address: four, one for each memory that it may be in
 *     ld.shared::cluster ...          two: this block's shared memory, another's
 *     @%p1 bra $L2                    one site, branch
 *     tex.2d.v4.f32.f32 ...           none: what it is made of (ir/texture.h) is not counted, but as one instruction
 *     every line                      one site, line: the instructions executed there
 *     div.rn.f32, sqrt.rn.f32, ...    four, slow_path, where the machine code is known: slow_paths.h
 *     every basic block               one site, block: how often it was executed, which is the count of each of its
 *                                     instructions
 *
 * They are found in the module as it was read, so the generated code (whose calls are inlined) and the
 * reference share them: both find a site by the number that an instruction keeps when it is copied
 * (wg_ir_instr.id). Memory sites come first and are what tallies have a row for.
 */
#ifndef WG_ANALYSIS_SITES_H
#define WG_ANALYSIS_SITES_H
#include "analysis/operations.h"
#include "ir/ir.h"

#define WG_NO_SITE UINT32_MAX

/* printf, malloc and free have these sites, one after the other: what the function itself accesses. */
enum wg_system_call_site {
    WG_SYSTEM_CALL_LOADS,
    WG_SYSTEM_CALL_STORES,
    WG_SYSTEM_CALL_ATOMICS,
    WG_SYSTEM_CALL_LOCAL_LOADS,
    WG_SYSTEM_CALL_LOCAL_STORES,
    WG_SYSTEM_CALL_SITES
};

struct wg_site {
    uint8_t class;  /* enum wg_class */
    uint8_t bytes;  /* memory: of a lane, all elements of a vector */
    int8_t shift;   /* memory: from the instruction's address to that of the access that ptxas emits */
    uint8_t joined; /* memory: instructions that ptxas merges into it; 1: this one alone */
    uint8_t space;  /* memory: enum wg_space of the instruction */
    bool one_lane;  /* atomics: one lane acts for all active ones (atomics.h) */
    uint8_t way;    /* atomics on shared memory: enum wg_shared_way */
    uint8_t also;   /* memory: how many sites further on the same access is counted, too; 0: nowhere */
    uint32_t loc, ptx_line;
    const char *op;   /* "ld.global.u32"; NULL: a line */
    const char *what; /* where the address comes from: a parameter or a variable; NULL: not known */
};

/* A counted instruction of the PTX: the sites of its source line, of its basic block and, in a loop, of the block from
 * which the outermost one around it is entered (WG_NO_SITE: it is in none, or there are several). */
struct wg_site_code {
    uint32_t ptx_line, line, block, enters;
};

/* Which memories an access may go to: sites[first + WG_PLACE_...] where it has more than one. */
enum wg_site_place { WG_PLACE_GLOBAL, WG_PLACE_SHARED, WG_PLACE_REMOTE, WG_PLACE_LOCAL, WG_PLACES };

struct wg_sites {
    struct wg_arena arena;
    const struct wg_ir_module *module;
    uint32_t func;
    struct wg_site *v;
    uint32_t n;
    uint32_t nmemory; /* of them, the first ones */
    /* By id, WG_NO_SITE for none. */
    uint32_t *memory, *branch, *barrier, *line;
    uint32_t *block;       /* by id, at the first counted instruction of each basic block */
    uint32_t *slow;        /* by id: the first of the sites of its slow path (slow_paths.h) */
    uint32_t *slow_number; /* by id: which of `nslow`, where it has them */
    uint32_t nslow;
    struct wg_site_code *code; /* in the order of the functions' blocks */
    uint32_t ncode;
    struct wg_operation *operation; /* by id, of what has a line */
    uint64_t made;                  /* hash of what is known of the machine code; 0: nothing */
    uint16_t *machine;              /* by id: number of SASS instructions that ptxas emits (assembly.h) */
};

struct wg_sass_accesses;
/* `func` with everything that it may call. `made`: what ptxas made of its loads and stores (sass_accesses.h); NULL: the
 * rules of joins.h say. */
struct wg_sites *wg_sites_find(const struct wg_ir_module *m, uint32_t func,
                               const struct wg_sass_accesses *made);
void wg_sites_free(struct wg_sites *s);
/* The site of a place of the access `id`: the offset from memory[id], or WG_NO_SITE when the access cannot go
 * there. */
uint32_t wg_site_at(const struct wg_sites *s, uint32_t id, enum wg_site_place place);
/* "ld.global.v2.f32" */
char *wg_site_spelling(struct wg_arena *a, const struct wg_ir_instr *in);
#endif
