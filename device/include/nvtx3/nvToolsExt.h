/* nvToolsExt.h: ranges and marks for a timeline profiler. Nobody listens, so they do nothing. */
#ifndef WARPGLASS_NVTX_H
#define WARPGLASS_NVTX_H

#include <stdint.h>

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;

static inline void nvtxMarkA(const char *message) { (void)message; }
static inline int nvtxRangePushA(const char *message) { return (void)message, 0; }
static inline int nvtxRangePop(void) { return 0; }
static inline nvtxRangeId_t nvtxRangeStartA(const char *message) { return (void)message, 0; }
static inline void nvtxRangeEnd(nvtxRangeId_t id) { (void)id; }
static inline void nvtxNameOsThreadA(uint32_t thread, const char *name) { (void)thread, (void)name; }
#define nvtxMark       nvtxMarkA
#define nvtxRangePush  nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA

#endif
