/* driver_memory.h: memory and events of other processes; addresses that a program reserves, and memory that it maps to
 * them.
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

/* Pools of other processes. */
typedef struct CUmemPoolPtrExportData_st {
    unsigned char reserved[64];
} CUmemPoolPtrExportData;
typedef CUmemPoolPtrExportData CUmemPoolPtrExportData_v1;
CUresult cuMemPoolExportToShareableHandle(void *__handle, CUmemoryPool __pool,
                                          CUmemAllocationHandleType __type, unsigned long long __flags);
CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *__pool, void *__handle,
                                            CUmemAllocationHandleType __type, unsigned long long __flags);
CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *__data, CUdeviceptr __pointer);
CUresult cuMemPoolImportPointer(CUdeviceptr *__pointer, CUmemoryPool __pool, CUmemPoolPtrExportData *__data);

/* Addresses, and memory that is mapped to them. */
typedef unsigned long long CUmemGenericAllocationHandle;
typedef unsigned long long CUmemGenericAllocationHandle_v1;
typedef enum CUmemAllocationGranularity_flags_enum {
    CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
    CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
} CUmemAllocationGranularity_flags;
typedef enum CUmemAllocationCompType_enum {
    CU_MEM_ALLOCATION_COMP_NONE = 0,
    CU_MEM_ALLOCATION_COMP_GENERIC = 1
} CUmemAllocationCompType;
#define CU_MEM_CREATE_USAGE_TILE_POOL 0x1
typedef struct CUmemAllocationProp_st {
    CUmemAllocationType type;
    CUmemAllocationHandleType requestedHandleTypes;
    CUmemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType;
        unsigned char gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
} CUmemAllocationProp;
typedef CUmemAllocationProp CUmemAllocationProp_v1;
typedef CUmemAccessDesc CUmemAccessDesc_v1;
typedef CUmemLocation CUmemLocation_v1;

CUresult cuMemAddressReserve(CUdeviceptr *__pointer, size_t __size, size_t __alignment, CUdeviceptr __address,
                             unsigned long long __flags);
CUresult cuMemAddressFree(CUdeviceptr __pointer, size_t __size);
CUresult cuMemCreate(CUmemGenericAllocationHandle *__handle, size_t __size,
                     const CUmemAllocationProp *__properties, unsigned long long __flags);
CUresult cuMemRelease(CUmemGenericAllocationHandle __handle);
CUresult cuMemMap(CUdeviceptr __pointer, size_t __size, size_t __offset,
                  CUmemGenericAllocationHandle __handle, unsigned long long __flags);
CUresult cuMemUnmap(CUdeviceptr __pointer, size_t __size);
CUresult cuMemSetAccess(CUdeviceptr __pointer, size_t __size, const CUmemAccessDesc *__access,
                        size_t __count);
CUresult cuMemGetAccess(unsigned long long *__flags, const CUmemLocation *__location, CUdeviceptr __pointer);
CUresult cuMemExportToShareableHandle(void *__shareable, CUmemGenericAllocationHandle __handle,
                                      CUmemAllocationHandleType __type, unsigned long long __flags);
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *__handle, void *__shareable,
                                        CUmemAllocationHandleType __type);
CUresult cuMemGetAllocationGranularity(size_t *__granularity, const CUmemAllocationProp *__properties,
                                       CUmemAllocationGranularity_flags __option);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *__properties,
                                                CUmemGenericAllocationHandle __handle);
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *__handle, void *__address);

/* Multicast objects: CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED is 0, and all of this is not supported, by name. */
typedef enum CUmulticastGranularity_flags_enum {
    CU_MULTICAST_GRANULARITY_MINIMUM = 0,
    CU_MULTICAST_GRANULARITY_RECOMMENDED = 1
} CUmulticastGranularity_flags;
typedef struct CUmulticastObjectProp_st {
    unsigned int numDevices;
    size_t size;
    unsigned long long handleTypes;
    unsigned long long flags;
} CUmulticastObjectProp;
typedef CUmulticastObjectProp CUmulticastObjectProp_v1;
CUresult cuMulticastCreate(CUmemGenericAllocationHandle *__object, const CUmulticastObjectProp *__properties);
CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle __object, CUdevice __device);
CUresult cuMulticastBindMem(CUmemGenericAllocationHandle __object, size_t __at,
                            CUmemGenericAllocationHandle __memory, size_t __offset, size_t __size,
                            unsigned long long __flags);
CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle __object, size_t __at, CUdeviceptr __pointer,
                             size_t __size, unsigned long long __flags);
CUresult cuMulticastUnbind(CUmemGenericAllocationHandle __object, CUdevice __device, size_t __at,
                           size_t __size);
CUresult cuMulticastGetGranularity(size_t *__granularity, const CUmulticastObjectProp *__properties,
                                   CUmulticastGranularity_flags __option);

#endif
