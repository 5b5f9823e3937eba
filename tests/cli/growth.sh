#!/bin/bash
# Compiling a kernel of many branches takes memory in proportion to them: what each of them kept by itself of all
# registers was 560 MB for a thousand.
. "$(dirname "$0")/expect.sh"

python3 "$tests/../../bench/compile/growth" --print branches 500 > k.cu
expect 0 '' -- warpglass cc k.cu -o k
cat > most.py << 'END'
import os, sys
pid = os.posix_spawn("./k", ["./k"], {**os.environ, "WARPGLASS_CACHE_DIR": "none"})
_, status, used = os.wait4(pid, 0)
print(status, used.ru_maxrss // 1024)
END
read -r status most < <(python3 most.py)
[[ $status == 0 ]] || fail "the program failed"
((most < 160)) || fail "it took $most MB"
finish
