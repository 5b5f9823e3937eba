/* What `warpglass info` says of MPI, which is found at run time: launchers, libraries with their versions, and the libraries that go before
 * them in each rank (mpi/). */
#include "base/command.h"
#include "cli/info.h"
#include "cli/layout.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NAME = 26, SECONDS = 10, TEXT = 4096 };

/* The first line of what a launcher says of itself; MPICH's has its version on the next one. */
static void print_launcher(const char *name, bool *any) {
    struct wg_strbuf path = {0}, said = {0};
    if (wg_command_find(name, &path) &&
        wg_command_output((char *const[]){path.s, "--version", NULL}, "", 0, 10, &said) && said.s) {
        const char *version = !strncmp(said.s, "HYDRA", 5) ? strstr(said.s, "Version:") : NULL;
        if (version) version += strlen("Version:"), version += strspn(version, " ");
        const char *text = version ? version : said.s;
        printf("  %-*s %s%.*s\n", NAME, path.s, version ? "MPICH " : "", (int)strcspn(text, "\n"), text);
        *any = true;
    }
    wg_strbuf_free(&path);
    wg_strbuf_free(&said);
}

/* In a process of its own: two MPIs do not go together, and a library may do what it likes when it is loaded. */
_Noreturn static void ask_library(const char *name, int to) {
    int null = open("/dev/null", O_RDWR), length = 0;
    static char text[TEXT];
    Dl_info where = {0};
    for (int fd = 0; fd < 3; fd++) dup2(null, fd);
    alarm(SECONDS);
    void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    int (*version)(char *, int *) =
        handle ? (int (*)(char *, int *))dlsym(handle, "MPI_Get_library_version") : NULL;
    if (!version || !dladdr((void *)version, &where)) _exit(1);
    if (version(text, &length) != 0) *text = 0; /* to be called before MPI_Init, too */
    const char *begin =
        strstr(text, "Version:") && !strncmp(text, "MPICH", 5) ? strstr(text, "Version:") + 8 : text;
    begin += strspn(begin, " \t");
    dprintf(to, "%s%.*s\n%s\n", begin != text ? "MPICH " : "", (int)strcspn(begin, ",\n"), begin,
            where.dli_fname);
    _exit(0);
}

static bool print_library(const char *name) {
    char text[TEXT] = "";
    int ends[2];
    fflush(stdout);
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    pid_t child = fork();
    if (!child) ask_library(name, ends[1]);
    close(ends[1]);
    size_t n = 0;
    for (ssize_t k; n < sizeof text - 1 && (k = read(ends[0], text + n, sizeof text - 1 - n)) > 0;)
        n += (size_t)k;
    close(ends[0]);
    if (child > 0) waitpid(child, NULL, 0);
    char *path = strchr(text, '\n');
    if (!path) return false;
    *path++ = 0;
    printf("  %-*s %s\n  %-*s %.*s\n", NAME, name, *text ? text : "reports no version", NAME, "",
           (int)strcspn(path, "\n"), path);
    return true;
}

static void print_libraries(void) {
    static const char *const names[] = {"libmpi.so.40", "libmpich.so.12", "libmpi.so.12"},
                             *const ours[] = {"libwarpglass-mpi.so", "libwarpglass-mpi-calls.so"};
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) any |= print_library(names[i]);
    if (!any) printf("  no MPI library found where the loader looks; a program's own path may have one\n");
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        struct wg_strbuf path = {0};
        wg_strbuf_printf(&path, "%s/%s", wg_layout_libraries(), ours[i]);
        printf("  %-*s %s\n", NAME, ours[i],
               access(path.s, R_OK) != 0 ? "MISSING"
               : i                       ? "goes before it where ranks are profiled or checked"
                                         : "goes before it in each rank");
        wg_strbuf_free(&path);
    }
}

void wg_info_mpi(void) {
    printf("\nMPI, for programs of several ranks\n");
    static const char *const names[] = {"mpirun", "mpirun.openmpi", "mpirun.mpich", "srun"};
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) print_launcher(names[i], &any);
    if (!any) printf("  no mpirun and no srun found\n");
    print_libraries();
}
