#!/bin/bash
# The cache and what others wrote: a folder that somebody else can change is not used, and what is no plain file of the
# user's own is neither run nor waited for. Whatever lies there, the program runs and says the same.
. "$(dirname "$0")/../cli/expect.sh"
rm -rf cache
cat > p.cu << 'END'
#include <cstdio>
__global__ void k(int *x) { x[threadIdx.x] += 2; }
int main() {
    int *x;
    cudaMallocManaged(&x, 128);
    x[5] = 1;
    k<<<1, 32>>>(x);
    printf("%d %d\n", cudaDeviceSynchronize(), x[5]);
}
END
other=12345 # a user who is nobody here
as_root=$((EUID == 0))
((as_root)) || echo "not root: folders and files of other users are left out"

# run FOLDER: the program runs
run() { WARPGLASS_CACHE_DIR=$1 timeout 60 "$WARPGLASS" run p.cu; }
# refused FOLDER WHY: with one line of warning, and what lies there stays as it is
refused() {
    local before
    before=$(find "$1" -printf '%p %T@\n' 2> /dev/null | sort)
    expect 0 "the cache .* is not used, and nothing is cached: .*$2" -- run "$1" && said '^0 3$'
    [[ $(wc -l < "$stderr") == 1 ]] || fail "$1: more than one line"
    [[ $(find "$1" -printf '%p %T@\n' 2> /dev/null | sort) == "$before" ]] || fail "$1: something was written"
}
used() { expect 0 '' -- run "$1" && said '^0 3$'; [[ -n $(find "$1/" -name '*.o') ]] || fail "$1: no kernel was kept"; }

# Whose folders.
mkdir -p own/cache && chmod 777 own/cache && refused own/cache "others may write to .*/own/cache .mode 777"
chmod 770 own/cache && refused own/cache "others may write to .*/own/cache .mode 770"
chmod 700 own/cache && chmod 777 own && refused own/cache "others may write to .*/own .mode 777"
chmod 1777 own && used own/cache # as in /tmp: others cannot rename what is ours
ln -s own/cache link && used link
chmod 755 own && chmod 777 own/cache/programs && expect 0 'others may write to .*/programs' -- run own/cache && said '^0 3$'
chmod 700 own/cache/programs
mkdir open && chmod 777 open && ln -s "$scratch/own/cache" open/link && used open/link # what it leads to is ours
if ((as_root)); then
    mkdir -p theirs/.cache && chmod 1777 theirs && chown $other theirs/.cache
    home() { env -u WARPGLASS_CACHE_DIR -u XDG_CACHE_HOME HOME="$scratch/theirs" timeout 60 "$WARPGLASS" run p.cu; }
    expect 0 "theirs/.cache belongs to user $other, and you are user 0" -- home && said '^0 3$'
    cp -r own/cache copy && chown $other copy && refused copy "copy belongs to user $other"
fi
grep -q 'not used' <(WARPGLASS_CACHE_DIR=open "$WARPGLASS" info) || fail "info does not tell"

# Whose files, and of what kind: every file of the cache is replaced by one that is a trap.
cat > planted << 'END'
#!/bin/sh
echo planted
END
chmod 755 planted
damage() {
    rm -f "$2"
    case $1 in
    link) ln -s "$scratch/planted" "$2" ;;
    pipe) mkfifo "$2" ;;
    zero) ln -s /dev/zero "$2" ;;
    device) mknod "$2" c 1 5 2> /dev/null || : > "$2" ;;
    huge) truncate -s 1T "$2" || : > "$2" ;;
    folder) mkdir "$2" ;;
    shared) cp planted "$2" && chmod 777 "$2" ;;
    theirs) cp planted "$2" && chmod 755 "$2" && chown $other "$2" ;;
    esac
}
kinds=(link pipe zero huge folder shared)
((as_root)) && kinds+=(device theirs)
for first in 0 3; do # each file another trap, then yet another
    rm -rf trap && cp -rp own/cache trap
    i=$first
    while read -r file; do damage "${kinds[i++ % ${#kinds[@]}]}" "$file"; done < <(find trap -type f)
    WARPGLASS_CACHE_DIR="trap" timeout 60 "$WARPGLASS" run p.cu > "$stdout" 2> "$stderr" || fail "from $first: status $?"
    said '^0 3$'
    not_said planted
done
warpglass cc p.cu -o program
for kind in "${kinds[@]}"; do # by the program's library alone
    rm -rf trap && cp -rp own/cache trap
    find trap -name '*.o' | while read -r file; do damage "$kind" "$file"; done
    WARPGLASS_CACHE_DIR="trap" timeout 60 ./program > "$stdout" 2> "$stderr" || fail "$kind, kernels: status $?"
    said '^0 3$'
done
grep -q 'made again: .* belongs to user\|made again: others may write to' "$stderr" || fail "nothing was said of the files"

# What belongs to another key is not this one's.
rm -rf trap && cp -rp own/cache trap
sed 's/+= 2/+= 4/' p.cu > q.cu
expect 0 '' -- env WARPGLASS_CACHE_DIR=trap "$WARPGLASS" run q.cu
said '^0 5$'
for folder in trap trap/programs trap/headers; do
    mapfile -t files < <(find $folder -maxdepth 1 -type f ! -name '*.files' ! -name '*.seal')
    for ((i = 0; i < ${#files[@]}; i++)); do
        for ending in '' .files .seal; do [[ ! -e ${files[i]}$ending ]] || mv "${files[i]}$ending" "moved$i$ending"; done
    done
    for ((i = 0; i < ${#files[@]}; i++)); do
        to=${files[(i + 1) % ${#files[@]}]}
        for ending in '' .files .seal; do [[ ! -e moved$i$ending ]] || mv "moved$i$ending" "$to$ending"; done
    done
done
expect 0 '' -- env WARPGLASS_CACHE_DIR="trap" timeout 60 "$WARPGLASS" run p.cu
said '^0 3$'

# What is kept, is for the user alone.
(umask 0 && run fresh > /dev/null)
[[ -z $(find fresh -perm /077) ]] || fail "others may read: $(find fresh -perm /077 -ls)"

# A program with more rights than its user: the environment is not followed.
if ((as_root)) && warpglass cc p.cu -o raised && chmod 4755 raised && chmod 755 . && mkdir -m 777 env; then
    raised() { python3 -c 'import os, sys; os.setgid(int(sys.argv[1])); os.setuid(int(sys.argv[1])); os.execv(sys.argv[2], sys.argv[2:])' $other ./raised; }
    HOME="$scratch/env" WARPGLASS_CACHE_DIR="$scratch/env/cache" WARPGLASS_PROFILE="$scratch/env/profile" expect 0 '' -- raised
    said '^0 3$'
    [[ -z $(ls env) ]] || fail "root wrote where another user said: $(ls -l env)"
fi
finish
