/* See measured.h. */
#include "report/measured.h"
#include "report/modelled.h"
#include "report/pattern.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct wg_measured_kernel *add_kernel(struct wg_arena *a, struct wg_measured *m, const char *display) {
    size_t n;
    wg_metric_list(&n);
    struct wg_measured_kernel *k = WG_PUSH(&m->kernels);
    k->display = display;
    k->seconds = NAN;
    k->value = WG_NEW_N(a, double, n);
    for (size_t i = 0; i < n; i++) k->value[i] = NAN;
    return k;
}

/* A profiler's rows are of launches. */
static struct wg_measured_kernel *kernel_of(struct wg_arena *a, struct wg_measured *m, const char *display) {
    for (uint32_t i = 0; i < m->kernels.n; i++)
        if (!strcmp(m->kernels.v[i].display, display)) return &m->kernels.v[i];
    return add_kernel(a, m, display);
}

void wg_measured_of(struct wg_arena *a, const struct wg_summaries *s, const char *name,
                    struct wg_measured *out) {
    size_t n;
    const struct wg_metric *m = wg_metric_list(&n);
    *out = (struct wg_measured){.name = name, .version = s->n ? s->v[0].result->warpglass : NULL};
    for (uint32_t i = 0; i < s->n; i++) {
        struct wg_measured_kernel *k = add_kernel(a, out, s->v[i].kernel->display);
        struct wg_modelled model;
        k->launches = s->v[i].launch_count;
        k->summary = &s->v[i];
        if (wg_model_kernel(a, &s->v[i], &model)) k->seconds = model.seconds;
        for (size_t j = 0; j < n; j++) /* the time has a row of its own */
            if (m[j].of != WG_OF_TIME) k->value[j] = wg_metric_of_kernel(&m[j], &s->v[i]);
    }
}

void wg_measured_free(struct wg_measured *m) { free(m->kernels.v); }

/* ---- CSV --------------------------------------------------------------------------------------------------
 */

struct row {
    WG_VEC(char *) cells;
};

/* Cuts one record into cells; gives where the next begins. */
static const char *cut(struct wg_arena *a, const char *s, struct row *row) {
    row->cells.n = 0;
    for (;;) {
        struct wg_strbuf cell = {0};
        wg_strbuf_puts(&cell, "");
        if (*s == '"') {
            for (s++; *s && (*s != '"' || s[1] == '"'); s++) {
                if (*s == '"') s++;
                wg_strbuf_add(&cell, s, 1);
            }
            if (*s) s++;
        }
        size_t n = strcspn(s, ",\r\n");
        wg_strbuf_add(&cell, s, n);
        s += n;
        *WG_PUSH(&row->cells) = wg_arena_strdup(a, cell.s ? cell.s : "");
        wg_strbuf_free(&cell);
        if (*s != ',') break;
        s++;
    }
    while (*s == '\r') s++;
    return *s == '\n' ? s + 1 : s;
}

static int column(const struct row *head, const char *name) {
    for (uint32_t i = 0; i < head->cells.n; i++)
        if (!strcmp(head->cells.v[i], name)) return (int)i;
    return -1;
}
static const char *cell(const struct row *row, int column) {
    return column >= 0 && (uint32_t)column < row->cells.n ? row->cells.v[column] : "";
}

/* "1,234,567", "12.5"; false for text. */
static bool read_number(const char *s, double *out) {
    char digits[64], *end;
    size_t n = 0;
    for (; *s && n < sizeof digits - 1; s++)
        if (*s != ',') digits[n++] = *s;
    digits[n] = 0;
    *out = strtod(digits, &end);
    return end != digits && !*end;
}

/* Rates and byte units are not counts: "Kbyte", "%". */
static double unit_factor(const char *unit) {
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"Kbyte", 1e3}, {"Mbyte", 1e6}, {"Gbyte", 1e9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(unit, units[i].unit)) return units[i].factor;
    return 1;
}

static double seconds_of(const char *unit) {
    return *unit == 'n' ? 1e-9 : *unit == 'u' ? 1e-6 : *unit == 'm' ? 1e-3 : *unit == 's' ? 1 : NAN;
}

static bool add_value(struct wg_measured_kernel *k, const char *metric, const char *unit, const char *text) {
    size_t n;
    const struct wg_metric *m = wg_metric_list(&n);
    double v;
    bool known = false;
    if (!strcmp(metric, "gpu__time_duration.sum") && read_number(text, &v))
        k->seconds = (isnan(k->seconds) ? 0 : k->seconds) + v * seconds_of(unit);
    for (size_t i = 0; i < n; i++) {
        if (!m[i].profiler || strcmp(m[i].profiler, metric) != 0 || !read_number(text, &v)) continue;
        v *= unit_factor(unit);
        k->value[i] = isnan(k->value[i]) ? v : k->value[i] + v;
        known = true;
    }
    return known;
}

/* What follows from what was measured. */
static void derive(struct wg_measured *m) {
    size_t n;
    const struct wg_metric *v = wg_metric_list(&n);
    for (uint32_t k = 0; k < m->kernels.n; k++) {
        double *value = m->kernels.v[k].value;
        for (size_t i = 0; i < n; i++) {
            if (v[i].minus < 0 && v[i].over < 0 && v[i].counter != WG_C_conflicts) continue;
            int less = v[i].counter == WG_C_conflicts ? WG_C_ideal_wavefronts : v[i].minus;
            int first = v[i].counter == WG_C_conflicts ? WG_C_wavefronts : v[i].counter;
            double a = NAN, b = NAN;
            for (size_t j = 0; j < n; j++) {
                if (v[j].classes != v[i].classes || v[j].minus >= 0 || v[j].over >= 0) continue;
                if (v[j].counter == first) a = value[j];
                if (v[j].counter == (v[i].over >= 0 ? v[i].over : less)) b = value[j];
            }
            value[i] = v[i].over < 0 ? a - b : b > 0 ? a / b * (v[i].percent ? 100 : 1) : NAN;
        }
    }
}

struct table {
    const struct wg_choice *choice;
    struct wg_pattern *pattern; /* of choice->kernel; NULL: there is none */
    struct wg_arena *arena;
    struct wg_measured *out;
    struct row head, units, row;
    int kernel, id, metric, unit, value; /* the last three: a row for each metric */
    const char *last_id;
    uint32_t known, left_out;
};

static void take_row(struct table *t) {
    const char *name = cell(&t->row, t->kernel), *id = cell(&t->row, t->id);
    double number;
    if (!*name || !read_number(id, &number)) return; /* the row of units */
    if (number < t->choice->first || number > t->choice->last ||
        (t->pattern && !wg_pattern_fits(t->pattern, name))) {
        t->left_out++;
        return;
    }
    struct wg_measured_kernel *k = kernel_of(t->arena, t->out, name);
    if (!t->last_id || strcmp(t->last_id, id) != 0) k->launches++;
    t->last_id = id;
    if (t->metric >= 0) {
        t->known += add_value(k, cell(&t->row, t->metric), cell(&t->row, t->unit), cell(&t->row, t->value));
        return;
    }
    for (uint32_t i = 0; i < t->head.cells.n; i++)
        t->known += add_value(k, t->head.cells.v[i], cell(&t->units, (int)i), cell(&t->row, (int)i));
}

static const char *find_head(struct table *t, const char *s) {
    while (*s) {
        s = cut(t->arena, s, &t->head);
        t->kernel = column(&t->head, "Kernel Name");
        t->id = column(&t->head, "ID");
        if (t->kernel >= 0 && t->id >= 0) return s;
    }
    return NULL;
}

static void read_rows(struct table *t, const char *s) {
    t->metric = column(&t->head, "Metric Name");
    t->unit = column(&t->head, "Metric Unit");
    t->value = column(&t->head, "Metric Value");
    for (bool first = true; *s; first = false) {
        s = cut(t->arena, s, &t->row);
        if (first && t->metric < 0 && !*cell(&t->row, t->id)) {
            struct row units = t->units;
            t->units = t->row, t->row = units;
        } else {
            take_row(t);
        }
    }
}

static const char *what_is_wrong(const struct table *t, bool has_head) {
    if (!has_head)
        return "it is not Nsight Compute's CSV: no line has the columns \"ID\" and \"Kernel Name\". \"ncu "
               "--csv --page raw\" writes one";
    if (!t->out->kernels.n && t->left_out) return "--kernel and --launches select none of its launches";
    if (!t->out->kernels.n) return "the profiler's table has no kernels";
    if (!t->known)
        return "none of its columns matches a counter of Warpglass. Measure with \"ncu --set full\", or with "
               "--metrics and names that \"warpglass profile --counters\" lists";
    return NULL;
}

bool wg_measured_read_csv(struct wg_arena *a, const char *path, const struct wg_choice *choice,
                          struct wg_measured *out, struct wg_strbuf *why) {
    struct table t = {.arena = a, .out = out, .choice = choice};
    struct wg_strbuf file = {0};
    *out = (struct wg_measured){.name = path, .profiler = true};
    if (!wg_file_read(path, &file)) {
        wg_strbuf_printf(why, "%s: %s", path, strerror(errno));
        return false;
    }
    if (choice->kernel) t.pattern = wg_pattern_make(choice->kernel, why);
    if (choice->kernel && !t.pattern) {
        wg_strbuf_free(&file);
        return false;
    }
    const char *s = find_head(&t, file.s ? file.s : "");
    if (s) read_rows(&t, s);
    const char *wrong = what_is_wrong(&t, s != NULL);
    if (wrong) wg_strbuf_printf(why, "%s: %s", path, wrong);
    derive(out);
    wg_pattern_free(t.pattern);
    free(t.head.cells.v), free(t.units.cells.v), free(t.row.cells.v);
    wg_strbuf_free(&file);
    return !wrong;
}
