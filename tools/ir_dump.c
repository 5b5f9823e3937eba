/* wg_irdump FILE.ptx ...: prints the IR of every function, to see what the builder makes of PTX. Errors go to
 * stderr; the exit status is 1 if there were any. */
#include "ir/ir.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool dump(const char *path) {
    struct wg_strbuf text = {0}, out = {0};
    struct wg_diag d = {0};
    if (!wg_file_read(path, &text)) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    struct wg_ir_module *m = wg_ir_from_ptx(path, text.s, text.n, &d);
    const char *wrong = m ? wg_ir_verify(m) : NULL;
    for (uint32_t i = 0; m && i < m->nfuncs; i++) {
        wg_ir_print(m, &m->funcs[i], &out);
        if (m->funcs[i].entry) wg_ir_check_supported(m, i, &d);
    }
    if (out.s) fputs(out.s, stdout);
    if (d.text.s) fputs(d.text.s, stderr);
    if (wrong) fprintf(stderr, "%s: the IR breaks its own rules: %s\n", path, wrong);
    bool ok = m && !wrong;
    wg_ir_free(m);
    wg_strbuf_free(&text);
    wg_strbuf_free(&out);
    wg_diag_free(&d);
    return ok;
}

int main(int argc, char **argv) {
    int status = argc < 2;
    if (argc < 2) fprintf(stderr, "usage: wg_irdump FILE.ptx ...\n");
    for (int i = 1; i < argc; i++)
        if (!dump(argv[i])) status = 1;
    return status;
}
