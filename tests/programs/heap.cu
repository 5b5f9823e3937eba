/* heap: malloc, free, new and delete of kernels; memory that one kernel makes and another uses and frees. */
#include "program.h"

struct Node {
    int value;
    Node *next;
    __device__ Node(int v, Node *n) : value(v), next(n) {}
};

__global__ void build(Node **heads, int length) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Node *head = nullptr;
    for (int k = 0; k < length + i % 3; k++) head = new Node(i * 100 + k, head);
    heads[i] = head;
}

__global__ void total(Node **heads, long long *sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long s = 0;
    for (Node *n = heads[i]; n;) {
        Node *next = n->next;
        s += n->value;
        delete n;
        n = next;
    }
    sums[i] = s;
}

/* One thread allocates for its block. */
__global__ void block_buffer(int *out, int n) {
    __shared__ int *buffer;
    if (threadIdx.x == 0) buffer = (int *)malloc(n * sizeof(int));
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) buffer[i] = i ^ blockIdx.x;
    __syncthreads();
    int s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += buffer[n - 1 - i];
    atomicAdd(&out[blockIdx.x], s);
    __syncthreads();
    if (threadIdx.x == 0) free(buffer);
}

__global__ void limits(int *out) {
    void *huge = malloc((size_t)1 << 40); /* only asked about, and still not taken for granted */
    out[0] = huge == nullptr;
    free(nullptr);
    char *q = (char *)malloc(3);
    out[1] = ((size_t)q & 15) == 0;
    q[2] = 7;
    out[2] = q[2];
    free(q);
    double *d = new double[100];
    for (int i = 0; i < 100; i++) d[i] = i;
    double s = 0;
    for (int i = 0; i < 100; i++) s += d[99 - i];
    out[3] = (int)s;
    delete[] d;
}

int main() {
    size_t size = 0;
    CALL(cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize));
    printf("heap of %zu MB\n", size >> 20);
    CALL(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
    Array<Node *> heads(256);
    Array<long long> sums(256);
    Array<int> out(8), seen(4);
    for (int round = 0; round < 3; round++) {
        build<<<4, 64>>>(heads, 20);
        total<<<4, 64>>>(heads, sums);
    }
    show("lists", sums);
    block_buffer<<<8, 64>>>(out, 1000);
    show("buffers", out, 8);
    limits<<<1, 1>>>(seen);
    show("limits", seen);
    return 0;
}
