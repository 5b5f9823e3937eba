#!/bin/bash
# What action.yml runs: a change of a program, checked, profiled and compared with the base branch.
. "$(dirname "$0")/../cli/expect.sh"
report=$(realpath "$tests/../../tools/action/report.sh")
mkdir bin && ln -s "$WARPGLASS" bin/warpglass
PATH=$scratch/bin:$PATH
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
unset GITHUB_ACTIONS

git init -q -b main origin && mkdir origin/src
program() {
    cat << END
__global__ void put(int *a) { a[threadIdx.x * $1] = 1; }
int main(int n, char **words) {
    int *a;
    cudaMalloc(&a, $2);
    put<<<1, 32>>>(a);
    return n != 3 || cudaDeviceSynchronize();
}
END
}
program 8 1024 > origin/src/put.cu
git -C origin add src && git -C origin commit -qm before
git clone -q origin clone
base=$(git -C origin rev-parse HEAD)
program 1 128 > clone/src/put.cu
echo 'put: global_store_sectors == 4' > clone/budget.txt
git -C clone commit -qam after

cd clone || exit 1
export PROGRAM='-O1 src/put.cu' ARGUMENTS='one two' BASE=$base BUDGET=budget.txt GITHUB_OUTPUT=$scratch/output
expect 0 '' -- "$report" "$scratch/reports"
said '^clean$'
for file in findings.sarif after.json before.json report.html compare.html comment.md; do
    [[ -s $scratch/reports/$file ]] || fail "no $file"
done
grep -qE 'global_store_sectors +.*32.*4|sectors' "$scratch/reports/comment.md" || fail "the comment: $(cat "$scratch/reports/comment.md")"
[[ $(cut -d = -f 1 "$scratch/output" | tr '\n' ' ') == 'folder sarif comment ' ]] || fail "outputs: $(cat "$scratch/output")"
[[ -z $(git worktree list | tail -n +2) ]] || fail "the base's tree was left behind"

# A fault and a broken budget fail the step, with their reports written.
program 2 128 > src/put.cu
expect 3 'global_store_sectors' -- env BASE= "$report" "$scratch/faulty"
grep -q out-of-bounds "$scratch/faulty/findings.sarif" || fail "no finding"
[[ -s $scratch/faulty/report.html ]] || fail "no page"
# A program that the base does not have.
cp src/put.cu src/new.cu
expect 0 '' -- env CHECK=false BUDGET= PROGRAM=src/new.cu ARGUMENTS='1 2' bash -c '"$0" "$1" 2> /dev/null' "$report" "$scratch/new"
said 'nothing to compare with'

# What is kept between runs goes by the source: the same for the same, another when a file is another.
cp -r "$tests"/../../{CMakeLists.txt,include,tools} "$scratch" && mkdir "$scratch"/{src,device}
first=$("$scratch/tools/action/version.sh")
[[ $first =~ ^[0-9a-f]{32}$ && $("$scratch/tools/action/version.sh") == "$first" ]] || fail "the version '$first'"
echo '/* new */' > "$scratch/src/new.c"
[[ $("$scratch/tools/action/version.sh") != "$first" ]] || fail "the version is the same for another source"

# The action's file is YAML, and names scripts that exist.
for script in $(grep -oE 'tools/action/[a-z]+\.sh' "$tests/../../action.yml"); do
    [[ -x $tests/../../$script ]] || fail "no $script"
done
finish
