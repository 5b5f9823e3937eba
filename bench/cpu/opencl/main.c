/*
 * main.c: times the gallery's kernels in OpenCL on the system's CPU device (PoCL in Debian); prints
 * `time VARIANT MS ms` for each, like the gallery's programs.
 *
 *   bench-opencl gallery.cl --repeat 5 transpose
 *
 * A time is a launch's, from start to end as its event gives it, after one launch that compiles. The
 * kernels work in the problem's own memory, so nothing is copied.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include "../problem.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Arguments by letter: i, j inputs; o output; w a copy of input 0 for the kernel to spoil; 0 1 2 the
   problem's sizes; L the local memory. */
struct variant {
    const char *topic, *name, *problem, *kernel, *arguments;
    size_t global[2], local[2], local_bytes;
};

enum { MEAN_BLOCK = 128, HISTOGRAM_BLOCK = 512, HISTOGRAM_BLOCKS = 528, SIDE = 8000 };
#define BLOCKS(n, block) (((n) + (block) - 1) / (block) * (block))
#define ROW1(topic, name, problem, arguments, n, bytes)                                                      \
    {topic, #name, problem, #name, arguments, {n, 1}, {BLOCK, 1}, bytes}
#define ROW2(topic, name, problem, arguments, x, y, bx, by)                                                  \
    {topic, #name, problem, #name, arguments, {x, y}, {bx, by}, 0}
#define MEAN(name, problem, step)                                                                            \
    ROW2("mean_filter", name, problem, "io01", BLOCKS(SIDE, step) / (step) * MEAN_BLOCK, SIDE, MEAN_BLOCK, 1)
#define HISTOGRAM(way, kernel, bins, arguments, bytes)                                                       \
    {"histogram",                                                                                            \
     "histogram_" way "_" #bins,                                                                             \
     "histogram_" #bins,                                                                                     \
     kernel,                                                                                                 \
     arguments,                                                                                              \
     {HISTOGRAM_BLOCKS * HISTOGRAM_BLOCK, 1},                                                                \
     {HISTOGRAM_BLOCK, 1},                                                                                   \
     bytes}
#define COUNT_GLOBAL(way, bins) HISTOGRAM(way, "histogram_global", bins, "oi0", 0)
#define COUNT_SHARED(way, bins) HISTOGRAM(way, "histogram_shared", bins, "oi01L", (bins) * sizeof(int))

static const struct variant variants[] = {
    ROW1("vector_add", vector_add, "vector_add", "ijo0", 1 << 24, 0),
    ROW1("array_of_structures", array_of_structures, "array_of_structures", "o0", 1 << 20, 0),
    ROW1("array_of_structures", structure_of_arrays, "structure_of_arrays", "o0", 1 << 20, 0),
    ROW2("transpose", transpose_naive, "transpose", "io01", 4096, 4096, 32, 32),
    ROW2("transpose", transpose_shared, "transpose", "io01", 4096, 4096, 32, 32),
    ROW2("transpose", transpose_padded, "transpose", "io01", 4096, 4096, 32, 32),
    ROW1("reverse", reverse_global, "reverse", "io0", 1 << 24, 0),
    ROW1("reverse", reverse_static, "reverse", "io0", 1 << 24, 0),
    ROW1("reverse", reverse_dynamic, "reverse", "io0L", 1 << 24, BLOCK * sizeof(int)),
    ROW1("divided_shared", divided_shared, "divided_shared", "o0L", 1 << 20, BLOCK * 9),
    ROW1("reduction", global_modulo, "reduction", "wo0", 1 << 22, 0),
    ROW1("reduction", global_strided, "reduction", "wo0", 1 << 22, 0),
    ROW1("reduction", global_sequential, "reduction", "wo0", 1 << 22, 0),
    ROW1("reduction", shared_interleaved, "reduction", "io0", 1 << 22, 0),
    ROW1("reduction", shared_strided, "reduction", "io0", 1 << 22, 0),
    ROW1("reduction", shared_sequential, "reduction", "io0", 1 << 22, 0),
    ROW1("matrix_product", product_naive, "product", "ijo012", 1 << 20, 0),
    ROW2("matrix_product", product_tiled16, "product", "ijo012", 1024, 1024, 16, 16),
    ROW2("matrix_product", product_tiled32, "product", "ijo012", 1024, 1024, 32, 32),
    MEAN(mean3_global, "mean3", MEAN_BLOCK),
    MEAN(mean3_shared, "mean3", MEAN_BLOCK - 2),
    MEAN(mean5_global, "mean5", MEAN_BLOCK),
    MEAN(mean5_shared, "mean5", MEAN_BLOCK - 4),
    COUNT_GLOBAL("global", 256),
    COUNT_SHARED("shared", 256),
    COUNT_SHARED("cluster1", 256),
    COUNT_GLOBAL("global", 8192),
    COUNT_SHARED("shared", 8192),
    COUNT_SHARED("cluster2", 8192),
    COUNT_GLOBAL("global", 49152),
    COUNT_SHARED("shared", 49152),
    COUNT_SHARED("cluster4", 49152),
    COUNT_GLOBAL("global", 131072),
    COUNT_GLOBAL("cluster8", 131072),
};

struct device {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

static void check(cl_int status, const char *what) {
    if (status == CL_SUCCESS) return;
    fprintf(stderr, "bench-opencl: %s failed with OpenCL error %d\n", what, status);
    exit(1);
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = file ? calloc(1, 1 << 16) : NULL;
    if (!text || !fread(text, 1, (1 << 16) - 1, file)) {
        fprintf(stderr, "bench-opencl: cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

static struct device open_device(const char *source_path) {
    struct device device = {0};
    cl_platform_id platform;
    cl_device_id id;
    cl_int status;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &id, NULL) != CL_SUCCESS) {
        fprintf(stderr, "bench-opencl: there is no OpenCL CPU device; install pocl-opencl-icd\n");
        exit(1);
    }
    char version[256];
    check(clGetDeviceInfo(id, CL_DEVICE_VERSION, sizeof version, version, NULL), "clGetDeviceInfo");
    printf("device %s\n", version);
    device.context = clCreateContext(NULL, 1, &id, NULL, NULL, &status);
    check(status, "clCreateContext");
    device.queue = clCreateCommandQueue(device.context, id, CL_QUEUE_PROFILING_ENABLE, &status);
    check(status, "clCreateCommandQueue");
    char *text = read_file(source_path);
    device.program = clCreateProgramWithSource(device.context, 1, (const char **)&text, NULL, &status);
    check(status, "clCreateProgramWithSource");
    status = clBuildProgram(device.program, 1, &id, "", NULL, NULL);
    if (status != CL_SUCCESS) {
        static char log[1 << 14];
        clGetProgramBuildInfo(device.program, id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "bench-opencl: %s does not compile:\n%s\n", source_path, log);
        exit(1);
    }
    free(text);
    return device;
}

/* A buffer that is the problem's own memory. */
static cl_mem wrap(const struct device *device, void *memory, size_t bytes) {
    if (!bytes) return NULL;
    cl_int status;
    cl_mem buffer =
        clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, memory, &status);
    check(status, "clCreateBuffer");
    return buffer;
}

static void set_arguments(cl_kernel kernel, const struct variant *v, const struct problem *p,
                          const cl_mem *in, const cl_mem *out, const cl_mem *scratch) {
    for (cl_uint i = 0; v->arguments[i]; i++) {
        const char kind = v->arguments[i];
        const void *value = kind == 'i'   ? (const void *)&in[0]
                            : kind == 'j' ? (const void *)&in[1]
                            : kind == 'o' ? (const void *)out
                            : kind == 'w' ? (const void *)scratch
                            : kind == 'L' ? NULL
                                          : (const void *)&p->size[kind - '0'];
        const size_t size = kind == 'L' ? v->local_bytes : strchr("012", kind) ? sizeof(int) : sizeof(cl_mem);
        check(clSetKernelArg(kernel, i, size, value), "clSetKernelArg");
    }
}

static double launch(const struct device *device, cl_kernel kernel, const struct variant *v) {
    const cl_uint dimensions = v->local[1] > 1 || v->global[1] > 1 ? 2 : 1;
    cl_event event;
    cl_ulong start, end;
    check(
        clEnqueueNDRangeKernel(device->queue, kernel, dimensions, NULL, v->global, v->local, 0, NULL, &event),
        v->name);
    check(clWaitForEvents(1, &event), v->name);
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL),
          "profiling");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), "profiling");
    clReleaseEvent(event);
    return (double)(end - start) * 1e-6;
}

/* Gives the output, and what the kernel may spoil, the state to start from. */
static void restart(const struct device *device, struct problem *p, cl_mem out, cl_mem scratch) {
    cl_int status;
    void *mapped = clEnqueueMapBuffer(device->queue, out, CL_TRUE, CL_MAP_WRITE, 0, p->out_bytes, 0, NULL,
                                      NULL, &status);
    check(status, "clEnqueueMapBuffer");
    problem_restart(p);
    check(clEnqueueUnmapMemObject(device->queue, out, mapped, 0, NULL, NULL), "clEnqueueUnmapMemObject");
    if (scratch)
        check(
            clEnqueueWriteBuffer(device->queue, scratch, CL_TRUE, 0, p->in_bytes[0], p->in[0], 0, NULL, NULL),
            "clEnqueueWriteBuffer");
    check(clFinish(device->queue), "clFinish");
}

static bool measure(const struct device *device, const struct variant *v, const struct arguments *arguments) {
    struct problem p;
    if (!problem_make(v->problem, &p)) return false;
    cl_int status;
    cl_mem in[2] = {wrap(device, p.in[0], p.in_bytes[0]), wrap(device, p.in[1], p.in_bytes[1])};
    cl_mem out = wrap(device, p.out, p.out_bytes), scratch = NULL;
    if (strchr(v->arguments, 'w')) {
        scratch = clCreateBuffer(device->context, CL_MEM_READ_WRITE, p.in_bytes[0], NULL, &status);
        check(status, "clCreateBuffer");
    }
    cl_kernel kernel = clCreateKernel(device->program, v->kernel, &status);
    check(status, v->kernel);
    set_arguments(kernel, v, &p, in, &out, &scratch);

    double least = 0, all = 0;
    restart(device, &p, out, scratch);
    launch(device, kernel, v); /* compiles */
    const double begin = now_ms();
    for (int i = 0; arguments_again(arguments, i, all, now_ms() - begin); i++) {
        restart(device, &p, out, scratch);
        const double ms = launch(device, kernel, v);
        if (i == 0 || ms < least) least = ms;
        all += ms;
    }
    void *mapped =
        clEnqueueMapBuffer(device->queue, out, CL_TRUE, CL_MAP_READ, 0, p.out_bytes, 0, NULL, NULL, &status);
    check(status, "clEnqueueMapBuffer");
    const bool right = problem_is_right(&p, v->name);
    check(clEnqueueUnmapMemObject(device->queue, out, mapped, 0, NULL, NULL), "clEnqueueUnmapMemObject");
    clFinish(device->queue);
    if (right) printf("time %s %.4f ms\n", v->name, least);
    fflush(stdout);

    clReleaseKernel(kernel);
    cl_mem buffers[] = {in[0], in[1], out, scratch};
    for (int i = 0; i < 4; i++)
        if (buffers[i]) clReleaseMemObject(buffers[i]);
    problem_free(&p);
    return right;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: bench-opencl gallery.cl [--repeat N] [--for MS] [TOPIC...]\n");
        return 2;
    }
    const struct arguments arguments = arguments_read(argc - 1, argv + 1);
    struct device device = open_device(argv[1]);
    bool right = true;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (arguments_want(&arguments, variants[i].topic))
            right &= measure(&device, &variants[i], &arguments);
    clReleaseProgram(device.program);
    clReleaseCommandQueue(device.queue);
    clReleaseContext(device.context);
    return right ? 0 : 1;
}
