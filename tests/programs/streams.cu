/* streams: work in one stream is in order, events order streams, callbacks run when it is their turn. */
#include "program.h"

__global__ void add(int *a, int n, int v) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] += v;
}
__global__ void twice(int *a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] *= 2;
}
__global__ void slowly(int *a, int v) {
    for (int k = 0; k < 100; k++) __nanosleep(20000);
    *a = v;
}
__global__ void wait_for(volatile int *flag) { while (!*flag); }

static void append(void *text) {
    static char all[64];
    strcat(all, (const char *)text);
    printf("callback %s: %s\n", (const char *)text, all);
}
static void old_style(cudaStream_t, cudaError_t status, void *text) {
    printf("old callback: %s, %s\n", cudaGetErrorName(status), (char *)text);
}

static const char *say(cudaError_t e) { return cudaGetErrorName(e); }

int main() {
    const int n = 10000;
    int *host, *device, *flag;
    CALL(cudaMallocHost(&host, n * sizeof(int)));
    CALL(cudaMalloc(&device, n * sizeof(int)));
    CALL(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped));
    for (int i = 0; i < n; i++) host[i] = i;
    cudaStream_t a, b;
    cudaEvent_t start, middle, end;
    CALL(cudaStreamCreate(&a));
    CALL(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CALL(cudaEventCreate(&start));
    CALL(cudaEventCreateWithFlags(&middle, cudaEventDisableTiming));
    CALL(cudaEventCreate(&end));

    CALL(cudaEventRecord(start, a));
    CALL(cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, a));
    add<<<10, 128, 0, a>>>(device, n, 3);
    twice<<<10, 128, 0, a>>>(device, n);
    CALL(cudaEventRecord(middle, a));
    CALL(cudaStreamWaitEvent(b, middle, 0));
    add<<<10, 128, 0, b>>>(device, n, 1);
    CALL(cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, b));
    CALL(cudaEventRecord(end, b));
    CALL(cudaEventSynchronize(end));
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += host[i] != (i + 3) * 2 + 1;
    printf("%d wrong\n", wrong);

    float ms = -1;
    CALL(cudaEventElapsedTime(&ms, start, end));
    printf("%s\n", ms >= 0 && ms < 1e5 ? "a time" : "no time");
    printf("without timing: %s\n", say(cudaEventElapsedTime(&ms, start, middle)));
    cudaEvent_t never;
    CALL(cudaEventCreate(&never));
    printf("never recorded: query %s, elapsed %s\n", say(cudaEventQuery(never)),
           say(cudaEventElapsedTime(&ms, start, never)));
    printf("last %s\n", say(cudaGetLastError()));

    /* A kernel that waits for the host; meanwhile the stream is not ready. */
    *flag = 0;
    wait_for<<<1, 1, 0, b>>>(flag);
    CALL(cudaEventRecord(end, b));
    printf("waiting: stream %s", say(cudaStreamQuery(b)));
    printf(", event %s", say(cudaEventQuery(end)));
    printf(", elapsed %s\n", say(cudaEventElapsedTime(&ms, start, end)));
    add<<<1, 32, 0, a>>>(device, 1, 1);
    CALL(cudaStreamSynchronize(a));
    printf("another stream goes on, last %s\n", say(cudaGetLastError()));
    *(volatile int *)flag = 1;
    CALL(cudaStreamSynchronize(b));
    printf("stream %s", say(cudaStreamQuery(b)));
    printf(", event %s\n", say(cudaEventQuery(end)));

    /* The default stream waits for a, and a for it; not b. */
    int *value, seen = 0;
    CALL(cudaMalloc(&value, sizeof(int)));
    slowly<<<1, 1, 0, a>>>(value, 7);
    CALL(cudaMemcpy(&seen, value, sizeof seen, cudaMemcpyDeviceToHost));
    printf("default stream sees %d\n", seen);
    slowly<<<1, 1>>>(value, 8);
    CALL(cudaMemcpyAsync(&seen, value, sizeof seen, cudaMemcpyDeviceToHost, a));
    CALL(cudaStreamSynchronize(a));
    printf("then %d\n", seen);

    CALL(cudaLaunchHostFunc(a, append, (void *)"x"));
    CALL(cudaLaunchHostFunc(a, append, (void *)"y"));
    CALL(cudaStreamAddCallback(a, old_style, (void *)"z", 0));
    CALL(cudaStreamSynchronize(a));

    int *pool;
    CALL(cudaMallocAsync(&pool, 400, a));
    CALL(cudaMemsetAsync(pool, 1, 400, a));
    add<<<1, 100, 0, a>>>(pool, 100, 1);
    CALL(cudaMemcpyAsync(host, pool, 400, cudaMemcpyDeviceToHost, a));
    CALL(cudaFreeAsync(pool, a));
    CALL(cudaStreamSynchronize(a));
    printf("from the pool: %x\n", host[99]);
    int low, high, priority;
    unsigned flags;
    CALL(cudaDeviceGetStreamPriorityRange(&low, &high));
    CALL(cudaStreamGetPriority(a, &priority));
    CALL(cudaStreamGetFlags(b, &flags));
    printf("priorities %d to %d, %d, flags %u\n", low, high, priority, flags);
    CALL(cudaStreamDestroy(a));
    CALL(cudaStreamDestroy(b));
    CALL(cudaEventDestroy(start));
    printf("null event: %s\n", say(cudaEventDestroy(0)));
    CALL(cudaFreeHost(host));
    CALL(cudaFreeHost(flag));
    CALL(cudaFree(device));
    return 0;
}
