#!/bin/bash
# Checks and profiles $PROGRAM for action.yml, and compares it with the one of $BASE, a commit: report.sh FOLDER
# $GITHUB_OUTPUT gets the folder of the reports, the findings as SARIF, and a comment for a pull request.
set -eu
folder=$1 status=0
mkdir -p "$folder"
echo "folder=$folder" >> "$GITHUB_OUTPUT"
# Words as a shell has them, without its substitutions.
read -ra program <<< "$PROGRAM"
read -ra arguments <<< "${ARGUMENTS-}"

if [[ ${CHECK-true} == true ]]; then
    warpglass check --sarif "$folder/findings.sarif" "${program[@]}" -- "${arguments[@]}" || status=$?
    [[ ! -s $folder/findings.sarif ]] || echo "sarif=$folder/findings.sarif" >> "$GITHUB_OUTPUT"
fi
[[ ${PROFILE-true} == true ]] || exit "$status"

budget=()
[[ -z ${BUDGET-} ]] || budget=(--budget "$BUDGET")
warpglass profile "${budget[@]}" --json "$folder/after.json" --html "$folder/report.html" "${program[@]}" -- "${arguments[@]}" || status=$?

# What the base makes of it may be nothing: the program is new, say.
if [[ -n ${BASE-} && -s $folder/after.json ]]; then
    base=$folder/base
    if git fetch -q --depth 1 origin "$BASE" && git worktree add -q --detach "$base" "$BASE" &&
        (cd "$base/$(git rev-parse --show-prefix)" && warpglass profile --top 0 --json "$folder/before.json" "${program[@]}" -- "${arguments[@]}") > /dev/null &&
        warpglass compare --html "$folder/compare.html" "$folder/before.json" "$folder/after.json" > "$folder/compare.txt"; then
        {
            echo "What \`$PROGRAM\` costs, compared with the base branch:"
            echo
            echo '```'
            head -c 60000 "$folder/compare.txt"
            echo '```'
        } > "$folder/comment.md"
        cat "$folder/compare.txt"
        echo "comment=$folder/comment.md" >> "$GITHUB_OUTPUT"
    else
        echo "The base branch has nothing to compare with."
    fi
    git worktree remove --force "$base" 2> /dev/null || true
fi
exit "$status"
