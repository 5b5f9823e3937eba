/* Runs the kernels that rows_test --dump wrote on a real GPU, where there is one:
 *
 *     rows_test --shape 0 --dump D && rows_hardware D && rows_test --shape 0 --against D
 *
 * For each X.ptx in D, X.hw gets what the GPU made of values.bin. Talks to libcuda.so.1, opened as it runs.
 * Not a test: the machine that has a GPU need not be the one that builds. */
#include "tests/rows/plan.h"
#include "tests/rows/values.h"
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long device_ptr;
static struct {
    int (*init)(unsigned), (*device_get)(int *, int), (*context_retain)(void **, int), (*context_set)(void *);
    int (*alloc)(device_ptr *, size_t), (*to_device)(device_ptr, const void *, size_t);
    int (*to_host)(void *, device_ptr, size_t), (*fill)(device_ptr, unsigned char, size_t);
    int (*load)(void **, const void *), (*unload)(void *), (*function)(void **, void *, const char *),
        (*sync)(void);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                  void **, void **);
} cu;

static void open_driver(void) {
    static const struct {
        void *at;
        const char *name;
    } names[] = {{&cu.init, "cuInit"},
                 {&cu.device_get, "cuDeviceGet"},
                 {&cu.context_retain, "cuDevicePrimaryCtxRetain"},
                 {&cu.context_set, "cuCtxSetCurrent"},
                 {&cu.alloc, "cuMemAlloc_v2"},
                 {&cu.to_device, "cuMemcpyHtoD_v2"},
                 {&cu.to_host, "cuMemcpyDtoH_v2"},
                 {&cu.fill, "cuMemsetD8_v2"},
                 {&cu.load, "cuModuleLoadData"},
                 {&cu.unload, "cuModuleUnload"},
                 {&cu.function, "cuModuleGetFunction"},
                 {&cu.sync, "cuCtxSynchronize"},
                 {&cu.launch, "cuLaunchKernel"}};
    void *lib = dlopen("libcuda.so.1", RTLD_NOW);
    if (!lib) exit(fprintf(stderr, "rows_hardware: %s\n", dlerror()));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        void *f = dlsym(lib, names[k].name);
        if (!f) exit(fprintf(stderr, "rows_hardware: no %s\n", names[k].name));
        memcpy(names[k].at, &f, sizeof f);
    }
}

static void check(int status, const char *what) {
    if (status) exit(fprintf(stderr, "rows_hardware: %s: CUDA error %d\n", what, status));
}

int main(int argc, char **argv) {
    if (argc != 2) return fprintf(stderr, "usage: rows_hardware FOLDER\n"), 2;
    static uint64_t out[PLAN_CASES * PLAN_SLOTS * VALUES];
    struct wg_strbuf values = {0}, ptx = {0};
    char path[4096];
    void *context, *module, *kernel;
    device_ptr in_d, out_d;
    int device;
    open_driver();
    check(cu.init(0), "cuInit");
    check(cu.device_get(&device, 0), "cuDeviceGet");
    check(cu.context_retain(&context, device), "context");
    check(cu.context_set(context), "context");
    snprintf(path, sizeof path, "%s/values.bin", argv[1]);
    if (!wg_file_read(path, &values)) return perror(path), 1;
    check(cu.alloc(&in_d, values.n), "memory");
    check(cu.alloc(&out_d, sizeof out), "memory");
    check(cu.to_device(in_d, values.s, values.n), "copy");
    DIR *d = opendir(argv[1]);
    for (struct dirent *e; d && (e = readdir(d));) {
        char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".ptx") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", argv[1], e->d_name);
        ptx.n = 0;
        if (!wg_file_read(path, &ptx)) return perror(path), 1;
        uint32_t count = VALUES;
        void *params[] = {&in_d, &out_d, &count};
        if (cu.load(&module, ptx.s)) {
            printf("%s: the driver does not take it\n", path);
            continue;
        }
        check(cu.function(&kernel, module, "rows"), path);
        check(cu.fill(out_d, 0, sizeof out), path);
        check(cu.launch(kernel, VALUES / 128, 1, 1, 128, 1, 1, 0, NULL, params, NULL), path);
        check(cu.sync(), path);
        check(cu.to_host(out, out_d, sizeof out), path);
        check(cu.unload(module), path);
        strcpy(strrchr(path, '.'), ".hw");
        if (!wg_file_write(path, out, sizeof out)) return perror(path), 1;
    }
    return 0;
}
