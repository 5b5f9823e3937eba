#!/bin/bash
# `warpglass mcp` by raw lines of JSON-RPC: what the protocol asks for, and what hostile clients send.
. "$(dirname "$0")/mcp_ask.sh"

# The handshake; notifications have no answer, and neither have answers to nothing.
ask '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}' \
    '{"jsonrpc":"2.0","method":"notifications/initialized"}' '' '{"jsonrpc":"2.0","id":9,"result":{}}' \
    '{"jsonrpc":"2.0","id":"two","method":"ping"}' '{"jsonrpc":"2.0","id":3,"method":"tools/list"}' \
    '{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}'
lines 4
answer '"id":1,"result":\{"protocolVersion":"2025-06-18","capabilities":\{"tools":\{\}\},"serverInfo":\{"name":"warpglass"'
answer '"id":"two","result":\{\}'
answer '"id":4,"result":\{"protocolVersion":"20'
for tool in run check profile compare explain occupancy; do answer "\"name\":\"$tool\""; done

# What is no request.
ask '{' 'nonsense' '[]' '3' '"text"' '{"jsonrpc":"1.0","id":1,"method":"ping"}' '{"jsonrpc":"2.0","id":2}' \
    '{"jsonrpc":"2.0","id":3,"method":"frobnicate"}' '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"rm"}}' \
    '{"jsonrpc":"2.0","id":5,"method":"tools/call"}' '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":[1]}' \
    '{"jsonrpc":"2.0","id":null,"method":"ping"}' '{"jsonrpc":"2.0","id":{},"method":"ping"}' \
    '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"run","arguments":[]}}' $'{"jsonrpc":"2.0","id":8,"method":"pi\xffng"}'
lines 15
[[ $(grep -c '"id":null,"error":{"code":-32700' "$answers") == 3 ]] || fail "parse errors"
[[ $(grep -c '"id":null,"error":{"code":-32600' "$answers") == 5 ]] || fail "invalid requests"
answer '"id":1,"error":\{"code":-32600'
answer '"id":2,"error":\{"code":-32600'
answer '"id":3,"error":\{"code":-32601'
answer '"id":4,"error":\{"code":-32602,"message":"Unknown tool: rm"'
for id in 5 6 7; do answer "\"id\":$id,\"error\":\{\"code\":-32602"; done

# A line of many megabytes, one that nests deeply, one without an end: the next one is answered.
{
    head -c 9000000 /dev/zero | tr '\0' x
    printf '\n%s\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n' "$(head -c 100000 /dev/zero | tr '\0' '[')"
    printf '{"jsonrpc":"2.0","id":2,"method":"ping"}'
} | "$WARPGLASS" mcp > "$answers" 2> "$stderr" || fail "long lines"
lines 4
[[ $(grep -c '"code":-32700' "$answers") == 2 ]] || fail "long lines: $(head -c 500 "$answers")"
answer '"id":1,"result":\{\}'
answer '"id":2,"result":\{\}'

# Arguments that are none, and files that are not the client's.
ask "$(call 1 run '{}')" "$(call 2 run '{"files":"nothing.cu"}')" "$(call 3 run '{"files":["../outside/secret.cu"]}')" \
    "$(call 4 run '{"files":["/etc/passwd"]}')" "$(call 5 run '{"files":["link.cu"]}')" "$(call 6 run '{"files":["none.cu"]}')" \
    "$(call 7 run '{"files":["nothing.cu"],"include_dirs":["/usr/include"]}')" "$(call 8 run '{"files":["nothing.cu"],"defines":["STEP 1"]}')" \
    "$(call 9 run '{"files":["nothing.cu"],"output":"x"}')" "$(call 10 explain '{"names":["--verbose"]}')" \
    "$(call 11 run '{"files":["nothing.cu"],"timeout":-1}')" "$(call 12 run '{"files":[1]}')" "$(call 13 run '{"files":["--version"]}')" \
    "$(call 14 occupancy '{"threads":-3}')"
lines 14
for id in {1..14}; do answer "\"id\":$id,\"result\".*\"isError\":true"; done
answer '"id":1,.*files: it is missing'
for id in 3 4 5; do answer "\"id\":$id,.*outside the server's folder"; done
answer '"id":7,.*outside'
answer '"id":9,.*output: unknown parameter'

expect 2 "mcp|No such file" -- warpglass mcp none
expect 2 '--timeout never' -- warpglass mcp --timeout never
expect 2 '--memory 3' -- warpglass mcp --memory 3
finish
