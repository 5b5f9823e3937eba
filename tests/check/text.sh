#!/bin/bash
# What a terminal shows of recorded findings, against data/text.*:
#     text.sh            compares
#     text.sh --write    takes what the command writes now
. "$(dirname "$0")/stage.sh"
unset LC_ALL LC_CTYPE LANG NO_COLOR
for width in 80 200; do
    COLUMNS=$width expect 3 '' -- warpglass check --leaks ./leaves -- "$data/findings.json"
    cp "$stdout" "text.$width"
    awk -v width=$width '{ gsub(/[\x80-\xbf]/, "") } length > width' "$stdout" | grep . && fail "wider than $width columns"
    grep -q $'\033' "$stdout" && fail "colours that no terminal asked for"
done
COLUMNS=80 expect 3 '' -- warpglass check --max-findings 1 ./leaves -- "$data/findings.json"
cp "$stdout" text.one
# On a terminal the same with colours.
COLUMNS=80 TERM=xterm script -qec "'$WARPGLASS' check --leaks ./leaves -- '$data/findings.json'" /dev/null > coloured
grep -q $'\033\\[31mrace-block' coloured || fail "no colours on a terminal"
sed 's/\x1b\[[0-9]*m//g; s/\r$//' coloured | diff text.80 - || fail "another text on a terminal"
for file in text.80 text.200 text.one; do
    if [[ ${1-} == --write ]]; then cp "$file" "$data/$file"
    else diff "$data/$file" "$file" > difference || { head -40 difference; fail "$file: text.sh --write takes it"; }; fi
done
finish
