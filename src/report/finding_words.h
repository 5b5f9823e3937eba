/* The wording of findings: sentences that the text, SARIF and JUnit reports have in common. */
#ifndef WG_REPORT_FINDING_WORDS_H
#define WG_REPORT_FINDING_WORDS_H
#include "report/findings.h"

/* "a write of 4 bytes", "bar.sync", "cudaFree": what the place does. */
const char *wg_found_act(struct wg_arena *a, const struct wg_found_place *p);
/* "block (3,0,0), thread (31,0,0)", or NULL. */
const char *wg_found_who(struct wg_arena *a, const struct wg_found_place *p);
/* "saxpy.cu:6:15", or "PTX line 31" for want of it; NULL: nothing is known. */
const char *wg_found_place_name(struct wg_arena *a, const struct wg_found_place *p);
/* A function as text has it: of a long name neither what it returns nor its parameters, nor, if it is still long, what
 * its templates are made of: "scan<...>::step<...>". */
const char *wg_found_function(struct wg_arena *a, const char *function);
/* "main.cu:12 in main", or "app+0x1234"; NULL: nothing is known. */
const char *wg_found_code_name(struct wg_arena *a, const struct wg_found_code *c);
/* A sentence about the memory: where in which allocation, and whose; NULL: it is about none. */
const char *wg_found_memory_sentence(struct wg_arena *a, const struct wg_found *f);
/* Its detail as a sentence; NULL: there is none. */
const char *wg_found_detail(struct wg_arena *a, const struct wg_found *f);
/* How often it was met besides, and between whom, without a stop; NULL: just once. */
const char *wg_found_more(struct wg_arena *a, const struct wg_found *f);
/* Its other pairs of places, as a sentence; NULL: there are none. */
const char *wg_found_pairs(struct wg_arena *a, const struct wg_found *f);
/* All of it on one line, for those who show no source. */
const char *wg_found_message(struct wg_arena *a, const struct wg_found *f);
/* "memory, race and init"; of the checks that were on. */
const char *wg_findings_checks_named(const struct wg_findings_file *f);
/* "1 finding", "3 findings", "2 kernels" */
const char *wg_counted(struct wg_arena *a, uint64_t n, const char *one, const char *many);
#endif
