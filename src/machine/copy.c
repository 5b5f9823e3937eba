/* Copies and fills: checked, split into pieces for the workers when large, done at once when small. */
#include "machine/memory/reserved.h"
#include "machine/watch/watch.h"
#include "machine/work.h"
#include "machine/worker.h"
#include <stdlib.h>
#include <string.h>

enum {
    PIECE = 1 << 20,      /* bytes of one unit of a job */
    AT_ONCE = 128 * 1024, /* bytes not worth waking anybody for */
};

/* ---- one range of rows, or of bytes of a single row ----
 * Source and destination may overlap: CUDA leaves open what comes of it, and C must not make more of it. */

static void copy_rows(const struct wg_copy *c, uint64_t begin, uint64_t end) {
    for (uint64_t row = begin; row < end; row++) {
        uint64_t y = row % c->height, z = row / c->height;
        memmove((char *)c->dst + z * c->dst_slice + y * c->dst_pitch,
                (const char *)c->src + z * c->src_slice + y * c->src_pitch, c->width);
    }
}

static void fill_row(void *dst, uint64_t value, uint32_t element, uint64_t n) {
    uint32_t byte = value & 0xff;
    if (element == 8) {
        uint64_t *p = dst;
        for (uint64_t i = 0; i < n; i++) p[i] = value;
    } else if (element == 4 && value == byte * 0x01010101u) {
        memset(dst, (int)byte, n * 4);
    } else if (element == 1) {
        memset(dst, (int)(value & 0xff), n);
    } else if (element == 2) {
        uint16_t *p = dst;
        for (uint64_t i = 0; i < n; i++) p[i] = (uint16_t)value;
    } else {
        uint32_t *p = dst;
        for (uint64_t i = 0; i < n; i++) p[i] = (uint32_t)value;
    }
}

static uint64_t rows_of(const struct wg_work *w) {
    return w->kind == WG_WORK_COPY ? (uint64_t)w->copy.height * w->copy.depth : w->fill.height;
}
static uint64_t row_bytes(const struct wg_work *w) {
    return w->kind == WG_WORK_COPY ? w->copy.width : (uint64_t)w->fill.width * w->fill.element;
}

/* Bytes [begin, end) of a move of one row. */
static void move_bytes(const struct wg_work *w, uint64_t begin, uint64_t end) {
    if (w->kind == WG_WORK_COPY) {
        memmove((char *)w->copy.dst + begin, (const char *)w->copy.src + begin, end - begin);
    } else {
        uint32_t e = w->fill.element;
        fill_row((char *)w->fill.dst + begin, w->fill.value, e, (end - begin) / e);
    }
}
static void move_rows(const struct wg_work *w, uint64_t begin, uint64_t end) {
    if (w->kind == WG_WORK_COPY) {
        copy_rows(&w->copy, begin, end);
    } else {
        for (uint64_t y = begin; y < end; y++)
            fill_row((char *)w->fill.dst + y * w->fill.pitch, w->fill.value, w->fill.element, w->fill.width);
    }
}

/* The last byte of a side, from its first. */
static bool extent(size_t width, size_t height, size_t depth, size_t pitch, size_t slice, uint64_t *out) {
    uint64_t rows, slices;
    if (__builtin_mul_overflow((uint64_t)pitch, (uint64_t)(height - 1), &rows) ||
        __builtin_mul_overflow((uint64_t)slice, (uint64_t)(depth - 1), &slices) ||
        __builtin_add_overflow(rows, slices, &rows) || __builtin_add_overflow(rows, (uint64_t)width, out))
        return false;
    return true;
}

/* ---- addresses that the program reserved ----
 * Nothing that changes what is mapped there (cuMemSetAccess, cuMemUnmap) waits for work, on hardware either: what was
 * accessible when a move was enqueued need not be when it runs. */

static uint32_t touches_of(const struct wg_work *w, struct wg_operand_touch out[2]) {
    const struct wg_copy *c = &w->copy;
    const struct wg_fill *f = &w->fill;
    bool copies = w->kind == WG_WORK_COPY;
    out[0] = (struct wg_operand_touch){.height = 1, .write = true, .name = "the destination"};
    out[1] = (struct wg_operand_touch){.height = 1, .name = "the source"};
    out[0].p = copies ? c->dst : f->dst;
    if (copies) out[1].p = c->src;
    if (copies)
        extent(c->width, c->height, c->depth, c->dst_pitch, c->dst_slice, &out[0].width);
    else
        extent(f->width * f->element, f->height, 1, f->pitch, 0, &out[0].width);
    if (copies) extent(c->width, c->height, c->depth, c->src_pitch, c->src_slice, &out[1].width);
    return copies ? 2 : 1;
}

static bool is_reserved(struct wg_device *dev, const struct wg_operand_touch *t) {
    struct wg_reserved_at r;
    return wg_memory_reserved(wg_fleet_memory(dev, (uint64_t)t->p), (uint64_t)t->p, &r);
}

static bool is_accessible(struct wg_device *dev, const struct wg_operand_touch *t) {
    uint64_t at = (uint64_t)t->p;
    struct wg_span s;
    return wg_memory_find(wg_fleet_memory(dev, at), at, &s) && t->width <= s.end - at &&
           !(t->write && s.read_only);
}

/* Of a fault meanwhile (`fault`) it is not known which side it was about. */
static bool may_touch(struct wg_work *w, bool fault) {
    struct wg_operand_touch t[2];
    uint32_t n = touches_of(w, t);
    bool known = w->dev->options.findings && w->asked_by; /* who calls is only noted then */
    struct wg_toucher by = {known ? w->asked_by : n == 2 ? "a copy" : "a fill", w->asked_at};
    for (uint32_t i = 0; i < n; i++) {
        if (!is_reserved(w->dev, &t[i])) continue;
        wg_trap_install();
        if (is_accessible(w->dev, &t[i]) && !(fault && i + 1 == n)) continue;
        wg_touch_refused(w->dev, &by, &t[i]);
        return false;
    }
    return true;
}

static uint64_t rows_of_piece(const struct wg_work *w) {
    uint64_t bytes = row_bytes(w);
    return bytes >= PIECE ? 1 : PIECE / bytes;
}

struct units {
    const struct wg_work *w;
    uint64_t begin, end;
};

static void move_units(void *units) {
    const struct units *u = units;
    const struct wg_work *w = u->w;
    uint64_t rows = rows_of(w);
    if (rows == 1) {
        uint64_t bytes = row_bytes(w), to = u->end * PIECE;
        move_bytes(w, u->begin * PIECE, to < bytes ? to : bytes);
    } else {
        uint64_t each = rows_of_piece(w), to = u->end * each;
        move_rows(w, u->begin * each, to < rows ? to : rows);
    }
}

static void move_run(struct wg_worker *worker, struct wg_job *job, uint64_t begin, uint64_t end) {
    struct units u = {(struct wg_work *)job, begin, end};
    if (!wg_trap_try(move_units, &u)) may_touch((struct wg_work *)job, true);
    wg_job_finished(worker->pool, job, end - begin);
}
static void move_done(struct wg_job *job) {
    struct wg_work *w = (struct wg_work *)job;
    atomic_fetch_add(&w->refs, 1); /* until move_release */
    wg_work_end(w);
}
static void move_release(struct wg_job *job) { wg_work_drop((struct wg_work *)job); }

static const struct wg_job_kind move_job = {move_run, move_done, move_release};

static bool begin(struct wg_work *w, bool failed) {
    uint64_t rows = rows_of(w), bytes = row_bytes(w);
    wg_emptied_settle(&w->dev->memory);
    if (failed || rows == 0 || bytes == 0 || !may_touch(w, false)) return true;
    wg_shadow_move(w);
    if (rows * bytes <= AT_ONCE) {
        move_rows(w, 0, rows);
        return true;
    }
    uint64_t each = rows == 1 ? 0 : rows_of_piece(w);
    w->job.kind = &move_job;
    w->job.units = each ? (rows + each - 1) / each : (bytes + PIECE - 1) / PIECE;
    w->job.longest = w->job.longest_quick = 4;
    w->job.priority = 0;
    w->job.any_order = rows * bytes <= w->dev->options.stream_kb * UINT64_C(1024);
    if (wg_pool_submit(&w->dev->pool, &w->job)) return false;
    move_rows(w, 0, rows); /* no thread could be created: do it here */
    return true;
}

/* ---- checks ---- */

enum side { SIDE_DEVICE, SIDE_REGISTERED, SIDE_PAGEABLE };

/* What a side is; false when it begins in the device's memory and leaves its allocation, or is to be written where
 * memory can only be read. */
static bool check_side(struct wg_device *dev, const void *p, uint64_t bytes, bool written, enum side *side) {
    struct wg_span span;
    const char *name = written ? "destination" : "source";
    uint64_t a = (uint64_t)p;
    if (!p) {
        wg_fail(WG_INVALID_VALUE, "the %s of the copy is a null pointer", name);
        return false;
    }
    struct wg_memory *m = wg_fleet_memory(dev, a);
    if (wg_memory_holds(m, a)) {
        *side = SIDE_DEVICE;
        if (!wg_memory_find(m, a, &span)) {
            wg_fail(WG_INVALID_VALUE, "the %s of the copy, %p, is not in a device allocation", name, p);
            return false;
        }
        if (bytes > span.end - a) {
            wg_fail(WG_INVALID_VALUE,
                    "the %s of the copy, %llu bytes at %p, runs past its allocation of %llu bytes", name,
                    (unsigned long long)bytes, p, (unsigned long long)(span.end - span.base));
            return false;
        }
        if (written && span.read_only) {
            wg_fail(WG_INVALID_VALUE, "cuMemSetAccess lets the destination of the copy, %p, only be read", p);
            return false;
        }
        return true;
    }
    struct wg_found found;
    *side = wg_fleet_find(dev, a, &found) ? SIDE_REGISTERED : SIDE_PAGEABLE;
    return true;
}

static enum wg_status check_copy(struct wg_device *dev, struct wg_copy *c, enum side *from, enum side *to) {
    uint64_t source, target;
    *from = *to = SIDE_DEVICE;
    if (c->width == 0 || c->height == 0 || c->depth == 0) return WG_OK;
    if ((c->height > 1 && (c->dst_pitch < c->width || c->src_pitch < c->width)))
        return wg_fail(WG_INVALID_VALUE, "a pitch is less than the %zu bytes of a row", c->width);
    if (!extent(c->width, c->height, c->depth, c->src_pitch, c->src_slice, &source) ||
        !extent(c->width, c->height, c->depth, c->dst_pitch, c->dst_slice, &target))
        return wg_fail(WG_INVALID_VALUE, "the copy is larger than any memory");
    if (!check_side(dev, c->src, source, false, from) || !check_side(dev, c->dst, target, true, to))
        return WG_INVALID_VALUE;
    /* Rows that follow each other without gaps are one row. */
    if (c->height > 1 && c->dst_pitch == c->width && c->src_pitch == c->width && c->depth == 1) {
        c->width *= c->height;
        c->height = 1;
    }
    return WG_OK;
}

/* ---- the interface ---- */

/* On the GPU a copy inside of the device's memory returns at once. */
static bool is_over_when_it_returns(struct wg_device *dev, const struct wg_copy *c, bool asked,
                                    enum side to) {
    struct wg_found from, into;
    if (!asked) return to == SIDE_PAGEABLE;
    return !(wg_fleet_find(dev, (uint64_t)c->src, &from) && from.span.kind == WG_MEM_DEVICE &&
             wg_fleet_find(dev, (uint64_t)c->dst, &into) && into.span.kind == WG_MEM_DEVICE);
}

/* What is in the program's own memory is read before the call returns, as CUDA has it: at once, where the
 * copy can begin now; else it is copied aside, rows without gaps. False: there is no memory for that. */
static bool stage(struct wg_work *w) {
    struct wg_copy *c = &w->copy;
    uint64_t rows = (uint64_t)c->height * c->depth;
    struct wg_copy aside = *c;
    if (!(w->staged = malloc(rows * c->width))) return false;
    aside.dst = w->staged;
    aside.dst_pitch = c->width;
    aside.dst_slice = c->width * c->height;
    copy_rows(&aside, 0, rows);
    c->src = w->staged;
    c->src_pitch = aside.dst_pitch;
    c->src_slice = aside.dst_slice;
    return true;
}

static enum wg_status put_copy(struct wg_stream *s, const struct wg_copy *given, bool asked_to_wait) {
    struct wg_copy c = *given;
    enum side from, to;
    bool wait = asked_to_wait;
    enum wg_status status = wg_stream_usable(s);
    if (status == WG_OK) status = check_copy(s->dev, &c, &from, &to);
    if (status != WG_OK) return status;
    struct wg_work *w = wg_work_new(s->dev, WG_WORK_COPY, begin);
    w->copy = c;
    wg_fleet_lend(w, 0, c.src);
    wg_fleet_lend(w, 1, c.dst);
    wg_caller(&w->asked_by, &w->asked_at);
    bool over = is_over_when_it_returns(s->dev, &c, wait, to);
    bool own = from == SIDE_PAGEABLE || to == SIDE_PAGEABLE, empty = !(c.width && c.height && c.depth);
    if (!asked_to_wait && from == SIDE_PAGEABLE) wg_check_copy_asked(s->dev, &c);
    if (own && !asked_to_wait && !empty) wait = to == SIDE_PAGEABLE || !wg_work_would_wait(s) || !stage(w);
    wg_work_put(s, w, NULL);
    if (wait) {
        wg_work_wait(w);
        if (over) wg_check_copy_waited(s);
        if (over && asked_to_wait && !empty) wg_print_flush(s->dev);
        status = wg_device_status(s->dev);
    }
    wg_work_drop(w);
    return status;
}

enum wg_status wg_copy(struct wg_stream *s, const struct wg_copy *c) { return put_copy(s, c, false); }
enum wg_status wg_copy_sync(struct wg_stream *s, const struct wg_copy *c) { return put_copy(s, c, true); }

static void put_fill(struct wg_stream *s, struct wg_fill fill) {
    struct wg_work *w = wg_work_new(s->dev, WG_WORK_FILL, begin);
    w->fill = fill;
    wg_caller(&w->asked_by, &w->asked_at);
    wg_fleet_lend(w, 1, fill.dst);
    wg_work_put(s, w, NULL);
    wg_work_drop(w);
}

enum wg_status wg_fill(struct wg_stream *s, void *dst, size_t pitch, uint32_t value, uint32_t element_bytes,
                       size_t width, size_t height) {
    enum wg_status status = wg_stream_usable(s);
    enum side side;
    uint64_t bytes;
    if (status != WG_OK) return status;
    if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4)
        return wg_fail(WG_INVALID_VALUE, "elements of %u bytes", element_bytes);
    if (width == 0 || height == 0) return WG_OK;
    if (height > 1 && pitch < width * element_bytes)
        return wg_fail(WG_INVALID_VALUE, "a pitch is less than the bytes of a row");
    if ((uint64_t)dst % element_bytes || (height > 1 && pitch % element_bytes))
        return wg_fail(WG_INVALID_VALUE, "%p is not aligned to elements of %u bytes", dst, element_bytes);
    if (width > SIZE_MAX / 4 || !extent(width * element_bytes, height, 1, pitch, 0, &bytes))
        return wg_fail(WG_INVALID_VALUE, "larger than any memory");
    if (!check_side(s->dev, dst, bytes, true, &side)) return WG_INVALID_VALUE;
    if (side == SIDE_PAGEABLE) return wg_fail(WG_INVALID_VALUE, "%p is not memory of the device", dst);
    if (height > 1 && pitch == width * element_bytes) {
        width *= height;
        height = 1;
    }
    put_fill(s, (struct wg_fill){dst, pitch, width, height, value, element_bytes, false});
    return WG_OK;
}

/* A value that streams write or wait for. */
static enum wg_status check_value(struct wg_stream *s, const void *at, uint32_t bytes, bool written) {
    enum wg_status status = wg_stream_usable(s);
    enum side side;
    if (status != WG_OK) return status;
    if ((uint64_t)at % bytes)
        return wg_fail(WG_INVALID_VALUE, "%p is not aligned to the value's %u bytes", at, bytes);
    if (!check_side(s->dev, at, bytes, written, &side)) return WG_INVALID_VALUE;
    if (side == SIDE_PAGEABLE)
        return wg_fail(WG_INVALID_VALUE,
                       "%p is memory of neither the device nor the host's that is registered", at);
    return WG_OK;
}

enum wg_status wg_stream_write_value(struct wg_stream *s, void *at, uint64_t value, uint32_t bytes) {
    enum wg_status status = check_value(s, at, bytes, true);
    if (status == WG_OK) put_fill(s, (struct wg_fill){at, 0, 1, 1, value, bytes, true});
    return status;
}

enum wg_status wg_stream_wait_value(struct wg_stream *s, const void *at, uint64_t value, uint32_t bytes,
                                    enum wg_value_test test) {
    enum wg_status status = check_value(s, at, bytes, false);
    if (status != WG_OK) return status;
    struct wg_work *w = wg_work_new(s->dev, WG_WORK_MARK, wg_value_begin_wait);
    w->wanted.at = at;
    w->wanted.value = value;
    w->wanted.bytes = (uint8_t)bytes;
    w->wanted.test = (uint8_t)test;
    pthread_mutex_lock(s->dev->lock);
    s->heeds_values = true;
    pthread_mutex_unlock(s->dev->lock);
    wg_work_put(s, w, NULL);
    wg_work_drop(w);
    return WG_OK;
}
