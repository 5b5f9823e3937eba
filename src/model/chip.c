/* The tables of chip.h. Figures are those that NVIDIA publishes (programming guide, data sheets) and that
 * deviceQuery prints for the chip named. */
#include "model/chip.h"
#include <string.h>
#include <strings.h>
#include <stdlib.h>
#include <stdio.h>

#define KB 1024u
#define MB (1024ull * 1024)
#define GB (1024ull * 1024 * 1024)

/* clang-format off */
/* X(capability, warps and blocks an SM, quarters, registers a block, shared KB an SM, opt-in KB a block,
 * reserved,
 *   unit, portable cluster, greatest cluster, fp64 ratio). Every one has 64K registers an SM, 255 a thread, warps'
 *   registers in units of 256, and 48 KB of shared memory without asking. */
#define CAPABILITIES(X) \
    X(50,  64, 32, 4, 65536,  64,  48,    0, 256, 0,  0, 32) \
    X(52,  64, 32, 4, 65536,  96,  48,    0, 256, 0,  0, 32) \
    X(53,  64, 32, 4, 32768,  64,  48,    0, 256, 0,  0, 32) \
    X(60,  64, 32, 2, 65536,  64,  48,    0, 256, 0,  0,  2) \
    X(61,  64, 32, 4, 65536,  96,  48,    0, 256, 0,  0, 32) \
    X(62,  64, 32, 4, 32768,  64,  48,    0, 256, 0,  0, 32) \
    X(70,  64, 32, 4, 65536,  96,  96,    0, 256, 0,  0,  2) \
    X(72,  64, 32, 4, 65536,  96,  96,    0, 256, 0,  0, 32) \
    X(75,  32, 16, 4, 65536,  64,  64,    0, 256, 0,  0, 32) \
    X(80,  64, 32, 4, 65536, 164, 163, 1024, 128, 0,  0,  2) \
    X(86,  48, 16, 4, 65536, 100,  99, 1024, 128, 0,  0, 64) \
    X(87,  48, 16, 4, 65536, 164, 163, 1024, 128, 0,  0, 64) \
    X(89,  48, 24, 4, 65536, 100,  99, 1024, 128, 0,  0, 64) \
    X(90,  64, 32, 4, 65536, 228, 227, 1024, 128, 8, 16,  2) \
    X(100, 64, 32, 4, 65536, 228, 227, 1024, 128, 8, 16,  2) \
    X(103, 64, 32, 4, 65536, 228, 227, 1024, 128, 8, 16, 64) \
    X(110, 48, 24, 4, 65536, 228, 227, 1024, 128, 8, 16, 64) \
    X(120, 48, 24, 4, 65536, 100,  99, 1024, 128, 8,  8, 64) \
    X(121, 48, 24, 4, 65536, 100,  99, 1024, 128, 8,  8, 64)
/* clang-format on */

#define X(cap, warps, blocks, quarters, block_regs, sm_kb, optin_kb, reserved, unit, portable, greatest,     \
          ratio)                                                                                             \
    static const struct wg_limits limits_##cap = {.cc = cap,                                                 \
                                                  .warps_per_sm = warps,                                     \
                                                  .blocks_per_sm = blocks,                                   \
                                                  .subpartitions = quarters,                                 \
                                                  .regs_per_sm = 65536,                                      \
                                                  .regs_per_block = block_regs,                              \
                                                  .regs_per_thread = 255,                                    \
                                                  .reg_unit = 256,                                           \
                                                  .shared_per_sm = sm_kb * KB,                               \
                                                  .shared_per_block = 48 * KB,                               \
                                                  .shared_optin = optin_kb * KB,                             \
                                                  .shared_reserved = reserved,                               \
                                                  .shared_unit = unit,                                       \
                                                  .cluster_portable = portable,                              \
                                                  .cluster_max = greatest,                                   \
                                                  .fp64_ratio = ratio};
CAPABILITIES(X)
#undef X

/* As an H200 had them, by where the blocks of clusters ran: the SMs of one of the eight GPCs are in five
 * parts. Which SMs of a chip work differs from piece to piece. */
static const struct wg_sm_groups groups_h200[] = {{2, 18}, {5, 16}, {1, 8}, {4, 2}, {0, 0}};

/* Oldest first; the first chip of an arch is its default.
 * {name, arch, limits, SMs, SM kHz, memory kHz, bus bits, memory, L2, persisting L2, copy engines, PCI id,
 * ECC, groups of SMs} */
/* clang-format off */
static const struct wg_chip chips[] = {
    {"NVIDIA GeForce GTX 750 Ti",   "sm_50",  &limits_50,    5, 1084500,  2700000,  128,   2 * GB,   2 * MB, 0, 1, 0x1380, false, NULL},
    {"NVIDIA GeForce GTX 980",      "sm_52",  &limits_52,   16, 1215500,  3505000,  256,   4 * GB,   2 * MB, 0, 2, 0x13c0, false, NULL},
    {"NVIDIA Tegra X1",             "sm_53",  &limits_53,    2,  998400,  1600000,   64,   4 * GB, 256 * KB, 0, 1, 0, false, NULL},
    {"Tesla P100-PCIE-16GB",        "sm_60",  &limits_60,   56, 1328500,   715000, 4096,  16 * GB,   4 * MB, 0, 2, 0x15f8, true, NULL},
    {"NVIDIA GeForce GTX 1080",     "sm_61",  &limits_61,   20, 1733500,  5005000,  256,   8 * GB,   2 * MB, 0, 2, 0x1b80, false, NULL},
    {"NVIDIA GeForce GT 1030",      "sm_61",  &limits_61,    3, 1468000,  3004000,   64,   2 * GB, 512 * KB, 0, 1, 0x1d01, false, NULL},
    {"NVIDIA Tegra X2",             "sm_62",  &limits_62,    2, 1300500,  1300000,  128,   8 * GB, 512 * KB, 0, 1, 0, false, NULL},
    {"Tesla V100-SXM2-16GB",        "sm_70",  &limits_70,   80, 1530000,   877000, 4096,  16 * GB,   6 * MB, 0, 5, 0x1db1, true, NULL},
    {"Xavier",                      "sm_72",  &limits_72,    8, 1377000,  1377000,  256,  32 * GB, 512 * KB, 0, 1, 0, false, NULL},
    {"Tesla T4",                    "sm_75",  &limits_75,   40, 1590000,  5001000,  256,  15 * GB,   4 * MB, 0, 3, 0x1eb8, true, NULL},
    {"NVIDIA GeForce RTX 2080 Ti",  "sm_75",  &limits_75,   68, 1545000,  7000000,  352,  11 * GB, 5632 * KB, 0, 3, 0x1e07, false, NULL},
    {"NVIDIA A100-SXM4-40GB",       "sm_80",  &limits_80,  108, 1410000,  1215000, 5120,  40 * GB,  40 * MB, 30 * MB, 3, 0x20b0, true, NULL},
    {"NVIDIA A100-SXM4-80GB",       "sm_80",  &limits_80,  108, 1410000,  1593000, 5120,  80 * GB,  40 * MB, 30 * MB, 3, 0x20b2, true, NULL},
    {"NVIDIA GeForce RTX 3090",     "sm_86",  &limits_86,   82, 1695000,  9751000,  384,  24 * GB,   6 * MB, 4608 * KB, 2, 0x2204, false, NULL},
    {"NVIDIA A10",                  "sm_86",  &limits_86,   72, 1695000,  6251000,  384,  24 * GB,   6 * MB, 4608 * KB, 2, 0x2236, true, NULL},
    {"Orin",                        "sm_87",  &limits_87,   16, 1300000,  1300000,  256,  64 * GB,   4 * MB, 3 * MB, 2, 0, false, NULL},
    {"NVIDIA L4",                   "sm_89",  &limits_89,   58, 2040000,  6251000,  192,  24 * GB,  48 * MB, 36 * MB, 2, 0x27b8, true, NULL},
    {"NVIDIA GeForce RTX 4090",     "sm_89",  &limits_89,  128, 2520000, 10501000,  384,  24 * GB,  72 * MB, 54 * MB, 2, 0x2684, false, NULL},
    {"NVIDIA H200",                 "sm_90",  &limits_90,  132, 1980000,  3201000, 6016, 150109880320,  60 * MB, 38400 * KB, 3, 0x2335, true, groups_h200},
    {"NVIDIA H100 80GB HBM3",       "sm_90",  &limits_90,  132, 1980000,  2619000, 5120,  80 * GB,  50 * MB, 37 * MB, 3, 0x2330, true, NULL},
    {"NVIDIA H100 PCIe",            "sm_90",  &limits_90,  114, 1755000,  1593000, 5120,  80 * GB,  50 * MB, 37 * MB, 3, 0x2331, true, NULL},
    {"NVIDIA B200",                 "sm_100", &limits_100, 148, 1965000,  3996000, 8192, 179 * GB, 126 * MB, 79 * MB, 4, 0x2901, true, NULL},
    {"NVIDIA B300",                 "sm_103", &limits_103, 148, 2032000,  3996000, 8192, 268 * GB, 126 * MB, 79 * MB, 4, 0x3182, true, NULL},
    {"NVIDIA Thor",                 "sm_110", &limits_110,  20, 1575000,  4266000,  256, 123 * GB,  32 * MB, 20 * MB, 2, 0, false, NULL},
    {"NVIDIA GeForce RTX 5090",     "sm_120", &limits_120, 170, 2407000, 14001000,  512,  32 * GB,  96 * MB, 60 * MB, 2, 0x2b85, false, NULL},
    {"NVIDIA GB10",                 "sm_121", &limits_121,  48, 2418000,  4266000,  256, 120 * GB,  24 * MB, 15 * MB, 2, 0x2e12, false, NULL},
};
/* clang-format on */
enum { NCHIPS = sizeof chips / sizeof *chips };

/* "sm_90a", "compute_90", "90", "9.0" -> 90; 0 when it is none of these. */
static unsigned capability(const char *s) {
    if (strncasecmp(s, "sm_", 3) == 0)
        s += 3;
    else if (strncasecmp(s, "compute_", 8) == 0)
        s += 8;
    char *end;
    if (*s < '1' || *s > '9') return 0;
    unsigned long n = strtoul(s, &end, 10);
    if (*end == '.' && end[1] >= '0' && end[1] <= '9' && n < 100) {
        n = n * 10 + (unsigned)(end[1] - '0');
        end += 2;
    }
    if ((*end == 'a' || *end == 'f') && n >= 90) end++;
    return *end || n > 999 ? 0 : (unsigned)n;
}

const struct wg_chip *wg_chip_find(const char *name) {
    unsigned cc = capability(name);
    if (cc)
        for (int i = 0; i < NCHIPS; i++)
            if (chips[i].limits->cc == cc) return &chips[i];
    static const char *const makers[] = {"NVIDIA ", "GeForce ", "Tesla "};
    if (!*name) return NULL;
    for (int i = 0; i < NCHIPS; i++) {
        const char *full = chips[i].name;
        if (strcasecmp(full, name) == 0) return &chips[i];
        for (unsigned m = 0; m < sizeof makers / sizeof *makers; m++)
            if (strncasecmp(full, makers[m], strlen(makers[m])) == 0) {
                full += strlen(makers[m]);
                if (strcasecmp(full, name) == 0) return &chips[i];
            }
        /* "H100", "V100", "A100": the first word before a space or a dash. */
        size_t word = strcspn(full, " -");
        if (strlen(name) == word && strncasecmp(full, name, word) == 0 && strpbrk(name, "0123456789"))
            return &chips[i];
    }
    return NULL;
}

uint32_t wg_chips_parse(const char *list, const struct wg_chip *one,
                        const struct wg_chip *out[WG_CHIP_MOST_DEVICES]) {
    uint32_t n = 0;
    char name[64];
    if (*list && strspn(list, "0123456789") == strlen(list)) {
        unsigned long many = strtoul(list, NULL, 10);
        if (!one || many < 1 || many > WG_CHIP_MOST_DEVICES) return 0;
        while (n < many) out[n++] = one;
        return n;
    }
    for (const char *s = list;; s++) {
        size_t length = strcspn(s, ",");
        if (!length || length >= sizeof name || n == WG_CHIP_MOST_DEVICES) return 0;
        memcpy(name, s, length);
        name[length] = 0;
        if (!(out[n++] = wg_chip_find(name))) return 0;
        s += length;
        if (!*s) return n;
    }
}

const struct wg_chip *wg_chip_list(size_t *count) {
    *count = NCHIPS;
    return chips;
}

uint32_t wg_chip_fp32_lanes(const struct wg_chip *c) {
    uint16_t cc = c->limits->cc;
    return cc == 60 || (cc >= 70 && cc <= 80) ? 64 : 128;
}

double wg_chip_bandwidth(const struct wg_chip *c) {
    return 2.0 * 1000 * c->memory_clock_khz * (c->bus_bits / 8.0); /* double data rate */
}
