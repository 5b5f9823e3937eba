/* wrong_result.cu: proves that the gallery's check can fail. The kernel writes two of 100 values that are
   not what plain C expects; the program must say which, and end with status 1. */
#include "../../kernels/gallery.h"

__global__ void number(int *values, int n) {
    const int i = threadIdx.x;
    if (i < n) values[i] = i == 7 || i == 99 ? i + 1 : i;
}

int main(int argc, char **argv) {
    int n = 100;
    const gallery::Size sizes[] = {{"N", "number of values", &n, 100, 128}};
    gallery::Program program(argc, argv, "wrong_result", "Gives a wrong result.", sizes);
    int *expected = gallery::host_array<int>(n), *result = gallery::host_array<int>(n), *device;
    for (int i = 0; i < n; i++) expected[i] = i;
    CHECK(cudaMalloc(&device, n * sizeof(int)));
    if (program.wants("number")) {
        program.time("number", [&] { number<<<1, 128>>>(device, n); });
        CHECK(cudaMemcpy(result, device, n * sizeof(int), cudaMemcpyDeviceToHost));
        program.compare(result, expected, n);
        program.verdict();
    }
    CHECK(cudaFree(device));
    free(expected);
    free(result);
    return program.finish();
}
