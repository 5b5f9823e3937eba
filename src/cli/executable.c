/* The few tables of an ELF file that tell how CUDA is linked: see executable.h.
 *
 *     .nv_fatbin or .nvFatBinSegment    nvcc's device code
 *     DT_NEEDED "libcudart.so.13"       the shared runtime, which is Warpglass's to give
 */
#include "cli/executable.h"
#include "base/arena.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* `size` bytes at `offset`, with a zero byte behind them; NULL when the file does not have them. */
static char *part(int fd, uint64_t offset, uint64_t size) {
    enum { MOST = 16 << 20 }; /* of a table of names; beyond it the file is damaged */
    if (size > MOST) return NULL;
    char *bytes = wg_xcalloc(1, size + 1);
    if (pread(fd, bytes, size, (off_t)offset) == (ssize_t)size) return bytes;
    free(bytes);
    return NULL;
}

struct elf {
    int fd;
    uint32_t n; /* sections */
    Elf64_Shdr *sections;
    char *names;
    uint64_t names_size;
};

static bool open_elf(struct elf *e, const char *path) {
    Elf64_Ehdr head;
    e->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (e->fd < 0 || pread(e->fd, &head, sizeof head, 0) != sizeof head) return false;
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64) return false;
    if (head.e_shentsize != sizeof(Elf64_Shdr) || head.e_shstrndx >= head.e_shnum) return false;
    e->n = head.e_shnum;
    e->sections = (Elf64_Shdr *)part(e->fd, head.e_shoff, (uint64_t)e->n * sizeof(Elf64_Shdr));
    if (!e->sections) return false;
    e->names_size = e->sections[head.e_shstrndx].sh_size;
    e->names = part(e->fd, e->sections[head.e_shstrndx].sh_offset, e->names_size);
    return e->names != NULL;
}

static void close_elf(struct elf *e) {
    if (e->fd >= 0) close(e->fd);
    free(e->sections);
    free(e->names);
}

static bool has_section(const struct elf *e, const char *name) {
    for (uint32_t i = 0; i < e->n; i++)
        if (e->sections[i].sh_name < e->names_size && !strcmp(e->names + e->sections[i].sh_name, name))
            return true;
    return false;
}

/* The name, without the folders that it may be given with. */
static const char *less_folders(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The libraries that the loader brings. */
static void each_library(const struct elf *e, void (*fn)(void *user, const char *library), void *user) {
    for (uint32_t i = 0; i < e->n; i++) {
        const Elf64_Shdr *s = &e->sections[i];
        if (s->sh_type != SHT_DYNAMIC || s->sh_link >= e->n) continue;
        Elf64_Dyn *entries = (Elf64_Dyn *)part(e->fd, s->sh_offset, s->sh_size);
        char *strings = part(e->fd, e->sections[s->sh_link].sh_offset, e->sections[s->sh_link].sh_size);
        for (uint64_t j = 0; entries && strings && j < s->sh_size / sizeof *entries; j++)
            if (entries[j].d_tag == DT_NEEDED && entries[j].d_un.d_val < e->sections[s->sh_link].sh_size)
                fn(user, less_folders(strings + entries[j].d_un.d_val));
        free(entries);
        free(strings);
    }
}

struct looked_for {
    const char *start;
    bool found;
};
static void look(void *user, const char *library) {
    struct looked_for *l = user;
    l->found = l->found || !strncmp(library, l->start, strlen(l->start));
}
/* Does it bring one whose name begins so? */
static bool needs(const struct elf *e, const char *start) {
    struct looked_for l = {.start = start};
    each_library(e, look, &l);
    return l.found;
}

void wg_executable_libraries(const char *path, void (*fn)(void *user, const char *library), void *user) {
    struct elf e = {.fd = -1};
    if (open_elf(&e, path)) each_library(&e, fn, user);
    close_elf(&e);
}

bool wg_executable_has_static_runtime(const char *path) {
    struct elf e = {.fd = -1};
    bool is = open_elf(&e, path) && (has_section(&e, ".nv_fatbin") || has_section(&e, ".nvFatBinSegment")) &&
              !needs(&e, "libcudart.so") && !needs(&e, "libcuda.so");
    close_elf(&e);
    return is;
}

bool wg_object_has_linkable_device_code(const char *path) {
    struct elf e = {.fd = -1};
    bool is = open_elf(&e, path) && has_section(&e, "__nv_relfatbin");
    close_elf(&e);
    return is;
}

bool wg_executable_is_cut_short(const char *path) {
    Elf64_Ehdr head;
    Elf64_Phdr *segments = NULL;
    struct stat file;
    bool is = false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    if (fstat(fd, &file) == 0 && pread(fd, &head, sizeof head, 0) == sizeof head &&
        !memcmp(head.e_ident, ELFMAG, SELFMAG) && head.e_ident[EI_CLASS] == ELFCLASS64 &&
        head.e_phentsize == sizeof *segments) {
        segments = (Elf64_Phdr *)part(fd, head.e_phoff, head.e_phnum * sizeof *segments);
        is = !segments;
        for (uint32_t i = 0; !is && i < head.e_phnum; i++)
            is = segments[i].p_type == PT_LOAD &&
                 segments[i].p_offset + segments[i].p_filesz > (uint64_t)file.st_size;
    }
    free(segments);
    close(fd);
    return is;
}
