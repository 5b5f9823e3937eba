/* malloc and free, new and delete, memcpy and memset in a kernel; classes with constructors. */
// PTX: malloc
// PTX: free
#include <cstring>
#include <new>
struct Node {
    Node *next;
    int value;
    __host__ __device__ explicit Node(int v) : next(nullptr), value(v) {}
    __device__ virtual int weight() const { return value; }
    __device__ virtual ~Node() {}
};
struct Heavy : Node {
    __device__ explicit Heavy(int v) : Node(v) {}
    __device__ int weight() const override { return 10 * value; }
};
__global__ void build(int *out) {
    Node *list = nullptr;
    for (int i = 0; i < 4; i++) {
        Node *n = i % 2 ? new Heavy(i) : new Node(i);
        n->next = list, list = n;
    }
    int *scratch = (int *)malloc(64);
    if (!scratch) return;
    memset(scratch, 0, 64);
    memcpy(out, scratch, 16);
    for (Node *n = list; n;) {
        Node *next = n->next;
        out[0] += n->weight();
        delete n;
        n = next;
    }
    free(scratch);
    alignas(8) char room[sizeof(Node)];
    Node *placed = new (room) Node(3);
    double *many = new double[4];
    out[1] = placed->value + (int)many[0];
    delete[] many;
}
int main() {
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
    build<<<1, 1>>>(0);
}
