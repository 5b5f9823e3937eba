/* Texts that are no PTX, or not all of it: a message, never a crash, never a hang. */
#include "ptx_tests.h"

#include <stdio.h>

static void expect(const char *text, size_t len, const char *what) {
    char *said = errors_of(text, len);
    if (!strstr(said, what)) fail_msg("said '%s', not '%s'", said, what);
    free(said);
}

void test_not_ptx(void **state) {
    expect("", 0, "not PTX: there is nothing in it");
    expect(" \n\t// x\n/* y */", 15, "not PTX: there is nothing in it");
    expect("\177ELF\2\1\1", 7, "not PTX: it is an ELF file");
    expect("\x50\xed\x55\xba\1\0\x10\0", 8, "not PTX: it is a fat binary");
    expect("abc\0def", 7, "not PTX: it holds zero bytes");
    expect("int main() {}", 13, "not PTX: PTX begins with '.version'");
    expect("\xff\xfe\x80", 3, "not PTX: PTX begins with '.version'");
    expect(".version", 8, "expected a version like 7.8");
    expect(".version 7.8", 12, ".target is missing");
    expect(".version 7.8 .target", 20, "expected a target like sm_90");
    expect(".version 7.8 .target sm_", 24, "'sm_' is not a target");
}

static const char whole[] = HEAD
    ".file 1 \"a.cu\"\n.global .u64 g[2] = {1, generic(g) + 2};\n"
    ".func (.param .b32 r) f (.param .b32 a) { ret; }\n"
    ".visible .entry k(.param .u64 p) .maxntid 1, 2\n{ .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<2>;\n"
    "{ .param .b32 a; .param .b32 r; st.param.b32 [a+0], %r1; call (r), f, (a); ld.param.b32 %r2, [r]; }\n"
    "L: @!%p1 ld.global.v2.u32 {%r1, _}, [%rd1+-4]; /* c */ setp.lt.and.s32 %p1|%p2, %r1, 0f3F8 + 1, !%p1;\n"
    ".loc 1 2 3, function_name n+1, inlined_at 1 4 5\n bra L; }\n.section .debug_str { n: .b8 65, 66, 0 }\n";

/* Every beginning of a text that has one of everything. */
void test_truncated(void **state) {
    for (size_t n = 0; n < sizeof whole; n++) {
        char *cut = wg_xmalloc(n + 1);
        struct wg_diag d = {0};
        memcpy(cut, whole, n);
        cut[n] = 0;
        struct wg_ir_module *m = wg_ir_from_ptx("t.ptx", cut, n, &d);
        assert_int_equal(m == NULL, d.errors > 0);
        wg_ir_free(m);
        wg_diag_free(&d);
        free(cut);
    }
}

static char *repeat(const char *head, const char *unit, uint32_t n, const char *tail) {
    struct wg_strbuf b = {0};
    wg_strbuf_puts(&b, head);
    for (uint32_t i = 0; i < n; i++) wg_strbuf_puts(&b, unit);
    wg_strbuf_puts(&b, tail);
    return b.s;
}

/* Whatever is nested, there is a limit that is said, not the end of the stack. */
void test_deep(void **state) {
    static const char *const texts[][3] = {
        {HEAD ".global .u32 x = ", "(", ";"},      {HEAD ".global .u32 x = ", "-", "1;"},
        {HEAD ".global .u32 x = ", "1 ? ", ";"},   {HEAD ".global .u32 x = ", "1 ? 2 : ", ";"},
        {HEAD ".global .u32 x = ", "{", ";"},      {HEAD ".entry k() {", "{", "}"},
        {HEAD ".entry k() { mov.u32 ", "{", ";}"}, {HEAD ".entry k() { mov.u32 ", "[", ";}"},
        {HEAD ".entry k() { call ", "(", ";}"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *text = repeat(texts[i][0], texts[i][1], 100000, texts[i][2]);
        expect(text, strlen(text), "nested more than");
        free(text);
    }
}

/* Much of everything, in time that grows with its length. */
void test_large(void **state) {
    char *text = repeat(HEAD ".entry k() { .reg .b32 %r<16000000>; .reg .pred %p<3>;\n",
                        "add.s32 %r15999999, %r7, 1; { .reg .b32 %q; L: @%p1 bra L; }\n", 20000, "ret; }");
    struct wg_ir_module *m = read_ptx(text);
    assert_int_equal(m->funcs[0].nblocks, 40001);
    wg_ir_free(m);
    free(text);
    text = repeat(HEAD ".entry k() { ", "ret; bra L; ", 100000, " L: ret; }");
    wg_ir_free(read_ptx(text));
    free(text);
    text = repeat(HEAD ".entry k() { ", "#", 100000, " }");
    expect(text, strlen(text), "too many errors");
    free(text);
    text = repeat(HEAD ".entry ", "x", 1000000, "() { ret; }");
    wg_ir_free(read_ptx(text));
    free(text);
}
