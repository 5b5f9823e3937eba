/* A report cut to what fits: see mcp.h. */
#include "cli/mcp.h"

#include <string.h>

enum { SHORTEST_TEXT = 200 };

/* The part that has the most to give: a list of two items or more, or, where there is none, a long text. */
struct part {
    json_t *list, *owner; /* owner: of a text */
    const char *key;
    size_t items, text;
    struct wg_strbuf where;
};

static void look(json_t *at, struct wg_strbuf *where, bool texts, struct part *best) {
    const char *key;
    json_t *value;
    size_t i, n = where->n;
    if (!texts && json_is_array(at) && json_array_size(at) >= 2 && json_array_size(at) > best->items) {
        best->list = at;
        best->items = json_array_size(at);
        wg_strbuf_free(&best->where);
        wg_strbuf_add(&best->where, where->s ? where->s : "", n);
    }
    if (json_is_object(at)) json_object_foreach(at, key, value) {
            wg_strbuf_printf(where, "%s%s", n ? "." : "", key);
            if (texts && json_string_length(value) > SHORTEST_TEXT &&
                json_string_length(value) > best->text) {
                best->owner = at, best->key = key, best->text = json_string_length(value);
                wg_strbuf_free(&best->where);
                wg_strbuf_puts(&best->where, where->s);
            }
            look(value, where, texts, best);
            where->s[where->n = n] = 0;
        }
    if (json_is_array(at)) json_array_foreach(at, i, value) {
            wg_strbuf_printf(where, "[%zu]", i);
            look(value, where, texts, best);
            where->s[where->n = n] = 0;
        }
}

static bool find(json_t *report, bool texts, struct part *best) {
    struct wg_strbuf where = {0};
    *best = (struct part){0};
    wg_strbuf_puts(&where, "");
    look(report, &where, texts, best);
    wg_strbuf_free(&where);
    return best->items || best->text;
}

static void note(json_t *left_out, const char *where, size_t n, const char *unit) {
    json_t *old = json_object_get(left_out, where);
    json_t *count = old ? json_object_get(old, unit) : NULL;
    if (count)
        json_integer_set(count, json_integer_value(count) + (json_int_t)n);
    else
        json_object_set_new(left_out, where, json_pack("{s:I}", unit, (json_int_t)n));
}

/* Half of a list or of a text. */
static void halve(const struct part *p, json_t *left_out) {
    size_t kept = p->items / 2;
    for (size_t i = p->items; p->list && i > kept; i--) json_array_remove(p->list, i - 1);
    if (p->list) {
        note(left_out, p->where.s, p->items - kept, "items");
        return;
    }
    const char *text = json_string_value(json_object_get(p->owner, p->key));
    kept = p->text / 2;
    while (kept && (text[kept] & 0xc0) == 0x80) kept--; /* not within a character */
    json_object_set_new(p->owner, p->key, json_stringn(text, kept));
    note(left_out, p->where.s, p->text - kept, "bytes");
}

void wg_mcp_cut(json_t *report, size_t most) {
    json_t *left_out = json_object();
    struct part part;
    while (json_dumpb(report, NULL, 0, JSON_COMPACT) > most) {
        if (!find(report, false, &part) && !find(report, true, &part)) break;
        halve(&part, left_out);
        wg_strbuf_free(&part.where);
    }
    if (json_object_size(left_out))
        json_object_set_new(report, "left_out", left_out);
    else
        json_decref(left_out);
}
