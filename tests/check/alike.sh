#!/bin/bash
# Blocks that are alike (machine/watch/check_alike.c): a race that only some blocks have, or some launches, is found, and
# findings do not depend on how many workers there are.
. "$(dirname "$0")/../cli/expect.sh"
program=$tests/../check/alike.cu
expect 0 '' -- warpglass check "$program"
said '^clean'
for odd in ADDRESS STEP BRANCH DATA INDEX EQUAL ALL; do
    for later in NOT_LATER LATER; do
        for threads in 1 3; do
            expect 3 '' -- warpglass check --threads $threads -D$odd -D$later "$program"
            said '^race-'
            sed '/^Checked/,$d' "$stdout" > "found.$threads"
        done
        cmp -s found.1 found.3 || fail "$odd $later: findings differ with the number of workers"
    done
done
finish
