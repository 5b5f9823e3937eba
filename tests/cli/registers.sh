#!/bin/bash
# How close the estimate of registers comes to ptxas, over the gallery's kernels: docs/occupancy.md states it.
#     registers.sh [BUILD] [FILE.cu|FILE.ptx ...]      of other files; prints a table
. "$(dirname "$0")/expect.sh"
shift
for ptxas in ptxas "${CUDA_HOME:-/usr/local/cuda}/bin/ptxas" /usr/local/cuda/bin/ptxas; do command -v "$ptxas" && break; done > ptxas ||
    { echo "skipped: there is no ptxas"; exit 77; }
files=("$@")
((${#files[@]})) || files=("$tests"/../../kernels/*/*.cu)
for file in "${files[@]}"; do
    warpglass occupancy --json "$file" > truth.json || fail "$file with ptxas"
    WARPGLASS_PTXAS='' warpglass occupancy --json "$file" > estimate.json || fail "$file without ptxas"
    python3 - "$file" << 'END' || fail "$file"
import json, os, sys
truth, estimate = (json.load(open(f"{n}.json"))["kernels"] for n in ("truth", "estimate"))
for t, e in zip(truth, estimate):
    assert t["registers_from"] == "ptxas" and e["registers_from"] == "estimate" and t["kernel"] == e["kernel"]
    print(f'{t["registers"]}\t{e["registers"]}\t{os.path.basename(sys.argv[1])}\t{t["display"]}')
END
done > table
python3 - << 'END' || fail "further off than the document says"
import statistics
rows = [l.rstrip("\n").split("\t") for l in open("table")]
errors = []
for ptxas, estimate, file, kernel in rows:
    errors.append(abs(int(estimate) - int(ptxas)) / int(ptxas))
    print(f"{ptxas:>4} {estimate:>4} {errors[-1]:6.0%}  {file}: {kernel[:60]}")
print(f"{len(rows)} kernels: median {statistics.median(errors):.1%}, worst {max(errors):.0%}")
assert statistics.median(errors) <= 0.15 and max(errors) <= 0.80
END
finish
