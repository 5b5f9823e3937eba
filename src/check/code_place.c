/* See code_place.h. */
#include "check/code_place.h"
#include <link.h>
#include <string.h>
#include <unistd.h>

struct search {
    uint64_t address;
    struct wg_strbuf *path;
    uint64_t offset, end;
    bool found;
};

/* The program itself has no name in the loader's list. */
static void put_own_path(struct wg_strbuf *path) {
    char own[4096];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own);
    if (n > 0) wg_strbuf_add(path, own, (size_t)n);
}

static int look(struct dl_phdr_info *o, size_t size, void *user) {
    struct search *s = user;
    for (int i = 0; i < o->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &o->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || s->address - o->dlpi_addr - p->p_vaddr >= p->p_memsz) continue;
        if (o->dlpi_name && *o->dlpi_name)
            wg_strbuf_puts(s->path, o->dlpi_name);
        else
            put_own_path(s->path);
        s->offset = s->address - o->dlpi_addr;
        s->end = o->dlpi_addr + p->p_vaddr + p->p_filesz;
        s->found = s->path->n > 0;
        return 1;
    }
    return 0;
}

bool wg_code_place(uint64_t address, struct wg_strbuf *path, uint64_t *offset) {
    struct search s = {.address = address, .path = path};
    dl_iterate_phdr(look, &s);
    *offset = s.offset;
    return s.found;
}

uint64_t wg_code_end(uint64_t address) {
    struct wg_strbuf path = {0};
    struct search s = {.address = address, .path = &path};
    dl_iterate_phdr(look, &s);
    wg_strbuf_free(&path);
    return s.end;
}
