#!/bin/bash
# Whole programs that are right: asynchronous copies, mbarriers, matrix instructions, tiles, atomics, phases. Nothing is to be
# found in any of them.
. "$(dirname "$0")/../cli/expect.sh"
for name in copies tensors bulk nbody atomics leaders producer phases; do
    expect 0 '' -- warpglass check --threads 2 "$tests/../programs/$name.cu"
    not_said 'no kernel was launched'
    case $name in tensors | bulk | copies) not_said '^Note: ' ;; esac
done
finish
