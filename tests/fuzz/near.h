/* Near misses: a kernel that a form is there for, and edits each of which breaks one of its conditions.
 *
 *     // seed 0: grid 2 x 1 x 1, block 256 x 1 x 1, q 1 1, data 0
 *     // form whole                                 or -whole: not even the kernel without edits may have it
 *     // no: bar.sync 0; => bar.sync 1;             the form must not be used, and bytes are the reference's
 *     // yes: bar.sync 0; => barrier.sync 0;        it must, as in the kernel without edits
 *     // same: ...                                  bytes are the reference's, whether it is used or not
 *
 * An edit replaces all that it finds in the kernel, and there must be some; " && " stands between two of
 * them, "\n" for the end of a line. All is of code for 256 bits; the kernel itself runs in the widest, too.
 *
 *     // cuda: ...             what the kernel was compiled from, where that is so
 *     // bits 512             or all is of code for so many, and left out where the CPU has fewer
 *     // option strict=1      of machines (machines_option): check=1 and count=1 compare what is found or counted, too
 */
#ifndef WG_TESTS_FUZZ_NEAR_H
#define WG_TESTS_FUZZ_NEAR_H
#include "tests/fuzz/machines.h"

/* The launch that a kept kernel's first line names. */
bool kept_read(const char *text, struct program *p, char entry[64]);
/* "A => B && C => D". Gives false where there is nothing to edit. */
bool near_edit(struct wg_strbuf *text, const char *edits);
/* Gives false, and says which, where one of the file's kernels is not as it should be. */
bool near_misses(struct machines *x, const char *path);
#endif
