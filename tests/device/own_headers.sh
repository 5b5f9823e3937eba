#!/usr/bin/env bash
# own_headers.sh WARPGLASS: all that CUB and Thrust include is Warpglass's own or of the distribution's packages, so that
# they compile where nothing of NVIDIA's is installed. Where its headers lie in /usr/local/include, one that is missing
# among ours would not be missed.
set -eu
warpglass=$1
own=$(cd "$(dirname "$warpglass")/../lib/warpglass/include" && pwd)
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
printf '#include <%s>\n' cub/cub.cuh thrust/device_vector.h thrust/sort.h cuda_runtime.h cooperative_groups.h > "$here/all.cu"
all=$("$warpglass" cc -M "$here/all.cu" | grep -oE '/[^ \]+')
[[ $all == */cub/cub.cuh* && $all == */thrust/sort.h* ]] || { echo "not what was included: $all" >&2; exit 1; }
foreign=$(grep -vE "^($own|$here|/usr/include|/usr/lib|/usr/bin/../lib)/" <<< "$all") || exit 0
echo "included, but neither of ours nor of a package: $foreign" >&2
exit 1
