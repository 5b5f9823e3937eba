// Copies of bytes between arrays, device memory and the host, by the driver's functions and the runtime's older ones.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

static void *entry(const char *name) {
    void *function = nullptr;
    cudaDriverEntryPointQueryResult result;
    cudaGetDriverEntryPoint(name, &function, 0, &result);
    return function;
}
#define CALL(NAME) ((decltype(&NAME))entry(#NAME))

static void say(const char *what, CUresult r) {
    const char *name = "?";
    CALL(cuGetErrorName)(r, &name);
    printf("%s: %s\n", what, name);
}
static void show(const char *what, const unsigned char *p, int n) {
    printf("%s:", what);
    for (int i = 0; i < n; i++) printf(" %d", p[i]);
    printf("\n");
}

int main() {
    cudaFree(nullptr);
    CUDA_ARRAY_DESCRIPTOR line = {16, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1},
                          rows = {8, 4, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    CUDA_ARRAY_DESCRIPTOR wide = {4, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1};
    CUarray a, b, c, d;
    say("create", CALL(cuArrayCreate)(&a, &line));
    say("create", CALL(cuArrayCreate)(&b, &line));
    say("create", CALL(cuArrayCreate)(&c, &rows));
    say("create", CALL(cuArrayCreate)(&d, &wide));
    unsigned char from[64], to[64];
    for (int i = 0; i < 64; i++) from[i] = i + 1;
    CUdeviceptr p;
    CALL(cuMemAlloc)(&p, 64);
    CALL(cuMemcpyHtoD)(p, from, 64);

    say("HtoA", CALL(cuMemcpyHtoA)(a, 0, from, 16));
    say("HtoA at 3", CALL(cuMemcpyHtoA)(a, 3, from + 40, 5));
    memset(to, 0, sizeof to);
    say("AtoH", CALL(cuMemcpyAtoH)(to, a, 0, 16));
    show("a", to, 16);
    say("DtoA", CALL(cuMemcpyDtoA)(b, 8, p + 20, 8));
    say("HtoA", CALL(cuMemcpyHtoA)(b, 0, from, 8));
    say("AtoA", CALL(cuMemcpyAtoA)(a, 10, b, 6, 4));
    say("AtoD", CALL(cuMemcpyAtoD)(p, a, 0, 16));
    CALL(cuMemcpyDtoH)(to, p, 16);
    show("a", to, 16);
    say("HtoA past the end", CALL(cuMemcpyHtoA)(a, 10, from, 7));
    say("HtoA of nothing", CALL(cuMemcpyHtoA)(a, 0, from, 0));
    say("HtoA at the end", CALL(cuMemcpyHtoA)(a, 16, from, 0));
    say("no array", CALL(cuMemcpyHtoA)(nullptr, 0, from, 4));
    say("no memory", CALL(cuMemcpyHtoA)(a, 0, nullptr, 4));
    say("AtoH past the end", CALL(cuMemcpyAtoH)(to, a, 16, 1));

    say("rows", CALL(cuMemcpyHtoA)(c, 0, from, 8));
    say("rows: two", CALL(cuMemcpyHtoA)(c, 0, from, 16));
    say("rows: at 5", CALL(cuMemcpyHtoA)(c, 5, from, 2));
    say("rows: across", CALL(cuMemcpyHtoA)(c, 5, from, 8));
    say("rows: at the second", CALL(cuMemcpyHtoA)(c, 8, from, 4));
    say("words", CALL(cuMemcpyHtoA)(d, 4, from, 8));
    say("words: odd offset", CALL(cuMemcpyHtoA)(d, 2, from, 4));
    say("words: odd size", CALL(cuMemcpyHtoA)(d, 4, from, 6));
    memset(to, 0, sizeof to);
    say("words", CALL(cuMemcpyAtoH)(to, d, 4, 8));
    show("d", to, 8);

    CUstream s;
    CALL(cuStreamCreate)(&s, CU_STREAM_NON_BLOCKING);
    say("HtoAAsync", CALL(cuMemcpyHtoAAsync)(a, 0, from + 30, 16, s));
    memset(to, 0, sizeof to);
    say("AtoHAsync", CALL(cuMemcpyAtoHAsync)(to, a, 4, 12, s));
    say("wait", CALL(cuStreamSynchronize)(s));
    show("a", to, 12);

    cudaArray_t x, y;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&x, &format, 8, 4);
    cudaMallocArray(&y, &format, 8, 4);
    float values[32], back[32] = {};
    for (int i = 0; i < 32; i++) values[i] = i;
    cudaMemcpy2DToArray(x, 0, 0, values, 32, 32, 4, cudaMemcpyHostToDevice);
    cudaMemcpy2DToArray(y, 0, 0, back, 32, 32, 4, cudaMemcpyHostToDevice);
    printf("ArrayToArray: %s\n",
           cudaGetErrorName(cudaMemcpyArrayToArray(y, 0, 0, x, 0, 1, 64, cudaMemcpyDeviceToDevice)));
    printf("ArrayToArray: %s\n",
           cudaGetErrorName(cudaMemcpyArrayToArray(y, 8, 2, x, 4, 0, 12, cudaMemcpyDeviceToDevice)));
    printf("ArrayToArray: %s\n",
           cudaGetErrorName(cudaMemcpyArrayToArray(y, 16, 3, x, 0, 0, 64, cudaMemcpyDeviceToDevice)));
    cudaGetLastError();
    cudaMemcpy2DFromArray(back, 32, y, 0, 0, 32, 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++) printf("%g%c", back[i], i % 8 == 7 ? '\n' : ' ');
}
