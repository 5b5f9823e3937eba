/* See abrupt_end.h. The entry of each loaded object's table of addresses (GOT) for these functions is changed to ours: a function of
 * the same name would not come before the C library's, because references have its version. Only in processes that leave a file. */
#include "driver/abrupt_end.h"
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void (*call_before)(void);

_Noreturn void wg_abrupt_end(int status) {
    if (call_before) call_before();
    for (;;) syscall(SYS_exit_group, status);
}

struct tables {
    const char *names;
    const ElfW(Sym) * symbols;
    const ElfW(Rela) * rela, *jumps;
    uint64_t rela_bytes, jumps_bytes;
};

/* The loader has made addresses of them, but in the kernel's own object. */
static const void *pointer(const struct dl_phdr_info *o, uint64_t value) {
    return (const void *)(uintptr_t)(value < o->dlpi_addr ? o->dlpi_addr + value : value);
}

static struct tables tables_of(const struct dl_phdr_info *o, const ElfW(Dyn) * d) {
    struct tables t = {0};
    for (; d->d_tag != DT_NULL; d++) switch (d->d_tag) {
        case DT_STRTAB: t.names = pointer(o, d->d_un.d_ptr); break;
        case DT_SYMTAB: t.symbols = pointer(o, d->d_un.d_ptr); break;
        case DT_RELA: t.rela = pointer(o, d->d_un.d_ptr); break;
        case DT_RELASZ: t.rela_bytes = d->d_un.d_val; break;
        case DT_JMPREL: t.jumps = pointer(o, d->d_un.d_ptr); break;
        case DT_PLTRELSZ: t.jumps_bytes = d->d_un.d_val; break;
        }
    return t;
}

/* Whether this place may only be read, now that the loader has finished (RELRO). */
static bool is_read_only(const struct dl_phdr_info *o, uint64_t offset) {
    for (unsigned i = 0; i < o->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &o->dlpi_phdr[i];
        if (h->p_type == PT_GNU_RELRO && offset - h->p_vaddr < h->p_memsz) return true;
    }
    return false;
}

static void change(const struct dl_phdr_info *o, uint64_t offset) {
    uint64_t at = o->dlpi_addr + offset, page = (uint64_t)sysconf(_SC_PAGESIZE);
    void *begin = (void *)(uintptr_t)(at & ~(page - 1)); /* an entry lies in one page */
    void (*ours)(int) = wg_abrupt_end;
    bool closed = is_read_only(o, offset);
    if (closed && mprotect(begin, page, PROT_READ | PROT_WRITE) != 0) return;
    __atomic_store_n((uint64_t *)(uintptr_t)at, (uint64_t)(uintptr_t)ours, __ATOMIC_RELAXED);
    if (closed) mprotect(begin, page, PROT_READ);
}

static void change_all(const struct dl_phdr_info *o, const struct tables *t, const ElfW(Rela) * r,
                       uint64_t bytes) {
    for (uint64_t i = 0; r && i < bytes / sizeof *r; i++) {
        uint64_t type = ELF64_R_TYPE(r[i].r_info);
        if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
        const char *name = t->names + t->symbols[ELF64_R_SYM(r[i].r_info)].st_name;
        if (!strcmp(name, "_exit") || !strcmp(name, "_Exit")) change(o, r[i].r_offset);
    }
}

static int look_at(struct dl_phdr_info *o, size_t size, void *unused) {
    (void)size, (void)unused;
    for (unsigned i = 0; i < o->dlpi_phnum; i++) {
        if (o->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        struct tables t =
            tables_of(o, (const ElfW(Dyn) *)(uintptr_t)(o->dlpi_addr + o->dlpi_phdr[i].p_vaddr));
        if (!t.names || !t.symbols) continue;
        change_all(o, &t, t.rela, t.rela_bytes);
        change_all(o, &t, t.jumps, t.jumps_bytes);
    }
    return 0;
}

void wg_abrupt_end_listen(void (*before)(void)) {
    call_before = before;
    dl_iterate_phdr(look_at, NULL);
}
