#include "cli/commands.h"
int wg_command_info(const struct wg_cmdline *c) { return 0; }
