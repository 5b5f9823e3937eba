/* What is wrong inside of a function refuses that function and its callers; what is wrong elsewhere, the
 * text. */
#include "ptx_tests.h"

#define GOOD(name)                                                                                           \
    ".visible .entry " name "(.param .u32 a) { .reg .b32 %r<3>; ld.param.u32 %r1, [a]; ret; }\n"
#define BAD "/* the next is line 8 */\n.visible .entry bad"

static struct wg_ir_module *read_apart(const char *text, size_t len, struct wg_diag *d) {
    struct wg_ir_module *m = wg_ir_from_ptx_apart("t.ptx", text, len, d);
    const char *wrong = m ? wg_ir_verify(m) : NULL;
    if (wrong) fail_msg("%s in: %.300s", wrong, text);
    assert_int_equal(m == NULL, d->errors > 0);
    return m;
}

/* The function can be run, or is refused with these words. */
static void expect(const struct wg_ir_module *m, const char *name, const char *what) {
    struct wg_diag d = {0};
    uint32_t f = wg_ir_find_func(m, name);
    assert_int_not_equal(f, WG_NO_REG);
    bool refused = wg_ir_refused(m, f, &d), runs = wg_ir_check_supported(m, f, NULL);
    if (refused != (what != NULL)) fail_msg("%s: %s", name, refused ? d.text.s : "is not refused");
    if (refused && !strstr(d.text.s, what)) fail_msg("%s: said '%s', not '%s'", name, d.text.s, what);
    assert_int_equal(runs, !refused);
    wg_diag_free(&d);
}

/* A text with kernels `first`, `bad` and `last`, the second from line 8 on. */
static char *around(const char *bad) {
    struct wg_strbuf b = {0};
    wg_strbuf_puts(
        &b, HEAD ".file 1 \"a.cu\"\n"
                 ".func (.param .b32 r) f (.param .b32 a) { st.param.b32 [r], 1; ret; }\n" GOOD("first") BAD);
    wg_strbuf_puts(&b, bad);
    wg_strbuf_puts(&b, "\n" GOOD("last"));
    return b.s;
}

void test_one_kernel_refused(void **state) {
    static const struct {
        const char *bad, *what;
    } cases[] = {
        {"() {\n frobnicate.u32 1;\n ret; }", "t.ptx:9:2: error: unknown instruction 'frobnicate'"},
        {"() {\n .reg .b32 %r<3>; add.banana.s32 %r1, %r1, 1; ret; }",
         "t.ptx:9:22: error: unknown modifier '.banana'"},
        {"() {\n add.s32 %r1, %r1, 1; ret; }", "t.ptx:9:10: error: unknown register '%r1'"},
        {"() {\n bra nowhere; }", "t.ptx:9:6: error: unknown label 'nowhere'"},
        {"() {\n # ; ret; }", "t.ptx:9:2: error: "},
        {"() {\n mov.u32 }", "t.ptx:9:"},
        {"() {\n { { ; ", "a function begins in it"},
        {"() { /* } */ // }\n ; .pragma \"}\"; { ) } ld.weak.x 1; { mov.b64 %a, {%b, %c}; } ret; }",
         "t.ptx:9:19: error: "},
        {"() {\n ret ret }", "t.ptx:9:"},
        {"(.param .u32 a .param .u32 b)\n{ ret; { } }", "t.ptx:8:34: error: ')' is missing"},
        {"(.param .f99 a)\n{ ret; }", "t.ptx:8:28: error: unknown type or word '.f99'"},
        {"() .maxntidd 3\n{ ret; }", "unknown directive '.maxntidd' at a function"},
        {"(.param .b8 a[32765])\n{ ret; }", "the parameters are larger than"},
        {"() {\n .local .b8 l[1048576]; ret; }", "larger than the 512 KiB"},
        {"() {\n .shared .b8 s[2000000000]; ret; }", "larger than any shared memory"},
        {"() {\n .global .b8 g[10000000][10000000]; .global .b8 h[10000000][10000000]; ret; }",
         "larger than any device's"},
        {"() {\n .param .b32 p; .reg .b32 %r; ld.param.b32 %r, [p]; ret; }", "no call returns it"},
        {"() {\n .param .b64 p; .reg .b64 %r; st.param.b64 [p], 1; call f, (p); ret; }",
         "'f' takes 1 arguments and gives 1 results"},
        {"() {\n call first; }", "'first' is a kernel"},
        {"() {\n .loc 1 77 3\n mov.u32 1; .loc 1 78 3\n ret; }", "in kernel bad, a.cu:77"},
        {"() {\n .reg .b32 %r<2>; .loc 1 77 3\n mov.u32 %q, 1; .loc 1 78 3\n ret; }",
         "in kernel bad, a.cu:77"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct wg_diag d = {0};
        char *text = around(cases[i].bad);
        struct wg_ir_module *m = read_apart(text, strlen(text), &d);
        if (!m) fail_msg("the whole text is refused: %s", d.text.s);
        assert_int_equal(m->nrefused, 1);
        expect(m, "first", NULL);
        expect(m, "last", NULL);
        if (strstr(cases[i].what, "begins in it"))
            expect(m, "bad", "error: ");
        else
            expect(m, "bad", cases[i].what);
        wg_ir_free(m);
        char *all = errors_of(text, strlen(text)); /* who asks for what is wrong hears of it as ever */
        assert_non_null(strstr(all, "error: "));
        free(all);
        free(text);
    }
}

void test_callers_of_refused(void **state) {
    static const char text[] = HEAD
        ".func (.param .b32 r) body (.param .b32 a) { add.bad.u32 1; }\n"
        ".func (.param .b32 r) head (.param .b33 a) { ret; }\n"
        ".func taken () { frobnicate 1; }\n"
        ".func between () { .reg .b32 %r<2>; .param .b32 a, r; st.param.b32 [a], 1; call (r), body, (a);\n"
        "  bra L; L: ld.param.b32 %r1, [r]; ret; }\n"
        ".global .u64 table[1] = {taken};\n"
        ".entry calls_body () { call between; ret; }\n"
        ".entry calls_head () { .reg .b32 %r<2>; .param .b64 r; { .param .b32 a; st.param.b32 [a], 1;\n"
        "  call (r), head, (a); } ld.param.b32 %r1, [r]; bra L; L: ld.param.b32 %r1, [r+4]; ret; }\n"
        ".entry calls_any () { .reg .b64 %rd<2>; ld.global.u64 %rd1, [table]; call %rd1, P; P: "
        ".callprototype _ (); ret; }\n"
        ".entry calls_later () { call later; ret; }\n"
        ".func later () { mov.u32 %r1, 1; ret; }\n" GOOD("good");
    struct wg_diag d = {0};
    struct wg_ir_module *m = read_apart(text, sizeof text - 1, &d);
    if (!m) fail_msg("the whole text is refused: %s", d.text.s);
    expect(m, "calls_body", "in function body, called by kernel calls_body");
    expect(m, "calls_head", "in function head, called by kernel calls_head");
    expect(m, "calls_any", "in function taken, called by kernel calls_any");
    expect(m, "calls_later", "in function later, called by kernel calls_later");
    expect(m, "good", NULL);
    wg_ir_free(m);
}

/* What refuses the whole: no kernel is left, the module's own text is wrong, or it ends too early. */
void test_whole_refused(void **state) {
    static const struct {
        const char *text, *what;
    } cases[] = {
        {HEAD ".entry k() { add.bad.u32 1; }\n", "unknown modifier"},
        {HEAD ".entry k() { add.bad.u32 1; } .entry j() { x; }\n", "unknown modifier"},
        {HEAD ".func f () { x; } .entry k() { call f; ret; }\n", "unknown instruction"},
        {HEAD GOOD("k") ".entry j() { ret; } }\n", "a directive like .entry"},
        {HEAD GOOD("k") ".banana\n", "unknown directive '.banana'"},
        {HEAD GOOD("k") ".global .u32 x = ;\n", "error"},
        {HEAD GOOD("k") ".entry j() { bad; \n", "'}' is missing"},
        {HEAD GOOD("k") ".entry j() { ret; /* \n", "unterminated comment"},
        {HEAD GOOD("k") GOOD("k"), "'k' is defined twice"},
        {HEAD ".extern .func foo();\n" GOOD("k") ".entry j() { call foo; ret; }\n",
         "'foo' is declared .extern"},
        {HEAD ".func f (.param .b8 a[16X) ;\n" GOOD("k"), "16X"}, /* no body that could say it */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct wg_diag d = {0};
        struct wg_ir_module *m = read_apart(cases[i].text, strlen(cases[i].text), &d);
        if (m) fail_msg("not refused: %s", cases[i].text);
        if (!strstr(d.text.s, cases[i].what)) fail_msg("said '%s', not '%s'", d.text.s, cases[i].what);
        wg_diag_free(&d);
    }
}

/* What the device runtime lacks is refused in the kernels that call it alone. */
void test_runtime_refused(void **state) {
    static const char text[] =
        HEAD ".extern .func (.param .b32 r) __cudaCDP2Memcpy3DAsync (.param .b64 a, .param .b64 b);\n"
             ".entry parent () { .reg .b32 %r<2>; .param .b32 r; .param .b64 a, b; st.param.b64 [a], 0;\n"
             "  st.param.b64 [b], 0; call (r), __cudaCDP2Memcpy3DAsync, (a, b); ld.param.b32 %r1, [r]; ret; "
             "}\n" GOOD("child");
    struct wg_diag d = {0};
    struct wg_ir_module *m = read_ptx(text);
    assert_true(wg_ir_check_supported(m, wg_ir_find_func(m, "child"), &d));
    assert_false(wg_ir_check_supported(m, wg_ir_find_func(m, "parent"), &d));
    assert_non_null(
        strstr(d.text.s, "the device runtime, which launches kernels for kernels, lacks this function"));
    wg_diag_free(&d);
    wg_ir_free(m);
}
