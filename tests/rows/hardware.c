/* Runs the kernels that rows_test --dump wrote on a real GPU, where there is one:
 *
 *     rows_test --shape 0 --dump D && rows_hardware D && rows_test --shape 0 --against D
 *
 * For each X.ptx in D, X.hw gets what the GPU made of values.bin. Not a test: the machine that has a GPU need
 * not be the one that builds. */
#include "tests/rows/gpu.h"
#include "tests/rows/plan.h"
#include "tests/rows/values.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 2) return fprintf(stderr, "usage: rows_hardware FOLDER\n"), 2;
    static uint64_t out[PLAN_CASES * PLAN_SLOTS * VALUES];
    struct wg_strbuf values = {0}, ptx = {0};
    char path[4096];
    gpu_open();
    snprintf(path, sizeof path, "%s/values.bin", argv[1]);
    if (!wg_file_read(path, &values)) return perror(path), 1;
    uint64_t in_d = gpu_alloc(values.n), out_d = gpu_alloc(sizeof out);
    gpu_write(in_d, values.s, values.n);
    DIR *d = opendir(argv[1]);
    for (struct dirent *e; d && (e = readdir(d));) {
        char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".ptx") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", argv[1], e->d_name);
        ptx.n = 0;
        if (!wg_file_read(path, &ptx)) return perror(path), 1;
        uint32_t count = VALUES;
        void *params[] = {&in_d, &out_d, &count};
        gpu_clear(out_d, sizeof out);
        if (!gpu_run(ptx.s, "rows", (uint32_t[]){VALUES / 128, 1, 1}, (uint32_t[]){128, 1, 1}, params)) {
            printf("%s: the driver does not take it\n", path);
            continue;
        }
        gpu_read(out, out_d, sizeof out);
        strcpy(strrchr(path, '.'), ".hw");
        if (!wg_file_write(path, out, sizeof out)) return perror(path), 1;
    }
    return 0;
}
