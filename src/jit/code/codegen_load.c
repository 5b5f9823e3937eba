/* The loader of the code generator's library, which is beside this one. See codegen.h. It is never unloaded:
 * a thread may run in it until the process has ended. */
#include "jit/code/codegen.h"
#include "build_id.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libwarpglass-codegen.so"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct wg_codegen *loaded;
static struct wg_strbuf why_not;

/* This library's folder, with a slash: the one that it really lies in, where somebody links to it, and also
 * where it was found by way of the working directory, which may be another by now. */
static bool find_folder(char folder[PATH_MAX]) {
    Dl_info info;
    struct link_map *map;
    char origin[PATH_MAX];
    if (!dladdr1((void *)&wg_codegen, &info, (void **)&map, RTLD_DL_LINKMAP)) return false;
    if (dlinfo(map, RTLD_DI_ORIGIN, origin)) return false;
    struct wg_strbuf path = {0};
    const char *slash = strrchr(info.dli_fname, '/');
    wg_strbuf_printf(&path, "%s/%s", origin, slash ? slash + 1 : info.dli_fname);
    bool found = realpath(path.s, folder) != NULL;
    wg_strbuf_free(&path);
    if (found) strrchr(folder, '/')[1] = 0;
    return found;
}

static void load(void) {
    char folder[PATH_MAX] = "";
    struct wg_strbuf path = {0};
    find_folder(folder);
    wg_strbuf_printf(&path, "%s" LIBRARY, folder);
    /* Names of LLVM's are nobody else's, and what is not called is not looked up. */
    void *library = dlopen(path.s, RTLD_LAZY | RTLD_LOCAL);
    const struct wg_codegen *table = library ? dlsym(library, "wg_codegen_table") : NULL;
    if (table && strcmp(table->build, WG_JIT_BUILD) == 0)
        loaded = table;
    else if (table)
        wg_strbuf_printf(&why_not, "%s is from another version of Warpglass than libcuda.so.1 beside it",
                         path.s);
    else
        wg_strbuf_puts(&why_not, dlerror());
    wg_strbuf_free(&path);
}

const struct wg_codegen *wg_codegen(struct wg_diag *d) {
    pthread_once(&once, load);
    if (!loaded)
        wg_diag_error(d, (struct wg_pos){"warpglass", 0, 0}, NULL,
                      "the code generator cannot be loaded: %s. It belongs beside libcuda.so.1, and `ldd` "
                      "shows what it needs; WARPGLASS_BACKEND=ref runs kernels without it, slowly",
                      why_not.s);
    return loaded;
}
