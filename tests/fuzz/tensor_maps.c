/* Tensor maps of any arguments: encoding them answers, and what was encoded copies the same in generated code
 * as in the reference, into the tensor and the block's memory alone.
 *
 *     tensor_maps FIRST COUNT      one line a map; tensor_maps.sh compares those of both back ends
 *
 * Most arguments are good, or all but one. Around the tensor lie bytes that no copy may change.
 */
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 18, BEFORE = 4096, SHARED = 32768, RANKS = 5 };

static uint64_t state;
static uint64_t draw(uint64_t n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % n;
}

struct arguments {
    CUtensorMapDataType type;
    cuuint32_t rank;
    uint64_t base; /* from the tensor's first byte */
    cuuint64_t dims[RANKS], strides[RANKS];
    cuuint32_t box[RANKS], steps[RANKS];
    CUtensorMapInterleave interleave;
    CUtensorMapSwizzle swizzle;
    CUtensorMapL2promotion promotion;
    CUtensorMapFloatOOBfill fill;
};

static const uint32_t sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4}; /* by CUtensorMapDataType */
enum { TYPES = sizeof sizes / sizeof *sizes };

/* Good ones, whose tensor lies in its room. */
static struct arguments good(void) {
    struct arguments a = {.type = (CUtensorMapDataType)draw(TYPES), .rank = 1 + (cuuint32_t)draw(RANKS)};
    uint32_t size = sizes[a.type], inner = 16 / size;
    uint64_t pitch = 0, box = size;
    for (uint32_t i = 0; i < a.rank; i++) {
        a.dims[i] = 1 + draw(i ? 6 : 100);
        a.steps[i] = draw(4) ? 1 : 1 + (cuuint32_t)draw(8);
        a.box[i] = i ? 1 + (cuuint32_t)draw(5) : inner * (1 + (cuuint32_t)draw(4));
        if (box * a.box[i] > SHARED) a.box[i] = i ? 1 : inner;
        box *= a.box[i];
        pitch = i ? pitch * a.dims[i] : (a.dims[0] * size + 15) / 16 * 16 + 16 * draw(3);
        if (i + 1 < a.rank) a.strides[i] = pitch;
    }
    a.steps[0] = 1;
    a.base = 16 * draw(4);
    a.swizzle = (CUtensorMapSwizzle)draw(4);
    while (a.swizzle && a.box[0] * size > 16u << a.swizzle) a.swizzle--;
    a.promotion = (CUtensorMapL2promotion)draw(4);
    a.fill = (CUtensorMapFloatOOBfill)(draw(4) == 0 && a.type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
    return a;
}

static uint64_t edge(void) {
    static const uint64_t edges[] = {
        0,          1,         2, 3, 8, 9, 15, 16, 255, 256, 257, UINT32_MAX, 1ull << 32, (1ull << 32) + 1,
        1ull << 40, UINT64_MAX};
    return edges[draw(sizeof edges / sizeof *edges)];
}

static void spoil(struct arguments *a) {
    uint32_t at = (uint32_t)draw(RANKS);
    switch (draw(10)) {
    case 0: a->type = (CUtensorMapDataType)edge(); break;
    case 1: a->rank = (cuuint32_t)edge(); break;
    case 2: a->base = edge(); break;
    case 3: a->dims[at] = edge(); break;
    case 4: a->strides[at] = draw(2) ? edge() : a->strides[at] + draw(64); break;
    case 5: a->box[at] = (cuuint32_t)edge(); break;
    case 6: a->steps[at] = (cuuint32_t)edge(); break;
    case 7: a->interleave = (CUtensorMapInterleave)draw(5); break;
    case 8: a->swizzle = (CUtensorMapSwizzle)draw(9); break;
    default: a->fill = (CUtensorMapFloatOOBfill)edge(); break;
    }
}

/* Whether all that a copy by it may touch is there, and its box has room. */
static int fits(const struct arguments *a) {
    if (a->rank < 1 || a->rank > RANKS || (unsigned)a->type >= TYPES) return 0;
    unsigned __int128 last = sizes[a->type], box = last;
    for (uint32_t i = 0; i < a->rank; i++) {
        last += (unsigned __int128)(a->dims[i] - 1) * (i ? a->strides[i - 1] : sizes[a->type]);
        box *= a->box[i];
    }
    return a->base < 4096 && last + a->base <= ROOM && box <= SHARED;
}

/* Kernels that load a box of a tensor of each rank, and store one. */
static char *text(void) {
    char *s = malloc(65536), *p = s;
    p += sprintf(p, ".version 8.7\n.target sm_90a\n.address_size 64\n");
    for (int rank = 1; rank <= RANKS; rank++) {
        char at[100] = "";
        for (int i = 0; i < rank; i++) sprintf(at + strlen(at), "%s%%r%d", i ? ", " : "", i);
        for (int store = 0; store < 2; store++) {
            p += sprintf(p,
                         ".visible .entry %s%d(.param .align 64 .b8 map[128], .param .align 4 .b8 at[20], "
                         ".param .u64 out)\n{\n"
                         " .reg .pred %%q;\n .reg .b32 %%r<10>;\n .reg .b64 %%d<5>;\n"
                         " .shared .align 1024 .b8 here[%d];\n .shared .align 8 .b64 bar;\n",
                         store ? "store" : "load", rank, SHARED);
            for (int i = 0; i < rank; i++) p += sprintf(p, " ld.param.b32 %%r%d, [at+%d];\n", i, 4 * i);
            p += sprintf(
                p,
                " mov.u32 %%r5, here;\n mov.u32 %%r6, bar;\n mov.b64 %%d1, map;\n cvta.param.u64 %%d1, "
                "%%d1;\n"
                " ld.param.u64 %%d2, [out];\n mbarrier.init.shared.b64 [%%r6], 1;\n mov.u32 %%r7, 0;\n"
                "FILL:\n add.u32 %%r8, %%r5, %%r7;\n mad.lo.u32 %%r9, %%r7, 0x01010101, 0x5a3c2d1e;\n"
                " st.shared.u32 [%%r8], %%r9;\n add.u32 %%r7, %%r7, 4;\n setp.lt.u32 %%q, %%r7, %d;\n @%%q "
                "bra FILL;\n",
                SHARED);
            p += sprintf(
                p,
                store ? " cp.async.bulk.tensor.%dd.global.shared::cta.bulk_group [%%d1, {%s}], [%%r5];\n"
                      : " cp.async.bulk.tensor.%dd.shared::cluster.global.mbarrier::complete_tx::bytes "
                        "[%%r5], [%%d1, {%s}], [%%r6];\n",
                rank, at);
            p +=
                sprintf(p,
                        " mov.u32 %%r7, 0;\nGIVE:\n add.u32 %%r8, %%r5, %%r7;\n ld.shared.u32 %%r9, [%%r8];\n"
                        " cvt.u64.u32 %%d3, %%r7;\n add.u64 %%d4, %%d2, %%d3;\n st.global.u32 [%%d4], "
                        "%%r9;\n add.u32 %%r7, %%r7, 4;\n"
                        " setp.lt.u32 %%q, %%r7, %d;\n @%%q bra GIVE;\n ret;\n}\n",
                        SHARED);
        }
    }
    return s;
}

static unsigned hash(const unsigned char *p, size_t n) {
    unsigned h = 2166136261u;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 16777619u;
    return h;
}

static unsigned char *room, *out;
static CUmodule module;

static void copy_by(const CUtensorMap *map, const struct arguments *a) {
    struct {
        int32_t v[RANKS];
    } at;
    for (uint32_t i = 0; i < RANKS; i++) at.v[i] = draw(8) ? (int32_t)draw(12) - 4 : (int32_t)edge();
    at.v[0] = at.v[0] / 16 * 16; /* so many bytes, whatever the type */
    for (int store = 0; store < 2; store++) {
        char name[20];
        CUfunction f;
        sprintf(name, "%s%u", store ? "store" : "load", a->rank);
        void *arguments[] = {(void *)map, &at, &out};
        for (size_t i = 0; i < ROOM + 2 * BEFORE; i++) room[i] = (unsigned char)(i * 7 + i / 251);
        CUresult r = cuModuleGetFunction(&f, module, name);
        if (!r) r = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL);
        if (!r) r = cuCtxSynchronize();
        printf(" %s %d %08x %08x", name, r, hash(out, SHARED), hash(room, ROOM + 2 * BEFORE));
        for (size_t i = 0; i < BEFORE; i++)
            if (room[i] != (unsigned char)(i * 7 + i / 251)) printf(" changed before the tensor"), exit(1);
        for (size_t i = ROOM + BEFORE; i < ROOM + 2 * BEFORE; i++)
            if (room[i] != (unsigned char)(i * 7 + i / 251)) printf(" changed behind the tensor"), exit(1);
        if (r) exit(1);
    }
}

static void try(uint64_t number) {
    CUtensorMap map;
    struct arguments a;
    state = number * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (int i = 0; i < 4; i++) draw(2);
    a = good();
    int spoiled = draw(2) != 0;
    if (spoiled) spoil(&a);
    memset(&map, 0xa5, sizeof map);
    void *base = (void *)((uintptr_t)room + BEFORE + a.base); /* it may lie before the room */
    CUresult r = cuTensorMapEncodeTiled(&map, a.type, a.rank, base, a.dims, a.strides, a.box, a.steps,
                                        a.interleave, a.swizzle, a.promotion, a.fill);
    int lower[3], upper[3];
    for (int i = 0; i < 3; i++) lower[i] = (int)draw(300) - 150, upper[i] = (int)draw(300) - 150;
    CUtensorMap other;
    CUresult columns = cuTensorMapEncodeIm2col(&other, a.type, a.rank, base, a.dims, a.strides, lower, upper,
                                               (cuuint32_t)draw(300), (cuuint32_t)draw(1100), a.steps,
                                               a.interleave, a.swizzle, a.promotion, a.fill);
    printf("%llu: %d %d", (unsigned long long)number, r, columns);
    if (r && r != CUDA_ERROR_NOT_SUPPORTED && !spoiled) printf(" good arguments are refused"), exit(1);
    if (!r && a.interleave == 0 && fits(&a)) copy_by(&map, &a);
    printf("\n");
}

int main(int argc, char **argv) {
    CUcontext c;
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1,
             count = argc > 2 ? strtoull(argv[2], NULL, 10) : 100;
    char *ptx = text();
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&c, 0) || cuCtxSetCurrent(c) ||
        cuModuleLoadData(&module, ptx) ||
        cuMemAllocManaged((CUdeviceptr *)&room, ROOM + 2 * BEFORE, CU_MEM_ATTACH_GLOBAL) ||
        cuMemAllocManaged((CUdeviceptr *)&out, SHARED, CU_MEM_ATTACH_GLOBAL))
        return 2;
    free(ptx);
    for (uint64_t n = first; n < first + count; n++) try(n);
    return 0;
}
