/* memory: pinned, mapped, registered and managed memory; copies of all kinds; what pointers are; wrong ones.
 */
#include "program.h"

__global__ void increase(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i]++;
}
__global__ void fill(int *a, int pitch, int w, int h, int d) {
    for (int i = threadIdx.x; i < w * h * d; i += blockDim.x)
        a[(i / w / h * h + i / w % h) * pitch + i % w] = i;
}

static const char *say(cudaError_t e) { return cudaGetErrorName(e); }
static void what(const char *name, const void *p) {
    static const char *const kinds[] = {"unregistered", "host", "device", "managed"};
    cudaPointerAttributes a;
    cudaError_t e = cudaPointerGetAttributes(&a, p);
    printf("%s: %s, %s, %s, %s\n", name, say(e), kinds[a.type], a.devicePointer ? "on the device" : "-",
           a.hostPointer ? "on the host" : "-");
}

int main() {
    const int n = 1000;
    int *pinned, *mapped, *view, *device, *managed, plain[n], on_stack = 0;
    int *heap = (int *)aligned_alloc(4096, 4096);
    CALL(cudaMallocHost(&pinned, n * sizeof(int)));
    CALL(cudaHostAlloc(&mapped, n * sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable));
    CALL(cudaHostGetDevicePointer(&view, mapped, 0));
    CALL(cudaMalloc(&device, n * sizeof(int)));
    CALL(cudaMallocManaged(&managed, n * sizeof(int)));
    CALL(cudaHostRegister(heap, 4096, cudaHostRegisterDefault));
    what("pinned", pinned);
    what("mapped", mapped);
    what("device", device + 10);
    what("managed", managed + 10);
    what("registered", heap);
    what("stack", &on_stack);
    what("null", nullptr);
    for (int i = 0; i < n; i++) pinned[i] = mapped[i] = managed[i] = plain[i] = heap[i] = i;
    increase<<<8, 128>>>(view, n);
    increase<<<8, 128>>>(pinned, n);
    increase<<<8, 128>>>(managed, n);
    increase<<<8, 128>>>(heap, n);
    CALL(cudaDeviceSynchronize());
    printf("%d %d %d %d\n", mapped[999], pinned[999], managed[999], heap[999]);
    CALL(cudaMemcpy(device, plain, sizeof plain, cudaMemcpyHostToDevice));
    increase<<<8, 128>>>(device, n);
    CALL(cudaMemcpy(plain, device, sizeof plain, cudaMemcpyDefault));
    CALL(cudaMemcpy(managed, device, sizeof plain, cudaMemcpyDeviceToDevice));
    CALL(cudaMemcpy(pinned, plain, sizeof plain, cudaMemcpyHostToHost));
    printf("%d %d %d\n", plain[999], managed[0], pinned[5]);
    CALL(cudaMemPrefetchAsync(managed, n * sizeof(int), cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0));
    CALL(cudaMemset(device, 0xab, 10));
    CALL(cudaMemcpy(plain, device, 16, cudaMemcpyDeviceToHost));
    printf("%x %x %x %x\n", plain[0], plain[1], plain[2], plain[3]);

    printf("to null: %s\n", say(cudaMemcpy(nullptr, plain, 4, cudaMemcpyHostToHost)));
    printf("to null on the device: %s\n", say(cudaMemcpy(nullptr, plain, 4, cudaMemcpyHostToDevice)));
    printf("from null: %s\n", say(cudaMemcpy(device, nullptr, 4, cudaMemcpyHostToDevice)));
    printf("nothing: %s\n", say(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice)));
    printf("direction 9: %s\n", say(cudaMemcpy(device, plain, 4, (cudaMemcpyKind)9)));
    printf("host as device: %s\n", say(cudaMemcpy(plain, heap, 4, cudaMemcpyDeviceToDevice)));
    printf("behind the end: %s\n", say(cudaMemcpy(device, plain, sizeof plain + 1, cudaMemcpyHostToDevice)));
    printf("set null: %s\n", say(cudaMemset(nullptr, 0, 4)));
    printf("set behind the end: %s\n", say(cudaMemset(device, 0, n * sizeof(int) + 4096 * 4096)));
    printf("last %s", say(cudaGetLastError()));
    printf(", then %s\n", say(cudaGetLastError()));
    int *twice = nullptr;
    CALL(cudaMalloc(&twice, 64));
    CALL(cudaFree(twice));
    printf("free twice: %s\n", say(cudaFree(twice)));
    printf("free null: %s\n", say(cudaFree(nullptr)));
    printf("free in the middle: %s\n", say(cudaFree(device + 1)));
    printf("free of the stack: %s\n", say(cudaFree(&on_stack)));
    printf("device as host: %s\n", say(cudaFreeHost(device)));
    printf("host as device: %s\n", say(cudaFree(pinned)));
    printf("too large: %s\n", say(cudaMalloc(&twice, (size_t)1 << 50)));
    printf("of nothing: %s", say(cudaMalloc(&twice, 0)));
    printf(", %s\n", twice ? "a pointer" : "null");
    printf("into null: %s\n", say(cudaMalloc((void **)nullptr, 4)));
    printf("register twice: %s\n", say(cudaHostRegister(heap, 4096, 0)));
    CALL(cudaHostUnregister(heap));
    printf("unregister twice: %s\n", say(cudaHostUnregister(heap)));
    printf("peek %s", say(cudaPeekAtLastError()));
    printf(" %s", say(cudaPeekAtLastError()));
    printf(", last %s", say(cudaGetLastError()));
    printf(" %s\n", say(cudaGetLastError()));

    /* A box of 5 x 4 x 3 copied into another. */
    cudaPitchedPtr box;
    cudaExtent extent = make_cudaExtent(5 * sizeof(int), 4, 3);
    CALL(cudaMalloc3D(&box, extent));
    fill<<<1, 32>>>((int *)box.ptr, box.pitch / sizeof(int), 5, 4, 3);
    int out[3][4][5];
    cudaMemcpy3DParms p = {};
    p.srcPtr = box;
    p.dstPtr = make_cudaPitchedPtr(out, 5 * sizeof(int), 5, 4);
    p.extent = extent;
    p.kind = cudaMemcpyDeviceToHost;
    CALL(cudaMemcpy3D(&p));
    printf("box: %d %d %d\n", out[0][0][1], out[1][2][3], out[2][3][4]);
    size_t pitch;
    int *rows;
    CALL(cudaMallocPitch(&rows, &pitch, 100, 7));
    printf("pitch %zu, box %zu\n", pitch, box.pitch);
    printf("wider than its pitch: %s\n",
           say(cudaMemcpy2D(rows, pitch, out, 5, 8, 2, cudaMemcpyHostToDevice)));
    cudaGetLastError();
    size_t free_bytes, total;
    CALL(cudaMemGetInfo(&free_bytes, &total));
    printf("%s\n", free_bytes <= total ? "memory is left" : "WRONG");
    free(heap);
    return 0;
}

// libcu++ asks for these numbers.
static_assert(cudaMemcpySrcAccessOrderStream == 1 && cudaMemcpySrcAccessOrderDuringApiCall == 2,
              "order of a batch's copies");
static_assert(cudaMemcpySrcAccessOrderInvalid == 0 && cudaMemcpySrcAccessOrderAny == 3,
              "order of a batch's copies");
