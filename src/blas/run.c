/* A call's work, when a stream has come to it: on a thread of the device's. */
#include "blas/call.h"
#include "base/arena.h"
#include "driver/host_access.h"
#include <stdlib.h>
#include <string.h>

enum scalars { NONE, A, AB, RA, RAB, ARB, CS, RCS, PARAM };
static const struct {
    enum scalars scalars;
    wg_blas_compute *by;
} ops[WG_BLAS_OPS_N] = {
#define OP(NAME, BY, SCALARS) {SCALARS, wg_blas_##BY},
#include "blas/ops.def"
};

static cudaDataType real_of(cudaDataType t) {
    return t == CUDA_C_32F ? CUDA_R_32F : t == CUDA_C_64F ? CUDA_R_64F : t;
}

/* What alpha and beta (or c and s) are, and where. */
struct scalar {
    const void *at;
    cudaDataType type;
    const char *name;
};
static unsigned scalars_of(const struct wg_blas_call *c, struct scalar out[2]) {
    enum scalars kind = ops[c->op].scalars;
    if (kind == NONE || kind == PARAM) return 0;
    bool rotation = kind == CS || kind == RCS;
    out[0] = (struct scalar){rotation ? c->c : c->alpha, c->scalar, rotation ? "c" : "alpha"};
    out[1] = (struct scalar){rotation ? c->s : c->beta, c->scalar, rotation ? "s" : "beta"};
    if (kind == CS) out[0].type = real_of(c->scalar);
    if (kind == RCS) out[0].type = out[1].type = real_of(c->scalar);
    if (kind == ARB) out[1].type = real_of(c->scalar);
    return kind == A || kind == RA ? 1 : 2;
}

cublasStatus_t wg_blas_check_scalars(const struct wg_blas_call *c) {
    struct scalar s[2];
    unsigned n = scalars_of(c, s);
    for (unsigned i = 0; i < n; i++)
        if (!s[i].at) return wg_blas_refuse(c, "%s is a null pointer", s[i].name);
    if (ops[c->op].scalars == PARAM && !c->param) return wg_blas_refuse(c, "param is a null pointer");
    if (ops[c->op].by == wg_blas_sums && !c->result) return wg_blas_refuse(c, "result is a null pointer");
    return CUBLAS_STATUS_SUCCESS;
}

void wg_blas_read_scalars(struct wg_blas_call *c) {
    struct scalar s[2];
    unsigned n = scalars_of(c, s);
    if (n > 0) memcpy(&c->a, s[0].at, wg_blas_bytes(s[0].type));
    if (n > 1) memcpy(&c->b, s[1].at, wg_blas_bytes(s[1].type));
    size_t size = wg_blas_bytes(c->xtype);
    for (unsigned i = 0; i < 5 && ops[c->op].scalars == PARAM; i++)
        memcpy(&c->params[i], (const char *)c->param + i * size, size);
}

/* ---- what the machine is told ---- */

struct told {
    struct wg_toucher by;
    WG_VEC(struct wg_operand_touch) v;
    uint64_t bytes[2]; /* read, written, so far */
};

static void add(struct told *t, const void *p, uint64_t bytes, bool write, const char *name) {
    *WG_PUSH(&t->v) =
        (struct wg_operand_touch){.p = p, .width = bytes, .height = 1, .write = write, .name = name};
}

/* All of them so far, and begins anew. */
static bool tell(struct told *t) {
    for (uint32_t i = 0; i < t->v.n; i++) {
        const struct wg_operand_touch *x = &t->v.v[i];
        int64_t rows = (int64_t)x->height;
        t->bytes[x->write] += x->width * x->height + (uint64_t)(rows * (rows - 1) / 2 * x->grow);
    }
    bool good = !t->v.n || wg_library_touches(&t->by, t->v.v, t->v.n);
    t->v.n = 0;
    return good;
}

static uint64_t result_bytes(const struct wg_blas_call *c) {
    if (c->op == WG_BLAS_amax || c->op == WG_BLAS_amin) return c->wide ? 8 : 4;
    return wg_blas_bytes(c->resulttype);
}

static void add_scalars(struct told *t, const struct wg_blas_call *c) {
    struct scalar s[2];
    unsigned n = scalars_of(c, s);
    for (unsigned i = 0; i < n; i++) add(t, s[i].at, wg_blas_bytes(s[i].type), false, s[i].name);
    if (ops[c->op].scalars == PARAM) add(t, c->param, 5 * wg_blas_bytes(c->xtype), false, "param");
    if (ops[c->op].by == wg_blas_sums) add(t, c->result, result_bytes(c), true, "result");
}

static void add_rows(struct told *t, const struct wg_blas_operand *o, const char *at, bool write) {
    uint64_t size = wg_blas_bytes(o->type);
    struct wg_operand_touch x = {.p = at, .write = write, .name = o->name, .align = (uint32_t)size};
    int64_t n = o->rows, step = o->ld;
    if (n <= 0 || o->columns <= 0) return;
    if (o->shape == WG_SHAPE_VECTOR) {
        x.width = step == 1 || step == -1 || step == 0 ? (step ? (uint64_t)n : 1) * size : size;
        x.height = step == 1 || step == -1 || step == 0 ? 1 : (uint64_t)n;
        x.pitch = (uint64_t)(step < 0 ? -step : step) * size;
    } else {
        int64_t grow = o->shape == WG_SHAPE_LOWER ? -1 : o->shape == WG_SHAPE_UPPER ? 1 : 0, first;
        x.width = (uint64_t)wg_blas_column(o, 0, &first) * size;
        x.p = at + (uint64_t)first * size;
        x.height = (uint64_t)o->columns;
        x.pitch = (uint64_t)o->ld * size;
        x.skip = grow < 0 ? (int64_t)size : 0;
        x.grow = grow * (int64_t)size;
        if (!grow && o->ld == o->rows) x.width *= x.height, x.height = 1;
    }
    *WG_PUSH(&t->v) = x;
}

static void add_band(struct told *t, const struct wg_blas_operand *o, const char *at) {
    uint64_t size = wg_blas_bytes(o->type);
    for (int64_t j = 0; j < o->columns; j++) {
        int64_t first, n = wg_blas_column(o, j, &first);
        add(t, at + (uint64_t)(j * o->ld + first) * size, (uint64_t)n * size, false, o->name);
    }
}

static void add_operand(struct told *t, const struct wg_blas_operand *o, const char *at) {
    if (o->shape == WG_SHAPE_BAND) {
        add_band(t, o, at);
        return;
    }
    if (o->access & WG_BLAS_READ) add_rows(t, o, at, false);
    if (o->access & WG_BLAS_WRITE) add_rows(t, o, at, true);
}

/* ---- operands ---- */

static const char *operand_at(const struct wg_blas_operand *o, int64_t batch) {
    if (o->array) return ((const char *const *)o->array)[batch];
    return (const char *)o->at + batch * o->stride * (int64_t)wg_blas_bytes(o->type);
}

static bool tell_all(struct told *t, const struct wg_blas_call *c) {
    for (unsigned i = 0; i < WG_OPERANDS; i++)
        if (c->operand[i].array && c->operand[i].access)
            add(t, c->operand[i].array, (uint64_t)c->batchCount * sizeof(void *), false, c->operand[i].name);
    if (!tell(t)) return false;
    t->bytes[0] = t->bytes[1] = 0;
    for (int64_t b = 0; b < c->batchCount; b++)
        for (unsigned i = 0; i < WG_OPERANDS; i++)
            if (c->operand[i].access) add_operand(t, &c->operand[i], operand_at(&c->operand[i], b));
    return tell(t);
}

/* A column of an operand, or all of a vector, from its own type to that which is computed in or back. */
static void convert_operand(const struct wg_blas_operand *narrow, const char *at,
                            const struct wg_blas_operand *wide, char *copy, bool back) {
    size_t size = wg_blas_bytes(narrow->type), wide_size = wg_blas_bytes(wide->type);
    int64_t step = narrow->shape == WG_SHAPE_VECTOR ? narrow->ld : 1;
    if (step < 0) at -= (narrow->rows - 1) * step * (int64_t)size;
    for (int64_t j = 0; j < narrow->columns; j++) {
        int64_t first, n = wg_blas_column(narrow, j, &first);
        char *from = (char *)(uintptr_t)at + (j * narrow->ld + first) * (int64_t)size;
        char *to = copy + (j * wide->ld + first) * (int64_t)wide_size;
        if (back)
            wg_blas_convert(from, narrow->type, step, to, wide->type, 1, n);
        else
            wg_blas_convert(to, wide->type, 1, from, narrow->type, step, n);
    }
}

/* What is not of the type that is computed in is computed with as a copy that is. */
static bool run_converted(struct wg_blas_call *c, void *const given[WG_OPERANDS]) {
    struct wg_blas_operand own[WG_OPERANDS];
    void *p[WG_OPERANDS];
    char *copies[WG_OPERANDS] = {0};
    bool enough = true;
    memcpy(own, c->operand, sizeof own);
    memcpy(p, given, sizeof p);
    for (unsigned i = 0; i < WG_OPERANDS && enough; i++) {
        struct wg_blas_operand *o = &c->operand[i];
        if (!o->access || o->type == c->type || o->rows <= 0 || o->raw) continue;
        bool is_vector = o->shape == WG_SHAPE_VECTOR;
        o->type = c->type;
        o->ld = is_vector || o->rows < 1 ? 1 : o->rows;
        p[i] = copies[i] = calloc((size_t)o->rows * (size_t)o->columns + 1, wg_blas_bytes(c->type));
        enough = copies[i];
        if (is_vector) o->ld = 1;
        if (enough && own[i].access & WG_BLAS_READ) convert_operand(&own[i], given[i], o, copies[i], false);
    }
    if (enough) ops[c->op].by(c, p);
    for (unsigned i = 0; i < WG_OPERANDS; i++) {
        if (copies[i] && enough && own[i].access & WG_BLAS_WRITE)
            convert_operand(&own[i], given[i], &c->operand[i], copies[i], true);
        free(copies[i]);
    }
    memcpy(c->operand, own, sizeof own);
    return enough;
}

static void widen_scalars(struct wg_blas_call *c) {
    struct scalar s[2];
    unsigned n = scalars_of(c, s);
    for (unsigned i = 0; i < n; i++) {
        union wg_blas_number *x = i ? &c->b : &c->a, wide = {0};
        bool as_real = !wg_blas_is_complex(s[i].type) &&
                       !(ops[c->op].scalars == A || ops[c->op].scalars == AB ||
                         (ops[c->op].scalars == ARB && !i) || (ops[c->op].scalars == CS && i));
        wg_blas_convert(&wide, as_real ? real_of(c->type) : c->type, 1, x, s[i].type, 1, 1);
        *x = wide;
    }
}

static bool run_batches(struct wg_blas_call *c) {
    cudaDataType scalar = c->scalar;
    widen_scalars(c);
    c->scalar = real_of(scalar) == scalar ? real_of(c->type) : c->type;
    for (int64_t b = 0; b < c->batchCount; b++) {
        void *p[WG_OPERANDS];
        for (unsigned i = 0; i < WG_OPERANDS; i++)
            p[i] = c->operand[i].access ? (void *)(uintptr_t)operand_at(&c->operand[i], b) : NULL;
        if (!run_converted(c, p)) return false;
    }
    return true;
}

/* A row of the profile: the operands' bytes, scalars and arrays of pointers aside. */
static void count(const struct wg_blas_call *c, const struct told *t) {
    char sizes[128];
    wg_blas_sizes(c, sizes, sizeof sizes);
    wg_library_counted(&(struct wg_result_library){.name = c->function,
                                                   .sizes = sizes,
                                                   .operations = wg_blas_operations(c),
                                                   .bytes_read = t->bytes[0],
                                                   .bytes_written = t->bytes[1]});
}

void wg_blas_run(void *user) {
    struct wg_blas_call *kept = user, call = *kept, *c = &call;
    struct told t = {.by = {c->function, c->from}};
    bool good = true;
    if (c->scalars_on_device) {
        add_scalars(&t, c);
        good = tell(&t);
        if (good) wg_blas_read_scalars(c);
    }
    if (good && wg_blas_describe(c) == CUBLAS_STATUS_SUCCESS && tell_all(&t, c)) {
        if (c->counted) count(c, &t);
        good = run_batches(c);
        if (ops[c->op].by == wg_blas_sums)
            memcpy((void *)(uintptr_t)c->result, &c->answered, result_bytes(c));
    }
    free(t.v.v);
    if (!kept->kept) free(kept);
}

bool wg_blas_gives_number(const struct wg_blas_call *c) { return ops[c->op].by == wg_blas_sums; }
