/* Findings from faults: what ended a kernel is a finding, whichever checks are on: a program that ignores the
 * error and exits normally would pass otherwise. What the checks themselves report, such as a deadlock, is
 * not reported twice.
 *
 *     launch ends --> fault_report.c: the record --> here --> check/finding.h: trap, assertion, stack-overflow, ...
 */
#include "machine/watch/check.h"

#include <stdlib.h>
#include <string.h>

struct meaning {
    enum wg_finding_kind kind;
    enum wg_check_id told_by; /* of kernel_failed: whose findings say it */
    const char *op;           /* what the report says of the place; NULL: the text of the record */
};

static struct meaning meaning_of(const struct wg_fault_record *r) {
    switch (r->kind) {
    case WG_FAULT_TRAP: return (struct meaning){WG_F_trap, WG_CHECK_kernel, "trap"};
    case WG_FAULT_ASSERT: return (struct meaning){WG_F_assertion, WG_CHECK_kernel, "assert"};
    case WG_FAULT_STACK: return (struct meaning){WG_F_stack_overflow, WG_CHECK_kernel, "call"};
    case WG_FAULT_CALL: return (struct meaning){WG_F_invalid_call, WG_CHECK_kernel, "call"};
    case WG_FAULT_UNSUPPORTED: return (struct meaning){WG_F_illegal_instruction, WG_CHECK_kernel, NULL};
    case WG_FAULT_TIMEOUT: return (struct meaning){WG_F_timeout, WG_CHECK_kernel, "it was still running"};
    case WG_FAULT_DEADLOCK:
    case WG_FAULT_BARRIER:
    case WG_FAULT_MBARRIER: return (struct meaning){WG_F_kernel_failed, WG_CHECK_barrier, NULL};
    default: return (struct meaning){WG_F_kernel_failed, WG_CHECK_memory, NULL};
    }
}

/* What the finding's title does not say. The record's message begins with a line of what and where, and says
 * by whom and how an address lies in others. */
static const char *detail_of(struct wg_arena *a, const struct wg_grid *g, const struct wg_fault_record *r) {
    switch (r->kind) {
    case WG_FAULT_TRAP: return NULL;
    case WG_FAULT_TIMEOUT:
        if (!r->block_known) return NULL;
        return wg_arena_printf(a, "Threads of block (%u,%u,%u) were there", r->block[0], r->block[1],
                               r->block[2]);
    case WG_FAULT_ASSERT: return wg_arena_printf(a, "Failed assertion: %s", g->fault_detail);
    case WG_FAULT_CALL:
        return "The pointer does not hold the address of a __device__ function. The host cannot take such an "
               "address: take it in a kernel, or store it in a __device__ variable";
    case WG_FAULT_STACK:
        return "Calls are nested deeper than a thread's stack allows; cudaDeviceSetLimit(cudaLimitStackSize, "
               "...) gives more, up to 512 KB";
    case WG_FAULT_UNSUPPORTED:
        return "Warpglass does not support this instruction yet; this says nothing about the program";
    case WG_FAULT_ADDRESS:
    case WG_FAULT_MISALIGNED:
        return wg_arena_printf(a, "%s%s%s",
                               r->kind == WG_FAULT_ADDRESS ? "Illegal address" : "Misaligned address",
                               r->nearest ? ": it is " : "", r->nearest ? r->nearest : "");
    default: return g->fault_detail ? wg_check_join_lines(a, g->fault_detail) : r->message;
    }
}

static struct wg_finding_place place_of(struct wg_arena *a, const struct wg_fault_record *r) {
    struct wg_frame *frames = WG_NEW_N(a, struct wg_frame, r->nplaces + 1);
    for (uint32_t i = 0; i < r->nplaces; i++)
        frames[i] =
            (struct wg_frame){r->places[i].file, r->places[i].line, r->places[i].col, r->places[i].function};
    struct wg_finding_place p = {
        .frames = frames, .nframes = r->nplaces, .op = r->operation, .has_thread = r->thread_known};
    memcpy(p.block, r->block, sizeof p.block);
    memcpy(p.thread, r->thread, sizeof p.thread);
    return p;
}

void wg_check_fault(const struct wg_grid *g, const struct wg_fault_record *r) {
    struct wg_arena a = {0};
    struct meaning m = meaning_of(r);
    if (m.kind == WG_F_kernel_failed &&
        wg_findings_has(g->dev->options.findings, wg_check_module_number(g->func), r->kernel, m.told_by))
        return;
    struct wg_finding f = {.kind = m.kind, .here = place_of(&a, r), .detail = detail_of(&a, g, r)};
    if (m.op) f.here.op = m.op;
    f.site = g->fault.loc;
    wg_check_add(g, &f);
    wg_arena_free(&a);
}
