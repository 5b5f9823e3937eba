/* Streams, events, callbacks, priorities; copies in two and three dimensions. */
#include <cstdio>
static void CUDART_CB done(cudaStream_t, cudaError_t, void *user) { *(int *)user = 1; }
static void CUDART_CB host(void *user) { *(int *)user = 2; }
__global__ void nothing() {}
int main() {
    cudaStream_t s;
    cudaEvent_t a, b;
    int least, greatest, flag = 0;
    float ms;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest);
    cudaEventCreate(&a), cudaEventCreate(&b, cudaEventBlockingSync);
    cudaEventRecord(a, s);
    nothing<<<1, 1, 0, s>>>();
    cudaEventRecord(b, s), cudaStreamWaitEvent(s, a, 0), cudaStreamWaitEvent(s, b);
    cudaStreamAddCallback(s, done, &flag, 0), cudaLaunchHostFunc(s, host, &flag);
    cudaEventSynchronize(b), cudaEventElapsedTime(&ms, a, b);
    if (cudaEventQuery(b) == cudaErrorNotReady || cudaStreamQuery(s))
        printf("%s\n", cudaGetErrorString(cudaPeekAtLastError()));
    char *p, *pinned;
    size_t pitch, free, total;
    cudaMallocPitch(&p, &pitch, 100, 20), cudaMallocHost(&pinned, 2000),
        cudaHostAlloc(&pinned, 100, cudaHostAllocMapped);
    cudaMemcpy2D(p, pitch, pinned, 100, 100, 20, cudaMemcpyHostToDevice), cudaMemset2D(p, pitch, 0, 100, 20);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(pinned, 100, 100, 20), copy.extent = make_cudaExtent(100, 20, 1),
    copy.kind = cudaMemcpyDefault;
    cudaMemcpy3D(&copy), cudaMemGetInfo(&free, &total), cudaMallocAsync(&p, 100, s), cudaFreeAsync(p, s);
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, p);
    cudaMemLocation where = {cudaMemLocationTypeDevice, 0};
    cudaMemPrefetchAsync(p, 100, where, 0, s);
    return attributes.type == cudaMemoryTypeDevice ? cudaFreeHost(pinned) : cudaDeviceReset();
}
