/* CUDA's device runtime as nvcc names it: device/device_runtime.cu as clang compiled it, embedded as text, which a module
 * that names one of its functions gets at its end. */
#include "machine/children.h"
#include <string.h>

extern const char wg_device_runtime_text[]; /* ends with a zero byte */
__asm__(".section .rodata\n.global wg_device_runtime_text\n.hidden wg_device_runtime_text\n"
        ".type wg_device_runtime_text, @object\nwg_device_runtime_text:\n.incbin \"" WG_DEVICE_RUNTIME
        "\"\n.byte 0\n.previous\n");

bool wg_device_runtime_join(const char *text, size_t len, struct wg_strbuf *out) {
    static const char cdp[] = "__cudaCDP2", condition[] = "cudaGraphSetConditional",
                      ours[] = "__wg_device_runtime";
    bool named = memmem(text, len, cdp, sizeof cdp - 1) || memmem(text, len, condition, sizeof condition - 1);
    if (!named || memmem(text, len, ours, sizeof ours - 1)) return false;
    wg_strbuf_add(out, text, len);
    wg_strbuf_puts(out, "\n");
    wg_strbuf_puts(out, wg_device_runtime_text);
    return true;
}
