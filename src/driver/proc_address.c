/* cuGetProcAddress: entry points by name and version. */
#include "driver/driver.h"
#include "driver/entry_points.h"

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
