/* Finds them by scalar evolution of addresses (scev/scev.h): see earlier_rows.h. */
#include "analysis/earlier_rows.h"

#include <string.h>

enum { MOST_ROWS = 8, MOST_ACCESSES = 48 };

static bool is_nothing(const struct wg_sum *f) { return wg_scev_is_constant(f) && !f->constant; }

/* What x reads y has read so many rows before. */
static bool is_earlier(struct wg_scev *s, const struct wg_sum *x, const struct wg_sum *y) {
    static const enum wg_form_var_kind rows[] = {WG_VAR_CTAID_Y, WG_VAR_TID_Y};
    struct wg_sum apart = wg_scev_sum(y, x, -1), row;
    if (!apart.known || is_nothing(&apart)) return false;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct wg_scev_move move = {0};
        move.by[rows[i]] = 1;
        if (!wg_scev_step(s, x, &move, &row) || is_nothing(&row)) continue;
        for (int64_t k = 1; k <= MOST_ROWS; k++) {
            struct wg_sum rest = wg_scev_sum(&apart, &row, -k);
            if (is_nothing(&rest)) return true;
        }
    }
    return false;
}

void wg_find_earlier_rows(struct wg_scev *s, const struct wg_row_access *accesses, uint32_t n,
                          bool *earlier) {
    struct wg_sum at[MOST_ACCESSES];
    memset(earlier, 0, n * sizeof *earlier);
    if (n > MOST_ACCESSES) n = MOST_ACCESSES;
    for (uint32_t i = 0; i < n; i++) at[i] = wg_scev_address(s, accesses[i].block, accesses[i].index);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n && !earlier[i]; k++) earlier[i] = k != i && is_earlier(s, &at[i], &at[k]);
}
