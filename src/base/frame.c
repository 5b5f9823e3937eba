/* See frame.h. */
#include "base/frame.h"

void wg_frames_json(struct wg_strbuf *b, const struct wg_frame *frames, uint32_t n) {
    wg_strbuf_puts(b, "\"frames\": [");
    for (uint32_t i = 0; i < n; i++) {
        wg_strbuf_puts(b, i ? ", {" : "{");
        wg_strbuf_json_member(b, "file", frames[i].file);
        wg_strbuf_printf(b, ", \"line\": %u, \"column\": %u, ", frames[i].line, frames[i].column);
        wg_strbuf_json_member(b, "function", frames[i].function);
        wg_strbuf_puts(b, "}");
    }
    wg_strbuf_puts(b, "]");
}
