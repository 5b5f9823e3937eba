// Nodes of a list that a kernel builds are never freed.
// options: --leaks
// expect: leak line 0
// says: Never freed: 16 bytes of kernel heap memory.
// says: malloc at heap_left.cu:15:
// says: 63 more like it

struct node {
    node *next;
    long long value;
};
__device__ node *first[64];

__global__ void build() {
    node *n = (node *)malloc(sizeof(node));
    if (!n) return;
    n->next = nullptr;
    n->value = threadIdx.x;
    first[threadIdx.x] = n;
}
__global__ void clear() {
    if (first[threadIdx.x]->value < 0) free(first[threadIdx.x]);
}

int main() {
    build<<<1, 64>>>();
    clear<<<1, 64>>>();
    cudaDeviceSynchronize();
}
