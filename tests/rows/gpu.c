/* The driver API by name: see gpu.h. */
#include "tests/rows/gpu.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned gpu_optimise = 4;
static struct {
    int (*init)(unsigned), (*device_get)(int *, int), (*context_retain)(void **, int), (*context_set)(void *);
    int (*set_limit)(int, size_t);
    int (*alloc)(uint64_t *, size_t), (*to_device)(uint64_t, const void *, size_t);
    int (*to_host)(void *, uint64_t, size_t), (*fill)(uint64_t, unsigned char, size_t);
    int (*load)(void **, const void *, unsigned, int *, void **), (*unload)(void *),
        (*function)(void **, void *, const char *), (*sync)(void);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                  void **, void **);
} cu;

static void check(int status, const char *what) {
    if (!status) return;
    fprintf(stderr, "%s: CUDA error %d\n", what, status);
    exit(1);
}

void gpu_open(void) {
    static const struct {
        void *at;
        const char *name;
    } names[] = {{&cu.init, "cuInit"},
                 {&cu.device_get, "cuDeviceGet"},
                 {&cu.context_retain, "cuDevicePrimaryCtxRetain"},
                 {&cu.context_set, "cuCtxSetCurrent"},
                 {&cu.set_limit, "cuCtxSetLimit"},
                 {&cu.alloc, "cuMemAlloc_v2"},
                 {&cu.to_device, "cuMemcpyHtoD_v2"},
                 {&cu.to_host, "cuMemcpyDtoH_v2"},
                 {&cu.fill, "cuMemsetD8_v2"},
                 {&cu.load, "cuModuleLoadDataEx"},
                 {&cu.unload, "cuModuleUnload"},
                 {&cu.function, "cuModuleGetFunction"},
                 {&cu.sync, "cuCtxSynchronize"},
                 {&cu.launch, "cuLaunchKernel"}};
    void *lib = dlopen("libcuda.so.1", RTLD_NOW), *context;
    int device;
    if (!lib) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        void *f = dlsym(lib, names[k].name);
        check(f ? 0 : 500, names[k].name);
        memcpy(names[k].at, &f, sizeof f);
    }
    check(cu.init(0), "cuInit");
    check(cu.device_get(&device, 0), "cuDeviceGet");
    check(cu.context_retain(&context, device), "context");
    check(cu.context_set(context), "context");
    check(cu.set_limit(0, 8 * 1024), "stack"); /* recursion goes deeper than the default; more, and
                                                 many processes at once have no room on one GPU */
}

uint64_t gpu_alloc(size_t bytes) {
    uint64_t p;
    check(cu.alloc(&p, bytes), "cuMemAlloc");
    return p;
}
void gpu_write(uint64_t to, const void *from, size_t bytes) {
    check(cu.to_device(to, from, bytes), "cuMemcpyHtoD");
}
void gpu_read(void *to, uint64_t from, size_t bytes) { check(cu.to_host(to, from, bytes), "cuMemcpyDtoH"); }
void gpu_clear(uint64_t at, size_t bytes) { check(cu.fill(at, 0, bytes), "cuMemsetD8"); }

bool gpu_run(const char *ptx, const char *kernel, const uint32_t grid[3], const uint32_t block[3],
             void **params) {
    void *module, *function, *value = (void *)(uintptr_t)gpu_optimise;
    int option = 7; /* CU_JIT_OPTIMIZATION_LEVEL */
    if (cu.load(&module, ptx, 1, &option, &value)) return false;
    check(cu.function(&function, module, kernel), kernel);
    check(cu.launch(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], 0, NULL, params, NULL),
          "launch");
    check(cu.sync(), "cuCtxSynchronize");
    check(cu.unload(module), "cuModuleUnload");
    return true;
}
