#!/bin/bash
# Random kernels that use shared memory: what is proven to be right and not looked at (check/quiet.h) takes no race away.
# Nothing is asked of how good the code is, so it is made in the quickest way.
#     shared.sh PROGRAM [COUNT [SEED]]
program=$(realpath "$1") count=${2:-60} from=${3:-1}
. "$(dirname "$0")/../cli/expect.sh"

# finds FILE VARIABLE=VALUE...
finds() {
    local file=$1
    shift
    env WARPGLASS_OPT=0 "$@" "$WARPGLASS" check --only race --threads 1 --timeout 500 --json "$file" "$program" -- \
        --from "$from" --count "$count" > "$stdout" 2> "$stderr"
    [[ $? == 3 ]] || fail "$*: not status 3"
}
finds all.json WARPGLASS_CHECK_PROOFS=0
finds some.json WARPGLASS_CHECK_PROOFS=1
python3 - << 'END' || fail "with and without proofs: not the same findings"
import json, sys
def found(file): return [json.dumps(f, sort_keys=True) for f in json.load(open(file))["findings"]]
a, b = found("all.json"), found("some.json")
for f in a:
    if f not in b: print("missing:", f)
for f in b:
    if f not in a: print("more:", f)
print(len(a), "findings")
sys.exit(a != b or not a)
END
finish
