// A variable and an element of an array get their values in one of two cases, and are used in both: to an optimiser the
// value of the one case is as good as any in the other. The copies are in branches, of which it would make one, too.
// expect: uninitialised-branch line 12
// says: The value is that of a variable that was never set.
// expect: uninitialised-copy line 35
// expect: uninitialised-copy line 38
#include <cstdio>

__global__ void decide(int *out, int n) {
    int x;
    if (n > 5) x = 3;
    if (x == 3) out[0] = 1;
}

__global__ void write(int *out, int n) {
    int a[8];
    for (int i = n; i < 8; i++) a[i] = i;
    out[threadIdx.x] = a[3];
}

__global__ void write_one(int *out, int n) {
    float2 f;
    if (n < 4) f = {1, 2};
    out[threadIdx.x] = f.y;
}

int main(int argc, char **) {
    int *out, result[64];
    cudaMalloc(&out, sizeof result);
    cudaMemset(out, 0, sizeof result);
    decide<<<1, 1>>>(out, argc + 2);
    for (int i = 0; i < 2; i++) {
        if (i == 0) {
            write<<<1, 32>>>(out, argc + 4);
            cudaMemcpy(result, out, 128, cudaMemcpyDeviceToHost);
        } else {
            write_one<<<1, 64>>>(out, argc + 5);
            cudaMemcpy(result, out, 256, cudaMemcpyDeviceToHost);
        }
    }
    printf("%d\n", result[0]);
    cudaFree(out);
}
