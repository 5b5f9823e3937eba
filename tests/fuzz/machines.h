/* The machines that a kernel is run on: the reference, generated code in each of its ways, and a GPU if
 * wanted. */
#ifndef WG_TESTS_FUZZ_MACHINES_H
#define WG_TESTS_FUZZ_MACHINES_H
#include "tests/generated/apart.h"

struct way { /* how generated code is made and run */
    uint16_t width;
    uint8_t level, threads;
    uint8_t often; /* how many kernels of a hundred or so */
    bool tested;   /* each address, as where a process has little address space left: some forms go without */
};
enum { MOST_WAYS = 16 };
/* All that the CPU has; gives their number. */
uint32_t ways_list(struct way ways[MOST_WAYS]);

struct machines;
/* dump: what of generated code is printed to stderr (WG_DUMP_...). gpu: kernels run on a real GPU, too. */
struct machines *machines_new(uint32_t dump, bool gpu);
/* Gives back the devices, which hold room that others want; those that are used again are opened again. */
void machines_close(struct machines *x);
void machines_free(struct machines *x);
/* Before they run anything: an option of theirs, "strict=1", or one of these. False: there is none such.
 *     memory=host      kernels are given memory of the program's, with nothing before and behind it
 *     timeout=1        seconds of a launch by the reference
 *     check=1          they are checked, and the findings are to be the reference's
 *     count=1          they are counted, and the counters are to be the reference's
 *     cooperative=1    their launches are
 *     shared=BYTES     and give so much shared memory */
bool machines_option(struct machines *x, const char *option);
/* Runs the kernel `made` of the text on the reference and in each way; SAME: all bytes of all memory are.
 * BROKEN: the reference does not run it, or what differs is of no worth because the kernel has a race. */
enum verdict machines_judge(struct machines *x, const struct program *p, const char *ptx,
                            const struct way *ways, uint32_t nways, char *why, size_t size);
/* Whether the kernel has a race, and then any order of its threads is right: by the reference, checked. */
bool machines_race(struct machines *x, const struct program *p, const char *ptx, char *why, size_t size);
/* What is said on standard error between the two: kernels made again without forms, for one. */
int machines_hush(void);
bool machines_said(int was, char *text, size_t size);
#endif
