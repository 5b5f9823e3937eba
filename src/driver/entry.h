/* How a function becomes an entry point of libcuda.so.1: it is declared here and has a row in entries.def.
 *
 * cuda.h declares them all, but for older versions of some, which only programs built with other headers call:
 * those below (cuCtxCreate_v2 is the form of CUDA 4 to 12), and those in old_forms.c whose names cuda.h turns
 * into newer ones.
 */
#ifndef WG_DRIVER_ENTRY_H
#define WG_DRIVER_ENTRY_H
#define WG_EXPORT __attribute__((visibility("default")))
#pragma GCC visibility push(default)
#include <cuda.h>
#include <stdbool.h>
#include <stdint.h>
typedef struct CUexecAffinityParam_st CUexecAffinityParam;

CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device);
CUresult cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *affinity, int count, unsigned int flags,
                        CUdevice device);

/* For libcudart.so.13 alone. */

/* One message on stderr, in one write: "warpglass: " and the text, which ends without a newline. */
void wg_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* For functions that are not there yet: says so once for each name. */
CUresult wg_not_supported(const char *function);
/* Which default stream the calling thread's stream 0 means: the entry points that end in _ptsz and _ptds
 * switch it for the time of a call. Gives what it was. */
bool wg_default_stream_per_thread(bool on);
/* A library from what __cudaRegisterFatBinary was given; loaded on first use. */
CUresult wg_library_register(const void *wrapper, CUlibrary *out);
/* A library of several files' device code, which is linked on first use: empty; and one more file for it:
 * gives its number, from 1, or 0 when it is too late. */
CUlibrary wg_library_joined(void);
unsigned wg_library_join(CUlibrary library, const void *wrapper);
/* The library's variable `name` shall lie at `at`, in the program's own memory; before the first use. */
void wg_library_host(CUlibrary library, const char *name, unsigned unit, void *at, size_t bytes);
/* The handle of a kernel that the library may or may not have: what it is worth shows when it is used.
 * `unit`: the file that says so, of a joined library; else 0. */
CUkernel wg_library_kernel(CUlibrary library, const char *name, unsigned unit);
CUresult wg_library_variable(CUlibrary library, const char *name, unsigned unit, CUdeviceptr *pointer,
                             size_t *bytes);
/* calls.c: a call of either API, from begin to end, for traces and checks. `from`: where the program goes on.
 */
struct wg_call {
    bool wanted; /* somebody wants to know */
    uint64_t began;
};
struct wg_call wg_call_begin(const char *name, const void *from);
/* The call is a <<<>>>: what it gives, only the last error tells. */
void wg_call_has_no_result(void);
#define WG_CALL_BEGIN() wg_call_begin(__func__, __builtin_return_address(0))
/* The program asked for the thread's last error (CUDA_SUCCESS), or for the name or meaning of `r`. */
void wg_call_error_seen(CUresult r);
void wg_call_end(const struct wg_call *call, const char *name, CUresult r);
/* Makes the primary context current when the calling thread has none. */
CUresult wg_use_primary(void);
/* Keeps the device's primary context open, as the runtime does; and makes it the calling thread's current one. */
CUresult wg_hold_primary(CUdevice device);
CUresult wg_choose_device(CUdevice device);
/* The device of the thread's current context; 0: there is none. */
CUdevice wg_chosen_device(void);
/* Is it what a kernel did before, and not this call? It has been told, and every later call gives it again.
 */
static inline bool wg_is_handed_on(CUresult r) {
    return r >= CUDA_ERROR_ILLEGAL_ADDRESS && r < CUDA_ERROR_NOT_PERMITTED &&
           r != CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES && r != CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
}
/* What the calling thread's last failed launch is about, for a person, since it was cleared; "" when there is
 * no more to say than the code does. */
const char *wg_launch_detail(void);
void wg_launch_detail_clear(void);
/* Has this failure to launch the kernel been told? It counts as told from now on. */
bool wg_told_before(const char *kernel, CUresult code);
#pragma GCC visibility pop
#endif
