/* The memory that a call of `warpglass mcp` may take, of all its processes together: a thread looks at them all the while, and
 * ends them when it is too much. What counts is memory that is used: address space says nothing about a program whose device
 * memory, and what check keeps of it, is only reserved.
 */
#ifndef WG_CLI_MCP_WATCH_H
#define WG_CLI_MCP_WATCH_H
#include <stdbool.h>
#include <stdint.h>

/* False with errno set. Processes that are there already are nobody's call. */
bool wg_mcp_watch_begin(uint64_t most_bytes);
/* What the call left running is ended. Whether it took too much. */
bool wg_mcp_watch_end(void);
#endif
