#!/bin/bash
# Names and source lines with what terminals, browsers and spreadsheets act upon: it is shown, wherever it comes out.
. "$(dirname "$0")/../cli/expect.sh"
data=$tests/../report/data
# Escape and other control characters, also of one byte above 128; a change of the direction of writing; half a character.
python3 - "$data/transposes.json" << 'END'
import json, sys
evil = "\x1b]0;title\x07\x1b[2J\x85\x9b31m\u202edesrever\u2066\u200f\x7f<b>"
report = json.load(open(sys.argv[1]))
def spoil(x):
    if isinstance(x, dict):
        return {k: (v + evil if isinstance(v, str) and k in ("display", "program", "file", "what", "status", "device") else
                    [spoil(e) + evil if isinstance(e, str) else spoil(e) for e in v] if k == "arguments" and v else spoil(v))
                for k, v in x.items()}
    return [spoil(e) for e in x] if isinstance(x, list) else x
report = spoil(report)
for begin in "=+-@\t\r":
    report_of = json.loads(json.dumps(report))
    for kernel in report_of["kernels"]: kernel["display"] = begin + kernel["display"]
    json.dump(report_of, open(f"{ord(begin)}.json", "w"))
END
# clean FILE: nothing in it that acts, but for newlines and tabs
clean() {
    python3 - "$1" << 'END' || fail "$2: $1 acts on who reads it"
import re, sys
text = open(sys.argv[1], "rb").read().decode("utf-8") # and it is UTF-8
found = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]", text)
if found: print(repr(text[max(0, found.start() - 60):found.end() + 20]))
sys.exit(found is not None)
END
}
cp "$data/transposes.json" plain.json
for report in 61 43 45 64 9 13; do
    expect 0 '' -- warpglass profile --html page.html --csv table.csv --json again.json $report.json
    clean "$stdout" terminal
    for file in page.html table.csv again.json; do clean $file report; done
    python3 - << 'END' || fail "$report.json: a cell that a spreadsheet computes"
import csv, sys
rows = list(csv.reader(open("table.csv", newline="")))[1:]
text, numbers = [c for r in rows for c in r[:2] + r[3:4]], [r[4] for r in rows]
sys.exit(not rows or any(c[:1] in tuple("=+-@\t\r") and c for c in text) or not all(float(n) == float(n) for n in numbers))
END
done
grep -q '\\x1b' page.html || fail "the page does not show that there was an escape"
expect 0 '' -- warpglass compare --html page.html plain.json 61.json
clean "$stdout" compare
clean page.html compare

# Names of files and lines of source, in programs of our own, and in what is said of them.
name=$'evil\e[31m\u202e\x9b.cu'
cat > "$name" << END
#include <cstdio>
__global__ void k(int *x) { x[threadIdx.x] = 1; } // $(printf '\e]0;t\a\u202e\x85\xff')
int main() {
    int *x;
    cudaMalloc(&x, 4);
    k<<<1, 2>>>(x);
    k<<<1, 32>>>(x + (1 << 30));
    return cudaDeviceSynchronize() ? 7 : 0;
}
END
"$WARPGLASS" run "$name" > "$stdout" 2> "$stderr"
grep -q 'illegal address' "$stderr" || fail "no fault"
clean "$stderr" fault
for stage in ptx ir plan llvm asm; do
    "$WARPGLASS" run --verbose --dump $stage "$name" > "$stdout" 2> "$stderr"
    grep -q "^// ---- $stage" "$stderr" || fail "no dump of $stage"
    clean "$stderr" "dump of $stage"
done
"$WARPGLASS" check --json found.json --sarif found.sarif --junit found.xml "$name" > "$stdout" 2> "$stderr"
grep -q 'out-of-bounds' "$stdout" || fail "nothing was found"
clean "$stdout" findings
clean "$stderr" findings
for file in found.json found.sarif found.xml; do clean $file findings; done
python3 -c 'import json, xml.dom.minidom; json.load(open("found.json")), json.load(open("found.sarif")), xml.dom.minidom.parse("found.xml")' ||
    fail "the files of findings are none"
"$WARPGLASS" profile --html page.html "$name" > "$stdout" 2> "$stderr"
clean "$stdout" profile
clean "$stderr" profile
clean page.html profile
expect 1 'no such file' -- warpglass run $'no\e[2Jsuch.cu'
clean "$stderr" missing
finish
