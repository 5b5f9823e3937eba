/* See figure.h. */
#include "report/figure.h"
#include <stdio.h>
#include <string.h>

const char *wg_figure(struct wg_arena *a, uint64_t n) {
    char digits[24], out[32];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), j = 0;
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0) out[j++] = ',';
        out[j++] = digits[i];
    }
    return wg_arena_strndup(a, out, (size_t)j);
}

/* Three digits with as many of them behind the point as fit. */
static const char *three_digits(struct wg_arena *a, double x, const char *unit) {
    int decimals = x < 9.995 ? 2 : x < 99.95 ? 1 : 0;
    return wg_arena_printf(a, "%.*f%s", decimals, x, unit);
}

const char *wg_figure_short(struct wg_arena *a, uint64_t n) {
    static const char *const units[] = {" k", " M", " G", " T", " P", " E"};
    double x = (double)n;
    int unit = -1;
    if (n < 10000) return wg_arena_printf(a, "%llu", (unsigned long long)n);
    while (x >= 999.5) x /= 1000, unit++;
    return three_digits(a, x, units[unit]);
}

const char *wg_figure_bytes(struct wg_arena *a, uint64_t bytes) {
    static const char *const units[] = {" KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
    double x = (double)bytes;
    int unit = -1;
    if (bytes < 1024) return wg_arena_printf(a, "%llu B", (unsigned long long)bytes);
    while (x >= 1023.5) x /= 1024, unit++;
    return three_digits(a, x, units[unit]);
}

const char *wg_figure_ratio(struct wg_arena *a, uint64_t part, uint64_t whole) {
    if (!whole) return "-";
    if (part % whole == 0)
        return part / whole < 10000 ? wg_arena_printf(a, "%llu", (unsigned long long)(part / whole))
                                    : wg_figure_short(a, part / whole);
    double x = (double)part / (double)whole;
    if (x > 999) return wg_figure_short(a, (uint64_t)x);
    return three_digits(a, x, "");
}

const char *wg_figure_rough(struct wg_arena *a, uint64_t part, uint64_t whole) {
    if (!whole || part % whole == 0 || part / whole > 99) return wg_figure_ratio(a, part, whole);
    double x = (double)part / (double)whole;
    return wg_arena_printf(a, "%.*f", x < 9.95, x);
}

const char *wg_figure_percent(struct wg_arena *a, uint64_t part, uint64_t whole) {
    if (!whole) return "-";
    double x = 100.0 * (double)part / (double)whole;
    if (part && x < 0.1) return "<0.1 %";
    if (part < whole && x > 99.9) return ">99.9 %";
    if (part && part != whole && (x < 1 || x >= 99.5)) return wg_arena_printf(a, "%.1f %%", x);
    return wg_arena_printf(a, "%.0f %%", x);
}

const char *wg_figure_plural(struct wg_arena *a, uint64_t n, const char *one, const char *many) {
    return wg_arena_printf(a, "%s %s", wg_figure(a, n), n == 1 ? one : many);
}

const char *wg_figure_time(struct wg_arena *a, double seconds) {
    static const char *const units[] = {"s", "ms", "us", "ns"};
    int unit = 0;
    while (unit < 3 && seconds < 0.9995) seconds *= 1000, unit++;
    return wg_arena_printf(a, "%.3g %s", seconds, units[unit]);
}
