/* nvToolsExt.h: ranges and marks for a profiler. "warpglass profile --nvtx RANGE" listens; where nobody does, they do
 * nothing. */
#ifndef WARPGLASS_NVTX_H
#define WARPGLASS_NVTX_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

#define NVTX_VERSION              3
#define NVTX_NO_PUSH_POP_TRACKING (-2) /* nobody listens */

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

/* A tool is a library with a function InitializeInjectionNvtx2, which puts functions of its own into these tables: one
 * that is loaded already, as Warpglass's libcuda.so.1 is, or the one that NVTX_INJECTION64_PATH names. */
typedef void (*__nvtxFunction)(void);
enum { __NVTX_FUNCTIONS = 16 };
struct __nvtxTables {
    int __ready;
    __nvtxFunction __function[2][__NVTX_FUNCTIONS]; /* modules 1 and 5, by number */
    __nvtxFunction *__entry[2][__NVTX_FUNCTIONS];
};
static struct __nvtxTables __nvtxTables;

static inline int __nvtxTable(uint32_t __module, __nvtxFunction ***__out, unsigned *__size) {
    if (__module != 1 && __module != 5) return 0;
    *__out = __nvtxTables.__entry[__module == 5];
    if (__size) *__size = __NVTX_FUNCTIONS;
    return 1;
}
static inline const void *__nvtxExportTable(uint32_t __id) {
    static struct {
        size_t __size;
        int (*__table)(uint32_t, __nvtxFunction ***, unsigned *);
    } __callbacks = {sizeof __callbacks, __nvtxTable};
    return __id == 1 ? &__callbacks : NULL;
}
static inline void __nvtxFindTool(void) {
    typedef int (*__initialize)(const void *(*)(uint32_t));
    static const char __name[] = "InitializeInjectionNvtx2";
    void *__found = dlsym(NULL, __name);
    for (int __m = 0; __m < 2; __m++)
        for (int __i = 0; __i < __NVTX_FUNCTIONS; __i++)
            __nvtxTables.__entry[__m][__i] = &__nvtxTables.__function[__m][__i];
    if (!__found && getenv("NVTX_INJECTION64_PATH")) {
        void *__library = dlopen(getenv("NVTX_INJECTION64_PATH"), RTLD_LAZY);
        if (__library) __found = dlsym(__library, __name);
    }
    union {
        void *__object;
        __initialize __call;
    } __tool = {__found};
    if (__found) __tool.__call(__nvtxExportTable);
    __atomic_store_n(&__nvtxTables.__ready, 1, __ATOMIC_RELEASE);
}
/* The tool's function, or NULL: nobody listens. Two threads that come first find the same. */
static inline __nvtxFunction __nvtxFind(int __core2, int __number) {
    if (!__atomic_load_n(&__nvtxTables.__ready, __ATOMIC_ACQUIRE)) __nvtxFindTool();
    return __nvtxTables.__function[__core2][__number];
}

static inline void nvtxInitialize(const void *__reserved) {
    __nvtxFunction __tool = __nvtxFind(1, 15);
    if (__tool) ((void (*)(const void *))__tool)(__reserved);
}
static inline void nvtxMarkEx(const nvtxEventAttributes_t *__event) {
    __nvtxFunction __tool = __nvtxFind(0, 1);
    if (__tool) ((void (*)(const nvtxEventAttributes_t *))__tool)(__event);
}
static inline void nvtxMarkA(const char *__message) {
    __nvtxFunction __tool = __nvtxFind(0, 2);
    if (__tool) ((void (*)(const char *))__tool)(__message);
}
static inline void nvtxMarkW(const wchar_t *__message) {
    __nvtxFunction __tool = __nvtxFind(0, 3);
    if (__tool) ((void (*)(const wchar_t *))__tool)(__message);
}
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *__event) {
    __nvtxFunction __tool = __nvtxFind(0, 4);
    return __tool ? ((nvtxRangeId_t(*)(const nvtxEventAttributes_t *))__tool)(__event) : 0;
}
static inline nvtxRangeId_t nvtxRangeStartA(const char *__message) {
    __nvtxFunction __tool = __nvtxFind(0, 5);
    return __tool ? ((nvtxRangeId_t(*)(const char *))__tool)(__message) : 0;
}
static inline nvtxRangeId_t nvtxRangeStartW(const wchar_t *__message) {
    __nvtxFunction __tool = __nvtxFind(0, 6);
    return __tool ? ((nvtxRangeId_t(*)(const wchar_t *))__tool)(__message) : 0;
}
static inline void nvtxRangeEnd(nvtxRangeId_t __id) {
    __nvtxFunction __tool = __nvtxFind(0, 7);
    if (__tool) ((void (*)(nvtxRangeId_t))__tool)(__id);
}
static inline int nvtxRangePushEx(const nvtxEventAttributes_t *__event) {
    __nvtxFunction __tool = __nvtxFind(0, 8);
    return __tool ? ((int (*)(const nvtxEventAttributes_t *))__tool)(__event) : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxRangePushA(const char *__message) {
    __nvtxFunction __tool = __nvtxFind(0, 9);
    return __tool ? ((int (*)(const char *))__tool)(__message) : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxRangePushW(const wchar_t *__message) {
    __nvtxFunction __tool = __nvtxFind(0, 10);
    return __tool ? ((int (*)(const wchar_t *))__tool)(__message) : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxRangePop(void) {
    __nvtxFunction __tool = __nvtxFind(0, 11);
    return __tool ? ((int (*)(void))__tool)() : NVTX_NO_PUSH_POP_TRACKING;
}
static inline void nvtxNameCategoryA(uint32_t __category, const char *__name) {
    __nvtxFunction __tool = __nvtxFind(0, 12);
    if (__tool) ((void (*)(uint32_t, const char *))__tool)(__category, __name);
}
static inline void nvtxNameCategoryW(uint32_t __category, const wchar_t *__name) {
    __nvtxFunction __tool = __nvtxFind(0, 13);
    if (__tool) ((void (*)(uint32_t, const wchar_t *))__tool)(__category, __name);
}
static inline void nvtxNameOsThreadA(uint32_t __thr, const char *__name) {
    __nvtxFunction __tool = __nvtxFind(0, 14);
    if (__tool) ((void (*)(uint32_t, const char *))__tool)(__thr, __name);
}
static inline void nvtxNameOsThreadW(uint32_t __thr, const wchar_t *__name) {
    __nvtxFunction __tool = __nvtxFind(0, 15);
    if (__tool) ((void (*)(uint32_t, const wchar_t *))__tool)(__thr, __name);
}
/* The same in a domain of a library's own. */
static inline void nvtxDomainMarkEx(nvtxDomainHandle_t __domain, const nvtxEventAttributes_t *__event) {
    __nvtxFunction __tool = __nvtxFind(1, 1);
    if (__tool) ((void (*)(nvtxDomainHandle_t, const nvtxEventAttributes_t *))__tool)(__domain, __event);
}
static inline nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t __domain,
                                                   const nvtxEventAttributes_t *__event) {
    __nvtxFunction __tool = __nvtxFind(1, 2);
    return __tool ? ((nvtxRangeId_t(*)(nvtxDomainHandle_t, const nvtxEventAttributes_t *))__tool)(__domain,
                                                                                                  __event)
                  : 0;
}
static inline void nvtxDomainRangeEnd(nvtxDomainHandle_t __domain, nvtxRangeId_t __id) {
    __nvtxFunction __tool = __nvtxFind(1, 3);
    if (__tool) ((void (*)(nvtxDomainHandle_t, nvtxRangeId_t))__tool)(__domain, __id);
}
static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t __domain, const nvtxEventAttributes_t *__event) {
    __nvtxFunction __tool = __nvtxFind(1, 4);
    return __tool ? ((int (*)(nvtxDomainHandle_t, const nvtxEventAttributes_t *))__tool)(__domain, __event)
                  : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxDomainRangePop(nvtxDomainHandle_t __domain) {
    __nvtxFunction __tool = __nvtxFind(1, 5);
    return __tool ? ((int (*)(nvtxDomainHandle_t))__tool)(__domain) : NVTX_NO_PUSH_POP_TRACKING;
}
static inline void nvtxDomainNameCategoryA(nvtxDomainHandle_t __domain, uint32_t __category,
                                           const char *__name) {
    __nvtxFunction __tool = __nvtxFind(1, 8);
    if (__tool) ((void (*)(nvtxDomainHandle_t, uint32_t, const char *))__tool)(__domain, __category, __name);
}
static inline void nvtxDomainNameCategoryW(nvtxDomainHandle_t __domain, uint32_t __category,
                                           const wchar_t *__name) {
    __nvtxFunction __tool = __nvtxFind(1, 9);
    if (__tool)
        ((void (*)(nvtxDomainHandle_t, uint32_t, const wchar_t *))__tool)(__domain, __category, __name);
}
static inline nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t __domain, const char *__text) {
    __nvtxFunction __tool = __nvtxFind(1, 10);
    return __tool ? ((nvtxStringHandle_t(*)(nvtxDomainHandle_t, const char *))__tool)(__domain, __text) : 0;
}
static inline nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t __domain,
                                                           const wchar_t *__text) {
    __nvtxFunction __tool = __nvtxFind(1, 11);
    return __tool ? ((nvtxStringHandle_t(*)(nvtxDomainHandle_t, const wchar_t *))__tool)(__domain, __text)
                  : 0;
}
static inline nvtxDomainHandle_t nvtxDomainCreateA(const char *__name) {
    __nvtxFunction __tool = __nvtxFind(1, 12);
    return __tool ? ((nvtxDomainHandle_t(*)(const char *))__tool)(__name) : 0;
}
static inline nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *__name) {
    __nvtxFunction __tool = __nvtxFind(1, 13);
    return __tool ? ((nvtxDomainHandle_t(*)(const wchar_t *))__tool)(__name) : 0;
}
static inline void nvtxDomainDestroy(nvtxDomainHandle_t __domain) {
    __nvtxFunction __tool = __nvtxFind(1, 14);
    if (__tool) ((void (*)(nvtxDomainHandle_t))__tool)(__domain);
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
