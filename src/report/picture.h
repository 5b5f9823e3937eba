/* Pictures of one access: which lane requests which sectors, or which words of which bank; SVG on pages, and characters on
 * terminals.
 *
 *     lane     0       8       16      24
 *     sector   AAAAAAAABBBBBBBBCCCCCCCCDDDDDDDD    4 sectors, all of each used
 *     sector   ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef   32 sectors, 4 of 32 bytes used
 */
#ifndef WG_REPORT_PICTURE_H
#define WG_REPORT_PICTURE_H
#include "report/paint.h"
#include "report/profile.h"

enum { WG_PICTURE_SECTORS = 128 };

struct wg_sector_picture {
    uint32_t sectors;                    /* by address */
    uint64_t number[WG_PICTURE_SECTORS]; /* address / 32 */
    uint32_t used[WG_PICTURE_SECTORS];   /* a bit for each byte asked for */
    uint32_t lanes[WG_PICTURE_SECTORS];  /* a bit for each lane that asks */
    uint32_t asked;                      /* bytes, each counted once */
};
struct wg_bank_picture {
    uint32_t words[32];          /* different words that lanes of one turn's group want of each bank */
    uint64_t word[32][64];       /* address / 4 */
    uint32_t lanes[32][64];      /* which lanes want it */
    uint32_t wavefronts, groups; /* of the whole access; groups that lanes go in: 1, 2 or 4 */
    uint32_t group;              /* the one shown: the one with the most turns */
};

void wg_picture_sectors(const struct wg_recorded *access, uint32_t bytes, struct wg_sector_picture *out);
void wg_picture_banks(const struct wg_recorded *access, const struct wg_site *site,
                      struct wg_bank_picture *out);
/* Is it shared memory, so that banks are the picture? */
bool wg_picture_has_banks(const struct wg_site *site);

/* picture_html.c: the access, for the page's script to draw, and its caption. */
void wg_picture_html(struct wg_strbuf *out, const struct wg_recorded *access, const struct wg_site *site);
/* picture_text.c: a ruler and a line; `name` stands before the line ("now", "then"). */
void wg_picture_ruler(const struct wg_paint *p, int indent, const struct wg_site *site);
void wg_picture_line(const struct wg_paint *p, int indent, const char *name, const struct wg_recorded *access,
                     const struct wg_site *site);
#endif
