/* Cutting down, subtree by subtree, larger ones first: see cut.h. */
#include "tests/generated/cut.h"
#include <stdio.h>
#include <string.h>

enum { MOST_NODES = 2048 };

static bool one_round(struct program *p, bool (*still)(void *user, const struct program *p), void *user,
                      uint32_t *tries) {
    struct node *nodes[MOST_NODES], *roots[1 + MAX_FUNCTIONS] = {p->kernel};
    bool any = false;
    memcpy(roots + 1, p->function, sizeof p->function);
    for (uint32_t r = 0; r < 1 + p->nfunctions; r++) {
        uint32_t n = node_list(roots[r], nodes, MOST_NODES);
        for (uint32_t k = 0; k < (n < MOST_NODES ? n : MOST_NODES) && *tries; k++) {
            if (nodes[k]->removed) continue;
            nodes[k]->removed = true;
            --*tries;
            if (still(user, p))
                any = true;
            else
                nodes[k]->removed = false;
        }
    }
    return any;
}

void cut_down(struct program *p, bool (*still)(void *user, const struct program *p), void *user,
              uint32_t tries) {
    while (tries && one_round(p, still, user, &tries)) {
    }
}

void keep_program(const struct program *p, const char *folder, const char *what) {
    struct wg_strbuf ptx = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%llu.ptx", folder, p->kind ? p->kind : "seed",
             (unsigned long long)p->seed);
    program_print(p, &ptx);
    if (!wg_file_write(path, ptx.s, ptx.n)) perror(path);
    printf("%s %llu: %s\n  kept in %s\n", p->kind ? p->kind : "seed", (unsigned long long)p->seed, what,
           path);
    wg_strbuf_free(&ptx);
}
