/* cuLink...: several pieces of PTX into one image. They come as text, in containers, or in objects and libraries.
 *
 * The finished "cubin" is the joined PTX text, which cuModuleLoadData takes as it takes any other.
 */
#include "base/device_code.h"
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
    wg_jit_log_write(&s->log); /* which is empty: a program may look before anything is linked */
    wg_handle_add(s, WG_H_LINK);
    *state = s;
    return CUDA_SUCCESS;
}

/* What is wrong goes into the program's buffer, or to standard error where it gave none. */
static CUresult refuse(CUlinkState state, const char *name, const char *why, CUresult r) {
    if (!state->log.error) {
        wg_say("%s: %s", name ? name : "cuLinkAddData", why);
    } else {
        if (state->log.text.n) wg_strbuf_puts(&state->log.text, "\n");
        wg_strbuf_printf(&state->log.text, "%s: %s", name ? name : "cuLinkAddData", why);
        wg_jit_log_write(&state->log);
    }
    return r;
}

/* PTX text that ends with a zero byte, or a container. */
static CUresult add_image(CUlinkState state, const char *name, const void *data) {
    struct wg_image im = {0};
    CUresult r = wg_image_open(data, wg_chip_of(wg_chosen_device())->limits->cc, &im);
    for (uint32_t i = 0; !r && i < im.texts.n; i++)
        wg_ptx_link_add(&state->linker, name, im.texts.v[i].text, im.texts.v[i].len);
    if (r) refuse(state, name, im.why.s, r);
    wg_image_close(&im);
    return r;
}

struct adding {
    CUlinkState state;
    const char *name;
    CUresult r;
};
static bool add_piece(void *user, const struct wg_code_piece *piece) {
    struct adding *a = user;
    struct wg_strbuf copy = {0}; /* with a zero byte, and where a container is aligned */
    wg_strbuf_add(&copy, piece->bytes, piece->n);
    a->r = add_image(a->state, a->name, copy.s);
    wg_strbuf_free(&copy);
    return !a->r;
}

/* All of a library is linked, whoever needs it. That it is empty, as our libcudadevrt.a is, is no fault. */
static CUresult add_object(CUlinkState state, const char *name, const void *data, size_t bytes) {
    struct adding a = {state, name, CUDA_SUCCESS};
    struct wg_strbuf copy = {0};
    const char *why;
    wg_strbuf_add(&copy, data, bytes);
    if (!wg_device_code_pieces(copy.s, copy.n, add_piece, &a, &why) && why)
        a.r = refuse(state, name, why, CUDA_ERROR_INVALID_IMAGE);
    wg_strbuf_free(&copy);
    return a.r;
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name,
                       unsigned int options, CUjit_option *option, void **values) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_handle_is(state, WG_H_LINK)) return CUDA_ERROR_INVALID_HANDLE;
    if (!data || !bytes || state->done) return CUDA_ERROR_INVALID_VALUE;
    switch (type) {
    case CU_JIT_INPUT_CUBIN:
    case CU_JIT_INPUT_PTX:
    case CU_JIT_INPUT_FATBINARY: return add_image(state, name, data);
    case CU_JIT_INPUT_OBJECT:
    case CU_JIT_INPUT_LIBRARY: return add_object(state, name, data, bytes);
    default:
        return refuse(state, name, "only PTX can be linked, in containers, objects and libraries as well",
                      CUDA_ERROR_NO_BINARY_FOR_GPU);
    }
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
