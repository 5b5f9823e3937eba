/* See registers.h. ptxas takes a tenth of a second and more, so what it said is kept: a file for each text,
 * choice of kernels, chip and ptxas. */
#include "cli/registers.h"
#include "base/cache_dir.h"
#include "base/hash.h"
#include "cli/ptxas.h"
#include "cli/say.h"

#include <string.h>
#include <sys/stat.h>

/* Longer than this nobody should wait for one number of a report. */
enum { SECONDS_AT_MOST = 10 };

/* Launched kernels with this text. */
static struct wg_args launched(const struct wg_profile *p, const char *ptx) {
    struct wg_args names = {0};
    for (uint32_t i = 0; i < p->kernel_count; i++)
        if (p->kernels[i].ptx == ptx && p->kernels[i].launch_count) wg_args_add(&names, p->kernels[i].name);
    return names;
}

/* CACHE/registers/KEY; NULL s when nothing is kept. */
static struct wg_strbuf kept_in(const char *ptxas, const char *ptx, const char *arch,
                                const struct wg_args *kernels) {
    struct wg_strbuf path = {0};
    struct wg_hash h = WG_HASH_INIT;
    struct stat st;
    char name[33];
    if (stat(ptxas, &st) != 0) return path;
    wg_hash_str(&h, ptxas);
    wg_hash_add(&h, &st.st_size, sizeof st.st_size);
    wg_hash_add(&h, &st.st_mtim, sizeof st.st_mtim);
    wg_hash_str(&h, arch);
    wg_hash_str(&h, ptx);
    for (size_t i = 0; i < kernels->n; i++) wg_hash_str(&h, kernels->v[i]);
    wg_hash_hex(&h, name);
    if (wg_cache_folder("registers", &path)) wg_strbuf_printf(&path, "/%s", name);
    return path;
}

static void keep(char *path, const struct wg_strbuf *said) {
    enum { KEEP_AT_MOST = 1024, MEGABYTES_AT_MOST = 16 };
    wg_cache_write_sealed(path, said->s ? said->s : "", said->n);
    *strrchr(path, '/') = 0;
    wg_cache_trim(path, KEEP_AT_MOST, MEGABYTES_AT_MOST * 1000000ull);
}

/* What ptxas says of the kernels, or said before. */
static void ask(const char *ptxas, const char *ptx, const char *arch, const struct wg_args *kernels,
                struct wg_strbuf *said) {
    struct wg_strbuf kept = kept_in(ptxas, ptx, arch, kernels), text = {0};
    if (!kept.s || !wg_cache_read_sealed(kept.s, said)) {
        wg_strbuf_free(said);
        wg_strbuf_puts(&text, ptx);
        if (!wg_ptxas_run(ptxas, &text, arch, kernels, SECONDS_AT_MOST, said))
            wg_say_verbose("%s does not accept the program's PTX, so registers are estimated:\n%s", ptxas,
                           said->s ? said->s : "");
        if (kept.s) keep(kept.s, said);
    }
    wg_strbuf_free(&kept);
    wg_strbuf_free(&text);
}

static void ask_for_text(struct wg_profile *p, const char *ptxas, const char *ptx) {
    struct wg_args kernels = launched(p, ptx);
    struct wg_strbuf said = {0};
    struct wg_ptxas_figures f;
    if (kernels.n) ask(ptxas, ptx, p->arch, &kernels, &said);
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        struct wg_profile_kernel *k = &p->kernels[i];
        if (k->ptx != ptx || !k->launch_count || !wg_ptxas_look(said.s, k->name, &f)) continue;
        k->registers = f.registers;
        k->registers_estimated = false;
    }
    wg_args_free(&kernels);
    wg_strbuf_free(&said);
}

void wg_registers_ask(struct wg_profile *p) {
    struct wg_strbuf ptxas = {0};
    if (wg_ptxas_find(&ptxas))
        for (uint32_t i = 0; i < p->kernel_count; i++) {
            const char *ptx = p->kernels[i].ptx;
            bool asked = !ptx;
            for (uint32_t k = 0; k < i; k++) asked |= p->kernels[k].ptx == ptx;
            if (!asked) ask_for_text(p, ptxas.s, ptx);
        }
    wg_strbuf_free(&ptxas);
}
