/* Every form of every pure row: which there are, and their PTX.
 *
 * A form is a row with types and one value for each modifier. What the PTX ISA does not allow of the table's
 * product (add.sat.u16, fma.relu.f32, ...) is left out by case_legal.
 */
#ifndef WG_TESTS_ROWS_CASES_H
#define WG_TESTS_ROWS_CASES_H
#include "base/strbuf.h"
#include "ptx/row.h"

enum { CASE_SOURCES = 5 };

struct row_case {
    uint16_t op; /* enum wg_op */
    uint8_t type, type2;
    uint8_t mod[WG_MC_COUNT];
    bool second;      /* write the optional second destination, too */
    uint32_t variant; /* of rows with more in them than modifiers: elements of a pack, a table of lop3 */
    /* How the operands come. */
    char kind[CASE_SOURCES]; /* 'v' varying, 'u' uniform, 'l' linear in the lane, 'i' immediate */
    bool guarded;            /* only lanes with bit 1 or 3 of their index */
    uint64_t imm[CASE_SOURCES];
};

/* Where values for a source come from. */
enum value_class {
    V_I16,
    V_I32,
    V_I64,
    V_F16,
    V_BF16,
    V_F16X2,
    V_BF16X2,
    V_F32,
    V_F64,
    V_PRED,
    V_COUNT,
    V_CLASSES
};

struct case_source {
    uint8_t cls;  /* enum value_class */
    uint8_t bits; /* of its register: 1 16 32 64 */
    bool may_imm;
};
/* The sources of a case in the order of its text: their number. */
uint32_t case_sources(const struct row_case *c, struct case_source out[CASE_SOURCES]);
/* Widths of what it writes: 1, 16, 32, 64. */
uint32_t case_results(const struct row_case *c, uint32_t bits[2]);

bool case_pure(enum wg_op op); /* has forms here */
bool case_legal(const struct row_case *c);
/* Calls `each` for all forms of a row (legal or not): kinds and guards are left at 'v' and false. */
void case_forms(enum wg_op op, void (*each)(void *user, const struct row_case *c), void *user);

/* "add.sat.s32" */
void case_name(const struct row_case *c, struct wg_strbuf *out);
/* The instruction, reading registers named by `src` and writing `dst`. Immediates are written for kind 'i'.
 */
void case_text(const struct row_case *c, const char *const *dst, const char *const *src,
               struct wg_strbuf *out);
/* The reference does otherwise than an H200 for these operands, knowingly: see cases.c. */
bool case_differs_from_hardware(const struct row_case *c, const uint64_t operand[CASE_SOURCES],
                                uint64_t result);
/* The function is approximate: hardware need not agree with us in the last bits. */
bool case_approximate(const struct row_case *c);
/* The result is a float of this type (WG_T_NONE: bits). */
enum wg_type case_result_type(const struct row_case *c);
#endif
