/* What the runtime API answers, call by call: see probe.h.
 * Copies and fills, in each direction between each pair of places.
 */
#include "tests/runtime/conformance.h"

/* Each pair of places and each direction. */
static void *place(int which) {
    void *p = NULL;
    switch (which) {
    case 0: return malloc(64);
    case 1: cudaMalloc(&p, 64); return p;
    case 2: cudaMallocHost(&p, 64); return p;
    case 3: cudaMallocManaged(&p, 64, 1); return p;
    }
    return NULL;
}
static void copies(int kind) {
    static const char *const names[] = {"pageable", "device", "pinned", "managed", "null"};
    for (int to = 0; to < 5; to++)
        for (int from = 0; from < 5; from++) {
            int s = cudaMemcpy(place(to), place(from), 64, (enum cudaMemcpyKind)kind);
            printf("%s: %s <- %s = %d last %d\n", probe_name, names[to], names[from], s,
                   (int)cudaGetLastError());
            fflush(stdout);
        }
}
PROBE(copy_kind0) { copies(0); }
PROBE(copy_kind1) { copies(1); }
PROBE(copy_kind2) { copies(2); }
PROBE(copy_kind3) { copies(3); }
PROBE(copy_kind4) { copies(4); }
PROBE(copy_kind5) { copies(5); }
PROBE(copy) {
    char *p, h[256] = {0};
    cudaMalloc((void **)&p, 100);
    E(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));
    E(cudaMemcpy(p, h, 0, cudaMemcpyHostToDevice));
    E(cudaMemcpy(NULL, h, 0, (enum cudaMemcpyKind)9));
    E(cudaMemcpy(p, h, 100, cudaMemcpyHostToDevice));
    E(cudaMemcpy(p + 1, h, 100, cudaMemcpyHostToDevice));
    E(cudaMemcpy(h, p + 50, 51, cudaMemcpyDeviceToHost));
    E(cudaMemcpy(h, p - 1, 1, cudaMemcpyDeviceToHost));
    LAST();
    E(cudaMemcpyAsync(p, h, 100, cudaMemcpyHostToDevice, cudaStreamPerThread));
    E(cudaMemcpyAsync(p, h, 100, cudaMemcpyHostToDevice, cudaStreamLegacy));
    E(cudaMemcpyPeer(p, 0, h, 0, 16));
    E(cudaMemcpyPeer(p, 0, p + 32, 0, 16));
    E(cudaMemcpyPeer(p, 9, p + 32, 0, 16));
}
PROBE(copy_bad) {
    char *p, h[16];
    cudaMalloc((void **)&p, 16);
    E(cudaMemcpyAsync(p, h, 16, cudaMemcpyHostToDevice, (cudaStream_t)0x7777));
}
PROBE(copy_beyond) {
    char *p, *h = malloc(1 << 24);
    cudaMalloc((void **)&p, 1 << 20);
    E(cudaMemcpy(p, h, (1 << 20) + 1, cudaMemcpyHostToDevice));
    E(cudaMemcpy(p, h, 1 << 24, cudaMemcpyHostToDevice));
    E(cudaMemcpy(h, p, 1 << 24, cudaMemcpyDeviceToHost));
    E(cudaMemset(p, 0, 1 << 24));
    E(cudaMemset(p, 0, (1 << 20) + 1));
    E(cudaMemset(p, 0, (size_t)1 << 50));
    E(cudaDeviceSynchronize());
}
PROBE(copy_2d) {
    char *p, h[4096] = {0};
    size_t pitch;
    cudaMallocPitch((void **)&p, &pitch, 100, 10);
    E(cudaMemcpy2D(p, pitch, h, 100, 100, 10, cudaMemcpyHostToDevice));
    E(cudaMemcpy2D(p, 50, h, 100, 100, 10, cudaMemcpyHostToDevice));
    E(cudaMemcpy2D(p, pitch, h, 99, 100, 10, cudaMemcpyHostToDevice));
    E(cudaMemcpy2D(p, pitch, h, 99, 100, 1, cudaMemcpyHostToDevice));
    LAST();
    E(cudaMemcpy2D(NULL, pitch, h, 100, 100, 10, cudaMemcpyHostToDevice));
    E(cudaMemcpy2D(p, pitch, NULL, 100, 100, 10, cudaMemcpyHostToDevice));
    E(cudaMemcpy2D(p, pitch, h, 100, 0, 10, cudaMemcpyHostToDevice));
    E(cudaMemcpy2D(p, pitch, h, 100, 100, 0, cudaMemcpyHostToDevice));
    E(cudaMemcpy2D(p, pitch, h, 100, 100, 10, (enum cudaMemcpyKind)7));
    E(cudaMemcpy2D(p, (size_t)1 << 40, h, 100, 100, 10, cudaMemcpyHostToDevice));
    E(cudaMemcpy2D(p, pitch, h, 100, 100, 11, cudaMemcpyHostToDevice));
    E(cudaMemcpy2D(p, pitch, h, 100, 100, 100000, cudaMemcpyHostToDevice));
    E(cudaMemset2D(p, pitch, 1, 100, 10));
    E(cudaMemset2D(p, 50, 1, 100, 10));
    E(cudaMemset2D(NULL, pitch, 1, 100, 10));
    E(cudaMemset2D(p, pitch, 1, 0, 10));
    E(cudaMemset2D(p, pitch, 1, 100, 0));
    E(cudaMemset2D(h, 100, 1, 100, 10));
    E(cudaMemset(p, 1, 100));
    E(cudaMemset(NULL, 1, 100));
    E(cudaMemset(NULL, 1, 0));
    E(cudaMemset(h, 1, 100));
    E(cudaMemset(p, 0x1ff, 4));
    E(cudaMemcpy(h, p, 1, cudaMemcpyDeviceToHost));
    V((unsigned char)h[0]);
    LAST();
}
PROBE(copy_3d) {
    struct cudaPitchedPtr d;
    char h[64 * 32 * 4];
    E(cudaMalloc3D(&d, (struct cudaExtent){64, 32, 4}));
    struct cudaMemcpy3DParms c = {
        .srcPtr = {h, 64, 64, 32}, .dstPtr = d, .extent = {64, 32, 4}, .kind = cudaMemcpyHostToDevice};
    E(cudaMemcpy3D(&c));
    E(cudaMemcpy3D(NULL));
    c.kind = 9;
    E(cudaMemcpy3D(&c));
    c.kind = cudaMemcpyHostToDevice;
    c.extent.depth = 0;
    E(cudaMemcpy3D(&c));
    c.extent.depth = 4;
    c.dstPos.x = 8;
    E(cudaMemcpy3D(&c));
    c.extent.width = 56;
    E(cudaMemcpy3D(&c));
    c.dstPtr.ptr = NULL;
    E(cudaMemcpy3D(&c));
    c.dstPtr = d;
    c.srcPtr.pitch = 10;
    E(cudaMemcpy3D(&c));
    c.srcPtr.pitch = 64;
    c.dstPtr.ysize = 0;
    E(cudaMemcpy3D(&c));
    LAST();
    E(cudaMemset3D(d, 0, (struct cudaExtent){64, 32, 4}));
    E(cudaMemset3D(d, 0, (struct cudaExtent){4096, 32, 4}));
    E(cudaMemset3D(d, 0, (struct cudaExtent){0, 32, 4}));
}
