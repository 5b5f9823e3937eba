#!/bin/bash
# Random kernels under `warpglass check`: right ones are clean, and one fault in each is found in each.
# What is asked and what is told is the same whatever runs the kernel: the reference runs most. Generated code is made of COUNT, of
# most of them in the quickest way.
#     checked.sh PROGRAM [COUNT]
program=$(realpath "$1") count=${2:-200}
. "$(dirname "$0")/../cli/expect.sh"

# faults KIND PATTERN COUNT: every launch has a finding of these kinds.
faults() {
    "$WARPGLASS" check --timeout 500 --json found.json "$program" -- --fault "$1" --count "$3" > "$stdout" 2> "$stderr"
    [[ $? == 3 ]] || fail "--fault $1: not status 3"
    python3 - "$2" "$3" << 'END' || fail "--fault $1: not found in every kernel"
import json, re, sys
findings = json.load(open("found.json"))["findings"]
missed = set(range(int(sys.argv[2]))) - {f["launch"] for f in findings if re.fullmatch(sys.argv[1], f["kind"]) and not f["benign"]}
if missed: print("not found in launches", sorted(missed))
sys.exit(len(missed) > 0)
END
}
clean() { expect 0 '' -- warpglass check --timeout 500 "$program" -- "$@" && said '^clean'; }
clean --count $((count / 5))
WARPGLASS_OPT=0 clean --from $((count / 5 + 1)) --count $((count - count / 5))
faults barrier 'race-(warp|block)' $((count / 10))
faults bound 'out-of-bounds|local-bounds' $((count / 10))
export WARPGLASS_BACKEND=ref
clean --count 200
faults barrier 'race-(warp|block)' 40
faults bound 'out-of-bounds|local-bounds' 40
finish
