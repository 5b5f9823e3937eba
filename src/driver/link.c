/* cuLink...: several pieces of PTX into one image.
 *
 * The finished "cubin" is the joined PTX text, which cuModuleLoadData takes as it takes any other.
 */
#include "driver/driver.h"
#include "driver/image.h"
#include "driver/jit_options.h"
#include "driver/ptx_link.h"
#include <stdlib.h>
#include <string.h>

struct CUlinkState_st {
    struct wg_ptx_linker linker;
    struct wg_jit_log log;
    struct wg_strbuf *done;
};

CUresult cuLinkCreate(unsigned int options, CUjit_option *option, void **values, CUlinkState *state) {
    struct CUctx_st *ctx;
    struct wg_jit_log log;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!state) return CUDA_ERROR_INVALID_VALUE;
    if ((r = wg_jit_options_read(options, option, values, &log))) return r;
    struct CUlinkState_st *s = wg_xcalloc(1, sizeof *s);
    s->log = log;
    wg_handle_add(s, WG_H_LINK);
    *state = s;
    return CUDA_SUCCESS;
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name,
                       unsigned int options, CUjit_option *option, void **values) {
    struct wg_image im = {0};
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_handle_is(state, WG_H_LINK)) return CUDA_ERROR_INVALID_HANDLE;
    if (!data || !bytes || state->done) return CUDA_ERROR_INVALID_VALUE;
    if (type != CU_JIT_INPUT_PTX && type != CU_JIT_INPUT_FATBINARY) {
        wg_say("%s: only PTX and fat binaries with PTX can be linked", name ? name : "cuLinkAddData");
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    r = wg_image_open(data, wg_chip_of(wg_chosen_device())->limits->cc, &im);
    for (uint32_t i = 0; !r && i < im.texts.n; i++)
        wg_ptx_link_add(&state->linker, name, im.texts.v[i].text, im.texts.v[i].len);
    if (r && state->log.error)
        wg_strbuf_puts(&state->log.text, im.why.s);
    else if (r)
        wg_say("%s: %s", name ? name : "cuLinkAddData", im.why.s);
    wg_image_close(&im);
    return r;
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *file, unsigned int options,
                       CUjit_option *option, void **values) {
    struct wg_strbuf data = {0};
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_handle_is(state, WG_H_LINK)) return CUDA_ERROR_INVALID_HANDLE;
    if (!file) return CUDA_ERROR_INVALID_VALUE;
    if ((r = wg_read_image_file(file, &data))) return r;
    r = cuLinkAddData(state, type, data.s, data.n, file, options, option, values);
    wg_strbuf_free(&data);
    return r;
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_handle_is(state, WG_H_LINK)) return CUDA_ERROR_INVALID_HANDLE;
    if (!image || !state->linker.units.n) return CUDA_ERROR_INVALID_VALUE;
    if (!state->done) state->done = wg_ptx_link_finish(&state->linker);
    *image = state->done->s;
    if (bytes) *bytes = state->done->n + 1;
    wg_jit_log_write(&state->log);
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_handle_remove(state, WG_H_LINK)) return CUDA_ERROR_INVALID_HANDLE;
    wg_ptx_link_free(&state->linker);
    wg_strbuf_free(&state->log.text);
    free(state);
    return CUDA_SUCCESS;
}
