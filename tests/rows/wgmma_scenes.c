/* wgmma: products of matrices that lie in shared memory as descriptors say. The expectations look elements up
 * by the layouts as the PTX ISA draws them. */
#include "tests/rows/scene.h"
#include <string.h>

/* Words 0 to 2303 of the input in shared memory, some of their bits cleared. */
#define FILL(mask)                                                                                           \
    "  mov.u32 %r20, tile;\n  shl.b32 %r21, %t, 2;\n  add.u32 %r21, %r20, %r21;\n"                           \
    "  mul.wide.u32 %d1, %t, 4;\n  add.s64 %d1, %in, %d1;\n  mov.u32 %r22, 0;\nFILL:\n"                      \
    "  ld.global.b32 %r23, [%d1];\n  and.b32 %r23, %r23, " mask ";\n  st.shared.b32 [%r21], %r23;\n"         \
    "  add.s64 %d1, %d1, 512;\n  add.u32 %r21, %r21, 512;\n  add.u32 %r22, %r22, 1;\n"                       \
    "  setp.lt.u32 %p1, %r22, 18;\n  @%p1 bra FILL;\n  fence.proxy.async;\n  bar.sync 0;\n"
/* d = descriptor of the place `plus` bytes into the tile, with these other bits */
#define DESCRIBE(d, plus, bits)                                                                              \
    "  add.u32 %r24, %r20, " plus ";\n  cvt.u64.u32 " d ", %r24;\n  and.b64 " d ", " d ", 0x3ffff;\n"        \
    "  shr.u64 " d ", " d ", 4;\n  or.b64 " d ", " d ", " bits ";\n"
#define D8 "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}"
#define ZERO                                                                                                 \
    "  mov.u32 %r0, 10;\n  mov.u32 %r1, 11;\n  mov.u32 %r2, 12;\n  mov.u32 %r3, 13;\n"                       \
    "  mov.u32 %r4, 14;\n  mov.u32 %r5, 15;\n  mov.u32 %r6, 16;\n  mov.u32 %r7, 17;\n"
#define SHOW                                                                                                 \
    "  wgmma.commit_group.sync.aligned;\n  wgmma.wait_group.sync.aligned 0;\n"                               \
    "  mul.wide.u32 %d2, %x, 32;\n  add.s64 %d2, %out, %d2;\n"                                               \
    "  st.global.v4.b32 [%d2], {%r0,%r1,%r2,%r3};\n  st.global.v4.b32 [%d2+16], {%r4,%r5,%r6,%r7};\n"
#define GROUP .module = ".shared .align 1024 .b8 tile[9216];\n", .block = {128}

static uint32_t byte_at(uint32_t at) { return scene_in(at / 4) >> at % 4 * 8 & 0xff; }
static double half_at(uint32_t at) {
    uint16_t bits = (uint16_t)((scene_in(at / 4) & 0xb3ffb3ff) >> at % 4 * 8);
    _Float16 h;
    memcpy(&h, &bits, 2);
    return (double)h;
}
static void where(uint32_t x, uint32_t r, uint32_t *row, uint32_t *col) {
    *row = x / 32 * 16 + x % 32 / 4 + r / 2 % 2 * 8;
    *col = r / 4 * 8 + x % 4 * 2 + r % 2;
}

/* Cores of 8 rows of 16 bytes, side by side along k, one pair below the other. */
static uint32_t in_cores(uint32_t i, uint32_t k) { return i / 8 * 256 + k / 16 * 128 + i % 8 * 16 + k % 16; }
static void of_bytes(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++)
        for (uint32_t r = 0; r < 8; r++) {
            uint32_t row, col, sum = 10 + r;
            where(x, r, &row, &col);
            for (uint32_t k = 0; k < 32; k++)
                sum +=
                    (uint32_t)((int8_t)byte_at(in_cores(row, k)) * (int32_t)byte_at(2048 + in_cores(col, k)));
            out[x * 8 + r] = sum;
        }
}
/* a: rows of 128 bytes, swizzled, from byte 32 on; b: 16 columns in rows of 32 bytes, swizzled, k below k. */
static uint32_t in_wide_rows(uint32_t i, uint32_t k) {
    uint32_t at = i * 128 + 32 + k * 2;
    return at ^ (at >> 7 & 7) << 4;
}
static uint32_t in_narrow_rows(uint32_t k, uint32_t n) {
    uint32_t at = 8192 + k * 32 + n * 2;
    return at ^ (at >> 7 & 1) << 4;
}
static void of_halves(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++)
        for (uint32_t r = 0; r < 8; r++) {
            uint32_t row, col;
            double sum = 0;
            where(x, r, &row, &col);
            for (uint32_t k = 0; k < 16; k++)
                sum -= half_at(in_wide_rows(row, k)) * half_at(in_narrow_rows(k, col));
            float f = (float)sum;
            memcpy(&out[x * 8 + r], &f, 4);
        }
}

static const struct scene list[] = {
    {"wgmma of bytes", GROUP,
     .body = FILL("0xffffffff") DESCRIBE("%d5", "0", "0x1000080000") DESCRIBE("%d6", "2048", "0x1000080000")
         ZERO "  wgmma.fence.sync.aligned;\n  setp.eq.u32 %p2, %r20, %r20;\n"
              "  wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.u8 " D8 ", %d5, %d6, %p2;\n" SHOW,
     .expect = of_bytes},
    {"wgmma of halves, swizzled, b by columns", GROUP,
     .body = FILL("0xb3ffb3ff") DESCRIBE("%d5", "32", "0x4000004000000000")
         DESCRIBE("%d6", "8192",
                  "0xc000001000000000") "  wgmma.fence.sync.aligned;\n  setp.ne.u32 %p2, %r20, %r20;\n" ZERO
                                        "  wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " D8
                                        ", %d5, %d6, %p2, 1, -1, 0, 1;\n" SHOW,
     .expect = of_halves},
    {"wgmma with a in registers, into f16", GROUP,
     .body = FILL("0xb3ffb3ff") DESCRIBE("%d6", "2048", "0x1000080000") ZERO
     "  ld.shared.v4.b32 {%r10,%r11,%r12,%r13}, [%r20];\n  shl.b32 %r30, %t, 4;\n  add.u32 %r30, %r20, "
     "%r30;\n"
     "  ld.shared.v4.b32 {%r10,%r11,%r12,%r13}, [%r30];\n  wgmma.fence.sync.aligned;\n"
     "  setp.eq.u32 %p2, %r20, %r20;\n"
     "  wgmma.mma_async.sync.aligned.m64n32k16.f16.f16.f16 " D8
     ", {%r10,%r11,%r12,%r13}, %d6, %p2, -1, 1, 0;\n" SHOW},
    {"wgmma of bf16, both transposed", GROUP,
     .body = FILL("0xbfffbfff") DESCRIBE("%d5", "0", "0x8000004000400000")
         DESCRIBE("%d6", "4096", "0x4000004000400000") ZERO
     "  wgmma.fence.sync.aligned;\n  setp.eq.u32 %p2, %r20, %r20;\n"
     "  wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 " D8 ", %d5, %d6, %p2, 1, 1, 1, 1;\n" SHOW},
    {"wgmma of tf32, one behind the other", GROUP,
     .body = FILL("0xbfffffff") DESCRIBE("%d5", "0", "0x1000080000") DESCRIBE("%d6", "2048", "0x1000080000")
         ZERO "  wgmma.fence.sync.aligned;\n  setp.ne.u32 %p2, %r20, %r20;\n"
              "  wgmma.mma_async.sync.aligned.m64n16k8.f32.tf32.tf32 " D8 ", %d5, %d6, %p2, 1, 1;\n"
              "  wgmma.commit_group.sync.aligned;\n"
              "  wgmma.mma_async.sync.aligned.m64n16k8.f32.tf32.tf32 " D8 ", %d5, %d6, 1, 1, 1;\n"
              "  wgmma.commit_group.sync.aligned;\n  wgmma.wait_group.sync.aligned 1;\n" SHOW},
    /* Nobody clears the tile before all four warps have their product. */
    {"a group waits for its four warps", GROUP, .fuel = 64,
     .body =
         FILL("0xffffffff") DESCRIBE("%d5", "0", "0x1000080000") DESCRIBE("%d6", "2048", "0x1000080000") ZERO
     "  wgmma.fence.sync.aligned;\n  setp.eq.u32 %p2, %r20, %r20;\n"
     "  wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.u8 " D8 ", %d5, %d6, %p2;\n" SHOW
     "  setp.ge.u32 %p3, %t, 32;\n  @%p3 bra END;\n  shl.b32 %r21, %t, 6;\n  add.u32 %r21, %r20, %r21;\n"
     "  mov.u32 %r9, 0;\n  st.shared.v4.b32 [%r21], {%r9,%r9,%r9,%r9};\n",
     .expect = of_bytes},
    {"wgmma that is not there", GROUP,
     .body = ZERO "  wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.u8 {%r0}, %d5, %d6, 1;\n",
     .refused = "unsupported instruction 'wgmma'"},
};
const struct scenes wgmma_scenes = {list, sizeof list / sizeof *list};
