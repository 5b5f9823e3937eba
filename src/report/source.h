/* Source files named by line information: each is read once, and its lines are found by number.
 *
 * A report may contain its sources. Otherwise a file is searched for under its own name, then next to the result file and
 * next to the program, by its full and by its base name, because a result may be read on another machine. A module's PTX
 * is a file as well, under the module's name.
 *
 *     struct wg_source_file *f = wg_source_find(&s, "transpose.cu");
 *     if (f->found) puts(wg_source_line(f, 7));
 */
#ifndef WG_REPORT_SOURCE_H
#define WG_REPORT_SOURCE_H
#include "report/profile.h"
#include <stdbool.h>

struct wg_source_file {
    const char *name; /* as line information has it */
    bool found;
    const char *text;
    const char **line; /* [0] is line 1; tabs are four blanks wide, ends of lines are not there */
    uint32_t lines;
    struct wg_source_file *next;
};
struct wg_sources {
    struct wg_arena *arena;
    const struct wg_profile *profile; /* may have source inside; NULL: there is none */
    const char *beside[2];            /* folders to look in */
    const char *root;                 /* one more, or NULL */
    struct wg_source_file *files;
};

/* Looks beside the two files named, of which either may be NULL. */
void wg_sources_beside(struct wg_sources *s, struct wg_arena *arena, const char *one, const char *other);
void wg_sources_init(struct wg_sources *s, struct wg_arena *arena, const struct wg_profile *r);
/* Never NULL. */
struct wg_source_file *wg_source_find(struct wg_sources *s, const char *name);
/* The text of a line, or NULL. */
const char *wg_source_line(const struct wg_source_file *f, uint32_t line);
/* The word of C that begins at or contains this column (from 1), or NULL. */
const char *wg_source_word(struct wg_arena *a, const struct wg_source_file *f, uint32_t line,
                           uint32_t column);
/* The array that the place reads or writes: "tile" at the t of tile[y][x] + 1, and at the = of tile[y][x] = 1. NULL
 * where it names none. */
const char *wg_source_array(struct wg_arena *a, const struct wg_source_file *f, uint32_t line,
                            uint32_t column);
/* Whether the place is where a statement begins, which is all that some compilers tell, and its line indexes other
 * arrays than `name`. */
bool wg_source_many_arrays(const struct wg_source_file *f, uint32_t line, uint32_t column, const char *name);
/* Where in the text of a line, from 0 and in bytes, a compiler's column (bytes, from 1) is: tabs became blanks. */
size_t wg_source_offset(const struct wg_source_file *f, uint32_t line, uint32_t column);
/* Where on that line, from 0 and in columns of the text above, a compiler's column (bytes, from 1) is: tabs
 * are wider than a byte, other characters than ASCII narrower. */
int wg_source_column(const struct wg_source_file *f, uint32_t line, uint32_t column);
/* "transpose.cu" of "kernels/transpose.cu" */
const char *wg_source_base(const char *name);
/* Headers that came with Warpglass or the system: their figures show at the lines that call them. */
bool wg_source_is_system(const char *name);
#endif
