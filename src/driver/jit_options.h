/* The options of cuModuleLoadDataEx, cuLinkCreate and cuLibraryLoadData: two parallel arrays.
 *
 * Of them only the log buffers do something here: the compiler's messages go into them instead of stderr.
 * Options that steer NVIDIA's assembler (registers, optimisation level, cache mode) are accepted.
 */
#ifndef WG_DRIVER_JIT_OPTIONS_H
#define WG_DRIVER_JIT_OPTIONS_H
#include <cuda.h>
#include "base/strbuf.h"

struct wg_jit_log {
    struct wg_strbuf text; /* the messages so far */
    char *error;           /* the program's buffer, NULL: none */
    size_t error_size;
    void **error_used; /* where CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES stood: gets the bytes written */
    char *info;
    size_t info_size;
    void **info_used;
};
/* INVALID_VALUE for an unknown option. */
CUresult wg_jit_options_read(unsigned n, const CUjit_option *option, void **values, struct wg_jit_log *log);
/* Hands the messages so far to the program. */
void wg_jit_log_write(struct wg_jit_log *log);

/* A whole image file: CUDA_ERROR_FILE_NOT_FOUND and the like, said on stderr. */
CUresult wg_read_image_file(const char *path, struct wg_strbuf *out);
#endif
