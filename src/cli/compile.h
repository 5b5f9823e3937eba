/* From CUDA source to an executable that runs on the software GPU.
 *
 * With clang each .cu file goes through the compiler twice: once for the device, to PTX, once for the host,
 * to an object that carries the PTX and registers it when the program starts. nvcc does both by itself. The
 * program is linked with Warpglass's libcudart.so.13 and finds it by its absolute path.
 */
#ifndef WG_CLI_COMPILE_H
#define WG_CLI_COMPILE_H
#include "cli/job.h"

/* Makes the job's product, in the file `output` if it is a program or a library. The compilers' messages
 * appear as they are. 0, or an exit status. With `dependencies`: the list of every file that was read is
 * added to it, NULs between. */
int wg_compile(struct wg_job *job, const char *scratch, const char *output, struct wg_strbuf *dependencies);
/* The device code of one source alone, as PTX text in the file `ptx`. 0, or an exit status. */
int wg_compile_ptx(struct wg_job *job, const struct wg_source *s, const char *scratch, const char *ptx,
                   struct wg_strbuf *dependencies);
#endif
