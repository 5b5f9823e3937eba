/* What a compiler's message means where nvcc would have taken the program: headers of NVIDIA's libraries, and
 * what Warpglass does not have. */
#ifndef WG_CLI_LIBRARIES_H
#define WG_CLI_LIBRARIES_H

/* Looks through a compiler's messages for a header that was not found, or that an error lies in, and says
 * what it belongs to and what to do. Nothing is said if it is none of NVIDIA's libraries'. Likewise of a
 * kernel that launches kernels. */
void wg_libraries_explain(const char *messages);
#endif
