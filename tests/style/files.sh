# Sourced by the checks of style: the project's files, and how a check fails.
#     project_files '*.c' '*.h'      names from the project's root, where the check then runs
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
failed=0

project_files() {
    local names=()
    for pattern in "$@"; do names+=(-o -name "$pattern"); done
    find . \( -path ./.git -o -path './build*' -o -path ./.cache -o -path ./shared \) -prune -o \
        -type f \( "${names[@]:1}" \) -print | sed 's,^\./,,' | sort
}

fault() {
    echo "$*"
    failed=1
}

# A check without its tool has checked nothing.
need() {
    command -v "$1" > /dev/null || {
        echo "$1 is missing: apt-get install ${2:-$1}"
        exit 1
    }
}
