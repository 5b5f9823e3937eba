#!/bin/bash
# What the documents show is what happens. A block ```cuda NAME is written to a file of that name, a block
# ```console is run: what stands behind each "$ " as a command, the lines below it as what it prints, on both
# outputs. Times in ms and us may differ, and where the device's memory lies.
#     documents.sh BUILD               compare
#     documents.sh --write             put what the commands print now into the documents
#     documents.sh [--write] --in DIR  those of DIR, named from the project's root; else the root's and docs/'s own
. "$(dirname "$0")/expect.sh"
root=$(cd "$tests/../.." && pwd)
PATH=$(dirname "$WARPGLASS"):$PATH
export WARPGLASS_PTXAS='' WARPGLASS_NVDISASM='' # the same wherever it runs
write=
[[ ${1:-} != --write ]] || { write=yes && shift; }
documents=("$root"/*.md "$root"/docs/*.md)
[[ ${1:-} != --in ]] || documents=("$root/$2"/*.md)

same_but_times() { sed -E 's/ *[0-9]+(\.[0-9]+)? [mu]s/ N ms/g; s/0x[1-9a-f][0-9a-f]{10,11}/0xADDRESS/g'; }

# session DOCUMENT COMMAND EXPECTED: prints what the document should hold.
session() {
    local got
    got=$(bash -c "$2" 2>&1)
    echo "\$ $2"
    [[ -z $got ]] || printf '%s\n' "$got"
    [[ -n $write ]] || diff <(same_but_times <<< "$3") <(same_but_times <<< "$got") > difference || {
        echo "FAILED: $1: \$ $2"
        cat difference
        echo x >> failed
    } >&2
}

document() {
    local line state=text command='' expected='' name=
    while IFS= read -r line; do
        if [[ $state == session && ($line == '$ '* || $line == '```') ]]; then
            [[ -z $command ]] || session "$1" "$command" "$expected"
            command='' expected=
            [[ $line != '$ '* ]] || command=${line#'$ '}
        elif [[ $state == session ]]; then
            expected+=${expected:+$'\n'}$line
        elif [[ $state == file && $line != '```' ]]; then
            printf '%s\n' "$line" >> "$name"
        fi
        [[ $state == session && $line != '```' ]] || printf '%s\n' "$line"
        case $line in
        '```cuda '* | '```text '*) state=file name=${line#* } && : > "$name" ;;
        '```console') state=session ;;
        '```'*) [[ $state == text ]] && state=other || state=text ;;
        esac
    done
}

for file in "${documents[@]}"; do
    grep -q '^```console' "$file" || continue
    echo "$(basename "$file")"
    document "$file" < "$file" > new
    if [[ -n $write ]]; then cat new > "$file"; fi
done
[[ ! -e failed ]] || failures=$(wc -l < failed)
finish
