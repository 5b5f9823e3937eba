/* Computes what the pictures show: see picture.h. */
#include "report/picture.h"
#include "report/advice/adviser.h"
#include <string.h>

bool wg_picture_has_banks(const struct wg_site *site) {
    enum wg_class_memory m = wg_class_infos[site->class].memory;
    return m == WG_MEMORY_SHARED || m == WG_MEMORY_REMOTE;
}

static uint32_t place_of(struct wg_sector_picture *p, uint64_t number) {
    uint32_t at = 0;
    while (at < p->sectors && p->number[at] < number) at++;
    if (at < p->sectors && p->number[at] == number) return at;
    if (p->sectors == WG_PICTURE_SECTORS) return UINT32_MAX;
    size_t behind = p->sectors - at;
    memmove(&p->number[at + 1], &p->number[at], behind * sizeof *p->number);
    memmove(&p->used[at + 1], &p->used[at], behind * sizeof *p->used);
    memmove(&p->lanes[at + 1], &p->lanes[at], behind * sizeof *p->lanes);
    p->number[at] = number;
    p->used[at] = p->lanes[at] = 0;
    p->sectors++;
    return at;
}

void wg_picture_sectors(const struct wg_recorded *access, uint32_t bytes, struct wg_sector_picture *out) {
    memset(out, 0, sizeof *out);
    for (uint32_t l = 0; l < 32; l++)
        for (uint32_t b = 0; (access->lanes >> l & 1) && b < bytes; b++) {
            uint64_t address = access->address[l] + b;
            uint32_t at = place_of(out, address / 32);
            if (at == UINT32_MAX) continue;
            out->asked += !(out->used[at] >> address % 32 & 1);
            out->used[at] |= 1u << address % 32;
            out->lanes[at] |= 1u << l;
        }
}

static void want(struct wg_bank_picture *p, uint64_t word, uint32_t lane, bool merge) {
    uint32_t bank = word % 32, n = p->words[bank];
    for (uint32_t i = 0; merge && i < n; i++)
        if (p->word[bank][i] == word) {
            p->lanes[bank][i] |= 1u << lane;
            return;
        }
    if (n == 64) return;
    p->word[bank][n] = word;
    p->lanes[bank][n] = 1u << lane;
    p->words[bank]++;
}

static uint32_t fill_group(struct wg_bank_picture *p, const struct wg_recorded *access,
                           const struct wg_site *site, uint32_t group) {
    uint32_t each = 32 / p->groups, most = 0;
    memset(p->words, 0, sizeof p->words);
    for (uint32_t l = group * each; l < (group + 1) * each; l++)
        for (uint32_t w = 0; (access->lanes >> l & 1) && w < (site->bytes < 4 ? 1 : site->bytes / 4); w++)
            want(p, access->address[l] / 4 + w, l, site->class != WG_CLASS_shared_atomic);
    for (int b = 0; b < 32; b++)
        if (p->words[b] > most) most = p->words[b];
    p->group = group;
    return most;
}

void wg_picture_banks(const struct wg_recorded *access, const struct wg_site *site,
                      struct wg_bank_picture *out) {
    memset(out, 0, sizeof *out);
    out->groups = site->bytes <= 4 ? 1 : site->bytes / 4;
    out->wavefronts = wg_wavefronts_of(access, site);
    uint32_t worst = 0, most = 0;
    for (uint32_t g = 0; g < out->groups; g++) {
        uint32_t turns = fill_group(out, access, site, g);
        if (turns > most) most = turns, worst = g;
    }
    fill_group(out, access, site, worst);
}
