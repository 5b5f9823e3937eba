#!/bin/bash
# `warpglass explain`: every word that a report may say is explained, and what is not known gets the nearest one.
. "$(dirname "$0")/../cli/expect.sh"
root=$tests/../..
expect 0 '' -- warpglass explain bank_conflicts
said '^bank_conflicts \(advice of "warpglass profile"\)$'
said 'Pad the rows'
expect 0 '' -- warpglass explain race-block global_sectors dram
said '^race-block \(a finding of "warpglass check", race\)$'
said '^global_sectors \(a figure of "warpglass profile", in sectors\)$'
said '^  Nsight Compute: memory_l2_theoretical_sectors_global$'
said '^dram \(a part of the time model\)$'
expect 0 '' -- warpglass explain smsp__inst_executed.sum
said '^machine_instructions \('
expect 2 "unknown name 'bank_conflict': did you mean 'bank_conflicts'\?" -- warpglass explain bank_conflict
# All kinds of advice that the advisers give, no more, no fewer.
given=$(grep -rhoE 'wg_advice_add\([^;]*;' "$root"/src/report/advice/*.c | grep -oE '"[a-z_]+"' | tr -d '"' | sort -u)
expect 0 '' -- warpglass explain
for kind in $given; do said "^  $kind "; done
for kind in $(grep -oE '^KIND\([a-z_]+' "$root/src/report/advice/kinds.def" | cut -c 6-); do
    grep -qrE "\"$kind\"" "$root"/src/report/advice/*.c || fail "no adviser gives $kind"
    expect 0 '' -- warpglass explain "$kind"
done
for kind in $(grep -oE '^KIND\([a-z_]+, "[^"]+"' "$root/src/check/kinds.def" | cut -d '"' -f 2); do
    expect 0 '' -- warpglass explain "$kind"
    [[ $(wc -l < "$stdout") -gt 5 ]] || fail "nothing is said of $kind"
done
# A finding's title is the same in reports, in its page and in the table of all.
while IFS='"' read -r _ name _ title _; do
    grep -qxF "# $name: $title" "$root/docs/check/$name.md" || fail "docs/check/$name.md is not headed '$name: $title'"
    grep -qF "| [$name](check/$name.md) | $title |" "$root/docs/check.md" || fail "docs/check.md has no row '$name', '$title'"
done < <(grep '^KIND(' "$root/src/check/kinds.def")
# The counters by the names that --counters lists.
expect 0 '' -- warpglass profile --counters
grep -oE '^[a-z][a-z0-9_]+$' "$stdout" > names
mapfile -t names < names
expect 0 '' -- warpglass explain "${names[@]}"
[[ $(grep -c '(a figure of' "$stdout") == "${#names[@]}" ]] || fail "counters that are not explained"
finish
