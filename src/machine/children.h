/* What the threads of a launch ask of the device runtime (warp/device_runtime.h): work that begins when the launch has
 * ended. A launch is complete when all of that is.
 *
 *     device_runtime.c   a thread asks: the work is checked and listed, its launch's children
 *     children.c         the launch has ended: they are put into streams of their own; then its tail launches
 *
 * In CUDA a child may begin when the thread has launched it, and need not before its parent has ended. A kernel cannot
 * wait for its children, so nothing hangs on that.
 */
#ifndef WG_MACHINE_CHILDREN_H
#define WG_MACHINE_CHILDREN_H
#include "machine/child_memory.h"
#include "machine/work.h"
#include "warp/device_runtime.h"

enum wg_child_kind { WG_CHILD_LAUNCH, WG_CHILD_COPY, WG_CHILD_FILL, WG_CHILD_RECORD, WG_CHILD_WAIT };

struct wg_child {
    uint8_t kind;
    bool asked; /* it is to be done: WG_RUNTIME_GO */
    uint64_t block;
    uint32_t thread, order; /* in the block, and in which the block asked */
    bool after_others;      /* the block had synchronised with others before */
    uint64_t stream;
    uint32_t id; /* of the call in the parent's code */
    struct wg_launch launch;
    uint64_t memory; /* LAUNCH: of its parameters */
    struct wg_copy copy;
    struct wg_fill fill;
    uint64_t event; /* RECORD, WAIT */
};

/* The last error of a thread that has one. */
struct wg_child_error {
    uint64_t block;
    uint32_t thread, error;
};

struct wg_children {
    struct wg_device *dev;
    struct wg_func *of; /* the parent */
    uint32_t depth;     /* of the parent: 1 when the host launched it */
    struct wg_arena arena;
    WG_VEC(struct wg_child *) all;
    WG_VEC(struct wg_child_error) errors;
};

/* device_runtime.c: what services.device_runtime is. */
void wg_device_runtime(struct wg_warp *w, uint32_t id, uint32_t lanes, const uint64_t *what,
                       const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *ret);
/* device_runtime_text.c: a module's text and the functions of the device runtime that nvcc names. False: it names none. */
bool wg_device_runtime_join(const char *text, size_t len, struct wg_strbuf *out);
void wg_children_free(struct wg_children *c);

/* children.c. The launch has ended. True: its work ends later, when its children's has. */
bool wg_children_follow(struct wg_grid *g);
void wg_children_close(struct wg_device *dev);

/* launch.c */
/* by: the kernel, and where it launches; as long as the launch */
enum wg_status wg_launch_child(struct wg_stream *s, const struct wg_launch *l, uint32_t depth,
                               const char *by);
#endif
