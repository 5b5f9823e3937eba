/* Texture instructions as calls, and where the functions come from that they call: see texture.c. */
#ifndef WG_IR_TEXTURE_H
#define WG_IR_TEXTURE_H
#include "base/hash.h"
#include "ir/build.h"

/* A function of the library that one instruction calls, and where the instruction stands. */
struct wg_texture_function {
    struct wg_ptx_text text;
    struct wg_ptx_func *func;
    uint32_t loc, line;
};

/* ---- texture.c ---- */
/* Emits a CALL, whose function is settled when the caller's body is complete. */
bool wg_build_texture(struct wg_fn *f, const struct wg_ptx_instr *in, struct wg_ir_instr *unused);
void wg_textures_settle(struct wg_fn *f);
/* NULL: the function is one of the program's own. */
const struct wg_texture_function *wg_texture_function_at(const struct wg_build *b, uint32_t index);

/* ---- texture_library.c ---- */
/* False in a build that found no clang to make it with. */
bool wg_texture_library_there(void);
/* Parses the function of this name, which there must be. */
void wg_texture_library_parse(struct wg_build *b, const char *name, struct wg_texture_function *out);
/* What the library's text comes to, for keys of caches. */
void wg_texture_library_hash(struct wg_hash *h);
#endif
