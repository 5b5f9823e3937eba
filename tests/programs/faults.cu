/* faults: kernels that fail, each in a process of its own: the code, that it stays, and what calls after it
 * answer. */
#include "program.h"
#include <cassert>
#include <sys/wait.h>
#include <unistd.h>

__global__ void nothing() {}
__global__ void store(int *p) { p[threadIdx.x] = 1; }
__global__ void store_wide(char *p) { *(volatile double *)(p + 4) = 1; }
__global__ void trap() { __trap(); }
__global__ void asserted(int v) { assert(v == 2); }
__global__ void shared_behind(int n) {
    __shared__ volatile int t[8];
    t[n] = 1;
}
__global__ void atomic_null(int *p) { atomicAdd(p, 1); }
__global__ void read_wild(int *p, int *out) { *out = *p; }
__global__ void misaligned_atomic(char *p) { atomicAdd((int *)(p + 2), 1); }

/* The pointers are long used up where the addresses are. */
__global__ void sums(const float *in, float *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += in[k * 32 + i];
    out[i] = sum;
}

static const char *say(cudaError_t e) { return cudaGetErrorName(e); }

static void after(const char *name) {
    int *p = nullptr, device = -1;
    size_t free_bytes, total;
    cudaStream_t s = nullptr;
    cudaDeviceProp properties;
    printf("%s: launched %s", name, say(cudaPeekAtLastError()));
    printf(", waited %s", say(cudaDeviceSynchronize()));
    printf(", last %s", say(cudaGetLastError()));
    printf(", then %s\n", say(cudaGetLastError()));
    printf("    malloc %s", say(cudaMalloc(&p, 4)));
    printf(", free of null %s", say(cudaFree(nullptr)));
    printf(", stream %s", say(cudaStreamCreate(&s)));
    nothing<<<1, 1>>>();
    printf(", launch %s\n", say(cudaGetLastError()));
    printf("    synchronize %s", say(cudaDeviceSynchronize()));
    printf(", memory %s", say(cudaMemGetInfo(&free_bytes, &total)));
    printf(", device %s", say(cudaGetDevice(&device)));
    printf(" %d", device);
    printf(", properties %s", say(cudaGetDeviceProperties(&properties, 0)));
    printf(", copy %s\n", say(cudaMemcpy(&device, &total, 4, cudaMemcpyHostToHost)));
}

template <typename F> static void in_child(const char *name, F launch) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        launch();
        after(name);
        fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status) printf("%s: the process ended with %x\n", name, status);
}

int main() {
    fclose(
        stderr); /* messages are for people, and a failed assertion names the file as the compiler saw it */
    in_child("null", [] { store<<<1, 32>>>(nullptr); });
    in_child("wild", [] { store<<<1, 32>>>((int *)0x123456789000); });
    in_child("host memory", [] { store<<<1, 32>>>((int *)malloc(4096)); });
    in_child("wild read", [] {
        int *p;
        cudaMalloc(&p, 4);
        read_wild<<<1, 1>>>((int *)0x7ff000000000, p);
    });
    in_child("misaligned", [] {
        char *p;
        cudaMalloc(&p, 64);
        store_wide<<<1, 1>>>(p);
    });
    in_child("misaligned atomic", [] {
        char *p;
        cudaMalloc(&p, 64);
        misaligned_atomic<<<1, 1>>>(p);
    });
    for (int where = 0; where < 2; where++)
        in_child(where ? "misaligned behind a loop" : "misaligned in a loop", [where] {
            char *p;
            cudaMalloc(&p, 8192);
            sums<<<1, 32>>>((float *)(p + 2 * !where), (float *)(p + 4096 + 2 * where), 20);
        });
    in_child("trap", [] { trap<<<1, 1>>>(); });
    in_child("assert", [] { asserted<<<1, 1>>>(1); });
    in_child("assert that holds", [] { asserted<<<1, 1>>>(2); });
    in_child("far behind shared memory", [] { shared_behind<<<1, 1>>>(1 << 20); });
    in_child("atomic on null", [] { atomic_null<<<1, 1>>>(nullptr); });
    in_child("copy tells", [] {
        int *p, h;
        cudaMalloc(&p, 4);
        store<<<1, 32>>>(nullptr);
        printf("copy: %s\n", say(cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost)));
    });
    in_child("reset", [] {
        store<<<1, 32>>>(nullptr);
        cudaDeviceSynchronize();
        printf("reset: %s\n", say(cudaDeviceReset()));
    });
    return 0;
}
