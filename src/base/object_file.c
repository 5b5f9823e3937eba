/* See object_file.h. Nothing that a file says of itself is believed. */
#include "base/object_file.h"

#include <ar.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

static const char *part(const char *bytes, size_t size, uint64_t offset, uint64_t n) {
    return offset <= size && n <= size - offset ? bytes + offset : NULL;
}

/* NULL: it is no ELF file that has sections. */
static const char *find_sections(const char *bytes, size_t size, Elf64_Ehdr *head) {
    const char *from = part(bytes, size, 0, sizeof *head);
    if (!from) return NULL;
    memcpy(head, from, sizeof *head); /* a library's members begin at even places */
    if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
        head->e_shentsize != sizeof(Elf64_Shdr) || head->e_shstrndx >= head->e_shnum)
        return NULL;
    return part(bytes, size, head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr));
}

bool wg_object_next_section(const char *bytes, size_t size, uint32_t *i, struct wg_section *s) {
    Elf64_Ehdr head;
    Elf64_Shdr names, one;
    const char *sections = find_sections(bytes, size, &head);
    if (!sections) return false;
    memcpy(&names, sections + head.e_shstrndx * sizeof names, sizeof names);
    const char *strings = part(bytes, size, names.sh_offset, names.sh_size);
    while (strings && *i < head.e_shnum) {
        memcpy(&one, sections + (size_t)(*i)++ * sizeof one, sizeof one);
        const char *content =
            one.sh_type == SHT_NOBITS ? NULL : part(bytes, size, one.sh_offset, one.sh_size);
        if (!content) continue;
        bool named = one.sh_name < names.sh_size &&
                     memchr(strings + one.sh_name, 0, names.sh_size - one.sh_name) != NULL;
        *s = (struct wg_section){named ? strings + one.sh_name : "", one.sh_type, content, one.sh_size};
        return true;
    }
    return false;
}

bool wg_is_archive(const char *bytes, size_t size) { return size >= SARMAG && !memcmp(bytes, ARMAG, SARMAG); }

/* One lies behind the other, each with a head. */
bool wg_archive_next(const char *bytes, size_t size, size_t *at, struct wg_member *m) {
    const struct ar_hdr *head;
    char length[sizeof head->ar_size + 1] = "";
    if (!*at) *at = SARMAG;
    if (*at + sizeof *head > size) return false;
    head = (const struct ar_hdr *)(bytes + *at);
    memcpy(length, head->ar_size, sizeof head->ar_size);
    size_t n = strtoull(length, NULL, 10);
    *at += sizeof *head;
    if (memcmp(head->ar_fmag, ARFMAG, 2) != 0 || n > size - *at) return false;
    *m = (struct wg_member){bytes + *at, n};
    *at += n + (n & 1);
    return true;
}
