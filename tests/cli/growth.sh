#!/bin/bash
# Compiling a kernel of many branches takes memory in proportion to them: 207 MB for 500, when each kept all registers.
. "$(dirname "$0")/expect.sh"

read -r _ _ _ most < <(WARPGLASS=$WARPGLASS "$tests/../../bench/compile/growth" branches 500 | tail -n 1)
((most > 0 && most < 160)) || fail "it took '$most' MB"
finish
