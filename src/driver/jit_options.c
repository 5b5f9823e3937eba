/* See jit_options.h. */
#include "driver/jit_options.h"
#include "driver/driver.h"
#include <errno.h>
#include <string.h>

CUresult wg_jit_options_read(unsigned n, const CUjit_option *option, void **values, struct wg_jit_log *log) {
    *log = (struct wg_jit_log){0};
    if (n && (!option || !values)) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < n; i++) {
        if ((unsigned)option[i] >= CU_JIT_NUM_OPTIONS) return CUDA_ERROR_INVALID_VALUE;
        switch (option[i]) {
        case CU_JIT_ERROR_LOG_BUFFER: log->error = values[i]; break;
        case CU_JIT_INFO_LOG_BUFFER: log->info = values[i]; break;
        case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
            log->error_size = (unsigned)(uintptr_t)values[i];
            log->error_used = &values[i];
            break;
        case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
            log->info_size = (unsigned)(uintptr_t)values[i];
            log->info_used = &values[i];
            break;
        default: break;
        }
    }
    if (!log->error_size) log->error = NULL;
    if (!log->info_size) log->info = NULL;
    return CUDA_SUCCESS;
}

void wg_jit_log_write(struct wg_jit_log *log) {
    size_t n = 0;
    if (log->error) {
        n = log->text.n < log->error_size - 1 ? log->text.n : log->error_size - 1;
        if (n) memcpy(log->error, log->text.s, n);
        log->error[n] = 0;
    }
    if (log->error_used) *log->error_used = (void *)(uintptr_t)n;
    if (log->info) log->info[0] = 0;
    if (log->info_used) *log->info_used = NULL;
}

CUresult wg_read_image_file(const char *path, struct wg_strbuf *out) {
    if (wg_file_read(path, out)) {
        wg_strbuf_add(out, "", 1); /* PTX ends with a zero byte, also from an empty file */
        return CUDA_SUCCESS;
    }
    wg_say("%s: %s", path, strerror(errno));
    return errno == ENOENT   ? CUDA_ERROR_FILE_NOT_FOUND
           : errno == ENOMEM ? CUDA_ERROR_OUT_OF_MEMORY
                             : CUDA_ERROR_INVALID_VALUE;
}
