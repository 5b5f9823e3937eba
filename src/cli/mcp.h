/* `warpglass mcp`: a server of the Model Context Protocol on standard input and output, so that an editor's or an agent's
 * model can run, check and profile CUDA programs. One line is one message of JSON-RPC 2.0.
 *
 *     mcp.c         lines and messages           mcp_tools.c   the tools, their parameters, and their results
 *     mcp_words.c   a call's arguments, looked at, as words of this command
 *     mcp_cut.c     a report cut to what fits
 *     mcp_watch.c   how much memory it takes
 *
 * Each call is this command again, in a process of its own with limits of time and memory. Files are named below one folder, and
 * a name that leads out of it is refused. What a program does while it runs is no more confined than with `warpglass run`.
 */
#ifndef WG_CLI_MCP_H
#define WG_CLI_MCP_H
#include "cli/process.h"

#include <jansson.h>
#include <stdint.h>

struct wg_mcp {
    const char *folder; /* as realpath has it */
    double timeout;     /* seconds, of one call */
    uint64_t memory;    /* bytes, of all processes of one */
};

/* What tools/list answers with. */
json_t *wg_mcp_tools(void);
/* The result of tools/call. NULL where there is no such tool. `arguments` may be NULL. */
json_t *wg_mcp_call(const struct wg_mcp *server, const char *name, const json_t *arguments);

enum wg_mcp_kind {
    WG_MCP_TEXT,      /* --arch=TEXT */
    WG_MCP_TEXTS,     /* --expect=TEXT for each */
    WG_MCP_COUNT,     /* --threads=COUNT */
    WG_MCP_FLAG,      /* --leaks */
    WG_MCP_FILES,     /* names of files in the folder */
    WG_MCP_FILE,      /* one */
    WG_MCP_FOLDERS,   /* -IFOLDER for each, in the folder */
    WG_MCP_DEFINES,   /* -DNAME=VALUE for each */
    WG_MCP_NAMES,     /* words that are no options */
    WG_MCP_ARGUMENTS, /* the program's: behind -- */
    WG_MCP_SECONDS    /* for the server itself */
};
struct wg_mcp_parameter {
    const char *name;
    enum wg_mcp_kind kind;
    bool required;
    const char *option, *description;
};
/* Adds the words of a call. False with what is wrong in `why`. */
bool wg_mcp_words(const struct wg_mcp *server, const struct wg_mcp_parameter *parameters,
                  const json_t *arguments, struct wg_args *words, struct wg_strbuf *why);

/* Shortens lists and texts, the longest first, until the report has no more than `most` bytes as JSON. What was left out
 * is listed in its member "left_out". */
void wg_mcp_cut(json_t *report, size_t most);
#endif
