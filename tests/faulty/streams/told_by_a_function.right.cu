// A function of the stream tells the main thread that a copy is over, which waits for it by a lock.
// options: -Xcompiler -pthread
#include <cstdio>
#include <pthread.h>

static int *host;
static bool done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;

static void tell(void *) {
    pthread_mutex_lock(&lock);
    done = true;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
}

__global__ void count(int *p) { p[threadIdx.x] = threadIdx.x; }

int main() {
    int *p, sum = 0;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMalloc(&p, 256);
    cudaMallocHost(&host, 256);
    count<<<1, 64, 0, s>>>(p);
    cudaMemcpyAsync(host, p, 128, cudaMemcpyDeviceToHost, s);
    cudaLaunchHostFunc(s, tell, 0);
    pthread_mutex_lock(&lock);
    while (!done) pthread_cond_wait(&ended, &lock);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 32; i++) sum += host[i];
    cudaMemcpyAsync(host + 32, p + 32, 128, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    for (int i = 32; i < 64; i++) sum += host[i];
    printf("%d\n", sum);
    cudaFree(p);
    cudaFreeHost(host);
    return 0;
}
