/* The on-disk cache of compiled kernels: one file per kernel, named by the hash of its inputs. A cache that
 * cannot be read or written costs time, never correctness: the error is reported once, with
 * WARPGLASS_VERBOSE. */
#ifndef WG_JIT_CACHE_H
#define WG_JIT_CACHE_H
#include "base/strbuf.h"
#include <stdint.h>

enum { WG_KEY_BYTES = 40 }; /* a letter for the version and 32 digits */

struct wg_cache_meta {
    uint32_t frame_bytes, local_bytes;
    uint32_t needs_general; /* 0 or 1 */
    uint32_t stream_bytes;
    uint32_t whole;          /* 0 or 1: it runs whole blocks */
    uint32_t sums;           /* 0 or 1: it adds to combiners */
    uint16_t sweeps, stages; /* 0 or 1: struct wg_code */
    uint16_t saves, frames;  /* 0 or 1: struct wg_code */
    uint32_t one_way;        /* 0 or 1: GENERAL returns to another form */
    uint32_t crowded;        /* 0 or 1: less side by side than at first */
    uint16_t quick;          /* 0 or 1: there is better code to be made (tiers.h) */
    uint16_t huge;           /* 0 or 1: which would take minutes and gigabytes */
    uint32_t second_bytes;   /* the last ones are a second object */
    uint32_t warps;          /* struct wg_code */
    char shown[224];         /* the kernel's source name, truncated to fit */
};
/* The objects' bytes, appended to `out`. A file that is damaged, or has
 * another key's objects, counts as absent and is removed. */
bool wg_cache_load(const char *key, struct wg_cache_meta *meta, struct wg_strbuf *out);
void wg_cache_store(const char *key, const struct wg_cache_meta *meta, const void *bytes, size_t len);
/* How long launches ran in a kernel's quick code (tiers.h), in nanoseconds; 0: not known. One file for all
 * versions of a kernel, whose keys differ in the first letter. */
uint64_t wg_cache_load_time(const char *key);
void wg_cache_store_time(const char *key, uint64_t ns);
#endif
