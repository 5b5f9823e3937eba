/* From objects to a program, to a library, or to an object in place of linked device code. */
#ifndef WG_CLI_LINK_H
#define WG_CLI_LINK_H
#include "cli/job.h"

/* Each writes the file `output`; 0, or an exit status after a message. */
int wg_link_program(struct wg_job *job, const char *scratch, const char *output);
/* An object for those who link device code in a step of its own (-dlink). */
int wg_link_device_code(struct wg_job *job, const char *scratch, const char *output);
/* A library of objects, made anew. */
int wg_link_archive(struct wg_job *job, const char *output);
#endif
