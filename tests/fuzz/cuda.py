#!/usr/bin/env python3
"""Kernels in CUDA C as people write them, each a random one of its kind, and the launches that they want.

    cuda.py --seed N [--count N] [--kind KIND]        the source, on standard output
    cuda.py --pack LAUNCHES-FROM.cu COMPILED.ptx      PTX as fuzz_kernels --ptx takes it, on standard output

Every kernel has the parameters (in, own, out, counts, q0, q1): `in` has 16 KB that are only read, `own` and `out` 256 KB
each, `counts` 64 words. It is free of races in each of its launches, which stand before it:

    //@ NAME GRID.x .y .z BLOCK.x .y .z Q0 Q1 DATA     DATA: 0 integers, 1 small floats

Floats stay small and finite, and are never added in an order that is open.
"""
import argparse
import random
import re
import sys

import cuda_blocks
import cuda_grids
import cuda_loops


class Kernel:
    """What is drawn for one kernel."""

    in_bytes = 16384

    def __init__(self, r):
        self.r = r
        self.launches = []
        self.before = ""
        self.floats = r.random() < 0.4
        self.t = r.choice(["float"] * 5 + ["double"]) if self.floats else r.choice(
            ["int"] * 4 + ["unsigned"] * 3 + ["unsigned char", "signed char", "short", "unsigned short", "long long"])
        self.size = {"float": 4, "double": 8, "int": 4, "unsigned": 4, "long long": 8, "unsigned char": 1, "signed char": 1,
                     "short": 2, "unsigned short": 2}[self.t]

    def one(self, *of):
        return self.r.choice(of)

    def maybe(self, percent=50):
        return self.r.random() * 100 < percent

    def to(self, most, least=1):
        return self.r.randint(least, most)

    def block(self, most=256):
        """Threads of a block in one dimension."""
        return min(most, self.one(1, 32, 64, 64, 96, 128, 128, 256, 512, self.to(40), self.to(most)))

    def launch(self, grid, block, q0=0, q1=0):
        grid, block = [list(x) + [1] * (3 - len(x)) for x in (grid, block)]
        self.launches.append((grid, block, q0, q1))

    def unroll(self):
        return self.one("", "", "", "#pragma unroll\n    ", "#pragma unroll 1\n    ", "#pragma unroll %d\n    " % self.to(8, 2))

    def op(self, a, b):
        """An operation that keeps small floats small."""
        if self.floats:
            return self.one("%s + %s", "%s - %s", "fminf(%s, %s)" if self.t == "float" else "fmin(%s, %s)",
                            "%s + %s * 0.5f" if self.t == "float" else "%s + %s * 0.5") % (a, b)
        return self.one("%s + %s", "%s - %s", "%s ^ %s", "%s * %s", "min(%s, %s)" if self.t in ("int", "unsigned", "long long")
                        else "%s | %s") % (a, b)

    def where(self):
        """A thread's number in the grid."""
        return self.one("blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x + blockIdx.x * blockDim.x",
                        "threadIdx.x + blockDim.x * blockIdx.x")

    def index(self):
        return self.one("int", "int", "unsigned", "size_t" if self.maybe(30) else "int")


KINDS = cuda_grids.KINDS + cuda_blocks.KINDS + cuda_loops.KINDS


def kernel(seed, name, kind):
    r = random.Random(seed)
    k = Kernel(r)
    f = next(f for f in KINDS if f.__name__ == kind) if kind else r.choice(KINDS)
    body = f(k)
    t = k.t
    restrict = k.one("", "", "__restrict__ ")
    qualifier = k.one("const ", "const ", "")
    bounds = k.one("", "", f"__launch_bounds__({max(b[0] * b[1] * b[2] for _, b, _, _ in k.launches)}) ")
    q = k.one("int", "int", "unsigned")
    before = k.before.replace("T@", "T_" + name).replace("@", "_" + name)
    body = body.replace("@", "_" + name)
    lines = [f"// {f.__name__}, seed {seed}"]
    for grid, block, q0, q1 in k.launches:
        lines.append("//@ " + " ".join(map(str, [name] + grid + block + [q0, q1, int(k.floats)])))
    lines.append(f"typedef {t} T_{name};")
    lines.append(f"#define T T_{name}")
    lines.append(before + f'extern "C" __global__ void {bounds}{name}({qualifier}T *{restrict}in, T *{restrict}own, T *{restrict}out, '
                 f"unsigned *counts, {q} q0, {q} q1) {{{body}\n}}")
    lines.append("#undef T\n")
    return "\n".join(lines)


def bare(text):
    """PTX without what is there for debuggers."""
    text = re.sub(r"^\s*\.(loc|file)\b.*\n", "", text, flags=re.M)
    text = re.sub(r"^\s*\.section\s+\.debug.*?^\s*\}\n", "", text, flags=re.M | re.S)
    text = re.sub(r"^\s*\.section\s.*\{\s*\}\s*$", "", text, flags=re.M)
    text = re.sub(r"^\s*\.reg \.b32 temp_param_reg;\n", "", text, flags=re.M)  # nvcc's, in each call's braces; nothing uses it
    return re.sub(r"^\s*//.*\n", "", text, flags=re.M).replace(", debug", "")


def pack(source, ptx):
    """Launches first."""
    launches = [line for line in open(source) if line.startswith("//@ ")]
    sys.stdout.write("".join(launches) + bare(open(ptx).read()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--kind")
    parser.add_argument("--pack", nargs=2)
    options = parser.parse_args()
    if options.pack:
        pack(*options.pack)
        return
    print("// cuda.py --seed %d --count %d" % (options.seed, options.count))
    for n in range(options.count):
        print(kernel(options.seed * 1000 + n, "k%d" % n, options.kind))


if __name__ == "__main__":
    main()
