/* What is said about headers of NVIDIA's libraries: see libraries.h. */
#include "cli/libraries.h"
#include "cli/say.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum kind {
    MACHINE_CODE, /* functions that are machine code of GPUs */
    TEMPLATES,    /* headers that nvcc compiles */
    PACKAGED,     /* headers that clang compiles as they are, and that Debian has */
    PARTLY,       /* headers of which Warpglass has some */
    OWN_PART,     /* of a library that Warpglass has in place of NVIDIA's, with fewer headers */
    CLONED,       /* headers that clang compiles as they are */
    SAMPLES,      /* of NVIDIA's samples */
    HOST,         /* of clang's OpenMP */
};

/* What the name of a header begins with. */
static const struct {
    const char *begin, *library;
    enum kind kind;
} headers[] = {{"cublas", "cuBLAS", OWN_PART},
               {"cusparse", "cuSPARSE", MACHINE_CODE},
               {"cusolver", "cuSOLVER", MACHINE_CODE},
               {"cufft", "cuFFT", MACHINE_CODE},
               {"curand", "cuRAND", MACHINE_CODE},
               {"cudnn", "cuDNN", MACHINE_CODE},
               {"cutensor", "cuTENSOR", MACHINE_CODE},
               {"nccl", "NCCL", MACHINE_CODE},
               {"npp", "NPP", MACHINE_CODE},
               {"nvjpeg", "nvJPEG", MACHINE_CODE},
               {"cupti", "CUPTI", MACHINE_CODE},
               {"nvml", "NVML", MACHINE_CODE},
               {"cufile", "cuFile", MACHINE_CODE},
               {"thrust/", "Thrust", PACKAGED},
               {"cub/", "CUB", PACKAGED},
               {"cutlass/", "CUTLASS", CLONED},
               {"cute/", "CUTLASS", CLONED},
               {"nv/", "libcu++", TEMPLATES},
               {"cuda/", "libcu++", PARTLY},
               {"helper_", "NVIDIA's samples", SAMPLES},
               {"omp.h", "OpenMP", HOST}};

static void say(const char *header, int length, const char *library, enum kind kind) {
    switch (kind) {
    case MACHINE_CODE:
        wg_say("note: %.*s belongs to %s, which Warpglass does not have: it is machine code for NVIDIA's "
               "GPUs. The program needs its own kernel instead",
               length, header, library);
        break;
    case TEMPLATES:
        wg_say("note: %.*s belongs to %s, which Warpglass does not have. If the CUDA toolkit is installed, "
               "--compiler nvcc compiles it",
               length, header, library);
        break;
    case PACKAGED:
        wg_say("note: %.*s belongs to %s: on Debian, apt-get install libcub-dev libthrust-dev; or get "
               "NVIDIA's CCCL and add its folders with -I",
               length, header, library);
        break;
    case PARTLY:
        wg_say("note: %.*s belongs to %s, of which Warpglass has only a part. Get NVIDIA's CCCL and add its "
               "folders with -I, or, if the CUDA toolkit is installed, use --compiler nvcc",
               length, header, library);
        break;
    case OWN_PART:
        wg_say("note: %.*s belongs to %s, of which Warpglass has cublas_v2.h, cublas.h, cublas_api.h and "
               "cublasLt.h",
               length, header, library);
        break;
    case CLONED:
        wg_say("note: %.*s belongs to %s: add the folders include and tools/util/include of a clone with -I "
               "(kernels for Hopper need -arch=sm_90a)",
               length, header, library);
        break;
    case HOST:
        wg_say("note: %.*s belongs to %s: on Debian, apt-get install libomp-19-dev, and compile with "
               "-Xcompiler -fopenmp",
               length, header, library);
        break;
    case SAMPLES:
        wg_say("note: %.*s belongs to %s: add the folder it is in with -I", length, header, library);
        break;
    }
}

/* A library's own headers: cublas_v2.h, cusolverDn.h; a user's would be cublas_wrapper.h. */
static bool is_own_name(const char *rest, size_t length) {
    static const char *const ends[] = {".h", "_v2.h", "_api.h", "_kernel.h", "Lt.h", "Xt.h", "Dn.h", "Sp.h"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strlen(ends[i]) == length && !strncmp(rest, ends[i], length)) return true;
    return false;
}

/* The header `name` of `length` characters, perhaps with folders before it. `found`: it exists. */
static bool explain(const char *name, size_t length, bool found) {
    const char *end = name + length;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        size_t n = strlen(headers[i].begin);
        for (const char *at = name; at + n <= end; at++) {
            if ((at != name && at[-1] != '/') || strncmp(at, headers[i].begin, n) != 0) continue;
            if (headers[i].kind == PARTLY && memchr(at, '.', (size_t)(end - at)))
                continue; /* a user's folder */
            if (found && (headers[i].kind != MACHINE_CODE || !is_own_name(at + n, (size_t)(end - at) - n)))
                continue;
            say(at, (int)(end - at), headers[i].library, headers[i].kind);
            return true;
        }
    }
    return false;
}

/* ---- What is said about the libraries themselves ---- */

/* What the name of a library begins with, behind "lib". */
static const struct {
    const char *begin, *library;
} machine_code[] = {{"cusparseLt", "cuSPARSELt"}, {"cusparse", "cuSPARSE"}, {"cusolver", "cuSOLVER"},
                    {"cufft", "cuFFT"},           {"curand", "cuRAND"},     {"cudnn", "cuDNN"},
                    {"cutensor", "cuTENSOR"},     {"nccl", "NCCL"},         {"npp", "NPP"},
                    {"nvjpeg", "nvJPEG"},         {"cupti", "CUPTI"},       {"nvidia-ml", "NVML"},
                    {"cufile", "cuFile"}};

static const char *library_of(const char *name) {
    for (size_t i = 0; i < sizeof machine_code / sizeof *machine_code; i++)
        if (!strncmp(name, machine_code[i].begin, strlen(machine_code[i].begin)))
            return machine_code[i].library;
    return NULL;
}

void wg_libraries_needed(void *program, const char *library) {
    const char *name = strncmp(library, "lib", 3) ? NULL : library_of(library + 3);
    if (name)
        wg_say("note: %s needs %s, which is %s: Warpglass does not have it, and NVIDIA's own runs on "
               "NVIDIA's GPUs alone",
               (const char *)program, library, name);
}

void wg_libraries_linked(const struct wg_args *words, const char *messages) {
    if (strstr(messages, "-lomp"))
        wg_say("note: -fopenmp needs clang's OpenMP library: on Debian, apt-get install libomp-19-dev");
    for (size_t i = 0; i < words->n; i++) {
        const char *name = strncmp(words->v[i], "-l", 2) ? NULL : library_of(words->v[i] + 2);
        if (name)
            wg_say("note: %s is %s, which Warpglass does not have: NVIDIA's own runs only on NVIDIA's GPUs",
                   words->v[i], name);
    }
}

/* Launches in device code that are not spelled as clang takes them (respell.h), and what else names a kernel there. */
static const char *of_launch_by_kernel(const char *messages) {
    const char *at = strstr(messages, "reference to __global__ function '");
    size_t line = at ? strcspn(at, "\n") : 0;
    const char *from = at ? memmem(at, line, "' in __", 7) : NULL;
    if (strstr(messages, "no matching function for call to 'cudaDeviceSynchronize'") ||
        strstr(messages, "reference to __host__ function 'cudaDeviceSynchronize' in __"))
        return "a kernel cannot wait for kernels that it launched, since CUDA 12: what is to come after them "
               "is "
               "a kernel that it launches into cudaStreamTailLaunch";
    if (strstr(messages, "__wg_child<") || strstr(messages, "__wg_twin_"))
        return "device code launches kernels by their names: not through pointers, and where arguments of a "
               "template are deduced, or several kernels have the name, without default arguments";
    if ((from && memmem(from, line - (size_t)(from - at), "__ function", 11)) ||
        strstr(messages, "reference to __host__ function '__cudaPushCallConfiguration' in __"))
        return "device code can launch kernels by their names alone, not through pointers to them";
    return NULL;
}

void wg_libraries_explain(const char *messages) {
    const char *what = of_launch_by_kernel(messages);
    if (what) {
        wg_say("note: %s", what);
        return;
    }
    static const char missing[] = "fatal error: '", from[] = "In file included from ";
    const char *at = strstr(messages, missing);
    if (at) {
        at += sizeof missing - 1;
        explain(at, strcspn(at, "'"), false);
        return;
    }
    /* Found, but not to be compiled with these headers: the first of a chain that leads to an error, or where
     * it is. */
    for (at = messages; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        bool includes = !strncmp(at, from, sizeof from - 1),
             fails = memmem(at, strcspn(at, "\n"), ": error: ", 9);
        const char *name = includes ? at + sizeof from - 1 : at;
        if ((includes || fails) && explain(name, strcspn(name, ":\n"), true)) return;
    }
}
