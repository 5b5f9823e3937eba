#!/bin/bash
# Compiling a kernel of many branches takes memory in proportion to them: 207 MB for 500, when each kept all registers.
. "$(dirname "$0")/expect.sh"

read -r _ _ _ most < <(WARPGLASS=$WARPGLASS "$tests/../../bench/compile/growth" branches 500 | tail -n 1)
limit=160
grep -q avx512vl /proc/cpuinfo || limit=230 # 187 there: more code for each gather
((most > 0 && most < limit)) || fail "it took '$most' MB"

# Loops in a row share more and more values: taking such a kernel's code apart had no end from 500 on.
read -r _ _ _ most < <(WARPGLASS=$WARPGLASS timeout 120 "$tests/../../bench/compile/growth" loops 500 | tail -n 1)
((most > 0 && most < 300)) || fail "500 loops took '$most' MB"
finish
