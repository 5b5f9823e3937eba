/* What each row does to the shadows of its operands (check/instrument/shadow_rules.c), by jit and by ref.
 *
 *     known      single instructions whose shadow is written down here
 *     every row  forms of all pure rows: where bits are undefined, kernels run with several values for them;
 *                a bit of the result that comes out in two ways has to be undefined (floats are not followed
 *                so strictly); what has nothing undefined in it is defined; and jit and ref say the same
 */
#include "check/finding.h"
#include "machine/device.h"
#include "machine/memory/shadow.h"
#include "tests/rows/values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t wrong;

/* ---- a device that checks ---- */

struct rig {
    struct wg_device *dev;
    struct wg_findings *findings;
};

static void open_rig(struct rig *r, enum wg_backend backend, uint32_t opt_level) {
    struct wg_options o;
    struct wg_diag d = {0};
    wg_options_init(&o);
    r->findings = wg_findings_new("shadow_findings.json");
    o.findings = r->findings;
    o.checks = 1u << WG_CHECK_init;
    o.backend = backend;
    o.threads = 1;
    o.opt.level = opt_level;
    assert_int_equal(wg_device_open(&o, &r->dev, &d), WG_OK);
}

static void close_rig(struct rig *r) {
    wg_device_close(r->dev);
    wg_findings_free(r->findings);
}

/* Runs kernel `k` of the text with one block; out's shadow goes to `shadow`. Values with their shadows go in.
 */
static void run(struct rig *r, const char *text, uint32_t threads, const uint64_t *in,
                const uint64_t *defined, size_t nin, uint64_t *out, uint64_t *shadow, size_t nout) {
    struct wg_module *m;
    struct wg_diag d = {0};
    void *p[2];
    if (wg_module_load(r->dev, "rows.ptx", text, strlen(text), &m, &d) != WG_OK) fail_msg("%s", d.text.s);
    assert_int_equal(wg_mem_alloc(r->dev, WG_MEM_DEVICE, 8 * nin, &p[0]), WG_OK);
    assert_int_equal(wg_mem_alloc(r->dev, WG_MEM_DEVICE, 8 * nout, &p[1]), WG_OK);
    memcpy(p[0], in, 8 * nin);
    memcpy(wg_shadow_at(&r->dev->memory, (uint64_t)p[0]), defined, 8 * nin);
    struct wg_launch l = {.func = wg_module_func(m, "k"),
                          .grid = {1, 1, 1},
                          .block = {threads, 1, 1},
                          .params = p,
                          .param_bytes = sizeof p};
    assert_non_null(l.func);
    assert_int_equal(wg_launch(wg_device_stream(r->dev, WG_STREAM_LEGACY), &l), WG_OK);
    assert_int_equal(wg_device_sync(r->dev), WG_OK);
    memcpy(out, p[1], 8 * nout);
    memcpy(shadow, wg_shadow_at(&r->dev->memory, (uint64_t)p[1]), 8 * nout);
    assert_int_equal(wg_mem_free(r->dev, WG_MEM_DEVICE, p[0]), WG_OK);
    assert_int_equal(wg_mem_free(r->dev, WG_MEM_DEVICE, p[1]), WG_OK);
    wg_module_unload(m);
}

static const char head[] = ".version 8.6\n.target sm_90\n.address_size 64\n"
                           ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                           "  .reg .b64 %in, %out, %at; .reg .b32 %tx; .reg .pred %guard;\n"
                           "  ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n"
                           "  mov.u32 %tx, %tid.x;\n";

/* ---- known ---- */

#define ALL UINT64_MAX

/* Registers: %a %b %c of 32 bits, %A %B %C of 64, %h of 16, predicates %p (bit 0 of a) and %q (of b); the
 * result goes to %r (32 bits) or %R. %m: memory, 64 bytes of a lane's own; a at 0, b at 8, c at 16, nobody
 * wrote at 24 and on. Sources are as undefined as said in `lanes` (0: all 32) and defined in others; `lane`
 * is looked at. */
struct known {
    const char *text;
    uint64_t a, defined_a, b, defined_b, c, defined_c;
    uint64_t expected; /* of %R; %r counts as extended by defined zeros */
    uint32_t lanes, lane;
};

#define R32 UINT64_C(0xffffffff00000000) |
static const struct known table[] = {
    /* logic: a zero decides and, a one decides or */
    {"and.b32 %r, %a, %b;", 0xff, 0x0f, 0x3c, ALL, 0, ALL, R32 0xffffffcf, 0, 0},
    {"and.b32 %r, %a, %b;", 0, 0xffff0000, ~0u, 0xff, 0, ALL, R32 0xffff0000, 0, 0},
    {"and.b32 %r, %a, 255;", 0, 0, 0, ALL, 0, ALL, R32 0xffffff00, 0, 0},
    {"or.b32 %r, %a, %b;", 0, 0, 0xf0, ALL, 0, ALL, R32 0xf0, 0, 0},
    {"or.b32 %r, %a, -65536;", 0, 0, 0, ALL, 0, ALL, R32 0xffff0000, 0, 0},
    {"or.b64 %R, %A, %B;", 0, 1, ALL << 32, ALL << 32, 0, ALL, ALL << 32, 0, 0},
    {"xor.b32 %r, %a, %b;", 0, 0xff00ff, 0, 0x00ffff, 0, ALL, R32 0xff, 0, 0},
    {"not.b32 %r, %a;", 0, 0x1234, 0, ALL, 0, ALL, R32 0x1234, 0, 0},
    {"lop3.b32 %r, %a, %b, %c, 0xca;", 0xff00ff00, ALL, 0, 0, 0, ALL, R32 0x00ff00ff, 0, 0},
    {"lop3.b32 %r, %a, %b, %c, 0x0;", 0, 0, 0, 0, 0, 0, ALL, 0, 0},
    {"and.pred %p, %p, %q; selp.u32 %r, 5, 5, %p;", 0, 0, 0, ALL, 0, ALL, ALL, 0, 0},
    /* shifts: what comes in is defined, an undefined count spoils all */
    {"shl.b32 %r, %a, 8;", 0, 0xffff0000, 0, ALL, 0, ALL, R32 0xff0000ff, 0, 0},
    {"shr.u32 %r, %a, 8;", 0, 0xffff0000, 0, ALL, 0, ALL, R32 0xffffff00, 0, 0},
    {"shr.s32 %r, %a, 8;", 0, 0x7fffffff, 0, ALL, 0, ALL, R32 0x007fffff, 0, 0},
    {"shl.b32 %r, %a, 32;", 0, 0, 0, ALL, 0, ALL, ALL, 0, 0},
    {"shl.b64 %R, %A, %b;", 1, ALL, 3, ~UINT64_C(1), 0, ALL, 0, 0, 0},
    {"shf.l.wrap.b32 %r, %a, %b, 8;", 0, 0x00ffffff, 0, ALL, 0, ALL, R32 0xffffff00, 0, 0},
    /* fields and bytes */
    {"bfe.u32 %r, %a, 8, 8;", 0, 0xffff00ff, 0, ALL, 0, ALL, R32 0xffffff00, 0, 0},
    {"bfe.u32 %r, %a, 16, 8;", 0, 0xffff00ff, 0, ALL, 0, ALL, ALL, 0, 0},
    {"bfe.s32 %r, %a, 8, 8;", 0, 0xffff7fff, 0, ALL, 0, ALL, R32 0x7f, 0, 0},
    {"bfi.b32 %r, %a, %b, 8, 8;", 0, 0, 0, ALL, 0, ALL, R32 0xffff00ff, 0, 0},
    {"bfi.b32 %r, %a, %b, 8, 8;", 0, ALL, 0, 0xff, 0, ALL, R32 0xffff, 0, 0},
    {"prmt.b32 %r, %a, %b, 0x5410;", 0, 0xffff0000, 0, 0x0000ffff, 0, ALL, R32 0xffff0000, 0, 0},
    {"prmt.b32 %r, %a, %b, %c;", 0, ALL, 0, ALL, 0, 0xfff0, ALL << 32, 0, 0},
    {"brev.b32 %r, %a;", 0, 0xffff0000, 0, ALL, 0, ALL, R32 0x0000ffff, 0, 0},
    {"popc.b32 %r, %a;", 0, 0xfffffffe, 0, ALL, 0, ALL, ALL << 32, 0, 0},
    {"clz.b32 %r, %a;", 0, ALL, 0, 0, 0, ALL, ALL, 0, 0},
    /* arithmetic: nothing left of the lowest undefined bit */
    {"add.u32 %r, %a, %b;", 1, 0xffffffef, 2, ALL, 0, ALL, R32 0xf, 0, 0},
    {"sub.u32 %r, %a, %b;", 1, ALL, 2, 0xff, 0, ALL, R32 0xff, 0, 0},
    {"add.u64 %R, %A, %B;", 1, ~(UINT64_C(1) << 40), 2, ALL, 0, ALL, (UINT64_C(1) << 40) - 1, 0, 0},
    {"mul.lo.u32 %r, %a, %b;", 1, 0xffffff0f, 2, ALL, 0, ALL, R32 0xf, 0, 0},
    {"mul.hi.u32 %r, %a, %b;", 1, 0x7fffffff, 2, ALL, 0, ALL, ALL << 32, 0, 0},
    {"mad.lo.u32 %r, %a, %b, %c;", 1, ALL, 2, ALL, 0, 0xffff, R32 0xffff, 0, 0},
    {"add.cc.u32 %r, %a, %b; addc.u32 %r, %c, 0;", 1, 0, 2, ALL, 0, ALL, ALL << 32, 0, 0},
    {"min.u32 %r, %a, %b;", 1, 0xfffffffe, 2, ALL, 0, ALL, ALL << 32, 0, 0},
    {"add.f32 %r, %a, %b;", 0, 0xffff, 0, ALL, 0, ALL, R32 0xffff, 0, 0},
    {"fma.rn.f64 %R, %A, %B, %C;", 0, ALL, 0, ALL, 0, 0, 0, 0, 0},
    /* comparisons: bits that differ decide, the sign decides */
    {"setp.eq.u32 %p, %a, %b; selp.u32 %r, 1, 0, %p;", 0, 0xff, 0, ALL, 0, ALL, R32 0xfffffffe, 0, 0},
    {"setp.eq.u32 %p, %a, %b; selp.u32 %r, 1, 0, %p;", 1, 0xff, 0, ALL, 0, ALL, ALL, 0, 0},
    {"setp.lt.s32 %p, %a, 0; selp.u32 %r, 1, 0, %p;", 0, 0x80000000, 0, ALL, 0, ALL, ALL, 0, 0},
    {"setp.lt.s32 %p, %a, 1; selp.u32 %r, 1, 0, %p;", 0, 0x80000000, 0, ALL, 0, ALL, R32 0xfffffffe, 0, 0},
    {"setp.lt.f32 %p, %a, %b; selp.u32 %r, 1, 0, %p;", 0, 0xfffffffe, 0, ALL, 0, ALL, R32 0xfffffffe, 0, 0},
    {"set.eq.u32.u32 %r, %a, %b;", 0, 0, 0, ALL, 0, ALL, ALL << 32, 0, 0},
    /* selection: what both sides have alike does not depend on the predicate */
    {"selp.b32 %r, %a, %b, %q;", 0, 0xff, 1, ALL, 0, ALL, R32 0xff, 0, 0},
    {"selp.b32 %r, %a, %c, %q;", 0xf0, ALL, 1, 0, 0xff, ALL, R32 0xfffffff0, 0, 0},
    {"slct.s32.s32 %r, %a, %b, %c;", 0, 0xff, 0, 0, 1, ALL, R32 0xff, 0, 0},
    {"slct.s32.s32 %r, %a, %b, %c;", 0, ALL, 0, ALL, 1, 0x7fffffff, ALL << 32, 0, 0},
    /* conversions and packs */
    {"cvt.u64.u32 %R, %a;", 0, 0xff, 0, ALL, 0, ALL, R32 0xff, 0, 0},
    {"cvt.s64.s32 %R, %a;", 0, 0x7fffffff, 0, ALL, 0, ALL, 0x7fffffff, 0, 0},
    {"cvt.u32.u64 %r, %A;", 0, ALL << 32, 0, ALL, 0, ALL, ALL << 32, 0, 0},
    {"cvt.u32.u16 %r, %h;", 0, 0xff, 0, ALL, 0, ALL, R32 0xffff00ff, 0, 0},
    {"cvt.rn.f32.u32 %r, %a;", 0, 0xfffffffe, 0, ALL, 0, ALL, ALL << 32, 0, 0},
    {"cvt.sat.u32.s32 %r, %a;", 0, 0xfffffffe, 0, ALL, 0, ALL, ALL << 32, 0, 0},
    {"mov.b64 %R, {%a, %b};", 0, 0xff, 0, 0xff00, 0, ALL, UINT64_C(0xff00000000ff), 0, 0},
    {"mov.b64 {%r, %b}, %A;", 0, UINT64_C(0xff), 0, ALL, 0, ALL, R32 0xff, 0, 0},
    {"cvt.rn.f16x2.f32 %r, %a, %b;", 0, 0, 0, ALL, 0, ALL, R32 0xffff, 0, 0},
    {"cvt.rn.f16x2.f32 %r, %a, %b;", 0, ALL, 0, 0x7fffffff, 0, ALL, R32 0xffff0000, 0, 0},
    /* guards */
    {"mov.u32 %r, 7; @%p mov.u32 %r, %b;", 1, ALL, 0, 0xff, 0, ALL, R32 0xff, 0, 0},
    {"mov.u32 %r, 7; @%p mov.u32 %r, %b;", 0, ALL, 0, 0xff, 0, ALL, ALL, 0, 0},
    {"mov.u32 %r, 7; @%p mov.u32 %r, %b;", 0, 0, 0, ALL, 0, ALL, ALL << 32, 0, 0},
    /* memory, in parts */
    {"ld.global.u8 %r, [%m+1];", 0, 0xffff00ff, 0, ALL, 0, ALL, R32 0xffffff00, 0, 0},
    {"ld.global.s8 %r, [%m];", 0, 0x7f, 0, ALL, 0, ALL, R32 0x7f, 0, 0},
    {"ld.global.u16 %r, [%m+2];", 0, 0xffff, 0, ALL, 0, ALL, R32 0xffff0000, 0, 0},
    {"ld.global.u32 %r, [%m+24];", 0, ALL, 0, ALL, 0, ALL, ALL << 32, 0, 0},
    {"ld.global.v2.u32 {%b, %r}, [%m];", 0, ALL << 8, 0, ALL, 0, ALL, ALL, 0, 0},
    {"ld.global.v2.u32 {%r, %b}, [%m];", 0, ALL << 8, 0, ALL, 0, ALL, R32 0xffffff00, 0, 0},
    {"st.global.u8 [%m+25], %a; ld.global.u32 %r, [%m+24];", 0, ALL, 0, ALL, 0, ALL, R32 0xff00, 0, 0},
    {"st.global.u16 [%m+2], %b; ld.global.u32 %r, [%m];", 0, ALL, 0, 0xf0, 0, ALL, R32 0x00f0ffff, 0, 0},
    {"st.global.u32 [%m], %b; ld.global.u32 %r, [%m];", 0, 0, 0, ALL, 0, ALL, ALL, 0, 0},
    {"st.global.v2.u32 [%m+24], {%a, %b}; ld.global.u64 %R, [%m+24];", 0, 1, 0, 2, 0, ALL,
     UINT64_C(0x200000001), 0, 0},
    {"st.local.u16 [own+2], %a; ld.local.u32 %r, [own];", 0, 0xff, 0, ALL, 0, ALL, R32 0x00ff0000, 0, 0},
    {"st.shared.u32 [tile], %a; ld.shared.u16 %r, [tile+2];", 0, 0xffff, 0, ALL, 0, ALL, R32 0xffff0000, 0,
     0},
    {"ld.shared.u32 %r, [tile+4];", 0, ALL, 0, ALL, 0, ALL, ALL << 32, 0, 0},
    /* atomics ask, and what they leave is written; an exchange passes on what was there */
    {"atom.global.add.u32 %r, [%m], 1;", 0, 0, 0, ALL, 0, ALL, ALL, 0, 0},
    {"atom.global.exch.b32 %r, [%m], 1;", 0, 0xff, 0, ALL, 0, ALL, R32 0xff, 0, 0},
    {"atom.global.exch.b32 %r, [%m], %b; ld.global.u32 %r, [%m];", 0, ALL, 0, 0xff00, 0, ALL, R32 0xff00, 0,
     0},
    {"atom.global.cas.b32 %r, [%m], 0, %b;", 0, ALL, 0, 0xff, 0, ALL, ALL, 0, 0},
    /* lanes together */
    {"vote.sync.ballot.b32 %r, %p, -1;", 0, 0, 0, ALL, 0, ALL, R32 0xfffffff0, 0xf, 9},
    {"vote.sync.any.pred %p, %p, -1; selp.u32 %r, 1, 0, %p;", 0, 0, 0, ALL, 0, ALL, ALL, 0xf, 0},
    {"redux.sync.add.s32 %r, %a, -1;", 0, 0, 0, ALL, 0, ALL, ALL, 0xf, 0},
    {"match.any.sync.b32 %r, %a, -1;", 0, 0, 0, ALL, 0, ALL, ALL, 0xf, 0},
    {"shfl.sync.idx.b32 %r, %a, 3, 31, -1;", 0, 0xff, 0, ALL, 0, ALL, R32 0xff, 1u << 3, 9},
    {"shfl.sync.idx.b32 %r, %a, 4, 31, -1;", 0, 0xff, 0, ALL, 0, ALL, ALL, 1u << 3, 3},
    {"shfl.sync.down.b32 %r, %a, 1, 31, -1;", 0, ALL, 0, ALL, 0, ALL, ALL, 0, 31},
    {"shfl.sync.up.b32 %r, %a, 1, 0, -1;", 0, 0xff, 0, ALL, 0, ALL, R32 0xff, 1, 0},
    {"setp.lt.u32 %p, %tx, 8; mov.u32 %r, 0; @%p shfl.sync.down.b32 %r, %a, 1, 31, 255;", 0, ALL, 0, ALL, 0,
     ALL, ALL << 32, 0, 7},
    {"setp.lt.u32 %p, %tx, 8; mov.u32 %r, 0; @%p shfl.sync.down.b32 %r, %a, 1, 31, 255;", 0, ALL, 0, ALL, 0,
     ALL, ALL, 0, 6},
    {"setp.lt.u32 %p, %tx, 8; mov.u32 %r, 0; @%p shfl.sync.down.b32 %r, %a, 1, 0x1807, 255;", 0, ALL, 0, ALL,
     0, ALL, ALL, 0, 7},
};
enum { KNOWN = sizeof table / sizeof *table, LANES = 32, PLACE = 8 /* words a lane */, BATCH = 16 };

static void known_text(struct wg_strbuf *o, const struct known *k, uint32_t at) {
    bool wide = strstr(k->text, "%R");
    wg_strbuf_puts(o, "  {\n  .reg .b32 %a, %b, %c, %r; .reg .b64 %A, %B, %C, %R, %m; .reg .b16 %h;\n"
                      "  .reg .pred %p, %q;\n");
    wg_strbuf_printf(
        o,
        "  mad.wide.u32 %%m, %%tx, %u, %%in; add.u64 %%m, %%m, %u;\n"
        "  ld.global.u64 %%A, [%%m]; ld.global.u64 %%B, [%%m+8]; ld.global.u64 %%C, [%%m+16];\n"
        "  cvt.u32.u64 %%a, %%A; cvt.u32.u64 %%b, %%B; cvt.u32.u64 %%c, %%C; cvt.u16.u64 %%h, %%A;\n"
        "  and.b32 %%r, %%a, 1; setp.ne.u32 %%p, %%r, 0; and.b32 %%r, %%b, 1; setp.ne.u32 %%q, %%r, 0;\n"
        "  %s\n  %s st.global.u64 [%%at+%u], %%R;\n  }\n",
        8 * PLACE, at * LANES * 8 * PLACE, k->text, wide ? "" : "cvt.u64.u32 %R, %r;", at * LANES * 8);
}

static void known_batch(struct rig *r, const char *who, const struct known *k, uint32_t n) {
    static uint64_t in[BATCH * LANES * PLACE], defined[BATCH * LANES * PLACE];
    uint64_t out[BATCH * LANES], shadow[BATCH * LANES];
    struct wg_strbuf text = {0};
    memset(defined, 0, sizeof defined);
    wg_strbuf_puts(&text, head);
    wg_strbuf_puts(&text, "  .shared .align 8 .b8 tile[64]; .local .align 8 .b8 own[16];\n"
                          "  mad.wide.u32 %at, %tx, 8, %out;\n");
    for (uint32_t i = 0; i < n; i++) {
        known_text(&text, &k[i], i);
        for (uint32_t l = 0; l < LANES; l++) {
            uint64_t *x = &in[(i * LANES + l) * PLACE], *d = &defined[(i * LANES + l) * PLACE];
            bool lost = !k[i].lanes || k[i].lanes >> l & 1;
            memcpy(x, (uint64_t[]){k[i].a, k[i].b, k[i].c}, 24);
            memcpy(d, (uint64_t[]){k[i].defined_a, k[i].defined_b, k[i].defined_c}, 24);
            if (!lost) memset(d, 0xff, 24);
        }
    }
    wg_strbuf_puts(&text, "  ret;\n}\n");
    run(r, text.s, LANES, in, defined, n * LANES * PLACE, out, shadow, n * LANES);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t got = shadow[i * LANES + k[i].lane];
        if (got == k[i].expected) continue;
        print_error("%s: %s\n    the shadow is %#llx, not %#llx\n", who, k[i].text, (unsigned long long)got,
                    (unsigned long long)k[i].expected);
        wrong++;
    }
    wg_strbuf_free(&text);
}

static void known_shadows(void **state) {
    (void)state;
    wrong = 0;
    for (int backend = WG_BACKEND_JIT; backend <= WG_BACKEND_REF; backend++) {
        struct rig r;
        open_rig(&r, (enum wg_backend)backend, 2);
        for (uint32_t i = 0; i < KNOWN; i += BATCH)
            known_batch(&r, backend == WG_BACKEND_JIT ? "jit" : "ref", &table[i],
                        KNOWN - i < BATCH ? KNOWN - i : BATCH);
        close_rig(&r);
    }
    assert_int_equal(wrong, 0);
}

/* ---- every row ---- */

enum {
    GROUPS = 8, /* of a form: which bits are undefined */
    WAYS = 8,   /* values for them: a thread each */
    THREADS = GROUPS * WAYS,
    FORMS = 16,  /* a kernel */
    OF_A_ROW = 5 /* forms */
};
struct forms {
    uint32_t n, seen, step;
    struct row_case v[FORMS];
    struct rig rig[2];
};

static uint64_t low(uint32_t bits) { return bits >= 64 ? ALL : (UINT64_C(1) << bits) - 1; }

/* The defined bits of a source in a group of threads. */
static uint64_t defined_in(uint32_t group, uint32_t source, uint32_t nsources, uint32_t bits,
                           uint64_t *random) {
    uint64_t one = UINT64_C(1) << values_random(random) % bits, few = ALL;
    for (int i = 0; i < 4; i++) few &= ~(UINT64_C(1) << values_random(random) % bits);
    switch (group) {
    case 0: return ALL;
    case 1: return source == 0 ? ~one : ALL;
    case 2: return source == 1 ? ~one : ALL;
    case 3: return few;
    case 4: return source == 0 ? 0 : ALL;
    case 5: return source + 1 == nsources ? ~low(bits < 4 ? bits : 4) : ALL;
    default: return source < 2 ? few & ~one : ALL;
    }
}

static uint64_t base_value(uint32_t group, uint32_t bits, uint64_t *random) {
    uint64_t x = values_random(random);
    if (group == 6) x = 0;
    if (group == 7) x = ALL;
    if (values_random(random) % 4 == 0) x &= 31; /* counts */
    return x & low(bits);
}

static void form_text(struct wg_strbuf *o, const struct row_case *c, uint32_t at) {
    static const char *const names[] = {"%s0", "%s1", "%s2", "%s3", "%s4"}, *const results[] = {"%d0", "%d1"};
    struct case_source s[CASE_SOURCES];
    uint32_t bits[2], n = case_sources(c, s), nr = case_results(c, bits);
    const char *type[65] = {[1] = "pred", [16] = "b16", [32] = "b32", [64] = "b64"};
    wg_strbuf_puts(o, "  {\n  .reg .b32 %t;\n");
    for (uint32_t k = 0; k < n; k++) {
        uint32_t from = (at * CASE_SOURCES + k) * THREADS * 8;
        if (c->kind[k] == 'i') continue;
        wg_strbuf_printf(o, "  .reg .%s %s;", type[s[k].bits], names[k]);
        if (s[k].bits == 1)
            wg_strbuf_printf(o, " ld.global.b32 %%t, [%%in+%u]; setp.ne.b32 %s, %%t, 0;\n", from, names[k]);
        else
            wg_strbuf_printf(o, " ld.global.b%u %s, [%%in+%u];\n", s[k].bits, names[k], from);
    }
    for (uint32_t k = 0; k < nr; k++) wg_strbuf_printf(o, "  .reg .%s %s;\n", type[bits[k]], results[k]);
    case_text(c, results, names, o);
    wg_strbuf_puts(o, "\n");
    for (uint32_t k = 0; k < nr; k++) {
        uint32_t to = (at * 2 + k) * THREADS * 8;
        if (bits[k] == 1)
            wg_strbuf_printf(o, "  selp.b32 %%t, 1, 0, %s; st.global.b32 [%%out+%u], %%t;\n", results[k], to);
        else
            wg_strbuf_printf(o, "  st.global.b%u [%%out+%u], %s;\n", bits[k], to, results[k]);
    }
    wg_strbuf_puts(o, "  }\n");
}

static bool floats(const struct row_case *c) { return wg_type_kind(case_result_type(c)) == WG_K_F; }

static void judge(const struct row_case *c, uint32_t at, uint32_t result, uint32_t bits, const uint64_t *out,
                  const uint64_t *shadow, const char *who) {
    struct wg_strbuf name = {0};
    bool carries = wg_op_flags(c->op) & WG_F_CC;
    case_name(c, &name);
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t i = (at * 2 + result) * THREADS + t, first = i - t % WAYS;
        uint64_t said = shadow[i] & low(bits == 1 ? 32 : bits), differ = 0;
        for (uint32_t w = 0; w < WAYS; w++)
            differ |= (out[first + w] ^ out[first]) & low(bits == 1 ? 32 : bits);
        bool sound = floats(c) || carries || !(differ & said);
        bool whole = t / WAYS != 0 || carries || said == low(bits == 1 ? 32 : bits);
        if (sound && whole) continue;
        print_error("%s: %s: in group %u the shadow of result %u is %#llx, where bits %#llx differ\n", who,
                    name.s, t / WAYS, result, (unsigned long long)said, (unsigned long long)differ);
        wrong++;
        break;
    }
    wg_strbuf_free(&name);
}

static void run_forms(struct forms *f) {
    enum { IN = FORMS * CASE_SOURCES * THREADS, OUT = FORMS * 2 * THREADS };
    static uint64_t in[IN], defined[IN], out[2][OUT], shadow[2][OUT];
    struct wg_strbuf text = {0};
    uint64_t random = 12345;
    wg_strbuf_printf(&text, "%s  mad.wide.u32 %%in, %%tx, 8, %%in; mad.wide.u32 %%out, %%tx, 8, %%out;\n",
                     head);
    for (uint32_t i = 0; i < f->n; i++) {
        struct case_source s[CASE_SOURCES];
        uint32_t n = case_sources(&f->v[i], s);
        form_text(&text, &f->v[i], i);
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t g = 0; g < GROUPS; g++) {
                uint64_t x = base_value(g, s[k].bits, &random), d = defined_in(g, k, n, s[k].bits, &random);
                for (uint32_t w = 0; w < WAYS; w++) {
                    uint32_t at = (i * CASE_SOURCES + k) * THREADS + g * WAYS + w;
                    in[at] = (x ^ (w ? values_random(&random) & ~d : 0)) & low(s[k].bits);
                    defined[at] = d | ~low(s[k].bits);
                }
            }
    }
    wg_strbuf_puts(&text, "  ret;\n}\n");
    for (int b = 0; b < 2; b++) run(&f->rig[b], text.s, THREADS, in, defined, IN, out[b], shadow[b], OUT);
    for (uint32_t i = 0; i < f->n; i++) {
        uint32_t bits[2], n = case_results(&f->v[i], bits);
        for (uint32_t k = 0; k < n; k++) judge(&f->v[i], i, k, bits[k], out[0], shadow[0], "jit");
    }
    for (uint32_t i = 0; i < OUT; i++)
        if (shadow[0][i] != shadow[1][i]) {
            struct wg_strbuf name = {0};
            case_name(&f->v[i / (2 * THREADS)], &name);
            print_error("%s: thread %u: the shadow is %#llx by jit and %#llx by ref\n", name.s, i % THREADS,
                        (unsigned long long)shadow[0][i], (unsigned long long)shadow[1][i]);
            wg_strbuf_free(&name);
            wrong++;
            i |= 2 * THREADS - 1;
        }
    wg_strbuf_free(&text);
    f->n = 0;
}

static void count_form(void *user, const struct row_case *c) {
    struct forms *f = user;
    f->seen += case_legal(c);
}

/* A few forms of each row, some with their last source an immediate. */
static void take_form(void *user, const struct row_case *c) {
    struct forms *f = user;
    if (!case_legal(c) || f->seen++ % f->step) return;
    struct row_case *v = &f->v[f->n++];
    struct case_source s[CASE_SOURCES];
    uint32_t n = case_sources(c, s);
    *v = *c;
    if (n && s[n - 1].may_imm && s[n - 1].bits > 1 && f->seen % 2) {
        static const uint64_t imm[] = {0, 1, 7, 0xff};
        v->kind[n - 1] = 'i';
        v->imm[n - 1] = imm[f->seen / 2 % 4];
        if (!case_legal(v)) *v = *c;
    }
    if (f->n == FORMS) run_forms(f);
}

static void every_row(void **state) {
    (void)state;
    struct forms *f = calloc(1, sizeof *f);
    wrong = 0;
    /* What LLVM makes of pure rows is rows_test's matter, and a shadow is made of such rows. */
    open_rig(&f->rig[0], WG_BACKEND_JIT, 0);
    open_rig(&f->rig[1], WG_BACKEND_REF, 0);
    for (uint32_t op = 0; op < WG_OP_COUNT; op++) {
        if (!case_pure((enum wg_op)op)) continue;
        f->seen = 0;
        case_forms((enum wg_op)op, count_form, f);
        f->step = f->seen / OF_A_ROW + 1;
        f->seen = 0;
        case_forms((enum wg_op)op, take_form, f);
    }
    if (f->n) run_forms(f);
    for (int b = 0; b < 2; b++) close_rig(&f->rig[b]);
    free(f);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_shadows), cmocka_unit_test(every_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
