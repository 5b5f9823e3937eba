/* A generated program as a tree of statements, so that a failing one can be cut down.
 *
 * Every register that a statement reads is given a value at the start of its function, and what a statement
 * needs besides is inside it: any subtree can be left out and the rest is still a program.
 */
#ifndef WG_TESTS_GENERATED_TREE_H
#define WG_TESTS_GENERATED_TREE_H
#include "base/arena.h"
#include "base/strbuf.h"

enum node_kind {
    NODE_SEQ,    /* kids one after the other */
    NODE_TEXT,   /* text */
    NODE_IF,     /* text computes predicate `name`; kids[0] when it holds, kids[1] (or none) when not */
    NODE_LOOP,   /* text before the loop; test: computes predicate `name` at its head: leave when it holds;
                  * kids[0];   after: at its end. test NULL: `after` computes `name`: again when it holds */
    NODE_SWITCH, /* text computes index `name` < nkids; the kids */
    NODE_WEB, /* blocks that jump among each other: each kid's test computes predicate `name`: to hop[0] when
               * it holds, else hop[1]; a hop of nkids leaves. text before; a counter inside `test` bounds it
               */
};
struct node {
    uint8_t kind; /* enum node_kind */
    bool removed;
    const char *text, *test, *after, *name;
    uint32_t id; /* for labels */
    uint32_t hop[2];
    struct node **kids;
    uint32_t nkids, cap;
};

struct node *node_new(struct wg_arena *a, enum node_kind kind, uint32_t id);
void node_add(struct wg_arena *a, struct node *parent, struct node *kid);
/* PTX of what is not removed. */
void node_print(const struct node *n, struct wg_strbuf *out);
/* All nodes below n that can be removed, parents first. Gives their number; fills at most `max`. */
uint32_t node_list(struct node *n, struct node **out, uint32_t max);
#endif
