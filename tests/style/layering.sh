#!/bin/bash
# Dependencies between the rooms of src/ go one way. The table says what each room may include, besides itself; the
# rest follows: LLVM in jit/ alone, CUDA's types in driver/, runtime/, blas/ and what programs see.
. "$(dirname "$0")/files.sh"

declare -A may=(
    [base]=""
    [mpi]="base"
    [ptx]="base"
    [ir]="base ptx"
    [cfg]="base ptx ir"
    [scev]="base ptx ir cfg"
    [count]="base model"
    [check]="base ptx ir cfg scev warp analysis"
    [report]="base mpi model count check"
    [suite]="base report"
    [analysis]="base ptx ir cfg scev warp count"
    [warp]="base ptx ir"
    [ref]="base ptx ir cfg analysis warp count"
    [jit]="base ptx ir cfg scev analysis warp count"
    [model]="base"
    [machine]="base ptx ir cfg scev analysis warp ref jit model count check"
    [driver]="base ptx ir warp model machine count check"
    [runtime]="base model machine driver check"
    [blas]="base machine driver"
    [rtc]="base model"
    [api]="base model"
    [cli]="base model ir analysis count report suite check"
)
# The options' one list lies in machine/ and is a table, not code.
allowed_once="cli:machine/options.h"

for folder in "${!may[@]}"; do
    while IFS=: read -r file line include; do
        other=${include%%/*}
        [[ -n ${may[$other]+known} && $other != "$folder" ]] || continue
        [[ " ${may[$folder]} " == *" $other "* || " $allowed_once " == *" $folder:$include "* ]] ||
            fault "$file:$line: $folder/ must not include $include"
    done < <(project_files '*.c' '*.cc' '*.h' '*.def' | grep "^src/$folder/" |
        xargs -r grep -HnoP '^\s*#\s*include\s*"\K[^"]+')
done

# Folders inside a room: what may come in, and from where.
inside() { # files, what they must not include, why
    while IFS=: read -r file line include; do fault "$file:$line: $include: $3"; done < <(
        project_files '*.c' '*.h' | grep -E "$1" | xargs -r grep -HnoP "^\s*#\s*include\s*\"\K$2[^\"]*")
}
inside '^src/machine/[^/]*$' 'machine/watch/(?!watch\.h)' 'the rest of machine/ comes in by machine/watch/watch.h'
inside '^src/machine/memory/' 'machine/(?!(memory/|machine\.h|status\.h))' 'machine/memory/ knows no device and no launch'
inside '^src/machine/watch/' 'machine/(bands|later_sums|profile|verify)\.h' 'watch/ lies below launches'
inside '^src/check/race/' '(ir/|check/(instrument|prove)/)' 'check/race/ knows threads and bytes, and no text'
inside '^src/check/prove/' 'check/(?!prove/)' 'check/prove/ stands by itself'
inside '^src/check/instrument/' 'check/race/' 'check/instrument/ knows the text alone'
inside '^src/machine/' 'jit/(?!code/)' 'jit/ comes in by jit/code/'
# Rooms of jit/, each of which knows those below it; of code/ they know what generated code calls.
inside '^src/jit/code/' 'jit/(?!code/)' 'jit/code/ does without the code generator'
inside '^src/jit/lower/' 'jit/(?!lower/)' 'jit/lower/ knows rows alone'
inside '^src/jit/emit/' 'jit/(?!(emit|lower|code)/)' 'jit/emit/ is below the rooms that say what is emitted'
inside '^src/jit/access/' 'jit/(?!(access|emit|lower|code)/)' 'jit/access/ is below the other instructions'
inside '^src/jit/instr/' 'jit/(?!(instr|access|emit|lower|code)/)' 'jit/instr/ knows no way from block to block'
inside '^src/jit/trace/' 'jit/(?!(trace|instr|access|emit|lower|code)/)' 'jit/trace/ knows no phases'
inside '^src/jit/warp/' 'jit/(?!(warp|instr|access|emit|lower|code)/)' 'jit/warp/ knows whole blocks by wg_block_runner'
inside '^src/jit/llvm/' 'jit/(?!(llvm|emit|lower|code)/)' 'jit/llvm/ knows what is emitted, and not by whom'

while IFS= read -r hit; do fault "$hit: LLVM is for the rooms of jit/ that make code"; done < <(
    project_files '*.c' '*.cc' '*.h' | grep -vE '^(src/jit/([^/]*|(lower|emit|access|instr|trace|warp|block|llvm)/.*)|tests/(jit|lower)/.*)$' | xargs -r grep -HnE '#\s*include\s*[<"]llvm' | cut -d: -f1,2)

while IFS= read -r hit; do fault "$hit: CUDA's types are for driver/, runtime/ and blas/"; done < <(
    project_files '*.c' '*.h' | grep -E '^src/' | grep -vE '^src/(driver|runtime|blas)/' |
        xargs -r grep -HnE '^[^*]*\b(cuda(Error|Stream|Event)_t|CU(result|device|stream|module|function))\b|#\s*include\s*[<"](cuda|driver_types)' |
        cut -d: -f1,2)

# A room's README says the same.
for folder in "${!may[@]}"; do
    said=$(tr '\n' ' ' < "src/$folder/README.md" | grep -oE 'Includes [^.]*\.' | head -n 1)
    listed=$(grep -oE '`[a-z]+/`' <<< "$said" | tr -d '`/' | sort | xargs) || true
    [[ $listed == "$(xargs -n 1 <<< "${may[$folder]}" | sort | xargs)" ]] || fault "src/$folder/README.md: $said"
done

# Every room is in the table, and code lies in rooms.
for folder in $(project_files '*.c' | grep '^src/' | cut -d/ -f2 | sort -u); do
    [[ -n ${may[$folder]+known} ]] || fault "src/$folder/: say in tests/style/layering.sh what it may include"
done
for folder in $(project_files '*.c' | cut -s -d/ -f1 | sort -u); do
    [[ " src tests bench tools kernels device " == *" $folder "* ]] || fault "$folder/: code lies in src/"
done
exit $failed
