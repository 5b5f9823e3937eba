/* Reading JSON files with validation: the first invalid value is reported with its path, such as
 * "kernels[0].launches[2].grid[1]: missing".
 *
 * Functions that read a part return no status; callers check `failed` where it affects what they do next, and otherwise
 * continue with harmless empty values.
 *
 *     struct wg_reader r = {.arena = &arena, .why = &why, .path = path};
 *     json_t *root = wg_read_json(&r, text, length);
 *     n = wg_read_small(&r, root, "count", 0);
 *     json_decref(root);
 */
#ifndef WG_REPORT_READER_H
#define WG_REPORT_READER_H
#include "base/arena.h"
#include "base/frame.h"
#include "base/strbuf.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct wg_reader {
    struct wg_arena *arena;
    struct wg_strbuf *why;
    const char *path; /* of the file */
    char place[256];  /* in the file, of the value being read */
    bool failed;
};

/* The file's root, which the caller gives back; NULL with a message in `why` when it is no JSON. */
json_t *wg_read_json(struct wg_reader *r, const char *text, size_t length);

/* Without `key` the place itself is wrong. */
void wg_read_fail(struct wg_reader *r, const char *key, const char *what);
/* The place grows by ".key[index]", and shrinks to what it was. */
size_t wg_read_enter(struct wg_reader *r, const char *key, size_t index);
void wg_read_leave(struct wg_reader *r, size_t n);

/* NULL where there is none; text_needed: "", which is wrong. */
const char *wg_read_text(struct wg_reader *r, const json_t *o, const char *key);
const char *wg_read_text_needed(struct wg_reader *r, const json_t *o, const char *key);
/* A value that is a number from 0 to `most`. */
uint64_t wg_read_count(struct wg_reader *r, const char *key, const json_t *v, uint64_t most);
/* A member; `otherwise` where there is none. */
uint32_t wg_read_small(struct wg_reader *r, const json_t *o, const char *key, uint32_t otherwise);
uint64_t wg_read_large(struct wg_reader *r, const json_t *o, const char *key);
/* The array at `key`, or NULL when there is none, which is wrong where it is `needed`. */
const json_t *wg_read_array(struct wg_reader *r, const json_t *o, const char *key, bool needed);
/* The frames at "frames", of which those without a file or line are left out; their number in `count`. */
struct wg_frame *wg_read_frames(struct wg_reader *r, const json_t *o, uint32_t *count);
/* [x, y, z] */
void wg_read_shape(struct wg_reader *r, const json_t *o, const char *key, bool needed, uint32_t otherwise,
                   uint32_t out[3]);
#endif
