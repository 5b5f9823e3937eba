/* What copies of tensors make of floats: types that round or flush, subnormals, NaNs, and what lies outside of the
 * tensor. Bits that go in, and bits that come out of a load, a store and a sum; and sums by other ways. */
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda.h>

static const unsigned in[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x00001000, 0x00001fff, 0x007fffff, 0x807fffff,
    0x00800000, 0x00800fff, 0x00801000, 0x00801001, 0x3f800000, 0x3f800fff, 0x3f801000, 0x3f801001,
    0x3f801fff, 0x3f802000, 0x3f803000, 0x3f802fff, 0x3f803001, 0xbf801000, 0xbf803000, 0x3fffffff,
    0x7f7fefff, 0x7f7ff000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0x7f801000,
    0x7fbfffff, 0x7fc00000, 0x7fc00001, 0x7fffffff, 0xffc12345, 0x42280f01, 0x4228efff, 0x0080f001};
enum { N = sizeof in / sizeof *in, BOX = 48 };

__device__ static unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void load(const __grid_constant__ CUtensorMap map, unsigned *out) {
    __shared__ alignas(128) unsigned s[BOX];
    __shared__ alignas(8) unsigned long long bar;
    for (int i = 0; i < BOX; i++) s[i] = 0xdeadbeef;
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&bar)));
    asm volatile("fence.proxy.async;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(&bar)), "r"(BOX * 4));
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, "
                 "{%2}], [%3];" ::"r"(at(s)),
                 "l"(&map), "r"(0), "r"(at(&bar))
                 : "memory");
    asm volatile(
        "{ .reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra again; }" ::"r"(
            at(&bar))
        : "memory");
    for (int i = 0; i < BOX; i++) out[i] = s[i];
}

template <int REDUCE> __global__ void store(const __grid_constant__ CUtensorMap map, const unsigned *from) {
    __shared__ alignas(128) unsigned s[BOX];
    for (int i = 0; i < BOX; i++) s[i] = from[i];
    asm volatile("fence.proxy.async;" ::: "memory");
    if (REDUCE == 0)
        asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1}], [%2];" ::"l"(&map),
                     "r"(0), "r"(at(s))
                     : "memory");
    if (REDUCE == 1)
        asm volatile(
            "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%0, {%1}], [%2];" ::"l"(&map),
            "r"(0), "r"(at(s))
            : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}

__global__ void bulk_add(unsigned *to, const unsigned *from) {
    __shared__ alignas(128) unsigned s[BOX];
    for (int i = 0; i < BOX; i++) s[i] = from[i];
    asm volatile("fence.proxy.async;" ::: "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(to),
                 "r"(at(s)), "n"(BOX * 4)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}
__global__ void atomic_add(unsigned *to, const unsigned *from) {
    for (int i = 0; i < BOX; i++) atomicAdd((float *)to + i, __uint_as_float(from[i]));
}

int main() {
    static const struct {
        CUtensorMapDataType type;
        const char *name;
    } types[] = {{CU_TENSOR_MAP_DATA_TYPE_FLOAT32, "FLOAT32"},
                 {CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ, "FLOAT32_FTZ"},
                 {CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, "TFLOAT32"},
                 {CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ, "TFLOAT32_FTZ"},
                 {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, "FLOAT16"},
                 {CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, "BFLOAT16"},
                 {CU_TENSOR_MAP_DATA_TYPE_FLOAT64, "FLOAT64"},
                 {CU_TENSOR_MAP_DATA_TYPE_INT32, "INT32"},
                 {CU_TENSOR_MAP_DATA_TYPE_UINT8, "UINT8"}};
    unsigned *data, *out, *zeros;
    void *entry;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
    auto encode = (decltype(&cuTensorMapEncodeTiled))entry;
    cudaMalloc(&data, 4096);
    cudaMallocManaged(&out, 4096);
    cudaMallocManaged(&zeros, 4096);
    for (int nan = 0; nan < 2; nan++)
        for (auto &t : types) {
            CUtensorMap map;
            const unsigned size =
                t.type == CU_TENSOR_MAP_DATA_TYPE_UINT8                                                   ? 1
                : t.type == CU_TENSOR_MAP_DATA_TYPE_FLOAT64                                               ? 8
                : t.type == CU_TENSOR_MAP_DATA_TYPE_FLOAT16 || t.type == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 ? 2
                                                                                                          : 4;
            cuuint64_t dims[] = {N * 4 / size}, strides[] = {0};
            cuuint32_t box[] = {BOX * 4 / size}, steps[] = {1};
            auto fill =
                nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
            CUresult r =
                encode(&map, t.type, 1, data, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                       CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
            printf("%s fill %d: encode %d\n", t.name, nan, r);
            if (r) continue;
            unsigned got[3][BOX] = {};
            cudaMemset(data, 0, 4096);
            cudaMemcpy(data, in, sizeof in, cudaMemcpyHostToDevice);
            memset(out, 0, 4096);
            load<<<1, 1>>>(map, out);
            printf("load: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
            memcpy(got[0], out, sizeof got[0]);
            memcpy(out, in, sizeof in);
            for (int k = 0; k < (size == 1 ? 1 : 2); k++) {
                for (int i = 0; i < BOX; i++) zeros[i] = k == 1 ? 0x00000001 : 0;
                cudaMemcpy(data, zeros, BOX * 4, cudaMemcpyHostToDevice);
                if (k == 0) store<0><<<1, 1>>>(map, out);
                if (k == 1) store<1><<<1, 1>>>(map, out);
                cudaError_t e = cudaDeviceSynchronize();
                if (e) {
                    printf("store %d: %s\n", k, cudaGetErrorString(e));
                    return 1;
                }
                cudaMemcpy(got[1 + k], data, BOX * 4, cudaMemcpyDeviceToHost);
            }
            printf("in       load     store    add\n");
            for (int i = 0; i < BOX; i++)
                printf("%08x %08x %08x %08x\n", i < N ? in[i] : 0, got[0][i], got[1][i], got[2][i]);
        }
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < BOX; i++) zeros[i] = 1;
        cudaMemcpy(data, zeros, BOX * 4, cudaMemcpyHostToDevice);
        memset(out, 0, 4096);
        memcpy(out, in, sizeof in);
        if (k)
            atomic_add<<<1, 1>>>(data, out);
        else
            bulk_add<<<1, 1>>>(data, out);
        printf("%s: %s\n", k ? "atomicAdd" : "cp.reduce.async.bulk.add.f32",
               cudaGetErrorString(cudaDeviceSynchronize()));
        cudaMemcpy(zeros, data, BOX * 4, cudaMemcpyDeviceToHost);
        for (int i = 0; i < BOX; i++) printf("%08x %08x\n", i < N ? in[i] : 0, zeros[i]);
    }
}
