/* Small PTX files against what they become: for every cases/NAME.ptx the IR of its functions and the messages
 * about it must be cases/NAME.txt. WG_GOLDEN=write makes the .txt files anew; look at the difference before
 * you commit.
 *
 *     golden FOLDER ...
 */
#include "ir/ir.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct golden {
    char *ptx, *txt;
    const char *name; /* of the file, inside ptx */
};

static char *render(const struct golden *g) {
    struct wg_strbuf text = {0}, out = {0};
    struct wg_diag d = {0};
    if (!wg_file_read(g->ptx, &text)) fail_msg("%s: %s", g->ptx, strerror(errno));
    struct wg_ir_module *m = wg_ir_from_ptx(g->name, text.s, text.n, &d);
    assert_int_equal(m == NULL, d.errors > 0);
    if (m) {
        const char *wrong = wg_ir_verify(m);
        if (wrong) fail_msg("%s: %s", g->name, wrong);
        for (uint32_t i = 0; i < m->nfuncs; i++) {
            wg_ir_print(m, &m->funcs[i], &out);
            wg_ir_check_supported(m, i, &d);
        }
    }
    if (d.text.n) wg_strbuf_add(&out, d.text.s, d.text.n);
    wg_ir_free(m);
    wg_strbuf_free(&text);
    wg_diag_free(&d);
    return out.s ? out.s : calloc(1, 1);
}

static void check(void **state) {
    const struct golden *g = *state;
    const char *mode = getenv("WG_GOLDEN");
    char *got = render(g);
    if (mode && strcmp(mode, "write") == 0) {
        assert_true(wg_file_write(g->txt, got, strlen(got)));
    } else {
        struct wg_strbuf want = {0};
        if (!wg_file_read(g->txt, &want))
            fail_msg("%s: %s (WG_GOLDEN=write makes it)", g->txt, strerror(errno));
        assert_string_equal(got, want.s);
        wg_strbuf_free(&want);
    }
    free(got);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct CMUnitTest *)a)->name, ((const struct CMUnitTest *)b)->name);
}

static struct CMUnitTest make_test(const char *folder, const char *file) {
    struct golden *g = wg_xcalloc(1, sizeof *g);
    size_t stem = strlen(file) - 4;
    if (asprintf(&g->ptx, "%s/%s", folder, file) < 0 ||
        asprintf(&g->txt, "%s/%.*s.txt", folder, (int)stem, file) < 0)
        abort();
    g->name = strrchr(g->ptx, '/') + 1;
    return (struct CMUnitTest){.name = g->name, .test_func = check, .initial_state = g};
}

int main(int argc, char **argv) {
    WG_VEC(struct CMUnitTest) tests = {0};
    for (int i = 1; i < argc; i++) {
        DIR *d = opendir(argv[i]);
        if (!d) return perror(argv[i]), 1;
        for (struct dirent *e; (e = readdir(d));) {
            size_t n = strlen(e->d_name);
            if (n > 4 && strcmp(e->d_name + n - 4, ".ptx") == 0)
                *WG_PUSH(&tests) = make_test(argv[i], e->d_name);
        }
        closedir(d);
    }
    qsort(tests.v, tests.n, sizeof *tests.v, by_name);
    int failed = _cmocka_run_group_tests("golden", tests.v, tests.n, NULL, NULL);
    for (uint32_t i = 0; i < tests.n; i++) {
        struct golden *g = tests.v[i].initial_state;
        free(g->ptx);
        free(g->txt);
        free(g);
    }
    free(tests.v);
    return failed || !argc;
}
