# Circles of files in each room: which files call each other, directly or through others. Reads lines of
#     ROOM FILE D|U SYMBOL
# (defined or undefined in the object of FILE) and prints ROOM SIZE FILES... for each circle.
$3 == "D" { home[$1, $4] = $2 }
{ seen[$1, $2] || names[$1] = names[$1] " " $2; seen[$1, $2] = 1 }
$3 == "U" { wants[$1, $2] = wants[$1, $2] " " $4 }

# Tarjan's algorithm: strongly connected components.
function visit(room, file, list, n, i, other, circle, size) {
    order[file] = lowest[file] = ++clock
    stack[++top] = file
    on[file] = 1
    n = split(wants[room, file], list, " ")
    for (i = 1; i <= n; i++) {
        other = home[room, list[i]]
        if (other == "" || other == file) continue
        if (!(other in order)) {
            visit(room, other)
            if (lowest[other] < lowest[file]) lowest[file] = lowest[other]
        } else if (on[other] && order[other] < lowest[file]) lowest[file] = order[other]
    }
    if (lowest[file] != order[file]) return
    do {
        other = stack[top--]
        on[other] = 0
        circle = circle " " other
        size++
    } while (other != file)
    if (size > 1) print room, size circle
}

END {
    for (room in names) {
        split("", order); split("", lowest); split("", on)
        count = split(names[room], files, " ")
        for (f = 1; f <= count; f++)
            if (!(files[f] in order)) visit(room, files[f])
    }
}
