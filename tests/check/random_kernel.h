/* Random kernels of index arithmetic, as PTX: guards, loops, and accesses of memory at what comes of it.
 *
 *     struct random_kernel w = {0};
 *     random_kernel_write(&w, 17);       k(.u64 p, .u32 n, .u32 w), for two-dimensional blocks and grids
 *     ... w.text ...
 */
#ifndef WG_TESTS_CHECK_RANDOM_KERNEL_H
#define WG_TESTS_CHECK_RANDOM_KERNEL_H
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

enum { RANDOM_REGS = 200 }; /* of each width, at most */
struct random_kernel {
    bool tame;   /* given: numbers stay small, so that all loops end soon */
    bool shared; /* given: the memory is the block's, and there are barriers, which all threads reach */
    bool parted; /* where not all threads come */
    struct wg_strbuf text;
    uint32_t nregs, npreds, naddresses, nlabels; /* %r1 .. %r<nregs> have been written, and so on */
    uint32_t depth;
    /* What it may be launched with. */
    uint32_t ntid[3], nctaid[3], n, w;
};
void random_kernel_write(struct random_kernel *w, uint64_t number);
#endif
