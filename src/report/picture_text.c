/* Pictures of accesses as a line of characters: see picture.h. */
#include "report/figure.h"
#include "report/picture.h"
#include <string.h>

enum { NAME = 8 };

void wg_picture_ruler(const struct wg_paint *p, int indent, const struct wg_site *site) {
    wg_paint(p, WG_INK_FAINT, "%*s%-*s0       8       16      24\n", indent, "", NAME,
             wg_picture_has_banks(site) ? "bank" : "lane");
}

/* A letter for each sector in the order of addresses; a sector that only one access has is still a letter. */
static void sector_line(const struct wg_paint *p, const struct wg_recorded *access,
                        const struct wg_site *site) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    struct wg_sector_picture s;
    wg_picture_sectors(access, site->bytes, &s);
    for (uint32_t l = 0; l < 32; l++) {
        char c = p->plain ? '.' : ' ';
        if (access->lanes >> l & 1) {
            uint32_t i = 0;
            while (i < s.sectors && !(s.lanes[i] >> l & 1)) i++;
            c = i < sizeof letters - 1 ? letters[i] : '*';
        }
        wg_paint(p, s.sectors > 8 ? WG_INK_BAD : WG_INK_GOOD, "%c", c);
    }
    wg_paint(p, WG_INK_PLAIN, "  %u %s: %u of %u B asked\n", s.sectors, s.sectors == 1 ? "sector" : "sectors",
             s.asked, s.sectors * 32);
}

/* A bar for each bank, as high as the words that lanes want of it. */
static void bank_line(const struct wg_paint *p, const struct wg_recorded *access,
                      const struct wg_site *site) {
    static const char *const bars[] = {"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    struct wg_bank_picture s;
    uint32_t fullest = 0;
    wg_picture_banks(access, site, &s);
    for (uint32_t b = 0; b < 32; b++) {
        uint32_t n = s.words[b], level = n <= 4 ? n : n <= 6 ? 5 : n <= 8 ? 6 : n <= 16 ? 7 : 8;
        if (n > s.words[fullest]) fullest = b;
        if (p->plain)
            wg_paint(p, WG_INK_PLAIN, "%c", !n ? '.' : n < 10 ? (char)('0' + n) : '#');
        else
            wg_paint(p, n > 1 ? WG_INK_BAD : n ? WG_INK_GOOD : WG_INK_FAINT, "%s", bars[level]);
    }
    wg_paint(p, WG_INK_PLAIN, "  %u %s: %u %s of bank %u\n", s.wavefronts,
             s.wavefronts == 1 ? "wavefront" : "wavefronts", s.words[fullest],
             s.words[fullest] == 1 ? "word" : "words", fullest);
}

void wg_picture_line(const struct wg_paint *p, int indent, const char *name, const struct wg_recorded *access,
                     const struct wg_site *site) {
    wg_paint(p, WG_INK_PLAIN, "%*s%-*s", indent, "", NAME, name);
    if (wg_picture_has_banks(site))
        bank_line(p, access, site);
    else
        sector_line(p, access, site);
}
