/* libFuzzer target: whatever the bytes, PTX to IR neither crashes nor hangs, says why when it refuses, and
 * makes IR that keeps its own rules.
 *
 *     ptx_fuzz -dict=ptx.dict -max_total_time=60 CORPUS tests/ptx/cases tests/ir/cases
 */
#include "ir/ir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void look(struct wg_ir_module *m) {
    struct wg_strbuf out = {0};
    struct wg_diag d = {0};
    const char *wrong = wg_ir_verify(m);
    if (wrong) {
        fprintf(stderr, "the IR breaks its own rules: %s\n", wrong);
        abort();
    }
    for (uint32_t i = 0; i < m->nfuncs; i++) {
        wg_ir_print(m, &m->funcs[i], &out);
        wg_ir_check_supported(m, i, &d);
    }
    wg_strbuf_free(&out);
    wg_diag_free(&d);
}

static struct wg_ir_module *read(const char *text, size_t size, bool apart) {
    struct wg_diag d = {0};
    struct wg_ir_module *m = (apart ? wg_ir_from_ptx_apart : wg_ir_from_ptx)("fuzz.ptx", text, size, &d);
    if (!m == !d.errors) {
        fprintf(stderr, m ? "a module in spite of errors\n" : "refused without a word\n");
        abort();
    }
    if (m) look(m);
    wg_diag_free(&d);
    return m;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = wg_xmalloc(size + 1);
    if (size) memcpy(text, data, size);
    text[size] = 0;
    struct wg_ir_module *whole = read(text, size, false), *apart = read(text, size, true);
    if (whole ? !apart || apart->nrefused : apart && !apart->nrefused) {
        fprintf(stderr, "errors are lost, or made, where functions are refused each for itself\n");
        abort();
    }
    wg_ir_free(whole);
    wg_ir_free(apart);
    free(text);
    return 0;
}
