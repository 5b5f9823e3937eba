#!/bin/bash
# The tools of `warpglass mcp`, their limits, and the protocol's public client.
. "$(dirname "$0")/mcp_ask.sh"
cat > put.cu << 'END'
#include <cstdio>
__global__ void put(int *a, int n) {
    if (threadIdx.x < n) a[threadIdx.x * STEP] = 1;
}
int main(int n, char **words) {
    int *a;
    cudaMalloc(&a, 1024);
    put<<<1, 32>>>(a, n == 3 ? 64 : 32);
    printf("%s%d %d\n", n == 2 ? words[1] : "", STEP, getchar());
    return cudaDeviceSynchronize();
}
END
cat > endless.cu << 'END'
#include <unistd.h>
int main() { for (;;) pause(); }
END
cat > talk.cu << 'END'
#include <cstdio>
int main() {
    for (int i = 0; i < 100000; i++) printf("line %d\n", i);
}
END
cat > large.cu << 'END'
#include <unistd.h>
int main() {
    if (!fork()) { // who is left behind is ended, too
        setsid();
        for (;;) pause();
    }
    for (int i = 0; i < 64; i++) {
        volatile char *some = new char[100 << 20];
        for (long k = 0; k < 100 << 20; k += 4096) some[k] = 1;
    }
}
END


# Each tool. What a program reads is not the client's, and what it prints is not the server's.
ask "$(call 1 run '{"files":["put.cu"],"defines":["STEP=1"],"arguments":["--help "]}')" \
    "$(call 2 check '{"files":["put.cu"],"defines":["STEP=9"]}')" \
    "$(call 3 profile '{"files":["put.cu"],"defines":["STEP=8"],"expect":["put: global_store_sectors == 4"]}')" \
    "$(call 4 explain '{"names":["bank_conflicts"]}')" "$(call 5 occupancy '{"threads":256,"registers":40}')" \
    "$(call 6 compare '{"before":"put.cu","after":"none.json"}')" "$(call 7 explain '{"names":["frobnicate"]}')"
lines 7
answer '"id":1,.*"isError":false.*"status":0,"timed_out":false,"out_of_memory":false,"output":"--help 1 -1\\n"'
answer '"id":2,.*"isError":false.*"status":3.*"report":\{.*out-of-bounds.*put.cu'
answer '"id":3,.*"isError":false.*"status":3.*"messages":"warpglass: .*global_store_sectors.*32.*"report":\{"format":"warpglass-report"'
answer '"id":4,.*"isError":false.*[Bb]ank'
answer '"id":5,.*"isError":false.*"report":\{'
answer '"id":6,.*none.json: No such file.*"isError":true'
answer '"id":7,.*"isError":true.*frobnicate'

# Limits: of time, of memory, of what is answered.
ask "$(call 1 run '{"files":["endless.cu"],"timeout":1.5}')" "$(call 2 run '{"files":["large.cu"]}')" "$(call 4 run '{"files":["talk.cu"]}')" \
    '{"jsonrpc":"2.0","id":3,"method":"ping"}'
lines 4
answer '"id":1,.*"isError":true.*"timed_out":true'
answer '"id":2,.*limit of memory.*"isError":true.*"timed_out":false,"out_of_memory":true'
answer '"id":4,.*"status":0.*more bytes'
[[ -z $(pgrep -f "$scratch/cache/programs/.*large") ]] || fail "a process was left behind"
[[ $(wc -c < "$answers") -lt 100000 ]] || fail "long answers"

# A report of many lines is cut, and says so; it stays JSON (ask looks).
{
    echo '__global__ void many(int *a) {'
    for i in {1..200}; do echo "    a[threadIdx.x * $((i % 7 + 1))] += $i;"; done
    echo '}'
    echo 'int main() { int *a; cudaMalloc(&a, 4096); many<<<1, 32>>>(a); return cudaDeviceSynchronize(); }'
} > many.cu
ask "$(call 1 profile '{"files":["many.cu"]}')"
answer '"left_out":\{"kernels\[0\]\.[a-z]+'
[[ $(wc -c < "$answers") -lt 150000 ]] || fail "a report of $(wc -c < "$answers") bytes"

[[ -z $(ls "${TMPDIR:-/tmp}"/warpglass.??????/report.json 2> /dev/null) ]] || fail "a report was left behind"

# The protocol's public client, where it is installed.
if python3 -c 'import mcp' 2> /dev/null; then
    expect 0 '' -- python3 "$tests/mcp_client.py" "$WARPGLASS" .
else
    echo "the Python package mcp is not installed: asked by hand only"
fi
finish
