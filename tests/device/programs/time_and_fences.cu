/* Clocks, sleeping, fences and the barriers that count. */
// PTX: %clock64
// PTX: nanosleep
// PTX: membar\.gl|fence
// PTX: bar\.red\.popc
// PTX: barrier\.sync|bar\.sync
__global__ void wait(long long *t, volatile int *flag, int *n) {
    long long start = clock64();
    while (clock64() - start < 1000 && !*flag) __nanosleep(100);
    t[threadIdx.x] = clock64() - start + clock();
    __threadfence(), __threadfence_block(), __threadfence_system();
    n[0] = __syncthreads_count(*flag) + __syncthreads_and(*flag) + __syncthreads_or(*flag);
    __barrier_sync(1);
    __barrier_sync_count(2, 64);
}
int main() { wait<<<1, 64>>>(0, 0, 0); }
