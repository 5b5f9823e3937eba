/* See relocatable.h. The names are changed where they stand in the object's table of symbols. */
#include "cli/relocatable.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ASKED  "__cudaRegisterLinkedBinary"
#define TOLD   "__warpglass_register_file"
#define SHARED "__fatbinwrap__nv_"
_Static_assert(sizeof TOLD <= sizeof ASKED, "the new name replaces the old one");

struct object {
    char *bytes;
    size_t size;
};

/* `n` bytes at `offset`; NULL when the file does not have them. */
static void *part(const struct object *o, uint64_t offset, uint64_t n) {
    return offset <= o->size && n <= o->size - offset ? o->bytes + offset : NULL;
}

/* The names of one table of symbols; gives whether the function was among them. */
static bool rename_symbols(const struct object *o, const Elf64_Shdr *table, const Elf64_Shdr *strings) {
    bool found = false;
    Elf64_Sym *symbols = part(o, table->sh_offset, table->sh_size);
    char *names = part(o, strings->sh_offset, strings->sh_size);
    for (uint64_t i = 0; symbols && names && i < table->sh_size / sizeof *symbols; i++) {
        Elf64_Sym *s = &symbols[i];
        if (s->st_name >= strings->sh_size) continue;
        char *name = names + s->st_name;
        size_t left = strings->sh_size - s->st_name;
        if (left > sizeof ASKED && !memcmp(name, ASKED, sizeof ASKED - 1)) {
            memcpy(name, TOLD, sizeof TOLD);
            found = true;
        } else if (left > sizeof SHARED && !memcmp(name, SHARED, sizeof SHARED - 1)) {
            s->st_info = ELF64_ST_INFO(STB_WEAK, ELF64_ST_TYPE(s->st_info));
        }
    }
    return found;
}

static bool finish(const struct object *o) {
    const Elf64_Ehdr *head = part(o, 0, sizeof *head);
    bool found = false;
    if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
        head->e_shentsize != sizeof(Elf64_Shdr))
        return false;
    const Elf64_Shdr *sections = part(o, head->e_shoff, (uint64_t)head->e_shnum * sizeof *sections);
    for (unsigned i = 0; sections && i < head->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < head->e_shnum)
            found = rename_symbols(o, &sections[i], &sections[sections[i].sh_link]) || found;
    return found;
}

bool wg_relocatable_finish(const char *path) {
    struct stat st;
    bool good = false;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0) {
        struct object o = {.size = (size_t)st.st_size};
        void *at = mmap(NULL, o.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (at != MAP_FAILED) {
            o.bytes = at;
            good = finish(&o);
            munmap(at, o.size);
        }
    }
    if (fd >= 0) close(fd);
    return good;
}
