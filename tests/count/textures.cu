/* Texture and surface instructions, for textures.sh: of two blocks of two warps each lane samples one texel, every second
 * lane another, and each loads and stores a word of a surface; then it stores a word of its own. */
#include <cstdio>

#define SAMPLE(V, X, Y)                                                                                      \
    asm volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"                                       \
                 : "=f"(V.x), "=f"(V.y), "=f"(V.z), "=f"(V.w)                                                \
                 : "l"(texture), "f"(X), "f"(Y))

__global__ void fetch(cudaTextureObject_t texture, cudaSurfaceObject_t surface, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % 8, word;
    float4 v;
    SAMPLE(v, x + 0.25f, 1.5f);
    if (i % 2) SAMPLE(v, x + 0.25f, 0.5f);
    asm volatile("suld.b.2d.b32.trap {%0}, [%1, {%2, %3}];" : "=r"(word) : "l"(surface), "r"(x * 4), "r"(2));
    asm volatile("sust.b.2d.b32.trap [%0, {%1, %2}], {%3};" ::"l"(surface), "r"(x * 4), "r"(3), "r"(word));
    out[i] = v.x + __int_as_float(word);
}

int main() {
    enum { WIDTH = 8, HEIGHT = 4 };
    cudaChannelFormatDesc texel = cudaCreateChannelDesc<float>();
    cudaResourceDesc from = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaSurfaceObject_t surface;
    float image[WIDTH * HEIGHT], *out;
    for (int i = 0; i < WIDTH * HEIGHT; i++) image[i] = i;
    from.resType = cudaResourceTypeArray;
    how.filterMode = cudaFilterModeLinear;
    cudaMallocArray(&from.res.array.array, &texel, WIDTH, HEIGHT, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(from.res.array.array, 0, 0, image, WIDTH * 4, WIDTH * 4, HEIGHT,
                        cudaMemcpyHostToDevice);
    cudaCreateTextureObject(&texture, &from, &how, nullptr);
    cudaCreateSurfaceObject(&surface, &from);
    cudaMallocManaged(&out, 128 * sizeof(float));
    fetch<<<2, 64>>>(texture, surface, out);
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s %g\n", cudaGetErrorName(e), out[127]);
    return e;
}
