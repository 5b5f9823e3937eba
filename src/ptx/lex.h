/* PTX text as tokens. The lexer keeps no tokens: the parser holds the current one and may copy the lexer to
 * look ahead.
 *
 *     ld.global.u32 %r1, [%rd2+4];   IDENT ld, DOT global, DOT u32, IDENT %r1, ',', '[', IDENT %rd2, '+', INT
 *                                    4, ...
 */
#ifndef WG_PTX_LEX_H
#define WG_PTX_LEX_H
#include "base/diag.h"
#include "ptx/name.h"

/* The text being read, and where complaints about it go. Offsets into `text` stand for places. */
struct wg_ptx_text {
    const char *name; /* of the file, for messages */
    const char *text;
    uint32_t len; /* text[len] is 0 */
    struct wg_diag *diag;
    uint32_t errors;
    bool apart; /* what is wrong inside a function refuses that function alone: wg_ptx_aside */
    bool whole; /* what was wrong in one just now is wrong with the whole text all the same */
};
enum { WG_PTX_MAX_ERRORS = 20 };
/* Reports an error at an offset. From the 20th on nothing more is said. */
void wg_ptx_error(struct wg_ptx_text *t, uint32_t off, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static inline bool wg_ptx_gave_up(const struct wg_ptx_text *t) { return t->errors >= WG_PTX_MAX_ERRORS; }

/* Between begin and end errors are one function's, where they are kept apart; nothing happens where they are
 * not. end gives their text, in the arena; NULL: there is none. */
struct wg_ptx_aside {
    struct wg_diag own, *outer;
    uint32_t outer_errors;
};
void wg_ptx_aside_begin(struct wg_ptx_text *t, struct wg_ptx_aside *a);
const char *wg_ptx_aside_end(struct wg_ptx_text *t, struct wg_ptx_aside *a, struct wg_arena *arena);
/* What it gave is an error of the whole text after all. */
void wg_ptx_repeat(struct wg_ptx_text *t, const char *said);

enum wg_tok {
    WG_TK_EOF,
    WG_TK_IDENT, /* name; also opcodes */
    WG_TK_DOT,   /* .word, .shared::cta: the word without its first dot is at text[off + 1], len - 1 */
    WG_TK_INT,
    WG_TK_F32,    /* 0f3F800000 */
    WG_TK_F64,    /* 0d..., 1.5 */
    WG_TK_STRING, /* off and len with the quotes */
    WG_TK_SHL,
    WG_TK_SHR,
    WG_TK_LE,
    WG_TK_GE,
    WG_TK_EQ,
    WG_TK_NE,
    WG_TK_AND,
    WG_TK_OR,
    WG_TK_BAD, /* has been reported */
    /* other tokens are their character */
};
struct wg_token {
    uint8_t kind;     /* enum wg_tok, or a character */
    bool is_unsigned; /* INT: written with U, or too large to be signed */
    uint32_t off, len, line;
    union {
        struct wg_name *name; /* IDENT */
        uint64_t bits;        /* INT, F32, F64 */
    };
};
struct wg_lexer {
    struct wg_ptx_text *src;
    struct wg_names *names;
    uint32_t pos, line;
    bool tagged; /* names may hold a cluster tag (cluster_tag.h) */
};
struct wg_token wg_lex(struct wg_lexer *lx);
#endif
