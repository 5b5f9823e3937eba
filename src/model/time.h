/* Performance model: how long a launch might take on a real chip, from its counters and the chip's peaks.
 *
 *     start      a launch that does nothing
 *     blocks     handing out blocks: so many cycles each, on the whole chip
 *     issue      warp instructions over what the schedulers issue
 *     l1         wavefronts of shared memory and lines of global memory, one a cycle and SM
 *     l2         sectors that leave the SMs
 *     dram       bytes touched for the first time, and written ones that L2 cannot keep
 *     atomics    sectors of atomics, their words, and lanes that wait for the same sector
 *     cluster    what goes to another block's shared memory
 *     matrix     matrix instructions, on the SMs that have blocks
 *     link       accesses to other devices' memory (model/link.h)
 *     latency    what one warp waits for, times the waves of blocks (Little's law, read the other way: so
 *                many bytes are in flight as the warps that fit have requested)
 *
 *     seconds = start + fill + (blocks^p + issue^p + ... + (latency - fill)^p) ^ (1/p)
 *
 * fill is the part of the latency that nothing hides: a block's setup and its first wait for a load.
 *
 * The constants are fitted to 41 large and 79 small launches on an H200 with their measured times, to 84
 * experiments on it and to 250 launches of public programs (tests/model/data/time.tsv); for other chips they are scaled by clocks, SMs and published
 * bandwidth, which has not been validated there. docs/time_model.md states the error.
 */
#ifndef WG_MODEL_TIME_H
#define WG_MODEL_TIME_H
#include "model/chip.h"

/* Sums over the launch. X(field, meaning) */
/* clang-format off */
#define WG_TIME_INPUTS(X) \
    X(blocks,            "blocks") \
    X(threads,           "threads a block") \
    X(blocks_per_sm,     "blocks that fit into an SM") \
    X(cluster,           "blocks a cluster; 0 or 1: none") \
    X(instructions,      "machine instructions of warps") \
    X(chain,             "cycles that warps take for chains of dependent instructions, summed over warps; 0: not known") \
    X(pipes,             "cycles that the busiest pipe is busy, summed over SMs; 0: not known") \
    X(shared_wavefronts, "wavefronts of shared memory") \
    X(global_lines,      "128-byte lines of global accesses (tag requests)") \
    X(load_lines,        "of them, those of loads; 0: not known") \
    X(load_requests,     "global load instructions") \
    X(load_sectors,      "sectors of global loads") \
    X(load_ideal,        "sectors of global loads, had each been dense") \
    X(block_sectors,     "different sectors that a block loads, summed over blocks; 0: not known") \
    X(store_sectors,     "sectors of global stores") \
    X(read_bytes,        "bytes of different sectors that loads touch") \
    X(written_bytes,     "bytes of different sectors that stores touch") \
    X(load_trips,        "times that a warp waits for global loads, summed over warps; 0: not known") \
    X(miss_trips,        "of them, those that L1 does not serve; 0: not known") \
    X(memory_trips,      "of these, those that L2 does not serve") \
    X(slowest_instructions, "those of the warp that executes most, over the mean warp's; 0: not known") \
    X(slowest_chain,        "the same of chain") \
    X(slowest_each,         "part of what it does more that one warp of each block does, for which its others wait") \
    X(slowest_trips,        "the same of load_trips") \
    X(slowest_misses,       "the same of miss_trips") \
    X(slowest_memory,       "the same of memory_trips") \
    X(barriers,          "barriers, summed over warps") \
    X(atomic_sectors,    "sectors of global atomics and reductions") \
    X(atomic_turns,      "the same, those that lanes take turns at as often as they do") \
    X(atomic_words,      "words of 4 bytes that their lanes ask for; 0: as many as the sectors have") \
    X(atomic_bytes,      "bytes of different sectors that these touch") \
    X(remote_lanes,      "threads of atomics on another block's shared memory") \
    X(remote_wavefronts, "wavefronts of loads and stores of another block's shared memory") \
    X(matrix_cycles,     "cycles of matrix units, summed over SMs")
/* clang-format on */
struct wg_time_input {
#define X(field, meaning) double field;
    WG_TIME_INPUTS(X)
#undef X
    double link; /* seconds that links to other devices take (model/link.h) */
};

/* X(ID, name, what it means that this part is the longest) */
/* clang-format off */
#define WG_TIME_PARTS(X) \
    X(BLOCKS,  "blocks",  "the chip spends its time handing out blocks") \
    X(ISSUE,   "issue",   "the schedulers are busy") \
    X(L1,      "l1",      "the path to L1 and shared memory is busy") \
    X(L2,      "l2",      "the path to L2 is busy") \
    X(DRAM,    "dram",    "memory is busy") \
    X(ATOMICS, "atomics", "atomics wait for each other") \
    X(CLUSTER, "cluster", "the path between the SMs of a cluster is busy") \
    X(MATRIX,  "matrix",  "the matrix units are busy") \
    X(LATENCY, "latency", "warps wait for memory, and there are not enough of them to fill the time") \
    X(LINK,    "link",    "the link to the host or another device is busy")
/* clang-format on */
enum wg_time_part {
#define X(id, name, meaning) WG_TIME_##id,
    WG_TIME_PARTS(X)
#undef X
        WG_TIME_PART_COUNT
};
extern const char *const wg_time_part_names[WG_TIME_PART_COUNT];
extern const char *const wg_time_part_meanings[WG_TIME_PART_COUNT];

struct wg_time {
    double seconds;
    double start;   /* seconds of it: every launch takes them */
    double fill;    /* seconds of the latency that nothing hides */
    double chains;  /* seconds of the latency in which warps wait for their own instructions */
    double slowest; /* seconds of it in which all wait for the slowest warp */
    double part[WG_TIME_PART_COUNT]; /* seconds that each would take alone */
    enum wg_time_part longest;
    double waves;     /* of blocks, at least 1 */
    double l1_misses; /* sectors that loads request from L2 */
    double dram_bytes;
};

/* Measurements of bench/gpu/peaks on an H200, in units that carry over to other chips: cycles, and fractions
 * of a peak. docs/results/h200-peaks.tsv and h200-chains.tsv have the figures; tests/model/peaks_test.c derives these constants.
 * X(field, value, meaning) */
/* clang-format off */
#define WG_TIME_MEASURED(X) \
    X(start,           1.44e-6, "seconds of an empty launch") \
    X(block,           1.19,    "cycles of the chip a block") \
    X(l2_read,         31.4,    "bytes a cycle and SM that L2 gives") \
    X(l2_write,        16.2,    "bytes a cycle and SM that L2 takes") \
    X(dram_read,       0.969,   "of the published bandwidth, of reads alone") \
    X(dram_write,      0.957,   "of the published bandwidth, of writes alone") \
    X(dram_copy,       0.878,   "of the published bandwidth, of a copy") \
    X(under_way,       674e-9,  "seconds of the published bandwidth: bytes under way for 90 % of what reads reach") \
    X(barrier,         28.9,    "cycles") \
    X(latency_l1,      32.1,    "cycles") \
    X(line,            2.22,    "cycles that a load waits longer for each more line") \
    X(latency_l2,      281,     "cycles") \
    X(latency_dram,    451e-9,  "seconds") \
    X(latency_alone,   348e-9,  "seconds, of a load from memory while nothing else is under way") \
    X(atomic,          0.414,   "sectors a cycle and SM, without what their words cost") \
    X(atomic_word,     6.59,    "words a cycle and SM") \
    X(same_sector,     21.8,    "cycles from one atomic on a sector to the next, of many sectors") \
    X(same_line,       1.51,    "the same of few: cycles from one atomic on a line to the next") \
    X(remote_pair,     3.41,    "cycles a lane and SM, in clusters of two") \
    X(remote,          5.53,    "cycles a lane and SM, in larger ones") \
    X(remote_turn_pair, 9.16,   "cycles a wavefront of loads or stores, in clusters of two") \
    X(remote_turn,     14.5,    "the same in larger ones") \
    X(matrix,          0.906,   "of the matrix units' peak")
/* Constants that no experiment isolates, because programs mix what they do: fitted to launches with their
 * times. */
#define WG_TIME_FITTED(X) \
    X(issue,           0.577,   "of the schedulers' peak") \
    X(dispatch,        0.75,    "the same where it is known how long the pipes are busy") \
    X(l1,              0.701,   "of one wavefront a cycle") \
    X(l1_loads,        0.816,   "of one line of global loads a cycle") \
    X(life,            973,     "cycles that a block's first and last instruction are apart") \
    X(warp,            4.14,    "more cycles a warp of the block") \
    X(instruction,     4.07,    "cycles from one of a warp's instructions to the next") \
    X(stall,           1.5,     "the same beside a chain of dependent ones, where that is known") \
    X(overlap,         5.86,    "p: how well the parts hide behind the longest one")
/* clang-format on */
#define WG_TIME_CONSTANTS(X)                                                                                 \
    WG_TIME_MEASURED(X)                                                                                      \
    WG_TIME_FITTED(X)
struct wg_time_constants {
#define X(field, value, meaning) double field;
    WG_TIME_CONSTANTS(X)
#undef X
};
extern const struct wg_time_constants wg_time_constants;

struct wg_time wg_time_model(const struct wg_chip *c, const struct wg_time_input *in);
/* Recombines the parts into seconds: for a result whose parts were changed. */
double wg_time_together(const struct wg_time *t);
/* The same with other constants: for fitting. */
struct wg_time wg_time_model_with(const struct wg_time_constants *k, const struct wg_chip *c,
                                  const struct wg_time_input *in);
#endif
