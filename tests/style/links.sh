#!/bin/bash
# Links in the documents lead somewhere: to a file of the project, or to a heading of the same page.
. "$(dirname "$0")/files.sh"
heading_of() { # as GitHub makes names of headings
    grep -E '^#+ ' "$1" | sed -E 's/^#+ //; s/[^[:alnum:] _-]//g; s/ /-/g' | tr '[:upper:]' '[:lower:]'
}
while IFS= read -r file; do
    while IFS= read -r link; do
        case $link in
        http*) continue ;;
        '#'*) heading_of "$file" | grep -qxF -- "${link#\#}" || fault "$file: no heading for $link" ;;
        *) [[ -e $(dirname "$file")/${link%%#*} ]] || fault "$file: no file $link" ;;
        esac
    done < <(grep -oE '\]\([^) ]+\)' "$file" | sed 's/^](//; s/)$//')
done < <(project_files '*.md')
exit $failed
