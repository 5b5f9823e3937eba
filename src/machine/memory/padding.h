/* Which bytes that were never written are padding of structures: those that no member has, by the layouts of the types in
 * the kernels' text (base/record.h). Text without them, as nvcc's, leaves what was written around a hole to go by. */
#ifndef WG_MACHINE_MEMORY_PADDING_H
#define WG_MACHINE_MEMORY_PADDING_H
#include "base/record.h"
#include "machine/memory/memory.h"

/* Kernels of a text are launched that has these layouts; none: they are not known. Its widest store has so many bytes. */
void wg_padding_add(struct wg_memory *m, const struct wg_record *records, uint32_t n, uint32_t widest_store);
void wg_padding_open(struct wg_memory *m);
void wg_padding_close(struct wg_memory *m);
/* `s`: the shadows of [at, at + bytes), of which [i, i + n) was never written, and the byte before was. */
bool wg_is_padding(const struct wg_memory *m, const uint8_t *s, uint64_t bytes, uint64_t at, uint64_t i,
                   uint64_t n);
#endif
