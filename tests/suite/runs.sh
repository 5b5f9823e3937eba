#!/bin/bash
# Runs of a suite: how programs end, what is kept when the suite is stopped or killed, and what the report says.
. "$(dirname "$0")/../cli/expect.sh"
script() { cat > "$1" && chmod +x "$1"; }
export LOG=$scratch/log
lines() { [[ -e $LOG && $(wc -l < "$LOG") -ge $1 ]]; }
eventually() { # COMMAND...
    for _ in {1..600}; do "$@" && return; sleep 0.05; done
    fail "never: $*"
}
script ok <<'END'
#!/bin/sh
echo "$1" >> "$LOG"
sleep "${2:-0}"
END
script crash <<'END'
#!/bin/sh
kill -SEGV $$
END
script loud <<'END'
#!/bin/sh
echo first
head -c 300000000 /dev/zero
echo last
END
script daemon <<'END'
#!/bin/sh
sleep 30 &
echo "$!" > "$0.pid"
echo began
END

# ---- How programs end ----

cat > ends.suite <<'END'
ok: run ./ok -- ok
crash: run ./crash
wanted (status 139): run ./crash
hangs (status 124): run --timeout 0.5 ./ok -- hangs 100
absent (status 1): run ./absent
loud: run ./loud
daemon: run ./daemon
END
expect 3 '' -- warpglass suite --json r.json --junit r.xml ends.suite
kill "$(cat daemon.pid)"
said '^ok +[0-9.]+ s +-  as expected$'
said '^crash .* signal 11 \(Segmentation fault\), expected 0$'
said '^wanted .* as expected, status 139$'
said '^hangs .* as expected, status 124$'
said '^absent .* as expected, status 1$'
said '^7 programs: 6 as expected, 1 not; '
out=ends.suite.results/run-1/output
[[ $(stat -c %s $out/loud.txt) -lt 1200000 ]] || fail "the output of 'loud' was kept whole"
grep -qa '^first' $out/loud.txt && tail -c 6 $out/loud.txt | grep -qa last || fail "the beginning or the end of 'loud' is missing"
grep -qa 'bytes left out\]' $out/loud.txt || fail "nothing says that bytes were left out"
python3 - <<'END' || fail "the files"
import json, xml.etree.ElementTree as tree
r = json.load(open("r.json"))
assert r["format"] == "warpglass-suite" and r["as_expected"] == 6 and r["not_as_expected"] == 1, r
assert [p["name"] for p in r["programs"]][:2] == ["ok", "crash"] and r["programs"][1]["status"] == 139
x = tree.parse("r.xml").getroot()
assert x.get("tests") == "7" and x.get("failures") == "1" and len(x.findall(".//failure")) == 1
END

# The next run has the times of this one, and is begun with the longest.
cat > order.suite <<'END'
short: run ./ok -- short 0
long: run ./ok -- long 0.6
middle: run ./ok -- middle 0.3
END
expect 0 '' -- warpglass suite --jobs 1 order.suite
rm "$LOG"
expect 0 '' -- warpglass suite --jobs 1 order.suite
[[ $(xargs < "$LOG") == 'long middle short' ]] || fail "the order: $(xargs < "$LOG")"
expect 0 '' -- warpglass suite order.suite
[[ $(xargs -n 1 < <(ls order.suite.results) | xargs) == 'lock run-2 run-3' ]] || fail "old runs: $(ls order.suite.results)"

# ---- Stopped, killed, continued ----

for i in {1..6}; do echo "p$i: run ./ok -- p$i 0.4"; done > six.suite
for signal in INT TERM KILL; do
    rm -rf "$LOG" six.suite.results
    env --default-signal=INT "$WARPGLASS" suite --jobs 1 six.suite > "$stdout" 2> "$stderr" &
    suite=$!
    eventually lines 3
    kill -s $signal $suite
    wait $suite
    got=$?
    [[ $got == $((128 + $(kill -l $signal))) ]] || fail "SIG$signal: status $got"
    if [[ $signal != KILL ]]; then
        said '^6 programs: [23] as expected, [34] not ended'
        grep -q 'the same command continues with them' "$stderr" || fail "nothing says how to go on"
    fi
    expect 0 '' -- warpglass suite --jobs 2 six.suite
    said '^6 programs: 6 as expected'
    [[ $(sort -u "$LOG" | wc -l) == 6 && $(wc -l < "$LOG") -le 7 ]] || fail "SIG$signal: runs were $(xargs < "$LOG")"
    if [[ $signal == KILL ]]; then said 'It was begun once before, last by rank 0 on .*, which was killed'
    else not_said 'It was begun'; fi
done
# No process is left.
! pgrep -f "$scratch/ok" > /dev/null || fail "a program outlived its suite"
# What kills whoever runs it is not begun for ever.
script killer <<'END'
#!/bin/sh
echo killer >> "$LOG"
kill -9 "$SUITE"
sleep 5
END
printf 'killer: run ./killer\nafter: run ./ok -- after\n' > killer.suite
rm "$LOG"
for _ in 1 2; do
    bash -c 'SUITE=$$ exec "$WARPGLASS" suite --jobs 1 killer.suite' > "$stdout" 2> "$stderr"
done
export WARPGLASS
expect 3 '' -- warpglass suite --jobs 1 killer.suite
said '^killer .* given up$'
said 'begun 2 times, last by rank 0'
said '^2 programs: 1 as expected, 1 not; '
# A run that was stopped is begun anew if asked.
rm killer.suite.results/run-1/complete
expect 0 '' -- warpglass suite --again --jobs 1 --timeout 9 six.suite

# ---- Two at once, and a folder that is full ----

rm -f "$LOG"
warpglass suite --jobs 1 six.suite > /dev/null 2>&1 &
eventually lines 1
expect 1 'another suite runs in this folder now' -- warpglass suite six.suite
wait
full='mount -t tmpfs -o size=100k none full'
mkdir full
if unshare -m bash -c "$full" 2> /dev/null; then
    rm "$LOG"
    export full
    expect 1 'No space left on device' -- unshare -m bash -c '$full && head -c 99999 /dev/zero > full/x 2> /dev/null; "$WARPGLASS" suite --results full order.suite'
else
    echo "not tested: a full folder (no mounts here)"
fi

# ---- Counters and findings ----

cat > a.cu <<'END'
#ifndef STEP
#define STEP 1
#endif
__global__ void fill(int *x) { x[threadIdx.x * STEP] = 0; }
__global__ void race(int *x) { x[0] = threadIdx.x; }
int main() {
    int *x;
    cudaMalloc(&x, 4096);
    if (STEP) fill<<<1, 32>>>(x);
    else race<<<1, 64>>>(x);
    return cudaDeviceSynchronize();
}
END
printf '#ifdef WIDE\n#define STEP 8\n#endif\n' > step.h
cat > gpu.suite <<'END'
fill: profile --expect 'fill: global_store_sectors == 4' -include step.h a.cu
race (status 3): check -DSTEP=0 a.cu
END
expect 0 '' -- warpglass suite gpu.suite
said '^    a.cu:5: race-block: data race between warps'
expect 0 '' -- warpglass suite gpu.suite
not_said 'before'
echo '#define STEP 8' > step.h
expect 3 '' -- warpglass suite --html page.html gpu.suite
python3 - <<'END' || fail "the page"
import html.parser
class Page(html.parser.HTMLParser):
    tags, links, ids, text = [], [], [], ""
    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.links += [a["href"][1:]] if a.get("href", "").startswith("#") else []
        self.ids += [a["id"]] if "id" in a else []
        if tag not in ("meta", "link", "br"): self.tags.append(tag)
    def handle_endtag(self, tag):
        assert self.tags.pop() == tag, tag
    def handle_data(self, data): self.text += data
p = Page()
p.feed(open("page.html").read())
assert not p.tags and p.links == ["p0", "p1"] and set(p.links) <= set(p.ids), (p.tags, p.links)
for said in ("status 3, expected 0", "global_store_sectors is 32, expected == 4", "a.cu:5: race-block", "1 as expected, 1 not"):
    assert said in p.text, said
END
said '^fill .* status 3, expected 0$'
said 'fill\(int\*\): global_sectors: 32, before 4 \(worse\)'
not_said 'heat share'
said 'global_store_sectors is 32, expected == 4'
finish
