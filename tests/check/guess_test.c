/* Which plain loads are taken for the guess of an exchange by compare: check/instrument/guess.h. */
#include "base/diag.h"
#include "check/finding.h"
#include "check/instrument/instrument.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define LOAD      "ld.global.u32 %old, [%d+8];\n"
#define TAKE      "add.u32 %new, %old, 1; atom.global.cas.b32 %x, [%d+8], %old, %new;\n"
#define AGAIN     "setp.ne.u32 %p, %old, %x; mov.u32 %old, %x; @%p bra LOOP;\n"
#define LOOP      "LOOP:\n" TAKE AGAIN
#define STORE(r)  "st.global.u32 [%e], " r ";\n"
#define UNLESS(b) "@%p bra N;\n" b "N:\n"

/* y: the load is a guess; n: it is not. */
static const struct {
    const char *what, *text;
    char expected;
} cases[] = {
    {"a loop of exchanges", LOAD LOOP, 'y'},
    {"one exchange", LOAD TAKE, 'y'},
    {"what the exchange found", LOAD TAKE STORE("%x"), 'y'},
    {"what the loop found", LOAD LOOP STORE("%old"), 'y'},
    {"what was right", LOAD "LOOP:\nmov.u32 %r, %old;\n" TAKE AGAIN STORE("%r"), 'y'},
    {"what follows from what was right", LOAD "LOOP:\nmul.lo.u32 %r, %old, 3;\n" TAKE AGAIN STORE("%r"), 'y'},
    {"whether it was right", LOAD TAKE "setp.eq.u32 %p, %x, %old; selp.u32 %r, 1, 0, %p;\n" STORE("%r"), 'y'},
    {"what was wrong", LOAD "mov.u32 %r, %old;\n" LOOP STORE("%r"), 'n'},
    {"stored before", LOAD STORE("%old") LOOP, 'n'},
    {"stored beside", LOAD "LOOP:\n" TAKE STORE("%new") AGAIN, 'n'},
    {"stored where the exchange failed", LOAD TAKE "setp.eq.u32 %p, %x, %old;\n" UNLESS(STORE("%old")), 'n'},
    {"stored where it went right", LOAD TAKE "setp.ne.u32 %p, %x, %old;\n" UNLESS(STORE("%old")), 'y'},
    {"an address", LOAD "mul.wide.u32 %r64, %old, 4; ld.global.u32 %r, [%r64];\n" LOOP, 'n'},
    {"added to", LOAD "red.global.add.u32 [%d+8], %old;\n", 'n'},
    {"another address", "ld.global.u32 %old, [%d+4];\n" LOOP, 'n'},
    {"the same address", "add.u64 %f, %d, 8; ld.global.u32 %old, [%f];\n" LOOP, 'y'},
    {"the address moves on", LOAD "add.u64 %d, %d, 4;\n" LOOP, 'n'},
    {"other bytes", "ld.global.u16 %h, [%d+8]; cvt.u32.u16 %old, %h;\n" LOOP, 'n'},
    {"an exchange of something else", LOAD "atom.global.cas.b32 %x, [%d+8], 0, %old;\n", 'n'},
    {"what the guess makes, compared",
     LOAD "add.u32 %r, %old, 1; atom.global.cas.b32 %x, [%d+8], %r, %old;\n", 'n'},
    {"a volatile load", "ld.volatile.global.u32 %old, [%d+8];\n" LOOP, 'n'},
    {"it decides about nothing but exchanges",
     LOAD "LOOP:\nsetp.gt.u32 %p, %old, 9; @%p bra N;\n" TAKE AGAIN "N:\n" STORE("%n"), 'y'},
    {"and what was found is stored",
     LOAD "LOOP:\nsetp.gt.u32 %p, %old, 9; @%p bra N;\n" TAKE AGAIN "N:\n" STORE("%old"), 'n'},
    {"it decides about a store", LOAD "setp.gt.u32 %p, %old, 9;\n" UNLESS(STORE("%n")) LOOP, 'n'},
    {"it decides about a barrier", LOAD "setp.gt.u32 %p, %old, 9;\n" UNLESS("bar.sync 0;\n") LOOP, 'n'},
    {"it decides what is stored",
     LOAD "mov.u32 %r, 1; setp.gt.u32 %p, %old, 9;\n" UNLESS("mov.u32 %r, 2;\n") STORE("%r") LOOP, 'n'},
    {"it decides what is exchanged",
     LOAD "LOOP:\nsetp.gt.u32 %p, %old, 9; mov.u32 %new, 1;\n" UNLESS(
         "mov.u32 %new, 2;\n") "atom.global.cas.b32 %x, [%d+8], %old, %new;\n" AGAIN,
     'y'},
    {"a store under its condition", LOAD "setp.gt.u32 %p, %old, 9; @%p st.global.u32 [%e], %n;\n" LOOP, 'n'},
    {"a shuffle", LOAD "shfl.sync.down.b32 %r, %old, 1, 31, -1;\n" LOOP, 'n'},
};

static char guessed(const struct wg_ir_module *m) {
    struct wg_instrumented *x = wg_instrument(m, 1u << WG_CHECK_race, false);
    const struct wg_ir_func *f = &m->funcs[0];
    char is = '?';
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (in->op == WG_OP_LD && in->space == WG_S_GLOBAL && is == '?')
                is = x->sites[in->id].guess ? 'y' : 'n';
        }
    wg_instrumented_free(x);
    return is;
}

static void what_is_a_guess(void **state) {
    char text[4096];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct wg_diag d = {0};
        int n =
            snprintf(text, sizeof text,
                     ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
                     ".reg .b16 %%h; .reg .b32 %%old, %%new, %%x, %%r, %%n; .reg .b64 %%d, %%e, %%f, %%r64; "
                     ".reg .pred %%p;\nld.param.u64 %%d, [p];\nadd.u64 %%e, %%d, 64;\nmov.u32 %%n, 5;\n"
                     "mov.u32 %%r, 0;\n%sret;\n}\n",
                     cases[i].text);
        struct wg_ir_module *m = wg_ir_from_ptx("k.ptx", text, (size_t)n, &d);
        if (!m) fail_msg("%s: %s", cases[i].what, d.text.s);
        char got = guessed(m);
        if (got != cases[i].expected) fail_msg("%s: %c, not %c", cases[i].what, got, cases[i].expected);
        wg_ir_free(m);
    }
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_a_guess)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
