#!/bin/bash
# Random kernels that use shared memory: what is proven to be right and not looked at (check/instrument/quiet.h) takes no race away.
# The proofs are about the kernel, whatever runs it: the reference looks at many kernels, with them and without, and generated code,
# which takes long to make, at some, with them. Nothing is asked of how good that is: it is made in the quickest way.
#     shared.sh PROGRAM [COUNT [SEED [GENERATED]]]
program=$(realpath "$1") count=${2:-200} from=${3:-1} generated=${4:-15}
. "$(dirname "$0")/../cli/expect.sh"

# finds FILE COUNT VARIABLE=VALUE...
finds() {
    local file=$1 count=$2
    shift 2
    env WARPGLASS_OPT=0 "$@" "$WARPGLASS" check --only race --threads 1 --timeout 500 --json "$file" "$program" -- \
        --from "$from" --count "$count" > "$stdout" 2> "$stderr"
    [[ $? == 3 ]] || fail "$*: not status 3"
}
# same_findings FILE FILE
same_findings() {
    python3 - "$@" << 'END' || fail "with and without proofs: not the same findings"
import json, sys
def found(file): return [json.dumps(f, sort_keys=True) for f in json.load(open(file))["findings"]]
a, b = map(found, sys.argv[1:])
for f in a:
    if f not in b: print("missing:", f)
for f in b:
    if f not in a: print("more:", f)
print(len(a), "findings")
sys.exit(a != b or not a)
END
}
finds all.json "$count" WARPGLASS_BACKEND=ref WARPGLASS_CHECK_PROOFS=0
finds some.json "$count" WARPGLASS_BACKEND=ref WARPGLASS_CHECK_PROOFS=1
same_findings all.json some.json
finds all.json "$generated" WARPGLASS_BACKEND=ref WARPGLASS_CHECK_PROOFS=0
finds some.json "$generated" WARPGLASS_BACKEND=jit WARPGLASS_CHECK_PROOFS=1
same_findings all.json some.json
finish
