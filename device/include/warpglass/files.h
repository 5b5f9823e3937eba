/* files.h: files that are linked to each other (-rdc=true): before the first of them registers what it has,
 * each tells the runtime where the names of all of them lie, which clang puts into a section. So the runtime
 * knows which files belong together, and when it has heard of all.
 */
#ifndef WARPGLASS_FILES_H
#define WARPGLASS_FILES_H

#if defined(__CUDACC_RDC__) && !defined(__CUDA_ARCH__)
extern "C" {
void __warpglass_files(const char *begin, const char *end);
extern const char __start___nv_module_id[] __attribute__((__weak__, __visibility__("hidden")));
extern const char __stop___nv_module_id[] __attribute__((__weak__, __visibility__("hidden")));
}
/* Before the file's registration, as in managed.h. */
static __attribute__((__constructor__(101), __used__)) void wg_tell_files() {
    __warpglass_files(__start___nv_module_id, __stop___nv_module_id);
}
#endif

#endif
