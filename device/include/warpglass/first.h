/* What every file of CUDA begins with, for the compiler to read once and keep: an include of its own, so that
 * what follows are a system's headers, of which clang gives no warnings. */
#include <cuda_runtime.h>
