/* Interleaved accesses to structures, one per lane: what structures.c, which finds the groups, shares with
 * the two ways to access memory: structure_rows.c and structure_lanes.c. */
#ifndef WG_JIT_STRUCTURES_H
#define WG_JIT_STRUCTURES_H
#include "jit/access/network.h"

enum { WG_STRUCTURE_MEMBERS = 16, WG_STRUCTURE_CHUNKS = 8 };

/* An access of the basic block. */
struct wg_member {
    uint32_t instr;
    int64_t at; /* its offset from the register */
    uint32_t bytes, nvec;
    LLVMValueRef
        x[4]; /* its elements, <32 x iN>: of a load once loaded, of a store from its place in the code on */
};

/* An interleaved group: accesses issued together. The lanes are split in chunks of `net.lanes`; the units
 * of a chunk are loaded into, or stored from, net.stride rows of the network. */
struct wg_structure {
    struct wg_member member[WG_STRUCTURE_MEMBERS];
    uint32_t n;
    enum wg_op op;
    int64_t low;   /* offset of the structures' start: the lowest member's, or lower */
    uint32_t size; /* bytes of a structure */
    bool apart;    /* structures are far apart: accessed lane by lane */
    uint32_t unit; /* bytes: 4, or 8 where nothing is smaller */
    uint32_t run;  /* lanes `size` apart: 32, or so many, with a run-time term between such runs */
    struct wg_network net;
};

static inline uint32_t wg_structure_chunks(const struct wg_structure *s) { return WG_LANES / s->net.lanes; }
LLVMTypeRef wg_structure_row(struct wg_emit *e, const struct wg_structure *s);
/* Extracts members' elements from the fields of all chunks; and builds the fields of a chunk from them. */
void wg_structure_take(struct wg_emit *e, struct wg_structure *s,
                       LLVMValueRef field[WG_STRUCTURE_CHUNKS][WG_NETWORK_UNITS]);
void wg_structure_put(struct wg_emit *e, const struct wg_structure *s, uint32_t chunk, LLVMValueRef *field);

/* `a`: the address of an access at register + `at`. */
void wg_structure_load_rows(struct wg_emit *e, struct wg_structure *s, const struct wg_value *a, int64_t at,
                            LLVMValueRef mask);
void wg_structure_store_rows(struct wg_emit *e, const struct wg_structure *s, const struct wg_value *a,
                             int64_t at, LLVMValueRef mask);
void wg_structure_load_lanes(struct wg_emit *e, struct wg_structure *s, const struct wg_value *a, int64_t at,
                             LLVMValueRef mask);
void wg_structure_store_lanes(struct wg_emit *e, const struct wg_structure *s, const struct wg_value *a,
                              int64_t at, LLVMValueRef mask);
#endif
