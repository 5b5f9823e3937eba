/* NVIDIA's libraries, by their headers: what a compiler's message about one of them means here. */
#ifndef WG_CLI_LIBRARIES_H
#define WG_CLI_LIBRARIES_H

/* Looks through a compiler's messages for a header that was not found, or that an error lies in, and says
 * what it belongs to and what to do. Nothing is said if it is none of NVIDIA's libraries'. */
void wg_libraries_explain(const char *messages);
#endif
