/* cuGetProcAddress: entry points by name and version. cuGetExportTable: what NVIDIA's libraries ask for besides. */
#include "driver/driver.h"
#include "driver/entry_points.h"
#include <dlfcn.h>
#include <string.h>

CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *result) {
    struct wg_entry_point e;
    bool known;
    if (!name || !function || flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
        return CUDA_ERROR_INVALID_VALUE;
    bool found =
        wg_entry_find(name, version, flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &e, &known);
    *function = found ? e.address : NULL;
    CUdriverProcAddressQueryResult why = found   ? CU_GET_PROC_ADDRESS_SUCCESS
                                         : known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                                 : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    if (result) *result = why;
    return CUDA_SUCCESS;
}

/* Tables of NVIDIA's driver that nothing documents. Its runtime asks for them, which its libraries have within them, so
 * none of those can work here: the message names the one that asks. */
CUresult cuGetExportTable(const void **table, const CUuuid *id) {
    Dl_info caller;
    if (!table || !id) return CUDA_ERROR_INVALID_VALUE;
    *table = NULL;
    bool known = dladdr(__builtin_return_address(0), &caller) && caller.dli_fname;
    const char *slash = known ? strrchr(caller.dli_fname, '/') : NULL;
    const char *library = slash ? slash + 1 : known ? caller.dli_fname : "a library";
    if (!wg_told_before(library, CUDA_ERROR_NOT_SUPPORTED))
        wg_say("%s is made for NVIDIA's driver, whose private tables it asks for (cuGetExportTable), and "
               "does not work "
               "with Warpglass. Of NVIDIA's libraries Warpglass has its own cuBLAS only",
               library);
    return CUDA_ERROR_NOT_SUPPORTED;
}
