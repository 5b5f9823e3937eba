/* ops.def taken apart: see row.h. */
#include "ptx/row.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#define F_MEM      WG_F_MEM
#define F_SYNC     WG_F_SYNC
#define F_WAIT     WG_F_WAIT
#define F_FLOW     WG_F_FLOW
#define F_CC       WG_F_CC
#define F_EFFECT   WG_F_EFFECT
#define F_BULK     WG_F_BULK
#define F_MATRIX   WG_F_MATRIX
#define IS_LOAD    WG_IS_LOAD
#define IS_STORE   WG_IS_STORE
#define IS_ATOMIC  WG_IS_ATOMIC
#define IS_FENCE   WG_IS_FENCE
#define IS_BARRIER WG_IS_BARRIER
#define IS_HINT    WG_IS_HINT
#define IS_MATRIX  WG_IS_MATRIX
#define IS_COPY    WG_IS_COPY
#define IS_LINEAR  WG_IS_LINEAR
#define IS_BITWISE WG_IS_BITWISE
#define IS_TEXTURE WG_IS_TEXTURE

const uint32_t wg_op_traits[WG_OP_ALL] = {
#define OP(i, o, m, t, p, f) [WG_OP_##i] = f,
#include "ptx/ops.def"
#define OP(i, o, m, t, p, f) [WG_OP_##i] = f,
#include "ptx/own.def"
};

static struct wg_row rows[WG_OP_ALL] = {
    [WG_OP_NONE] = {.id = "NONE", .opcode = "", .mods = "", .types = "", .operands = ""},
#define OP(i, o, m, t, p, f) [WG_OP_##i] = {.id = #i, .opcode = o, .mods = m, .types = t, .operands = p},
#include "ptx/ops.def"
#define OP(i, o, m, t, p, f) [WG_OP_##i] = {.id = #i, .opcode = o, .mods = m, .types = t, .operands = p},
#include "ptx/own.def"
};

static const struct {
    const char *name;
    uint8_t cls;
    const char *values;
} sets[] = {
#define SET(n, c, v) {#n, WG_MC_##c, v},
#include "ptx/ops.def"
};
enum { NSETS = sizeof sets / sizeof *sets };

static const char *const mod_names[WG_M_COUNT] = {[WG_M_none] = "",
#define X(id, spelled) [WG_M_##id] = spelled,
                                                  WG_MODS(X)
#undef X
};

static const char *const sreg_names[WG_SR_ALL] = {
#define X(id, spelled, type) [WG_SR_##id] = spelled,
    WG_SREGS(X)
#undef X
        [WG_SR_iteration] = "%iteration",
    [WG_SR_last_x] = "%last.x",
    [WG_SR_stage] = "%stage",
    [WG_SR_saves] = "%saves",
    [WG_SR_save_bytes] = "%save.bytes",
    [WG_SR_local_stride] = "%local.stride",
};

/* Opcodes and modifiers of the ISA that no row uses: enough to tell "not there yet" from a misspelling. */
static const char *const known_opcodes[] = {
#define OPCODE(s) s,
#include "ptx/known.def"
};
static const char *const known_words[] = {
#define WORD(s) s,
#include "ptx/known.def"
};

enum { TABLE = 2048 };
static struct wg_spelling table[TABLE];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint32_t hash(const char *s, uint32_t len) {
    uint32_t h = 2166136261u;
    for (uint32_t i = 0; i < len; i++) h = (h ^ (uint8_t)s[i]) * 16777619u;
    return h;
}

static struct wg_spelling *entry(const char *s, uint32_t len) {
    uint32_t i = hash(s, len) % TABLE;
    while (table[i].s && (strncmp(table[i].s, s, len) != 0 || table[i].s[len])) i = (i + 1) % TABLE;
    return &table[i];
}

static struct wg_spelling *add(const char *s) {
    struct wg_spelling *e = entry(s, (uint32_t)strlen(s));
    e->s = s;
    return e;
}

/* Gives the next word of a string of words separated by spaces, and its length; 0 at the end or at a ';'. */
static uint32_t next_word(const char **p, const char **word) {
    while (**p == ' ') ++*p;
    *word = *p;
    while (**p && **p != ' ' && **p != ';') ++*p;
    return (uint32_t)(*p - *word);
}

static bool is(const char *s, uint32_t len, const char *what) {
    return strlen(what) == len && memcmp(s, what, len) == 0;
}

static enum wg_mod find_mod(const char *s, uint32_t len) {
    for (int m = 1; m < WG_M_COUNT; m++)
        if (is(s, len, mod_names[m])) return (enum wg_mod)m;
    return WG_M_none;
}

static void allow(struct wg_slot *slot, enum wg_mod m) { slot->allow[m / 64] |= 1ull << (m % 64); }

static void allow_set(struct wg_slot *slot, int set) {
    const char *p = sets[set].values, *w;
    slot->cls = sets[set].cls;
    for (uint32_t n; (n = next_word(&p, &w));) {
        enum wg_mod m = find_mod(w, n);
        assert(m != WG_M_none && "a SET names a modifier that WG_MODS lacks");
        allow(slot, m);
    }
}

static bool set_holds(int set, const char *s, uint32_t len) {
    const char *p = sets[set].values, *w;
    for (uint32_t n; (n = next_word(&p, &w));)
        if (n == len && memcmp(w, s, len) == 0) return true;
    return false;
}

static struct wg_slot read_slot(const char *w, uint32_t n) {
    struct wg_slot slot = {.kind = WG_SLOT_MOD, .cls = WG_MC_COUNT, .optional = w[n - 1] == '?'};
    if (slot.optional) n--;
    static const char types[] = "TUBC";
    const char *t = n == 1 ? strchr(types, *w) : NULL;
    if (t) {
        slot.kind = (uint8_t)(WG_SLOT_T + (t - types));
        return slot;
    }
    for (int s = 0; s < NSETS; s++)
        if (is(w, n, sets[s].name)) {
            allow_set(&slot, s);
            return slot;
        }
    enum wg_mod m = find_mod(w, n);
    assert(m != WG_M_none && "a row names a modifier that WG_MODS lacks");
    allow(&slot, m);
    for (int s = 0; s < NSETS && slot.cls == WG_MC_COUNT; s++)
        if (set_holds(s, w, n)) slot.cls = sets[s].cls;
    return slot;
}

static struct wg_row_form read_form(const char *w, uint32_t n) {
    struct wg_row_form f = {.kind = w[0], .optional = w[n - 1] == '?'};
    if (f.optional) n--;
    if (f.kind == '|')
        f.optional = true;
    else if (n > 1 && w[1] >= '0' && w[1] <= '9')
        for (uint32_t i = 1; i < n; i++) f.width = (uint8_t)(f.width * 10 + (w[i] - '0'));
    else if (n > 1)
        f.rel = w[1];
    if (!f.width && strchr("in", f.kind)) f.width = 32;
    if (strchr("pq", f.kind)) f.width = 1;
    if (f.kind == 'b' || f.kind == 'c') f.kind = 'a';
    return f;
}

static uint64_t read_types(const char **p) {
    uint64_t set = 0;
    const char *w;
    for (uint32_t n; (n = next_word(p, &w));) {
        enum wg_type t = wg_type_find(w, n);
        assert(t != WG_T_NONE);
        set |= UINT64_C(1) << t;
    }
    if (**p == ';') ++*p;
    return set;
}

static void read_row(uint16_t op) {
    struct wg_row *r = &rows[op];
    const char *p = r->mods, *w;
    for (uint32_t n; (n = next_word(&p, &w));) {
        assert(r->nslots < WG_MAX_SLOTS);
        r->slots[r->nslots++] = read_slot(w, n);
    }
    p = r->operands;
    for (uint32_t n; (n = next_word(&p, &w));) {
        assert(r->nforms < WG_MAX_FORMS);
        r->forms[r->nforms++] = read_form(w, n);
    }
    p = r->types;
    r->t_allow = read_types(&p);
    r->u_allow = read_types(&p);
    r->b_allow = read_types(&p);
    r->c_allow = read_types(&p);
}

/* Rows of one opcode follow each other from its spelling. */
static void spell_row(uint16_t op) {
    struct wg_spelling *e = add(rows[op].opcode);
    e->known_opcode = true;
    if (!e->row) {
        e->row = op;
        return;
    }
    uint16_t last = e->row;
    while (rows[last].next) last = rows[last].next;
    rows[last].next = op;
}

_Static_assert(WG_T_COUNT <= 64, "sets of types are 64-bit words");

static void init(void) {
    for (uint16_t m = 1; m < WG_M_COUNT; m++) {
        struct wg_spelling *e = add(mod_names[m]);
        e->mod = m;
        e->known_word = true;
    }
    for (uint8_t t = 1; t < WG_T_COUNT; t++) {
        struct wg_spelling *e = add(wg_type_name(t));
        e->type = t;
        e->known_word = true;
    }
    for (uint16_t op = 1; op < WG_OP_ALL; op++) read_row(op);
    for (uint16_t op = 1; op < WG_OP_COUNT; op++) spell_row(op);
    for (size_t i = 0; i < sizeof known_opcodes / sizeof *known_opcodes; i++) {
        struct wg_spelling *e = add(known_opcodes[i]);
        assert(!e->known_opcode && "known.def names an opcode twice, or one that has rows");
        e->known_opcode = true;
    }
    for (size_t i = 0; i < sizeof known_words / sizeof *known_words; i++) {
        struct wg_spelling *e = add(known_words[i]);
        assert(!e->known_word && "known.def names a word twice, or one that rows use");
        e->known_word = true;
    }
}

const struct wg_row *wg_row(enum wg_op op) {
    pthread_once(&once, init);
    return &rows[op];
}

enum wg_mod wg_slot_only(const struct wg_slot *s) {
    for (int m = 1; m < WG_M_COUNT; m++)
        if (s->allow[m / 64] >> (m % 64) & 1) return (enum wg_mod)m;
    return WG_M_none;
}

const struct wg_spelling *wg_spelling(const char *s, uint32_t len) {
    pthread_once(&once, init);
    const struct wg_spelling *e = entry(s, len);
    return e->s ? e : NULL;
}

/* Whether `slot` takes `word`; if so, notes it in `out`. */
static bool take(const struct wg_row *r, const struct wg_slot *slot, const struct wg_spelling *word,
                 struct wg_match *out) {
    if (slot->kind == WG_SLOT_MOD) {
        if (!word->mod || !(slot->allow[word->mod / 64] >> (word->mod % 64) & 1)) return false;
        uint32_t cls = slot->cls;
        if (cls == WG_MC_COUNT) return true;
        if (cls == WG_MC_CACHE && out->mod[cls]) cls = WG_MC_CACHE2;
        if (cls == WG_MC_LAYOUT && out->mod[cls]) cls = WG_MC_LAYOUT2;
        if (cls == WG_MC_SPACE && out->mod[cls]) cls = WG_MC_SPACE2;
        out->mod[cls] = (uint8_t)word->mod;
        return true;
    }
    const uint64_t allowed[] = {r->t_allow, r->u_allow, r->b_allow, r->c_allow};
    uint8_t *const to[] = {&out->type, &out->type2, &out->type3, &out->type4};
    uint32_t which = slot->kind - WG_SLOT_T;
    if (!word->type || !(allowed[which] >> word->type & 1)) return false;
    *to[which] = word->type;
    return true;
}

static bool match_ordered(const struct wg_row *r, uint32_t slot, const struct wg_spelling *const *words,
                          uint32_t n, struct wg_match *out) {
    if (slot == r->nslots) return n == 0;
    struct wg_match before = *out;
    if (n && take(r, &r->slots[slot], words[0], out) && match_ordered(r, slot + 1, words + 1, n - 1, out))
        return true;
    *out = before;
    return r->slots[slot].optional && match_ordered(r, slot + 1, words, n, out);
}

static bool match_any_order(const struct wg_row *r, const struct wg_spelling *const *words, uint32_t n,
                            struct wg_match *out) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t s = 0;
        while (s < r->nslots && (used >> s & 1 || !take(r, &r->slots[s], words[i], out))) s++;
        if (s == r->nslots) return false;
        used |= 1u << s;
    }
    for (uint32_t s = 0; s < r->nslots; s++)
        if (!(used >> s & 1) && !r->slots[s].optional) return false;
    return true;
}

_Static_assert(WG_M_COUNT <= 256, "modifiers are kept in bytes");

bool wg_row_match(uint16_t row, const struct wg_spelling *const *words, uint32_t n, struct wg_match *out) {
    for (uint16_t op = row; op; op = rows[op].next) {
        *out = (struct wg_match){.op = op};
        if (match_ordered(&rows[op], 0, words, n, out)) return true;
        *out = (struct wg_match){.op = op};
        if (wg_op_flags(op) & (F_MEM | F_SYNC) && match_any_order(&rows[op], words, n, out)) return true;
    }
    return false;
}

const char *wg_op_name(enum wg_op op) { return rows[op].opcode; }
const char *wg_op_id(enum wg_op op) { return rows[op].id; }
const char *wg_mod_name(enum wg_mod m) { return mod_names[m]; }
struct wg_matrix_shape wg_mod_shape(enum wg_mod m) {
    static const struct wg_matrix_shape shapes[WG_M_COUNT] = {
        [WG_M_m8n8k4] = {8, 8, 4},     [WG_M_m8n8k16] = {8, 8, 16},     [WG_M_m16n8k4] = {16, 8, 4},
        [WG_M_m16n8k8] = {16, 8, 8},   [WG_M_m16n8k16] = {16, 8, 16},   [WG_M_m16n8k32] = {16, 8, 32},
        [WG_M_m16n16k8] = {16, 16, 8}, [WG_M_m16n16k16] = {16, 16, 16}, [WG_M_m32n8k16] = {32, 8, 16},
        [WG_M_m8n32k16] = {8, 32, 16}, [WG_M_m64k8] = {64, 0, 8},       [WG_M_m64k16] = {64, 0, 16},
        [WG_M_m64k32] = {64, 0, 32},
    };
    return shapes[m];
}
const char *wg_sreg_name(enum wg_sreg s) { return sreg_names[s]; }
