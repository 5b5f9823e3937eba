#!/bin/bash
# Pairs of kernels, with and without what an expert would change: each gets the advice that its program expects, and no other.
. "$(dirname "$0")/../cli/expect.sh"
here=$tests/../advice
for program in "$here"/*.cu; do
    name=$(basename "$program" .cu)
    expect 0 '' -- warpglass profile "$program" --json "$name.json"
    python3 "$here/pairs.py" "$program" "$name.json" || fail "$name.cu: advice is not as it should be"
done
finish
