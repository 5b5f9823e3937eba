/* Dry replay: interprets a kernel's warps one lane at a time; stores and atomics go to a copy-on-write
 * overlay through which loads read, so nothing outside changes. It finds the lane and the line of an access
 * that memory refused, and what the reference computes from memory that generated code is about to change.
 *
 *     struct wg_replay *r = wg_replay_new(allow, user);
 *     while (wg_replay_run(r, warp) is no fault) ... barriers as for any warp ...
 *     warp->fault  -> lane, loc, address, size
 *     wg_replay_free(r);
 *
 * `warp->code` comes from wg_ref_compile, `warp->frame` has its frame_bytes. All warps of a block (or of a
 * cluster) share one replay so that they see each other's stores; one thread at a time. Services are called
 * as always: pass a block whose services print nothing.
 */
#ifndef WG_REF_REPLAY_H
#define WG_REF_REPLAY_H
#include "warp/warp.h"

enum wg_access_kind { WG_ACCESS_LOAD = 1, WG_ACCESS_STORE = 2, WG_ACCESS_ATOMIC = 3 };
struct wg_access {
    uint8_t kind;  /* enum wg_access_kind */
    uint8_t space; /* enum wg_space that the instruction names */
    uint8_t lane;
    uint32_t size;    /* bytes; vector accesses as a whole */
    uint64_t address; /* the process's own address, for shared memory too */
    uint32_t loc;     /* index into the module's locs */
    uint32_t op;      /* enum wg_op */
    const struct wg_ir_instr *instr;
};
/* False: this access is a fault (WG_FAULT_ADDRESS) and the run ends. */
typedef bool (*wg_replay_allow)(void *user, const struct wg_warp *w, const struct wg_access *a);

struct wg_replay;
struct wg_replay *wg_replay_new(wg_replay_allow allow, void *user); /* allow NULL: all accesses */
void wg_replay_free(struct wg_replay *r);
/* Memory private to the run, such as that of its blocks: the overlay does not cover it. */
void wg_replay_own(struct wg_replay *r, uint64_t from, uint64_t bytes);
/* Memory that others also write to meanwhile: the run's writes there go to memory, and are also recorded. */
void wg_replay_write_through(struct wg_replay *r, uint64_t from, uint64_t bytes);
/* As if these had never been written. */
void wg_replay_forget(struct wg_replay *r, uint64_t address, uint64_t size);
/* From now on the values read from memory itself are recorded. */
void wg_replay_note_reads(struct wg_replay *r);
/* For `allow`: marks these bytes. wg_replay_forget_marked: as if marked bytes had never been read nor
 * written. */
void wg_replay_mark(struct wg_replay *r, uint64_t address, uint32_t size);
void wg_replay_forget_marked(struct wg_replay *r);
/* Like warp->code->run(warp). */
enum wg_warp_status wg_replay_run(struct wg_replay *r, struct wg_warp *w);

/* The overlay's state of 64 bytes of memory: each mask has a bit per byte. */
struct wg_replay_line {
    uint64_t address;
    uint64_t written, read, marked;
    const uint8_t *bytes;      /* those written */
    const uint8_t *read_bytes; /* as they were when they were read, before the run wrote them if it did */
};
/* Iterates over the lines that were written or read, in no order; *at starts at 0. False: there are no
 * more. */
bool wg_replay_next(const struct wg_replay *r, size_t *at, struct wg_replay_line *out);
struct wg_replay_line wg_replay_line_at(struct wg_replay *r, uint64_t address);
#endif
