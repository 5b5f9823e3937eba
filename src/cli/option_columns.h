/* The words that options.def uses in its columns "form" and "commands", for those that read these columns:
 * options.c, help.c, manual.c and completion.c. */
#ifndef WG_CLI_OPTION_COLUMNS_H
#define WG_CLI_OPTION_COLUMNS_H
#include "cli/options.h"

enum wg_option_form { FLAG, WORD, EQUALS, JOINED, PREFIX, MAY_EQUAL };
enum {
    R = 1 << WG_CMD_RUN,
    X = 1 << WG_CMD_NVCC,
    C = 1 << WG_CMD_CC | X,
    I = 1 << WG_CMD_INFO,
    O = 1 << WG_CMD_OCCUPANCY,
    P = 1 << WG_CMD_PROFILE,
    M = 1 << WG_CMD_COMPARE,
    T = 1 << WG_CMD_TREND,
    K = 1 << WG_CMD_CHECK,
    V = 1 << WG_CMD_MCP,
    U = 1 << WG_CMD_SUITE,
    G = 1 << WG_CMD_MERGE,
    N = 1 << WG_CMD_NONE,
    S = R | C | O | P | M | K,
    A = (1 << (WG_COMMANDS + 1)) - 1
};
#endif
