#!/bin/bash
# The tables of files in the rooms' README.md, made from the sentence that each file begins with; a .c file whose
# header says it stands in the header's row.
#     tools/file_table.sh            print them
#     tools/file_table.sh --write    put each into its README.md, between the two marks
set -eu
cd "$(dirname "$0")/.."

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

# The files of a room that have a row: those below it, less those of a folder with a table of its own.
files_of() {
    local room=$1 below=()
    while IFS= read -r inner; do
        [[ $inner == "$room" ]] || below+=(-path "$inner" -prune -o)
    done < <(rooms)
    [[ $room != device ]] || below+=(-path device/include -prune -o) # its README has what lies there
    find "$room" "${below[@]}" -type f \( -name '*.c' -o -name '*.cc' -o -name '*.h' -o -name '*.def' -o -name '*.cu' \
        -o -name '*.sh' \) -print | sort
}

table() {
    local room=$1
    echo "| file | what it is |"
    echo "| --- | --- |"
    while IFS= read -r file; do
        stem=${file%.*} also=
        [[ $file =~ \.cc?$ && -e $stem.h ]] && continue
        for body in c cc; do
            [[ $file == *.h && -e $stem.$body ]] && also=", \`$(basename "$stem").$body\`"
        done
        name=${file#"$room"/}
        echo "| [\`$name\`]($name)$also | $(sentence "$file") |"
    done < <(files_of "$room")
}

rooms() {
    find src device kernels bench tools -name README.md -exec grep -l '^<!-- files -->$' {} + | sed 's,/README.md$,,' | sort
}

made=$(mktemp)
trap 'rm -f "$made"' EXIT
while IFS= read -r room; do
    page=$room/README.md
    {
        sed '/^<!-- files -->$/q' "$page"
        table "$room"
        sed -n '/^<!-- end of files -->$/,$p' "$page"
    } > "$made"
    if [[ ${1:-} == --write ]]; then
        cat "$made" > "$page"
    else
        cat "$made"
    fi
done < <(rooms)
