/* Modules: PTX text loaded into a context; its functions and variables.
 *
 * What is wrong with the text is said with line and column on stderr, or in the program's own log buffer when
 * it gave one (CU_JIT_ERROR_LOG_BUFFER).
 */
#include "driver/driver.h"
#include "driver/image.h"
#include "driver/jit_options.h"
#include "driver/memory.h"
#include "driver/ptx_link.h"
#include "driver/references.h"
#include <stdlib.h>
#include <string.h>

/* Every loaded __managed__ variable. */
struct managed {
    const struct CUmod_st *module;
    CUdeviceptr base, end;
};
static pthread_mutex_t managed_lock = PTHREAD_MUTEX_INITIALIZER;
static WG_VEC(struct managed) managed;

static void note_managed(struct CUmod_st *mod) {
    const struct wg_ir_module *ir = wg_module_ir(mod->m);
    for (uint32_t i = 0; i < ir->nsyms; i++) {
        void *p;
        size_t size;
        if (!ir->syms[i].managed || wg_module_global(mod->m, ir->syms[i].name, &p, &size) != WG_OK) continue;
        pthread_mutex_lock(&managed_lock);
        *WG_PUSH(&managed) =
            (struct managed){mod, (CUdeviceptr)(uintptr_t)p, (CUdeviceptr)(uintptr_t)p + size};
        pthread_mutex_unlock(&managed_lock);
    }
}
static void forget_managed(const struct CUmod_st *mod) {
    pthread_mutex_lock(&managed_lock);
    for (uint32_t i = managed.n; i-- > 0;)
        if (managed.v[i].module == mod) managed.v[i] = managed.v[--managed.n];
    pthread_mutex_unlock(&managed_lock);
}
bool wg_managed_variable(CUdeviceptr p) {
    bool found = false;
    pthread_mutex_lock(&managed_lock);
    for (uint32_t i = 0; i < managed.n && !found; i++) found = p >= managed.v[i].base && p < managed.v[i].end;
    pthread_mutex_unlock(&managed_lock);
    return found;
}

/* Lines in messages count in the PTX, which is no file that a person could open. */
char *wg_text_name(const char *source) {
    struct wg_strbuf b = {0};
    if (source)
        wg_strbuf_printf(&b, "PTX of %s", source);
    else
        wg_strbuf_puts(&b, "the library's PTX");
    return b.s;
}

/* A program that asks for the compiler's messages has those of kernels that it may never use, too. */
static void log_refused(const struct wg_ir_module *ir, struct wg_strbuf *log) {
    for (uint32_t i = 0; i < ir->nfuncs && ir->nrefused; i++)
        if (ir->funcs[i].refused) wg_strbuf_puts(log, ir->funcs[i].refused);
}

void wg_module_free(struct CUmod_st *m) {
    forget_managed(m);
    for (uint32_t i = 0; i < m->functions.n; i++) {
        if (!m->functions.v[i]) continue;
        wg_handle_remove(m->functions.v[i], WG_H_FUNCTION);
        free(m->functions.v[i]->old);
        free(m->functions.v[i]);
    }
    wg_references_free(m);
    free(m->functions.v);
    pthread_mutex_destroy(&m->lock);
    free(m);
}
static void end(void *module) { wg_module_free(module); }

CUresult wg_load_text(struct CUctx_st *ctx, const char *name, const char *text, size_t len,
                      struct wg_strbuf *log, CUmodule *out) {
    struct wg_diag d = {0};
    struct wg_module *m;
    enum wg_status s = wg_module_load(ctx->dev, name, text, len, &m, &d);
    const char *detail = s == WG_OK ? "" : wg_last_detail();
    const char *said = d.text.n ? d.text.s : detail;
    if (s != WG_OK && said[0]) {
        size_t n = strlen(said);
        while (n && said[n - 1] == '\n') n--;
        if (log)
            wg_strbuf_add(log, said, n);
        else
            wg_say("%.*s", (int)n, said);
    }
    wg_diag_free(&d);
    if (s == WG_NO_IMAGE_FOR_DEVICE)
        return CUDA_ERROR_INVALID_PTX; /* what the driver answers to PTX for a newer device */
    if (s != WG_OK) return wg_done(ctx, s);
    if (log) log_refused(wg_module_ir(m), log);
    struct CUmod_st *mod = wg_xcalloc(1, sizeof *mod);
    mod->ctx = ctx;
    mod->m = m;
    pthread_mutex_init(&mod->lock, NULL);
    for (uint32_t i = 0; i < wg_module_func_count(m); i++) *WG_PUSH(&mod->functions) = NULL;
    note_managed(mod);
    wg_handle_add_in(ctx, mod, WG_H_MODULE, end);
    *out = mod;
    return CUDA_SUCCESS;
}

/* An image's texts, linked when there are several. */
static CUresult load_opened(struct CUctx_st *ctx, struct wg_image *im, const char *name,
                            struct wg_strbuf *log, CUmodule *out) {
    const struct wg_image_text *t = &im->texts.v[0];
    CUresult r;
    if (im->texts.n == 1) {
        char *source = t->name ? wg_text_name(t->name) : NULL;
        r = wg_load_text(ctx, source ? source : name, t->text, t->len, log, out);
        free(source);
        return r;
    }
    struct wg_ptx_linker l = {0};
    for (uint32_t i = 0; i < im->texts.n; i++)
        wg_ptx_link_add(&l, im->texts.v[i].name, im->texts.v[i].text, im->texts.v[i].len);
    struct wg_strbuf *joined = wg_ptx_link_finish(&l);
    r = wg_load_text(ctx, name, joined->s, joined->n, log, out);
    wg_ptx_link_free(&l);
    return r;
}

static CUresult load_image(struct CUctx_st *ctx, const void *image, const char *name, struct wg_strbuf *log,
                           CUmodule *out) {
    struct wg_image im = {0};
    CUresult r = wg_image_open(image, wg_device_chip(ctx->dev)->limits->cc, &im);
    if (r && log)
        wg_strbuf_puts(log, im.why.s);
    else if (r)
        wg_say("%s", im.why.s);
    else
        r = load_opened(ctx, &im, name, log, out);
    wg_image_close(&im);
    return r;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int options, CUjit_option *option,
                            void **values) {
    struct CUctx_st *ctx;
    struct wg_jit_log log;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!module || !image) return CUDA_ERROR_INVALID_VALUE;
    if ((r = wg_jit_options_read(options, option, values, &log))) return r;
    if ((r = wg_done(ctx, wg_device_status(ctx->dev)))) return r;
    r = load_image(ctx, image, "the module's PTX", log.error ? &log.text : NULL, module);
    wg_jit_log_write(&log);
    wg_strbuf_free(&log.text);
    return r;
}
CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}
CUresult cuModuleLoadFatBinary(CUmodule *module, const void *fat_binary) {
    return cuModuleLoadDataEx(module, fat_binary, 0, NULL, NULL);
}

CUresult cuModuleLoad(CUmodule *module, const char *file) {
    struct CUctx_st *ctx;
    struct wg_strbuf data = {0};
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!module || !file) return CUDA_ERROR_INVALID_VALUE;
    if ((r = wg_done(ctx, wg_device_status(ctx->dev)))) return r;
    if ((r = wg_read_image_file(file, &data))) return r;
    r = load_image(ctx, data.s, file, NULL, module);
    wg_strbuf_free(&data);
    return r;
}

CUresult cuModuleUnload(CUmodule module) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!wg_handle_remove(module, WG_H_MODULE)) return CUDA_ERROR_INVALID_HANDLE;
    struct wg_module *m = module->m;
    ctx = module->ctx;
    enum wg_status s = wg_device_sync(ctx->dev);
    wg_module_free(module);
    wg_module_unload(m);
    return wg_done(ctx, s);
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!mode) return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
}

/* ---- What is in a module ------------------------------------------------------------------------ */

/* The handle of a kernel, always the same one. */
static CUfunction function_at(CUmodule module, uint32_t i) {
    pthread_mutex_lock(&module->lock);
    if (!module->functions.v[i]) {
        struct CUfunc_st *f = wg_xcalloc(1, sizeof *f);
        *f = (struct CUfunc_st){wg_module_func_at(module->m, i), module, NULL};
        module->functions.v[i] = f;
        wg_handle_add(f, WG_H_FUNCTION); /* it ends with its module */
    }
    CUfunction f = module->functions.v[i];
    pthread_mutex_unlock(&module->lock);
    return f;
}

CUresult wg_function_refused(const struct wg_func *f) {
    struct wg_func_info info;
    if (wg_func_refused(f) == WG_OK) return CUDA_SUCCESS;
    const char *why = wg_last_detail();
    size_t n = strlen(why);
    while (n && why[n - 1] == '\n') n--;
    wg_func_info(f, &info);
    if (!wg_told_before(info.name, CUDA_ERROR_INVALID_PTX)) wg_say("%.*s", (int)n, why);
    return CUDA_ERROR_INVALID_PTX;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!function || !name || !name[0]) return CUDA_ERROR_INVALID_VALUE;
    if (!wg_handle_is(module, WG_H_MODULE)) return CUDA_ERROR_INVALID_HANDLE;
    struct wg_func *f = wg_module_func(module->m, name);
    if (!f) return CUDA_ERROR_NOT_FOUND;
    for (uint32_t i = 0; i < module->functions.n; i++)
        if (wg_module_func_at(module->m, i) == f) {
            if ((r = wg_function_refused(f))) return r;
            *function = function_at(module, i);
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_NOT_FOUND;
}

CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule module) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!count) return CUDA_ERROR_INVALID_VALUE;
    if (!wg_handle_is(module, WG_H_MODULE)) return CUDA_ERROR_INVALID_HANDLE;
    *count = module->functions.n;
    return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int count, CUmodule module) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!functions) return CUDA_ERROR_INVALID_VALUE;
    if (!wg_handle_is(module, WG_H_MODULE)) return CUDA_ERROR_INVALID_HANDLE;
    for (uint32_t i = 0; i < count && i < module->functions.n; i++) functions[i] = function_at(module, i);
    return CUDA_SUCCESS;
}

CUresult wg_module_variable(CUmodule module, const char *name, CUdeviceptr *pointer, size_t *bytes) {
    void *address;
    size_t size;
    enum wg_status s = wg_module_global(module->m, name, &address, &size);
    if (s != WG_OK) return wg_done(module->ctx, s);
    if (pointer) *pointer = (CUdeviceptr)(uintptr_t)address;
    if (bytes) *bytes = size;
    return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUmodule module, const char *name) {
    CUresult r = wg_initialized();
    if (r) return r;
    if ((!pointer && !bytes) || !name) return CUDA_ERROR_INVALID_VALUE;
    if (!wg_handle_is(module, WG_H_MODULE)) return CUDA_ERROR_INVALID_HANDLE;
    return wg_is_reference(module, name) ? CUDA_ERROR_INVALID_VALUE
                                         : wg_module_variable(module, name, pointer, bytes);
}
