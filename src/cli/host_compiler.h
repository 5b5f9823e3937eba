/* The host compiler that -ccbin names: what compiles files without device code. Of CUDA source clang compiles host code, too,
 * which then needs the words that a wrapper of a library, such as mpicxx, gives to its compiler. */
#ifndef WG_CLI_HOST_COMPILER_H
#define WG_CLI_HOST_COMPILER_H
#include "cli/job.h"

/* A program, or the folder that g++ is in, as nvcc has it: into job->host_program; the words of a wrapper into job->common and
 * job->link. 0, or an exit status after a message. Nothing without -ccbin. */
int wg_host_compiler_find(struct wg_job *job);
#endif
