/* Which machine device code is compiled for: see job.h. */
#include "base/suggestion.h"
#include "cli/job.h"
#include "cli/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char default_arch[] = "sm_90";

bool wg_job_any_chip(const char *arch) {
    return !strcmp(arch, "native") || !strcmp(arch, "all") || !strcmp(arch, "all-major");
}

const struct wg_chip *wg_job_chip(const char *arch) {
    if (arch && wg_job_any_chip(arch)) {
        const char *modelled = getenv("WARPGLASS_ARCH");
        arch = modelled && *modelled ? modelled : NULL;
    }
    const struct wg_chip *chip = wg_chip_find(arch ? arch : default_arch);
    if (chip) return chip;
    size_t n;
    const struct wg_chip *chips = wg_chip_list(&n);
    const char *names[128];
    size_t count = 0;
    struct wg_strbuf known = {0};
    for (size_t i = 0; i < n && count + 1 < sizeof names / sizeof *names; i++) {
        if (i && !strcmp(chips[i].arch, chips[i - 1].arch)) continue;
        names[count++] = chips[i].arch;
        wg_strbuf_printf(&known, " %s", chips[i].arch);
    }
    names[count] = NULL;
    const char *meant = wg_suggestion(arch, names);
    if (meant)
        wg_say("unknown arch '%s': did you mean '%s'? There are%s", arch, meant, known.s);
    else
        wg_say("unknown arch '%s': the archs are%s; \"warpglass info\" also lists chip names", arch, known.s);
    wg_strbuf_free(&known);
    return NULL;
}

unsigned wg_job_devices(const char *list, const char *arch, const struct wg_chip **oldest) {
    const struct wg_chip *chips[WG_CHIP_MOST_DEVICES], *one = wg_job_chip(arch);
    uint32_t n = one ? wg_chips_parse(list, one, chips) : 0;
    if (one && !n)
        wg_say("--devices %s: expected a number from 1 to %d, or a list of as many chips, such as "
               "H200,H200,A100; \"warpglass info\" lists them",
               list, WG_CHIP_MOST_DEVICES);
    for (uint32_t i = 0; i < n && oldest; i++)
        if (!i || chips[i]->limits->cc < (*oldest)->limits->cc) *oldest = chips[i];
    return n;
}

/* sm_13, compute_35, 20: older than any machine there is. */
static bool is_too_old(const char *name, const struct wg_chip *oldest) {
    static const char *const prefixes[] = {"sm_", "compute_", "lto_"};
    for (size_t i = 0; name && i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) name += strlen(prefixes[i]);
    size_t digits = name ? strspn(name, "0123456789") : 0;
    return digits == 2 && !name[digits] && atoi(name) >= 10 && atoi(name) < atoi(oldest->arch + 3);
}

static const struct wg_chip *oldest_chip(void) {
    size_t n;
    const struct wg_chip *chips = wg_chip_list(&n), *oldest = chips;
    for (size_t i = 1; i < n; i++)
        if (atoi(chips[i].arch + 3) < atoi(oldest->arch + 3)) oldest = &chips[i];
    return oldest;
}

/* What device code is compiled for where `name` is asked for: old makefiles ask for what nvcc has had. */
static const struct wg_chip *find_arch(struct wg_job *job, const char *name) {
    const struct wg_chip *oldest = oldest_chip();
    bool for_lto = name && !strncmp(name, "lto_", 4);
    if (!is_too_old(name, oldest)) return wg_job_chip(for_lto ? name + 4 : name);
    snprintf(job->too_old, sizeof job->too_old, "%s", name);
    return oldest;
}

int wg_job_set_arch(struct wg_job *job, const char *name) {
    const struct wg_chip *chip = find_arch(job, name);
    if (!chip) return 2;
    /* sm_90a has instructions that sm_90 has not; the chip is the same. */
    bool own_instructions = name && name[strlen(name) - 1] == 'a' && strchr(name, '_');
    snprintf(job->arch, sizeof job->arch, "%s%s", chip->arch, own_instructions ? "a" : "");
    job->arch_is_oldest = chip == oldest_chip();
    return 0;
}

/* "arch=compute_80,code=[sm_80,compute_80]": the part behind "arch=". */
int wg_job_set_gencode(struct wg_job *job, const char *text) {
    char arch[16] = "";
    const char *at = strstr(text, "arch=");
    if (at) snprintf(arch, sizeof arch, "%.*s", (int)strcspn(at + 5, ","), at + 5);
    if (!*arch) {
        wg_say("-gencode %s: expected arch=compute_90,code=sm_90", text);
        return 2;
    }
    const struct wg_chip *chip = find_arch(job, arch);
    if (!chip) return 2;
    /* Warpglass runs PTX alone, and of several the newest, as the driver would on a new machine. */
    if (job->by_gencode && atoi(chip->arch + 3) < atoi(job->arch + 3)) return 0;
    job->by_gencode = true;
    return wg_job_set_arch(job, arch);
}
