/* Libraries and kernels: device code that belongs to no context.
 *
 * A library keeps its PTX text; the first use in a context loads it there as a module. So a kernel handle
 * works in every context, and outlives a reset of the primary one. The runtime API's registered fat binaries
 * are libraries.
 */
#include "driver/library.h"
#include "driver/driver.h"
#include "driver/image.h"
#include "driver/jit_options.h"
#include "driver/ptx_link.h"
#include "ptx/cluster_tag.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MANAGED_ALIGN = 4096 };

/* A library as loaded in one context. */
struct loaded {
    struct CUctx_st *ctx;
    unsigned generation;
    CUmodule module;
};
struct CUlib_st {
    pthread_mutex_t lock;
    WG_VEC(const void *) units; /* registered and not opened yet */
    bool joined;                /* of files that clang compiled to be linked */
    char *text;                 /* of all its PTX; NULL until opened */
    size_t len;
    char *name;
    WG_VEC(struct wg_hosted) hosted; /* variables that lie in the program's memory; their names are copies */
    WG_VEC(void *) shared;           /* of these, what the library allocated */
    WG_VEC(unsigned) hosts;          /* which unit each of them is of */
    CUresult broken;                 /* why it cannot be loaded: found at first use, answered ever after */
    WG_VEC(struct loaded) loaded;
    WG_VEC(struct CUkern_st *) kernels;
};
struct CUkern_st {
    struct CUlib_st *library;
    char *name;
    unsigned unit; /* the file that registered it, of a library of several; 0: it is alone */
    /* The function in the context it was used in last. */
    struct CUctx_st *ctx;
    unsigned generation;
    CUfunction function;
};

static CUlibrary make_library(void) {
    CUlibrary l = wg_xcalloc(1, sizeof *l);
    pthread_mutex_init(&l->lock, NULL);
    wg_handle_add(l, WG_H_LIBRARY);
    return l;
}

/* Takes the PTX out of images, and links it. */
static CUresult open_images(CUlibrary l, const void *const *images, uint32_t n, const char *name) {
    struct wg_image im = {0};
    CUresult r = CUDA_SUCCESS;
    for (uint32_t i = 0; i < n && !r; i++) r = wg_image_open(images[i], wg_least_capability(), &im);
    if (r) {
        wg_say("%s%s%s", name ? name : "", name ? ": " : "", im.why.s);
    } else if (im.texts.n == 1) {
        l->text = im.texts.v[0].text;
        l->len = im.texts.v[0].len;
        l->name = wg_text_name(im.texts.v[0].name ? im.texts.v[0].name : name);
        im.texts.v[0].text = NULL;
    } else {
        struct wg_ptx_linker linker = {.plain_statics = l->joined};
        for (uint32_t i = 0; i < im.texts.n; i++)
            wg_ptx_link_add(&linker, im.texts.v[i].name, im.texts.v[i].text, im.texts.v[i].len);
        struct wg_strbuf *joined = wg_ptx_link_finish(&linker);
        l->text = wg_xstrdup(joined->s);
        l->len = joined->n;
        l->name = wg_text_name(name);
        wg_ptx_link_free(&linker);
    }
    wg_image_close(&im);
    return r;
}

CUresult wg_library_register(const void *wrapper, CUlibrary *out) {
    *out = make_library();
    *WG_PUSH(&(*out)->units) = wrapper;
    return CUDA_SUCCESS;
}

CUlibrary wg_library_joined(void) {
    CUlibrary l = make_library();
    l->joined = true;
    return l;
}

unsigned wg_library_join(CUlibrary l, const void *wrapper) {
    unsigned unit = 0;
    pthread_mutex_lock(&l->lock);
    if (!l->text && !l->broken) {
        *WG_PUSH(&l->units) = wrapper;
        unit = l->units.n;
    }
    pthread_mutex_unlock(&l->lock);
    return unit;
}

void wg_library_host(CUlibrary l, const char *name, unsigned unit, void *at, size_t bytes) {
    pthread_mutex_lock(&l->lock);
    *WG_PUSH(&l->hosts) = unit;
    *WG_PUSH(&l->hosted) = (struct wg_hosted){wg_xstrdup(name), at, bytes};
    pthread_mutex_unlock(&l->lock);
}

/* With several devices, managed variables of a library lie in memory of the process, which all of them reach: what nvcc's
 * programs have as pointers, and clang's have in a section. */
static void share_managed(CUlibrary l, const struct wg_ir_module *ir) {
    for (uint32_t i = 0; i < ir->nsyms && wg_device_count() > 1; i++) {
        const struct wg_ir_sym *s = &ir->syms[i];
        bool known = !s->managed || s->kind != WG_SYM_GLOBAL || !s->size;
        for (uint32_t k = 0; k < l->hosted.n && !known; k++) known = !strcmp(l->hosted.v[k].name, s->name);
        if (known) continue;
        size_t bytes = (s->size + MANAGED_ALIGN - 1) / MANAGED_ALIGN * MANAGED_ALIGN;
        void *at = aligned_alloc(MANAGED_ALIGN, bytes);
        if (!at) continue;
        *WG_PUSH(&l->hosts) = 0;
        *WG_PUSH(&l->hosted) = (struct wg_hosted){wg_xstrdup(s->name), at, s->size};
        *WG_PUSH(&l->shared) = at;
    }
}

/* Does another context have the library, and its variables their values? */
static bool is_loaded(const struct CUlib_st *l) {
    for (uint32_t i = 0; i < l->loaded.n; i++)
        if (l->loaded.v[i].ctx->dev && l->loaded.v[i].generation == l->loaded.v[i].ctx->generation)
            return true;
    return false;
}

/* Variables go where the program has them, each under the name that linking gave it. */
static enum wg_status place_hosted(CUlibrary l, struct wg_module *m) {
    struct wg_arena a = {0};
    for (uint32_t i = 0; i < l->hosted.n; i++) {
        struct wg_hosted *h = &l->hosted.v[i];
        void *at;
        size_t size;
        const char *own = wg_ptx_unit_name(&a, h->name, strlen(h->name), l->hosts.v[i]);
        if (!l->hosts.v[i] || wg_module_global(m, own, &at, &size) != WG_OK) continue;
        free((char *)h->name);
        h->name = wg_xstrdup(own);
        l->hosts.v[i] = 0;
    }
    wg_arena_free(&a);
    return wg_module_host(m, l->hosted.v, l->hosted.n, !is_loaded(l));
}

/* The library's module in the current context; under the library's lock. */
static CUresult module_in(CUlibrary l, struct CUctx_st *ctx, CUmodule *out) {
    if (l->broken) return l->broken;
    if (l->units.n) {
        l->broken = open_images(l, l->units.v, l->units.n, program_invocation_short_name);
        l->units.n = 0;
        if (l->broken) return l->broken;
    }
    for (uint32_t i = 0; i < l->loaded.n; i++) {
        struct loaded *at = &l->loaded.v[i];
        if (at->ctx != ctx) continue;
        if (at->generation == ctx->generation) {
            *out = at->module;
            return CUDA_SUCCESS;
        }
        *at = l->loaded.v[--l->loaded.n];
        break;
    }
    CUmodule m;
    CUresult r = wg_done(ctx, wg_device_status(ctx->dev));
    if (r) return r;
    if ((r = wg_load_text(ctx, l->name, l->text, l->len, NULL, &m))) {
        if (r == CUDA_ERROR_INVALID_PTX || r == CUDA_ERROR_INVALID_IMAGE ||
            r == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
            l->broken = r;
        return r;
    }
    share_managed(l, wg_module_ir(m->m));
    if (l->hosted.n && (r = wg_done(ctx, place_hosted(l, m->m)))) {
        wg_say("%s", wg_last_detail());
        cuModuleUnload(m);
        return l->broken = r;
    }
    *WG_PUSH(&l->loaded) = (struct loaded){ctx, ctx->generation, m};
    *out = m;
    return CUDA_SUCCESS;
}

static CUresult library_module(CUlibrary l, CUmodule *out) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!wg_handle_is(l, WG_H_LIBRARY)) return CUDA_ERROR_INVALID_HANDLE;
    pthread_mutex_lock(&l->lock);
    r = module_in(l, ctx, out);
    pthread_mutex_unlock(&l->lock);
    return r;
}

/* A static has its file's number behind its name, where another file has one of the same name. */
static CUresult function_of(CUmodule m, CUkernel k, CUfunction *out) {
    struct wg_arena a = {0};
    const char *own = wg_ptx_unit_name(&a, k->name, strlen(k->name), k->unit);
    CUresult r = cuModuleGetFunction(out, m, k->unit && wg_module_func(m->m, own) ? own : k->name);
    wg_arena_free(&a);
    return r;
}

CUresult wg_kernel_function(CUkernel k, CUfunction *out) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    CUlibrary l = k->library;
    pthread_mutex_lock(&l->lock);
    if (k->ctx == ctx && k->generation == ctx->generation) {
        *out = k->function;
    } else {
        CUmodule m;
        CUfunction f;
        r = module_in(l, ctx, &m);
        if (!r) r = function_of(m, k, &f);
        if (!r) {
            k->ctx = ctx;
            k->generation = ctx->generation;
            *out = k->function = f;
        }
    }
    pthread_mutex_unlock(&l->lock);
    return r;
}

/* ---- Loading ------------------------------------------------------------------------------------ */

CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *jit_option, void **jit_values,
                           unsigned int jit_options, CUlibraryOption *option, void **values,
                           unsigned int options) {
    struct wg_jit_log log;
    CUresult r = wg_initialized();
    if (r) return r;
    if (!library || !image || (options && (!option || !values))) return CUDA_ERROR_INVALID_VALUE;
    if ((r = wg_jit_options_read(jit_options, jit_option, jit_values, &log))) return r;
    wg_jit_log_write(&log);
    wg_strbuf_free(&log.text);
    CUlibrary l = make_library();
    l->broken = open_images(l, &image, 1,
                            NULL); /* as with CUDA, what is wrong with it is answered at its first use */
    *library = l;
    return CUDA_SUCCESS;
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *file, CUjit_option *jit_option,
                               void **jit_values, unsigned int jit_options, CUlibraryOption *option,
                               void **values, unsigned int options) {
    struct wg_strbuf data = {0};
    CUresult r = wg_initialized();
    if (r) return r;
    if (!library || !file) return CUDA_ERROR_INVALID_VALUE;
    if ((r = wg_read_image_file(file, &data))) return r;
    r = cuLibraryLoadData(library, data.s, jit_option, jit_values, jit_options, option, values, options);
    wg_strbuf_free(&data);
    return r;
}

CUresult cuLibraryUnload(CUlibrary library) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_handle_remove(library, WG_H_LIBRARY)) return CUDA_ERROR_INVALID_HANDLE;
    for (uint32_t i = 0; i < library->loaded.n; i++) {
        struct loaded *at = &library->loaded.v[i];
        if (at->ctx->dev && at->generation == at->ctx->generation &&
            wg_handle_remove(at->module, WG_H_MODULE)) {
            struct wg_module *m = at->module->m;
            wg_module_free(at->module);
            wg_module_unload(m);
        }
    }
    for (uint32_t i = 0; i < library->kernels.n; i++) {
        wg_handle_remove(library->kernels.v[i], WG_H_KERNEL);
        free(library->kernels.v[i]->name);
        free(library->kernels.v[i]);
    }
    pthread_mutex_destroy(&library->lock);
    for (uint32_t i = 0; i < library->hosted.n; i++) free((char *)library->hosted.v[i].name);
    for (uint32_t i = 0; i < library->shared.n; i++) free(library->shared.v[i]);
    free(library->shared.v);
    free(library->hosted.v);
    free(library->hosts.v);
    free(library->units.v);
    free(library->kernels.v);
    free(library->loaded.v);
    free(library->text);
    free(library->name);
    free(library);
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
    if (!module) return CUDA_ERROR_INVALID_VALUE;
    return library_module(library, module);
}

/* ---- What is in a library ----------------------------------------------------------------------- */

CUkernel wg_library_kernel(CUlibrary l, const char *registered, unsigned unit) {
    CUkernel k = NULL;
    char *name = wg_cluster_tag_remove(registered);
    pthread_mutex_lock(&l->lock);
    for (uint32_t i = 0; i < l->kernels.n && !k; i++)
        if (l->kernels.v[i]->unit == unit && !strcmp(l->kernels.v[i]->name, name)) k = l->kernels.v[i];
    if (!k) {
        k = wg_xcalloc(1, sizeof *k);
        k->library = l;
        k->name = wg_xstrdup(name);
        k->unit = unit;
        *WG_PUSH(&l->kernels) = k;
        wg_handle_add(k, WG_H_KERNEL);
    }
    pthread_mutex_unlock(&l->lock);
    free(name);
    return k;
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
    CUmodule m;
    if (!kernel || !name) return CUDA_ERROR_INVALID_VALUE;
    CUresult r = library_module(library, &m);
    if (r) return r;
    if (!wg_module_func(m->m, name)) return CUDA_ERROR_NOT_FOUND;
    *kernel = wg_library_kernel(library, name, 0);
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary library) {
    CUmodule m;
    if (!count) return CUDA_ERROR_INVALID_VALUE;
    CUresult r = library_module(library, &m);
    return r ? r : cuModuleGetFunctionCount(count, m);
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int count, CUlibrary library) {
    CUmodule m;
    if (!kernels) return CUDA_ERROR_INVALID_VALUE;
    CUresult r = library_module(library, &m);
    if (r) return r;
    for (uint32_t i = 0; i < count && i < wg_module_func_count(m->m); i++) {
        struct wg_func_info info;
        wg_func_info(wg_module_func_at(m->m, i), &info);
        kernels[i] = wg_library_kernel(library, info.name, 0);
    }
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUlibrary library, const char *name) {
    CUmodule m;
    if ((!pointer && !bytes) || !name) return CUDA_ERROR_INVALID_VALUE;
    CUresult r = library_module(library, &m);
    return r ? r : wg_module_variable(m, name, pointer, bytes);
}

CUresult wg_library_variable(CUlibrary library, const char *name, unsigned unit, CUdeviceptr *pointer,
                             size_t *bytes) {
    struct wg_arena a = {0};
    CUresult r = CUDA_ERROR_NOT_FOUND;
    if (unit) r = cuLibraryGetGlobal(pointer, bytes, library, wg_ptx_unit_name(&a, name, strlen(name), unit));
    if (r == CUDA_ERROR_NOT_FOUND) r = cuLibraryGetGlobal(pointer, bytes, library, name);
    wg_arena_free(&a);
    return r;
}

CUresult cuLibraryGetManaged(CUdeviceptr *pointer, size_t *bytes, CUlibrary library, const char *name) {
    CUmodule m;
    if ((!pointer && !bytes) || !name) return CUDA_ERROR_INVALID_VALUE;
    CUresult r = library_module(library, &m);
    if (r) return r;
    const struct wg_ir_module *ir = wg_module_ir(m->m);
    for (uint32_t i = 0; i < ir->nsyms; i++)
        if (ir->syms[i].managed && !strcmp(ir->syms[i].name, name))
            return wg_module_variable(m, name, pointer, bytes);
    return CUDA_ERROR_NOT_FOUND;
}

/* ---- Kernels ------------------------------------------------------------------------------------ */

CUresult wg_kernel_function_in(CUkernel kernel, struct CUctx_st *ctx, CUfunction *f) {
    struct CUctx_st *now;
    if (!wg_current(&now) && now == ctx) return wg_kernel_function(kernel, f);
    CUresult r = cuCtxPushCurrent(ctx);
    if (r) return r;
    r = wg_kernel_function(kernel, f);
    cuCtxPopCurrent(&now);
    return r;
}

/* In the current context if it is the device's, else in its primary one. */
static CUresult function_on(CUkernel kernel, CUdevice device, CUfunction *f) {
    struct CUctx_st *ctx;
    CUresult r = wg_context_on(device, &ctx);
    if (r) return r;
    return wg_handle_is(kernel, WG_H_KERNEL) ? wg_kernel_function_in(kernel, ctx, f)
                                             : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult kernel_function(CUkernel kernel, CUfunction *f) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_handle_is(kernel, WG_H_KERNEL)) return CUDA_ERROR_INVALID_HANDLE;
    return wg_kernel_function(kernel, f);
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
    if (!function) return CUDA_ERROR_INVALID_VALUE;
    return kernel_function(kernel, function);
}
CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
    CUfunction f;
    CUresult r = function_on(kernel, device, &f);
    return r ? r : cuFuncGetAttribute(value, attribute, f);
}
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
    CUfunction f;
    CUresult r = function_on(kernel, device, &f);
    return r ? r : cuFuncSetAttribute(f, attribute, value);
}
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
    CUfunction f;
    CUresult r = function_on(kernel, device, &f);
    return r ? r : cuFuncSetCacheConfig(f, config);
}
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *size) {
    CUfunction f;
    CUresult r = kernel_function(kernel, &f);
    return r ? r : cuFuncGetParamInfo(f, index, offset, size);
}
CUresult cuKernelGetName(const char **name, CUkernel kernel) {
    if (!name) return CUDA_ERROR_INVALID_VALUE;
    if (!wg_handle_is(kernel, WG_H_KERNEL)) return CUDA_ERROR_INVALID_HANDLE;
    *name = kernel->name;
    return CUDA_SUCCESS;
}
CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!library) return CUDA_ERROR_INVALID_VALUE;
    if (!wg_handle_is(kernel, WG_H_KERNEL)) return CUDA_ERROR_INVALID_HANDLE;
    *library = kernel->library;
    return CUDA_SUCCESS;
}
