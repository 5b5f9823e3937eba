#!/bin/bash
# Random programs that order what their threads and launches do in many ways (orders.cu): right ones are clean, and where
# one of the meetings is left out that is found.
#     orders.sh SEEDS FAULTS
. "$(dirname "$0")/../cli/expect.sh"
seeds=${1:-200} faults=${2:-5}
program=$tests/../check/orders.cu
for way in warps warps_in_global blocks halves copies stages clusters grids flags streams; do
    expect 0 '' -- warpglass check --timeout 300 "$program" -- "$way" 1 "$seeds"
    said '^clean'
    for ((seed = 1; seed <= faults; seed++)); do
        warpglass check --timeout 60 "$program" -- "$way" "$seed" 1 fault > found 2>&1
        status=$?
        if grep -q '^ordered by other waits' found; then wanted=0; else wanted=3; fi
        [[ $status == "$wanted" ]] || { cat found && fail "$way $seed: status $status, not $wanted"; }
    done
done
finish
