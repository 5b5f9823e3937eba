/* nvrtc.h: NVRTC, the compiler as a library: CUDA source to PTX while the program runs.
 *
 * Declared here, defined by our libnvrtc.so.13 (rtc/), which starts Warpglass's compiler. See docs/nvrtc.md.
 */
#ifndef WARPGLASS_NVRTC_H
#define WARPGLASS_NVRTC_H
#define __NVRTC_H__

#include <stddef.h>
#if defined(__cplusplus)
extern "C" {
#endif

typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
    NVRTC_ERROR_INTERNAL_ERROR = 11,
    NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
    NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
    NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
    NVRTC_ERROR_PCH_CREATE = 15,
    NVRTC_ERROR_CANCELLED = 16,
    NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;
typedef struct _nvrtcProgram *nvrtcProgram;

const char *nvrtcGetErrorString(nvrtcResult __result);
nvrtcResult nvrtcVersion(int *__major, int *__minor);
nvrtcResult nvrtcGetNumSupportedArchs(int *__count);
nvrtcResult nvrtcGetSupportedArchs(int *__archs);
nvrtcResult nvrtcCreateProgram(nvrtcProgram *__program, const char *__source, const char *__name,
                               int __header_count, const char *const *__headers,
                               const char *const *__include_names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *__program);
nvrtcResult nvrtcCompileProgram(nvrtcProgram __program, int __option_count, const char *const *__options);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram __program, size_t *__size);
nvrtcResult nvrtcGetPTX(nvrtcProgram __program, char *__ptx);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram __program, size_t *__size);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram __program, char *__cubin);
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram __program, size_t *__size);
nvrtcResult nvrtcGetLTOIR(nvrtcProgram __program, char *__ir);
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram __program, size_t *__size);
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram __program, char *__ir);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram __program, size_t *__size);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram __program, char *__log);
nvrtcResult nvrtcAddNameExpression(nvrtcProgram __program, const char *__expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram __program, const char *__expression, const char **__name);
nvrtcResult nvrtcGetPCHHeapSize(size_t *__size);
nvrtcResult nvrtcSetPCHHeapSize(size_t __size);
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram __program);
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram __program, size_t *__size);
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram __program, int (*__callback)(void *, void *), void *__payload);

#if defined(__cplusplus)
}
#endif

/* The name of a type as nvrtcAddNameExpression takes it, for those who ask for it with this macro. */
#if defined(__cplusplus) && defined(NVRTC_GET_TYPE_NAME) && NVRTC_GET_TYPE_NAME
#include <cxxabi.h>
#include <stdlib.h>
#include <string>
#include <typeinfo>
inline nvrtcResult nvrtcGetTypeName(const std::type_info &__type, std::string *__result) {
    int __status;
    char *__name = abi::__cxa_demangle(__type.name(), 0, 0, &__status);
    if (__status == 0) *__result = __name;
    free(__name);
    return __status == 0 ? NVRTC_SUCCESS : NVRTC_ERROR_INTERNAL_ERROR;
}
/* Inside another type, because typeid drops references and const at the top. */
template <typename __T> struct __nvrtcGetTypeName_helper_t {};
template <typename __T> nvrtcResult nvrtcGetTypeName(std::string *__result) {
    nvrtcResult __status = nvrtcGetTypeName(typeid(__nvrtcGetTypeName_helper_t<__T>), __result);
    if (__status != NVRTC_SUCCESS) return __status;
    std::size_t __first = __result->find('<'), __last = __result->rfind('>');
    if (__first == std::string::npos || __last == std::string::npos) return NVRTC_ERROR_INTERNAL_ERROR;
    *__result = __result->substr(__first + 1, __last - __first - 1);
    return NVRTC_SUCCESS;
}
#endif
#endif
