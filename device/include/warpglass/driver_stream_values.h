/* driver_stream_values.h: values in memory that streams write and wait for: cuStreamWaitValue32 and its like. Part of cuda.h. */
#ifndef WARPGLASS_DRIVER_STREAM_VALUES_H
#define WARPGLASS_DRIVER_STREAM_VALUES_H

/* clang-format off */
typedef enum CUstreamWaitValue_flags_enum {
    CU_STREAM_WAIT_VALUE_GEQ = 0,            CU_STREAM_WAIT_VALUE_EQ = 1,
    CU_STREAM_WAIT_VALUE_AND = 2,            CU_STREAM_WAIT_VALUE_NOR = 3,
    CU_STREAM_WAIT_VALUE_FLUSH = 0x40000000,
} CUstreamWaitValue_flags;
typedef enum CUstreamWriteValue_flags_enum {
    CU_STREAM_WRITE_VALUE_DEFAULT = 0,           CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER = 1,
} CUstreamWriteValue_flags;
typedef enum CUstreamBatchMemOpType_enum {
    CU_STREAM_MEM_OP_WAIT_VALUE_32 = 1,       CU_STREAM_MEM_OP_WRITE_VALUE_32 = 2,
    CU_STREAM_MEM_OP_WAIT_VALUE_64 = 4,       CU_STREAM_MEM_OP_WRITE_VALUE_64 = 5,
    CU_STREAM_MEM_OP_BARRIER = 6,             CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES = 3,
} CUstreamBatchMemOpType;
typedef enum CUstreamMemoryBarrier_flags_enum {
    CU_STREAM_MEMORY_BARRIER_TYPE_SYS = 0, CU_STREAM_MEMORY_BARRIER_TYPE_GPU = 1,
} CUstreamMemoryBarrier_flags;
/* clang-format on */
#define cuStreamBatchMemOp   cuStreamBatchMemOp_v2
#define cuStreamWaitValue32  cuStreamWaitValue32_v2
#define cuStreamWaitValue64  cuStreamWaitValue64_v2
#define cuStreamWriteValue32 cuStreamWriteValue32_v2
#define cuStreamWriteValue64 cuStreamWriteValue64_v2

typedef union CUstreamBatchMemOpParams_union {
    CUstreamBatchMemOpType operation;
    struct CUstreamMemOpWaitValueParams_st {
        CUstreamBatchMemOpType operation;
        CUdeviceptr address;
        union {
            cuuint32_t value;
            cuuint64_t value64;
        };
        unsigned int flags;
        CUdeviceptr alias;
    } waitValue;
    struct CUstreamMemOpWriteValueParams_st {
        CUstreamBatchMemOpType operation;
        CUdeviceptr address;
        union {
            cuuint32_t value;
            cuuint64_t value64;
        };
        unsigned int flags;
        CUdeviceptr alias;
    } writeValue;
    struct CUstreamMemOpFlushRemoteWritesParams_st {
        CUstreamBatchMemOpType operation;
        unsigned int flags;
    } flushRemoteWrites;
    struct CUstreamMemOpMemoryBarrierParams_st {
        CUstreamBatchMemOpType operation;
        unsigned int flags;
    } memoryBarrier;
    cuuint64_t pad[6];
} CUstreamBatchMemOpParams_v1;
typedef CUstreamBatchMemOpParams_v1 CUstreamBatchMemOpParams;
CUresult cuStreamWaitValue32_v2(CUstream __stream, CUdeviceptr __addr, cuuint32_t __value,
                                unsigned int __flags);
CUresult cuStreamWaitValue64_v2(CUstream __stream, CUdeviceptr __addr, cuuint64_t __value,
                                unsigned int __flags);
CUresult cuStreamWriteValue32_v2(CUstream __stream, CUdeviceptr __addr, cuuint32_t __value,
                                 unsigned int __flags);
CUresult cuStreamWriteValue64_v2(CUstream __stream, CUdeviceptr __addr, cuuint64_t __value,
                                 unsigned int __flags);
CUresult cuStreamBatchMemOp_v2(CUstream __stream, unsigned int __count,
                               CUstreamBatchMemOpParams *__param_array, unsigned int __flags);

#endif
