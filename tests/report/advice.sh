#!/bin/bash
# Each piece of advice: a kernel with the fault gets it, and the same kernel without the fault gets none at all.
. "$(dirname "$0")/../cli/expect.sh"
expect 0 '' -- warpglass profile "$tests/../report/data/advice.cu" --json report.json
python3 - report.json << 'END' || fail "advice is not as it should be"
import json, sys
kernels = json.load(open(sys.argv[1]))["kernels"]
wrong, kinds = 0, set()
for kernel in kernels:
    name = kernel["display"].split("(")[0]
    faulty, kind = name.split("_", 1)
    got = [advice["kind"] for advice in kernel["advice"]]
    kinds.add(kind)
    if (set(got) != {kind}) if faulty == "bad" else got:
        print(name, "got", got or "no advice")
        wrong += 1
    for advice in kernel["advice"]:
        if advice["unit"] and advice["after"] >= advice["before"]:
            print(name, advice["title"], "saves nothing")
            wrong += 1
print(len(kernels), "kernels,", len(kinds), "kinds of advice")
sys.exit(wrong > 0 or len(kinds) < 13)
END
# What the table of advisers has, the program has, or one of tests/advice, or what needs machine code a test with the tools.
programs=("$tests/../report/data/advice.cu" "$tests"/../advice/*.cu "$tests/../count/assembled.sh")
advisers=$(grep -oE '^ +X\([a-z_]+\)' "$tests/../../src/report/advice/adviser.h" | tr -d ' X()')
for kind in $advisers; do
    grep -q -e "void bad_$kind(" -e "^//! says $kind " "${programs[@]}" ||
        fail "no kernel must get '$kind'"
    grep -q -e "void good_$kind(" -e "^//! not $kind" "${programs[@]}" ||
        fail "no kernel must not get '$kind'"
done
finish
