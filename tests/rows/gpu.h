/* A real GPU, where there is one, through libcuda.so.1 opened as the program runs: enough to run a kernel
 * given as PTX and look at its memory. For tools that hold the reference against hardware; no test needs it.
 * Anything that fails ends the program with a message. */
#ifndef WG_TESTS_ROWS_GPU_H
#define WG_TESTS_ROWS_GPU_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void gpu_open(void);
extern unsigned gpu_optimise; /* 0..4: how hard the driver's compiler tries */
uint64_t gpu_alloc(size_t bytes);
void gpu_write(uint64_t to, const void *from, size_t bytes);
void gpu_read(void *to, uint64_t from, size_t bytes);
void gpu_clear(uint64_t at, size_t bytes);
/* Loads the PTX, runs its kernel, waits, unloads. False when the driver does not take the PTX. */
bool gpu_run(const char *ptx, const char *kernel, const uint32_t grid[3], const uint32_t block[3],
             void **params);
#endif
