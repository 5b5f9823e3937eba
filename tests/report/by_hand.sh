#!/bin/bash
# Programs as users write them, with counters that were worked out by hand: templates, functions inlined over two files,
# several launches. And what reports say of them.
. "$(dirname "$0")/../cli/expect.sh"
cp "$tests"/../report/by_hand/* .
expect 0 '' -- warpglass profile filters.cu --budget filters.budget --json filters.json
said '^convolve\(float const\*, float\*\)$'
[[ $(grep -c '^  [0-9]\. ' "$stdout") == 2 ]] || fail "more advice than on the scan's banks and the structure"
said '^  1\. Bank conflicts: part'
said '^  1\. Array of structures: p'
said 'fields alive, vx, vy, vz, mass and others'
expect 0 '' -- warpglass profile main.cu sums.cu --budget sums.budget
sed 's/excess_sectors == 0/excess_sectors > 0/' sums.budget > wrong.budget
expect 3 'wrong.budget:[0-9]+: column_sums: global_excess_sectors is 0, expected > 0' -- \
    warpglass profile main.cu sums.cu --budget wrong.budget
finish
