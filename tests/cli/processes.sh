#!/bin/bash
# Memory and events of several processes: cudaIpc..., between a program and itself, executed again. What each call answers
# when it cannot work; what a process leaves behind that ends; what check finds in opened memory.
. "$(dirname "$0")/expect.sh"

cat > processes.h << 'END'
#include <cstdio>
#include <cstdlib>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#define GIVES(CALL, CODE)                                                                                    \
    do {                                                                                                     \
        cudaError_t e_ = (CALL);                                                                             \
        cudaGetLastError();                                                                                  \
        if (e_ == (CODE)) break;                                                                             \
        printf("line %d: %s: %s\n", __LINE__, #CALL, cudaGetErrorName(e_));                                  \
        exit(1);                                                                                             \
    } while (0)
#define MUST(CALL) GIVES(CALL, cudaSuccess)

struct message {
    cudaIpcMemHandle_t memory;
    cudaIpcEventHandle_t there, back;
    int pid;
};

__global__ void add(int *x, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += by;
}

/* The other process: what is written to `out` it reads from `in`. */
static int in, out;
static pid_t other;
static void put(const void *p, size_t n) {
    if (write(out, p, n) != (ssize_t)n) exit(2);
}
static void get(void *p, size_t n) {
    for (size_t at = 0; at < n;) {
        ssize_t k = read(in, (char *)p + at, n - at);
        if (k <= 0) exit(3);
        at += k;
    }
}
static void tell() { put("", 1); }
static void hear() {
    char c;
    get(&c, 1);
}
/* Whether this is the child. */
static bool begin(int argc, char **argv) {
    int to[2], from[2];
    if (argc == 3) {
        in = atoi(argv[1]), out = atoi(argv[2]);
        return true;
    }
    if (pipe(to) || pipe(from)) exit(4);
    other = fork();
    if (!other) {
        char a[16], b[16];
        snprintf(a, sizeof a, "%d", to[0]);
        snprintf(b, sizeof b, "%d", from[1]);
        close(to[1]), close(from[0]);
        execl("/proc/self/exe", argv[0], a, b, (char *)NULL);
        _exit(5);
    }
    close(to[0]), close(from[1]);
    in = from[0], out = to[1];
    return false;
}
static int end() {
    int status;
    waitpid(other, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
}
const int OPEN = cudaIpcMemLazyEnablePeerAccess, SHARED = cudaEventInterprocess | cudaEventDisableTiming;
END

# ---- Both work on the same memory, in turns that events make ----

cat > turns.cu << 'END'
#include "processes.h"
enum { N = 1 << 15, ROUNDS = 20 };

static int child() {
    message m;
    int *x, *again;
    cudaEvent_t there, back;
    cudaStream_t s;
    get(&m, sizeof m);
    MUST(cudaIpcOpenMemHandle((void **)&x, m.memory, OPEN));
    MUST(cudaIpcOpenMemHandle((void **)&again, m.memory, OPEN));
    if (x != again) printf("opened twice: %p and %p\n", (void *)x, (void *)again);
    MUST(cudaIpcCloseMemHandle(again));
    MUST(cudaIpcOpenEventHandle(&there, m.there));
    MUST(cudaIpcOpenEventHandle(&back, m.back));
    MUST(cudaStreamCreate(&s));
    for (int i = 0; i < ROUNDS; i++) {
        hear();
        MUST(cudaStreamWaitEvent(s, there, 0));
        add<<<N / 256, 256, 0, s>>>(x, N, 1000);
        MUST(cudaEventRecord(back, s));
        tell();
    }
    MUST(cudaStreamSynchronize(s));
    MUST(cudaEventDestroy(there));
    MUST(cudaEventDestroy(back));
    MUST(cudaIpcCloseMemHandle(x));
    hear(); /* the parent has freed it */
    GIVES(cudaIpcOpenMemHandle((void **)&x, m.memory, OPEN), cudaErrorInvalidValue);
    return 0;
}

int main(int argc, char **argv) {
    if (begin(argc, argv)) return child();
    message m;
    int *x;
    cudaEvent_t there, back;
    cudaStream_t s;
    MUST(cudaMalloc(&x, N * sizeof(int)));
    MUST(cudaMemset(x, 0, N * sizeof(int)));
    MUST(cudaStreamCreate(&s));
    MUST(cudaEventCreateWithFlags(&there, SHARED));
    MUST(cudaEventCreateWithFlags(&back, SHARED));
    for (int i = 0; i < 20; i++) add<<<N / 256, 256, 0, s>>>(x, N, 1); /* while its pages move */
    MUST(cudaIpcGetMemHandle(&m.memory, x));
    MUST(cudaIpcGetEventHandle(&m.there, there));
    MUST(cudaIpcGetEventHandle(&m.back, back));
    put(&m, sizeof m);
    for (int i = 0; i < ROUNDS; i++) {
        add<<<N / 256, 256, 0, s>>>(x, N, 1);
        MUST(cudaEventRecord(there, s));
        tell();
        hear();
        MUST(cudaStreamWaitEvent(s, back, 0));
    }
    MUST(cudaEventSynchronize(back));
    MUST(cudaEventQuery(back));
    add<<<N / 256, 256, 0, s>>>(x, N, 1);
    MUST(cudaStreamSynchronize(s));
    int *h = (int *)malloc(N * sizeof(int)), wrong = 0;
    MUST(cudaMemcpy(h, x, N * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) wrong += h[i] != ROUNDS * 1001 + 21;
    MUST(cudaFree(x));
    MUST(cudaEventDestroy(there));
    MUST(cudaEventDestroy(back));
    MUST(cudaStreamDestroy(s));
    tell();
    int status = end();
    printf("%d wrong, first %d, child %d\n", wrong, h[0], status);
}
END
right='^0 wrong, first 20041, child 0$'
expect 0 '' -- warpglass cc turns.cu -o turns
echo api-error > on_purpose # memory that has been freed is opened
for how in run 'run --devices 2' 'run --deterministic' 'run --threads 1' 'check --leaks --suppress on_purpose' profile; do
    expect 0 '' -- warpglass $how ./turns
    said "$right"
done
expect 0 'compared with the reference.*equal' -- warpglass run --verify ./turns
said "$right"

# ---- What each call answers ----

cat > answers.cu << 'END'
#include "processes.h"
#include <cuda.h>

static int child() {
    message m;
    int *x, *part, n;
    cudaEvent_t e;
    float ms;
    get(&m, sizeof m);
    GIVES(cudaIpcOpenMemHandle((void **)&x, m.memory, 0), cudaErrorInvalidValue);
    GIVES(cudaIpcOpenMemHandle(NULL, m.memory, OPEN), cudaErrorInvalidValue);
    cudaIpcMemHandle_t bad;
    memset(&bad, 7, sizeof bad);
    GIVES(cudaIpcOpenMemHandle((void **)&x, bad, OPEN), cudaErrorInvalidValue);
    memcpy(&bad, &m.there, sizeof bad);
    GIVES(cudaIpcOpenMemHandle((void **)&x, bad, OPEN), cudaErrorInvalidValue);
    cudaIpcEventHandle_t wrong;
    memcpy(&wrong, &m.memory, sizeof wrong);
    GIVES(cudaIpcOpenEventHandle(&e, wrong), cudaErrorInvalidValue);
    GIVES(cudaIpcOpenEventHandle(NULL, m.there), cudaErrorInvalidValue);
    MUST(cudaIpcOpenMemHandle((void **)&x, m.memory, OPEN));
    MUST(cudaMemcpy(&n, x + 99, sizeof n, cudaMemcpyDeviceToHost));
    if (n != 99) printf("read %d\n", n);
    GIVES(cudaFree(x), cudaErrorInvalidValue);
    GIVES(cudaIpcGetMemHandle(&bad, x), cudaErrorInvalidValue);
    GIVES(cudaIpcCloseMemHandle(x + 1), cudaErrorInvalidValue);
    CUdeviceptr base;
    size_t bytes;
    cuMemGetAddressRange(&base, &bytes, (CUdeviceptr)(x + 50));
    if (base != (CUdeviceptr)x || bytes != 400) printf("%zu bytes\n", bytes);
    MUST(cudaIpcCloseMemHandle(x));
    GIVES(cudaIpcCloseMemHandle(x), cudaErrorInvalidValue);
    GIVES(cudaIpcCloseMemHandle(NULL), cudaErrorInvalidValue);
    MUST(cudaMalloc(&part, 4));
    GIVES(cudaIpcCloseMemHandle(part), cudaErrorInvalidValue);
    MUST(cudaFree(part));
    MUST(cudaIpcOpenEventHandle(&e, m.there)); /* nobody has recorded it */
    MUST(cudaEventQuery(e));
    MUST(cudaEventSynchronize(e));
    MUST(cudaStreamWaitEvent(0, e, 0));
    MUST(cudaEventRecord(e));
    GIVES(cudaEventElapsedTime(&ms, e, e), cudaErrorInvalidResourceHandle);
    MUST(cudaEventDestroy(e));
    tell();
    return 0;
}

int main(int argc, char **argv) {
    if (begin(argc, argv)) return child();
    message m;
    int *x, *managed, *pinned, *pooled, host[100];
    cudaEvent_t e, plain;
    cudaIpcMemHandle_t h;
    MUST(cudaMalloc(&x, 400));
    for (int i = 0; i < 100; i++) host[i] = i;
    MUST(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
    MUST(cudaMallocManaged(&managed, 4));
    MUST(cudaMallocHost(&pinned, 4));
    MUST(cudaMallocAsync(&pooled, 4, 0));
    GIVES(cudaIpcGetMemHandle(NULL, x), cudaErrorInvalidValue);
    GIVES(cudaIpcGetMemHandle(&h, NULL), cudaErrorInvalidValue);
    GIVES(cudaIpcGetMemHandle(&h, host), cudaErrorInvalidValue);
    GIVES(cudaIpcGetMemHandle(&h, managed), cudaErrorInvalidValue);
    GIVES(cudaIpcGetMemHandle(&h, pinned), cudaErrorInvalidValue);
    GIVES(cudaIpcGetMemHandle(&h, pooled), cudaErrorInvalidValue);
    GIVES(cudaEventCreateWithFlags(&e, cudaEventInterprocess), cudaErrorInvalidValue);
    MUST(cudaEventCreateWithFlags(&e, SHARED));
    MUST(cudaEventCreate(&plain));
    GIVES(cudaIpcGetEventHandle(NULL, e), cudaErrorInvalidValue);
    GIVES(cudaIpcGetEventHandle(&m.there, plain), cudaErrorInvalidResourceHandle);
    GIVES(cudaIpcGetEventHandle(&m.there, NULL), cudaErrorInvalidResourceHandle);
    MUST(cudaIpcGetEventHandle(&m.there, e));
    MUST(cudaIpcGetMemHandle(&h, x));
    MUST(cudaIpcGetMemHandle(&m.memory, x + 50)); /* all of the allocation */
    if (memcmp(&h, &m.memory, sizeof h)) printf("two handles of one allocation\n");
    GIVES(cudaIpcOpenMemHandle((void **)&pooled, m.memory, OPEN), cudaErrorDeviceUninitialized);
    GIVES(cudaIpcOpenEventHandle(&plain, m.there), cudaErrorDeviceUninitialized);
    int can;
    MUST(cudaDeviceGetAttribute(&can, cudaDevAttrIpcEventSupport, 0));
    put(&m, sizeof m);
    hear();
    MUST(cudaEventSynchronize(e)); /* the child has recorded it */
    int status = end();
    printf("child %d, ipcEventSupport %d\n", status, can);
}
END
expect 0 '' -- warpglass run answers.cu -lcuda
said '^child 0, ipcEventSupport 1$'

# ---- Pools ----

cat > pools.cu << 'END'
#include "processes.h"
#include <sys/socket.h>
#include <sys/un.h>

struct pooled {
    cudaMemPoolPtrExportData data, other;
};
const cudaMemAllocationHandleType FD = cudaMemHandleTypePosixFileDescriptor;

/* A descriptor goes over a socket, whose end the child has as number 9. */
static void send_file(int to, int file) {
    char c = 0, room[CMSG_SPACE(sizeof file)] = {};
    iovec v = {&c, 1};
    msghdr m = {};
    m.msg_iov = &v, m.msg_iovlen = 1, m.msg_control = room, m.msg_controllen = sizeof room;
    cmsghdr *h = CMSG_FIRSTHDR(&m);
    h->cmsg_level = SOL_SOCKET, h->cmsg_type = SCM_RIGHTS, h->cmsg_len = CMSG_LEN(sizeof file);
    memcpy(CMSG_DATA(h), &file, sizeof file);
    if (sendmsg(to, &m, 0) != 1) exit(6);
}
static int get_file(int from) {
    char c, room[CMSG_SPACE(sizeof(int))];
    iovec v = {&c, 1};
    msghdr m = {};
    m.msg_iov = &v, m.msg_iovlen = 1, m.msg_control = room, m.msg_controllen = sizeof room;
    int file = -1;
    if (recvmsg(from, &m, 0) != 1) exit(7);
    memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof file);
    return file;
}

static int child() {
    pooled m;
    int *x, n = 0;
    cudaMemPool_t pool;
    cudaStream_t s;
    int file = get_file(9);
    get(&m, sizeof m);
    MUST(cudaStreamCreate(&s));
    GIVES(cudaMemPoolImportFromShareableHandle(NULL, (void *)(long)file, FD, 0), cudaErrorInvalidValue);
    GIVES(cudaMemPoolImportFromShareableHandle(&pool, (void *)0L, FD, 0), cudaErrorInvalidValue);
    GIVES(cudaMemPoolImportFromShareableHandle(&pool, (void *)(long)file, FD, 1), cudaErrorInvalidValue);
    MUST(cudaMemPoolImportFromShareableHandle(&pool, (void *)(long)file, FD, 0));
    close(file);
    GIVES(cudaMallocFromPoolAsync(&x, 4, pool, s), cudaErrorInvalidValue);
    GIVES(cudaMemPoolImportPointer((void **)&x, pool, &m.other), cudaErrorInvalidValue);
    GIVES(cudaMemPoolImportPointer(NULL, pool, &m.data), cudaErrorInvalidValue);
    for (int i = 0; i < 2; i++) { /* freed in stream order, and at once */
        MUST(cudaMemPoolImportPointer((void **)&x, pool, &m.data));
        add<<<1, 64, 0, s>>>(x, 64, 10);
        MUST(cudaMemcpyAsync(&n, x + 63, sizeof n, cudaMemcpyDeviceToHost, s));
        MUST(i ? cudaFree(x) : cudaFreeAsync(x, s));
        MUST(cudaStreamSynchronize(s));
        printf("%d\n", n);
    }
    MUST(cudaMemPoolDestroy(pool));
    fflush(stdout);
    tell();
    return 0;
}

int main(int argc, char **argv) {
    int ends[2], file;
    if (argc == 1) {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || dup2(ends[1], 9) < 0) return 8;
    }
    if (begin(argc, argv)) return child();
    pooled m;
    int *x, *y, *z;
    cudaMemPool_t pool, second, own;
    cudaMemPoolProps p = {};
    p.allocType = cudaMemAllocationTypePinned;
    p.location.type = cudaMemLocationTypeDevice;
    MUST(cudaMemPoolCreate(&own, &p));
    p.handleTypes = FD;
    MUST(cudaMemPoolCreate(&pool, &p));
    MUST(cudaMemPoolCreate(&second, &p));
    MUST(cudaMallocFromPoolAsync(&x, 64 * sizeof(int), pool, 0));
    MUST(cudaMallocFromPoolAsync(&y, 4, second, 0));
    MUST(cudaMallocFromPoolAsync(&z, 4, own, 0));
    MUST(cudaMemsetAsync(x, 0, 64 * sizeof(int), 0));
    MUST(cudaDeviceSynchronize());
    GIVES(cudaMemPoolExportToShareableHandle(&file, own, FD, 0), cudaErrorInvalidValue);
    GIVES(cudaMemPoolExportToShareableHandle(NULL, pool, FD, 0), cudaErrorInvalidValue);
    GIVES(cudaMemPoolExportToShareableHandle(&file, pool, FD, 1), cudaErrorInvalidValue);
    GIVES(cudaMemPoolExportToShareableHandle(&file, pool, cudaMemHandleTypeWin32, 0), cudaErrorInvalidValue);
    MUST(cudaMemPoolExportToShareableHandle(&file, pool, FD, 0));
    GIVES(cudaMemPoolExportPointer(&m.data, z), cudaErrorInvalidValue);
    GIVES(cudaMemPoolExportPointer(NULL, x), cudaErrorInvalidValue);
    MUST(cudaMemPoolExportPointer(&m.data, x));
    MUST(cudaMemPoolExportPointer(&m.other, y));
    GIVES(cudaMemPoolImportPointer((void **)&y, pool, &m.data), cudaErrorInvalidValue);
    cudaMemPool_t here; /* the same memory at another address */
    MUST(cudaMemPoolImportFromShareableHandle(&here, (void *)(long)file, FD, 0));
    MUST(cudaMemPoolImportPointer((void **)&y, here, &m.data));
    int seven = 7;
    MUST(cudaMemcpy(y, &seven, 4, cudaMemcpyHostToDevice));
    MUST(cudaMemcpy(&seven, x, 4, cudaMemcpyDeviceToHost));
    printf("%s address, %d\n", x == y ? "the same" : "another", seven);
    MUST(cudaMemset(y, 0, 4));
    MUST(cudaFreeAsync(y, 0));
    MUST(cudaMemPoolDestroy(here));
    send_file(ends[0], file);
    put(&m, sizeof m);
    hear();
    int n, status = end();
    MUST(cudaMemcpy(&n, x + 63, sizeof n, cudaMemcpyDeviceToHost));
    MUST(cudaFreeAsync(x, 0));
    MUST(cudaDeviceSynchronize());
    printf("then %d, child %d\n", n, status);
}
END
expect 0 '' -- warpglass run pools.cu
said '^another address, 7$'
said '^10$'
said '^20$'
said '^then 20, child 0$'

# ---- One that ends in the middle ----

cat > killed.cu << 'END'
#include "processes.h"
static void CUDART_CB sleeps(void *) { pause(); }

/* It exports, and records an event that never comes. */
static int child() {
    message m = {};
    int *x;
    cudaEvent_t e;
    m.pid = getpid();
    MUST(cudaMalloc(&x, 4));
    MUST(cudaMemset(x, 1, 4));
    MUST(cudaEventCreateWithFlags(&e, SHARED));
    MUST(cudaIpcGetMemHandle(&m.memory, x));
    MUST(cudaIpcGetEventHandle(&m.there, e));
    MUST(cudaLaunchHostFunc(0, sleeps, NULL));
    MUST(cudaEventRecord(e));
    put(&m, sizeof m);
    pause();
    return 0;
}

int main(int argc, char **argv) {
    if (begin(argc, argv)) return child();
    message m;
    int *x, n;
    cudaEvent_t e;
    cudaStream_t s;
    get(&m, sizeof m);
    MUST(cudaStreamCreate(&s));
    MUST(cudaIpcOpenMemHandle((void **)&x, m.memory, OPEN));
    MUST(cudaIpcOpenEventHandle(&e, m.there));
    GIVES(cudaEventQuery(e), cudaErrorNotReady);
    MUST(cudaStreamWaitEvent(s, e, 0));
    GIVES(cudaStreamQuery(s), cudaErrorNotReady);
    kill(m.pid, SIGKILL);
    MUST(cudaEventSynchronize(e)); /* nobody waits for one that is gone */
    MUST(cudaStreamSynchronize(s));
    MUST(cudaMemcpy(&n, x, sizeof n, cudaMemcpyDeviceToHost)); /* and its memory is still there */
    MUST(cudaIpcCloseMemHandle(x));
    printf("%08x, child %d\n", n, end());
}
END
expect 0 '' -- timeout 60 "$WARPGLASS" run killed.cu
said '^01010101, child 9$'

# ---- What check finds ----

cat > faults.cu << 'END'
#include "processes.h"
static int child() {
    message m;
    int *x;
    MUST(cudaMalloc(&x, 400));
    MUST(cudaIpcGetMemHandle(&m.memory, x));
    put(&m, sizeof m);
    hear();
    MUST(cudaFree(x));
    tell();
    return 0;
}
int main(int argc, char **argv) {
    if (begin(argc, argv)) return child();
    message m;
    int *x, *kept;
    get(&m, sizeof m);
    MUST(cudaIpcOpenMemHandle((void **)&x, m.memory, OPEN));
    add<<<1, 128>>>(x, 128, 1); // 100 of them are there
    cudaDeviceSynchronize();
    MUST(cudaIpcCloseMemHandle(x));
    add<<<1, 64>>>(x, 64, 1);
    cudaDeviceSynchronize();
    cudaIpcCloseMemHandle(x);
    MUST(cudaIpcOpenMemHandle((void **)&kept, m.memory, OPEN));
    cudaFree(kept);
    tell();
    hear();
    return end();
}
END
expect 3 '' -- warpglass check --leaks faults.cu
tr -s '\n ' ' ' < "$stdout" > all && mv all "$stdout"
said 'out-of-bounds: .* just past the end of 400 bytes of device memory, allocated by cudaIpcOpenMemHandle at faults.cu:18'
said 'use-after-free: .* byte 0 of 400 bytes of device memory, allocated by cudaIpcOpenMemHandle at faults.cu:18 in main and freed at faults.cu:21'
said 'double-free: .* faults.cu:24'
said 'cudaFree It returned cudaErrorInvalidValue .* belongs to another process: cudaIpcCloseMemHandle closes it'
said 'leak: .* faults.cu:25'
finish
