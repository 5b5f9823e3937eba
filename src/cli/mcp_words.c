/* A call's arguments as words of this command: see mcp.h. Nothing that a client says can be taken for another option. */
#include "cli/mcp.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A name as messages have it. */
static void say(struct wg_strbuf *why, const char *parameter, const char *value, const char *what) {
    wg_strbuf_printf(why, "%s: ", parameter);
    if (value) {
        wg_strbuf_shown(why, value, strnlen(value, 200));
        wg_strbuf_puts(why, ": ");
    }
    wg_strbuf_puts(why, what);
}

/* A file or folder that is there, inside the server's folder wherever links lead, as a name from there. */
static bool add_path(const struct wg_mcp *server, const struct wg_mcp_parameter *p, const char *name,
                     struct wg_args *words, struct wg_strbuf *why) {
    char path[PATH_MAX];
    size_t n = strlen(server->folder);
    if (!realpath(name, path)) {
        say(why, p->name, name, strerror(errno));
        return false;
    }
    bool inside = !strncmp(path, server->folder, n) && (n == 1 || path[n] == '/' || !path[n]);
    if (!inside) {
        say(why, p->name, name, "it is outside the server's folder");
        return false;
    }
    const char *rest = path + n;
    rest += *rest == '/';
    wg_args_addf(words, "%s./%s", p->kind == WG_MCP_FOLDERS ? p->option : "", rest);
    return true;
}

static bool is_define(const char *text) {
    static const char first[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    if (!*text || !strchr(first, *text)) return false;
    text += strspn(text, first) ? 1 : 0;
    while (*text && (strchr(first, *text) || strchr("0123456789", *text))) text++;
    return !*text || *text == '=';
}

static bool add_text(const struct wg_mcp *server, const struct wg_mcp_parameter *p, const char *text,
                     struct wg_args *words, struct wg_strbuf *why) {
    switch (p->kind) {
    case WG_MCP_FILE:
    case WG_MCP_FILES:
    case WG_MCP_FOLDERS: return add_path(server, p, text, words, why);
    case WG_MCP_DEFINES:
        if (!is_define(text)) {
            say(why, p->name, text, "expected NAME or NAME=VALUE");
            return false;
        }
        wg_args_addf(words, "-D%s", text);
        return true;
    case WG_MCP_NAMES:
        if (*text == '-' || !*text) {
            say(why, p->name, text, "expected a name");
            return false;
        }
        wg_args_add(words, text);
        return true;
    case WG_MCP_ARGUMENTS: wg_args_add(words, text); return true;
    default:
        if (!*text) {
            say(why, p->name, NULL, "it is empty");
            return false;
        }
        wg_args_addf(words, "%s=%s", p->option, text);
        return true;
    }
}

static bool add_all(const struct wg_mcp *server, const struct wg_mcp_parameter *p, const json_t *list,
                    struct wg_args *words, struct wg_strbuf *why) {
    size_t i;
    json_t *item;
    if (!json_is_array(list)) {
        say(why, p->name, NULL, "expected a list of strings");
        return false;
    }
    json_array_foreach(list, i, item) {
        if (!json_is_string(item)) {
            say(why, p->name, NULL, "expected a list of strings");
            return false;
        }
        if (!add_text(server, p, json_string_value(item), words, why)) return false;
    }
    return true;
}

static bool add(const struct wg_mcp *server, const struct wg_mcp_parameter *p, const json_t *value,
                struct wg_args *words, struct wg_strbuf *why) {
    const char *expected = NULL;
    switch (p->kind) {
    case WG_MCP_TEXT:
    case WG_MCP_FILE:
        if (json_is_string(value)) return add_text(server, p, json_string_value(value), words, why);
        expected = "expected a string";
        break;
    case WG_MCP_COUNT:
        if (json_is_integer(value) && json_integer_value(value) >= 0)
            wg_args_addf(words, "%s=%lld", p->option, (long long)json_integer_value(value));
        else
            expected = "expected a whole number";
        break;
    case WG_MCP_FLAG:
        if (!json_is_boolean(value)) expected = "expected true or false";
        if (json_is_true(value)) wg_args_add(words, p->option);
        break;
    case WG_MCP_SECONDS:
        if (!json_is_number(value) || !(json_number_value(value) > 0)) expected = "expected seconds";
        break;
    default: return add_all(server, p, value, words, why);
    }
    if (expected) say(why, p->name, NULL, expected);
    return !expected;
}

/* Every argument is a parameter: a mistyped one would be passed over otherwise. */
static bool all_known(const struct wg_mcp_parameter *parameters, const json_t *arguments,
                      struct wg_strbuf *why) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)arguments, key, value) {
        const struct wg_mcp_parameter *p = parameters;
        while (p->name && strcmp(p->name, key) != 0) p++;
        if (!p->name) {
            say(why, "arguments", key, "unknown parameter");
            return false;
        }
    }
    return true;
}

bool wg_mcp_words(const struct wg_mcp *server, const struct wg_mcp_parameter *parameters,
                  const json_t *arguments, struct wg_args *words, struct wg_strbuf *why) {
    if (!all_known(parameters, arguments, why)) return false;
    for (const struct wg_mcp_parameter *p = parameters; p->name; p++) {
        const json_t *value = json_object_get(arguments, p->name);
        if (!value && p->required) {
            say(why, p->name, NULL, "it is missing");
            return false;
        }
        if (p->kind == WG_MCP_ARGUMENTS && value) wg_args_add(words, "--");
        if (value && !add(server, p, value, words, why)) return false;
    }
    return true;
}
