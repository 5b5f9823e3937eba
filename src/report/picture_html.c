/* Pictures of accesses on a page: only their addresses, from which the page's script draws the picture and its caption when it
 * scrolls into view (html/pictures.js). See picture.h.
 *
 *     <div class="picture" data-access="sectors 4 4 1 ffffffff 0 4*31"></div>
 *
 * The values are the kind, their number, the bytes of a lane, whether lanes that request the same word share it, the mask of
 * active lanes, the first one's address, and the distances from each lane to the next, run-length encoded.
 */
#include "model/coalesce.h"
#include "report/advice/adviser.h"
#include "report/picture.h"
#include <inttypes.h>

static void addresses(struct wg_strbuf *out, const struct wg_recorded *access) {
    uint64_t at = 0, step = 0;
    uint32_t times = 0; /* that the step last written repeats; the first lane's place is none */
    for (uint32_t l = 0, seen = 0; l < 32; l++) {
        if (!(access->lanes >> l & 1)) continue;
        uint64_t by = access->address[l] - at;
        bool again = seen > 1 && by == step;
        if (!again && times > 1) wg_strbuf_printf(out, "*%u", times);
        if (!again) wg_strbuf_printf(out, " %" PRId64, (int64_t)by);
        times = again ? times + 1 : 1;
        step = by, at = access->address[l], seen++;
    }
    if (times > 1) wg_strbuf_printf(out, "*%u", times);
}

void wg_picture_html(struct wg_strbuf *out, const struct wg_recorded *access, const struct wg_site *site) {
    bool banks = wg_picture_has_banks(site);
    uint32_t cost = banks ? wg_wavefronts_of(access, site)
                          : wg_coalesce(access->address, access->lanes, site->bytes).sectors;
    wg_strbuf_printf(out, "<div class=\"picture\" data-access=\"%s %u %u %d %x", banks ? "banks" : "sectors",
                     cost, site->bytes, site->class != WG_CLASS_shared_atomic, access->lanes);
    addresses(out, access);
    wg_strbuf_puts(out, "\"></div>");
}
