// Kernels whose pointers begin in the device's memory and end in the host's: by a loop that loads in each
// turn and wants what it loaded last, which a compiler may load alone, behind the loop; and by a pointer of
// which half is cut off.
#include <cstdint>
#include <cstdio>
#include <sys/mman.h>

// In PTX: clang would move the loads itself.
#define KERNEL(NAME, BODY)                                                                                   \
    __global__ void NAME(const uint32_t *p, uint32_t *out, uint32_t n) {                                     \
        uint32_t x;                                                                                          \
        asm volatile("{\n.reg .pred %%q;\n.reg .b32 %%i;\n.reg .b64 %%a, %%o;\n" BODY "}\n"                  \
                     : "=r"(x)                                                                               \
                     : "l"(p), "r"(n)                                                                        \
                     : "memory");                                                                            \
        *out = x;                                                                                            \
    }
#define TURN "add.s32 %%i, %%i, 1;\nsetp.lt.s32 %%q, %%i, %2;\n@%%q bra L;\n"
#define GIB  "1073741824"

KERNEL(last_of_walk,
       "mov.u32 %%i, 0;\nmov.b64 %%a, %1;\nL:\nld.global.u32 %0, [%%a];\nadd.s64 %%a, %%a, " GIB ";\n" TURN)
KERNEL(changed_in_turn,
       "mov.u32 %%i, 0;\nmov.b64 %%a, %1;\nL:\nld.global.u32 %0, [%%a];\nadd.s32 %0, %0, 1;\n"
       "add.s64 %%a, %%a, " GIB ";\n" TURN "sub.s32 %0, %0, 1;\n")
KERNEL(last_by_index,
       "mov.u32 %%i, 0;\nmov.b64 %%o, 0;\nL:\nadd.s64 %%a, %1, %%o;\nld.global.u32 %0, [%%a];\n"
       "add.s64 %%o, %%o, " GIB ";\n" TURN)
KERNEL(half_signed, "cvt.s32.s64 %%a, %1;\nld.global.u32 %0, [%%a];\n")
KERNEL(half_unsigned, "cvt.u32.u64 %%a, %1;\nld.global.u32 %0, [%%a];\n")

static const uint32_t secret = 0x5ec2e7;

static bool put_secret(uint64_t at) {
    void *page = mmap((void *)(at & ~UINT64_C(4095)), 4096, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (page == MAP_FAILED) return false;
    *(uint32_t *)at = secret;
    return true;
}

static void attack(const char *name, void (*kernel)(const uint32_t *, uint32_t *, uint32_t), bool walks) {
    uint32_t *p, *out, n = 30000,
                       read = 0; // GiB away: the host's, and beyond what is kept free around the device's
    cudaMalloc(&p, 1 << 20);
    cudaMalloc(&out, sizeof *out);
    const uint64_t from = (uint64_t)p;
    while (walks && n < 60000 && !put_secret(from + ((uint64_t)n << 30))) n++;
    if (n == 60000 || (!walks && !put_secret(from & UINT32_MAX))) {
        printf("%s: there is no place for the host's page\n", name);
        return;
    }
    kernel<<<1, 32>>>(p, out, n + 1);
    cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess) cudaMemcpy(&read, out, sizeof read, cudaMemcpyDeviceToHost);
    printf("%s: %s%s\n", name, cudaGetErrorName(status),
           read == secret ? ", and it read the host's memory" : "");
    cudaDeviceReset();
    if (!walks) munmap((void *)(from & UINT32_MAX & ~UINT64_C(4095)), 4096);
}

int main() {
    attack("the last of a walk", last_of_walk, true);
    attack("the last of a walk, changed in each turn", changed_in_turn, true);
    attack("the last of an index's walk", last_by_index, true);
    attack("half of a pointer, signed", half_signed, false);
    attack("half of a pointer, unsigned", half_unsigned, false);
}
