#!/bin/bash
# Copies, operands and fragments of matrix instructions (bench/gpu/engines.cu, fragments.cu) cost the same in the reference and in generated code,
# with one thread and three. Instructions are left out: how often a loop asks a barrier depends on who runs when.
# Bulk copies have samples, too: bulk.cu.
. "$(dirname "$0")/../cli/expect.sh"
count() { # NAME
    for program in engines fragments; do
        expect 0 '' -- warpglass profile -w -DWGK_SM90A --json "$1.$program.json" "$tests/../../bench/gpu/$program.cu"
    done
}
WARPGLASS_BACKEND=ref count reference
WARPGLASS_THREADS=1 count one
WARPGLASS_THREADS=3 WARPGLASS_WIDTH=256 count three
expect 0 '' -- warpglass profile -w "$tests/../programs/bulk.cu"
python3 - << 'END' || fail "not what the reference counts"
import json, sys
def counters(name):
    return [(k["display"], {c: v for c, v in k["counters"].items() if "_" in c and "branch" not in c and "lanes" not in c})
            for program in ("engines", "fragments") for k in json.load(open(f"{name}.{program}.json"))["kernels"]]
wrong = 0
for name in "one", "three":
    for (kernel, ours), (_, reference) in zip(counters(name), counters("reference")):
        for c in ours:
            if ours[c] != reference[c]: print(f"{name}: {kernel}: {c}: {ours[c]}, reference {reference[c]}"); wrong += 1
sys.exit(wrong > 0)
END
finish
