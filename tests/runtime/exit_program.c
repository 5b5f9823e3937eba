/* A program that ends without having waited for its kernel: see exit.sh.
 *
 *     exit_program store | fault | spin
 */
#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char program[] =
    ".version 8.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry store(.param .u64 p) { .reg .b64 %rd<2>; ld.param.u64 %rd1, [p]; st.u32 [%rd1], 7; ret; "
    "}\n"
    ".visible .entry spin(.param .u64 p) { .reg .b32 %r<2>; .reg .b64 %rd<2>; .reg .pred %p;\n"
    "  ld.param.u64 %rd1, [p];\n"
    "L: ld.volatile.u32 %r1, [%rd1]; setp.eq.u32 %p, %r1, 0; @%p bra L; ret; }\n";
static const struct {
    uint32_t magic, version;
    const void *data, *linked;
} wrapper = {0x466243b1, 1, program, NULL};
static char store, spin;

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    void *p = NULL, *args[] = {&p};
    dim3 one = {1, 1, 1};
    void **m = __cudaRegisterFatBinary((void *)&wrapper);
    __cudaRegisterFunction(m, &store, "store", "store", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(m, &spin, "spin", "spin", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(m);
    if (cudaMalloc(&p, 4) || cudaMemset(p, 0, 4)) return 2;
    if (!strcmp(how, "fault")) p = (void *)16;
    if (cudaLaunchKernel(!strcmp(how, "spin") ? &spin : &store, one, one, args, 0, NULL)) return 3;
    puts("end of main");
    return 0;
}
