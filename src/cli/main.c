/* `warpglass`: the command. It stands at both ends of the way through the house: it has source compiled to a
 * program (compile.h), and starts the program (run.c), which has Warpglass's libraries inside. */
#include "cli/commands.h"
#include "cli/layout.h"
#include "cli/say.h"
#include "cli/terminal.h"

#include <stdio.h>

static int usage_error(const struct wg_cmdline *c, const char *why) {
    bool none = c->command == WG_CMD_NONE;
    fprintf(stderr, "warpglass: %s\nTry \"warpglass%s%s --help\".\n", why, none ? "" : " ",
            none ? "" : wg_command_name(c->command));
    return 2;
}

int main(int argc, char **argv) {
    struct wg_cmdline c;
    struct wg_strbuf text = {0};
    int status = 2;
    if (!wg_cmdline_parse(&c, argv, &text)) {
        status = usage_error(&c, text.s);
    } else if (wg_cmdline_has(&c, WG_CLI_HELP)) {
        wg_help(c.command, &text);
        status = wg_terminal_finish(&text);
    } else if (wg_cmdline_has(&c, WG_CLI_MAN)) {
        wg_man(c.command, &text);
        status = wg_terminal_finish(&text);
    } else if (wg_cmdline_has(&c, WG_CLI_VERSION)) {
        wg_strbuf_puts(&text, "warpglass " WG_VERSION "\n");
        status = wg_terminal_finish(&text);
    } else if (c.command == WG_CMD_NONE) {
        /* CMake keeps this answer in its log when it is given Warpglass as a compiler of CUDA. */
        status = usage_error(&c, "which command? The compiler is \"warpglass cc\"; \"warpglass toolkit\" "
                                 "makes a folder that has it under the name nvcc, for CMake");
    } else {
        static int (*const commands[])(const struct wg_cmdline *) = {
            [WG_CMD_RUN] = wg_command_run,
            [WG_CMD_CC] = wg_command_cc,
            [WG_CMD_INFO] = wg_command_info,
            [WG_CMD_PROFILE] = wg_command_ranked,
            [WG_CMD_COMPARE] = wg_command_compare,
            [WG_CMD_TREND] = wg_command_compare,
            [WG_CMD_SUITE] = wg_command_suite,
            [WG_CMD_MERGE] = wg_command_merge,
            [WG_CMD_OCCUPANCY] = wg_command_occupancy,
            [WG_CMD_CHECK] = wg_command_ranked,
            [WG_CMD_NVCC] = wg_command_nvcc,
            [WG_CMD_EXPLAIN] = wg_command_explain,
            [WG_CMD_TOOLKIT] = wg_command_toolkit,
            [WG_CMD_TOOL] = wg_command_tool,
            [WG_CMD_ENV] = wg_command_env,
            [WG_CMD_HELP] = wg_command_help,
            [WG_CMD_COMPLETION] = wg_command_completion,
            [WG_CMD_MCP] = wg_command_mcp,
        };
        wg_say_set_verbose(wg_cmdline_has(&c, WG_CLI_VERBOSE));
        status = commands[c.command](&c);
        wg_layout_remove_scratch();
    }
    wg_strbuf_free(&text);
    wg_cmdline_free(&c);
    return status;
}
