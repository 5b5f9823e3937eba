/* The source location of an instruction: its own first, then the calls that it was inlined by, innermost first. Files
 * have a list of them as [{"file", "line", "column", "function"}, ...]. */
#ifndef WG_BASE_FRAME_H
#define WG_BASE_FRAME_H
#include "base/strbuf.h"
#include <stdint.h>

struct wg_frame {
    const char *file; /* as the compiler named it; NULL: not known */
    uint32_t line, column;
    const char *function; /* NULL: not known */
};

/* Adds the member "frames". */
void wg_frames_json(struct wg_strbuf *b, const struct wg_frame *frames, uint32_t n);

#endif
