/* A folder laid out as a CUDA toolkit: see toolkit.h.
 *
 *     bin/nvcc                       a script that starts "warpglass nvcc" (nvcc.c)
 *     bin/ptxas, fatbinary, cuobjdump, nvlink   the same for "warpglass tool" (device_tool.h)
 *     bin/bin2c -> .../bin/bin2c     a file's bytes as an array in C
 *     include -> .../include
 *     lib64/libcudart.so             names for the linker; programs find libcudart.so.13 where it lies
 *     lib64/libcudart_static.a       a word to the linker to take libcudart.so
 *     lib64/libcublas.so, libcublasLt.so, ..._static.a   the same of cuBLAS
 *     lib64/libnvrtc.so, libnvrtc_static.a          the same of NVRTC
 *     lib64/libcudadevrt.a, libculibos.a            archives of nothing
 *     lib64/libcudart.so.13, ...     links, for programs of nvcc's by LD_LIBRARY_PATH
 *     lib64/stubs/libcuda.so
 *     lib, targets/x86_64-linux/     the same by other names
 *     nvvm/libdevice/                empty: where CMake wants a folder of that name
 *     version.json, version.txt, WARPGLASS   the last says whose folder this is, and which Warpglass made it
 */
#include "cli/toolkit.h"
#include "base/cache_dir.h"
#include "base/command.h"
#include "cli/commands.h"
#include "cli/layout.h"
#include "cli/say.h"
#include "cli/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes root/name. */
static bool put(const char *root, const char *name, const char *bytes, size_t n, mode_t mode) {
    struct wg_strbuf path = {0};
    wg_strbuf_printf(&path, "%s/%s", root, name);
    bool good = wg_file_write(path.s, bytes, n) && chmod(path.s, mode) == 0;
    if (!good) wg_say("cannot write %s: %s", path.s, strerror(errno));
    wg_strbuf_free(&path);
    return good;
}

static bool put_link(const char *root, const char *name, const char *to) {
    struct wg_strbuf path = {0};
    wg_strbuf_printf(&path, "%s/%s", root, name);
    unlink(path.s);
    bool good = symlink(to, path.s) == 0;
    if (!good) wg_say("cannot make the link %s: %s", path.s, strerror(errno));
    wg_strbuf_free(&path);
    return good;
}

/* ---- What is in it --------------------------------------------------------------------------------------
 */

/* The library of names `stub` as root/name, in which the real library's place is written. */
static bool put_stub(const char *root, const char *name, const char *stub, const char *library) {
    static const char begin[] = "/warpglass-stub/x";
    struct wg_strbuf from = {0}, real = {0}, text = {0};
    bool good = false;
    wg_strbuf_printf(&from, "%s/%s", wg_layout_libraries(), stub);
    wg_strbuf_printf(&real, "%s/%s", wg_layout_libraries(), library);
    char *place =
        wg_file_read(from.s, &text) && text.n ? memmem(text.s, text.n, begin, sizeof begin - 1) : NULL;
    size_t room = place ? strlen(place) : 0;
    if (!place) {
        wg_say("%s is missing: Warpglass is not built or installed completely", from.s);
    } else if (real.n > room) {
        wg_say("%s: a library's name cannot be a path of more than %zu characters", real.s, room);
    } else {
        memset(place, 0, room);
        memcpy(place, real.s, real.n);
        good = put(root, name, text.s, text.n, 0755);
    }
    wg_strbuf_free(&from);
    wg_strbuf_free(&real);
    wg_strbuf_free(&text);
    return good;
}

/* A script that starts this command. `before`, `behind`: the user's words. */
static bool put_script(const char *root, const char *name, const char *before, const char *behind) {
    struct wg_strbuf text = {0}, command = {0}, path = {0};
    wg_strbuf_printf(&command, "%s/../../bin/warpglass", wg_layout_libraries());
    char *full = realpath(command.s, NULL);
    wg_strbuf_printf(&text,
                     "#!/bin/sh\n"
                     "# Warpglass under %s's name, for build systems: see \"warpglass toolkit --help\".\n"
                     "# shellcheck disable=SC2086\n"
                     "exec ",
                     name);
    wg_process_add_quoted(&text, full ? full : command.s);
    wg_strbuf_printf(&text, " %s \"$@\"%s\n", before, behind);
    wg_strbuf_printf(&path, "bin/%s", name);
    bool good = put(root, path.s, text.s, text.n, 0755);
    free(full);
    wg_strbuf_free(&command);
    wg_strbuf_free(&path);
    wg_strbuf_free(&text);
    return good;
}

static bool put_scripts(const char *root, const char *place) {
    static const char *const tools[] = {"ptxas", "fatbinary", "cuobjdump", "nvlink"};
    struct wg_strbuf before = {0};
    wg_strbuf_puts(&before, "nvcc --toolkit ");
    wg_process_add_quoted(&before, place);
    wg_strbuf_puts(&before, " ${NVCC_CCBIN:+-ccbin \"$NVCC_CCBIN\"} $NVCC_PREPEND_FLAGS");
    bool good = put_script(root, "nvcc", before.s, " $NVCC_APPEND_FLAGS");
    for (size_t i = 0; good && i < sizeof tools / sizeof *tools; i++) {
        wg_strbuf_free(&before);
        wg_strbuf_printf(&before, "tool %s --", tools[i]);
        good = put_script(root, tools[i], before.s, "");
    }
    wg_strbuf_free(&before);
    return good;
}

/* Libraries that a program links: what a linker finds under its name, and the library itself. */
static const struct {
    const char *name, *stub, *library;
    const char *archive; /* the name for who links "statically"; NULL: there is none */
} libraries[] = {
    {"lib64/libcudart.so", "libwarpglass-stub-cudart.so", "libcudart.so.13", "lib64/libcudart_static.a"},
    {"lib64/stubs/libcuda.so", "libwarpglass-stub-cuda.so", "libcuda.so.1", NULL},
    {"lib64/libcublas.so", "libwarpglass-stub-cublas.so", "libcublas.so.13", "lib64/libcublas_static.a"},
    {"lib64/libcublasLt.so", "libwarpglass-stub-cublasLt.so", "libcublasLt.so.13",
     "lib64/libcublasLt_static.a"},
    {"lib64/libnvrtc.so", "libwarpglass-stub-nvrtc.so", "libnvrtc.so.13", "lib64/libnvrtc_static.a"}};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

static bool put_archive(const char *root, const char *place, const char *archive, const char *library) {
    struct wg_strbuf text = {0};
    wg_strbuf_printf(&text,
                     "/* Warpglass's libraries are shared ones, which programs find by their path. */\n"
                     "INPUT(\"%s/%s\")\n",
                     place, library);
    bool good = put(root, archive, text.s, text.n, 0644);
    wg_strbuf_free(&text);
    return good;
}

/* The library itself, for programs that look for it in LD_LIBRARY_PATH. */
static bool put_library_link(const char *root, const char *library) {
    struct wg_strbuf name = {0}, to = {0};
    wg_strbuf_printf(&name, "lib64/%s", library);
    wg_strbuf_printf(&to, "%s/%s", wg_layout_libraries(), library);
    bool good = put_link(root, name.s, to.s);
    wg_strbuf_free(&name);
    wg_strbuf_free(&to);
    return good;
}

static bool put_libraries(const char *root, const char *place) {
    static const char *const older[] = {"libcudart.so.12", "libcublas.so.12", "libcublasLt.so.12",
                                        "libnvrtc.so.12"};
    static const char *const empty[] = {"lib64/libcudadevrt.a", "lib64/libculibos.a"};
    static const char empty_archive[] = "!<arch>\n";
    bool good = true;
    for (size_t i = 0; good && i < LIBRARIES; i++) {
        good = put_stub(root, libraries[i].name, libraries[i].stub, libraries[i].library) &&
               put_library_link(root, libraries[i].library);
        if (good && libraries[i].archive)
            good = put_archive(root, place, libraries[i].archive, libraries[i].name);
    }
    for (size_t i = 0; good && i < sizeof older / sizeof *older; i++) good = put_library_link(root, older[i]);
    for (size_t i = 0; good && i < sizeof empty / sizeof *empty; i++)
        good = put(root, empty[i], empty_archive, sizeof empty_archive - 1, 0644);
    return good;
}

static bool put_folders(const char *root) {
    static const char *const folders[] = {"bin", "lib64/stubs", "nvvm/libdevice", "targets/x86_64-linux"};
    bool good = true;
    for (size_t i = 0; good && i < sizeof folders / sizeof *folders; i++) {
        struct wg_strbuf path = {0};
        wg_strbuf_printf(&path, "%s/%s", root, folders[i]);
        good = wg_make_dirs(path.s);
        if (!good) wg_say("cannot make the folder %s: %s", path.s, strerror(errno));
        wg_strbuf_free(&path);
    }
    return good;
}

/* `place`: where the folder will lie. */
static bool fill(const char *root, const char *place) {
    static const char version[] = "{\n  \"cuda\": {\n    \"name\": \"Warpglass, in place of the CUDA SDK\",\n"
                                  "    \"version\": \"" WG_TOOLKIT_VERSION "\"\n  }\n}\n";
    /* Of before CUDA 11, which Meson reads. */
    static const char older[] = "CUDA Version " WG_TOOLKIT_VERSION "\n";
    struct wg_strbuf headers = {0}, bin2c = {0};
    wg_strbuf_printf(&headers, "%s/include", wg_layout_libraries());
    wg_strbuf_printf(&bin2c, "%s/bin/bin2c", wg_layout_libraries());
    bool good = put_folders(root) && put_scripts(root, place) && put_libraries(root, place) &&
                put_link(root, "include", headers.s) && put_link(root, "lib", "lib64") &&
                put_link(root, "bin/bin2c", bin2c.s) &&
                put_link(root, "targets/x86_64-linux/include", "../../include") &&
                put_link(root, "targets/x86_64-linux/lib", "../../lib64") &&
                put(root, "version.json", version, sizeof version - 1, 0644) &&
                put(root, "version.txt", older, sizeof older - 1, 0644);
    wg_strbuf_free(&headers);
    wg_strbuf_free(&bin2c);
    return good;
}

/* ---- Whether it is there --------------------------------------------------------------------------------
 */

/* Which Warpglass makes it, and where to. */
static struct wg_strbuf stamp(const char *place) {
    static const char *const parts[] = {"libwarpglass-stub-cudart.so", "libwarpglass-stub-cuda.so",
                                        "libwarpglass-stub-cublas.so", "libwarpglass-stub-nvrtc.so",
                                        "../../bin/warpglass"};
    struct wg_strbuf text = {0};
    wg_strbuf_printf(
        &text,
        "A folder laid out as a CUDA toolkit, made by \"warpglass toolkit\". It may be deleted.\n"
        "%s\n%s\n",
        place, wg_layout_libraries());
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct wg_strbuf path = {0};
        struct stat st = {0};
        wg_strbuf_printf(&path, "%s/%s", wg_layout_libraries(), parts[i]);
        if (stat(path.s, &st) == 0)
            wg_strbuf_printf(&text, "%lld %lld.%09ld\n", (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                             st.st_mtim.tv_nsec);
        wg_strbuf_free(&path);
    }
    return text;
}

enum found { NOTHING, SAME, OLDER, FOREIGN };

static enum found look(const char *root, const struct wg_strbuf *wanted) {
    struct wg_strbuf path = {0}, text = {0};
    struct stat st;
    enum found found = NOTHING;
    wg_strbuf_printf(&path, "%s/%s", root, WG_TOOLKIT_MARK);
    if (wg_file_read(path.s, &text))
        found = text.n == wanted->n && !memcmp(text.s, wanted->s, text.n) ? SAME : OLDER;
    else if (lstat(root, &st) == 0 && rmdir(root) != 0)
        found = FOREIGN;
    wg_strbuf_free(&path);
    wg_strbuf_free(&text);
    return found;
}

/* Beside its place, and then there as a whole: another command may use it, or make it, at the same time. */
static bool make(const char *place, const struct wg_strbuf *wanted) {
    struct wg_strbuf beside = {0};
    wg_strbuf_printf(&beside, "%s.%ld", place, (long)getpid());
    bool good = fill(beside.s, place) && put(beside.s, WG_TOOLKIT_MARK, wanted->s, wanted->n, 0644);
    if (good && rename(beside.s, place) != 0 &&
        renameat2(AT_FDCWD, beside.s, AT_FDCWD, place, RENAME_EXCHANGE) != 0) { /* not on every file system */
        wg_layout_remove(place);
        good = rename(beside.s, place) == 0 || look(place, wanted) == SAME;
        if (!good) wg_say("cannot make the folder %s: %s", place, strerror(errno));
    }
    wg_layout_remove(beside.s);
    wg_strbuf_free(&beside);
    return good;
}

/* The full path of the folder that is asked for. */
static bool find_place(const char *root, struct wg_strbuf *path) {
    if (!root) {
        if (wg_cache_folder("toolkit", path)) {
            wg_strbuf_puts(path, "/" WG_TOOLKIT_RELEASE);
            return true;
        }
        wg_say("there is no cache to create the folder in; give a folder, as in \"warpglass toolkit DIR\"");
        return false;
    }
    char here[PATH_MAX] = "";
    if (*root != '/' && !getcwd(here, sizeof here)) return false;
    wg_strbuf_printf(path, "%s%s%s", here, *root == '/' ? "" : "/", root);
    while (path->n > 1 && path->s[path->n - 1] == '/') path->s[--path->n] = 0;
    return true;
}

bool wg_toolkit_make(const char *root, struct wg_strbuf *path) {
    if (!find_place(root, path)) return false;
    if (strpbrk(path->s, "\"\n")) {
        wg_say("%s: the linker cannot use a path with a quote or a line break in it", path->s);
        return false;
    }
    struct wg_strbuf wanted = stamp(path->s);
    enum found found = look(path->s, &wanted);
    if (found == FOREIGN) wg_say("%s already exists, and \"warpglass toolkit\" did not create it", path->s);
    bool good = found == SAME || (found != FOREIGN && make(path->s, &wanted));
    wg_strbuf_free(&wanted);
    return good;
}

void wg_toolkit_library_folders(const char *root, struct wg_args *words) {
    wg_args_addf(words, "-L%s/lib64/stubs", root);
    wg_args_addf(words, "-L%s/lib64", root);
}

/* ---- The commands ---------------------------------------------------------------------------------------
 */

/* The one folder that may be named. */
static bool folder_named(const struct wg_cmdline *c, const char **folder) {
    *folder = NULL;
    for (uint32_t i = 0; i < c->items.n; i++) {
        if (c->items.v[i].option != WG_CLI_FILE) continue;
        if (*folder) {
            wg_say("only one folder is allowed, not also %s", c->items.v[i].value);
            return false;
        }
        *folder = c->items.v[i].value;
    }
    return true;
}

int wg_command_toolkit(const struct wg_cmdline *c) {
    struct wg_strbuf path = {0};
    const char *folder;
    if (!folder_named(c, &folder)) return 2;
    if (!wg_toolkit_make(folder, &path)) return 1;
    wg_strbuf_puts(&path, "\n");
    return wg_terminal_finish(&path);
}

static void add_variable(struct wg_strbuf *out, const char *name, const char *root, const char *below,
                         bool before) {
    struct wg_strbuf value = {0};
    wg_strbuf_printf(&value, "%s%s", root, below);
    wg_strbuf_printf(out, "export %s=", name);
    wg_process_add_quoted(out, value.s);
    if (before) wg_strbuf_printf(out, "\"${%s:+:$%s}\"", name, name);
    wg_strbuf_puts(out, ";\n");
    wg_strbuf_free(&value);
}

int wg_command_env(const struct wg_cmdline *c) {
    struct wg_strbuf path = {0}, out = {0};
    const char *folder;
    if (!folder_named(c, &folder)) return 2;
    bool made = wg_toolkit_make(folder, &path);
    if (made) {
        add_variable(&out, "PATH", path.s, "/bin", true);
        add_variable(&out, "CUDA_HOME", path.s, "", false);
        add_variable(&out, "CUDA_PATH", path.s, "", false);
        add_variable(&out, "CUDAToolkit_ROOT", path.s, "", false);
        add_variable(&out, "CUDACXX", path.s, "/bin/nvcc", false);
        add_variable(&out, "LD_LIBRARY_PATH", path.s, "/lib64", true);
    }
    wg_strbuf_free(&path);
    return made ? wg_terminal_finish(&out) : 1;
}
