/* Pictures of one access as SVG: see picture.h.
 *
 * Sectors: 32 lanes above, the sectors that they touch below, a line from each lane to its sector; in a
 * sector the bytes that were asked for are filled. Banks: a column for each bank, a cell for each word that
 * lanes want of it, so that the height is the number of turns. Colours are classes of the page's style.
 */
#include "report/picture.h"
#include <inttypes.h>
#include <stdio.h>

enum { LEFT = 8, WIDTH = 640, CELL = 20, TOP = 22 };

static void lane_list(struct wg_strbuf *out, uint32_t lanes) {
    const char *comma = __builtin_popcount(lanes) == 1 ? "lane " : "lanes ";
    for (uint32_t l = 0; l < 32;) {
        uint32_t end = l;
        if (!(lanes >> l & 1)) {
            l++;
            continue;
        }
        while (end < 31 && (lanes >> (end + 1) & 1)) end++;
        if (end > l + 1)
            wg_strbuf_printf(out, "%s%u to %u", comma, l, end);
        else
            wg_strbuf_printf(out, end > l ? "%s%u, %u" : "%s%u", comma, l, end);
        comma = ", ";
        l = end + 1;
    }
}

static void open_svg(struct wg_strbuf *out, int height, const char *label) {
    wg_strbuf_printf(out, "<svg class=\"picture\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
                     WIDTH + 2 * LEFT, height, label);
}

static void ruler(struct wg_strbuf *out, int y, const char *what) {
    for (int i = 0; i < 32; i++)
        if (i % 8 == 0 || i == 31)
            wg_strbuf_printf(out, "<text class=\"ruler\" x=\"%d\" y=\"%d\">%s%d</text>",
                             LEFT + i * CELL + CELL / 2, y, i ? "" : what, i);
}

/* ---- Sectors ----------------------------------------------------------------------------------------------
 */

static void lane_cells(struct wg_strbuf *out, uint32_t lanes) {
    for (uint32_t l = 0; l < 32; l++)
        wg_strbuf_printf(out,
                         "<rect class=\"%s\" x=\"%u\" y=\"%d\" width=\"%d\" height=\"14\" "
                         "rx=\"2\"><title>lane %u%s</title></rect>",
                         lanes >> l & 1 ? "lane" : "off", LEFT + l * CELL + 1, TOP, CELL - 2, l,
                         lanes >> l & 1 ? "" : ": not active");
}

/* A sector's bytes that were asked for, as few rectangles as there are runs. */
static void used_bytes(struct wg_strbuf *out, uint32_t used, double x, int y, double width) {
    for (uint32_t b = 0; b < 32;) {
        uint32_t end = b;
        if (!(used >> b & 1)) {
            b++;
            continue;
        }
        while (end < 32 && (used >> end & 1)) end++;
        wg_strbuf_printf(out, "<rect class=\"used\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"18\"/>",
                         x + width * b / 32, y, width * (end - b) / 32);
        b = end;
    }
}

static void sectors_svg(struct wg_strbuf *out, const struct wg_recorded *access, const struct wg_site *site) {
    enum { BELOW = 110, GAP = 6 };
    struct wg_sector_picture s;
    char label[128];
    wg_picture_sectors(access, site->bytes, &s);
    snprintf(label, sizeof label, "%u lanes request %u bytes in %u sectors of 32 bytes",
             __builtin_popcount(access->lanes), s.asked, s.sectors);
    uint32_t gaps = 0;
    for (uint32_t i = 1; i < s.sectors; i++) gaps += s.number[i] != s.number[i - 1] + 1;
    double gap = gaps > 8 ? 2 : GAP, width = (WIDTH - gaps * gap) / (s.sectors ? s.sectors : 1);
    if (width > 4 * CELL) width = 4 * CELL;
    open_svg(out, BELOW + 42, label);
    ruler(out, TOP - 7, "lane ");
    double x = LEFT, middle[WG_PICTURE_SECTORS];
    for (uint32_t i = 0; i < s.sectors; i++) {
        if (i && s.number[i] != s.number[i - 1] + 1) x += gap;
        middle[i] = x + width / 2;
        for (uint32_t l = 0; l < 32; l++)
            if (s.lanes[i] >> l & 1)
                wg_strbuf_printf(out, "<path class=\"wire\" d=\"M%u %d C%u %d %.1f %d %.1f %d\"/>",
                                 LEFT + l * CELL + CELL / 2, TOP + 14, LEFT + l * CELL + CELL / 2, TOP + 50,
                                 middle[i], BELOW - 36, middle[i], BELOW);
        x += width;
    }
    lane_cells(out, access->lanes);
    for (uint32_t i = 0; i < s.sectors; i++) {
        double left = middle[i] - width / 2;
        wg_strbuf_printf(out, "<g><title>sector at byte %" PRIu64 ": %d of 32 bytes requested, by ",
                         s.number[i] * 32, __builtin_popcount(s.used[i]));
        lane_list(out, s.lanes[i]);
        wg_strbuf_printf(out,
                         "</title><rect class=\"sector\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"18\"/>",
                         left + 0.5, BELOW, width - 1);
        used_bytes(out, s.used[i], left + 0.5, BELOW, width - 1);
        wg_strbuf_puts(out, "</g>");
    }
    if (s.sectors) {
        wg_strbuf_printf(out, "<text class=\"ruler start\" x=\"%d\" y=\"%d\">byte %" PRIu64 "</text>", LEFT,
                         BELOW + 34, s.number[0] * 32);
        wg_strbuf_printf(out, "<text class=\"ruler end\" x=\"%.1f\" y=\"%d\">to %" PRIu64 "</text>", x,
                         BELOW + 34, s.number[s.sectors - 1] * 32 + 31);
    }
    wg_strbuf_puts(out, "</svg>");
    wg_strbuf_printf(out,
                     "<p class=\"caption\"><b>%u</b> %s of 32 bytes, of which the lanes asked for <b>%u</b> "
                     "of <b>%u</b> bytes "
                     "(filled).</p>",
                     s.sectors, s.sectors == 1 ? "sector" : "sectors", s.asked, s.sectors * 32);
}

/* ---- Banks ------------------------------------------------------------------------------------------------
 */

static void banks_svg(struct wg_strbuf *out, const struct wg_recorded *access, const struct wg_site *site) {
    struct wg_bank_picture s;
    char label[128];
    uint32_t most = 0;
    wg_picture_banks(access, site, &s);
    for (int b = 0; b < 32; b++)
        if (s.words[b] > most) most = s.words[b];
    int cell = most > 16 ? 7 : most > 8 ? 10 : 14, floor = TOP + cell * (most < 4 ? 4 : (int)most);
    snprintf(label, sizeof label, "%u wavefronts: at most %u words of one of 32 banks", s.wavefronts, most);
    open_svg(out, floor + 26, label);
    for (uint32_t b = 0; b < 32; b++) {
        int x = LEFT + (int)b * CELL;
        wg_strbuf_printf(out, "<rect class=\"bank\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"3\"/>", x + 1,
                         floor + 1, CELL - 2);
        for (uint32_t i = 0; i < s.words[b]; i++) {
            wg_strbuf_printf(out,
                             "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                             "rx=\"1\"><title>bank %u, word %" PRIu64 ": ",
                             i ? "clash" : "word", x + 1, floor - (int)(i + 1) * cell, CELL - 2, cell - 1, b,
                             s.word[b][i]);
            lane_list(out, s.lanes[b][i]);
            wg_strbuf_puts(out, "</title></rect>");
        }
    }
    ruler(out, floor + 19, "bank ");
    wg_strbuf_puts(out, "</svg>");
    wg_strbuf_printf(out, "<p class=\"caption\"><b>%u</b> %s: each serves one word of every bank, and ",
                     s.wavefronts, s.wavefronts == 1 ? "wavefront" : "wavefronts");
    if (most > 1)
        wg_strbuf_printf(out, "lanes access up to <b>%u</b> different words of one bank (stacked).", most);
    else
        wg_strbuf_puts(out, "no two lanes access different words of one bank.");
    if (s.groups > 1)
        wg_strbuf_printf(out, " Accesses of %u bytes go in %u groups of lanes; this is group %u.",
                         site->bytes, s.groups, s.group + 1);
    wg_strbuf_puts(out, "</p>");
}

void wg_picture_svg(struct wg_strbuf *out, const struct wg_recorded *access, const struct wg_site *site) {
    if (wg_picture_has_banks(site))
        banks_svg(out, access, site);
    else
        sectors_svg(out, access, site);
}
