/* See fragments.h. */
#include "analysis/fragments.h"

enum { ROWS = 8, ROW_BYTES = 16, QUAD = 4 };

struct wg_fragment wg_fragment_of(const struct wg_ir_instr *in) {
    struct wg_ir_parts p;
    wg_ir_matrix_parts(in, &p);
    uint8_t matrix = in->mod[WG_MC_MATRIX];
    bool factor = matrix == WG_M_mat_a || matrix == WG_M_mat_b, columns = in->mod[WG_MC_LAYOUT] == WG_M_col;
    uint32_t bits = wg_type_bits(in->type), rows = matrix == WG_M_mat_b ? p.shape.k : p.shape.m,
             cols = matrix == WG_M_mat_a ? p.shape.k : p.shape.n;
    /* A lane keeps together elements along k; of the sums, along n, but 8 x 32 is computed transposed. */
    bool along = matrix == WG_M_mat_b || (!factor && p.shape.m == 8 && p.shape.n == 32) ? columns : !columns;
    bool halves = bits == 16; /* transposed in registers, so that memory is read in its own layout */
    struct wg_fragment f = {.form = along || halves ? WG_FRAGMENT_WORDS : WG_FRAGMENT_ELEMENTS,
                            .rows = (uint8_t)(columns ? cols : rows),
                            .columns = (uint8_t)(columns ? rows : cols),
                            .element = (uint8_t)(bits / 8)};
    f.each = (uint8_t)(bits >= 32 ? (factor ? 1 : 2) : 32 / bits);
    bool packed = halves || (bits == 8 && along);
    if (in->op == WG_OP_WMMA_LOAD && factor && in->space == WG_S_SHARED && packed) f.form = WG_FRAGMENT_ROWS;
    return f;
}

uint32_t wg_fragment_bytes(const struct wg_fragment *f) {
    switch (f->form) {
    case WG_FRAGMENT_WORDS: return (uint32_t)f->each * f->element;
    case WG_FRAGMENT_ELEMENTS: return f->element;
    default: return ROW_BYTES;
    }
}

struct walk { /* over the accesses of one fragment */
    const struct wg_warp *w;
    uint32_t id;
    enum wg_space space;
    uint64_t at, row_bytes;
    wg_count_access count;
};

/* Bytes from the tile's begin. */
static uint64_t place(const struct walk *x, const struct wg_fragment *f, uint32_t row, uint32_t column) {
    return x->at + row * x->row_bytes + (uint64_t)column * f->element;
}

/* Blocks from (row, column) on, one after the other along the rows. */
static void load_rows(const struct walk *x, const struct wg_fragment *f, uint32_t first, uint32_t blocks) {
    uint32_t across = ROW_BYTES / f->element, in_a_row = f->columns / across;
    uint64_t address[WG_LANES] = {0};
    for (uint32_t l = 0; l < blocks * ROWS; l++) {
        uint32_t b = first + l / ROWS;
        address[l] = place(x, f, b / in_a_row * ROWS + l % ROWS, b % in_a_row * across);
    }
    uint32_t lanes = blocks == QUAD ? UINT32_MAX : (1u << ROWS * blocks) - 1;
    wg_count_places(x->w, x->id, x->space, address, lanes, x->count);
}

static void count_words(const struct walk *x, const struct wg_fragment *f) {
    for (uint32_t row = 0; row < f->rows; row += ROWS)
        for (uint32_t column = 0; column < f->columns; column += QUAD * f->each) {
            uint64_t address[WG_LANES];
            for (uint32_t l = 0; l < WG_LANES; l++)
                address[l] = place(x, f, row + l / QUAD, column + l % QUAD * f->each);
            wg_count_places(x->w, x->id, x->space, address, UINT32_MAX, x->count);
        }
}

static void count_elements(const struct walk *x, const struct wg_fragment *f) {
    for (uint32_t row = 0; row < f->rows; row += QUAD * f->each)
        for (uint32_t column = 0; column < f->columns; column += ROWS)
            for (uint32_t k = 0; k < f->each; k++) {
                uint64_t address[WG_LANES];
                for (uint32_t l = 0; l < WG_LANES; l++)
                    address[l] = place(x, f, row + l % QUAD * f->each + k, column + l / QUAD);
                wg_count_places(x->w, x->id, x->space, address, UINT32_MAX, x->count);
            }
}

void wg_count_fragment(const struct wg_warp *w, uint32_t id, enum wg_space space, const struct wg_fragment *f,
                       uint64_t at, uint32_t stride, wg_count_access count) {
    struct walk x = {w, id, space, at, (uint64_t)(stride ? stride : f->columns) * f->element, count};
    switch (f->form) {
    case WG_FRAGMENT_WORDS: count_words(&x, f); return;
    case WG_FRAGMENT_ELEMENTS: count_elements(&x, f); return;
    default: {
        uint32_t blocks = f->rows / ROWS * (f->columns * f->element / ROW_BYTES),
                 most = f->element == 1 ? 2 : 4;
        for (uint32_t b = 0; b < blocks; b += most) load_rows(&x, f, b, blocks < most ? blocks : most);
    }
    }
}
