#!/bin/bash
# The table of files in ARCHITECTURE.md, made from the sentence each file begins with; a .c file whose header
# says it stands in the header's row.
#     tools/file_table.sh            print it
#     tools/file_table.sh --write    put it into ARCHITECTURE.md, between the two marks
set -eu
cd "$(dirname "$0")/.."
folders=(base model count check report ptx ir analysis warp ref jit machine driver runtime blas cli device/fit kernels bench tools)

# The first sentence of the comment that a file opens with.
sentence() {
    awk '
        NR == 1 && /^#!/ { next }
        { line = $0 }
        /^#/ { hash = 1 }
        hash && !/^#/ { exit }
        { sub(/^(\/\*|\/\/|#| \*)[ \t]*/, "", line); end = sub(/[ \t]*\*\/.*/, "", line) }
        text != "" && line == "" { exit }
        line != "" { text = text (text == "" ? "" : " ") line }
        end { exit }
        END {
            sub(/^[a-z_]+\.(c|h|def|cu): /, "", text) # its own name
            cut = index(text, ". ")
            if (cut) text = substr(text, 1, cut - 1)
            sub(/[.:]$/, "", text)
            gsub(/[ \t]+/, " ", text)
            gsub(/\|/, "\\|", text)
            print text
        }' "$1"
}

table() {
    echo "| file | what it is |"
    echo "| --- | --- |"
    for folder in "${folders[@]}"; do
        while IFS= read -r file; do
            stem=${file%.*} also=
            [[ $file == *.c && -e $stem.h ]] && continue
            [[ $file == *.h && -e $stem.c ]] && also=", \`$(basename "$stem").c\`"
            echo "| [\`$file\`]($file)$also | $(sentence "$file") |"
        done < <(find "$folder" -type f \( -name '*.[ch]' -o -name '*.def' -o -name '*.cu' -o -name '*.sh' \) | sort)
    done
}

if [[ ${1:-} == --write ]]; then
    made=$(mktemp)
    trap 'rm -f "$made"' EXIT
    {
        sed '/^<!-- files -->$/q' ARCHITECTURE.md
        table
        sed -n '/^<!-- end of files -->$/,$p' ARCHITECTURE.md
    } > "$made"
    cat "$made" > ARCHITECTURE.md
else
    table
fi
