/* --strict: launches run in the code of check's memory tool, and the first access that it refuses is their fault.
 *
 *     check.access, copies --> check_memory.c: no --> wg_strict_refuse --> wg_strict_leave --> worker.c: a fault
 *
 * It is stricter than a device, and less strict than `check`: accesses are not held to the bounds of single
 * variables in a block's shared memory or in a module. Launches that are counted or compared do not run so
 * (wg_checks): they find what page faults and overrun.h find.
 */
#include "base/thread_text.h"
#include "machine/watch/check.h"
#include "machine/worker.h"
#include <stdio.h>
#include <string.h>

void wg_strict_instrumented(struct wg_instrumented *i) {
    struct wg_check_site *sites = WG_NEW_N(&i->arena, struct wg_check_site, i->nids + 1);
    memcpy(sites, i->sites, i->nids * sizeof *sites);
    for (uint32_t id = 0; id < i->nids; id++) sites[id].variable = WG_NO_REG;
    i->sites = sites;
}

/* "the address is ...", where fault_report.c could not tell. */
static void tell(char *out, const struct wg_check_verdict *v) {
    const struct wg_finding_memory *m = &v->memory;
    unsigned long long size = m->size, past = (uint64_t)m->offset - m->size;
    const char *by = m->made_by ? m->made_by : "malloc";
    bool heap = m->has_allocation && strcmp(m->what, "kernel heap") == 0;
    *out = 0;
    if (v->kind == WG_F_read_only)
        snprintf(out, WG_TEXT_BYTES, "in %s memory, which kernels can only read", m->space);
    else if (v->kind == WG_F_cluster_ended)
        snprintf(out, WG_TEXT_BYTES, "in the shared memory of a block of the cluster that has ended");
    else if (v->kind == WG_F_local_bounds)
        snprintf(out, WG_TEXT_BYTES, "byte %lld of the thread's local memory, which has %llu",
                 (long long)m->offset, size);
    else if (heap && m->freed)
        snprintf(out, WG_TEXT_BYTES, "near a block of %llu bytes that has been freed (%s)", size, by);
    else if (heap && m->offset == (int64_t)size)
        snprintf(out, WG_TEXT_BYTES, "right past the end of a block of %llu bytes (%s)", size, by);
    else if (heap && m->offset > (int64_t)size)
        snprintf(out, WG_TEXT_BYTES, "%llu bytes past the end of a block of %llu bytes (%s)", past, size, by);
}

void wg_strict_refuse(const struct wg_check_access_at *a, const struct wg_check_verdict *v) {
    const struct wg_cta *c = a->w->machine;
    struct wg_fault *f = &c->unit->worker->refused;
    const struct wg_ir_instr *in = a->site->part_of ? a->site->part_of : a->site->instr;
    if (f->kind != WG_FAULT_NONE) return;
    *f = (struct wg_fault){.kind = v->kind == WG_F_misaligned ? WG_FAULT_MISALIGNED : WG_FAULT_ADDRESS,
                           .lane = a->lane,
                           .loc = in->loc,
                           .size = (uint32_t)a->bytes,
                           .address = a->address,
                           .op = in->op};
    tell(wg_thread_text(WG_TEXT_REFUSED), v);
}

void wg_strict_leave(struct wg_worker *worker) {
    if (worker->refused.kind != WG_FAULT_NONE) siglongjmp(worker->escape, 1);
}
