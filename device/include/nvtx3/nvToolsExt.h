/* nvToolsExt.h: ranges and marks for a timeline profiler. Nobody listens, so they do nothing. */
#ifndef WARPGLASS_NVTX_H
#define WARPGLASS_NVTX_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version; /* NVTX_VERSION */
    uint16_t size;    /* of this structure */
    uint32_t category;
    int32_t colorType; /* nvtxColorType_t, and so on */
    uint32_t color;
    int32_t payloadType;
    int32_t reserved0;
    union payload_t {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef struct nvtxEventAttributes_v2 nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

static inline void nvtxInitialize(const void *__reserved) { (void)__reserved; }

static inline void nvtxMarkEx(const nvtxEventAttributes_t *__event) { (void)__event; }
static inline void nvtxMarkA(const char *__message) { (void)__message; }
static inline void nvtxMarkW(const wchar_t *__message) { (void)__message; }
static inline int nvtxRangePushEx(const nvtxEventAttributes_t *__event) { return (void)__event, 0; }
static inline int nvtxRangePushA(const char *__message) { return (void)__message, 0; }
static inline int nvtxRangePushW(const wchar_t *__message) { return (void)__message, 0; }
static inline int nvtxRangePop(void) { return 0; }
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *__event) {
    return (void)__event, 0;
}
static inline nvtxRangeId_t nvtxRangeStartA(const char *__message) { return (void)__message, 0; }
static inline nvtxRangeId_t nvtxRangeStartW(const wchar_t *__message) { return (void)__message, 0; }
static inline void nvtxRangeEnd(nvtxRangeId_t __id) { (void)__id; }
static inline void nvtxNameCategoryA(uint32_t __category, const char *__name) {
    (void)__category, (void)__name;
}
static inline void nvtxNameCategoryW(uint32_t __category, const wchar_t *__name) {
    (void)__category, (void)__name;
}
static inline void nvtxNameOsThreadA(uint32_t __thr, const char *__name) { (void)__thr, (void)__name; }
static inline void nvtxNameOsThreadW(uint32_t __thr, const wchar_t *__name) { (void)__thr, (void)__name; }

/* The same in a domain of a library's own. */
static inline nvtxDomainHandle_t nvtxDomainCreateA(const char *__name) {
    (void)__name;
    return NULL;
}
static inline nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *__name) {
    (void)__name;
    return NULL;
}
static inline void nvtxDomainDestroy(nvtxDomainHandle_t __domain) { (void)__domain; }
static inline nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t __domain, const char *__text) {
    (void)__domain, (void)__text;
    return NULL;
}
static inline nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t __domain,
                                                           const wchar_t *__text) {
    (void)__domain, (void)__text;
    return NULL;
}
static inline void nvtxDomainMarkEx(nvtxDomainHandle_t __domain, const nvtxEventAttributes_t *__event) {
    (void)__domain, (void)__event;
}
static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t __domain, const nvtxEventAttributes_t *__event) {
    return (void)__domain, (void)__event, 0;
}
static inline int nvtxDomainRangePop(nvtxDomainHandle_t __domain) { return (void)__domain, 0; }
static inline nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t __domain,
                                                   const nvtxEventAttributes_t *__event) {
    return (void)__domain, (void)__event, 0;
}
static inline void nvtxDomainRangeEnd(nvtxDomainHandle_t __domain, nvtxRangeId_t __id) {
    (void)__domain, (void)__id;
}
static inline void nvtxDomainNameCategoryA(nvtxDomainHandle_t __domain, uint32_t __category,
                                           const char *__name) {
    (void)__domain, (void)__category, (void)__name;
}
static inline void nvtxDomainNameCategoryW(nvtxDomainHandle_t __domain, uint32_t __category,
                                           const wchar_t *__name) {
    (void)__domain, (void)__category, (void)__name;
}

#define nvtxMark                 nvtxMarkA
#define nvtxRangePush            nvtxRangePushA
#define nvtxRangeStart           nvtxRangeStartA
#define nvtxNameCategory         nvtxNameCategoryA
#define nvtxNameOsThread         nvtxNameOsThreadA
#define nvtxDomainCreate         nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory   nvtxDomainNameCategoryA

#endif
