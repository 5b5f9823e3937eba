/* Components that all pages share: see html.h. */
#include "report/html.h"
#include "report/assets.h"
#include <stdlib.h>
#include <string.h>

void wg_html_text(struct wg_strbuf *out, const char *text) {
    struct wg_strbuf shown = {0};
    wg_strbuf_shown(&shown, text, strlen(text));
    for (const char *at = shown.s ? shown.s : ""; *at; at++) {
        switch (*at) {
        case '<': wg_strbuf_puts(out, "&lt;"); break;
        case '>': wg_strbuf_puts(out, "&gt;"); break;
        case '&': wg_strbuf_puts(out, "&amp;"); break;
        case '"': wg_strbuf_puts(out, "&quot;"); break;
        default: wg_strbuf_add(out, at, 1);
        }
    }
    wg_strbuf_free(&shown);
}

void wg_html_tip(struct wg_page *p, const char *text) {
    uint32_t i = 0;
    while (i < p->tips.n && strcmp(p->tips.v[i], text) != 0) i++;
    wg_strbuf_puts(p->out, " data-tip=\"");
    if (i < p->tips.n) {
        wg_strbuf_printf(p->out, "#%u\"", i);
        return;
    }
    *WG_PUSH(&p->tips) = text;
    wg_html_text(p->out, text);
    wg_strbuf_puts(p->out, "\"");
}

void wg_html_head(struct wg_page *p, const char *name, const char *meaning) {
    wg_strbuf_puts(p->out, "<th scope=\"col\"><button");
    wg_html_tip(p, meaning);
    wg_strbuf_printf(p->out, ">%s</button></th>", name);
}

void wg_html_cell(struct wg_strbuf *out, const char *class, const char *figure, double value) {
    wg_strbuf_printf(out, *class ? "<td class=\"%s\"" : "<td%s", class);
    /* Plain numbers sort by themselves. */
    if (figure[strspn(figure, "0123456789,")]) wg_strbuf_printf(out, " data-value=\"%.6g\"", value);
    wg_strbuf_puts(out, ">");
    wg_html_text(out, figure);
    wg_strbuf_puts(out, "</td>");
}

const char *wg_html_verdict(enum wg_verdict v) {
    return v == WG_VERDICT_GOOD ? "good" : v == WG_VERDICT_BAD ? "bad" : "";
}

static void meanings(struct wg_strbuf *out) {
    wg_strbuf_puts(out, "<details class=\"meanings\"><summary>What the figures mean</summary><dl>");
    for (int i = 0; i < WG_COUNTERS; i++) {
        wg_strbuf_printf(out, "<dt>%s</dt><dd>", wg_counter_infos[i].name);
        wg_html_text(out, wg_counter_infos[i].meaning);
        wg_strbuf_printf(out, " <span class=\"faint\">(%s)</span></dd>",
                         wg_counter_infos[i].exact ? "exact" : "from the PTX");
    }
    wg_strbuf_puts(out, "</dl></details>");
}

void wg_html_open(struct wg_strbuf *out, const char *title) {
    wg_strbuf_puts(out,
                   "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                   "content=\"width=device-width, initial-scale=1\"><title>");
    wg_html_text(out, title);
    wg_strbuf_puts(out, " - Warpglass</title>\n<style>\n");
    wg_strbuf_puts(out, wg_asset_style);
    wg_strbuf_puts(out, "</style></head>\n<body>");
}

void wg_html_close(struct wg_page *p, const char *version) {
    struct wg_strbuf *out = p->out;
    free(p->tips.v);
    wg_strbuf_puts(out, "</main>\n<footer>");
    meanings(out);
    wg_strbuf_puts(out, "<p>Warpglass ");
    wg_html_text(out, version ? version : "");
    wg_strbuf_puts(out, "</p></footer>\n<script>\n");
    wg_strbuf_puts(out, wg_asset_script);
    wg_strbuf_puts(out, wg_asset_pictures);
    wg_strbuf_puts(out, wg_asset_roofline);
    wg_strbuf_puts(out, wg_asset_chart);
    wg_strbuf_puts(out, "</script></body></html>\n");
}
