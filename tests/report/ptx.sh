#!/bin/bash
# The PTX below each source line: how often each instruction was executed, by whom, and what it did to memory. The counts of
# a line's instructions are the line's, those of both back ends are the same, and a report has them again.
. "$(dirname "$0")/../cli/expect.sh"

cat > steps.cu << 'END'
__device__ float tap(const float *p, int i) { return i >= 0 ? p[i] : 0.0f; }

__global__ void blur(const float *in, float *out, int n, int rounds) {
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x * 2 % 256] = in[i];
    __syncthreads();
    if (i < n) {
        float s = tile[threadIdx.x];
#pragma unroll 1
        for (int k = 0; k < rounds + threadIdx.x % 2; k++) s += tap(in, i - k * 32);
        out[i] = s * 7;
    }
}
int main() {
    float *in, *out;
    cudaMallocManaged(&in, 4096), cudaMallocManaged(&out, 4096);
    blur<<<4, 256>>>(in, out, 1000, 5);
    blur<<<2, 256>>>(in, out, 1000, 3);
    return cudaDeviceSynchronize();
}
END
expect 0 '' -- warpglass profile --ptx steps.cu --json steps.json --html steps.html
cp "$stdout" text
said '^ +[0-9]+ +[0-9]+ .* :[0-9]+    st\.shared\.(f32|b32|u32) \['
COLUMNS=200 expect 0 '' -- warpglass profile --ptx steps.json
said ' :[0-9]+    ld\.param\.u(32|64) %rd?[0-9]+, \[param_[0-9]\]$'
python3 -c 'assert all(len(line) <= 81 for line in open("text", encoding="utf-8"))' || fail "wider than 80 columns"
expect 0 '' -- warpglass profile --ptx steps.json
cmp text "$stdout" || fail "a report shows other PTX than the program did"
expect 0 '' -- warpglass profile steps.json
grep -q ':[0-9]* *ld\.param' "$stdout" && fail "PTX that nobody asked for"

# A line's instructions are the sum over its PTX, launch by launch; memory instructions run as often as their block.
cat > adds.py << 'END'
import json, sys
from collections import Counter
kernels = json.load(open(sys.argv[1]))["kernels"]
for kernel in kernels:
    sites, code = kernel["sites"], kernel["code"]
    assert all(sites[line]["class"] == "line" and sites[block]["class"] == "block" for _, line, block, _ in code)
    assert all(text for *_, text in code)
    for launch in kernel["launches"]:
        if "like" in launch: continue # an earlier one's
        columns = launch["sites"]["columns"]
        rows = {row[0]: dict(zip(columns, row)) for row in launch["sites"]["rows"]}
        for what in "instructions", "threads":
            sums = Counter()
            for _, line, block, _ in code:
                if block in rows: sums[line] += rows[block][what]
            lines = {i: r[what] for i, r in rows.items() if sites[i]["class"] == "line"}
            assert dict(sums) == lines, (what, sums, lines)
        for line, _, block, text in code:
            for i, row in rows.items():
                if sites[i]["ptx_line"] == line and sites[i]["class"].endswith(("_load", "_store")):
                    assert row["requests"] == rows[block]["instructions"], text
    assert {"block", "line"} <= {s["class"] for s in sites}
END
python3 adds.py steps.json || fail "the PTX's counts are not the lines'"
WARPGLASS_BACKEND=ref expect 0 '' -- warpglass profile --ptx steps.cu --json ref.json
cmp text "$stdout" || fail "the reference counts other PTX"

# The page has it in the rows that lines expand to, once each.
[[ $(grep -c '<pre class="ptx">' steps.html) -ge 6 ]] || fail "the page has no PTX"
grep -qE '^ +[0-9]+ +[0-9.]+ +[0-9.]+ \([0-9.]+\) +[0-9]+  ld\.global\.' steps.html || fail "the page has no loads with their sectors"
browser=$(command -v chromium || command -v chromium-browser) || finish
{
    cat steps.html
    cat << 'END'
<script>
var all = document.querySelector("button.all"), details = document.querySelectorAll("tr.detail"), said = [];
function check(what, good) { said.push((good ? "right: " : "wrong: ") + what); }
function open() { return Array.from(details).filter(d => !d.hidden).length; }
check("closed at first", details.length > 5 && open() === 0);
all.click();
check("one button opens all", open() === details.length && all.getAttribute("aria-expanded") === "true");
document.querySelector("td > button.more").click();
check("a line closes by itself", open() === details.length - 1);
all.click();
check("and closes all", open() === 0);
document.title = said.join("\n");
</script>
END
} > tested.html
HOME=$scratch timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=2000 \
    --dump-dom "file://$PWD/tested.html" 2> browser.log | grep -oE '(^|<title>)(right|wrong): .*' > said
grep -q 'right: and closes all' said || fail "the page's script did not come to its end: $(cat said)"
grep 'wrong: ' said && fail "the page"
finish
