/* What compiled programs register before main: fat binaries, kernels, variables.
 *
 *     void **m = __cudaRegisterFatBinary(&wrapper);              a module: a library of the driver, not
 *                                                                loaded yet
 *     __cudaRegisterFunction(m, stub, "_Z1kPi", "_Z1kPi", ...);  host stub -> kernel
 *     __cudaRegisterVar(m, &shadow, "table", "table", ...);      host shadow -> variable
 *     __cudaRegisterFatBinaryEnd(m);
 *
 * Of files that are linked to each other (-rdc=true) each is a module, and all of a program or library share
 * one library of the driver:
 *
 *     __warpglass_files(begin, end);                             the names of the files, in a section
 *     __warpglass_register_file(register_all, &wrapper, name, ...);    one of them; register_all as above
 *
 * Nothing is read or loaded here: static constructors run in every program, also in those that never touch
 * the device. What is wrong with a fat binary shows at the first use of something in it.
 */
#include "runtime/runtime.h"
#include "base/arena.h"
#include "warpglass/textures/descriptor.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    const void *host; /* stub or shadow; NULL: free */
    struct module *module;
    const char *name; /* in the PTX */
    CUkernel kernel;  /* NULL: a variable */
    size_t bytes;     /* variable */
    void **managed;   /* variable: the pointer that host code goes through */
};
struct module {
    CUlibrary library;
    unsigned unit; /* its number in a library of several files; 0: it is alone */
    WG_VEC(struct entry *) entries;
    bool hosted; /* has managed variables that lie where clang's programs have them */
};
/* Where such variables lie: a section of the program and of each of its libraries. */
struct range {
    const char *begin, *end;
};
static WG_VEC(struct range) ranges;
/* Files that are linked to each other: all whose names lie in one range. */
struct joined {
    struct range names;
    CUlibrary library;
    uint32_t files, registered; /* how many there are and were */
    bool hosted;
};
static WG_VEC(struct joined) joined;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static WG_VEC(struct entry *) managed; /* variables declared __managed__ */
static struct entry **slots; /* by host address: a power of two, at most half full, linear probing */
static size_t capacity, used;

static size_t home(const void *host) {
    return (size_t)(((uintptr_t)host >> 3) * 0x9e3779b97f4a7c15u >> 20) & (capacity - 1);
}
static struct entry gone; /* a slot whose entry was taken out */

static struct entry **find_slot(const void *host) {
    if (!capacity) return NULL;
    for (size_t i = home(host); slots[i]; i = (i + 1) & (capacity - 1))
        if (slots[i]->host == host) return &slots[i];
    return NULL;
}
static void insert(struct entry *e) {
    size_t i = home(e->host);
    while (slots[i]) i = (i + 1) & (capacity - 1);
    slots[i] = e;
    used++;
}
static void grow(void) {
    struct entry **old = slots;
    size_t n = capacity;
    capacity = n ? n * 2 : 256;
    slots = wg_xcalloc(capacity, sizeof *slots);
    used = 0;
    for (size_t i = 0; i < n; i++)
        if (old[i] && old[i] != &gone) insert(old[i]);
    free(old);
}

static void enlist(void **handle, const void *host, struct entry what) {
    if (!handle || !host || !what.name) return;
    struct module *m = (struct module *)handle;
    struct entry *e = wg_xmalloc(sizeof *e);
    *e = what;
    e->host = host;
    e->module = m;
    pthread_rwlock_wrlock(&lock);
    struct entry **s = find_slot(host);
    if (used * 2 >= capacity) grow(), s = find_slot(host);
    if (s)
        *s = e; /* registered again: the newest counts */
    else
        insert(e);
    *WG_PUSH(&m->entries) = e;
    if (e->managed) *WG_PUSH(&managed) = e;
    pthread_rwlock_unlock(&lock);
}

static struct entry *find(const void *host) {
    pthread_rwlock_rdlock(&lock);
    struct entry **s = host ? find_slot(host) : NULL;
    struct entry *e = s ? *s : NULL;
    pthread_rwlock_unlock(&lock);
    return e;
}

/* ---- Called by compiled programs ---------------------------------------------------------------- */

void **__cudaRegisterFatBinary(void *wrapper) {
    struct module *m = wg_xcalloc(1, sizeof *m);
    wg_library_register(wrapper, &m->library);
    return (void **)m;
}
/* Managed variables that host code reaches without a pointer are read before any call of CUDA's: they have to
 * have their values now. What goes wrong has been told, and the first use of the module answers it. */
void __cudaRegisterFatBinaryEnd(void **module) {
    CUmodule loaded;
    struct module *m = (struct module *)module;
    if (m && m->hosted && !wg_start()) cuLibraryGetModule(&loaded, m->library);
}

/* clang's programs, by device/include/warpglass/managed.h: what is registered as a variable of [begin, end)
 * is __managed__. Each file of the program says it, before it registers its variables. */
void __warpglass_managed_range(void *begin, void *end) {
    pthread_rwlock_wrlock(&lock);
    *WG_PUSH(&ranges) = (struct range){begin, end};
    pthread_rwlock_unlock(&lock);
}
/* ---- Files that are linked to each other --------------------------------------------------------- */

static struct joined *joined_at(const char *name) {
    for (uint32_t i = joined.n; i-- > 0;)
        if (name >= joined.v[i].names.begin && name < joined.v[i].names.end) return &joined.v[i];
    return NULL;
}

/* Each file says where the names of all of them lie, before the first one registers. */
void __warpglass_files(const char *begin, const char *end) {
    pthread_rwlock_wrlock(&lock);
    struct joined *j = joined_at(begin);
    if (!j || j->registered) { /* the second where a library was that is closed */
        j = WG_PUSH(&joined);
        *j = (struct joined){.names = {begin, end}, .library = wg_library_joined()};
        for (const char *p = begin; p < end; p++) j->files += *p && (p == begin || !p[-1]);
    }
    pthread_rwlock_unlock(&lock);
}

/* Before the last file is there a static constructor may have used the others: then it is alone. */
void __warpglass_register_file(void (*register_all)(void **), void *wrapper, const char *name,
                               void (*done)(void **)) {
    struct module *m = wg_xcalloc(1, sizeof *m);
    pthread_rwlock_wrlock(&lock);
    struct joined *j = joined_at(name);
    bool last = j && ++j->registered == j->files;
    if (j) m->unit = wg_library_join(m->library = j->library, wrapper);
    pthread_rwlock_unlock(&lock);
    if (!m->unit) wg_library_register(wrapper, &m->library);
    register_all((void **)m);
    pthread_rwlock_wrlock(&lock);
    if ((j = joined_at(name))) m->hosted = j->hosted = j->hosted || m->hosted;
    pthread_rwlock_unlock(&lock);
    if (last) __cudaRegisterFatBinaryEnd((void **)m);
}

/* The device's name of a static variable or kernel, behind which clang writes "__static__" and a hash for the
 * host's half of a file that is linked to others. */
static const char *plain_name(const struct module *m, const char *name) {
    const char *end = m && m->unit && name ? strstr(name, "__static__") : NULL;
    if (m && m->unit && name && !end) end = strstr(name, "__intern__");
    return end ? strndup(name, (size_t)(end - name)) : name;
}

static bool in_managed_range(const char *shadow) {
    bool inside = false;
    pthread_rwlock_rdlock(&lock);
    for (uint32_t i = 0; i < ranges.n && !inside; i++)
        inside = shadow >= ranges.v[i].begin && shadow < ranges.v[i].end;
    pthread_rwlock_unlock(&lock);
    return inside;
}

void __cudaRegisterFunction(void **module, const char *stub, char *device_name, const char *name,
                            int thread_limit, uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid,
                            int *warp_size) {
    struct module *m = (struct module *)module;
    if (!module || !device_name) return;
    const char *plain = plain_name(m, device_name);
    enlist(module, stub,
           (struct entry){.name = plain, .kernel = wg_library_kernel(m->library, plain, m->unit)});
}
void __cudaRegisterVar(void **module, char *shadow, char *device_name, const char *name, int external,
                       size_t bytes, int constant, int global) {
    struct module *m = (struct module *)module;
    const char *plain = plain_name(m, device_name);
    enlist(module, shadow, (struct entry){.name = plain, .bytes = bytes});
    if (!m || !shadow || !plain || !in_managed_range(shadow)) return;
    wg_library_host(m->library, plain, m->unit, shadow, bytes);
    m->hosted = true;
}
void __cudaRegisterManagedVar(void **module, void **shadow, char *device_name, const char *name, int external,
                              size_t bytes, int constant, int global) {
    enlist(module, shadow, (struct entry){.name = device_name, .bytes = bytes, .managed = shadow});
}
/* Texture and surface references: variables of the device that hold what an object's name points to. */
void __cudaRegisterTexture(void **module, const void *reference, const void **address,
                           const char *device_name, int dimensions, int normalized, int external) {
    const char *plain = plain_name((struct module *)module, device_name);
    enlist(module, reference, (struct entry){.name = plain, .bytes = sizeof(struct wg_texture)});
}
void __cudaRegisterSurface(void **module, const void *reference, const void **address,
                           const char *device_name, int dimensions, int external) {
    __cudaRegisterTexture(module, reference, address, device_name, dimensions, 0, external);
}
/* Host variables that device code may reach: only on machines whose GPU shares the host's page tables. */
void __cudaRegisterHostVar(void **module, const char *name, char *shadow, size_t bytes) {}

/* Sets the pointers through which host code reaches the module's managed variables. */
static CUresult place_managed(struct module *m) {
    CUresult r = CUDA_SUCCESS;
    for (uint32_t i = 0; i < m->entries.n && !r; i++) {
        const struct entry *e = m->entries.v[i];
        CUdeviceptr p = 0;
        if (!e->managed) continue;
        if (!(r = cuLibraryGetGlobal(&p, NULL, m->library, e->name))) *e->managed = (void *)(uintptr_t)p;
    }
    return r;
}
char __cudaInitModule(void **module) {
    if (!module) return 0;
    return wg_note(wg_start() ?: place_managed((struct module *)module)) == cudaSuccess;
}

void __cudaUnregisterFatBinary(void **module) {
    struct module *m = (struct module *)module;
    if (!m) return;
    pthread_rwlock_wrlock(&lock);
    for (uint32_t i = 0; i < m->entries.n; i++) {
        struct entry **s = find_slot(m->entries.v[i]->host);
        if (s && *s == m->entries.v[i]) *s = &gone;
        for (uint32_t k = managed.n; k-- > 0;)
            if (managed.v[k] == m->entries.v[i]) managed.v[k] = managed.v[--managed.n];
        free(m->entries.v[i]);
    }
    pthread_rwlock_unlock(&lock);
    cuLibraryUnload(m->library);
    free(m->entries.v);
    free(m);
}

/* ---- Looked up by the rest of the runtime ------------------------------------------------------- */

CUresult wg_kernel_of(const void *kernel, CUfunction *out) {
    if (!kernel) return (CUresult)cudaErrorInvalidDeviceFunction;
    const struct entry *e = find(kernel);
    if (e && !e->kernel) return CUDA_ERROR_INVALID_HANDLE;
    /* The driver takes kernel handles where it takes functions; what is neither it calls an invalid handle.
     */
    CUkernel k = e ? e->kernel : (CUkernel)(void *)(uintptr_t)kernel;
    CUresult r = cuKernelGetFunction(out, k);
    if (r == CUDA_ERROR_NOT_FOUND) return (CUresult)cudaErrorInvalidDeviceFunction;
    if (r == CUDA_ERROR_INVALID_HANDLE && !e) {
        CUmodule m;
        *out = (CUfunction)(void *)(uintptr_t)kernel;
        return cuFuncGetModule(&m, *out);
    }
    return r;
}

const void *wg_stub_of(CUfunction function) {
    const char *name;
    const void *stub = NULL;
    if (cuFuncGetName(&name, function)) return NULL;
    pthread_rwlock_rdlock(&lock);
    for (size_t i = 0; i < capacity && !stub; i++) {
        CUfunction f;
        const struct entry *e = slots[i];
        if (e && e != &gone && e->kernel && !strcmp(e->name, name) &&
            cuKernelGetFunction(&f, e->kernel) == CUDA_SUCCESS && f == function)
            stub = e->host;
    }
    pthread_rwlock_unlock(&lock);
    return stub;
}

const char *wg_kernel_name(const void *kernel) {
    const struct entry *e = find(kernel);
    const char *name = "";
    if (e && !e->kernel) return e->name;
    CUkernel k = e ? e->kernel : (CUkernel)(void *)(uintptr_t)kernel;
    return cuKernelGetName(&name, k) == CUDA_SUCCESS ? name : "(unknown)";
}

/* nvcc turns a managed variable's name into what its pointer points to: the variable itself is the symbol. */
static struct entry *find_managed(const void *symbol) {
    struct entry *e = NULL;
    pthread_rwlock_rdlock(&lock);
    for (uint32_t i = 0; i < managed.n && !e; i++)
        if (symbol && *managed.v[i]->managed == symbol) e = managed.v[i];
    pthread_rwlock_unlock(&lock);
    return e;
}

CUresult wg_symbol_of(const void *symbol, CUdeviceptr *address, size_t *bytes) {
    const struct entry *e = find(symbol);
    if (!e) e = find_managed(symbol);
    if (!e || e->kernel) return (CUresult)cudaErrorInvalidSymbol;
    CUresult r = wg_library_variable(e->module->library, e->name, e->module->unit, address, bytes);
    return r == CUDA_ERROR_NOT_FOUND ? (CUresult)cudaErrorInvalidSymbol : r;
}

cudaError_t __cudaGetKernel(cudaKernel_t *handle, const void *stub) {
    const struct entry *e = find(stub);
    if (!handle) return wg_note(CUDA_ERROR_INVALID_VALUE);
    if (!e || !e->kernel) return wg_note((CUresult)cudaErrorInvalidDeviceFunction);
    *handle = e->kernel;
    return cudaSuccess;
}
cudaError_t cudaGetKernel(cudaKernel_t *handle, const void *stub) {
    CUfunction f;
    CUresult r = wg_start();
    const struct entry *e = find(stub);
    if (!r && e && e->kernel) r = wg_kernel_of(stub, &f); /* is it one that can be loaded? */
    return r ? wg_note(r) : __cudaGetKernel(handle, stub);
}
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *kernel) {
    CUresult r = wg_start();
    const struct entry *e = find(kernel);
    if (!r && !function) r = CUDA_ERROR_INVALID_VALUE;
    if (!r && (!e || !e->kernel)) r = (CUresult)cudaErrorInvalidDeviceFunction;
    return wg_note(r ?: wg_kernel_of(kernel, function));
}
cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
    CUdeviceptr p = 0;
    CUresult r = wg_start() ?: wg_symbol_of(symbol, &p, NULL);
    if (!r && !pointer) r = CUDA_ERROR_INVALID_VALUE;
    if (!r) *pointer = (void *)(uintptr_t)p;
    return wg_note(r);
}
cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
    CUdeviceptr p;
    size_t n = 0;
    CUresult r = wg_start() ?: wg_symbol_of(symbol, &p, &n);
    if (!r && !bytes) r = CUDA_ERROR_INVALID_VALUE;
    if (!r) *bytes = n;
    return wg_note(r);
}
