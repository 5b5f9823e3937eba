// Copies in batches, and the memory pools of places: the default ones, the current ones, and others in their place.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

static void say(const char *what, cudaError_t e) {
    printf("%s: %s\n", what, cudaGetErrorName(e));
    cudaGetLastError();
}

static void lines(cudaStream_t s) {
    char *d, *m, in[64], out[64];
    cudaMalloc(&d, 64);
    cudaMallocManaged(&m, 64);
    for (int i = 0; i < 64; i++) in[i] = 'a' + i % 26;
    memset(m, '.', 64);
    memset(out, 0, 64);
    void *to[] = {d, d + 16, m};
    const void *from[] = {in, in + 3, in + 10};
    size_t sizes[] = {16, 8, 5}, first[] = {0}, firsts[] = {0, 2};
    cudaMemcpyAttributes one = {}, two[2] = {};
    one.srcAccessOrder = two[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    two[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
    say("batch", cudaMemcpyBatchAsync(to, from, sizes, 3, &one, first, 1, s));
    say("batch of two kinds", cudaMemcpyBatchAsync(to, from, sizes, 3, two, firsts, 2, s));
    say("default stream", cudaMemcpyBatchAsync(to, from, sizes, 3, &one, first, 1, nullptr));
    say("legacy stream", cudaMemcpyBatchAsync(to, from, sizes, 3, &one, first, 1, cudaStreamLegacy));
    say("nothing", cudaMemcpyBatchAsync(to, from, sizes, 0, &one, first, 1, s));
    say("no attributes", cudaMemcpyBatchAsync(to, from, sizes, 3, nullptr, nullptr, 0, s));
    size_t late[] = {1}, down[] = {0, 0};
    say("first not 0", cudaMemcpyBatchAsync(to, from, sizes, 3, &one, late, 1, s));
    say("not rising", cudaMemcpyBatchAsync(to, from, sizes, 3, two, down, 2, s));
    one.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
    say("no order", cudaMemcpyBatchAsync(to, from, sizes, 3, &one, first, 1, s));
    one.srcAccessOrder = cudaMemcpySrcAccessOrderAny;
    one.flags = cudaMemcpyFlagPreferOverlapWithCompute;
    say("any order", cudaMemcpyBatchAsync(to, from, sizes, 3, &one, first, 1, s));
    one.flags = 8;
    say("unknown flag", cudaMemcpyBatchAsync(to, from, sizes, 3, &one, first, 1, s));
    one.flags = 0;
    size_t none[] = {16, 0, 5};
    say("size 0", cudaMemcpyBatchAsync(to, from, none, 3, &one, first, 1, s));
    void *nowhere[] = {d, nullptr, m};
    say("null", cudaMemcpyBatchAsync(nowhere, from, sizes, 3, &one, first, 1, s));
    say("wait", cudaStreamSynchronize(s));
    void *back[] = {out};
    const void *of[] = {d};
    size_t all[] = {24};
    say("back", cudaMemcpyBatchAsync(back, of, all, 1, &one, first, 1, s));
    say("wait", cudaStreamSynchronize(s));
    printf("%.24s %.8s\n", out, m);
}

static void boxes(cudaStream_t s) {
    cudaArray_t a;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaMallocArray(&a, &format, 8, 4);
    int in[32], out[32] = {};
    for (int i = 0; i < 32; i++) in[i] = i;
    cudaMemcpy3DBatchOp ops[2] = {};
    ops[0].src.type = cudaMemcpyOperandTypePointer;
    ops[0].src.op.ptr.ptr = in;
    ops[0].src.op.ptr.rowLength = 8;
    ops[0].src.op.ptr.layerHeight = 4;
    ops[0].dst.type = cudaMemcpyOperandTypeArray;
    ops[0].dst.op.array.array = a;
    ops[0].extent = make_cudaExtent(8, 4, 1);
    ops[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    say("into an array", cudaMemcpy3DBatchAsync(1, ops, 0, s));
    ops[1].src.type = cudaMemcpyOperandTypeArray;
    ops[1].src.op.array.array = a;
    ops[1].src.op.array.offset.x = 2;
    ops[1].src.op.array.offset.y = 1;
    ops[1].dst.type = cudaMemcpyOperandTypePointer;
    ops[1].dst.op.ptr.ptr = out;
    ops[1].dst.op.ptr.rowLength = 10;
    ops[1].extent = make_cudaExtent(4, 2, 1);
    ops[1].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    say("out of it", cudaMemcpy3DBatchAsync(1, ops + 1, 0, s));
    say("wait", cudaStreamSynchronize(s));
    for (int i = 0; i < 20; i++) printf("%d ", out[i]);
    printf("\n");
    say("flags", cudaMemcpy3DBatchAsync(1, ops + 1, 1, s));
    say("nothing", cudaMemcpy3DBatchAsync(0, ops, 0, s));
    ops[1].extent.depth = 0;
    say("no depth", cudaMemcpy3DBatchAsync(1, ops + 1, 0, s));
}

static void prefetches(cudaStream_t s) {
    char *m[2];
    size_t sizes[] = {1 << 16, 1 << 16}, firsts[] = {0};
    for (char *&p : m) cudaMallocManaged(&p, 1 << 16);
    for (char *p : m) memset(p, 7, 1 << 16);
    cudaMemLocation place = {cudaMemLocationTypeDevice, 0};
    void *at[] = {m[0], m[1]};
    say("prefetch", cudaMemPrefetchBatchAsync(at, sizes, 2, &place, firsts, 1, 0, s));
    say("prefetch, flags", cudaMemPrefetchBatchAsync(at, sizes, 2, &place, firsts, 1, 1, s));
    say("prefetch nothing", cudaMemPrefetchBatchAsync(at, sizes, 0, &place, firsts, 1, 0, s));
    say("discard", cudaMemDiscardBatchAsync(at, sizes, 1, 0, s));
    say("discard and prefetch", cudaMemDiscardAndPrefetchBatchAsync(at, sizes, 1, &place, firsts, 1, 0, s));
    say("wait", cudaStreamSynchronize(s));
    printf("%d\n", m[1][5]);
}

static void pools() {
    cudaMemPool_t of_device, pool, current, mine;
    cudaMemLocation place = {cudaMemLocationTypeDevice, 0}, wrong = {cudaMemLocationTypeDevice, 99};
    cudaDeviceGetDefaultMemPool(&of_device, 0);
    say("default", cudaMemGetDefaultMemPool(&pool, &place, cudaMemAllocationTypePinned));
    printf("the device's: %d\n", pool == of_device);
    say("default, no such device", cudaMemGetDefaultMemPool(&pool, &wrong, cudaMemAllocationTypePinned));
    say("default, no type", cudaMemGetDefaultMemPool(&pool, &place, cudaMemAllocationTypeInvalid));
    say("default, no place", cudaMemGetDefaultMemPool(&pool, nullptr, cudaMemAllocationTypePinned));
    say("current", cudaMemGetMemPool(&current, &place, cudaMemAllocationTypePinned));
    printf("the default: %d\n", current == of_device);
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location = place;
    say("create", cudaMemPoolCreate(&mine, &props));
    say("set", cudaMemSetMemPool(&place, cudaMemAllocationTypePinned, mine));
    say("current", cudaMemGetMemPool(&current, &place, cudaMemAllocationTypePinned));
    printf("mine: %d\n", current == mine);
    cudaDeviceGetMemPool(&current, 0);
    printf("mine: %d\n", current == mine);
    say("set back", cudaDeviceSetMemPool(0, of_device));
}

int main() {
    cudaStream_t s;
    cudaStreamCreate(&s);
    lines(s);
    boxes(s);
    prefetches(s);
    pools();
}
