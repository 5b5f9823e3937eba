/* Linking of PTX texts into one: what -rdc=true needs, and cuLinkAddData.
 *
 * Each text is cut into its top-level statements, and one text is written: variables first, then functions. A
 * name that is private to its text and clashes is given a new one; a .weak definition that came before is
 * left out; an .extern declaration of what another text defines becomes a forward declaration or nothing.
 * `.file` numbers, and those in `.loc`, are assigned afresh. What cannot be resolved is left for the parser
 * to say.
 *
 * In what clang wrote (plain_statics) a static variable or kernel of one file is .visible under its own name,
 * and a kernel made of a template in each file that uses it. Where several texts define such a name, the
 * first are distinguished by their text's number (wg_ptx_unit_name), and one of the second is kept.
 *
 *     a.ptx: .extern .func f();   .visible .entry k() { call f; }
 *     b.ptx: .visible .func f() { ret; }
 *     ->     .func f(); .visible .func f() { ret; } .visible .entry k() { call f; }
 */
#ifndef WG_DRIVER_PTX_LINK_H
#define WG_DRIVER_PTX_LINK_H
#include <stdbool.h>
#include "base/arena.h"
#include "base/strbuf.h"

struct wg_ptx_unit;
struct wg_ptx_linker {
    struct wg_arena arena;
    WG_VEC(struct wg_ptx_unit *) units;
    struct wg_strbuf out;
    bool plain_statics;
};
/* What a name that is the text's own is called after linking, where others have it too; units count from 1.
 */
const char *wg_ptx_unit_name(struct wg_arena *a, const char *name, size_t len, unsigned unit);
/* Copies the text. `name` may be NULL. */
void wg_ptx_link_add(struct wg_ptx_linker *l, const char *name, const char *text, size_t len);
/* The joined text, which is the linker's. */
struct wg_strbuf *wg_ptx_link_finish(struct wg_ptx_linker *l);
void wg_ptx_link_free(struct wg_ptx_linker *l);
#endif
