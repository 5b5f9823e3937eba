/* Shadow memory: which bytes of the device's memory were ever written, for the check of initialisation
 * (check/instrument/shadow.h).
 *
 * Each byte of the arena has a shadow byte at the distance wg_memory.shadow; its 1 bits are defined. Fresh
 * pages are zero, so an allocation is undefined without being touched, and only what is written costs
 * memory. Memory outside of the arena, and what the host can write without being seen, counts as defined.
 *
 * A line is 64 bytes, and has a summary byte after the shadows: all ones only where all its shadow bytes are,
 * so that generated code (jit/instr/lines.c) and copies need not look at them; else zero. It may be zero
 * although they are all ones.
 */
#ifndef WG_MACHINE_MEMORY_SHADOW_H
#define WG_MACHINE_MEMORY_SHADOW_H
#include <stdatomic.h>
#include "machine/memory/memory.h"

static inline uint8_t *wg_shadow_at(const struct wg_memory *m, uint64_t a) {
    return m->shadow && wg_memory_holds(m, a) ? (uint8_t *)(a + m->shadow) : NULL;
}
static inline _Atomic uint8_t *wg_shadow_line(const struct wg_memory *m, uint64_t a) {
    return (_Atomic uint8_t *)(m->lines + (a - m->base) / WG_LINE);
}
/* Called by wg_memory_open and wg_memory_close. */
void wg_shadow_open(struct wg_memory *m);
void wg_shadow_close(struct wg_memory *m);
/* The functions below do nothing when there are no shadows. */
void wg_shadow_define(const struct wg_memory *m, uint64_t at, uint64_t bytes);
void wg_shadow_undefine(const struct wg_memory *m, uint64_t at, uint64_t bytes);
/* A kernel has just written something undefined there, while others may run. */
void wg_shadow_undefined(struct wg_memory *m, uint64_t at, uint64_t bytes);
/* Whole pages are unmapped: releases the memory of their shadows. */
void wg_shadow_forget(struct wg_memory *m, uint64_t at, uint64_t bytes);
/* Whether all bytes of an allocation or variable are defined. Returns m->undefined at that time, or 0. The
 * progress of the scan is cached, so a repeated call is cheap. */
uint64_t wg_shadow_whole(struct wg_memory *m, uint64_t at, uint64_t bytes);

/* The undefined bytes of a range: how many, and the first. Padding of structures does not count (padding.h). */
struct wg_shadow_gaps {
    uint64_t bytes, first;
};
struct wg_shadow_gaps wg_shadow_gaps(const struct wg_memory *m, uint64_t at, uint64_t bytes);

/* Whether all lines that a range touches are known to be defined; and marks them as not known to be. */
bool wg_shadow_is_whole(const struct wg_memory *m, uint64_t at, uint64_t bytes);
void wg_shadow_clear_lines(const struct wg_memory *m, uint64_t at, uint64_t bytes);
#endif
