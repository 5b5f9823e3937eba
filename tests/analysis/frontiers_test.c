/* Where lanes may wait while a block runs, of kernels with random branches, loops and barriers: as the rule
 * says, worked out pair by pair. */
#include "analysis/flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t below(uint64_t *random, uint32_t n) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*random >> 33) % n;
}

/* Sixteen places, each of which branches to any other by the thread's number, a word that it spins for or the
 * same in all lanes; some wait for the block. */
static struct wg_ir_module *make(uint64_t random) {
    enum { PLACES = 16 };
    static const char *const conditions[] = {"%r1", "%r2", "%r3"};
    struct wg_strbuf text = {0};
    wg_strbuf_printf(&text, ".version 8.0\n.target sm_90\n.address_size 64\n"
                            ".visible .entry k(.param .u64 p, .param .u32 n) {\n"
                            ".reg .pred %%p1;\n.reg .b32 %%r<5>;\n.reg .b64 %%rd1;\n"
                            "ld.param.u64 %%rd1, [p];\nld.param.u32 %%r2, [n];\nmov.u32 %%r1, %%tid.x;\n");
    for (uint32_t i = 0; i < PLACES; i++) {
        wg_strbuf_printf(&text, "L%u:\n", i);
        if (below(&random, 6) == 0) wg_strbuf_printf(&text, "bar.sync 0;\n");
        if (below(&random, 6) == 0) wg_strbuf_printf(&text, "bar.warp.sync 0xffffffff;\n");
        wg_strbuf_printf(&text, "ld.volatile.global.u32 %%r3, [%%rd1];\nsetp.eq.u32 %%p1, %s, %u;\n",
                         conditions[below(&random, 3)], i);
        uint32_t to = below(&random, 3) ? i + 1 + below(&random, 4) : below(&random, i + 1);
        if (to > PLACES) to = PLACES;
        wg_strbuf_printf(&text, "@%%p1 bra L%u;\n", to);
        if (below(&random, 9) == 0) wg_strbuf_printf(&text, "exit;\n");
    }
    wg_strbuf_printf(&text, "L%u:\nret;\n}\n", PLACES);
    struct wg_diag d = {0};
    struct wg_ir_module *m = wg_ir_from_ptx("test", text.s, text.n, &d);
    if (!m) print_error("%s%s", text.s, d.text.s);
    assert_non_null(m);
    wg_diag_free(&d);
    wg_strbuf_free(&text);
    return m;
}

/* Any of those that wait may run next: each other one waits meanwhile if it is above, or may be passed over.
 */
static bool tell_all(const struct wg_analysis *an, wg_bits *frontier, const uint64_t *waiting) {
    uint32_t n = an->func->nblocks;
    bool grew = false;
    WG_BITS_EACH(x, waiting, n)
    WG_BITS_EACH(y, waiting, n) {
        bool waits = x == y ? wg_bits_has(an->stays, x) : y > x || wg_bits_has(an->passed, y);
        if (!waits || wg_bits_has(frontier[x], y)) continue;
        wg_bits_add(frontier[x], y);
        grew = true;
    }
    return grew;
}

static bool step(const struct wg_analysis *an, wg_bits *frontier, uint32_t b) {
    const struct wg_ir_block *blk = &an->func->blocks[b];
    const struct wg_ir_instr *last = blk->ninstrs ? &blk->instrs[blk->ninstrs - 1] : NULL;
    uint32_t n = an->func->nblocks;
    bool parts = wg_bits_has(an->divergent[WG_GENERAL], b), grew = false;
    uint64_t waiting[8];
    assert_true(n <= 8 * 64);
    wg_bits_copy(waiting, frontier[b], n);
    grew |= tell_all(an, frontier, waiting);
    for (uint32_t s = 0; s < blk->nsucc; s++) {
        if (!parts) wg_bits_copy(waiting, frontier[b], n);
        if ((last && wg_flow_parks(last)) || !wg_leads_to_exit(an->func, blk->succ[s]))
            wg_bits_add(waiting, blk->succ[s]);
        grew |= tell_all(an, frontier, waiting);
    }
    return grew;
}

static void as_the_rule_says(void **state) {
    struct wg_code_opts o = {
        .ntid = {64, 1, 1}, .opt_level = 2, .linear31 = true, .width = 256, .arena_bits = 44};
    uint32_t pairs = 0, passed = 0, stays = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct wg_ir_module *m = make(seed);
        struct wg_analysis *an = wg_analyse(m, &m->funcs[0], &o);
        uint32_t n = an->func->nblocks;
        wg_bits *frontier = WG_NEW_N(&an->arena, wg_bits, n);
        for (uint32_t b = 0; b < n; b++) frontier[b] = wg_bits_new(&an->arena, n);
        for (bool grew = true; grew;) {
            grew = false;
            for (uint32_t b = 0; b < n; b++) grew |= step(an, frontier, b);
        }
        for (uint32_t b = 0; b < n; b++) {
            passed += wg_bits_has(an->passed, b);
            stays += wg_bits_has(an->stays, b);
            for (uint32_t y = 0; y < n; y++) {
                pairs += wg_bits_has(frontier[b], y);
                if (wg_bits_has(frontier[b], y) != wg_bits_has(an->frontier[b], y))
                    fail_msg("kernel %u: does block %u wait while %u runs?", (unsigned)seed, y, b);
            }
        }
        wg_analysis_free(an);
        wg_ir_free(m);
    }
    assert_true(pairs > 1000 && passed > 100 && stays > 100); /* or there was nothing to see */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_rule_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
