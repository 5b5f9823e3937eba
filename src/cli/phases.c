/* The table of -time, in nvcc's form: see phases.h. */
#include "cli/phases.h"
#include "base/clock.h"
#include "cli/say.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool wanted;
static struct wg_strbuf rows;

void wg_phases_begin(void) { wanted = true; }

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The word behind -o, and the machine that the words name. */
static void find_words(const struct wg_args *words, const char **output, const char **arch) {
    static const char named[] = "--cuda-gpu-arch=";
    *output = *arch = "";
    for (size_t i = 0; i < words->n; i++) {
        if (!strcmp(words->v[i], "-o") && i + 1 < words->n) *output = words->v[i + 1];
        if (!strncmp(words->v[i], named, sizeof named - 1)) *arch = words->v[i] + sizeof named - 1;
    }
}

void wg_phases_add(const char *source, const char *phase, const struct wg_args *words, uint64_t begin_ns) {
    if (!wanted) return;
    const char *output, *arch, *input = source ? source : "";
    find_words(words, &output, &arch);
    wg_strbuf_printf(&rows, "%s , %s (%s) , %s , %s , %s , nvcc , %.4f , ms\n", input, base_name(words->v[0]),
                     phase, input, output, arch, (double)(wg_now_ns() - begin_ns) * 1e-6);
}

bool wg_phases_write(const char *path) {
    static const char headings[] = "source file name , phase name , phase input files , phase output file , "
                                   "arch , tool, metric , unit\n";
    bool here = !strcmp(path, "-");
    FILE *f = here ? stdout : fopen(path, "a");
    bool good = f && (here || fseek(f, 0, SEEK_END) == 0);
    if (good && (here || ftell(f) == 0)) good = fputs(headings, f) >= 0;
    if (good && rows.n) good = fwrite(rows.s, 1, rows.n, f) == rows.n;
    if (f && (here ? fflush(f) : fclose(f)) != 0) good = false;
    if (!good) wg_say("-time: cannot write %s: %s", here ? "standard output" : path, strerror(errno));
    wg_strbuf_free(&rows);
    return good;
}
