/* A minimal ELF loader: object files from the code generator become code in this process.
 *
 * LLVM could do it, but a program whose code is cached shall not need LLVM (codegen.h), and little is to be
 * done: code is small and position-independent, so it refers to itself, to functions that it calls and to
 * addresses of both. Any other relocation is refused. Objects of one kernel are adjacent in memory; the
 * functions of the process that they call are resolved by name.
 */
#ifndef WG_JIT_LOAD_H
#define WG_JIT_LOAD_H
#include "base/strbuf.h"
#include <stdint.h>

enum { WG_LOAD_OBJECTS = 2 };

struct wg_loaded; /* mapped memory */
/* The bytes of up to so many objects; sizes: 0: none. find: where a function of the process is; 0: there is
 * none. NULL: what is wrong is added to `why`. */
struct wg_loaded *wg_load_objects(const char *bytes, const size_t sizes[WG_LOAD_OBJECTS],
                                  uintptr_t (*find)(const char *name), struct wg_strbuf *why);
/* What the objects have by this name; 0: nothing. */
uintptr_t wg_loaded_symbol(const struct wg_loaded *l, const char *name);
void wg_unload(struct wg_loaded *l);

#endif
