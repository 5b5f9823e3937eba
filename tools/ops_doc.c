/* wg_opsdoc: prints docs/ops.md from the table of instructions, so that the manual says what the program
 * does.
 *
 *     ninja wg_opsdoc && build/ptx/wg_opsdoc > docs/ops.md
 */
#include "ptx/row.h"

#include <stdio.h>
#include <string.h>

static void print_words(const struct wg_slot *s) {
    bool first = true;
    for (int m = 1; m < WG_M_COUNT; m++) {
        if (!(s->allow[m / 64] >> (m % 64) & 1)) continue;
        printf("%s.%s", first ? "" : " ", wg_mod_name(m));
        first = false;
    }
}

static bool one_word(const struct wg_slot *s) {
    int n = 0;
    for (int i = 0; i < WG_MOD_WORDS; i++) n += __builtin_popcountll(s->allow[i]);
    return n == 1;
}

/* add{.rn .rz .rm .rp}[.ftz].T: braces hold a choice, brackets what may be left out */
static void print_form(const struct wg_row *r) {
    printf("`%s", r->opcode);
    for (int i = 0; i < r->nslots; i++) {
        const struct wg_slot *s = &r->slots[i];
        if (s->kind != WG_SLOT_MOD) {
            printf(".%c", "TUBC"[s->kind - WG_SLOT_T]);
            continue;
        }
        bool braces = !one_word(s) && !s->optional;
        printf("%s", s->optional ? "[" : braces ? "{" : "");
        print_words(s);
        printf("%s", s->optional ? "]" : braces ? "}" : "");
    }
}

static const char *special_operands(enum wg_op op) {
    switch (op) {
    case WG_OP_MOV_SREG: return " d, %special";
    case WG_OP_MOV_PACK: return " d, {a, b, ...}";
    case WG_OP_MOV_UNPACK: return " {d, e, ...}, a";
    case WG_OP_BRX_IDX: return " index, table";
    case WG_OP_TEX_FETCH: return " {d, e, f, g}, [object, {i}]";
    case WG_OP_TEX: return " {d, e, f, g}, [object, {layer, x, y, ...}], level or gradients";
    case WG_OP_TLD4: return " {d, e, f, g}, [object, {x, y}]";
    case WG_OP_SULD: return " d or {d, ...}, [object, {layer, x, y, ...}]";
    case WG_OP_SUST: return " [object, {layer, x, y, ...}], b or {b, ...}";
    case WG_OP_TXQ:
    case WG_OP_SUQ: return " d, [object]";
    case WG_OP_CALL: return " (results), function, (arguments), prototype";
    default: return "";
    }
}

/* An operand as ops.def writes it, for people. */
static void print_operand(const char *w, int n, bool first) {
    bool optional = w[n - 1] == '?';
    if (optional) n--;
    if (*w == '|') {
        printf("[\\|p]"); /* a bar alone would end the cell of the page's table */
        return;
    }
    printf(first ? " " : optional ? "[, " : ", ");
    switch (*w) {
    case 'm': printf("[address]"); break;
    case 'M': printf("[map, {i, ...}]"); break;
    case 'D':
    case 'V': printf("%c or {%c, ...}", *w == 'D' ? 'd' : 'b', *w == 'D' ? 'd' : 'b'); break;
    case 'F': printf("{%c, ...}", w[1]); break;
    case 'z': printf("bytes or p"); break;
    case 'W': printf("{a, ...} or descriptor"); break;
    case 'q': printf("[!]p"); break;
    case 'n': printf("constant"); break;
    case 'l': printf("label"); break;
    case 'i': printf(n > 1 ? "i:b%.*s" : "i:b32", n - 1, w + 1); break;
    default:
        if (n > 1 && w[1] == 'U')
            printf("%c:U", *w);
        else if (n > 1 && w[1] == 'w')
            printf("%c:wide", *w);
        else if (n > 1)
            printf("%c:b%.*s", *w, n - 1, w + 1);
        else
            printf("%c", *w);
    }
    if (optional) printf("]");
}

static void print_operands(const struct wg_row *r, enum wg_op op) {
    const char *p = r->operands, *special = special_operands(op);
    printf("%s", special);
    for (bool first = true; *p && !*special; first = false) {
        int n = (int)strcspn(p, " ");
        if (*p != 'A' && *p != 'E') print_operand(p, n, first);
        p += n + (p[n] == ' ');
    }
}

static void print_types(uint64_t set) {
    for (int t = 1, first = 1; t < WG_T_COUNT; t++)
        if (set >> t & 1) {
            printf("%s%s", first ? "" : " ", wg_type_name(t));
            first = 0;
        }
}

static void print_rows(void) {
    for (int op = 1; op < WG_OP_COUNT; op++) {
        const struct wg_row *r = wg_row(op);
        printf("| %s | ", r->id);
        print_form(r);
        print_operands(r, op);
        printf("` | ");
        print_types(r->t_allow);
        if (r->u_allow) printf("; U: "), print_types(r->u_allow);
        if (r->b_allow) printf("; B: "), print_types(r->b_allow);
        if (r->c_allow) printf("; C: "), print_types(r->c_allow);
        printf(" |\n");
    }
}

static void print_missing(void) {
    static const char *const known[] = {
#define OPCODE(s) s,
#include "ptx/known.def"
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) printf("%s`%s`", i ? ", " : "", known[i]);
    printf(".\n");
}

static void print_rounding(void) {
    printf("\n## Matrices\n\n"
           "What the PTX ISA leaves open of matrix products, here is so. Products of `f16`, `bf16` and "
           "`tf32` are exact, "
           "of\n`tf32` without its low 13 bits; `c` and the products are added one after the other, in the "
           "order of "
           "`k`, in double\nprecision, and the sum is rounded once to the type of `d`. `f64` is one fused "
           "multiply-add "
           "after the other. Integers\nare exact. Hardware adds groups of products in an order and a width "
           "of its own: "
           "its last bits may differ.\nWhere the elements of `wmma` fragments lie is nobody's business but "
           "ours.\n\n"
           "Copies into shared memory (`cp.async`) and matrix products are done when their instruction is, "
           "which the "
           "machine allows.\n");
}

int main(void) {
    printf(
        "# Instructions\n\n"
        "This page is printed by `wg_opsdoc` from the table in `ptx/ops.def`; a test keeps the two equal.\n\n"
        "Each row is one meaning of an opcode. `{.a .b}` is a choice, `[.a .b]` one that may be left out. "
        "`T` "
        "and\n`U` are types from the last column. Operands are of type `T` unless a colon says otherwise: "
        "`:b32` that\nwidth, `:U` type `U`, `:wide` twice the width of `T` with `.wide`. `p` is a predicate, "
        "a bar before `p` a pair of\ndestinations, `i` an untyped source such as a shift count, a lane or a "
        "mask. Words "
        "of "
        "memory\ninstructions may stand in any order. A guard, `@p` or `@!p`, may stand before every "
        "instruction.\n\n"
        "| row | instruction | T |\n| --- | --- | --- |\n");
    print_rows();
    print_rounding();
    printf("\n## Special registers\n\n");
    for (int s = 0; s < WG_SR_COUNT; s++) printf("%s`%s`", s ? ", " : "", wg_sreg_name(s));
    printf(
        ".\n\n## Known, and not there yet\n\n"
        "These opcodes of PTX ISA 8.8 have no row, and neither have forms of the opcodes above that the "
        "table "
        "does\nnot list. A kernel that reaches one is refused with its name and its line; the other "
        "kernels of "
        "the\nmodule run. So it is with a kernel whose text is wrong, inside its braces or between its "
        "name and them, and\nwith kernels that call a function of which that is so: whoever launches it, "
        "or asks for its attributes, gets\n`cudaErrorInvalidPtx` and, once, what is wrong and where. If no "
        "kernel is left, or what is wrong stands outside of\nfunctions, loading fails as CUDA's does.\n\n");
    print_missing();
    return 0;
}
