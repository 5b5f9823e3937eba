/* What a compiler's message means where nvcc would have taken the program: headers of NVIDIA's libraries, and
 * what Warpglass does not have. */
#ifndef WG_CLI_LIBRARIES_H
#define WG_CLI_LIBRARIES_H
#include "cli/process.h"

/* Looks through a compiler's messages for a header that was not found, or that an error lies in, and says
 * what it belongs to and what to do. Nothing is said if it is none of NVIDIA's libraries'. Likewise of a
 * kernel that launches kernels. */
void wg_libraries_explain(const char *messages);
/* A program needs a library, or a link that failed with the linker's `messages` named some: says so of NVIDIA's that
 * Warpglass does not have, and of OpenMP's. */
void wg_libraries_needed(void *program, const char *library);
void wg_libraries_linked(const struct wg_args *words, const char *messages);
#endif
