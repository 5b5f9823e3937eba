#!/bin/bash
# Installs the Debian packages of tools/packages.txt that are missing. With nothing missing it does nothing,
# so it needs neither root nor a network then.
#     tools/packages.sh run more build
set -eu
list=$(dirname "$0")/packages.txt

missing=()
for group in "$@"; do
    while read -r name for_what _; do
        [[ $name == \#* || $for_what != "$group" ]] && continue
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || missing+=("$name")
    done < "$list"
done
((${#missing[@]})) || exit 0

command -v apt-get > /dev/null || {
    echo "This is not a Debian system. Install what these Debian packages hold, then try again:" >&2
    echo "    ${missing[*]}" >&2
    exit 1
}
as_root=()
if [[ $(id -u) != 0 ]]; then
    command -v sudo > /dev/null || {
        echo "Some packages are missing, and there is neither root nor sudo to install them. As root:" >&2
        echo "    apt-get install ${missing[*]}" >&2
        exit 1
    }
    as_root=(sudo)
fi
echo "Installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${as_root[@]}" apt-get update -q &&
       "${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"; } > "$log" 2>&1 < /dev/null; then
    tail -n 20 "$log" >&2
    echo "apt-get could not install them. Warpglass is developed on Debian 12 (bookworm)." >&2
    exit 1
fi
