/* Control flow: loops, early exits, tables of branches, calls direct, indirect and recursive, locks between
 * lanes, warps and blocks; and what stops a kernel. */
#include "tests/rows/scene.h"

#define STORE(value) "  st.global.b32 [%my], " value ";\n"

static uint32_t steps(uint32_t n) {
    uint32_t k = 0;
    for (; n != 1; k++) n = n % 2 ? 3 * n + 1 : n / 2;
    return k;
}
static void collatz(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = steps(x + 1);
}
static void early(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x % 3 == 0 ? 0 : x % 3 == 1 ? 5 : 9;
}
static void table(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++)
        out[x] = x % 4 == 0 ? x + 100 : x % 4 == 1 ? x * 3 : x % 4 == 2 ? ~x : x * 3 + 7;
}
static void parted(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        uint32_t a = x % 4 == 1 ? x * x : 7, b = x % 32 < 13 ? x ^ x % 4 : x * x + 100;
        if (x % 32 >= 13)
            a += b;
        else if (x % 4 != 2)
            a ^= 0x55;
        out[x] = a + b;
    }
}
static void parted_wrap(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x % 2 == 0 ? x * x : x % 32 < 16 ? 1 : 0xfffffffe;
}
static uint32_t fib(uint32_t n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static void fibonacci(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = fib(x % 11);
}
static void by_pointer(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x % 3 == 0 ? x + 10 : x % 3 == 1 ? x * x : x - 1;
}
static void by_struct(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        uint32_t a = x + 1, b = x * 2, c = x ^ 0x55;
        out[x] = a + 2 * b + 3 * (c & 0xff) + (a ^ b);
    }
}
static void locals_of_calls(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        uint32_t sum = 0;
        for (uint32_t d = 0; d <= x % 6; d++) sum += d * 10 + x;
        out[x] = sum;
    }
}
static void locked(uint32_t *out, uint32_t threads, uint32_t block) { out[1] = threads; }
static void waited(uint32_t *out, uint32_t threads, uint32_t block) {
    out[1] = threads;
    out[2] = 1;
}
static void unstructured(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        uint32_t r = x, n = 0; /* two loops that share their middle */
    left:
        r = r * 5 + 1;
        if (++n > 20) goto done;
        if (r & 1) goto middle;
        goto right;
    middle:
        r ^= r >> 3;
        if (++n > 20) goto done;
        if (r & 2) goto left;
    right:
        r += 7;
        if (++n > 20) goto done;
        if (r & 4) goto middle;
        goto left;
    done:
        out[x] = r;
    }
}

#define FIB                                                                                                  \
    ".func (.param .b32 r) fib (.param .b32 n) {\n  .reg .b32 %n, %a, %b;\n  .reg .pred %p;\n"               \
    "  ld.param.b32 %n, [n];\n  setp.gt.u32 %p, %n, 1;\n  @%p bra MORE;\n  st.param.b32 [r], %n;\n  ret;\n"  \
    "MORE:\n  sub.u32 %a, %n, 1;\n"                                                                          \
    "  {\n  .param .b32 x;\n  .param .b32 y;\n  st.param.b32 [x], %a;\n  call (y), fib, (x);\n  "            \
    "ld.param.b32 %a, [y];\n  }\n"                                                                           \
    "  sub.u32 %b, %n, 2;\n"                                                                                 \
    "  {\n  .param .b32 x;\n  .param .b32 y;\n  st.param.b32 [x], %b;\n  call (y), fib, (x);\n  "            \
    "ld.param.b32 %b, [y];\n  }\n"                                                                           \
    "  add.u32 %a, %a, %b;\n  st.param.b32 [r], %a;\n  ret;\n}\n"

#define ONE_TO_ONE(name, body)                                                                               \
    ".func (.param .b32 r) " name " (.param .b32 n) {\n  .reg .b32 %n;\n  ld.param.b32 %n, [n];\n" body      \
    "  st.param.b32 [r], %n;\n  ret;\n}\n"

#define LOCK(address)                                                                                        \
    "TRY:\n  atom.acquire.gpu.cas.b32 %r1, [" address                                                        \
    "], 0, 1;\n  setp.ne.u32 %p1, %r1, 0;\n  @%p1 bra TRY;\n"                                                \
    "  ld.volatile.global.b32 %r2, [%out+4];\n  add.u32 %r2, %r2, 1;\n  st.volatile.global.b32 [%out+4], "   \
    "%r2;\n"                                                                                                 \
    "  fence.acq_rel.gpu;\n  atom.release.gpu.exch.b32 %r3, [" address "], 0;\n"

static const struct scene list[] = {
    {"loops of each lane's own length", .grid = 2,
     .body = "  add.u32 %r1, %x, 1;\n  mov.u32 %r2, 0;\nLOOP:\n  setp.eq.u32 %p1, %r1, 1;\n  @%p1 bra OUT;\n"
             "  and.b32 %r3, %r1, 1;\n  setp.eq.u32 %p2, %r3, 0;\n  @%p2 bra EVEN;\n  mad.lo.u32 %r1, %r1, "
             "3, 1;\n"
             "  bra NEXT;\nEVEN:\n  shr.u32 %r1, %r1, 1;\nNEXT:\n  add.u32 %r2, %r2, 1;\n  bra "
             "LOOP;\nOUT:\n" STORE("%r2"),
     .expect = collatz},
    {"early exits and returns",
     .body =
         "  rem.u32 %r1, %x, 3;\n  setp.eq.u32 %p1, %r1, 0;\n  @%p1 ret;\n  setp.eq.u32 %p2, %r1, 1;\n"
         "  mov.u32 %r2, 5;\n  @!%p2 bra ON;\n" STORE("%r2") "  exit;\nON:\n  mov.u32 %r2, 9;\n" STORE("%r2"),
     .expect = early},
    {"lanes part and meet again: in one arm, in two, in an arm of an arm",
     .body = "  mov.u32 %r1, 7;\n  and.b32 %r2, %x, 3;\n  setp.eq.u32 %p1, %r2, 1;\n  @!%p1 bra ONE;\n"
             "  mul.lo.u32 %r1, %x, %x;\nONE:\n  setp.lt.u32 %p1, %lane, 13;\n  @%p1 bra LOW;\n"
             "  mad.lo.u32 %r3, %x, %x, 100;\n  add.u32 %r1, %r1, %r3;\n  bra.uni MET;\nLOW:\n"
             "  setp.eq.u32 %p2, %r2, 2;\n  @%p2 bra INNER;\n  xor.b32 %r1, %r1, 0x55;\nINNER:\n"
             "  xor.b32 %r3, %x, %r2;\nMET:\n  add.u32 %r1, %r1, %r3;\n" STORE("%r1"),
     .expect = parted},
    {"lanes that part where an index wraps", .module = ".global .u32 big = 2147483632;\n",
     .body =
         "  mul.lo.u32 %r3, %x, %x;\n  ld.global.u32 %r2, [big];\n  add.u32 %r1, %r2, %lane;\n"
         "  and.b32 %r4, %x, 1;\n  setp.eq.u32 %p1, %r4, 0;\n  @%p1 bra MET;\n"
         "  mul.wide.s32 %d1, %r1, 4;\n  shr.u64 %d1, %d1, 32;\n  cvt.u32.u64 %r3, %d1;\nMET:\n" STORE("%r3"),
     .expect = parted_wrap},
    {"brx.idx",
     .body = "  and.b32 %r1, %x, 3;\n  TABLE: .branchtargets A, B, C, D;\n  brx.idx %r1, TABLE;\n"
             "A:\n  add.u32 %r2, %x, 100;\n  bra OUT;\nD:\n  mul.lo.u32 %r2, %x, 3;\n  add.u32 %r2, %r2, "
             "7;\n  bra OUT;\n"
             "B:\n  mul.lo.u32 %r2, %x, 3;\n  bra OUT;\nC:\n  not.b32 %r2, %x;\nOUT:\n" STORE("%r2"),
     .expect = table},
    {"loops that share their middle",
     .body =
         "  mov.u32 %r1, %x;\n  mov.u32 %r2, 0;\n"
         "LEFT:\n  mad.lo.u32 %r1, %r1, 5, 1;\n  add.u32 %r2, %r2, 1;\n  setp.gt.u32 %p1, %r2, 20;\n  @%p1 "
         "bra DONE;\n"
         "  and.b32 %r3, %r1, 1;\n  setp.ne.u32 %p2, %r3, 0;\n  @%p2 bra MIDDLE;\n  bra RIGHT;\n"
         "MIDDLE:\n  shr.u32 %r4, %r1, 3;\n  xor.b32 %r1, %r1, %r4;\n  add.u32 %r2, %r2, 1;\n"
         "  setp.gt.u32 %p1, %r2, 20;\n  @%p1 bra DONE;\n  and.b32 %r3, %r1, 2;\n  setp.ne.u32 %p2, %r3, "
         "0;\n  @%p2 bra LEFT;\n"
         "RIGHT:\n  add.u32 %r1, %r1, 7;\n  add.u32 %r2, %r2, 1;\n  setp.gt.u32 %p1, %r2, 20;\n  @%p1 bra "
         "DONE;\n"
         "  and.b32 %r3, %r1, 4;\n  setp.ne.u32 %p2, %r3, 0;\n  @%p2 bra MIDDLE;\n  bra LEFT;\nDONE:\n" STORE(
             "%r1"),
     .expect = unstructured},
    {"recursion, differently deep in each lane", .module = FIB,
     .body = "  rem.u32 %r1, %x, 11;\n  {\n  .param .b32 a;\n  .param .b32 b;\n  st.param.b32 [a], %r1;\n"
             "  call (b), fib, (a);\n  ld.param.b32 %r2, [b];\n  }\n" STORE("%r2"),
     .expect = fibonacci},
    {"calls through pointers that differ between lanes",
     .module = ONE_TO_ONE("plus", "  add.u32 %n, %n, 10;\n")
         ONE_TO_ONE("square", "  mul.lo.u32 %n, %n, %n;\n") ONE_TO_ONE(
             "less", "  sub.u32 %n, %n, 1;\n") ".global .align 8 .u64 which[3] = {plus, square, less};\n",
     .body =
         "  rem.u32 %r1, %x, 3;\n  mov.u64 %d1, which;\n  mul.wide.u32 %d2, %r1, 8;\n  add.s64 %d1, %d1, "
         "%d2;\n"
         "  ld.global.u64 %d3, [%d1];\n  PROTO: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
         "  {\n  .param .b32 a;\n  .param .b32 b;\n  st.param.b32 [a], %x;\n  call (b), %d3, (a), PROTO;\n"
         "  ld.param.b32 %r2, [b];\n  }\n" STORE("%r2"),
     .expect = by_pointer},
    {"structures as arguments and results",
     .module =
         ".func (.param .align 4 .b8 r[8]) pair (.param .align 4 .b8 s[12]) {\n  .reg .b32 %a, %b, %c, %d;\n"
         "  ld.param.b32 %a, [s];\n  ld.param.b32 %b, [s+4];\n  ld.param.u8 %c, [s+8];\n"
         "  mad.lo.u32 %d, %b, 2, %a;\n  mad.lo.u32 %d, %c, 3, %d;\n  xor.b32 %a, %a, %b;\n"
         "  st.param.b32 [r], %d;\n  st.param.b32 [r+4], %a;\n  ret;\n}\n",
     .body = "  add.u32 %r1, %x, 1;\n  shl.b32 %r2, %x, 1;\n  xor.b32 %r3, %x, 0x55;\n  {\n  .param .align 4 "
             ".b8 s[12];\n"
             "  .param .align 4 .b8 r[8];\n  st.param.b32 [s], %r1;\n  st.param.b32 [s+4], %r2;\n  "
             "st.param.b8 [s+8], %r3;\n"
             "  call.uni (r), pair, (s);\n  ld.param.b32 %r4, [r];\n  ld.param.b32 %r5, [r+4];\n  }\n"
             "  add.u32 %r4, %r4, %r5;\n" STORE("%r4"),
     .expect = by_struct},
    {"each call has local memory of its own",
     .module =
         ".func (.param .b32 r) deep (.param .b32 n, .param .b32 x) {\n  .reg .b32 %n, %x, %v, %s;\n  .reg "
         ".pred %p;\n"
         "  .reg .b64 %a;\n  .local .align 8 .b8 cell[16];\n  ld.param.b32 %n, [n];\n  ld.param.b32 %x, "
         "[x];\n"
         "  mad.lo.u32 %v, %n, 10, %x;\n  mov.u64 %a, cell;\n  st.local.b32 [%a+8], %v;\n  mov.u32 %s, 0;\n"
         "  setp.eq.u32 %p, %n, 0;\n  @%p bra LAST;\n  sub.u32 %n, %n, 1;\n  {\n  .param .b32 a;\n  .param "
         ".b32 b;\n"
         "  .param .b32 c;\n  st.param.b32 [a], %n;\n  st.param.b32 [b], %x;\n  call (c), deep, (a, b);\n"
         "  ld.param.b32 %s, [c];\n  }\nLAST:\n  ld.local.b32 %v, [%a+8];\n  add.u32 %s, %s, %v;\n"
         "  st.param.b32 [r], %s;\n  ret;\n}\n",
     .body =
         "  rem.u32 %r1, %x, 6;\n  {\n  .param .b32 a;\n  .param .b32 b;\n  .param .b32 c;\n  st.param.b32 "
         "[a], %r1;\n"
         "  st.param.b32 [b], %x;\n  call (c), deep, (a, b);\n  ld.param.b32 %r2, [c];\n  }\n" STORE("%r2"),
     .expect = locals_of_calls},
    {"a lock that lanes, warps and blocks share", .grid = 2, .block = {96}, .fuel = 500, .body = LOCK("%out"),
     .expect = locked},
    {"lanes that wait for a later lane's store", .block = {64}, .fuel = 500,
     .body = "  setp.eq.u32 %p1, %t, 63;\n  @%p1 bra LAST;\nWAIT:\n  ld.volatile.global.b32 %r1, [%out+8];\n"
             "  setp.eq.u32 %p2, %r1, 0;\n  @%p2 bra WAIT;\n  red.global.add.u32 [%out+4], 1;\n  bra END;\n"
             "LAST:\n  mov.u32 %r2, 1;\n  nanosleep.u32 100;\n  red.global.add.u32 [%out+4], 1;\n"
             "  st.volatile.global.b32 [%out+8], %r2;\n",
     .expect = waited},
    {"lanes that wait in a loop with two entries", .block = {64}, .fuel = 500,
     .body =
         "  setp.eq.u32 %p1, %t, 63;\n  @%p1 bra LAST;\n  and.b32 %r3, %t, 1;\n  setp.eq.u32 %p3, %r3, 0;\n"
         "  @%p3 bra SECOND;\nFIRST:\n  ld.volatile.global.b32 %r1, [%out+8];\n"
         "  setp.ne.u32 %p2, %r1, 0;\n  @%p2 bra SEEN;\n"
         "SECOND:\n  ld.volatile.global.b32 %r1, [%out+8];\n  setp.eq.u32 %p2, %r1, 0;\n"
         "  @%p2 bra FIRST;\nSEEN:\n  red.global.add.u32 [%out+4], 1;\n  bra END;\n"
         "LAST:\n  mov.u32 %r2, 1;\n  nanosleep.u32 100;\n  red.global.add.u32 [%out+4], 1;\n"
         "  st.volatile.global.b32 [%out+8], %r2;\n",
     .expect = waited},
    /* Each one vpternlogd under two masks, with a register that nothing else wants: it stays in memory. */
    {"bits by tables, where lanes are apart",
     .body = "  mad.lo.u32 %r1, %x, 0x9e3779b9, 5;\n  xor.b32 %r2, %r1, 0x5bd1e995;\n"
             "  mad.lo.u32 %r3, %x, 0x85ebca6b, 1;\n  shr.u32 %r4, %r3, 5;\n  mad.lo.u32 %r5, %x, "
             "0xc2b2ae35, 9;\n"
             "  not.b32 %r6, %r5;\n  mad.lo.u32 %r7, %x, 0x27d4eb2f, 3;\n  shl.b32 %r8, %r7, 3;\n"
             "  and.b32 %r9, %x, 3;\n  setp.eq.u32 %p1, %r9, 1;\n  mul.lo.u32 %r10, %x, 7;\n  @%p1 bra OUT;\n"
             "  and.b32 %r11, %r10, 4;\n  setp.eq.u32 %p2, %r11, 0;\n"
             "  @%p2 lop3.b32 %r2, %r1, %r2, 14, 0x65;\n  @%p2 lop3.b32 %r4, %r4, %r3, 14, 0x65;\n"
             "  @%p2 lop3.b32 %r6, 14, %r5, %r6, 0x65;\n  @%p2 lop3.b32 %r8, %r8, 14, %r7, 0x65;\nOUT:\n"
             "  xor.b32 %r2, %r2, %r4;\n  add.u32 %r6, %r6, %r8;\n  mad.lo.u32 %r2, %r2, 33, %r6;\n" STORE(
                 "%r2")},
    {"trap", .body = "  setp.ne.u32 %p1, %lane, 9;\n  @%p1 bra END;\n  trap;\n", .fault = WG_FAULT_TRAP,
     .fault_lane = 9},
    {"a branch out of its table",
     .body = "  TABLE: .branchtargets A, B;\n  brx.idx %lane, TABLE;\nA:\n  bra END;\nB:\n  bra END;\n",
     .fault = WG_FAULT_TRAP, .fault_lane = 2},
    {"a call of what is no function",
     .module = ONE_TO_ONE("plus", "  add.u32 %n, %n, 10;\n") ".global .align 8 .u64 which[1] = {plus};\n",
     .body =
         "  ld.global.u64 %d1, [which];\n  setp.eq.u32 %p1, %lane, 4;\n  @%p1 add.s64 %d1, %d1, 123456;\n"
         "  PROTO: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
         "  {\n  .param .b32 a;\n  .param .b32 b;\n  st.param.b32 [a], %x;\n  call (b), %d1, (a), PROTO;\n"
         "  ld.param.b32 %r2, [b];\n  }\n" STORE("%r2"),
     .fault = WG_FAULT_CALL, .fault_lane = 4},
    {"recursion without end",
     .module =
         ".func down (.param .b32 n) {\n  .reg .b32 %n;\n  ld.param.b32 %n, [n];\n  add.u32 %n, %n, 1;\n"
         "  {\n  .param .b32 a;\n  st.param.b32 [a], %n;\n  call down, (a);\n  }\n  ret;\n}\n",
     .body = "  {\n  .param .b32 a;\n  st.param.b32 [a], %x;\n  call down, (a);\n  }\n",
     .fault = WG_FAULT_STACK},
    {"an instruction that is not there yet",
     .body = "  tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, {%r1, %r1}];\n", .refused = "tex"},
};
const struct scenes control_scenes = {list, sizeof list / sizeof *list};
