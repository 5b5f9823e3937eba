/* Cluster dimensions that are encoded in a kernel's name.
 *
 * clang 19 has no word for them, so the headers of device/ put them there, as an ABI tag:
 *     __cluster_dims__(2, 1, 1) __global__ void k(int *)   is   .entry _Z1kB22wg_cluster_dims_2_1_1_Pi
 *
 * The lexer takes the tag out of every name, so that nobody meets it; parse.c reads the numbers from the
 * text. Who looks a kernel up by a name that the compiler registered takes it out as well.
 */
#ifndef WG_PTX_CLUSTER_TAG_H
#define WG_PTX_CLUSTER_TAG_H
#include <stdbool.h>
#include <stdint.h>

struct wg_cluster_tag {
    uint32_t begin, end; /* in the name: what to leave out, "B22wg_cluster_dims_2_1_1_" */
    uint32_t dims[3];    /* zeros: they are no numbers */
};
/* May there be tags in this text? */
bool wg_cluster_tag_in(const char *text, uint32_t len);
/* False: the name has no tag. */
bool wg_cluster_tag_find(const char *name, uint32_t len, struct wg_cluster_tag *out);
/* The name without its tag, to be freed. */
char *wg_cluster_tag_remove(const char *name);
#endif
