/* Bank conflict model: wavefronts of one warp's access to shared memory, each serving one 4-byte word of each
 * of 32 banks.
 *
 *     32 lanes, words side by side:          1 wavefront
 *     the same with a stride of 8 bytes:     2
 *     a column of a 32 x 32 array of words: 32; with rows of 33 words: 1
 *     all lanes the same word:               1 (a broadcast), for an atomic with a result: 32
 *
 * Wider accesses are split into groups of lanes: half-warps for 8 bytes, quarter-warps for 16. Loads whose
 * neighbouring lanes share their addresses need half as many groups. The rules give what an H200 counted for
 * every row of tests/model/data/access.tsv.
 */
#ifndef WG_MODEL_BANKS_H
#define WG_MODEL_BANKS_H
#include <stdint.h>

enum wg_shared_kind {
    WG_SHARED_LOAD,
    WG_SHARED_STORE,
    WG_SHARED_ATOMIC, /* with a result, or a reduction other than adding 1: lanes on a word are serialized */
    WG_SHARED_INCREMENT, /* atomicAdd(p, 1) whose result is unused: lanes on one word are merged */
};
struct wg_shared_cost {
    uint32_t wavefronts; /* memory_l1_wavefronts_shared */
    uint32_t ideal;      /* the minimum for this number of bytes: ..._ideal */
};
/* `offset`: bytes from the start of shared memory, aligned to `bytes`: 1, 2, 4, 8 or 16. */
struct wg_shared_cost wg_banks(enum wg_shared_kind kind, const uint32_t offset[32], uint32_t lanes,
                               uint32_t bytes);
#endif
