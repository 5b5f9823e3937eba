/* Spelling suggestions: what a mistyped word was probably meant to be.
 *     wg_suggestion("treads", (const char *[]){"threads", "timeout", NULL})   "threads" */
#ifndef WG_BASE_SUGGESTION_H
#define WG_BASE_SUGGESTION_H

/* The name of `candidates` (ending with NULL), or NULL when none is near. */
const char *wg_suggestion(const char *word, const char *const *candidates);
#endif
