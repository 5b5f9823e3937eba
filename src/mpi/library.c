/* See library.h. */
#define _GNU_SOURCE
#include "mpi/library.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct wg_mpi_library library;
static bool known;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *opened; /* a library that others do not see, as an interpreter's modules load them */

/* ---- Functions --------------------------------------------------------------------------------------------
 */

static int open_if_mpi(struct dl_phdr_info *info, size_t size, void *user) {
    (void)size, (void)user;
    const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;
    if (strncmp(name, "libmpi", 6) != 0) return 0;
    void *handle = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (handle && dlsym(handle, "PMPI_Init")) opened = handle;
    return opened != NULL;
}

static void *find(const char *name) {
    void *f = dlsym(RTLD_NEXT, name);
    if (f) return f;
    if (!opened) dl_iterate_phdr(open_if_mpi, NULL);
    return opened ? dlsym(opened, name) : NULL;
}

static int call_words(void *function, const wg_mpi_word *a) {
    typedef int all_words(wg_mpi_word, wg_mpi_word, wg_mpi_word, wg_mpi_word, wg_mpi_word, wg_mpi_word,
                          wg_mpi_word, wg_mpi_word, wg_mpi_word, wg_mpi_word, wg_mpi_word, wg_mpi_word);
    return ((all_words *)function)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
}

static void *need(const char *name) {
    void *f = find(name);
    if (f) return f;
    fprintf(stderr, "warpglass: the program calls MPI, whose library has no %s\n", name);
    abort();
}

int wg_mpi_ask(const char *name, wg_mpi_word *arguments) { return call_words(need(name), arguments); }

int wg_mpi_real(enum wg_mpi_call call, wg_mpi_word *arguments) {
    static const char *const names[] = {
#define CALL(name, words, shape, comm, root, last) "PMPI_" #name,
#include "mpi/calls.def"
    };
    static void *functions[WG_MPI_CALLS]; /* whoever writes one writes the same */
    void *f = __atomic_load_n(&functions[call], __ATOMIC_RELAXED);
    if (!f) {
        f = need(names[call]);
        __atomic_store_n(&functions[call], f, __ATOMIC_RELAXED);
    }
    return call_words(f, arguments);
}

/* ---- Facts ------------------------------------------------------------------------------------------------
 */

/* The library's, or the copy that the linker has put into the executable, which is then the one that counts. */
static void *find_object(const char *name) {
    void *object = dlsym(RTLD_DEFAULT, name);
    return object ? object : find(name);
}

static void learn(void) {
    void *world = find_object("ompi_mpi_comm_world"), *byte = find_object("ompi_mpi_byte");
    char text[8192] = ""; /* MPI_MAX_LIBRARY_VERSION_STRING of MPICH */
    int length = 0;
    if (world && byte) {
        library = (struct wg_mpi_library){.handle = sizeof(void *),
                                          .status = 24,
                                          .source = 0,
                                          .tag = 4,
                                          .ignore = 0,
                                          .nobody = -2,
                                          .world = (wg_mpi_word)world,
                                          .no_comm = (wg_mpi_word)find_object("ompi_mpi_comm_null"),
                                          .byte = (wg_mpi_word)byte};
        known = true;
        return;
    }
    if (!find("PMPI_Get_library_version")) return;
    WG_MPI_ASK("Get_library_version", (wg_mpi_word)text, (wg_mpi_word)&length);
    known = strstr(text, "MPICH") || strstr(text, "MVAPICH") || strstr(text, "Intel");
    library = (struct wg_mpi_library){.handle = sizeof(int),
                                      .status = 20,
                                      .source = 8,
                                      .tag = 12,
                                      .ignore = 1,
                                      .nobody = -1,
                                      .world = 0x44000000,
                                      .no_comm = 0x04000000,
                                      .byte = 0x4c00010d};
}

const struct wg_mpi_library *wg_mpi_library(void) {
    pthread_once(&once, learn);
    return known ? &library : NULL;
}

wg_mpi_word wg_mpi_handle(wg_mpi_word argument) {
    return library.handle == sizeof(int) ? (uint32_t)argument : argument;
}

wg_mpi_word wg_mpi_handle_at(wg_mpi_word address, size_t index) {
    wg_mpi_word handle = 0;
    memcpy(&handle, (const char *)address + index * library.handle, library.handle);
    return handle;
}
