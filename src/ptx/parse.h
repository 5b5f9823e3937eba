/* Tokens to tree. Errors are reported through `src`; parsing goes on behind the next ';' to find more of
 * them. Afterwards src->errors says whether the tree is whole. */
#ifndef WG_PTX_PARSE_H
#define WG_PTX_PARSE_H
#include "ptx/tree.h"

/* The tree's nodes live in `arena`, its names in names->arena; free the module's lists with wg_ptx_free. */
void wg_ptx_parse(struct wg_ptx_text *src, struct wg_names *names, struct wg_arena *arena,
                  struct wg_ptx_module *out);
/* The version that a text begins with, as 83 for 8.3; 0: none. Versions add instructions, and what nothing here knows is an error
 * where it stands; a new major version, newer than WG_PTX_NEWEST, might change others. */
uint32_t wg_ptx_version(const char *text, uint32_t len);
enum { WG_PTX_NEWEST = 99 };
void wg_ptx_free(struct wg_ptx_module *m);
#endif
