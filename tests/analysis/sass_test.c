/* Machine code: the parser of its listing, and how often blocks were executed, from how often lines of the PTX were. */
#include <setjmp.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/sass_accesses.h"
#include "analysis/sass_counts.h"
#include "analysis/sass_hoists.h"

#define AT(line) "\t//## File \".nv_debug_ptx_txt\", line " #line "\n"
#define IN(text) "        /*0000*/                   " text " ;\n"
#define BEGIN    "ptxas 1.2\n\t.target\tsm_90\n\t.section\t.text.k,\"ax\",@progbits\nk:\n.text.k:\n"

enum { LINES = 40, BLOCKS = 40 };

struct machine {
    struct wg_arena a;
    struct wg_sass sass;
    const struct wg_sass_func *f;
    struct wg_sass_line lines[LINES];
    double times[BLOCKS];
};

static void parse(struct machine *m, const char *text) {
    *m = (struct machine){0};
    wg_sass_parse(&m->a, text, &m->sass);
    m->f = wg_sass_find(&m->sass, "k");
    assert_non_null(m->f);
    assert_true(m->f->nblocks < BLOCKS);
}
static void line(struct machine *m, uint32_t number, uint64_t times) {
    m->lines[number] = (struct wg_sass_line){.times = times, .known = true};
}
static bool count_entered(struct machine *m, double entered) {
    struct wg_sass_flow w;
    assert_true(wg_sass_flow_find(&m->a, m->f, 0, &w));
    return wg_sass_counts(&w, m->lines, LINES, entered, m->times);
}
static bool count(struct machine *m) { return count_entered(m, NAN); }

static void instructions_know_their_lines(void **state) {
    struct machine m;
    parse(&m,
          BEGIN AT(7) IN("S2R R0, SR_TID.X")
              AT(9) "        /*0010*/              @!P0 BRA `(.L_x_0) ;\n" AT(10)
                  IN("STG.E desc[UR4][R2.64], R0") ".L_x_0:\n" IN("EXIT") ".L_x_1:\n" IN(
                      "BRA `(.L_x_1)") "\t.section\t.text.other,\"ax\",@progbits\n.text.other:\n" IN("EXIT"));
    assert_string_equal(m.sass.assembler, "ptxas 1.2");
    assert_int_equal(m.sass.n, 2);
    assert_int_equal(m.f->ninstrs, 5);
    assert_int_equal(m.f->nblocks, 4);
    assert_string_equal(m.f->instrs[1].text, "@!P0 BRA `(.L_x_0)");
    assert_true(m.f->instrs[1].guarded && wg_sass_is(&m.f->instrs[1], "BRA"));
    assert_false(m.f->instrs[2].guarded);
    assert_int_equal(m.f->instrs[1].ptx_line, 9);
    assert_int_equal(m.f->instrs[3].ptx_line, 10);
    assert_int_equal(m.f->blocks[0].nnext, 2);
    assert_int_equal(m.f->blocks[0].next[0], 2);
    assert_int_equal(m.f->blocks[0].next[1], 1);
    assert_true(m.f->blocks[2].exits);
    assert_int_equal(m.f->blocks[2].nnext, 0);
    wg_arena_free(&m.a);
    (void)state;
}

/* What the launch's shape says: a kernel of which no line says anything runs once in each warp. */
static void warps_begin_at_the_entry(void **state) {
    struct machine m;
    parse(&m, BEGIN AT(1) IN("LDC R1, c[0x0][0x28]") IN("EXIT"));
    assert_true(count_entered(&m, 12) && m.times[0] == 12);
    wg_arena_free(&m.a);
    (void)state;
}

/* if (n > 0) do a load while (...): the block before the loop, of which nothing is known, is executed whenever the loop may be. */
static void loops_are_entered(void **state) {
    struct machine m;
    parse(&m, BEGIN AT(1) IN("LDG.E R0, [R2]") AT(2) IN("@!P0 BRA `(.L_x_1)") AT(2)
                  IN("IMAD.MOV.U32 R4, RZ, RZ, R0") ".L_x_0:\n" AT(3) IN("LDG.E R5, [R4]") AT(4)
                      IN("@P1 BRA `(.L_x_0)") ".L_x_1:\n" AT(5) IN("EXIT"));
    line(&m, 1, 100), line(&m, 2, 100), line(&m, 3, 900), line(&m, 4, 900);
    m.lines[2].branch = m.lines[4].branch = true;
    assert_true(count_entered(&m, 100));
    assert_true(m.times[0] == 100 && m.times[1] == 100 && m.times[2] == 900 && m.times[3] == 100);
    line(&m, 3, 40), line(&m, 4, 40);
    m.lines[4].branch = true;
    assert_true(count_entered(&m, 100));
    assert_true(m.times[1] == 40 && m.times[2] == 40);
    wg_arena_free(&m.a);
    (void)state;
}

/* One turn of a loop that ptxas unrolled four times: what asks how many turns are left is executed, and was made of the
 * comparison that the turn itself has. */
static void turns_that_are_left_are_asked_for(void **state) {
    struct machine m;
    parse(&m, BEGIN AT(1) IN("LDG.E R0, [R2]") AT(9) IN("@!P0 BRA `(.L_x_1)") AT(2)
                  IN("ISETP.GT.AND P1, PT, R6, 0xc, PT") AT(3) IN("@!P1 BRA `(.L_x_2)") ".L_x_0:\n" AT(4)
                      IN("LDG.E R5, [R4]") IN("LDG.E R5, [R4+0x4]") IN("LDG.E R5, [R4+0x8]")
                          IN("LDG.E R5, [R4+0xc]") AT(3) IN("@P1 BRA `(.L_x_0)") ".L_x_2:\n" AT(2)
                              IN("ISETP.NE.OR P0, PT, R6, RZ, P0") AT(3)
                                  IN("@!P0 BRA `(.L_x_3)") ".L_x_1:\n" AT(4) IN("LDG.E R5, [R4]") AT(2)
                                      IN("ISETP.NE.AND P0, PT, R6, RZ, PT") AT(3)
                                          IN("@P0 BRA `(.L_x_1)") ".L_x_3:\n" AT(6) IN("STG.E [R2], R0")
                                              IN("EXIT"));
    line(&m, 1, 10), line(&m, 2, 10), line(&m, 3, 10), line(&m, 4, 10), line(&m, 6, 10);
    m.lines[2].test = m.lines[3].branch = true;
    assert_true(count(&m));
    assert_true(m.times[0] == 10 && m.times[1] == 10 && m.times[2] == 0 && m.times[3] == 10 &&
                m.times[4] == 10);
    wg_arena_free(&m.a);
    (void)state;
}

/* Two turns, which the block of two takes: the questions before and behind it are asked, though the last has the line of the
 * multiply-add that stands before it. */
static void questions_may_have_other_lines(void **state) {
    struct machine m;
    parse(&m,
          BEGIN AT(1) IN("LDG.E R0, [R2]") AT(9) IN("@!P0 BRA `(.L_x_1)") AT(2)
              IN("ISETP.GT.AND P1, PT, R6, 0xc, PT") AT(3) IN("@!P1 BRA `(.L_x_2)") ".L_x_0:\n" AT(4) IN(
                  "LDG.E R5, [R4]") IN("LDG.E R7, [R4+0x4]") IN("LDG.E R8, [R4+0x8]") IN("LDG.E R9, [R4+0xc]")
                  AT(5) IN("FFMA R0, R5, R5, R0") IN("FFMA R0, R7, R7, R0") IN("FFMA R0, R8, R8, R0")
                      IN("FFMA R0, R9, R9, R0") AT(3) IN("@P1 BRA `(.L_x_0)") ".L_x_2:\n" AT(2)
                          IN("ISETP.GT.AND P1, PT, R6, 0x4, PT") AT(3) IN("@!P1 BRA `(.L_x_4)") AT(4)
                              IN("LDG.E R5, [R4]") IN("LDG.E R7, [R4+0x4]") AT(5) IN("FFMA R0, R5, R5, R0")
                                  IN("FFMA R0, R7, R7, R0") ".L_x_4:\n" IN("ISETP.NE.OR P0, PT, R6, RZ, P0")
                                      AT(3) IN("@!P0 BRA `(.L_x_3)") ".L_x_1:\n" AT(4) IN("LDG.E R5, [R4]")
                                          AT(5) IN("FFMA R0, R5, R5, R0") AT(2)
                                              IN("ISETP.NE.AND P0, PT, R6, RZ, PT") AT(3)
                                                  IN("@P0 BRA `(.L_x_1)") ".L_x_3:\n" AT(6)
                                                      IN("STG.E [R2], R0") IN("EXIT"));
    line(&m, 1, 10), line(&m, 2, 20), line(&m, 3, 20), line(&m, 4, 20), line(&m, 5, 20), line(&m, 6, 10);
    m.lines[2].test = m.lines[3].branch = true;
    assert_true(count(&m));
    static const double times[] = {10, 10, 0, 10, 10, 10, 0, 10};
    for (uint32_t b = 0; b < m.f->nblocks; b++) assert_true(m.times[b] == times[b]);
    assert_int_equal(m.f->nblocks, 8);
    wg_arena_free(&m.a);
    (void)state;
}

/* for (...) if (found) { ...; return; }  The constant of line 4 is fetched before the loop, which is entered all the same; and who
 * does not turn back leaves. */
static void loops_are_left_as_often_as_entered(void **state) {
    struct machine m;
    parse(&m, BEGIN AT(1) IN("LDG.E R0, [R2]") AT(2) IN("@P0 EXIT") AT(4)
                  IN("LDC.64 R4, c[0x0][0x210]") ".L_x_0:\n" AT(4) IN("IMAD.WIDE.U32 R2, R0, 0x4, R4") AT(5)
                      IN("LDG.E R7, [R2]") AT(6) IN("@!P0 BRA `(.L_x_1)") AT(8) IN("@!P1 BRA `(.L_x_0)") AT(9)
                          IN("EXIT") ".L_x_1:\n" AT(7) IN("STG.E [R2], R0") IN("EXIT"));
    line(&m, 1, 10), line(&m, 2, 10), line(&m, 4, 500), line(&m, 5, 500), line(&m, 6, 500), line(&m, 8, 497),
        line(&m, 7, 3);
    m.lines[2].branch = m.lines[6].branch = m.lines[8].branch = true;
    m.lines[2].guarded = m.lines[6].guarded = m.lines[8].guarded = true;
    assert_true(count(&m));
    static const double times[] = {10, 10, 500, 497, 7, 3};
    for (uint32_t b = 0; b < m.f->nblocks; b++) assert_true(m.times[b] == times[b]);
    assert_int_equal(m.f->nblocks, 6);
    wg_arena_free(&m.a);
    (void)state;
}

/* Fifteen turns of arithmetic, five in a block: the one branch that is left is executed three times. */
static void one_branch_is_left_of_an_unrolled_loop(void **state) {
    struct machine m;
    parse(&m,
          BEGIN AT(1) IN("LDG.E R0, [R2]") ".L_x_0:\n" AT(2) IN("FADD R0, R0, R3") AT(3) IN("FMUL R0, R0, R4")
              AT(2) IN("FADD R0, R0, R3") AT(3) IN("FMUL R0, R0, R4") AT(2) IN("FADD R0, R0, R3") AT(3)
                  IN("FMUL R0, R0, R4") AT(2) IN("FADD R0, R0, R3") AT(3) IN("FMUL R0, R0, R4") AT(2)
                      IN("FADD R0, R0, R3") AT(3) IN("FMUL R0, R0, R4") AT(4) IN("IADD3 R5, R5, 5, RZ") AT(5)
                          IN("@P0 BRA `(.L_x_0)") AT(6) IN("STG.E [R2], R0") IN("EXIT"));
    line(&m, 1, 10), line(&m, 2, 150), line(&m, 3, 150), line(&m, 4, 150), line(&m, 5, 150), line(&m, 6, 10);
    m.lines[5].branch = true;
    assert_true(count(&m));
    assert_true(m.times[0] == 10 && m.times[1] == 30 && m.times[2] == 10);
    wg_arena_free(&m.a);
    (void)state;
}

/* if (...) { a store }; what follows is executed as often as what was before, whatever its lines say. */
static void branches_are_rejoined(void **state) {
    struct machine m;
    parse(&m, BEGIN AT(1) IN("LDG.E R0, [R2]") AT(2) IN("@P0 BRA `(.L_x_0)") AT(3) IN("IADD3 R0, R0, 1, RZ")
                  AT(4) IN("STG.E [R2], R0") ".L_x_0:\n" AT(3) IN("IADD3 R0, R0, 1, RZ") IN("EXIT"));
    line(&m, 1, 100), line(&m, 3, 30), line(&m, 4, 30);
    assert_true(count(&m));
    assert_true(m.times[0] == 100 && m.times[1] == 30 && m.times[2] == 100);
    wg_arena_free(&m.a);
    (void)state;
}

#define LOAD AT(5) IN("LDG.E R0, [R2]")
#define UNROLLED                                                                                             \
    BEGIN AT(1) IN("STS [R0], R1") AT(2) IN("@P0 BRA `(.L_x_1)") ".L_x_0:\n" LOAD LOAD LOAD LOAD AT(6)       \
        IN("@P1 BRA `(.L_x_0)") ".L_x_1:\n" AT(6) IN("@P2 BRA `(.L_x_3)") ".L_x_2:\n" LOAD AT(6)             \
            IN("@P3 BRA `(.L_x_2)") ".L_x_3:\n" AT(8) IN("STG.E [R2], R0") IN("EXIT")

/* A loop of n turns, which the assembler made one of four at a time, and one of what is left. */
static void unrolled_loops_share_their_turns(void **state) {
    static const uint64_t turns[] = {0, 3, 4, 11, 100};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        struct machine m;
        parse(&m, UNROLLED);
        line(&m, 1, 10), line(&m, 5, 10 * turns[i]), line(&m, 6, 10 * turns[i]), line(&m, 8, 10);
        m.lines[6].branch = m.lines[6].guarded = true;
        assert_true(count(&m));
        assert_true(m.times[0] == 10 && m.times[4] == 10);
        assert_int_equal((uint64_t)m.times[1], 10 * (turns[i] / 4));
        assert_int_equal((uint64_t)m.times[3], 10 * (turns[i] % 4));
        wg_arena_free(&m.a);
    }
    (void)state;
}

/* A loop without a branch left. */
static void whole_loops_are_copies(void **state) {
    struct machine m;
    parse(&m, BEGIN AT(1) IN("IADD3 R0, R1, R2, RZ") LOAD LOAD LOAD AT(6) IN("STG.E [R2], R0") IN("EXIT"));
    line(&m, 1, 7), line(&m, 5, 21), line(&m, 6, 7);
    assert_true(count(&m));
    assert_true(m.times[0] == 7);
    wg_arena_free(&m.a);
    (void)state;
}

/* A division calls its slow path behind a branch of its own; nothing takes it. */
static void slow_paths_are_not_taken(void **state) {
    struct machine m;
    parse(&m, BEGIN AT(1) IN("LDG.E R0, [R2]") AT(2) IN("MUFU.RCP R1, R0") IN("@!P0 BRA `(.L_x_0)")
                  IN("CALL.REL.NOINC `($slow)") IN("MOV R1, R3") ".L_x_0:\n" IN("FADD R1, R1, R0") AT(3)
                      IN("STG.E [R2], R1") IN("EXIT") "$slow:\n" IN("FMUL R0, R0, R1")
                          IN("RET.REL.NODEC R4 `(k)"));
    line(&m, 1, 50), line(&m, 2, 50), line(&m, 3, 50);
    assert_true(count(&m));
    assert_true(m.times[0] == 50 && m.times[1] == 0 && m.times[2] == 0 && m.times[3] == 50 &&
                m.times[4] == 0);
    wg_arena_free(&m.a);
    (void)state;
}

/* Two stores of one block that cannot both be right: nothing is made up. */
static void other_code_is_refused(void **state) {
    struct machine m;
    parse(&m, BEGIN AT(1) IN("STG.E [R2], R0") AT(2) IN("STG.E [R3], R0") IN("EXIT"));
    line(&m, 1, 50), line(&m, 2, 1000);
    assert_false(count(&m));
    wg_arena_free(&m.a);
    (void)state;
}

static void accesses_are_told_by_line(void **state) {
    struct machine m;
    parse(&m, BEGIN AT(7) IN("LDG.E.128.CONSTANT R4, desc[UR4][R2.64+0x10]") AT(8) IN("LDS.U16 R0, [R1+UR4]")
                  AT(9) IN("LDS R0, [R1+UR4+-0x8]") IN("LDS.64 R6, [R1+UR4]") AT(10)
                      IN("LDG.E R4, desc[UR4][R2.64]") AT(10) IN("STG.E.64 desc[UR4][R2.64], R4") AT(11)
                          IN("LDL R4, [R1]") IN("LDL.64 R4, [R1]") AT(12) IN("MOV R1, R2") IN("EXIT"));
    struct wg_sass_accesses *x = wg_sass_accesses_find(&m.a, &m.sass, "k");
    assert_non_null(x);
    assert_null(wg_sass_accesses_find(&m.a, &m.sass, "j"));
    assert_true(x->loads[7].n == 1 && x->loads[7].bytes[0] == 16 && x->stores[7].n == 0);
    assert_int_equal(x->loads[8].bytes[0], 2);
    assert_true(x->loads[9].n == 2 && x->loads[9].bytes[0] == 4 && x->loads[9].bytes[1] == 8);
    assert_int_equal(x->loads[9].shift[1], 8);
    assert_true(x->loads[10].bytes[0] == 4 && x->stores[10].bytes[0] == 8);
    assert_true(x->loads[11].differ && x->loads[11].n == 1);
    assert_true(x->any[12] && x->loads[12].n == 0 && !x->any[5] && x->nlines == 13);
    wg_arena_free(&m.a);
}

/* The lanes of an atomic that one of them makes meet again behind it, at the atomic's line; each group comes to where they
 * meet. */
static void lanes_meet(void **state) {
    struct machine m;
    parse(&m,
          BEGIN AT(7) IN("LDG.E R2, desc[UR4][R2.64]") AT(8) IN("BSSY B0, `(.L_x_1)") AT(8)
              IN("@P1 BRA `(.L_x_0)") AT(9) IN("S2R R6, SR_LANEID") IN("ISETP.EQ.U32.AND P1, PT, R6, UR8, PT")
                  IN("@P1 REDG.E.ADD.STRONG.GPU desc[UR6][R2.64], R7") ".L_x_0:\n" IN(
                      "BSYNC B0") ".L_x_1:\n" AT(11) IN("STG.E desc[UR4][R2.64], R4") IN("EXIT"));
    line(&m, 7, 100), line(&m, 8, 100), line(&m, 9, 30), line(&m, 11, 100);
    m.lines[8].branch = m.lines[8].guarded = true;
    assert_true(count(&m));
    assert_true(m.f->nblocks == 4 && m.times[0] == 100 && m.times[1] == 30 && m.times[2] == 100);
    m.lines[8].parted = 25; /* both groups come to it */
    assert_true(count(&m));
    assert_true(m.times[0] == 100 && m.times[1] == 30 && m.times[2] == 125 && m.times[3] == 100);
    wg_arena_free(&m.a);
}

/* Those who leave a loop at different turns meet behind it, others in it. */
static void lanes_meet_behind_loops(void **state) {
    struct machine m;
    parse(&m, BEGIN AT(7) IN("LDG.E R2, desc[UR4][R2.64]") IN("BSSY B0, `(.L_x_4)") ".L_x_0:\n" AT(8)
                  IN("BSSY B1, `(.L_x_2)") AT(9) IN("@P1 BRA `(.L_x_1)") AT(10)
                      IN("STS [R2], R7") ".L_x_1:\n" IN("BSYNC B1") ".L_x_2:\n" AT(11)
                          IN("STG.E desc[UR4][R2.64], R4") AT(12)
                              IN("@P0 BRA `(.L_x_0)") ".L_x_3:\n" IN("BSYNC B0") ".L_x_4:\n" AT(13)
                                  IN("STG.E desc[UR4][R2.64], R4") IN("EXIT"));
    line(&m, 7, 10), line(&m, 9, 50), line(&m, 10, 20), line(&m, 11, 50), line(&m, 12, 50), line(&m, 13, 10);
    m.lines[9].branch = m.lines[9].guarded = m.lines[12].branch = m.lines[12].guarded = true;
    m.lines[9].parted = 15, m.lines[12].parted = 8;
    assert_true(count(&m));
    static const double times[] = {10, 50, 20, 65, 50, 18, 10};
    for (uint32_t b = 0; b < m.f->nblocks; b++) assert_true(m.times[b] == times[b]);
    assert_int_equal(m.f->nblocks, 7);
    wg_arena_free(&m.a);
}

/* Line 7 was in the loop, 8 is, 9 is in both, 10 and its branch are of another block. */
static void loads_before_their_loops_are_hoisted(void **state) {
    static const struct wg_sass_placed code[] = {{7, 1, false, false}, {8, 1, false, false},
                                                 {9, 1, false, false}, {12, 1, false, false},
                                                 {13, 1, true, false}, {10, 2, false, false}};
    struct machine m;
    struct wg_sass_flow w;
    enum wg_sass_place place[LINES] = {WG_SASS_IN_PLACE};
    parse(&m,
          BEGIN AT(7) IN("LDG.E R4, desc[UR4][R2.64]") AT(9) IN("LDS R5, [R1]") AT(10)
              IN("LDS R6, [R1]") ".L_x_0:\n" AT(8) IN("LDG.E R7, desc[UR4][R2.64]") AT(9) IN("LDS R5, [R1]")
                  AT(12) IN("IADD3 R1, R1, 4, RZ") AT(13) IN("@P0 BRA `(.L_x_0)") IN("EXIT"));
    assert_true(wg_sass_flow_find(&m.a, m.f, 0, &w));
    wg_sass_hoists(&m.a, &w, code, sizeof code / sizeof *code, LINES, place);
    for (uint32_t i = 0; i < LINES; i++)
        assert_int_equal(place[i], i == 7 ? WG_SASS_MOVED : WG_SASS_IN_PLACE);
    wg_arena_free(&m.a);
}

/* Lines 7 and 8 were in an inner loop, which is unrolled, so that its branch, 14, is not there: 8 says which loop is left. */
static void loads_before_the_outer_loop_are_hoisted(void **state) {
    static const struct wg_sass_placed code[] = {{7, 1, false, false},
                                                 {8, 1, false, false},
                                                 {14, 1, true, false},
                                                 {12, 2, false, false},
                                                 {13, 2, true, false}};
    struct machine m;
    struct wg_sass_flow w;
    enum wg_sass_place place[LINES] = {WG_SASS_IN_PLACE};
    parse(&m,
          BEGIN AT(7) IN("LDG.E R4, desc[UR4][R2.64]") IN("LDG.E R5, desc[UR4][R2.64+0x4]") ".L_x_0:\n" AT(8)
              IN("LDG.E R7, desc[UR4][R8.64]") IN("LDG.E R7, desc[UR4][R8.64+0x4]") AT(12)
                  IN("IADD3 R1, R1, 4, RZ") AT(13) IN("@P0 BRA `(.L_x_0)") IN("EXIT"));
    assert_true(wg_sass_flow_find(&m.a, m.f, 0, &w));
    wg_sass_hoists(&m.a, &w, code, sizeof code / sizeof *code, LINES, place);
    for (uint32_t i = 0; i < LINES; i++)
        assert_int_equal(place[i], i == 7 ? WG_SASS_MOVED : WG_SASS_IN_PLACE);
    wg_arena_free(&m.a);
}

/* Line 7 was before the branch that leaves the kernel; 8 stayed there, 9 has a predicate, 10 is of the block behind it. */
static void loads_behind_branches_are_sunk(void **state) {
    static const struct wg_sass_placed code[] = {{7, 1, false, false},  {8, 1, false, false},
                                                 {9, 1, false, false},  {11, 1, true, false},
                                                 {10, 2, false, false}, {12, 2, false, false}};
    struct machine m;
    struct wg_sass_flow w;
    enum wg_sass_place place[LINES] = {WG_SASS_IN_PLACE};
    parse(&m,
          BEGIN AT(8) IN("LDG.E R4, desc[UR4][R2.64]") AT(11) IN("@P0 EXIT") AT(7)
              IN("LDG.E R5, desc[UR4][R2.64+0x4]") AT(9) IN("@P1 LDG.E R6, desc[UR4][R2.64+0x8]") AT(10)
                  IN("LDG.E R7, desc[UR4][R2.64+0xc]") AT(12) IN("STG.E desc[UR4][R2.64], R5") IN("EXIT"));
    assert_true(wg_sass_flow_find(&m.a, m.f, 0, &w));
    wg_sass_hoists(&m.a, &w, code, sizeof code / sizeof *code, LINES, place);
    for (uint32_t i = 0; i < LINES; i++)
        assert_int_equal(place[i], i == 7 ? WG_SASS_MOVED : WG_SASS_IN_PLACE);
    wg_arena_free(&m.a);
    (void)state;
}

/* Line 7 is before the loop and, as its value was given up, in it; 8 is in it only; 9 was in it all the time, as its block's
 * branch, 13, is; 10 was given up before; 11 is kept in local memory. */
static void loads_are_made_again(void **state) {
    static const struct wg_sass_placed code[] = {
        {7, 1, false, false}, {10, 1, false, false}, {11, 1, false, false}, {12, 1, true, false},
        {8, 2, false, false}, {9, 2, false, false},  {13, 2, true, false},  {14, 3, false, false}};
    struct machine m;
    struct wg_sass_flow w;
    enum wg_sass_place place[LINES] = {WG_SASS_IN_PLACE};
    parse(&m,
          BEGIN AT(7) IN("LDG.E R4, desc[UR4][R2.64]") AT(9) IN("LDG.E R5, desc[UR4][R2.64+0x4]") AT(10)
              IN("LDG.E R6, desc[UR4][R2.64+0x8]") AT(11) IN("LDG.E R9, desc[UR4][R2.64+0xc]")
                  IN("STL [R1], R9") AT(12) IN("@P0 EXIT") AT(10)
                      IN("LDG.E R6, desc[UR4][R2.64+0x8]") ".L_x_0:\n" AT(8) IN("LDG.E R7, desc[UR4][R8.64]")
                          AT(9) IN("LDG.E R5, desc[UR4][R2.64+0x4]") AT(7) IN("LDG.E R4, desc[UR4][R2.64]")
                              AT(11) IN("LDL R9, [R1]") AT(13) IN("@P1 BRA `(.L_x_0)") AT(14)
                                  IN("STG.E desc[UR4][R2.64], R5") IN("EXIT"));
    assert_true(wg_sass_flow_find(&m.a, m.f, 0, &w));
    wg_sass_hoists(&m.a, &w, code, sizeof code / sizeof *code, LINES, place);
    for (uint32_t i = 0; i < LINES; i++)
        assert_int_equal(place[i], i == 7 || i == 10 ? WG_SASS_AGAIN : WG_SASS_IN_PLACE);
    wg_arena_free(&m.a);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(instructions_know_their_lines),
                                       cmocka_unit_test(warps_begin_at_the_entry),
                                       cmocka_unit_test(loops_are_entered),
                                       cmocka_unit_test(turns_that_are_left_are_asked_for),
                                       cmocka_unit_test(questions_may_have_other_lines),
                                       cmocka_unit_test(loops_are_left_as_often_as_entered),
                                       cmocka_unit_test(one_branch_is_left_of_an_unrolled_loop),
                                       cmocka_unit_test(accesses_are_told_by_line),
                                       cmocka_unit_test(lanes_meet),
                                       cmocka_unit_test(lanes_meet_behind_loops),
                                       cmocka_unit_test(loads_before_their_loops_are_hoisted),
                                       cmocka_unit_test(loads_before_the_outer_loop_are_hoisted),
                                       cmocka_unit_test(loads_behind_branches_are_sunk),
                                       cmocka_unit_test(loads_are_made_again),
                                       cmocka_unit_test(branches_are_rejoined),
                                       cmocka_unit_test(unrolled_loops_share_their_turns),
                                       cmocka_unit_test(whole_loops_are_copies),
                                       cmocka_unit_test(slow_paths_are_not_taken),
                                       cmocka_unit_test(other_code_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
