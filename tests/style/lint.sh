#!/bin/bash
# clang-tidy finds nothing in a folder's sources: lint.sh BUILD FOLDER. What it looks for is in .clang-tidy.
. "$(dirname "$0")/files.sh"
need clang-tidy-19
build=$1 folder=$2
mapfile -t files < <(project_files '*.c' | grep "^$folder/" | while IFS= read -r file; do
    # What this build does not compile has no command line to check it with.
    ! grep -qF "/$file\"" "$build/compile_commands.json" || echo "$file"
done)
((${#files[@]})) || exit 0
clang-tidy-19 -p "$build" --quiet --warnings-as-errors='*' "${files[@]}" 2> >(grep -v 'warnings\? \(generated\|treated\)' >&2)
