/* What kernels take of an SM, in the lines that ptxas -v and nvcc -Xptxas -v print, which scripts read. */
#ifndef WG_CLI_RESOURCE_USAGE_H
#define WG_CLI_RESOURCE_USAGE_H
#include "cli/kernels.h"

/* On standard error, for a machine such as "sm_90"; says once a process that registers are estimated, if they are. */
void wg_resource_usage_say(const struct wg_kernels *k, const char *arch);
#endif
