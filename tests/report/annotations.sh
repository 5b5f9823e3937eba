#!/bin/bash
# What GitHub Actions shows beside the source: annotations of broken budgets and of findings; and names of files from
# the repository's root, wherever in it the command runs.
. "$(dirname "$0")/../cli/expect.sh"
mkdir -p app/.git app/src/deep 'app/a b'
cat > app/src/race.cu << 'END'
__global__ void race(int *x) {
    x[0] = threadIdx.x;
}
int main() {
    int *x;
    cudaMalloc(&x, 4);
    race<<<1, 64>>>(x);
    return cudaDeviceSynchronize();
}
END
printf '# none\nother: instructions > 0\nrace: global_store_requests == 1\n' > app/src/budget.txt
cd app/src || exit 1

# Findings. Only there, and only what counts.
check=(warpglass check race.cu --sarif r.sarif --junit r.xml --json r.json)
GITHUB_ACTIONS=true expect 3 '^::error file=src/race.cu,line=2,col=[0-9]+,title=race-block::[^%]*$' -- "${check[@]}"
expect 3 '' -- "${check[@]}"
GITHUB_ACTIONS=false expect 3 '' -- "${check[@]}"
said 'race.cu:2:' # as the compiler has it
echo race-block > known
GITHUB_ACTIONS=true expect 0 '' -- "${check[@]}" --suppress known

# Names: from the root, or from another folder; outside of it as they are.
names() {
    python3 - "$1" << 'END' || fail "names of files are not $1"
import json, sys, xml.etree.ElementTree as tree
run = json.load(open("r.sarif"))["runs"][0]
place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
found = [place["uri"], json.load(open("r.json"))["findings"][0]["where"]["file"]]
found += [c.get("file") for c in tree.parse("r.xml").iter("testcase") if c.find("failure") is not None]
base = run.get("originalUriBaseIds", {}).get("%SRCROOT%", {}).get("uri")
rules = run["tool"]["driver"]["rules"]
if not all(r["help"]["markdown"] and r["help"]["text"] for r in rules): sys.exit("a rule without help")
if set(found) != {sys.argv[1]} or (base and not base.endswith("/")): sys.exit(f"{found} {base}")
END
}
names src/race.cu
grep -q "\"file://$scratch/app/\"" r.sarif || fail "no base of the names"
expect 3 '' -- "${check[@]}" --source-root .
names race.cu
expect 3 '' -- "${check[@]}" --source-root deep
names race.cu # not in it
(cd deep && expect 3 '' -- warpglass check "$scratch/app/src/race.cu" --sarif ../r.sarif --junit ../r.xml --json ../r.json
    exit $failures) || fail "in a folder further down"
names src/race.cu
expect 2 '^warpglass: --source-root nowhere: No such file or directory$' -- "${check[@]}" --source-root nowhere
expect 2 '^warpglass: --source-root race.cu: Not a directory$' -- "${check[@]}" --source-root race.cu

# Budgets: at the kernel's line, the one that is named, or the budget's where there is no such kernel.
GITHUB_ACTIONS=true expect 3 "^::error file=src/budget.txt,line=2,title=expectation::budget.txt:2: 'other: " -- \
    warpglass profile race.cu --budget budget.txt --json p.json --csv p.csv
grep -qE '^::error file=src/race.cu,line=[12],title=expectation::budget.txt:3: race: global_store_requests is 2, expected == 1' "$stderr" ||
    fail "no annotation of a broken budget"
GITHUB_ACTIONS=true expect 3 '^::error file=src/race.cu,line=2,title=expectation::--expect: race@race.cu:2: global_store_requests is 2, .*\(100 %25\)' -- \
    warpglass profile race.cu --expect 'race@race.cu:2: global_store_requests == 1'
expect 3 '^warpglass: --expect: race@race.cu:2: ' -- warpglass profile race.cu --expect 'race@race.cu:2: global_store_requests == 1'
grep -q :: "$stderr" && fail "annotations where nobody asked"
grep -q '"src/race.cu"' p.json || fail "JSON's names"
grep -q ',src/race.cu,' p.csv || fail "CSV's names"
grep -q '"race.cu"' p.json && fail "another name"
# A report of before is shown as it was written.
cd "$scratch" || exit 1
cp app/src/p.json . && : > app/src/race.cu
expect 0 '' -- warpglass profile p.json --html p.html --json again.json
said 'x\[0\] = threadIdx.x'
cmp p.json again.json || fail "a report that was read is another"

# What names have in them means nothing to the service.
printf '__global__ void odd(int *x) { x[0] = 1; }\nint main() { odd<<<1, 1>>>(nullptr); return cudaDeviceSynchronize(); }\n' > 'app/a b/o,d:d%.cu'
cd app || exit 1
GITHUB_ACTIONS=true expect 3 '^::error file=a b/o%2Cd%3Ad%25.cu,line=1,col=[0-9]+,title=[a-z-]+::' -- warpglass check 'a b/o,d:d%.cu'

# Files are known to be writable before anything runs.
expect 1 '^warpglass: --sarif /nowhere/x: No such file or directory$' -- warpglass check src/race.cu --sarif /nowhere/x
not_said race
finish
