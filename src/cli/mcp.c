/* Lines and messages of `warpglass mcp`: see mcp.h. */
#include "cli/mcp.h"
#include "cli/commands.h"
#include "cli/layout.h"
#include "cli/say.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PARSE_ERROR = -32700, INVALID_REQUEST = -32600, NO_METHOD = -32601, INVALID_PARAMS = -32602 };
enum { LONGEST_LINE = 4 << 20 };

/* ---- Messages ---------------------------------------------------------------------------------------------
 */

static json_t *failure(json_t *id, int code, const char *message) {
    return json_pack("{s:s, s:O?, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", id ? id : json_null(), "error",
                     "code", code, "message", message);
}

static json_t *success(json_t *id, json_t *result) {
    return json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result);
}

/* The client's version of the protocol where it is known, otherwise the newest; what is used of them is the same in all. */
static json_t *initialize(const json_t *params) {
    static const char *const versions[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
    const char *asked = json_string_value(json_object_get(params, "protocolVersion")), *version = versions[0];
    for (size_t i = 0; asked && i < sizeof versions / sizeof *versions; i++)
        if (!strcmp(asked, versions[i])) version = versions[i];
    return json_pack(
        "{s:s, s:{s:{}}, s:{s:s, s:s, s:s}, s:s}", "protocolVersion", version, "capabilities", "tools",
        "serverInfo", "name", "warpglass", "title", "Warpglass", "version", WG_VERSION, "instructions",
        "Runs, checks and profiles CUDA programs on this machine's CPU; no GPU is needed. Counts are those "
        "of the hardware's profiler and the same in every run; times are modelled. Files are named from the "
        "server's folder. Use check when results are wrong, profile to see which lines cost what and why, "
        "and explain for the words in reports.");
}

static json_t *call(const struct wg_mcp *server, json_t *id, const json_t *params) {
    const char *name = json_string_value(json_object_get(params, "name"));
    const json_t *arguments = json_object_get(params, "arguments");
    if (!name) return failure(id, INVALID_PARAMS, "tools/call needs the name of a tool");
    if (arguments && !json_is_object(arguments))
        return failure(id, INVALID_PARAMS, "arguments: expected an object");
    json_t *result = wg_mcp_call(server, name, arguments);
    if (result) return success(id, result);
    struct wg_strbuf why = {0};
    wg_strbuf_puts(&why, "Unknown tool: ");
    wg_strbuf_shown(&why, name, strnlen(name, 100));
    json_t *answer = failure(id, INVALID_PARAMS, why.s);
    wg_strbuf_free(&why);
    return answer;
}

/* NULL where none is due: for notifications, and for answers to what was never asked. */
static json_t *answer(const struct wg_mcp *server, json_t *message) {
    json_t *id = json_object_get(message, "id");
    const json_t *params = json_object_get(message, "params");
    const char *version = json_string_value(json_object_get(message, "jsonrpc"));
    const char *method = json_string_value(json_object_get(message, "method"));
    bool has_id = json_is_string(id) || json_is_integer(id);
    if (!json_is_object(message)) return failure(NULL, INVALID_REQUEST, "expected a JSON object, one a line");
    if (!version || strcmp(version, "2.0") != 0 || (id && !has_id))
        return failure(has_id ? id : NULL, INVALID_REQUEST, "expected a message of JSON-RPC 2.0");
    if (!method && (json_object_get(message, "result") || json_object_get(message, "error"))) return NULL;
    if (!method) return failure(id, INVALID_REQUEST, "expected a method");
    if (!id) return NULL;
    if (params && !json_is_object(params)) return failure(id, INVALID_PARAMS, "params: expected an object");
    if (!strcmp(method, "initialize")) return success(id, initialize(params));
    if (!strcmp(method, "ping")) return success(id, json_object());
    if (!strcmp(method, "tools/list")) return success(id, wg_mcp_tools());
    if (!strcmp(method, "tools/call")) return call(server, id, params);
    return failure(id, NO_METHOD, "unknown method");
}

/* ---- Lines ------------------------------------------------------------------------------------------------
 */

/* Takes the answer. False when nobody listens any more. */
static bool put(int out, json_t *message) {
    if (!message) return true;
    char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    if (!text) return true;
    size_t n = strlen(text);
    text[n] = '\n';
    bool good = wg_write_all(out, text, n + 1);
    free(text);
    return good;
}

static bool take_line(const struct wg_mcp *server, int out, const char *line, size_t n) {
    json_error_t error;
    struct wg_strbuf why = {0};
    if (strspn(line, " \t\r") >= n) return true;
    json_t *message = json_loadb(line, n, JSON_DECODE_ANY, &error);
    if (!message) {
        wg_strbuf_printf(&why, "not JSON: %s", error.text);
        bool good = put(out, failure(NULL, PARSE_ERROR, why.s));
        wg_strbuf_free(&why);
        return good;
    }
    json_t *due = answer(server, message);
    json_decref(message);
    return put(out, due);
}

/* Until the client closes its end. */
static void serve(const struct wg_mcp *server, int in, int out) {
    struct wg_strbuf text = {0};
    bool skipping = false, good = true; /* the rest of a line that is too long */
    static char piece[65536];
    ssize_t got;
    while (good && ((got = read(in, piece, sizeof piece)) > 0 || (got < 0 && errno == EINTR))) {
        if (wg_process_ending_signal()) break;
        size_t done = 0;
        for (const char *end; good && got > 0 && (end = memchr(piece + done, '\n', (size_t)got - done));) {
            size_t n = (size_t)(end - piece) - done;
            if (!skipping) {
                wg_strbuf_add(&text, piece + done, n);
                good = take_line(server, out, text.s ? text.s : "", text.n);
            }
            skipping = false;
            wg_strbuf_free(&text);
            done += n + 1;
        }
        if (got > 0 && !skipping) wg_strbuf_add(&text, piece + done, (size_t)got - done);
        if (text.n > LONGEST_LINE) {
            good = put(out, failure(NULL, PARSE_ERROR, "a message has at most 4 MiB"));
            skipping = true;
            wg_strbuf_free(&text);
        }
    }
    if (good && text.n) take_line(server, out, text.s, text.n); /* the last, without a newline */
    wg_strbuf_free(&text);
}

/* ---- The command ------------------------------------------------------------------------------------------
 */

/* 4G, 512M: bytes. */
static bool read_size(const char *text, uint64_t *bytes) {
    const double least = 256 << 20, most = 1e15;
    char *end;
    double n = strtod(text, &end);
    if (*end == 'M')
        n *= 1 << 20, end++;
    else if (*end == 'G')
        n *= 1 << 30, end++;
    bool good = *text >= '0' && *text <= '9' && !*end && n >= least && n < most;
    if (good) *bytes = (uint64_t)n;
    return good;
}

/* Of a call; and the largest file that one of its processes may write. */
static bool set_limits(const struct wg_cmdline *c, struct wg_mcp *server) {
    enum { DEFAULT_SECONDS = 60, LONGEST = 86400 };
    const rlim_t largest_file = (rlim_t)1 << 28;
    const char *memory = wg_cmdline_value(c, WG_CLI_MEMORY), *timeout = wg_cmdline_value(c, WG_CLI_TIMEOUT);
    server->memory = (uint64_t)4 << 30;
    char *end = "";
    server->timeout = timeout ? strtod(timeout, &end) : DEFAULT_SECONDS;
    if (*end || !(server->timeout > 0 && server->timeout <= LONGEST)) {
        wg_say("--timeout %s: expected seconds, such as 60", timeout);
        return false;
    }
    if (memory && !read_size(memory, &server->memory)) {
        wg_say("--memory %s: expected at least 256M, such as 4G", memory);
        return false;
    }
    if (access("/proc/self/stat", R_OK) != 0)
        wg_say("/proc is not mounted: what calls use of memory is not limited, and processes that they leave "
               "running are not stopped");
    /* Who leaves a process behind leaves it to this one, which ends it. */
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 ||
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){largest_file, largest_file}) != 0 ||
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}) != 0) {
        wg_say("cannot limit what programs may use: %s", strerror(errno));
        return false;
    }
    return true;
}

/* The client's two ends are kept from the programs that are started, and from whatever prints. */
static bool keep_apart(int *in, int *out) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    *in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    *out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    bool good = nothing >= 0 && *in >= 0 && *out >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
                dup2(nothing, STDOUT_FILENO) >= 0;
    if (!good) wg_say("standard input and output: %s", strerror(errno));
    return good;
}

int wg_command_mcp(const struct wg_cmdline *c) {
    const char *folder = wg_cmdline_value(c, WG_CLI_FILE);
    char path[PATH_MAX];
    struct wg_mcp server = {.folder = path};
    int in, out;
    if (!realpath(folder ? folder : ".", path) || chdir(path) != 0) {
        wg_say("%s: %s", folder ? folder : ".", strerror(errno));
        return 2;
    }
    if (!wg_layout_scratch()) return 1;
    if (!set_limits(c, &server)) return 2;
    if (!keep_apart(&in, &out)) return 1;
    unsetenv("GITHUB_ACTIONS"); /* annotations are for a log */
    serve(&server, in, out);
    return 0;
}
