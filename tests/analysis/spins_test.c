/* Which loops give up their turn, and when (analysis/spins.h): each kernel's loops, in the order of their
 * headers. */
#include "analysis/spins.h"
#include "base/strbuf.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define NEVER "-"
#define LATE  "l"
#define SOON  "s"

static const struct {
    const char *what, *body, *loops;
} list[] = {
    {"a lock", "L: atom.cas.b32 %r1, [%d0], 0, 1; setp.ne.u32 %p0, %r1, 0; @%p0 bra L;", SOON},
    {"a flag that another sets", "L: ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra L;",
     SOON},
    {"a flag behind a fence, read by a weak load",
     "L: membar.gl; ld.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra L;", SOON},
    {"weak loads alone", "L: ld.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra L;", NEVER},
    {"a lock that is given up after some turns",
     "mov.u32 %r2, 0; L: atom.cas.b32 %r1, [%d0], 0, 1; setp.eq.u32 %p0, %r1, 0; @%p0 bra E;\n"
     "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 9; @%p1 bra L; E:",
     SOON},
    {"a lock taken and given back in the loop",
     "mov.u32 %r2, 0; L: atom.cas.b32 %r1, [%d0], 0, 1; setp.ne.u32 %p0, %r1, 0; @%p0 bra N;\n"
     "atom.exch.b32 %r3, [%d0], 0; mov.u32 %r2, 1; N: setp.eq.u32 %p1, %r2, 0; @%p1 bra L;",
     SOON},
    {"what others write chooses how it is counted",
     "mov.u32 %r2, 0; L: ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra N;\n"
     "add.u32 %r2, %r2, 1; N: setp.lt.u32 %p1, %r2, 9; @%p1 bra L;",
     SOON},
    {"an exit that what others write leads to",
     "mov.u32 %r2, 0; L: add.u32 %r2, %r2, 1; ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 0;\n"
     "@%p0 bra L; setp.gt.u32 %p1, %r2, 9; @!%p1 bra L;",
     SOON},
    {"a sum by compare and swap",
     "ld.global.u32 %r1, [%d0]; L: mov.u32 %r2, %r1; add.u32 %r3, %r2, 5;\n"
     "atom.cas.b32 %r1, [%d0], %r2, %r3; setp.ne.u32 %p0, %r1, %r2; @%p0 bra L;",
     SOON},
    {"a table's places, one after the other",
     "mov.u64 %d1, %d0; L: atom.cas.b32 %r1, [%d1], 0, 1; setp.eq.u32 %p0, %r1, 0; @%p0 bra E;\n"
     "add.u64 %d2, %d1, 4; mov.u64 %d1, %d2; bra L; E:",
     LATE},
    {"work from a counter", "L: atom.add.u32 %r1, [%d0], 1; setp.lt.u32 %p0, %r1, 99; @%p0 bra L;", LATE},
    {"a counter that is only read", "L: atom.add.u32 %r1, [%d0], 0; setp.lt.u32 %p0, %r1, 99; @%p0 bra L;",
     SOON},
    {"counted turns with an atomic",
     "mov.u32 %r2, 0; L: atom.add.u32 %r1, [%d0], 1; st.global.u32 [%d0+4], %r1; add.u32 %r2, %r2, 1;\n"
     "setp.lt.u32 %p0, %r2, 9; @%p0 bra L;",
     NEVER},
    {"a lock inside counted turns",
     "mov.u32 %r2, 0; K: add.u32 %r2, %r2, 1; L: atom.cas.b32 %r1, [%d0], 0, 1; setp.ne.u32 %p0, %r1, 0;\n"
     "@%p0 bra L; setp.lt.u32 %p1, %r2, 9; @%p1 bra K;",
     NEVER SOON},
    {"no end", "L: membar.gl; bra L;", SOON},
    {"two entries",
     "setp.eq.u32 %p0, %r0, 0; @%p0 bra M; L: ld.volatile.global.u32 %r1, [%d0]; setp.ne.u32 %p1, %r1, 0;\n"
     "@%p1 bra E; M: ld.volatile.global.u32 %r1, [%d0]; setp.eq.u32 %p2, %r1, 0; @%p2 bra L; E:",
     SOON},
    {"a function that takes a lock",
     "L: { .param .b32 r; call (r), take, (); ld.param.b32 %r1, [r]; } setp.ne.u32 %p0, %r1, 0; @%p0 bra L;",
     SOON},
    {"a function that computes",
     "L: { .param .b32 r; call (r), make, (); ld.param.b32 %r1, [r]; } setp.ne.u32 %p0, %r1, 0; @%p0 bra L;",
     NEVER},
};

static const char head[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.global .u32 held;\n"
    ".func (.param .b32 r) take () {\n  .reg .b32 %v;\n  atom.global.cas.b32 %v, [held], 0, 1;\n"
    "  st.param.b32 [r], %v;\n  ret;\n}\n"
    ".func (.param .b32 r) make () {\n  .reg .b32 %v;\n  mov.u32 %v, %clock;\n  st.param.b32 [r], %v;\n"
    "  ret;\n}\n"
    ".visible .entry k(.param .u64 p) {\n  .reg .b32 %r<9>;\n  .reg .b64 %d<9>;\n  .reg .pred %p<9>;\n"
    "  ld.param.u64 %d0, [p];\n  mov.u32 %r0, %tid.x;\n";

static void loops_yield(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        struct wg_strbuf ptx = {0}, kinds = {0};
        struct wg_diag d = {0};
        struct wg_arena a = {0};
        wg_strbuf_printf(&ptx, "%s%s\n  st.global.u32 [%%d0+8], %%r1;\n  ret;\n}\n", head, list[k].body);
        struct wg_ir_module *m = wg_ir_from_ptx("spins.ptx", ptx.s, ptx.n, &d);
        if (!m) fail_msg("%s: %s", list[k].what, d.text.s);
        const struct wg_ir_func *f = &m->funcs[wg_ir_find_func(m, "k")];
        const uint8_t *yields = wg_spins_find(&a, m, f);
        for (uint32_t b = 0; b < f->nblocks; b++)
            if (f->blocks[b].loop == b || yields[b])
                wg_strbuf_printf(&kinds, "%s", (const char *const[]){NEVER, LATE, SOON}[yields[b]]);
        if (strcmp(kinds.s ? kinds.s : "", list[k].loops) != 0)
            fail_msg("%s: '%s', not '%s'", list[k].what, kinds.s ? kinds.s : "", list[k].loops);
        wg_ir_free(m);
        wg_arena_free(&a);
        wg_strbuf_free(&ptx);
        wg_strbuf_free(&kinds);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(loops_yield)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
