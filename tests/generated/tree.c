/* Trees of statements and their PTX: see tree.h. */
#include "tests/generated/tree.h"
#include <string.h>

struct node *node_new(struct wg_arena *a, enum node_kind kind, uint32_t id) {
    struct node *n = WG_NEW(a, struct node);
    n->kind = (uint8_t)kind;
    n->id = id;
    return n;
}

void node_add(struct wg_arena *a, struct node *parent, struct node *kid) {
    if (parent->nkids == parent->cap) {
        uint32_t cap = parent->cap ? 2 * parent->cap : 4;
        struct node **kids = WG_NEW_N(a, struct node *, cap);
        if (parent->nkids) memcpy(kids, parent->kids, parent->nkids * sizeof *kids);
        parent->kids = kids;
        parent->cap = cap;
    }
    parent->kids[parent->nkids++] = kid;
}

static void text(struct wg_strbuf *o, const char *s) {
    if (s) wg_strbuf_puts(o, s);
}

static void print_if(const struct node *n, struct wg_strbuf *o) {
    bool other = n->nkids > 1 && !n->kids[1]->removed;
    text(o, n->text);
    wg_strbuf_printf(o, "  @!%s bra ELSE_%u;\n", n->name, n->id);
    node_print(n->kids[0], o);
    if (other) wg_strbuf_printf(o, "  bra FI_%u;\n", n->id);
    wg_strbuf_printf(o, "ELSE_%u:\n", n->id);
    if (!other) return;
    node_print(n->kids[1], o);
    wg_strbuf_printf(o, "FI_%u:\n", n->id);
}

static void print_switch(const struct node *n, struct wg_strbuf *o) {
    text(o, n->text);
    wg_strbuf_printf(o, "  TABLE_%u: .branchtargets ", n->id);
    for (uint32_t k = 0; k < n->nkids; k++) wg_strbuf_printf(o, "%sCASE_%u_%u", k ? ", " : "", n->id, k);
    wg_strbuf_printf(o, ";\n  brx.idx %s, TABLE_%u;\n", n->name, n->id);
    for (uint32_t k = 0; k < n->nkids; k++) {
        wg_strbuf_printf(o, "CASE_%u_%u:\n", n->id, k);
        node_print(n->kids[k], o);
        wg_strbuf_printf(o, "  bra HCTIWS_%u;\n", n->id);
    }
    wg_strbuf_printf(o, "HCTIWS_%u:\n", n->id);
}

static void print_web(const struct node *n, struct wg_strbuf *o) {
    text(o, n->text);
    for (uint32_t k = 0; k < n->nkids; k++) {
        const struct node *b = n->kids[k];
        wg_strbuf_printf(o, "WEB_%u_%u:\n", n->id, k);
        node_print(b, o);
        text(o, b->test);
        wg_strbuf_printf(o, "  @%s bra WEB_%u_%u;\n", b->name, n->id, b->hop[0]);
        wg_strbuf_printf(o, "  bra WEB_%u_%u;\n", n->id, b->hop[1]);
    }
    wg_strbuf_printf(o, "WEB_%u_%u:\n", n->id, n->nkids);
}

void node_print(const struct node *n, struct wg_strbuf *o) {
    if (n->removed) return;
    switch (n->kind) {
    case NODE_TEXT: text(o, n->text); return;
    case NODE_IF: print_if(n, o); return;
    case NODE_LOOP:
        text(o, n->text);
        wg_strbuf_printf(o, "LOOP_%u:\n", n->id);
        if (!n->test) {
            node_print(n->kids[0], o);
            text(o, n->after);
            wg_strbuf_printf(o, "  @%s bra LOOP_%u;\n", n->name, n->id);
            return;
        }
        text(o, n->test);
        wg_strbuf_printf(o, "  @%s bra POOL_%u;\n", n->name, n->id);
        node_print(n->kids[0], o);
        text(o, n->after);
        wg_strbuf_printf(o, "  bra LOOP_%u;\nPOOL_%u:\n", n->id, n->id);
        return;
    case NODE_SWITCH: print_switch(n, o); return;
    case NODE_WEB: print_web(n, o); return;
    default:
        for (uint32_t k = 0; k < n->nkids; k++) node_print(n->kids[k], o);
        return;
    }
}

uint32_t node_list(struct node *n, struct node **out, uint32_t max) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < n->nkids; k++) {
        struct node *kid = n->kids[k];
        if (kid->removed) continue;
        if (n->kind == NODE_SEQ) { /* arms of ifs and the like stay, their statements may go */
            if (count < max) out[count] = kid;
            count++;
        }
        count += node_list(kid, out + (count < max ? count : max), count < max ? max - count : 0);
    }
    return count;
}
