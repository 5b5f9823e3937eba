/* driver_memory.h: memory and events of other processes.
 *
 * Part of cuda.h.
 */
#ifndef WARPGLASS_DRIVER_MEMORY_H
#define WARPGLASS_DRIVER_MEMORY_H

#define CU_IPC_HANDLE_SIZE 64
typedef struct CUipcEventHandle_st {
    char reserved[CU_IPC_HANDLE_SIZE];
} CUipcEventHandle;
typedef struct CUipcMemHandle_st {
    char reserved[CU_IPC_HANDLE_SIZE];
} CUipcMemHandle;
typedef CUipcEventHandle CUipcEventHandle_v1;
typedef CUipcMemHandle CUipcMemHandle_v1;
typedef enum CUipcMem_flags_enum { CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 1 } CUipcMem_flags;

#define cuIpcOpenMemHandle cuIpcOpenMemHandle_v2
CUresult cuIpcGetEventHandle(CUipcEventHandle *__handle, CUevent __event);
CUresult cuIpcOpenEventHandle(CUevent *__event, CUipcEventHandle __handle);
CUresult cuIpcGetMemHandle(CUipcMemHandle *__handle, CUdeviceptr __pointer);
CUresult cuIpcOpenMemHandle(CUdeviceptr *__pointer, CUipcMemHandle __handle, unsigned int __flags);
CUresult cuIpcCloseMemHandle(CUdeviceptr __pointer);

#endif
