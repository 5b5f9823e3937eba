/* Which accesses to shared memory are proven to race with nothing: check/instrument/quiet.h. */
#include "base/diag.h"
#include "check/finding.h"
#include "check/instrument/instrument.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define LOAD          "ld.shared.u32 %x, [%a];\n"
#define STORE         "st.shared.u32 [%a], %x;\n"
#define ADD           "red.shared.add.u32 [%a], 1;\n"
#define BARRIER       "bar.sync 0;\n"
#define CLUSTER       "barrier.cluster.arrive; barrier.cluster.wait;\n"
#define REMOTE_ADD    "mapa.shared::cluster.u32 %r, %a, 1; red.shared::cluster.add.u32 [%r], 1;\n"
#define LOOP(n, body) "L" n ":\n" body "add.u32 %k, %k, 1; setp.lt.u32 %p, %k, %n; @%p bra L" n ";\n"
#define IF(n, body)   "setp.lt.u32 %q, %t, 5; @%q bra N" n ";\n" body "N" n ":\n"

/* For each access in the order of the text whether it is told of, perhaps quiet, or quiet. */
static const struct {
    const char *what, *text, *expected;
} cases[] = {
    {"a tile, written and read", STORE BARRIER LOAD LOAD, "pqq"},
    {"without its barrier", STORE LOAD, "pp"},
    {"read only", LOAD BARRIER LOAD, "qq"},
    {"product of tiles", LOOP("1", STORE BARRIER LOAD BARRIER), "pq"},
    {"its second barrier forgotten", LOOP("1", STORE BARRIER LOAD), "pp"},
    {"its first barrier forgotten", LOOP("1", STORE LOAD BARRIER), "pp"},
    {"a loop inside", LOOP("1", STORE BARRIER LOOP("2", LOAD) BARRIER), "pq"},
    {"two loops after one another", LOOP("1", STORE BARRIER) LOOP("2", LOAD BARRIER), "pq"},
    {"a part of the threads in both", LOOP("1", IF("3", STORE) BARRIER) LOOP("2", IF("4", LOAD) BARRIER),
     "pq"},
    {"not as often for all threads", "mov.u32 %n, %t;\n" LOOP("1", STORE BARRIER) LOOP("2", LOAD BARRIER),
     "pp"},
    {"iterations without a barrier", LOOP("1", STORE) BARRIER LOOP("2", LOAD BARRIER), "pq"},
    {"no barrier between two loops", LOOP("1", BARRIER STORE) LOOP("2", LOAD BARRIER), "pp"},
    {"histogram", STORE BARRIER LOOP("1", ADD) BARRIER LOAD, "pqq"},
    {"additions and a load", ADD LOAD, "pp"},
    {"additions and fences", ADD "membar.cta;\n" ADD, "tt"},
    {"a barrier for some of the threads", STORE "bar.sync 1, 64;\n" LOAD, "tt"},
    {"threads that only come by", STORE "bar.arrive 1, 64;\n" BARRIER LOAD, "tt"},
    {"another number", STORE "bar.sync 3;\n" LOAD, "pq"},
    {"a reduction", STORE "bar.red.popc.u32 %y, 0, %p;\n" LOAD, "pq"},
    {"threads that skip the barrier", STORE IF("1", BARRIER) LOAD, "pp"},
    {"and come to the next", STORE IF("1", BARRIER STORE) BARRIER LOAD, "ppp"},
    {"barriers on both ways",
     STORE "setp.lt.u32 %p, %t, 5; @%p bra A;\n" BARRIER LOAD "bra.uni B;\nA:\n" BARRIER LOAD "B:\n", "pqq"},
    {"one way writes",
     "setp.lt.u32 %p, %t, 5; @%p bra A;\n" BARRIER LOAD "bra.uni B;\nA:\n" BARRIER STORE "B:\n", "pp"},
    {"different barriers",
     STORE "setp.lt.u32 %p, %t, 5; @%p bra A;\nbar.sync 1;\n" LOAD "bra.uni B;\nA:\nbar.sync 2;\n" LOAD
           "B:\n",
     "pqq"},
    {"threads that end", "setp.lt.u32 %p, %t, 5; @%p exit;\n" STORE BARRIER LOAD, "pq"},
    {"volatile", "ld.volatile.shared.u32 %x, [%a];\n" LOAD, "tq"},
    {"generic addresses", STORE BARRIER "ld.u32 %x, [%d];\n" LOAD BARRIER "st.u32 [%d], %x;\n", "pqqp"},
    {"a lane's own copies", "cp.async.ca.shared.global [%a], [%d], 4;\n" BARRIER LOAD BARRIER LOAD, "tt"},
    {"cluster", STORE CLUSTER REMOTE_ADD CLUSTER LOAD, "pqq"},
    {"a cluster, and the block's barrier alone", STORE BARRIER REMOTE_ADD CLUSTER LOAD, "ttq"},
    {"a block that ends too early", STORE CLUSTER LOAD CLUSTER REMOTE_ADD, "pqt"},
    {"a barrier of the cluster in two parts",
     STORE "barrier.cluster.arrive;\n" LOAD "barrier.cluster.wait;\n" REMOTE_ADD CLUSTER, "ttt"},
};

static bool touches_shared(const struct wg_ir_instr *in) {
    bool access = in->op == WG_OP_LD || in->op == WG_OP_ST || in->op == WG_OP_RED;
    return access && (in->space == WG_S_SHARED || in->space == WG_S_CLUSTER || in->space == WG_S_GENERIC);
}

static void print_quiet(const struct wg_ir_module *m, bool tell_all, char *out) {
    struct wg_instrumented *x = wg_instrument(m, UINT32_MAX, tell_all);
    const struct wg_ir_func *f = &x->module->funcs[0];
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (!touches_shared(in)) continue;
            uint8_t quiet = x->sites[in->id].quiet;
            for (uint32_t k = 0; k < i; k++) {
                const struct wg_ir_instr *ask = &f->blocks[b].instrs[k];
                if (ask->op == WG_OP_CHECK_ACCESS && ask->id == in->id) assert_int_equal(ask->quiet, quiet);
            }
            *out++ = "tpq"[quiet];
        }
    *out = 0;
    wg_instrumented_free(x);
}

static void what_is_quiet(void **state) {
    char text[4096], got[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct wg_diag d = {0};
        int n =
            snprintf(text, sizeof text,
                     ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 p)\n{\n"
                     ".reg .b32 %%a, %%r, %%t, %%k, %%n, %%x, %%y; .reg .b64 %%d; .reg .pred %%p, %%q;\n"
                     ".shared .align 4 .b8 tile[4096];\nld.param.u32 %%n, [p];\nmov.u32 %%t, %%tid.x;\n"
                     "mov.u32 %%k, 0;\nmov.u32 %%a, tile;\nmad.lo.u32 %%a, %%t, 4, %%a;\n"
                     "cvt.u64.u32 %%d, %%a; cvta.shared.u64 %%d, %%d;\n%sret;\n}\n",
                     cases[i].text);
        struct wg_ir_module *m = wg_ir_from_ptx("k.ptx", text, (size_t)n, &d);
        if (!m) fail_msg("%s: %s", cases[i].what, d.text.s);
        print_quiet(m, false, got);
        if (strcmp(got, cases[i].expected) != 0)
            fail_msg("%s: %s, not %s", cases[i].what, got, cases[i].expected);
        print_quiet(m, true, got);
        assert_null(strchr(got, 'q'));
        wg_ir_free(m);
    }
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_quiet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
