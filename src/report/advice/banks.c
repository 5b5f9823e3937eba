/* Advice on bank conflicts: rows that all begin in the same bank, and counters that fit once for each bank.
 *
 *     tile[32][32], a column:  32 wavefronts; rows of 33: 1; column ^ (row % 32): 1
 *
 * Rows are found in the recorded accesses: the distance between two lanes may be the length of a row. Each length is tried
 * with each padding, from 1 element up, on the worst recorded access of every site that uses the same variable; the first
 * padding that leaves no conflict anywhere is proposed, or else the best, if it is worth it.
 */
#include "model/banks.h"
#include "model/chip.h"
#include "report/advice/adviser.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 40, MOST_PADDING = 32, BANKS_BYTES = 128 };

struct layout {
    uint64_t start;   /* of the array */
    uint32_t row;     /* bytes */
    uint32_t padding; /* bytes behind each row */
    uint32_t
        swizzle; /* instead, where not 0: rows of so many bytes, and the column exclusive-or'ed with the row */
    uint32_t element;
};

/* Columns are exclusive-or'ed with no more than a row has, nor than there are banks. */
static uint32_t turning_bytes(const struct layout *l) {
    return l->swizzle < BANKS_BYTES ? l->swizzle : BANKS_BYTES;
}

static struct wg_recorded moved(const struct wg_recorded *access, const struct layout *l) {
    struct wg_recorded r = *access;
    for (int i = 0; i < 32; i++) {
        if (!(r.lanes >> i & 1) || r.address[i] < l->start) continue;
        uint64_t at = r.address[i] - l->start, row = at / l->row, in_row = at % l->row;
        if (l->swizzle) in_row ^= row * l->element % turning_bytes(l);
        r.address[i] = l->start + row * (l->swizzle ? l->swizzle : l->row + l->padding) + in_row;
    }
    return r;
}

/* The sites of one variable. */
struct group {
    const struct wg_summary *s;
    const struct wg_site *head;
    uint64_t before, wasted;
    uint64_t start; /* the lowest address seen */
    uint32_t element;
};

static bool in_group(const struct group *q, uint32_t i) {
    const struct wg_site_summary *site = &q->s->sites[i];
    return wg_is_access(site, WG_MEMORY_SHARED) && wg_is_load_or_store(site->site) &&
           wg_same_what(site->site, q->head);
}

/* `factors` by site, where not NULL. */
static uint64_t group_cost(const struct group *q, const struct layout *l, bool *proven, double *factors) {
    uint64_t sum = 0;
    *proven = true;
    for (uint32_t i = 0; i < q->s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &q->s->sites[i];
        if (!in_group(q, i)) continue;
        struct wg_recorded there = moved(site->worst, l);
        uint32_t was = wg_wavefronts_of(site->worst, site->site), is = wg_wavefronts_of(&there, site->site);
        sum += wg_scaled(site, WG_C_wavefronts, was, is, proven);
        if (factors) factors[i] = was ? (double)is / was : 1;
    }
    return sum;
}

/* Lengths that a row may have, in bytes: the distances between neighbouring lanes, and all the banks. */
static uint32_t row_lengths(const struct group *q, uint32_t rows[MOST_ROWS]) {
    uint32_t n = 0;
    rows[n++] = BANKS_BYTES;
    for (uint32_t i = 0; i < q->s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &q->s->sites[i];
        if (!in_group(q, i)) continue;
        for (int l = 1; l < 32 && n < MOST_ROWS; l++) {
            if ((site->worst->lanes >> (l - 1) & 3) != 3) continue;
            uint64_t a = site->worst->address[l - 1], b = site->worst->address[l];
            uint64_t apart = a > b ? a - b : b - a;
            bool known = apart <= q->element || apart % q->element || apart > 64 * 1024;
            for (uint32_t k = 0; k < n; k++) known |= rows[k] == apart;
            if (!known) rows[n++] = (uint32_t)apart;
        }
    }
    return n;
}

static uint64_t best_padding(const struct group *q, struct layout *best, bool *proven) {
    uint32_t rows[MOST_ROWS], n = row_lengths(q, rows);
    uint64_t least = UINT64_MAX;
    for (uint32_t p = 1; p <= MOST_PADDING; p++)
        for (uint32_t i = n; i-- > 0;) {
            struct layout l = {q->start, rows[i], p * q->element, 0, q->element};
            bool exact;
            uint64_t cost = group_cost(q, &l, &exact, NULL);
            if (cost >= least) continue;
            least = cost;
            *best = l;
            *proven = exact;
        }
    return least;
}

static bool power_of_two(uint32_t n) { return n && !(n & (n - 1)); }

/* Rows whose length is a power of two, or one element more: padding that is there already. */
static uint64_t best_swizzle(const struct group *q, struct layout *best, bool *proven) {
    uint32_t rows[MOST_ROWS], n = row_lengths(q, rows);
    uint64_t least = UINT64_MAX;
    for (uint32_t i = n; i-- > 0;) {
        bool padded = rows[i] > q->element && power_of_two(rows[i] - q->element), exact;
        struct layout l = {q->start, rows[i], 0, padded ? rows[i] - q->element : rows[i], q->element};
        if (!power_of_two(l.swizzle) || l.swizzle < 16 * q->element) continue;
        uint64_t cost = group_cost(q, &l, &exact, NULL);
        if (cost >= least) continue;
        least = cost;
        *best = l;
        *proven = exact;
    }
    return least;
}

/* Whether the source may declare rows of so many elements: NAME[..][ROWS]. Where that has padding already, as
 * [TILE + 1], or is another number, lanes go down a diagonal. */
static bool rows_are(struct wg_advising *g, const struct wg_site *site, uint32_t elements) {
    const char *name = site->what;
    const struct wg_source_file *f =
        site->frame_count ? wg_source_find(g->sources, site->frames[site->frame_count - 1].file) : NULL;
    for (uint32_t line = 1; name && f && line <= f->lines; line++) {
        const char *text = wg_source_line(f, line), *at = strstr(text, "__shared__");
        at = at ? strstr(at, name) : NULL;
        const char *row = at ? strrchr(at, '[') : NULL;
        if (!row || at[strlen(name)] != '[') continue;
        const char *sum = strchr(++row, '+'), *end = strchr(row, ']');
        char *rest;
        unsigned long number = strtoul(row, &rest, 10);
        if (!end || (sum && sum < end)) return !sum || !strtoul(sum + 1, NULL, 10);
        return rest != end || number == elements;
    }
    return true;
}

/* Rows that the lanes run down have the distance of the lanes; otherwise it is one row of places. */
static void say_conflict(struct wg_advising *g, struct wg_advice *a, const struct group *q,
                         const struct layout *pad, const struct layout *turned) {
    const struct wg_site_summary *worst = &g->s->sites[q->head->id];
    struct wg_pattern p = wg_pattern_of(worst->worst, worst->site->bytes);
    uint32_t elements = pad->row / q->element, more = pad->padding / q->element;
    const char *one = wg_figure_plural(g->arena, more, "element", "elements");
    bool rows = p.stride == (int64_t)pad->row || p.stride == -(int64_t)pad->row;
    if (rows && rows_are(g, q->head, elements))
        a->text = wg_arena_printf(
            g->arena,
            "Lanes read down a column of rows of %u elements of %u bytes, and all rows begin in the same "
            "bank. Pad each row by %s, to %u elements.%s",
            elements, q->element, one, elements + more,
            turned ? wg_arena_printf(
                         g->arena,
                         " Or keep the length and store element (row, column) at column ^ (row %% %u), which "
                         "needs no extra memory.",
                         turning_bytes(turned) / pad->element)
                   : "");
    else
        a->text = wg_arena_printf(
            g->arena,
            "Lanes are %lld bytes apart, so up to %u of them access different words of one bank. Leave %s "
            "free after every %u (index i + i / %u%s), or let neighbouring lanes access neighbouring "
            "elements.",
            (long long)(p.stride < 0 ? -p.stride : p.stride), wg_wavefronts_of(worst->worst, worst->site),
            one, elements, elements, more > 1 ? wg_arena_printf(g->arena, " * %u", more) : "");
}

/* Where padding leaves conflicts and turning the columns leaves fewer. */
static void say_swizzle(struct wg_advising *g, struct wg_advice *a, const struct layout *turned) {
    uint32_t row = turned->swizzle / turned->element;
    a->text = wg_arena_printf(
        g->arena,
        "Lanes access several columns of rows of %u elements of %u bytes at once, and padding alone leaves "
        "conflicts. Keep rows of %u elements and store element (row, column) at column ^ (row %% %u).",
        turned->row / turned->element, turned->element, row, turning_bytes(turned) / turned->element);
}

static void advise_group(struct wg_advising *g, struct group *q) {
    struct layout pad = {0}, turned = {0};
    bool proven = true, exact = true;
    uint64_t after = best_padding(q, &pad, &proven), swizzled = best_swizzle(q, &turned, &exact);
    bool turn = swizzled < after;
    if (turn) after = swizzled, proven = exact;
    if (after >= q->before || !wg_worth(q->before - after, wg_work(&g->s->classes))) return;
    struct wg_advice *a = wg_advice_add(g, "bank_conflicts", q->head);
    const struct layout *best = turn ? &turned : &pad;
    a->title = wg_arena_printf(g->arena, "Bank conflicts: %s", wg_what(q->head, "shared memory"));
    if (turn)
        say_swizzle(g, a, &turned);
    else
        say_conflict(g, a, q, &pad, swizzled == after && turned.row == pad.row ? &turned : NULL);
    struct wg_recorded *then = wg_changed(g->arena, g->s->sites[q->head->id].worst);
    *then = moved(then, best);
    group_cost(q, best, &exact, wg_change_of(g, a)->of[WG_CHANGE_WAVEFRONTS]);
    a->now = g->s->sites[q->head->id].worst;
    a->then = then;
    a->unit = "wavefronts";
    a->before = q->before, a->after = after, a->proven = proven;
}

void wg_advise_bank_conflicts(struct wg_advising *g) {
    const struct wg_profile_kernel *k = g->s->kernel;
    bool *done = WG_NEW_N(g->arena, bool, k->site_count);
    for (uint32_t i = 0; i < k->site_count; i++) {
        struct group q = {.s = g->s, .head = g->s->sites[i].site, .start = UINT64_MAX};
        if (done[i] || !in_group(&q, i)) continue;
        const struct wg_site *worst = q.head;
        uint64_t most = 0;
        for (uint32_t j = i; j < k->site_count; j++) {
            if (!in_group(&q, j)) continue;
            const struct wg_site_summary *site = &g->s->sites[j];
            done[j] = true;
            q.before += site->counts.v[WG_C_wavefronts];
            q.wasted += site->counts.v[WG_C_conflicts];
            if (site->site->bytes > q.element) q.element = site->site->bytes;
            for (int l = 0; l < 32; l++)
                if ((site->worst->lanes >> l & 1) && site->worst->address[l] < q.start)
                    q.start = site->worst->address[l];
            if (site->counts.v[WG_C_conflicts] > most)
                most = site->counts.v[WG_C_conflicts], worst = site->site;
        }
        q.head = worst;
        if (wg_worth(q.wasted, wg_work(&g->s->classes))) advise_group(g, &q);
    }
}

/* ---- One copy for each bank -------------------------------------------------------------------------------
 */

/* Wavefronts and accesses of a site in the launches whose shared memory fits 32 times; the largest such
 * memory. */
struct fitting {
    uint64_t shared, wavefronts, requests;
};
static struct fitting launches_that_fit(const struct wg_summary *s, uint32_t site, uint64_t most) {
    struct fitting f = {0};
    for (uint32_t i = 0; i < s->launch_count; i++) {
        const struct wg_launch *l = s->launches[i];
        uint64_t shared = s->kernel->static_shared + l->dynamic_shared;
        if (!shared || shared * 32 > most) continue;
        for (uint32_t j = 0; j < l->site_count; j++) {
            if (l->sites[j].site != site) continue;
            if (shared > f.shared) f.shared = shared;
            f.wavefronts += l->sites[j].counts.v[WG_C_wavefronts];
            f.requests += l->sites[j].counts.v[WG_C_requests];
        }
    }
    return f;
}

static bool adds(const struct wg_site_summary *site) {
    enum wg_class c = site->site->class;
    return wg_is_access(site, WG_MEMORY_SHARED) &&
           (c == WG_CLASS_shared_atomic || c == WG_CLASS_shared_reduction);
}

/* Each lane in a bank of its own; where all add to one word, only the first of them. */
static struct wg_recorded apart(const struct wg_site_summary *site, bool one_word) {
    struct wg_recorded own = *site->worst;
    if (one_word) own.lanes &= -own.lanes;
    for (uint64_t l = 0; l < 32 && !one_word; l++) own.address[l] = own.address[l] / 4 * 128 + l * 4;
    return own;
}

static void say_crowded(struct wg_advising *g, struct wg_advice *a, const struct wg_site_summary *site,
                        uint64_t shared) {
    const char *name = wg_what(site->site, "shared memory");
    a->title = wg_arena_printf(g->arena, "One copy per bank: %s", name);
    a->text = wg_arena_printf(g->arena,
                              "Lanes add to words of one bank, up to %llu wavefronts per access. A block has "
                              "%s of shared memory, so 32 "
                              "copies fit: element i of lane l at [i * 32 + l]. Each lane then has its own "
                              "bank. Add up the copies at the end; a block needs %s.",
                              (unsigned long long)wg_wavefronts_of(site->worst, site->site),
                              wg_figure_bytes(g->arena, shared), wg_figure_bytes(g->arena, shared * 32));
}

/* All additions to one variable together. */
static void advise_adding(struct wg_advising *g, uint32_t from, uint64_t most, bool *done) {
    const struct wg_site_summary *head = &g->s->sites[from], *worst = head;
    struct wg_alteration *change = wg_change_none(g->arena, g->s->kernel);
    uint64_t before = 0, after = 0, shared = 0;
    bool one_word = wg_pattern_of(head->worst, head->site->bytes).kind == WG_PATTERN_ONE_WORD;
    for (uint32_t i = from; i < g->s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &g->s->sites[i];
        if (!adds(site) || !wg_same_what(site->site, head->site)) continue;
        done[i] = true;
        struct fitting f = launches_that_fit(g->s, i, most);
        struct wg_recorded own = apart(site, one_word);
        uint64_t accesses = f.requests / wg_turns_of(site->worst, site->site);
        uint64_t then = accesses * wg_wavefronts_of(&own, site->site);
        if (then >= f.wavefronts) continue;
        before += f.wavefronts, after += then;
        if (f.shared > shared) shared = f.shared;
        change->of[WG_CHANGE_WAVEFRONTS][i] = (double)then / (double)f.wavefronts;
        if (site->counts.v[WG_C_wavefronts] > worst->counts.v[WG_C_wavefronts]) worst = site;
    }
    if (after >= before || !wg_worth(before - after, wg_work(&g->s->classes))) return;
    struct wg_advice *a = wg_advice_add(g, one_word ? "add_by_warp" : "copy_per_bank", worst->site);
    if (one_word) {
        a->title =
            wg_arena_printf(g->arena, "All lanes add to one word: %s", wg_what(worst->site, "shared memory"));
        a->text = "The lanes of a warp access the word one after another. Add up their values first, with "
                  "shuffles or __reduce_add_sync, and let one lane add the sum.";
    } else {
        say_crowded(g, a, worst, shared);
    }
    a->now = worst->worst;
    struct wg_recorded own = apart(worst, one_word);
    a->then = wg_changed(g->arena, &own);
    a->unit = "wavefronts";
    a->before = before, a->after = after, a->proven = true;
    a->change = change;
}

void wg_advise_copy_per_bank(struct wg_advising *g) {
    const struct wg_chip *chip = wg_chip_find(wg_summary_chip(g->s));
    bool *done = WG_NEW_N(g->arena, bool, g->s->kernel->site_count);
    for (uint32_t i = 0; chip && i < g->s->kernel->site_count; i++)
        if (!done[i] && adds(&g->s->sites[i])) advise_adding(g, i, chip->limits->shared_optin, done);
}
