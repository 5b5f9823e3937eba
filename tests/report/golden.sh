#!/bin/bash
# Reports of transposes.json, which holds what an H200 counted of three transposes, against those in golden/:
#     golden.sh            compares
#     golden.sh --write    takes what the command writes now
. "$(dirname "$0")/../cli/expect.sh"
data=$tests/../report/data golden=$tests/../report/golden
unset LC_ALL LC_CTYPE LANG NO_COLOR
mkdir -p "$golden"

# What a page is made of: its elements with their classes and names, a line each, and the text that a reader sees.
structure() {
    python3 - "$1" << 'END'
import html.parser, sys
class Page(html.parser.HTMLParser):
    skip = 0
    def handle_starttag(self, tag, attributes):
        self.skip += tag in ("style", "script")
        kept = [f"{k}={v}" for k, v in attributes if k in ("class", "id", "data-tip", "href")]
        if tag not in ("rect", "path", "text", "g", "meta"): print(f"<{tag}>", *kept)
    def handle_endtag(self, tag):
        self.skip -= tag in ("style", "script")
    def handle_data(self, data):
        if data.strip() and not self.skip: print("   ", data.strip())
Page().feed(open(sys.argv[1], encoding="utf-8").read())
END
}

# Without what the model of time says, which has tests of its own and may be fitted anew.
unmodelled() {
    sed -i -E '/^ +share +time +launches/,/ Times are modelled\.$/d; /id=overview/,/<section/d; /^<p> class=faint$/,/sorted by/d' "$@"
    sed -i -E '/^ +Modelled time: .*\.$/d; /^     Modelled time: /,/\.$/d; /^  Modelled on /,/on an SM at once|^ *waves?\.$/d; /^ +"model": /d
        /^  time/d; /^  Share of the chip.s peak/,/^$/d; /^  Memory chart /,/^$/d; /^<div> class=pictures light/,/^    Modelled on /d' "$@"
}

for width in 80 120; do
    COLUMNS=$width expect 0 '' -- warpglass profile --sort first "$data/transposes.json"
    cp "$stdout" "text.$width"
    awk -v width=$width '{ gsub(/[\x80-\xbf]/, "") } length > width' "$stdout" | grep . && fail "wider than $width columns"
done
expect 0 '' -- env LC_ALL=de_DE.ISO-8859-1 "$WARPGLASS" profile --sort first --lines "$data/transposes.json"
LC_ALL=C grep -q '[^ -~]' "$stdout" && fail "not ASCII alone where the locale is none of UTF-8"
cp "$stdout" text.ascii
expect 0 '' -- warpglass profile --sort first "$data/transposes.json" --json report.json --csv report.csv --html report.html
structure report.html > report.html.txt
expect 0 '' -- warpglass compare "$data/transposes.json" "$data/gpu.csv"
cp "$stdout" compare.gpu
expect 0 '' -- warpglass compare --kernel tiled "$data/transposes.json" "$data/transposes.json"
cp "$stdout" compare.same

cp text.80 text.80.all
unmodelled text.80 text.120 text.ascii report.html.txt compare.gpu compare.same
sed -E '/^ *"(model|light|chart)": /d; /^ *"shapes": /,/\],$/d' report.json > report.json.part
grep -q 'Modelled on' text.80.all || fail "no word of the model"

for file in text.80 text.120 text.ascii report.json.part report.csv report.html.txt compare.gpu compare.same; do
    if [[ ${1-} == --write ]]; then cp "$file" "$golden/$file"
    else diff "$golden/$file" "$file" > difference || { head -40 difference; fail "$file: golden.sh --write takes it"; }; fi
done

# A report reads back, and is the same then.
expect 0 '' -- warpglass profile report.json --json again.json
cmp report.json again.json || fail "a report that is read and written again is another"
COLUMNS=80 expect 0 '' -- warpglass profile --sort first report.json
cmp "$stdout" text.80.all || fail "a report of a report is another"
finish
