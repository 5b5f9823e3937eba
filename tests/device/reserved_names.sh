#!/usr/bin/env bash
# reserved_names.sh SOURCE_ROOT: a program may give any name of its own a meaning, by -DN=1024 or before it includes a
# header, and the headers compile all the same. Names that are theirs alone are reserved (__n, or wg_ and WG_), in two
# steps: no parameter, local variable, template parameter or private member has another name, as clang's own tree of the
# headers shows; and with every short name, and the names that programs like best, as a macro, all headers compile.
set -eu
root=$1
include=$root/device/include
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
cuda=(clang++-19 -x cuda --cuda-gpu-arch=sm_90 -nocudainc -nocudalib --cuda-path=/nonexistent -Wno-unknown-cuda-version
    -Xclang -target-sdk-version=12.3 -std=c++17 -isystem "$include" -isystem "$here" -fsyntax-only)
status=0

# What a program includes: headers beside those of warpglass/, which they include. cublas.h and cublas_v2.h exclude each
# other, and what is not supported is an error.
headers=$(cd "$include" && find . -type f -not -path './warpglass/*' -not -name cublas.h \
    -exec awk 'FNR == 2 { if (!/^#error/) print FILENAME; nextfile }' {} + | sed 's,^\./,,' | sort)
mkdir GL
echo 'typedef unsigned int GLuint, GLenum;' > GL/gl.h
sed 's,.*,#include <&>,' <<< "$headers" > all.cu
echo '#include <warpglass/warpglass.h>' >> all.cu

# Lines of -ast-dump are "| |-ParmVarDecl 0x5f <FILE:3:5, col:9> col:9 used name 'int'", where FILE stands only if it is
# another than in the line before.
cat > names.awk << 'E2'
{
    depth = match($0, /[A-Za-z<]/) - 1
    kind = substr($0, depth + 1); sub(/ .*/, "", kind)
    parent_kind[depth] = kind
    rest = $0; sub(/ '.*/, "", rest)
    while (match(rest, /(<scratch space>|<built-in>|\/[^ :<>,]*):[0-9]+:[0-9]+/)) {
        file = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
    }
    if (kind == "AccessSpecDecl") hidden[depth] = /> col:[0-9]+ p(rivate|rotected)$|> line:[0-9:]+ p(rivate|rotected)$/
    hidden[depth + 2] = kind == "CXXRecordDecl" && / class [A-Za-z_0-9]* *definition| (struct|class) (__)?wg_[A-Za-z_0-9]* *definition/
}
kind ~ /^(ParmVar|TemplateTypeParm|NonTypeTemplateParm|TemplateTemplateParm|Binding|Label)Decl$/ ||
kind == "VarDecl" && parent_kind[depth - 2] == "DeclStmt" || hidden[depth] && kind ~ /^(Field|CXXMethod|Var)Decl$/ {
    if (index(file, root "device/") != 1 && !(kind == "ParmVarDecl" && index(file, root "include/") == 1)) next
    name = $0
    if (kind ~ /Template/) {
        sub(/.* (depth [0-9]+ )?index [0-9]+/, "", name); sub(/^ \.\.\./, "", name)
    } else {
        sub(/ '.*/, "", name); sub(/.*[> ](col|line):[0-9:]+/, "", name)
        gsub(/ (implicit|referenced|used|invalid|constexpr)/, "", name)
    }
    sub(/^ +/, "", name); sub(/ .*/, "", name)
    if (name ~ /^[A-Za-z]/ && name !~ /^(wg_|WG_|operator)/ || name ~ /^_[a-z]/) print kind, name, file
}
E2
for side in device host; do
    "${cuda[@]}" --cuda-$side-only -include cuda_runtime.h -I "$root/include" -Xclang -ast-dump all.cu > tree
    [[ $(grep -c ParmVarDecl tree) -gt 10000 ]] || { echo "this is no tree of the headers" >&2; exit 1; }
    if awk -v root="$root/" -f names.awk tree | sort -u | grep .; then
        echo "of these names in the headers ($side) each could be a program's macro: begin them with two underscores" >&2
        status=1
    fi
done

# Every short name, less those that are components of vectors or functions of C's; and names of programs' own.
short=$(printf '%s ' {a..v} {A..Z} {a..z}{0..9} {A..Z}{0..9} {a,b,c,d,f,g,h,i,k,m,n,p,s,t,u,v}{x,y,z} {n,m,d,h,s,g}{A,B,C,D,N,M,K,X})
for name in f j0 j1 y0 y1 v1 b1 s4 u4; do short=${short/ $name / }; done
words="idx tid bid gid lane stride alpha rows cols row col src in out input output temp tmp sum total mask delta
    pred addr bits buffer buf len right vals values from to args seed
    scale bias weight weights matrix vec edge image pixel radius steps iters lanes word wanted
    DIM SIZE DATA TILE BLOCK GRID THREADS NUM_THREADS BLOCK_SIZE TILE_SIZE TILE_WIDTH TILE_DIM WIDTH HEIGHT DEPTH LENGTH
    WARP_SIZE WARPSIZE MAX_THREADS RADIUS MASK COUNT INDEX STRIDE OFFSET TYPE DTYPE REAL Real FLOAT DOUBLE INT VALUE KEY
    ROWS COLS ROW COL SRC DST IN OUT TRUE FALSE EPS PI LOG DEBUG TEST CHECK ASSERT ITER ITERATIONS STEPS STAGES NX NY NZ
    Scope Order Word Base Group Size Rank Type Value Key Op Func Args Rest First Second Layout Shape Tensor"
for name in $short $words; do
    echo "#define $name )$name is a macro of the program("
done > macros.h
# A header that defines one for itself would take the program's away, unless it gives it back, and clang does not warn of system
# headers.
if printf '%s\n' $short $words | sort -u | comm -12 - \
    <(find "$include" -type f -exec sed '/pragma push_macro/,+1d' {} + | grep -oE '^ *# *(define|undef) +[A-Za-z_0-9]+' |
        awk '{ print $NF }' | sort -u) | grep .; then
    echo "these names are defined as macros in the headers: begin them with WG_" >&2
    status=1
fi
plain=(-isystem "$include" -I "$root/include" -fsyntax-only)
compiles() {
    "$@" 2> said && return
    echo "with macros of such names: $*" >&2
    grep -m 5 -E 'error|macro of the program' said >&2
    status=1
}
# Less those that have members of such names which programs may ask for: <functional> has one called a, curandState d and v,
# nvtx3::argb alpha.
grep -vE 'cuda/(std/|functional)|curand_|nvtx3\.hpp' all.cu > most.cu
for side in device host; do
    compiles "${cuda[@]}" --cuda-$side-only -include macros.h -include cuda_runtime.h -I "$root/include" most.cu
done
for header in cuda.h cuda_runtime_api.h vector_types.h driver_types.h cuComplex.h cublas.h warpglass/warpglass.h; do
    printf '#include "macros.h"\n#include <%s>\n' "$header" > one.c
    compiles "${CC:-cc}" "${plain[@]}" one.c
    compiles "${CXX:-c++}" "${plain[@]}" -x c++ one.c
done
exit $status
