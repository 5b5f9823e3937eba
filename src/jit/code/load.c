/* Relocation and linking of object files. See load.h. A mapping has code, read-only data and writable data,
 * each page-aligned; after the code are jump stubs to functions of the process that are too far away for a
 * direct call.
 *
 *     | code of both   jumps | constants of both | data of both |
 */
#include "jit/code/load.h"
#include "base/arena.h"

#include <elf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum part { CODE, CONSTANTS, DATA, PARTS };
enum { PAGE = 4096, JUMP_BYTES = 16, SECTION_AT_MOST = 1 << 28 };

struct object {
    const char *bytes;
    size_t size;
    const Elf64_Shdr *sections;
    uint32_t nsections;
    size_t *places; /* of sections that are placed, in the mapping */
    const Elf64_Sym *symbols;
    uint32_t nsymbols;
    const char *names;
    size_t jumps; /* of its symbols, in the mapping */
};

struct wg_loaded {
    char *at;
    size_t size;
    uint32_t nexports;
    struct export {
        char *name;
        uintptr_t at;
    }
    *exports;
};

struct loading {
    struct wg_loaded *made;
    struct object object[WG_LOAD_OBJECTS];
    size_t begins[PARTS + 1];
    uintptr_t (*find)(const char *name);
    struct wg_strbuf *why;
};

static bool wrong(struct loading *l, const char *what, const char *name) {
    wg_strbuf_printf(l->why, "%s%s", what, name);
    return false;
}

static size_t up(size_t n, size_t to) { return to > 1 ? (n + to - 1) / to * to : n; }

static bool is_placed(const Elf64_Shdr *s) {
    return s->sh_flags & SHF_ALLOC && s->sh_type != SHT_X86_64_UNWIND; /* generated code is never unwound */
}
static enum part part_of(const Elf64_Shdr *s) {
    return s->sh_flags & SHF_EXECINSTR ? CODE : s->sh_flags & SHF_WRITE ? DATA : CONSTANTS;
}

/* Bytes at `at`, if the object has so many there. */
static const void *within(const struct object *o, size_t at, size_t size) {
    return at <= o->size && size <= o->size - at ? o->bytes + at : NULL;
}

/* A table at a place where its entries are aligned. */
static const void *table(const struct object *o, size_t at, size_t size) {
    return at % sizeof(uint64_t) ? NULL : within(o, at, size);
}

static bool is_sound(const struct object *o, const Elf64_Shdr *s) {
    if (s->sh_type != SHT_NOBITS && !within(o, s->sh_offset, s->sh_size)) return false;
    if ((s->sh_type == SHT_SYMTAB || s->sh_type == SHT_RELA) && !table(o, s->sh_offset, s->sh_size))
        return false;
    return !is_placed(s) || (s->sh_size <= SECTION_AT_MOST && s->sh_addralign <= PAGE);
}

static bool read_symbols(struct object *o, const Elf64_Shdr *s) {
    const Elf64_Shdr *names = s->sh_link < o->nsections ? &o->sections[s->sh_link] : NULL;
    if (!names || names->sh_type != SHT_STRTAB || !names->sh_size) return false;
    o->names = within(o, names->sh_offset, names->sh_size);
    if (!o->names || o->names[names->sh_size - 1]) return false;
    o->symbols = within(o, s->sh_offset, s->sh_size);
    o->nsymbols = (uint32_t)(s->sh_size / sizeof *o->symbols);
    for (uint32_t i = 0; i < o->nsymbols; i++) {
        const Elf64_Sym *y = &o->symbols[i];
        if (y->st_name >= names->sh_size) return false;
        if (y->st_shndx < o->nsections && y->st_value > o->sections[y->st_shndx].sh_size) return false;
    }
    return true;
}

static bool read_object(struct loading *l, struct object *o) {
    const Elf64_Ehdr *h = within(o, 0, sizeof *h);
    if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_type != ET_REL || h->e_machine != EM_X86_64)
        return wrong(l, "no object", "");
    o->sections = table(o, h->e_shoff, h->e_shnum * sizeof *o->sections);
    if (!o->sections || h->e_shentsize != sizeof *o->sections) return wrong(l, "half an object", "");
    o->nsections = h->e_shnum;
    o->places = wg_xcalloc(o->nsections, sizeof *o->places);
    for (uint32_t i = 0; i < o->nsections; i++)
        if (!is_sound(o, &o->sections[i])) return wrong(l, "half an object", "");
    for (uint32_t i = 0; i < o->nsections; i++)
        if (o->sections[i].sh_type == SHT_SYMTAB && !read_symbols(o, &o->sections[i]))
            return wrong(l, "half an object", "");
    return true;
}

/* Assigns addresses to all sections. */
static bool lay_out(struct loading *l) {
    size_t end = 0;
    for (int part = 0; part < PARTS; part++) {
        l->begins[part] = end;
        for (struct object *o = l->object; o < l->object + WG_LOAD_OBJECTS; o++) {
            for (uint32_t i = 0; i < o->nsections; i++) {
                const Elf64_Shdr *s = &o->sections[i];
                if (!is_placed(s) || (int)part_of(s) != part) continue;
                o->places[i] = end = up(end, s->sh_addralign);
                end += s->sh_size;
            }
            if (part != CODE) continue;
            o->jumps = end = up(end, JUMP_BYTES);
            end += (size_t)o->nsymbols * JUMP_BYTES;
        }
        end = up(end, PAGE);
    }
    if (end > INT32_MAX) return wrong(l, "the object is too large", "");
    l->begins[PARTS] = l->made->size = end;
    return true;
}

static bool map(struct loading *l) {
    void *at = mmap(NULL, l->made->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return wrong(l, "no memory for code", "");
    l->made->at = at;
    for (struct object *o = l->object; o < l->object + WG_LOAD_OBJECTS; o++)
        for (uint32_t i = 0; i < o->nsections; i++) {
            const Elf64_Shdr *s = &o->sections[i];
            if (is_placed(s) && s->sh_type != SHT_NOBITS)
                memcpy(l->made->at + o->places[i], o->bytes + s->sh_offset, s->sh_size);
        }
    return true;
}

/* The address of a symbol that the object defines; 0: it is undefined there. */
static uintptr_t own(const struct loading *l, const struct object *o, const Elf64_Sym *s) {
    if (s->st_shndx == SHN_UNDEF || s->st_shndx >= o->nsections || !is_placed(&o->sections[s->st_shndx]))
        return 0;
    return (uintptr_t)l->made->at + o->places[s->st_shndx] + s->st_value;
}

static void add_export(struct wg_loaded *l, const char *name, uintptr_t at) {
    l->exports = wg_xrealloc(l->exports, (l->nexports + 1) * sizeof *l->exports);
    l->exports[l->nexports++] = (struct export){wg_xstrdup(name), at};
}

static void find_exports(struct loading *l) {
    for (struct object *o = l->object; o < l->object + WG_LOAD_OBJECTS; o++)
        for (uint32_t i = 0; i < o->nsymbols; i++) {
            uintptr_t at = own(l, o, &o->symbols[i]);
            if (at && ELF64_ST_BIND(o->symbols[i].st_info) != STB_LOCAL)
                add_export(l->made, o->names + o->symbols[i].st_name, at);
        }
}

static bool fits(int64_t distance) { return distance == (int32_t)distance; }

/* jmp *0(%rip), and where to: what calls begin with, and what code reads that wants the address itself. */
struct jump {
    char code[6];
    char to[8];
};

static uintptr_t make_jump(struct loading *l, const struct object *o, uint32_t symbol, uintptr_t to) {
    struct jump jump = {.code = {(char)0xff, 0x25}};
    char *at = l->made->at + o->jumps + (size_t)symbol * JUMP_BYTES;
    memcpy(jump.to, &to, sizeof to);
    memcpy(at, &jump, sizeof jump);
    return (uintptr_t)at;
}

static uintptr_t find_symbol(const struct loading *l, const struct object *o, uint32_t symbol) {
    const char *name = o->names + o->symbols[symbol].st_name;
    uintptr_t at = own(l, o, &o->symbols[symbol]);
    if (!at) at = wg_loaded_symbol(l->made, name);
    return at ? at : l->find(name);
}

static bool relocate(struct loading *l, const struct object *o, const Elf64_Shdr *target, size_t place,
                     const Elf64_Rela *r) {
    uint32_t type = ELF64_R_TYPE(r->r_info), symbol = ELF64_R_SYM(r->r_info);
    size_t bytes = type == R_X86_64_64 ? sizeof(int64_t) : sizeof(int32_t);
    if (symbol >= o->nsymbols || r->r_offset > target->sh_size || bytes > target->sh_size - r->r_offset)
        return wrong(l, "half an object", "");
    const char *name = o->names + o->symbols[symbol].st_name;
    char *field = l->made->at + place + r->r_offset;
    uintptr_t to = find_symbol(l, o, symbol);
    if (!to) return wrong(l, "nothing has the name ", name);
    int64_t distance = (int64_t)(to - (uintptr_t)field + (uint64_t)r->r_addend);
    switch (type) {
    case R_X86_64_64:
        to += (uint64_t)r->r_addend;
        memcpy(field, &to, sizeof to);
        return true;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
        to = make_jump(l, o, symbol, to) + offsetof(struct jump, to);
        distance = (int64_t)(to - (uintptr_t)field + (uint64_t)r->r_addend);
        break;
    case R_X86_64_PLT32:
        if (fits(distance)) break;
        to = make_jump(l, o, symbol, to);
        distance = (int64_t)(to - (uintptr_t)field + (uint64_t)r->r_addend);
        break;
    case R_X86_64_PC32: break;
    default: return wrong(l, "unknown relocation: ", name);
    }
    if (!fits(distance)) return wrong(l, "too far away: ", name);
    int32_t four = (int32_t)distance;
    memcpy(field, &four, sizeof four);
    return true;
}

static bool relocate_all(struct loading *l) {
    for (struct object *o = l->object; o < l->object + WG_LOAD_OBJECTS; o++)
        for (uint32_t i = 0; i < o->nsections; i++) {
            const Elf64_Shdr *s = &o->sections[i];
            if (s->sh_type != SHT_RELA || s->sh_info >= o->nsections) continue;
            const Elf64_Shdr *target = &o->sections[s->sh_info];
            const Elf64_Rela *r = within(o, s->sh_offset, s->sh_size);
            for (size_t n = is_placed(target) ? s->sh_size / sizeof *r : 0; n > 0; n--, r++)
                if (!relocate(l, o, target, o->places[s->sh_info], r)) return false;
        }
    return true;
}

static bool protect(struct loading *l) {
    static const int may[PARTS] = {PROT_READ | PROT_EXEC, PROT_READ, PROT_READ | PROT_WRITE};
    for (int part = 0; part < PARTS; part++) {
        size_t size = l->begins[part + 1] - l->begins[part];
        if (size && mprotect(l->made->at + l->begins[part], size, may[part]))
            return wrong(l, "the system gives no executable memory", "");
    }
    return true;
}

static bool load(struct loading *l) {
    for (struct object *o = l->object; o < l->object + WG_LOAD_OBJECTS; o++)
        if (o->size && !read_object(l, o)) return false;
    if (!lay_out(l) || !map(l)) return false;
    find_exports(l);
    return relocate_all(l) && protect(l);
}

struct wg_loaded *wg_load_objects(const char *bytes, const size_t sizes[WG_LOAD_OBJECTS],
                                  uintptr_t (*find)(const char *name), struct wg_strbuf *why) {
    struct loading l = {.made = wg_xcalloc(1, sizeof *l.made), .find = find, .why = why};
    void *copies[WG_LOAD_OBJECTS] = {NULL};
    for (int i = 0; i < WG_LOAD_OBJECTS; bytes += sizes[i++]) {
        if (!sizes[i]) continue;
        copies[i] = wg_xmalloc(sizes[i]); /* aligned as the tables in it want it */
        memcpy(copies[i], bytes, sizes[i]);
        l.object[i] = (struct object){.bytes = copies[i], .size = sizes[i]};
    }
    bool good = load(&l);
    for (int i = 0; i < WG_LOAD_OBJECTS; i++) {
        free(l.object[i].places);
        free(copies[i]);
    }
    if (good) return l.made;
    wg_unload(l.made);
    return NULL;
}

uintptr_t wg_loaded_symbol(const struct wg_loaded *l, const char *name) {
    for (uint32_t i = 0; i < l->nexports; i++)
        if (strcmp(l->exports[i].name, name) == 0) return l->exports[i].at;
    return 0;
}

void wg_unload(struct wg_loaded *l) {
    for (uint32_t i = 0; i < l->nexports; i++) free(l->exports[i].name);
    free(l->exports);
    if (l->at) munmap(l->at, l->size);
    free(l);
}
