// A variable gets its value in one of two cases, and goes to the host in both.
// expect: uninitialised-copy line 21
// says: 64 of the 128 bytes copied are undefined, the first of them at byte 64. A kernel wrote an undefined value there, at never_given_a_value.cu:
#include <cstdio>

__global__ void some(const int *in, int *out) {
    int v;
    if (threadIdx.x < 16) asm volatile("mov.u32 %0, %1;" : "=r"(v) : "r"(in[threadIdx.x]));
    asm volatile("{ .reg .u32 none; .reg .pred p; setp.lt.u32 p, %2, 16; @p mov.u32 none, %1; st.global.u32 "
                 "[%0], none; }" ::"l"(out + threadIdx.x),
                 "r"(v), "r"(threadIdx.x)
                 : "memory");
}

int main() {
    int *in, *out, result[32];
    cudaMalloc(&in, sizeof result);
    cudaMalloc(&out, sizeof result);
    cudaMemset(in, 1, sizeof result);
    some<<<1, 32>>>(in, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result[31]);
    cudaFree(in);
    cudaFree(out);
}
