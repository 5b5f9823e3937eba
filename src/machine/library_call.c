/* Memory accesses of library functions: a function that a stream calls (wg_stream_call) declares each access
 * to the device's memory before it makes it. Bounds, initialisation and order are checked as for a kernel.
 * Without checks only bounds are, because the host process would not survive the faults that a kernel
 * survives. */
#include "machine/memory/reserved.h"
#include "machine/watch/watch.h"
#include "machine/work.h"
#include <stdio.h>
#include <string.h>

struct trouble {
    enum wg_finding_kind kind;
    uint64_t address; /* the first byte that is wrong */
    char text[512];
};

static uint64_t row_at(const struct wg_operand_touch *t, uint64_t row) {
    return (uint64_t)t->p + row * (t->pitch + (uint64_t)t->skip);
}
static uint64_t row_width(const struct wg_operand_touch *t, uint64_t row) {
    return t->width + row * (uint64_t)t->grow;
}

/* [begin, end) has all rows; false: no memory is so large. */
static bool extent(const struct wg_operand_touch *t, uint64_t *begin, uint64_t *end) {
    uint64_t last;
    *begin = (uint64_t)t->p;
    if (__builtin_mul_overflow(t->height - 1, t->pitch, &last)) return false;
    *end = row_at(t, t->height - 1) + row_width(t, t->height - 1);
    if (*end < *begin + t->width) *end = *begin + t->width;
    return *end - *begin >= last && *end > *begin;
}

/* Where an operand is that is in no allocation. */
static void describe_none(struct wg_device *dev, const struct wg_operand_touch *t, struct trouble *x) {
    struct wg_reserved_at r;
    struct wg_found f;
    struct wg_span s;
    x->kind = WG_F_out_of_bounds;
    if (x->address < 65536) {
        x->kind = WG_F_null_pointer;
        snprintf(x->text, sizeof x->text, "%s is a null pointer", t->name);
    } else if (wg_fleet_find(dev, x->address, &f)) {
        x->kind = WG_F_peer_memory;
        snprintf(x->text, sizeof x->text,
                 "%s, %p, is memory of device %u, which device %u cannot access without "
                 "cudaDeviceEnablePeerAccess",
                 t->name, t->p, f.dev->ordinal, dev->ordinal);
    } else if (!wg_memory_holds(&dev->memory, x->address)) {
        x->kind = WG_F_host_memory;
        snprintf(x->text, sizeof x->text, "%s, %p, is host memory that the device cannot access", t->name,
                 t->p);
    } else if (wg_memory_freed(&dev->memory, x->address, &s)) {
        x->kind = WG_F_use_after_free;
        snprintf(x->text, sizeof x->text, "%s, %p, is in an allocation of %llu bytes that has been freed",
                 t->name, t->p, (unsigned long long)(s.end - s.base));
    } else if (wg_memory_reserved(&dev->memory, x->address, &r)) {
        snprintf(x->text, sizeof x->text, "%s, %p, is in reserved addresses, where %s", t->name, t->p,
                 r.mapped ? "cuMemSetAccess has given no access" : "nothing is mapped");
    } else {
        snprintf(x->text, sizeof x->text, "%s, %p, is in no allocation", t->name, t->p);
    }
}

static bool is_within(struct wg_device *dev, const struct wg_operand_touch *t, struct trouble *x) {
    struct wg_span s;
    uint64_t begin, end = 0;
    bool possible = extent(t, &begin, &end);
    x->address = (uint64_t)t->p;
    if (!wg_fleet_find_reached(dev, x->address, &s)) {
        describe_none(dev, t, x);
        return false;
    }
    if (!possible || end > s.end) {
        x->kind = WG_F_out_of_bounds;
        x->address = s.end;
        snprintf(x->text, sizeof x->text,
                 "%s takes %llu bytes starting at byte %llu of an allocation of %llu bytes", t->name,
                 (unsigned long long)(end - begin), (unsigned long long)(begin - s.base),
                 (unsigned long long)(s.end - s.base));
        return false;
    }
    if (t->write && s.read_only) {
        x->kind = WG_F_read_only;
        snprintf(x->text, sizeof x->text, "%s, %p, is memory that cuMemSetAccess lets only be read", t->name,
                 t->p);
        return false;
    }
    if (t->align && x->address % t->align) {
        x->kind = WG_F_misaligned;
        snprintf(x->text, sizeof x->text, "%s, %p, is not aligned to its elements of %u bytes", t->name, t->p,
                 t->align);
        return false;
    }
    return true;
}

static void tell(struct wg_device *dev, const struct wg_toucher *by, const struct wg_operand_touch *t,
                 const struct trouble *x) {
    struct wg_finding f = {.kind = x->kind, .count = 1, .site = by->at, .host_at = by->at, .detail = x->text};
    f.here.op = by->function;
    f.here.access = t->write ? "write" : "read";
    f.here.asked_by = by->function;
    f.here.asked_at = by->at;
    wg_check_describe_global(dev, NULL, x->kind == WG_F_out_of_bounds ? (uint64_t)t->p : x->address,
                             &f.memory);
    if (f.memory.has_allocation) f.memory.offset = (int64_t)(x->address - f.memory.base);
    wg_findings_add(dev->options.findings, &f);
}

static void fail(struct wg_device *dev, const struct wg_toucher *by, const struct trouble *x) {
    struct wg_strbuf text = {0};
    wg_strbuf_printf(&text, "%s: illegal address\n    %s\n", by->function, x->text);
    pthread_mutex_lock(&dev->modules_lock);
    struct wg_fault_record *r = WG_NEW(&dev->fault_arena, struct wg_fault_record);
    *r = (struct wg_fault_record){.status =
                                      x->kind == WG_F_misaligned ? WG_MISALIGNED_ADDRESS : WG_ILLEGAL_ADDRESS,
                                  .kernel = wg_arena_strdup(&dev->fault_arena, by->function),
                                  .address = x->address,
                                  .message = wg_arena_strdup(&dev->fault_arena, text.s)};
    pthread_mutex_unlock(&dev->modules_lock);
    wg_device_fail(dev, r->status, r);
    wg_strbuf_free(&text);
}

/* What is read and was never written. */
static void look_at_shadows(struct wg_device *dev, const struct wg_toucher *by,
                            const struct wg_operand_touch *t) {
    struct wg_shadow_gaps all = {0};
    for (uint64_t i = 0; i < t->height; i++) {
        if (!row_width(t, i)) continue;
        struct wg_shadow_gaps g = wg_shadow_gaps(&dev->memory, row_at(t, i), row_width(t, i));
        if (g.bytes && !all.bytes) all.first = g.first;
        all.bytes += g.bytes;
        if (g.bytes) wg_shadow_define(&dev->memory, row_at(t, i), row_width(t, i)); /* reported once */
    }
    if (!all.bytes) return;
    struct trouble x = {.kind = WG_F_uninitialised_read, .address = all.first};
    snprintf(x.text, sizeof x.text, "%llu bytes of %s were never written, the first of them at byte %llu",
             (unsigned long long)all.bytes, t->name, (unsigned long long)(all.first - (uint64_t)t->p));
    tell(dev, by, t, &x);
}

static void note(struct wg_device *dev, const struct wg_toucher *by, const struct wg_operand_touch *t,
                 uint32_t checks) {
    if (checks & 1u << WG_CHECK_init && dev->memory.shadow) {
        if (!t->write) look_at_shadows(dev, by, t);
        for (uint64_t i = 0; t->write && i < t->height; i++)
            if (row_width(t, i)) wg_shadow_define(&dev->memory, row_at(t, i), row_width(t, i));
    }
    if (!(checks & 1u << WG_CHECK_race) || !dev->calling) return;
    for (uint64_t i = 0; i < t->height; i++)
        wg_check_stream_call_touches(dev->calling, (const void *)row_at(t, i), row_width(t, i), t->write);
}

static void refuse(struct wg_device *dev, const struct wg_toucher *by, const struct wg_operand_touch *t,
                   const struct trouble *x) {
    if (dev->options.findings && wg_checks(dev) & 1u << WG_CHECK_memory)
        tell(dev, by, t, x);
    else
        fail(dev, by, x);
}

void wg_touch_refused(struct wg_device *dev, const struct wg_toucher *by, const struct wg_operand_touch *t) {
    struct trouble x;
    if (is_within(dev, t, &x)) {
        x.kind = WG_F_out_of_bounds;
        snprintf(x.text, sizeof x.text, "%s, %p, became inaccessible", t->name, t->p);
    }
    refuse(dev, by, t, &x);
}

bool wg_call_touches(struct wg_device *dev, const struct wg_toucher *by, const struct wg_operand_touch *t,
                     uint32_t n) {
    uint32_t checks = dev->options.findings ? wg_checks(dev) : 0;
    struct trouble x;
    for (uint32_t i = 0; i < n; i++) {
        if (!t[i].width || !t[i].height || is_within(dev, &t[i], &x)) continue;
        refuse(dev, by, &t[i], &x);
        return false;
    }
    for (uint32_t i = 0; checks && i < n; i++)
        if (t[i].width && t[i].height) note(dev, by, &t[i], checks);
    return true;
}
