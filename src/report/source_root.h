/* Names of source files in report files: relative to the folder given by --source-root, which usually is the repository's
 * root. Services that display reports next to the source know no other folder.
 *
 *     root = wg_source_root_of(&arena, NULL);                     "/src/app", where /src/app/.git is
 *     wg_source_root_name(&arena, root, "/src/app/src/a.cu")     "src/a.cu"
 *     wg_source_root_name(&arena, root, "a.cu")                  the same, in /src/app/src
 *
 * Files outside of it, and files that do not exist, keep the name that the compiler was given; so do the headers of Warpglass
 * and of the system.
 */
#ifndef WG_REPORT_SOURCE_ROOT_H
#define WG_REPORT_SOURCE_ROOT_H
#include "report/findings.h"
#include "report/source.h"
#include "report/summary.h"

/* Without a folder given, the root of the repository that the current folder is in; NULL where there is none, or no
 * such folder. */
const char *wg_source_root_of(struct wg_arena *a, const char *given);
/* `root` may be NULL, which changes no name. */
const char *wg_source_root_name(struct wg_arena *a, const char *root, const char *file);
/* All names of a report, and of the files that were read for it. */
void wg_source_root_profile(const char *root, struct wg_profile *r, struct wg_summaries *s,
                            struct wg_sources *sources);
void wg_source_root_findings(const char *root, struct wg_findings_file *f, struct wg_sources *sources);
#endif
