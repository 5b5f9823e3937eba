/* See nvtx.h. Names and numbers of tables are those of NVTX 3. */
#include "driver/nvtx.h"
#include "base/arena.h"
#include <fnmatch.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { DEEPEST = 1000, MOST_SEEN = 24, LONGEST = 256 };

struct domain { /* what the header's handle points to */
    char *name;
    struct domain *next;
};
struct string { /* a registered one */
    char *text;
    struct string *next;
};
struct range {
    const struct domain *domain; /* NULL: the default one */
    char *name;
    uint64_t id; /* of started ranges */
};
/* An event as far as its name goes; the layout is NVTX's. */
struct event {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    union {
        const char *ascii;
        const wchar_t *unicode;
        const struct string *registered;
    } message;
};
enum { ASCII = 1, UNICODE = 2, REGISTERED = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct domain *domains;
static struct string *strings;
static WG_VEC(struct range) started;
static uint64_t next_id = 1;
static WG_VEC(char *) chosen, seen;
static bool more_seen;

/* Those that the thread pushed, the innermost last; of what is deeper only the number is known. They are not in the
 * thread's own memory, of which a library that is loaded later has some hundred bytes. */
static _Thread_local WG_VEC(struct range) pushed;
static _Thread_local uint32_t deeper;

/* ---- Names ------------------------------------------------------------------------------------------------
 */

static char *from_wide(const wchar_t *w) {
    struct wg_strbuf b = {0};
    wg_strbuf_puts(&b, "");
    for (; w && *w && b.n < LONGEST; w++) wg_strbuf_printf(&b, "%c", *w < 128 ? (int)*w : '?');
    return b.s;
}

static char *copy(const char *s) { return s ? strndup(s, LONGEST) : strdup(""); }

static char *name_of(const struct event *e) {
    if (!e) return copy(NULL);
    if (e->message_type == ASCII) return copy(e->message.ascii);
    if (e->message_type == UNICODE) return from_wide(e->message.unicode);
    return copy(e->message_type == REGISTERED && e->message.registered ? e->message.registered->text : NULL);
}

static void note_seen(const struct domain *d, const char *name) {
    char full[2 * LONGEST + 2];
    snprintf(full, sizeof full, "%s%s%s", d ? d->name : "", d ? "@" : "", name);
    pthread_mutex_lock(&lock);
    bool known = false;
    for (uint32_t i = 0; i < seen.n && !known; i++) known = !strcmp(seen.v[i], full);
    if (!known && seen.n < MOST_SEEN)
        *WG_PUSH(&seen) = strdup(full);
    else
        more_seen |= !known;
    pthread_mutex_unlock(&lock);
}

/* ---- What the header calls --------------------------------------------------------------------------------
 */

static int push(const struct domain *d, char *name) {
    note_seen(d, name);
    uint32_t depth = (uint32_t)pushed.n + deeper;
    if (pushed.n < DEEPEST) {
        *WG_PUSH(&pushed) = (struct range){d, name, 0};
    } else {
        free(name);
        deeper++;
    }
    return (int)depth;
}

static int pop(const struct domain *d) {
    if (deeper) return (int)(pushed.n + --deeper);
    size_t i = pushed.n;
    while (i && pushed.v[i - 1].domain != d) i--;
    if (!i) return -1;
    free(pushed.v[i - 1].name);
    memmove(&pushed.v[i - 1], &pushed.v[i], (pushed.n - i) * sizeof *pushed.v);
    if (--pushed.n) return (int)pushed.n;
    free(pushed.v);
    memset(&pushed, 0, sizeof pushed);
    return 0;
}

static uint64_t start(const struct domain *d, char *name) {
    note_seen(d, name);
    pthread_mutex_lock(&lock);
    uint64_t id = next_id++;
    *WG_PUSH(&started) = (struct range){d, name, id};
    pthread_mutex_unlock(&lock);
    return id;
}

static void end(uint64_t id) {
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < started.n; i++) {
        if (started.v[i].id != id) continue;
        free(started.v[i].name);
        started.v[i] = started.v[--started.n];
        break;
    }
    pthread_mutex_unlock(&lock);
}

static int push_event(const struct event *e) { return push(NULL, name_of(e)); }
static int push_text(const char *s) { return push(NULL, copy(s)); }
static int push_wide(const wchar_t *s) { return push(NULL, from_wide(s)); }
static int pop_default(void) { return pop(NULL); }
static uint64_t start_event(const struct event *e) { return start(NULL, name_of(e)); }
static uint64_t start_text(const char *s) { return start(NULL, copy(s)); }
static uint64_t start_wide(const wchar_t *s) { return start(NULL, from_wide(s)); }
static uint64_t domain_start(const struct domain *d, const struct event *e) { return start(d, name_of(e)); }
static void domain_end(const struct domain *d, uint64_t id) { end(id); }
static int domain_push(const struct domain *d, const struct event *e) { return push(d, name_of(e)); }
static int domain_pop(const struct domain *d) { return pop(d); }

/* Domains of one name are one. */
static struct domain *domain(char *name) {
    pthread_mutex_lock(&lock);
    struct domain *d = domains;
    while (d && strcmp(d->name, name) != 0) d = d->next;
    if (d) {
        free(name);
    } else {
        d = wg_xcalloc(1, sizeof *d);
        d->name = name;
        d->next = domains;
        domains = d;
    }
    pthread_mutex_unlock(&lock);
    return d;
}

static struct domain *domain_text(const char *s) { return domain(copy(s)); }
static struct domain *domain_wide(const wchar_t *s) { return domain(from_wide(s)); }

static struct string *string(char *text) {
    struct string *s = wg_xcalloc(1, sizeof *s);
    s->text = text;
    pthread_mutex_lock(&lock);
    s->next = strings;
    strings = s;
    pthread_mutex_unlock(&lock);
    return s;
}

static struct string *string_text(const struct domain *d, const char *s) { return string(copy(s)); }
static struct string *string_wide(const struct domain *d, const wchar_t *s) { return string(from_wide(s)); }

/* ---- Being the tool ---------------------------------------------------------------------------------------
 */

typedef void (*function)(void);
struct callbacks {
    size_t size;
    int (*table)(uint32_t module, function ***out, unsigned *size);
};
enum { CALLBACKS = 1, CORE = 1, CORE2 = 5 };

/* The number of a function in a module's table. */
static const struct {
    uint32_t module, number;
    function own;
} hooks[] = {
    {CORE, 4, (function)start_event},   {CORE, 5, (function)start_text},
    {CORE, 6, (function)start_wide},    {CORE, 7, (function)end},
    {CORE, 8, (function)push_event},    {CORE, 9, (function)push_text},
    {CORE, 10, (function)push_wide},    {CORE, 11, (function)pop_default},
    {CORE2, 2, (function)domain_start}, {CORE2, 3, (function)domain_end},
    {CORE2, 4, (function)domain_push},  {CORE2, 5, (function)domain_pop},
    {CORE2, 10, (function)string_text}, {CORE2, 11, (function)string_wide},
    {CORE2, 12, (function)domain_text}, {CORE2, 13, (function)domain_wide},
};

static bool is_asked(void) {
    const char *s = secure_getenv("WARPGLASS_NVTX");
    return s && *s;
}

/* NVTX calls this by its name. 0: nobody listens, and its functions do nothing from then on. */
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(const void *(*export_table)(uint32_t));
int InitializeInjectionNvtx2(const void *(*export_table)(uint32_t)) {
    const struct callbacks *c = is_asked() ? export_table(CALLBACKS) : NULL;
    if (!c || c->size < sizeof *c || !c->table) return 0;
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++) {
        function **table = NULL;
        unsigned n = 0;
        if (c->table(hooks[i].module, &table, &n) && hooks[i].number < n && table[hooks[i].number])
            *table[hooks[i].number] = hooks[i].own;
    }
    return 1;
}

/* ---- What was chosen --------------------------------------------------------------------------------------
 */

bool wg_nvtx_choose(void) {
    const char *s = secure_getenv("WARPGLASS_NVTX");
    while (s && *s) {
        size_t n = strcspn(s, "\n");
        if (n) *WG_PUSH(&chosen) = strndup(s, n);
        s += n + (s[n] == '\n');
    }
    return chosen.n > 0;
}

/* Whether the expression's domain, in front of its '@', is this one; *names is what stands behind. */
static bool is_domain(const char *expression, const struct domain *d, const char **names) {
    const char *at = strchr(expression, '@');
    *names = at ? at + 1 : expression;
    if (!at) return !d;
    size_t n = (size_t)(at - expression);
    return d && strlen(d->name) == n && !strncmp(d->name, expression, n);
}

static bool is_name(const char *pattern, size_t n, const char *name) {
    char copy[LONGEST + 1];
    if (n > LONGEST) return false;
    memcpy(copy, pattern, n);
    copy[n] = 0;
    return fnmatch(copy, name, 0) == 0;
}

/* The innermost of the domain's pushed ranges below this number, or -1. */
static int64_t below(const struct domain *d, int64_t at) {
    while (--at >= 0 && pushed.v[at].domain != d) {
    }
    return at;
}

/* Whether the names "a/b" are ranges directly around each other, the last of them the innermost below number `at`. A "*"
 * between others stands for any number of ranges. `bottom`: nothing is around them. */
static bool is_chain(const struct domain *d, const char *names, size_t n, int64_t at, bool bottom) {
    if (!n) return !bottom || below(d, at) < 0;
    size_t begin = n;
    while (begin && names[begin - 1] != '/') begin--;
    size_t rest = begin ? begin - 1 : 0;
    bool any = begin && n - begin == 1 && names[begin] == '*';
    for (; any && at >= 0; at = below(d, at))
        if (is_chain(d, names, rest, at, bottom)) return true;
    at = below(d, at);
    return !any && at >= 0 && is_name(names + begin, n - begin, pushed.v[at].name) &&
           is_chain(d, names, rest, at, bottom);
}

/* "[a/b/]" as pushed ranges: '[' nothing is around them, ']' nothing is within them. */
static bool is_pushed(const char *expression, const char *names, size_t n) {
    bool bottom = n && *names == '[', top = n && names[n - 1] == ']';
    const char *unused;
    if (bottom) names++, n--;
    if (top) n--;
    if (bottom && n && *names == '/') names++, n--;
    if (n && names[n - 1] == '/') n--;
    for (uint32_t i = 0; n && i < pushed.n; i++) {
        const struct domain *d = pushed.v[i].domain;
        if (!is_domain(expression, d, &unused) || !is_chain(d, names, n, i + 1, bottom)) continue;
        if (!top || below(d, pushed.n) == i) return true;
    }
    return false;
}

static bool is_started(const char *expression, const char *name, size_t n) {
    const char *unused;
    bool found = false;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < started.n && !found; i++)
        found = is_domain(expression, started.v[i].domain, &unused) && is_name(name, n, started.v[i].name);
    pthread_mutex_unlock(&lock);
    return found;
}

/* Whether all ranges of "a,b" are open. */
static bool is_within(const char *expression) {
    const char *at = strchr(expression, '@'), *names = at ? at + 1 : expression;
    for (;;) {
        size_t n = strcspn(names, ",");
        bool path = memchr(names, '/', n) || (n && (*names == '[' || names[n - 1] == ']'));
        if (!is_pushed(expression, names, n) && (path || !is_started(expression, names, n))) return false;
        if (!names[n]) return true;
        names += n + 1;
    }
}

bool wg_nvtx_is_within(void) {
    for (uint32_t i = 0; i < chosen.n; i++)
        if (is_within(chosen.v[i])) return true;
    return false;
}

void wg_nvtx_put_chosen(struct wg_strbuf *out) {
    for (uint32_t i = 0; i < chosen.n; i++) wg_strbuf_printf(out, "%s'%s'", i ? ", " : "", chosen.v[i]);
}

void wg_nvtx_put_seen(struct wg_strbuf *out) {
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < seen.n; i++) wg_strbuf_printf(out, "%s%s", i ? ", " : "", seen.v[i]);
    if (more_seen) wg_strbuf_puts(out, ", ...");
    pthread_mutex_unlock(&lock);
}
