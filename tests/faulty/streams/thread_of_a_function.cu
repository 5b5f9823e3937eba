// The host reads what a copy brings without waiting; a function of the stream has a thread of its own read it, which is behind it.
// expect: race-host line 30 other 29
// options: -Xcompiler -pthread
#include <cstdio>
#include <pthread.h>

static int *host;
static volatile int done;

static void *look(void *) {
    int sum = 0;
    for (int i = 0; i < 64; i++) sum += host[i];
    printf("%d\n", sum);
    done = 1;
    return 0;
}
static void begin(void *thread) { pthread_create((pthread_t *)thread, 0, look, 0); }

__global__ void count(int *p) { p[threadIdx.x] = threadIdx.x; }

int main() {
    int *p;
    pthread_t thread;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMalloc(&p, 256);
    cudaMallocHost(&host, 256);
    count<<<1, 64, 0, s>>>(p);
    cudaMemcpyAsync(host, p, 256, cudaMemcpyDeviceToHost, s);
    if (host[5] < 0) return 1;
    cudaLaunchHostFunc(s, begin, &thread);
    cudaStreamSynchronize(s);
    pthread_join(thread, 0);
    cudaFree(p);
    cudaFreeHost(host);
    return !done;
}
