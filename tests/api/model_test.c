/* Asking the model through the public header, in C, on a machine with no CUDA at all. */
#include <stdio.h>
#include <warpglass/warpglass.h>

static int failures;
#define EXPECT(X) ((X) ? (void)0 : (void)(failures++, printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #X)))

int main(void) {
    uint64_t rows[32], columns[32];
    uint32_t column_of_words[32], padded[32], same[32];
    for (uint32_t l = 0; l < 32; l++) {
        rows[l] = 4 * l, columns[l] = 1024 * l;
        column_of_words[l] = 128 * l, padded[l] = 132 * l, same[l] = 64;
    }
    EXPECT(wg_ask_sectors(rows, UINT32_MAX, 4).sectors == 4);
    EXPECT(wg_ask_sectors(columns, UINT32_MAX, 4).sectors == 32);
    EXPECT(wg_ask_sectors(columns, UINT32_MAX, 4).ideal == 4);
    EXPECT(wg_ask_sectors(columns, 0xff, 4).lines == 8);
    EXPECT(wg_ask_wavefronts(WG_ACCESS_LOAD, column_of_words, UINT32_MAX, 4).wavefronts == 32);
    EXPECT(wg_ask_wavefronts(WG_ACCESS_STORE, padded, UINT32_MAX, 4).wavefronts == 1);
    EXPECT(wg_ask_wavefronts(WG_ACCESS_ATOMIC, same, UINT32_MAX, 4).wavefronts == 32);
    EXPECT(wg_ask_wavefronts(WG_ACCESS_INCREMENT, same, UINT32_MAX, 4).wavefronts == 1);
    wg_occupied o;
    EXPECT(wg_ask_occupancy("sm_90", 256, 40, 48 * 1024, &o));
    EXPECT(o.blocks == 4 && o.warps == 32 && o.occupancy == 0.5 && o.limited_by[0] == 's');
    EXPECT(o.next_shared == 45568 && o.next_registers == 0);
    EXPECT(wg_ask_occupancy("T4", 1024, 32, 0, &o) && o.blocks == 1);
    EXPECT(!wg_ask_occupancy("sm_91", 256, 40, 0, &o) && !wg_ask_occupancy("sm_90", 2000, 40, 0, &o));

    /* No CUDA in this process: nothing counts, and nothing breaks. */
    uint64_t n = 5;
    EXPECT(!wg_is_here() && !wg_count_start());
    EXPECT(wg_count_kernel(NULL, "k", "instructions", &n) == WG_NOT_WARPGLASS && n == 0);
    EXPECT(wg_count_line(NULL, "k", "k.cu", 1, "instructions", &n) == WG_NOT_WARPGLASS);
    wg_count_stop(NULL);
    wg_count_free(NULL);
    return failures != 0;
}
