/* The commands: each takes its command line and gives an exit status. */
#ifndef WG_CLI_COMMANDS_H
#define WG_CLI_COMMANDS_H
#include "cli/options.h"

int wg_command_run(const struct wg_cmdline *c);
int wg_command_cc(const struct wg_cmdline *c);
int wg_command_nvcc(const struct wg_cmdline *c);
int wg_command_toolkit(const struct wg_cmdline *c);
int wg_command_tool(const struct wg_cmdline *c);
int wg_command_env(const struct wg_cmdline *c);
int wg_command_explain(const struct wg_cmdline *c);
int wg_command_help(const struct wg_cmdline *c);
int wg_command_mcp(const struct wg_cmdline *c);
int wg_command_completion(const struct wg_cmdline *c);
int wg_command_info(const struct wg_cmdline *c);
int wg_command_profile(const struct wg_cmdline *c);
int wg_command_compare(const struct wg_cmdline *c); /* and trend */
int wg_command_check(const struct wg_cmdline *c);
int wg_command_ranked(const struct wg_cmdline *c); /* profile and check, perhaps of many ranks */
int wg_command_merge(const struct wg_cmdline *c);
int wg_command_suite(const struct wg_cmdline *c);
int wg_command_occupancy(const struct wg_cmdline *c);
#endif
