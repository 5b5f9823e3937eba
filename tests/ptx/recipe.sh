#!/bin/bash
# recipe.sh SOURCE: follows the recipe for an instruction in CONTRIBUTING.md, step by step, in a copy of the tree, with one that
# PTX does not have: nand. After the first step it is refused by name. After the last, both back ends run it, `check` knows its
# shadows, and the tests of rows have taken it up. It builds the tree once: three minutes of processor time without ccache.
set -eu
source=$(realpath "$1")
tree=$(mktemp -d "${TMPDIR:-/tmp}/warpglass-recipe.XXXXXX")
trap 'rm -rf "$tree"' EXIT
tar -C "$source" --exclude=./build --exclude=./.git --exclude=./shared -cf - . | tar -C "$tree" -xf -
cd "$tree"
fail() {
    echo "FAILED: $*"
    exit 1
}

# put STEP FILE SCRIPT: changes a file with sed. The step has to name the file, or a folder that it is in.
put() {
    echo "step $1: $2"
    local named=$2
    sed -n '/^\*\*An instruction\*\*/,/^\*\*An entry point/p' CONTRIBUTING.md | grep "^$1\\. " > step || fail "the recipe has no step $1"
    until grep -qF "$named" step; do
        [[ $named == */* ]] || fail "step $1 names neither $2 nor its folder"
        named=${named%/*}
    done
    cp "$2" before
    sed -i "$3" "$2"
    ! cmp -s before "$2" || fail "step $1: nothing to change in $2"
}

export CCACHE_BASEDIR=$tree CCACHE_NOHASHDIR=1 # a copy in another folder is the same
launcher=()
if command -v ccache > /dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi
build() {
    echo "build: $*"
    cmake --build build/dev --target "$@" > log 2>&1 || { tail -20 log; fail "it does not build"; }
}

cat > nand.cu << 'END'
#include <cstdio>
__global__ void nand(unsigned *x) {
    asm("nand.b32 %0, %1, %2;" : "=r"(x[threadIdx.x]) : "r"(x[threadIdx.x]), "r"(6));
}
int main() {
    unsigned *x;
    cudaMallocManaged(&x, 32 * sizeof *x);
    for (int i = 0; i < 32; i++) x[i] = i;
    nand<<<1, 32>>>(x);
    int wrong = cudaDeviceSynchronize() || cudaGetLastError();
    for (unsigned i = 0; i < 32; i++) wrong += x[i] != ~(i & 6);
    puts(wrong ? "wrong" : "right");
    return wrong;
}
END
export WARPGLASS_CACHE_DIR=$tree/cache
run() { timeout 100 build/dev/bin/warpglass "$@" nand.cu > said 2>&1; }

put 1 src/ptx/ops.def '/^OP(CNOT,/a OP(NAND, "nand", "T", "b16 b32 b64", "d a b", IS_BITWISE)'
cmake --preset dev -DCMAKE_C_FLAGS_RELWITHDEBINFO=-O0 -DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O0 "${launcher[@]}" > log || { cat log; fail "cmake"; }
build warpglass cuda cudart codegen
for backend in jit ref; do
    ! WARPGLASS_BACKEND=$backend run run || fail "$backend: step 1 alone gives it a meaning"
    grep -q "unsupported.*nand" said || { cat said; fail "$backend: after step 1 it is not refused by name"; }
done

put 2 src/ref/bits.c '/^const struct ref_row wg_ref_bit_rows/i REF_LANE_ROW(nand) { ref_set(l, i, ~(ref_src(l, i, 0) & ref_src(l, i, 1)) & i->ones); }'
put 2 src/ref/bits.c '/^const struct ref_row wg_ref_bit_rows/a [WG_OP_NAND] = {.lane = nand},'
put 3 src/jit/lower/lower_rows.def '/^#undef ROW/i ROW(NAND, nand)'
cat >> row << 'END'
bool wg_row_nand(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    unsigned bits = wg_type_bits(in->type);
    dst[0] = v_not(b, v_and(b, wg_take(b, src[0], bits), wg_take(b, src[1], bits)));
    return true;
}
END
put 3 src/jit/lower/lower_logic.c '$r row'
put 4 src/check/instrument/shadow_rules.c '/^static const uint8_t rules\[/a [WG_OP_NAND] = BITWISE,'
put 5 src/analysis/operations.c '/^static const uint8_t classes\[/a [WG_OP_NAND] = WG_C_op_bit,'
put 5 src/analysis/assembly.c '/^    case WG_OP_POPC: return/i case WG_OP_NAND: return is_wide(x, in) ? 2 * ONE : ONE;'
put 6 tests/lower/bit_cases.c '/^static void logics(/i EXPECT(neither) { d[0] = low_bits(~(s[0] \& s[1]), width(c)); }'
put 6 tests/lower/bit_cases.c '/^static void logics(/a ADD(.op = WG_OP_NAND, .type = WG_T_B32, .src = {32, 32}, .dst = {32}, .expect = neither);'
build warpglass cuda cudart codegen rows_test lower_test rows.shadows_test wg_opsdoc
for backend in jit ref; do WARPGLASS_BACKEND=$backend run run || { cat said; fail "$backend does not run it"; }; done
run check || { cat said; fail "check"; }
tests() { timeout 900 "build/dev/tests/$1" "${@:2}" > said 2>&1 || { tail -20 said; fail "$*"; }; }
tests rows/rows_test --row NAND
tests lower/lower_test
tests rows/rows.shadows_test
eval "$(sed -n 's/^7\. `\(.*\)`$/\1/p' <(sed -n '/^\*\*An instruction\*\*/,/^\*\*An entry point/p' CONTRIBUTING.md))"
grep -q '^| NAND | `nand' docs/ops.md || fail "docs/ops.md has no row of it"
echo "the recipe for an instruction makes one"
