// A thread waits for a lock with delays that double, and notes how long it has waited.

__device__ int lock, sum;
__device__ long long spent[2];

__global__ void add(int gives_back) {
    if (blockIdx.x == 0 && atomicCAS(&lock, 0, 1) == 0) {
        __threadfence();
        sum++;
        __threadfence();
        if (gives_back) atomicExch(&lock, 0);
        return;
    }
    long long begun = clock64(), ended = begun;
    for (unsigned delay = 8, tries = 0; atomicCAS(&lock, 0, 1) != 0; tries++) {
        __nanosleep(delay);
        if (delay < 1000) delay *= 2;
        if (tries & 1) __nanosleep(delay + tries);
        ended = clock64();
    }
    spent[blockIdx.x] = ended - begun;
    __threadfence();
    sum++;
    __threadfence();
    atomicExch(&lock, 0);
}

int main() {
    add<<<2, 1>>>(1);
    cudaDeviceSynchronize();
}
