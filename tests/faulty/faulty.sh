#!/bin/bash
# Programs with a planted fault, and their twins without it: tests/faulty/README.md says what they look like.
#     faulty.sh FOLDER            all programs of tests/faulty/FOLDER
#     faulty.sh FOLDER NAME...    NAME.cu and NAME.right.cu alone
. "$(dirname "$0")/../cli/expect.sh"
folder=$(cd "$tests/../faulty/$1" && pwd) || exit 1
shift
names=("$@")
if ((!${#names[@]})); then
    for file in "$folder"/*.cu; do [[ $file == *.right.cu ]] || names+=("$(basename "$file" .cu)"); done
fi
# Runs are in this folder with the file's name alone, so that reports name it so.
cp "$folder"/* . 2> /dev/null
export COLUMNS=80

# Generated code and the reference, one thread and three. To save time one program in four goes all ways, and all do
# where FAULTY_ALL is set (the long tier).
some=(jit-3) all=(jit-1 jit-3 ref-1 ref-3)
# runs FILE WAY...: the report is FILE.text and FILE.json, its status FILE.status.
runs() {
    local file=$1 options arguments way backend threads first=$2
    shift
    read -ra options <<< "$(sed -n 's|^// options: ||p' "$file")"
    read -ra arguments <<< "$(sed -n 's|^// arguments: ||p' "$file")"
    for way in "$@"; do
        backend=${way%-*} threads=${way#*-}
        WARPGLASS_BACKEND=$backend warpglass check --timeout 60 "${options[@]}" --threads "$threads" --json "$file.json.$way" \
            "$file" -- "${arguments[@]}" > "$file.text.$way" 2> "$file.said.$way"
        echo $? > "$file.status.$way"
        sed -Ei 's/ at 0x[0-9a-f]{12}\b/ at 0xADDRESS/' "$file.text.$way" # of the host's memory, in each run another one
        # What the program itself prints is the same in all of them, and its temporary name is in no report.
        for what in text status; do
            cmp -s "$file.$what.$first" "$file.$what.$way" || {
                echo "FAILED: $file: another $what with $way than with $first"
                diff "$file.$what.$first" "$file.$what.$way" | head -30
                failures=$((failures + 1))
            }
        done
    done
}

for ((i = 0; i < ${#names[@]}; i++)); do
    name=${names[i]}
    [[ -e $name.right.cu ]] || { fail "$name.cu has no twin $name.right.cu" && continue; }
    if [[ -n ${FAULTY_ALL-} ]] || ((i % 4 == 0)); then ways=("${all[@]}"); else ways=("${some[@]}"); fi
    runs "$name.cu" "${ways[@]}"
    runs "$name.right.cu" "${ways[@]}"
    for file in "$name.cu" "$name.right.cu"; do
        for what in text json status said; do [[ ! -e $file.$what.${ways[0]} ]] || cp "$file.$what.${ways[0]}" "$file.$what"; done
    done
done

python3 - "${names[@]}" << 'END' || failures=$((failures + 1))
import json, re, sys
wrong = 0
def expected(file):
    found, says, status = [], [], None
    for line in open(file):
        if not line.startswith("//"): break
        m = re.match(r"// (expect|says|status): (.*\S)", line)
        if not m: continue
        if m[1] == "says": says.append(m[2])
        elif m[1] == "status": status = int(m[2])
        else:
            words = m[2].split()
            place, other, where, benign, i = 0, 0, file, False, 1
            while i < len(words):
                if words[i] == "benign": benign, i = True, i + 1
                elif words[i] == "line": place, i = int(words[i + 1]), i + 2
                elif words[i] == "other": other, i = int(words[i + 1]), i + 2
                elif words[i] == "in": where, i = words[i + 1], i + 2
                else: sys.exit(f"{file}: what is '{words[i]}' in '{m[2]}'?")
            found.append((words[0], where if place else "", place, other, benign))
    return found, says, status
def other_line(f):
    own = lambda frames: next((x["line"] for x in frames if "/include/" not in x["file"] and not x["file"].startswith("/usr/")), 0)
    return own(f["other"]["frames"]) if f["other"] and f["check"] in ("race", "barrier") else 0
def shown(found): return "\n".join("    " + " ".join(map(str, f)) for f in found) or "    nothing"
def judge(file, twin):
    global wrong
    want, says, status = expected(file)
    if twin and any(not f[4] for f in want): sys.exit(f"{file}: the twin is to be clean")
    if not twin and not want: sys.exit(f"{file}: no '// expect:' in the comment it opens with")
    if status is None: status = 3 if any(not f[4] for f in want) else 0
    got_status = int(open(file + ".status").read())
    text = " ".join(open(file + ".text").read().split())
    try: findings = json.load(open(file + ".json"))["findings"]
    except OSError: findings = None
    problems = []
    if findings is None: problems.append("no report")
    else:
        got = [(f["kind"], f["where"]["file"] if f["where"] else "", f["where"]["line"] if f["where"] else 0, other_line(f), f["benign"]) for f in findings]
        if sorted(got) != sorted(want): problems.append("found:\n" + shown(got) + "\n  expected:\n" + shown(want))
    for s in says:
        if " ".join(s.split()) not in text: problems.append(f"the report does not say: {s}")
    if got_status != status: problems.append(f"status {got_status}, not {status}")
    if problems:
        wrong += 1
        print(f"FAILED: {file}: " + "\n  ".join(problems))
        print("".join("  | " + l for l in open(file + ".said").readlines()[:15] + open(file + ".text").readlines()[:40]))
for name in sys.argv[1:]:
    judge(name + ".cu", False)
    judge(name + ".right.cu", True)
print(f"{len(sys.argv) - 1} programs and their twins")
sys.exit(wrong > 0)
END
finish
