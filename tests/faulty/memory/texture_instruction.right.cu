// The memory is freed after its texture.
#include <cstdio>

__global__ void fetch(cudaTextureObject_t t, int *out) {
    int4 v;
    asm volatile("tex.1d.v4.s32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(t), "r"(threadIdx.x));
    out[threadIdx.x] = v.x;
}

int main() {
    int host[64], *x, *out;
    for (int i = 0; i < 64; i++) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = x;
    r.res.linear.desc = cudaCreateChannelDesc<int>();
    r.res.linear.sizeInBytes = sizeof host;
    cudaTextureDesc d = {};
    d.readMode = cudaReadModeElementType;
    cudaTextureObject_t t;
    cudaCreateTextureObject(&t, &r, &d, nullptr);
    fetch<<<1, 64>>>(t, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[62]);
    cudaDestroyTextureObject(t);
    cudaFree(x);
    cudaFree(out);
    return 0;
}
