/* See options.h. */
#include "machine/options.h"
#include "analysis/plan.h"
#include "machine/verified.h"
#include "model/chip.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct wg_option_info infos[] = {
#define X(field, NAME, kind, arg, help) {#field, "WARPGLASS_" #NAME, WG_OPT_##kind, arg, help},
    WG_OPTIONS(X)
#undef X
};
enum { NOPTIONS = sizeof infos / sizeof *infos };

enum option_index {
#define X(field, NAME, kind, arg, help) OPT_##field,
    WG_OPTIONS(X)
#undef X
};

const struct wg_option_info *wg_option_list(size_t *count) {
    *count = NOPTIONS;
    return infos;
}

/* What of a launch's output its last blocks find in the caches. A virtual machine sees all of the last level,
 * and has the part of it that its few cores can fill: some times what their second levels hold. */
static uint32_t stream_kb(void) {
    enum { TIMES = 4 };
    long third = sysconf(_SC_LEVEL3_CACHE_SIZE), second = sysconf(_SC_LEVEL2_CACHE_SIZE);
    long cores = sysconf(_SC_NPROCESSORS_ONLN), bytes = 32 << 20;
    if (third > 0) bytes = third;
    if (second > 0 && cores > 0 && second < bytes / TIMES / cores) bytes = second * TIMES * cores;
    return (uint32_t)(bytes / 1024);
}

void wg_options_init(struct wg_options *o) {
    memset(o, 0, sizeof *o);
    strcpy(o->arch, "sm_90");
    o->opt.level = 2;
    o->tiers = WG_TIERS_LARGE;
    o->progress = isatty(STDERR_FILENO) ? 2 : 0;
    o->stream_kb = stream_kb();
}

static void *field_of(struct wg_options *o, size_t option) {
    switch ((enum option_index)option) {
#define X(field, NAME, kind, arg, help)                                                                      \
    case OPT_##field: return &o->field;
        WG_OPTIONS(X)
#undef X
    }
    return NULL;
}

static bool complain(struct wg_diag *d, size_t option, const char *value, const char *expected) {
    if (d)
        wg_diag_error(d, (struct wg_pos){0}, NULL, "%s: '%s' is not %s", infos[option].env, value, expected);
    return false;
}

static bool parse_dump(uint32_t *out, const char *value) {
    static const struct {
        const char *name;
        uint32_t bit;
    } stages[] = {{"ptx", WG_DUMP_PTX},
                  {"ir", WG_DUMP_IR},
                  {"plan", WG_DUMP_PLAN},
                  {"llvm", WG_DUMP_LLVM},
                  {"asm", WG_DUMP_ASM}};
    *out = 0;
    for (const char *s = value; *s;) {
        size_t n = strcspn(s, ",");
        uint32_t bit = 0;
        for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
            if (strlen(stages[i].name) == n && memcmp(stages[i].name, s, n) == 0) bit = stages[i].bit;
        if (!bit) return false;
        *out |= bit;
        s += n + (s[n] == ',');
    }
    return true;
}

/* Whole numbers, with what each option allows. */
static bool parse_uint(struct wg_options *o, size_t option, const char *value, struct wg_diag *d) {
    char *end;
    unsigned long n = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || n > UINT32_MAX)
        return complain(d, option, value, "a whole number");
    switch ((enum option_index)option) {
    case OPT_threads:
        if (n > 4096)
            return complain(d, option, value, "a number of threads from 1 to 4096 (or 0: every CPU)");
        break;
    case OPT_width:
        if (n != 0 && n != 128 && n != 256 && n != 512)
            return complain(d, option, value, "a vector width: 128, 256 or 512 (or 0: what the CPU has)");
        break;
    case OPT_tiers:
        if (n > WG_TIERS_QUICK) return complain(d, option, value, "0, 1 or 2");
        break;
    case OPT_deterministic:
    case OPT_strict:
        if (n > 1) return complain(d, option, value, "0 or 1");
        break;
    default: break;
    }
    *(uint32_t *)field_of(o, option) = (uint32_t)n;
    return true;
}

static bool parse_schedule(wg_opt_SCHEDULE *out, const char *value) {
    wg_opt_SCHEDULE s = {.kind = WG_SCHEDULE_REVERSE};
    size_t n = strcspn(value, ",");
    if (strcmp(value + n, ",lanes") == 0)
        s.lanes = true;
    else if (value[n])
        return false;
    if (strncmp(value, "random:", 7) == 0) {
        char *end;
        if (value[7] < '0' || value[7] > '9') return false;
        s.kind = WG_SCHEDULE_RANDOM;
        s.seed = strtoull(value + 7, &end, 10);
        if (end != value + n) return false;
    } else if (n != 7 || strncmp(value, "reverse", n) != 0) {
        return false;
    }
    *out = s;
    return true;
}

bool wg_options_set(struct wg_options *o, size_t option, const char *value, struct wg_diag *d) {
    void *field = field_of(o, option);
    char *end;
    switch ((enum wg_option_kind)infos[option].kind) {
    case WG_OPT_TEXT:
        if (option == OPT_arch && !wg_chip_find(value))
            return complain(d, option, value,
                            "an arch (sm_50 .. sm_121) or a chip's name; 'warpglass info' lists them");
        if (strlen(value) >= sizeof(wg_opt_TEXT)) return complain(d, option, value, "short enough");
        strcpy(field, value);
        return true;
    case WG_OPT_DEVICES: {
        const struct wg_chip *chips[WG_CHIP_MOST_DEVICES];
        _Static_assert(WG_CHIP_MOST_DEVICES == 16, "as the message says");
        if (strlen(value) >= sizeof(wg_opt_DEVICES) || !wg_chips_parse(value, wg_chip_find(o->arch), chips))
            return complain(d, option, value,
                            "a number of devices from 1 to 16, or a list of that many archs or chip names; "
                            "'warpglass info' lists them");
        strcpy(field, value);
        return true;
    }
    case WG_OPT_UINT: return parse_uint(o, option, value, d);
    case WG_OPT_SECONDS: {
        double seconds = strtod(value, &end);
        if (end == value || *end || !(seconds >= 0) || isinf(seconds))
            return complain(d, option, value, "a time in seconds");
        *(double *)field = seconds;
        return true;
    }
    case WG_OPT_BACKEND:
        if (strcmp(value, "jit") == 0)
            *(uint32_t *)field = WG_BACKEND_JIT;
        else if (strcmp(value, "ref") == 0)
            *(uint32_t *)field = WG_BACKEND_REF;
        else
            return complain(d, option, value, "a backend: jit or ref");
        return true;
    case WG_OPT_BLOCKS: {
        unsigned long n = strtoul(value, &end, 10);
        if (strcmp(value, "all") == 0)
            n = WG_VERIFY_ALL;
        else if (*value < '0' || *value > '9' || *end || n > 1000 * 1000)
            return complain(d, option, value, "'all' or a number of blocks");
        *(uint32_t *)field = (uint32_t)n;
        return true;
    }
    case WG_OPT_FORMS: {
        wg_opt_FORMS *forms = field, now = {.level = 2};
        const char *expected = wg_forms_parse(value, &now.level, &now.forms_off);
        if (expected) return complain(d, option, value, expected);
        *forms = now;
        return true;
    }
    case WG_OPT_SCHEDULE:
        if (!parse_schedule(field, value))
            return complain(d, option, value, "an order: reverse or random:SEED, perhaps with ,lanes");
        return true;
    case WG_OPT_DUMP:
        if (!parse_dump(field, value))
            return complain(d, option, value, "a list of ptx, ir, plan, llvm, asm");
        return true;
    }
    return false;
}

bool wg_options_from_env(struct wg_options *o, struct wg_diag *d) {
    bool good = true;
    for (size_t i = 0; i < NOPTIONS; i++) {
        const char *value = secure_getenv(infos[i].env);
        if (value && *value) good &= wg_options_set(o, i, value, d);
    }
    return good;
}
