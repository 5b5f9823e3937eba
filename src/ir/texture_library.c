/* The functions behind PTX's texture instructions: device/textures.cu as clang compiled it, embedded as text, of
 * which a module gets the functions that it calls. */
#include "ir/texture.h"
#include "base/hash.h"
#include "ptx/parse.h"

#include <assert.h>
#include <string.h>

extern const char wg_texture_library[]; /* ends with a zero byte */
__asm__(".section .rodata\n.global wg_texture_library\n.hidden wg_texture_library\n"
        ".type wg_texture_library, @object\nwg_texture_library:\n.incbin \"" WG_TEXTURES
        "\"\n.byte 0\n.previous\n");

bool wg_texture_library_there(void) { return wg_texture_library[0] != 0; }

void wg_texture_library_hash(struct wg_hash *h) {
    wg_hash_add(h, wg_texture_library, strlen(wg_texture_library));
}

/* The library's text from a function's head to behind its body. */
static const char *find(const char *name, size_t *len) {
    static const char head[] = "\n.visible .func", end[] = "\n}\n";
    size_t n = strlen(name);
    for (const char *at = wg_texture_library; (at = strstr(at, head)); at++) {
        const char *line_end = strchr(at + 1, '\n'), *last = line_end - 1 - n;
        if (last < at || line_end[-1] != '(' || last[-1] != ' ' || memcmp(last, name, n) != 0) continue;
        *len = (size_t)(strstr(line_end, end) + sizeof end - 1 - at);
        return at;
    }
    return NULL;
}

void wg_texture_library_parse(struct wg_build *b, const char *name, struct wg_texture_function *out) {
    struct wg_ptx_module tree = {0};
    size_t len = 0;
    const char *body = find(name, &len);
    assert(body && "device/textures.cu lacks a function that ir/texture.c names");
    const char *text =
        wg_arena_printf(&b->scratch, ".version 8.5\n.target sm_90\n.address_size 64%.*s", (int)len, body);
    out->text =
        (struct wg_ptx_text){.name = name, .text = text, .len = (uint32_t)strlen(text), .diag = b->src->diag};
    wg_ptx_parse(&out->text, b->names, &b->scratch, &tree);
    assert(tree.funcs.n == 1 && !out->text.errors);
    out->func = tree.funcs.v[0];
    wg_ptx_free(&tree);
}
