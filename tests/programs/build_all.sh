#!/usr/bin/env bash
# build_all.sh OUT: builds every program with nvcc into OUT, for a machine with a GPU, and writes OUT/run_all.sh.
#
#     tests/programs/build_all.sh OUT          # where nvcc is
#     OUT/run_all.sh                           # where the GPU is: writes OUT/NAME.truth
#     cp OUT/*.truth tests/programs/           # after a look at what differs
set -eu
out=${1:?usage: build_all.sh OUT}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
for source in "$here"/*.cu; do
    name=$(basename "$source" .cu)
    nvcc -O3 -std=c++17 --extended-lambda -arch=sm_90 -diag-suppress 549 -o "$out/$name" "$source"
done
cat > "$out/run_all.sh" <<'END'
#!/usr/bin/env bash
# Runs every program of this folder; standard output is what counts.
cd "$(dirname "$0")" || exit 1
for program in *; do
    case $program in *.*) continue ;; esac
    timeout 60 "./$program" > "$program.truth" 2> "$program.err" || echo "$program: status $?"
done
END
chmod +x "$out/run_all.sh"
