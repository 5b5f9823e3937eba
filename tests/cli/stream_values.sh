#!/bin/bash
# Values in memory that streams write and wait for: cuStreamWaitValue32 and its like; a wait that never ends is told of.
. "$(dirname "$0")/expect.sh"
cat > values.cu << 'END'
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <unistd.h>
static int wrong;
#define IS(CALL, RESULT) \
    if (CUresult r = (CALL); r != (RESULT)) wrong = 1, printf("%s is %d, line %d\n", #CALL, (int)r, __LINE__)
#define OK(CALL) IS(CALL, CUDA_SUCCESS)
__global__ void write_late(unsigned *data, volatile unsigned *flag) {
    long long begin = clock64();
    while (clock64() - begin < 2000000) {}
    data[0] = 77;
    __threadfence_system();
    *flag = 5;
}
__global__ void copy(const unsigned *from, unsigned *to) { *to = *from; }

int main() {
    unsigned *host, *data;
    cudaStream_t a, b;
    cudaMallocHost(&host, 4096);
    cudaMalloc(&data, 4096);
    cudaMemset(data, 0, 4096);
    cudaDeviceSynchronize();
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    for (int i = 0; i < 1024; i++) host[i] = 0;
    CUdeviceptr flags = (CUdeviceptr)host, d = (CUdeviceptr)data;

    // Written by the host, after the wait was asked for.
    OK(cuStreamWaitValue32(a, flags, 3, CU_STREAM_WAIT_VALUE_GEQ));
    OK(cuStreamWriteValue32(a, flags + 4, 9, 0));
    usleep(20000);
    if (cuStreamQuery(a) != CUDA_ERROR_NOT_READY || host[1]) wrong = 1, puts("it did not wait");
    *(volatile unsigned *)host = 4;
    OK(cuStreamSynchronize(a));
    if (host[1] != 9) wrong = 1, puts("not written");

    // By another stream, whose work was asked for later; 64 bits, in device memory.
    OK(cuStreamWaitValue64(a, d + 64, 0x500000000ull, CU_STREAM_WAIT_VALUE_EQ));
    copy<<<1, 1, 0, a>>>(data + 2, host + 2);
    OK(cuStreamWriteValue32(b, d + 8, 123, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
    OK(cuStreamWriteValue64(b, d + 64, 0x500000000ull, 0));
    OK(cuStreamSynchronize(a));
    if (host[2] != 123) wrong = 1, printf("copied %u\n", host[2]);

    // By a kernel.
    write_late<<<1, 1, 0, b>>>(data, host + 8);
    OK(cuStreamWaitValue32(a, flags + 32, 5, CU_STREAM_WAIT_VALUE_EQ | CU_STREAM_WAIT_VALUE_FLUSH));
    copy<<<1, 1, 0, a>>>(data, host + 3);
    OK(cuStreamSynchronize(a));
    if (host[3] != 77) wrong = 1, printf("the kernel's data is %u\n", host[3]);

    // What ends a wait: numbers go round; a bit that is there; one that is not.
    host[16] = 2, host[17] = 0xc, host[18] = 0xfffffffe;
    OK(cuStreamWaitValue32(a, flags + 64, 0xfffffff0u, CU_STREAM_WAIT_VALUE_GEQ));
    OK(cuStreamWaitValue32(a, flags + 68, 0x18, CU_STREAM_WAIT_VALUE_AND));
    OK(cuStreamWaitValue32(a, flags + 72, 0, CU_STREAM_WAIT_VALUE_NOR));
    OK(cuStreamSynchronize(a));

    CUstreamBatchMemOpParams p[4] = {};
    p[0].writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, d + 128, {1}, 0, 0};
    p[1].memoryBarrier = {CU_STREAM_MEM_OP_BARRIER, CU_STREAM_MEMORY_BARRIER_TYPE_GPU};
    p[2].waitValue = {CU_STREAM_MEM_OP_WAIT_VALUE_32, d + 128, {1}, CU_STREAM_WAIT_VALUE_EQ, 0};
    p[3].writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_64, flags + 80, {}, 0, 0};
    p[3].writeValue.value64 = 0x123456789abcdefull;
    OK(cuStreamBatchMemOp(a, 4, p, 0));
    OK(cuStreamSynchronize(a));
    if (*(unsigned long long *)(host + 20) != 0x123456789abcdefull) wrong = 1, puts("the batch did not write");

    // What is refused; nothing of such a batch is done.
    int here;
    IS(cuStreamWaitValue32(a, d + 2, 0, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamWriteValue64(a, d + 4, 0, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamWaitValue32(a, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamWaitValue32(a, (CUdeviceptr)&here, 0, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamWaitValue32(a, d, 0, 4), CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamWriteValue32(a, d, 0, 2), CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamBatchMemOp(a, 4, p, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamBatchMemOp(a, 256, p, 0), CUDA_ERROR_INVALID_VALUE);
    p[0].writeValue.value = 2, p[3].operation = (CUstreamBatchMemOpType)9;
    IS(cuStreamBatchMemOp(a, 4, p, 0), CUDA_ERROR_INVALID_VALUE);
    OK(cuStreamWaitValue32(a, d + 128, 1, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuStreamSynchronize(a));
    if (!wrong) puts("as it should be");
    return wrong;
}
END
expect 0 '' -- warpglass run values.cu -lcuda
said '^as it should be$'
expect 0 '' -- env WARPGLASS_BACKEND=ref "$WARPGLASS" run values.cu -lcuda
# Nothing is found but what is refused, which the program looks at.
expect 3 '' -- warpglass check values.cu -lcuda
said 'It returned CUDA_ERROR_INVALID_VALUE'
said '^Note: a stream waited for a value in memory'
not_said '^(race|init|memory)-'
expect 0 '' -- warpglass run --deterministic values.cu -lcuda

cat > never.cu << 'END'
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
int main() {
    unsigned *flag;
    cudaMalloc(&flag, 4);
    cudaMemset(flag, 0, 4);
    cuStreamWaitValue32(0, (CUdeviceptr)flag, 6, CU_STREAM_WAIT_VALUE_GEQ);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
END
asked='for the 4 bytes at 0x[0-9a-f]+ to be at least 6 \(0x6\), as cuStreamWaitValue32'
expect 0 "stream [0-9]+ waited longer than 0.5 seconds .*$asked" -- \
    env WARPGLASS_TIMEOUT=0.5 "$WARPGLASS" run never.cu -lcuda
said '^cudaErrorLaunchTimeout$'
expect 124 "stream [0-9]+ waited $asked.*interrupted" -- warpglass run --timeout 0.5 never.cu -lcuda
# The program goes on, or ends, while the stream waits for what is in the device's memory.
sed '/printf/d; s/return 0;/sleep(2);/; s/#include <cstdio>/#include <unistd.h>/' never.cu > leaves.cu
expect 124 "stream [0-9]+ waited $asked.*interrupted" -- warpglass run --timeout 0.5 leaves.cu -lcuda
sed 's/sleep(2)/return 0/' leaves.cu > ends.cu
expect 124 "stream [0-9]+ waited $asked.*interrupted" -- warpglass run --timeout 0.5 ends.cu -lcuda
finish
