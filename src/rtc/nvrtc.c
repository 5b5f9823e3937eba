/* The functions of NVRTC but for the compilation itself: see rtc_program.h. Statuses are those of NVRTC 13.0. */
#include "model/chip.h"
#include "rtc/rtc_program.h"

#include <stdlib.h>
#include <string.h>

enum { OLDEST = 75, MAJOR = 13, MINOR = 0 }; /* the machines of CUDA 13 */

#pragma GCC visibility push(default)

const char *nvrtcGetErrorString(nvrtcResult result) {
    static const char *const names[] = {
        "NVRTC_SUCCESS",
        "NVRTC_ERROR_OUT_OF_MEMORY",
        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
        "NVRTC_ERROR_INVALID_INPUT",
        "NVRTC_ERROR_INVALID_PROGRAM",
        "NVRTC_ERROR_INVALID_OPTION",
        "NVRTC_ERROR_COMPILATION",
        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
        "NVRTC_ERROR_INTERNAL_ERROR",
        "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
        "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
        "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
        "NVRTC_ERROR_PCH_CREATE",
        "NVRTC_ERROR_CANCELLED",
        "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED",
    };
    return (unsigned)result < sizeof names / sizeof *names ? names[result] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
    if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
    *major = MAJOR;
    *minor = MINOR;
    return NVRTC_SUCCESS;
}

/* The compute capabilities modelled, ascending; `archs` may be NULL. */
static int list_archs(int *archs) {
    size_t n;
    const struct wg_chip *chips = wg_chip_list(&n);
    int count = 0, last = 0;
    for (;;) {
        int next = 0;
        for (size_t i = 0; i < n; i++) {
            int cc = chips[i].limits->cc;
            if (cc >= OLDEST && cc > last && (!next || cc < next)) next = cc;
        }
        if (!next) return count;
        if (archs) archs[count] = next;
        count++;
        last = next;
    }
}
nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
    if (!count) return NVRTC_ERROR_INVALID_INPUT;
    *count = list_archs(NULL);
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int *archs) {
    if (!archs) return NVRTC_ERROR_INVALID_INPUT;
    list_archs(archs);
    return NVRTC_SUCCESS;
}

/* ---- Programs -------------------------------------------------------------------------------------------
 */

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int header_count,
                               const char *const *headers, const char *const *include_names) {
    if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!source || header_count < 0 || (header_count && (!headers || !include_names)))
        return NVRTC_ERROR_INVALID_INPUT;
    for (int i = 0; i < header_count; i++)
        if (!headers[i] || !include_names[i]) return NVRTC_ERROR_INVALID_INPUT;
    nvrtcProgram p = wg_xcalloc(1, sizeof *p);
    p->source = wg_xstrdup(source);
    p->name = wg_xstrdup(name && *name ? name : "default_program");
    for (int i = 0; i < header_count; i++)
        *WG_PUSH(&p->headers) = (struct wg_rtc_header){wg_xstrdup(include_names[i]), wg_xstrdup(headers[i])};
    *program = p;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
    if (!program || !*program) return NVRTC_ERROR_INVALID_PROGRAM;
    nvrtcProgram p = *program;
    for (uint32_t i = 0; i < p->headers.n; i++) free(p->headers.v[i].name), free(p->headers.v[i].text);
    for (uint32_t i = 0; i < p->names.n; i++) free(p->names.v[i].expression), free(p->names.v[i].mangled);
    free(p->headers.v);
    free(p->names.v);
    free(p->source);
    free(p->name);
    wg_strbuf_free(&p->ptx);
    wg_strbuf_free(&p->cubin);
    wg_strbuf_free(&p->log);
    free(p);
    *program = NULL;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram p, const char *expression) {
    if (!p) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression) return NVRTC_ERROR_INVALID_INPUT;
    if (p->tried) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    for (uint32_t i = 0; i < p->names.n; i++)
        if (!strcmp(p->names.v[i].expression, expression)) return NVRTC_SUCCESS;
    *WG_PUSH(&p->names) = (struct wg_rtc_name){.expression = wg_xstrdup(expression)};
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram p, const char *expression, const char **name) {
    if (!p) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression || !name) return NVRTC_ERROR_INVALID_INPUT;
    if (!p->good) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (uint32_t i = 0; i < p->names.n; i++)
        if (!strcmp(p->names.v[i].expression, expression)) {
            *name = p->names.v[i].mangled;
            return NVRTC_SUCCESS;
        }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int option_count, const char *const *options) {
    if (!p) return NVRTC_ERROR_INVALID_PROGRAM;
    if (option_count < 0 || (option_count && !options)) return NVRTC_ERROR_INVALID_INPUT;
    for (int i = 0; i < option_count; i++)
        if (!options[i]) return NVRTC_ERROR_INVALID_INPUT;
    p->good = false;
    p->ptx.n = p->cubin.n = p->log.n = 0;
    if (p->callback && p->callback(p->payload, NULL)) return NVRTC_ERROR_CANCELLED;
    nvrtcResult result = wg_rtc_compile(p, option_count, options);
    p->good = result == NVRTC_SUCCESS;
    return result;
}

/* ---- What came of it ------------------------------------------------------------------------------------
 */

/* Texts are given with a zero byte at their end, which counts; an empty one is that byte alone. */
static nvrtcResult size_of(nvrtcProgram p, size_t bytes, size_t *size) {
    if (!p) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!size) return NVRTC_ERROR_INVALID_INPUT;
    *size = bytes;
    return NVRTC_SUCCESS;
}
static nvrtcResult copy_out(nvrtcProgram p, const struct wg_strbuf *from, bool text, char *to) {
    if (!p) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!to) return NVRTC_ERROR_INVALID_INPUT;
    if (from->n) memcpy(to, from->s, from->n);
    if (text) to[from->n] = 0;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t *size) { return size_of(p, p ? p->ptx.n + 1 : 0, size); }
nvrtcResult nvrtcGetPTX(nvrtcProgram p, char *ptx) { return copy_out(p, p ? &p->ptx : NULL, true, ptx); }
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *size) {
    return size_of(p, p ? p->log.n + 1 : 0, size);
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *log) {
    return copy_out(p, p ? &p->log : NULL, true, log);
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *size) { return size_of(p, p ? p->cubin.n : 0, size); }
nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *cubin) {
    return copy_out(p, p ? &p->cubin : NULL, false, cubin);
}

/* No code for NVIDIA's linker or OptiX is ever made: the options that ask for it are refused. */
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram p, size_t *size) { return size_of(p, 0, size); }
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram p, size_t *size) { return size_of(p, 0, size); }
static nvrtcResult nothing(nvrtcProgram p, const char *to) {
    return !p ? NVRTC_ERROR_INVALID_PROGRAM : !to ? NVRTC_ERROR_INVALID_INPUT : NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetLTOIR(nvrtcProgram p, char *ir) { return nothing(p, ir); }
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram p, char *ir) { return nothing(p, ir); }

/* ---- Precompiled headers, which the compiler keeps by itself; and being cancelled -------------------------
 */

nvrtcResult nvrtcGetPCHHeapSize(size_t *size) {
    if (!size) return NVRTC_ERROR_INVALID_INPUT;
    *size = 0;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcSetPCHHeapSize(size_t size) {
    (void)size;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram p) {
    return p ? NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED : NVRTC_ERROR_INVALID_PROGRAM;
}
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram p, size_t *size) { return size_of(p, 0, size); }

/* It is asked once, before the compiler starts. */
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram p, int (*callback)(void *, void *), void *payload) {
    if (!p) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!callback) return NVRTC_ERROR_INVALID_INPUT;
    p->callback = callback;
    p->payload = payload;
    return NVRTC_SUCCESS;
}
