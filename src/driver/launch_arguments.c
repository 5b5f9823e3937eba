/* See launch_arguments.h. */
#include "driver/launch_arguments.h"
#include "base/thread_text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *wg_launch_detail(void) { return wg_thread_text(WG_TEXT_LAUNCH); }
void wg_launch_detail_clear(void) { *wg_thread_text(WG_TEXT_LAUNCH) = 0; }

static CUresult refuse(const char *why) {
    snprintf(wg_thread_text(WG_TEXT_LAUNCH), WG_TEXT_BYTES, "%s", why);
    return CUDA_ERROR_INVALID_VALUE;
}

/* `extra`: keys and values that give the packed parameter buffer. */
static CUresult read_extra(void **extra, struct wg_launch *l) {
    for (int i = 0; extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
        if (i >= 8) return CUDA_ERROR_INVALID_VALUE;
        if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            l->params = extra[i + 1];
        else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[i + 1])
            l->param_bytes = *(const size_t *)extra[i + 1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

/* The packed buffer may end early (the rest is zeros) but not be longer than the parameters. */
CUresult wg_launch_give(struct wg_launch *l, const struct wg_launch_arguments *a,
                        const struct wg_func_info *info, uint8_t *padded, size_t padded_bytes) {
    CUresult r;
    if (a->pointers && a->extra)
        return refuse("its arguments are given twice: as pointers and as one buffer");
    if (a->extra) {
        if ((r = read_extra(a->extra, l))) return r;
        size_t room = (info->param_bytes + 3) & ~(size_t)3;
        if (l->param_bytes > room || info->param_bytes > padded_bytes)
            return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
        if (!l->params && l->param_bytes) return refuse("the buffer of its arguments is a null pointer");
        memset(padded, 0, info->param_bytes);
        size_t n = l->param_bytes < info->param_bytes ? l->param_bytes : info->param_bytes;
        if (n) memcpy(padded, l->params, n);
        l->params = padded;
        l->param_bytes = info->param_bytes;
        return CUDA_SUCCESS;
    }
    if (!info->nparams || l->params) return CUDA_SUCCESS;
    if (!a->pointers) return refuse("it has parameters, but no arguments were given");
    for (uint32_t i = 0; i < info->nparams; i++)
        if (!a->pointers[i]) return refuse("the pointer to one of its arguments is null");
    l->args = (const void *const *)a->pointers;
    return CUDA_SUCCESS;
}

/* More threads a block than .maxntid (__launch_bounds__) says? */
static bool beyond_bounds(const struct wg_launch *l, const struct wg_func_info *info) {
    uint64_t most = (uint64_t)info->maxntid[0] * (info->maxntid[1] ? info->maxntid[1] : 1) *
                    (info->maxntid[2] ? info->maxntid[2] : 1);
    return most && (uint64_t)l->block[0] * l->block[1] * l->block[2] > most;
}

/* Why machine/ would not have a launch, as the driver says it. */
CUresult wg_launch_refusal(enum wg_status status, const struct wg_launch *l,
                           const struct wg_func_info *info) {
    if (status == WG_OK) return CUDA_SUCCESS;
    char *detail = wg_thread_text(WG_TEXT_LAUNCH);
    snprintf(detail, WG_TEXT_BYTES, "%s", wg_last_detail());
    for (size_t n = strlen(detail); n && detail[n - 1] == '\n'; n--) detail[n - 1] = 0;
    bool invalid = status == WG_INVALID_CONFIGURATION || /* as the driver has it since CUDA 12 */
                   (status == WG_OUT_OF_RESOURCES && beyond_bounds(l, info));
    return invalid ? CUDA_ERROR_INVALID_VALUE : (CUresult)status;
}

/* The parameters as one buffer of their own. */
static void keep_parameters(struct wg_launch *l, const struct wg_func_info *info) {
    uint8_t *all = wg_xcalloc(1, info->param_bytes + 1);
    if (l->params) memcpy(all, l->params, l->param_bytes);
    for (uint32_t i = 0; i < info->nparams && !l->params; i++)
        memcpy(all + info->params[i].offset, l->args[i], info->params[i].size);
    l->params = all;
    l->param_bytes = info->param_bytes;
    l->args = NULL;
}

CUresult wg_launch_keep(CUfunction f, const struct wg_launch *l, const struct wg_launch_arguments *a,
                        struct wg_node_work *w) {
    struct CUctx_st *ctx;
    struct wg_func_info info;
    uint8_t padded[WG_LAUNCH_PARAM_BYTES];
    struct wg_launch kept = *l;
    CUresult r = wg_function_of(f, &ctx, &kept.func);
    if (r) return r;
    wg_func_info(kept.func, &info);
    if ((r = wg_launch_give(&kept, a, &info, padded, sizeof padded))) return r;
    if ((r = wg_launch_refusal(wg_launch_check(&kept), &kept, &info))) return r;
    keep_parameters(&kept, &info);
    *w = (struct wg_node_work){.type = CU_GRAPH_NODE_TYPE_KERNEL, .kernel = {.function = f, .launch = kept}};
    return CUDA_SUCCESS;
}
