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

IN, OWN, COUNTS = 4096, 65536, 64  # words


class Kernel:
    """What is drawn for one kernel."""

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
        return min(most, self.one(32, 64, 64, 96, 128, 128, 256, 512, self.to(40), self.to(most)))

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


# ---- kinds: each gives the kernel's body; T is its type ----

def elementwise(k):
    n = k.to(4000 // max(1, k.size // 4))
    b = k.block()
    k.launch([max(1, min(8, (n + b - 1) // b))], [b], n, k.to(9))
    expr = k.op("in[i]", "own[i]")
    if k.maybe(60):
        return f"""
    const {k.index()} step = blockDim.x * gridDim.x;
    {k.unroll()}for ({k.index()} i = {k.where()}; i < q0; i += step) out[i] = {expr};"""
    k.launches[-1] = ([(n + b - 1) // b, 1, 1],) + k.launches[-1][1:]
    guard = k.one("if (i < q0) ", "if (i >= q0) return;\n    ")
    more = k.one("", f"own[i] = {k.op('out[i]', 'own[i]')};") if "return" in guard else ""
    return f"""
    {k.index()} i = {k.where()};
    {guard}out[i] = {expr};
    {more}"""


def backwards(k):
    n, b = k.to(3000 // max(1, k.size // 4)), k.block()
    k.launch([(n + b - 1) // b], [b], n)
    if k.maybe():
        return f"""
    int i = {k.where()};
    if (i < q0) out[q0 - 1 - i] = in[i];"""
    # in place, from both ends
    return f"""
    int i = {k.where()};
    if (i < q0 / 2) {{
        T a = own[i], b = own[q0 - 1 - i];
        own[i] = {k.one('b', k.op('b', 'a'))};
        own[q0 - 1 - i] = a;
    }}"""


def row_of(k):
    """A row and a column from one number, or a grid of two dimensions."""
    w, h = k.to(70, 3), k.to(30, 2)
    kind = k.to(3)
    if kind == 1:
        b = k.block()
        k.launch([(w * h + b - 1) // b], [b], w, h)
        k.launch([max(1, (w * h + b - 1) // b)], [b], max(1, w - k.to(5)), h)
        return w, h, f"""
    const {k.one('int', 'unsigned')} i = {k.where()};
    const int y = i / q0, x = {k.one('i % q0', 'i - y * q0')};
    if (y >= q1) return;"""
    bx, by = (k.one(32, 16, 8, 64), k.one(1, 2, 4, 8)) if k.maybe(70) else (k.to(40), k.to(8))
    if kind == 2:
        by = 1
    k.launch([(w + bx - 1) // bx, (h + by - 1) // by], [bx, by], w, h)
    return w, h, f"""
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= q0 || y >= q1) return;"""


def product(k):
    if k.size < 4:
        k.t, k.size = "int", 4
    w, h, head = row_of(k)
    n = k.to(24)
    kk = k.one(str(n), "min(q1, %d)" % n)
    k.launches = [l for l in k.launches if l[2] * n * k.size <= 4 * IN and l[3] * n * k.size <= 4 * IN] or k.launches[:1]
    return f"""{head}
    T sum = 0;
    {k.unroll()}for (int k = 0; k < {kk}; k++) sum {k.one('+=', '+=', '-=')} in[(y * {n} + k) & 1023] * {k.one('own', 'own', 'in')}[(k * q0 + x) & 1023];
    out[y * q0 + x] = sum{k.one('', '', ' + out[y * q0 + x]')};"""


def product_tiles(k):
    if k.size < 4:
        k.t, k.size = "int", 4
    t = k.one(4, 8, 16, 8, 16, 5)
    tiles = k.to(3)
    n = t * tiles - k.to(t - 1, 0)
    k.launch([k.to(2), k.to(2)], [t, t], n)
    pad = k.one("", " + 1")
    return f"""
    __shared__ T a[{t}][{t}{pad}], b[{t}][{t}{pad}];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * {t} + y, column = blockIdx.x * {t} + x;
    T sum = 0;
    for (int first = 0; first < q0; first += {t}) {{
        a[y][x] = row < q0 && first + x < q0 ? in[row * q0 + first + x] : T(0);
        b[y][x] = first + y < q0 && column < q0 ? own[(first + y) * q0 + column] : T(0);
        __syncthreads();
        {k.unroll()}for (int k = 0; k < {t}; k++) sum += a[y][k] * b[{k.one('k][x', 'k][x', 'x][k')}];
        __syncthreads();
    }}
    {k.one('if (row < q0 && column < q0) ', '')}out[row * {k.one('q0', '96')} + column] = sum;"""


def transposed(k):
    w, h = k.to(60, 2), k.to(40, 2)
    kind = k.to(3)
    if kind == 1:
        bx, by = k.one((32, 8), (16, 16), (8, 4), (32, 1), (k.to(33), k.to(9)))
        k.launch([(w + bx - 1) // bx, (h + by - 1) // by], [bx, by], w, h)
        return f"""
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < q0 && y < q1) out[{k.one('x * q1 + y', '(q0 - 1 - x) * q1 + y', 'x * q1 + q1 - 1 - y')}] = in[y * q0 + x];"""
    t = k.one(32, 16, 8, 4)
    rows = k.one(1, 2, 4, t) if kind == 2 else t
    rows = min(rows, t)
    pad = k.one("", " + 1", " + 1", " + 2")
    k.launch([(w + t - 1) // t, (h + t - 1) // t], [t, rows], w, h)
    whole = k.maybe(40)
    if whole:
        k.launches = []
        k.launch([k.to(3), k.to(2)], [t, rows], 0, 0)
        return f"""
    __shared__ T tile[{t}][{t}{pad}];
    const int w = gridDim.x * {t}, h = gridDim.y * {t}, x = blockIdx.x * {t} + threadIdx.x, y = blockIdx.y * {t} + threadIdx.y;
    {k.unroll()}for (int j = 0; j < {t}; j += {rows}) tile[threadIdx.y + j][threadIdx.x] = own[(y + j) * w + x];
    __syncthreads();
    const int to_x = blockIdx.y * {t} + threadIdx.x, to_y = blockIdx.x * {t} + threadIdx.y;
    {k.unroll()}for (int j = 0; j < {t}; j += {rows}) out[(to_y + j) * h + to_x] = tile[threadIdx.x][threadIdx.y + j];"""
    return f"""
    __shared__ T tile[{t}][{t}{pad}];
    int x = blockIdx.x * {t} + threadIdx.x, y = blockIdx.y * {t} + threadIdx.y;
    for (int j = 0; j < {t}; j += {rows})
        if (x < q0 && y + j < q1) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * q0 + x];
    __syncthreads();
    x = blockIdx.y * {t} + threadIdx.x;
    y = blockIdx.x * {t} + threadIdx.y;
    for (int j = 0; j < {t}; j += {rows})
        if (x < q1 && y + j < q0) out[(y + j) * q1 + x] = tile[threadIdx.x][threadIdx.y + j];"""


def reduction(k):
    """The ladder of the samples: interleaved, strided, sequential, first addition while loading, last warp, unrolled."""
    if k.size < 4:
        k.t, k.size = k.one("int", "unsigned"), 4
    b = k.one(32, 64, 128, 256)
    n = k.to(1500)
    grid = k.to(4)
    k.launch([grid], [b], n)
    op = k.one("+=", "+=", "^=") if not k.floats else "+="
    load = k.one("i < q0 ? own[i] : T(0)", "own[i]")
    stage = k.to(6)
    body = ["""
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0) mine[t] %s mine[t + s];
        __syncthreads();
    }""", """
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        unsigned j = 2 * s * t;
        if (j < blockDim.x) mine[j] %s mine[j + s];
        __syncthreads();
    }""", """
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) mine[t] %s mine[t + s];
        __syncthreads();
    }""", """
    %%s
    for (int s = %d / 2; s > 0; s /= 2) {
        if (t < s) mine[t] %%s mine[t + s];
        __syncthreads();
    }""" % b, """
    for (unsigned s = blockDim.x / 2; s > 16; s >>= 1) {
        if (t < s) mine[t] %s mine[t + s];
        __syncthreads();
    }
    if (t < 16) {
        T v = mine[t];
        for (int s = 8; s; s >>= 1) v %s __shfl_down_sync(0xffffu, v, s);
        if (t == 0) mine[0] = v;
    }""", """
    if (t < 32) {
        volatile T *last = mine;
        T v = 0;
        for (int s = t; s < blockDim.x; s += 32) v %s last[s];
        __syncwarp();
        last[t] = v;
        for (int s = 16; s; s >>= 1) {
            T other = t < s ? last[t + s] : T(0);
            __syncwarp();
            if (t < s) last[t] = last[t] + other;
            __syncwarp();
        }
    }
    __syncthreads();"""][stage - 1]
    body = body.replace("%%s\n", "%s\n", 1) if False else body
    if stage == 4:
        body = body % (k.unroll().strip("\n ") + "\n", op) if False else body.replace("%%s", "%s").replace("%s", k.unroll().rstrip(), 1).replace("%s", op)
    else:
        body = body.replace("%s", op)
    tail = "counts" if k.t in ("int", "unsigned") and k.maybe() else None
    end = f"if (t == 0) atomicAdd({k.one('counts', 'counts + blockIdx.x % 3')}, (unsigned)mine[0]);" if tail else \
        "if (t == 0) out[blockIdx.x] = mine[0];"
    return f"""
    __shared__ T mine[{b}];
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    mine[t] = {load};
    __syncthreads();{body}
    {end}"""


def warp_sums(k):
    if k.size < 4:
        k.t, k.size = "int", 4
    b = k.to(1024) if k.maybe(20) else k.to(160) if k.maybe() else k.one(32, 64, 128, 256)
    k.launch([k.to(2)], [b], k.to(b), k.to(9))
    mode = k.one("__shfl_down_sync(~0u, v, s)", "__shfl_xor_sync(0xffffffff, v, s)", "__shfl_down_sync(0xffffffff, v, s, 32)")
    width = k.one(16, 16, 16, 8, 4)
    source = k.one("own[i]", "threadIdx.x < q0 ? own[i] : T(0)")
    if k.maybe(40):
        return f"""
    int i = {k.where()};
    T v = {source};
    {k.unroll()}for (int s = {width}; s > 0; s {k.one('>>= 1', '/= 2')}) v += {mode};
    {k.one('if (threadIdx.x % 32 == 0) ', '', 'if (threadIdx.x == 0) ')}out[i] = v;"""
    return f"""
    __shared__ T sums[32];
    int i = {k.where()}, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    T v = {source};
    for (int s = {width}; s > 0; s >>= 1) v += {mode};
    if (lane == 0) sums[warp] = v;
    __syncthreads();
    if (warp == 0) {{
        v = lane < (blockDim.x + 31) / 32 ? sums[lane] : T(0);
        for (int s = 16; s > 0; s >>= 1) v += {mode};
        if (lane == 0) out[blockIdx.x] = v;
    }}"""


def histogram(k):
    k.floats, k.t, k.size = False, k.one("int", "unsigned char", "unsigned", "unsigned short"), 4
    bins = k.one(8, 16, 32, 64, k.to(64))
    b, n = k.block(), k.to(4000)
    k.launch([k.to(4)], [b], n, bins)
    bin_of = k.one(f"in[i] % {bins}", f"(unsigned)in[i] % {bins}", "in[i] & 7", f"(unsigned)(in[i] >> 2) % {bins}", "(unsigned)in[i] % q1")
    bin_of = f"((unsigned)({bin_of}) & 63)" if k.t == "int" else bin_of
    amount = k.one("1", "1", "1u", "i & 3")
    loop = f"for (int i = {k.where()}; i < q0; i += blockDim.x * gridDim.x)"
    kind = k.to(4)
    if kind == 1:
        return f"""
    {loop} atomicAdd(&counts[{bin_of}], {amount});"""
    copies = k.one(1, 1, 2, 4)
    mine = "mine" if copies == 1 else f"mine + 64 * (threadIdx.x % {copies})"
    if kind == 4:
        loop = f"for (int i = blockIdx.x * blockDim.x * 4 + threadIdx.x, j = 0; j < 4 && i < q0; j++, i += blockDim.x)"
    total = " + ".join(f"mine[i + {64 * c}]" for c in range(copies))
    return f"""
    __shared__ unsigned mine[{64 * copies}];
    for (int i = threadIdx.x; i < {64 * copies}; i += blockDim.x) mine[i] = 0;
    __syncthreads();
    {k.unroll() if kind != 4 else ''}{loop} atomicAdd({mine} + {bin_of}, {amount});
    __syncthreads();
    for (int i = threadIdx.x; i < {k.one('64', str(bins))}; i += blockDim.x) {k.one('', f'if ({total}) ')}atomicAdd(&counts[i], {total});"""


def filtered(k):
    """Means and the like of windows of images: global, shared rows, clamped borders."""
    k.t, k.size = k.one(("unsigned char", 1), ("unsigned char", 1), ("unsigned short", 2), ("int", 4)) if not k.floats else ("float", 4)
    w, h = k.to(200, 12), k.to(20, 6)
    while w * h * k.size > 4 * IN:
        h -= 1
    reach = k.one(1, 1, 2, 3)
    side = 2 * reach + 1
    acc = "float" if k.floats else k.one("unsigned", "int")
    b = k.one(32, 64, 128, k.to(100, 8))
    kind = k.to(4)
    part = k.one(f"sum / {side * side}", "sum", "sum >> 3") if not k.floats else k.one("sum", "sum * 0.125f")
    if kind == 1:
        k.launch([(w + b - 1) // b, h], [b], w, h)
        return f"""
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y{k.one('', ' * blockDim.y + threadIdx.y')};
    if (x < {reach} || y < {reach} || x >= q0 - {reach} || y >= q1 - {reach}) return;
    {acc} sum = 0;
    for (int dy = -{reach}; dy <= {reach}; dy++)
        for (int dx = -{reach}; dx <= {reach}; dx++) sum += in[(y + dy) * q0 + x + dx];
    out[y * q0 + x] = {part};"""
    if kind == 2:
        b = max(b, 4 * reach)
        inner = b - 2 * reach
        k.launch([(w + inner - 1) // inner, h], [b], w, h)
        return f"""
    __shared__ {k.one('int' if not k.floats else 'float', 'T')} rows[{side}][{b}];
    const int t = threadIdx.x, x = blockIdx.x * ({b} - {2 * reach}) + t, y = blockIdx.y;
    const bool inside = x < q0 && y >= {reach} && y < q1 - {reach};
    if (inside)
        for (int j = 0; j < {side}; j++) rows[j][t] = in[(y + j - {reach}) * q0 + x];
    __syncthreads();
    if (!inside || t < {reach} || t >= {b} - {reach} || x >= q0 - {reach}) return;
    {acc} sum = 0;
    for (int j = 0; j < {side}; j++)
        for (int dx = -{reach}; dx <= {reach}; dx++) sum += rows[j][t + dx];
    out[y * q0 + x] = {part};"""
    bx, by = k.one((32, 4), (16, 8), (96, 1), (32, 1), (20, 3))
    k.launch([(w + bx - 1) // bx, (h + by - 1) // by], [bx, by], w, h)
    at = {3: f"min(max(y + dy, 0), (int)q1 - 1) * q0 + min(max(x + dx, 0), (int)q0 - 1)",
          4: "((y + dy + q1) % q1) * q0 + (x + dx + q0) % q0"}[kind]
    op = k.one("sum += in[{}]", "sum = max(sum, ({}){})".format(acc, "in[{}]")).format(at)
    return f"""
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= q0 || y >= q1) return;
    {acc} sum = 0;
    for (int dy = -{reach}; dy <= {reach}; dy++)
        for (int dx = -{reach}; dx <= {reach}; dx++) {op};
    out[y * q0 + x] = {part};"""


def structures(k):
    """Arrays of structures: split, joined, permuted in place, updated."""
    n = k.to(16, 2)
    names = [chr(97 + i) for i in range(n)]
    mixed = k.maybe(25)
    types = [k.one("int", "float" if k.floats else "unsigned", "short", "unsigned char", "double" if k.floats else "long long")
             if mixed else k.t for _ in names]
    align = k.one("", "", "__align__(8) " if k.size <= 8 else "", "__align__(16) ")
    k.before = f"struct {align}S@ {{ " + " ".join(f"{t} {v};" for t, v in zip(types, names)) + " };\n"
    b, count = k.block(), k.to(400)
    k.launch([(count + b - 1) // b], [b], count)
    order, to = names[:], names[:]
    k.r.shuffle(order)
    k.r.shuffle(to)
    if k.maybe(30):
        order.sort()
    head = f"""
    int i = {k.where()};
    {k.one('if (i >= q0) return;', 'if (i >= q0) return;', '')}"""
    ref = k.one("S@ &s = ((S@ *)own)[i];", "S@ *p = (S@ *)own + i; S@ &s = *p;")
    kind = k.to(5)
    if kind == 1:  # through a copy
        lines = " ".join(f"s.{d} = v.{a};" for d, a in zip(order, to))
        return head + f"\n    {ref}\n    S@ v = s;\n    {lines}"
    if kind == 2:  # swaps of fields
        lines = "\n    ".join(f"{{ auto was = s.{a}; s.{a} = s.{b_}; s.{b_} = was; }}" for a, b_ in zip(order[::2], order[1::2]))
        return head + f"\n    {ref}\n    {lines}"
    if kind == 3:  # each is updated from another
        lines = " ".join(f"s.{d} {k.one('+=', '=', '-=')} s.{a};" for d, a in zip(order, to))
        return head + f"\n    {ref}\n    {lines}"
    if kind == 4 and not mixed:  # split
        lines = " ".join(f"out[{j} * q0 + i] = s.{v};" for j, v in enumerate(order))
        return head.replace("(i >= q0) return;\n", "(i >= q0) return;\n") + f"\n    if (i >= q0) return;\n    {ref}\n    {lines}"
    lines = " ".join(f"r.{d} = s.{a};" for d, a in zip(order, to))
    return head + f"\n    {ref}\n    S@ &r = ((S@ *)out)[{k.one('i', 'gridDim.x * blockDim.x - 1 - i')}];\n    {lines}"


def vectors(k):
    base = k.one("float", "float", "float") if k.floats else k.one("int", "unsigned", "char", "short")
    w = k.one(2, 4, 4, 3)
    vt = ("u" + base[0:] if False else {"float": "float", "int": "int", "unsigned": "uint", "char": "uchar", "short": "short"}[base]) + str(w)
    k.t = vt
    b, count = k.block(), k.to(200)
    k.launch([(count + b - 1) // b], [b], count)
    comps = "xyzw"[:w]
    order = list(comps)
    k.r.shuffle(order)
    lines = " ".join(f"r.{d} = {k.one(f'a.{s}', f'a.{s} + c.{d}', f'c.{s}')};" for d, s in zip(comps, order))
    put = k.one("out[i] = r;", "own[i] = r;", "out[q0 - 1 - i] = r;", "own[i] = r; out[i] = a;")
    return f"""
    int i = {k.where()};
    if (i >= q0) return;
    T a = {k.one('in[i]', 'own[i]', '__ldg(&in[i])')}, c = own[i], r;
    {lines}
    {put}"""


def transform(k):
    """A small transform in registers, its output in another order than its input."""
    if k.size < 4:
        k.t, k.size = "int", 4
    n = k.one(4, 8, 8, 16, 3, 5, 6)
    b = k.block(128)
    k.launch([k.to(3)], [b], k.to(8))
    layout = k.one(f"own + i * {n}", f"own + i * {n}", f"own + i")
    step = "" if "*" in layout else " * (gridDim.x * blockDim.x)"
    stages = 1
    while 1 << stages < n:
        stages += 1
    perm = list(range(n))
    k.r.shuffle(perm)
    if k.maybe(40) and n in (4, 8, 16):
        perm = [int(format(j, f"0{stages}b")[::-1], 2) for j in range(n)]
    lines = []
    for s in range(k.to(stages)):
        for a in range(n):
            c = a ^ (1 << s)
            if a < c < n:
                lines.append(f"{{ T u = v[{a}], w = v[{c}]; v[{a}] = {k.one('u + w', 'min(u, w)' if not k.floats else 'u + w')}; v[{c}] = u - w; }}")
    loads = "\n    ".join(f"v[{j}] = p[{j}{step}];" for j in (perm if k.maybe() else range(n)))
    stores = "\n    ".join(f"p[{perm[j]}{step}] = v[{j}];" for j in (range(n) if k.maybe() else perm))
    if k.maybe(30):
        loads = f"{k.unroll()}for (int j = 0; j < {n}; j++) v[j] = p[j{step}];"
    if k.maybe(30):
        stores = f"for (int j = 0; j < {n}; j++) p[(j * {k.one(1, n - 1)} + {k.to(n)}) % {n}{step}] = v[j];"
    return f"""
    int i = {k.where()};
    T v[{n}], *p = {layout};
    {loads}
    {' '.join(lines)}
    {stores}"""


def scans(k):
    if k.size < 4:
        k.t, k.size = "int", 4
    b = k.one(32, 64, 128, 16, k.to(128))
    kind = k.to(3)
    k.launch([k.to(3)], [b], b)
    if kind == 1:
        return f"""
    __shared__ T a[2][{b}];
    int t = threadIdx.x, i = {k.where()}, from = 0;
    a[0][t] = own[i];
    __syncthreads();
    {k.unroll()}for (int s = 1; s < {k.one(str(b), 'blockDim.x')}; s *= 2) {{
        a[1 - from][t] = t >= s ? a[from][t] + a[from][t - s] : a[from][t];
        from = 1 - from;
        __syncthreads();
    }}
    out[i] = a[from][t];"""
    if kind == 2:
        return f"""
    int i = {k.where()}, lane = threadIdx.x {k.one('& 31', '% 32')};
    T v = own[i];
    {k.unroll()}for (int s = 1; s < 32; s <<= 1) {{
        T n = __shfl_up_sync(~0u, v, s);
        if (lane >= s) v += n;
    }}
    out[i] = v{k.one('', ' - own[i]')};"""
    b = k.one(8, 16, 32, 64)
    k.launches = []
    k.launch([k.to(3)], [b], 0)
    return f"""
    __shared__ T a[{2 * b}];
    int t = threadIdx.x, first = blockIdx.x * {2 * b}, s = 1;
    a[2 * t] = own[first + 2 * t];
    a[2 * t + 1] = own[first + 2 * t + 1];
    for (int d = {b}; d > 0; d >>= 1) {{
        __syncthreads();
        if (t < d) a[s * (2 * t + 2) - 1] += a[s * (2 * t + 1) - 1];
        s *= 2;
    }}
    if (t == 0) a[{2 * b} - 1] = 0;
    for (int d = 1; d < {2 * b}; d *= 2) {{
        s >>= 1;
        __syncthreads();
        if (t < d) {{
            T was = a[s * (2 * t + 1) - 1];
            a[s * (2 * t + 1) - 1] = a[s * (2 * t + 2) - 1];
            a[s * (2 * t + 2) - 1] += was;
        }}
    }}
    __syncthreads();
    out[first + 2 * t] = a[2 * t];
    out[first + 2 * t + 1] = a[2 * t + 1];"""


def sorts(k):
    if k.size < 4:
        k.t, k.size = "int", 4
    n = k.one(8, 16, 32, 64)
    k.launch([k.to(3)], [n], n)
    kind = k.to(3)
    if kind == 1:
        return f"""
    __shared__ T a[{n}];
    int t = threadIdx.x;
    a[t] = own[blockIdx.x * {n} + t];
    __syncthreads();
    for (int k = 2; k <= {n}; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {{
            int other = t ^ j;
            if (other > t) {{
                T x = a[t], y = a[other];
                if (((t & k) == 0) == (x > y)) {{ a[t] = y; a[other] = x; }}
            }}
            __syncthreads();
        }}
    out[blockIdx.x * {n} + t] = a[t];"""
    if kind == 2:  # odd-even
        return f"""
    __shared__ T a[{n}];
    int t = threadIdx.x;
    a[t] = own[blockIdx.x * {n} + t];
    __syncthreads();
    for (int k = 0; k < {k.to(n)}; k++) {{
        if ((t & 1) == (k & 1) && t + 1 < {n}) {{
            T x = a[t], y = a[t + 1];
            a[t] = min(x, y);
            a[t + 1] = max(x, y);
        }}
        __syncthreads();
    }}
    own[blockIdx.x * {n} + t] = a[t];"""
    m = k.to(9, 2)  # a thread's own, by insertion
    k.launches = []
    k.launch([k.to(2)], [k.block(128)], m)
    return f"""
    T a[{m}], *p = own + ({k.where()}) * {m};
    {k.unroll()}for (int i = 0; i < {m}; i++) a[i] = p[i];
    for (int i = 1; i < {m}; i++)
        for (int j = i; j > 0 && a[j] < a[j - 1]; j--) {{ T was = a[j]; a[j] = a[j - 1]; a[j - 1] = was; }}
    {k.unroll()}for (int i = 0; i < {m}; i++) p[i] = a[i];"""


def convolution(k):
    if k.size < 4:
        k.t, k.size = "int", 4
    reach = k.to(4)
    b, n = k.one(32, 64, 128, 20), k.to(900)
    k.launch([(n + b - 1) // b], [b], n)
    weights = ", ".join(str(k.to(5)) for _ in range(2 * reach + 1))
    k.before = f"__constant__ T@ weights@[] = {{{weights}}};\n"
    if k.maybe():
        return f"""
    int i = {k.where()};
    T sum = 0;
    {k.unroll()}for (int j = -{reach}; j <= {reach}; j++)
        if (i + j >= 0 && i + j < q0) sum += in[i + j] * weights@[j + {reach}];
    if (i < q0) out[i] = sum;"""
    return f"""
    __shared__ T part[{b} + {2 * reach}];
    int i = {k.where()}, t = threadIdx.x;
    part[t + {reach}] = i < q0 ? in[i] : T(0);
    if (t < {reach}) {{
        part[t] = i >= {reach} ? in[i - {reach}] : T(0);
        part[t + {b} + {reach}] = i + {b} < q0 ? in[i + {b}] : T(0);
    }}
    __syncthreads();
    T sum = 0;
    {k.unroll()}for (int j = 0; j <= {2 * reach}; j++) sum += part[t + j] * weights@[j];
    if (i < q0) out[i] = sum;"""


def bodies(k):
    """All pairs, through tiles of shared memory."""
    k.floats, k.t, k.size = (True, "float", 4) if k.maybe() else (False, "int", 4)
    b, tiles = k.one(16, 32, 64, 32), k.to(3)
    k.launch([tiles], [b], tiles * b)
    term = "d * 0.25f" if k.floats else "d * d"
    inner = f"{k.unroll()}for (int j = 0; j < {b}; j++) {{ T d = {k.one('tile[j] - mine', 'mine - tile[j]')}; sum += {term}; }}"
    return f"""
    __shared__ T tile[{b}];
    const int i = {k.where()};
    T mine = own[i], sum = 0;
    for (int first = 0; first < q0; first += {b}) {{
        tile[threadIdx.x] = own[first + threadIdx.x];
        __syncthreads();
        {inner}
        __syncthreads();
    }}
    out[i] = sum;"""


def life(k):
    k.floats, k.t, k.size = False, k.one("unsigned char", "int"), 1
    w, h = k.to(90, 4), k.to(30, 3)
    bx, by = k.one((32, 4), (16, 16), (8, 8), (k.to(33), k.to(4)))
    k.launch([(w + bx - 1) // bx, (h + by - 1) // by], [bx, by], w, h)
    left = k.one("(x + q0 - 1) % q0", "x ? x - 1 : q0 - 1")
    right = k.one("(x + 1) % q0", "x + 1 == q0 ? 0 : x + 1")
    return f"""
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= q0 || y >= q1) return;
    int l = {left}, r = {right}, u = (y + q1 - 1) % q1, d = (y + 1) % q1;
    auto at = [&](int x, int y) {{ return (int)in[y * q0 + x] & 1; }};
    int n = at(l, u) + at(x, u) + at(r, u) + at(l, y) + at(r, y) + at(l, d) + at(x, d) + at(r, d);
    out[y * q0 + x] = n == 3 || (n == 2 && at(x, y));"""


def divergent(k):
    """Loops that lanes leave one by one."""
    k.floats, k.t, k.size = False, k.one("int", "unsigned"), 4
    b = k.block(128)
    n = k.to(600)
    k.launch([(n + b - 1) // b], [b], n, k.to(20))
    kind = k.to(5)
    if kind == 1:
        return f"""
    int i = {k.where()};
    if (i >= q0) return;
    unsigned v = (unsigned)in[i] % 97 + 1, steps = 0;
    while (v != 1 && steps < {k.to(60, 5)}) {{ v = v & 1 ? 3 * v + 1 : v / 2; steps++; }}
    out[i] = steps;"""
    if kind == 2:  # rows of a sparse matrix
        return f"""
    int i = {k.where()};
    if (i >= q0) return;
    int begin = i * 3, end = begin + (in[i] & {k.one(3, 7, 15)});
    T sum = 0;
    {k.unroll()}for (int j = begin; j < end; j++) sum += own[(unsigned)in[j & 4095] & 2047] * in[(j * 7) & 4095];
    out[i] = sum;"""
    if kind == 3:  # the search of a place
        return f"""
    int i = {k.where()};
    if (i >= q0) return;
    unsigned low = 0, high = {k.to(1000, 2)}, wanted = (unsigned)in[i] % 1000;
    while (low < high) {{
        unsigned middle = (low + high) / 2;
        if (middle * {k.to(3)} < wanted) low = middle + 1; else high = middle;
    }}
    out[i] = low;"""
    if kind == 4:
        return f"""
    int i = {k.where()};
    if (i >= q0) return;
    T v = in[i];
    for (int j = 0; j < {k.to(30, 3)}; j++) {{
        if ((v & 15) == {k.to(15)}) {k.one('break', 'break', 'continue')};
        {k.one('out[i] = v', 'v += own[(i + j) & 1023]', 'v ^= j')};
        v = v * 5 + {k.to(9)};
    }}
    {k.one('own[i + 8192] = v', 'out[i] = v')};"""
    return f"""
    int i = {k.where()};
    if (i >= q0) return;
    T a = in[i] & 127, b = own[i] & 127;
    while (b{k.one('', ' > 0')}) {{ T r = a % b; a = b; b = r; }}
    out[i] = a;"""


def known(k):
    """Branches on the thread's number alone, leaders, part of the warps."""
    if k.size < 4:
        k.t, k.size = "int", 4
    b = k.one(32, 64, 128, 96, 256)
    k.launch([k.to(3)], [b], k.to(b))
    c = k.one(1, 16, 32, 48, k.to(b))
    test = k.one(f"t < {c}", f"t == {c - 1}", "t % 32 == 0", f"t >= {c}", "t & 1", f"t / 32 == {k.to(2, 0)}", "t < q0")
    do = k.one(f"own[i] = {k.op('v', 'in[t]')};", f"for (int j = 0; j < {k.to(6)}; j++) own[i] += T(a[(t + j) % {b}]);",
               f"a[t] = v + T(1);")
    return f"""
    __shared__ T a[{b}];
    const int t = threadIdx.x, i = {k.where()};
    T v = own[i];
    a[t] = v;
    __syncthreads();
    if ({test}) {{ {do} }}{k.one('', f' else out[i] = v;')}
    __syncthreads();
    out[{k.one('i', 'i + 8192')}] {k.one('=', '+=')} a[{k.one('t', f'{b} - 1 - t')}];"""


def machine(k):
    k.floats, k.t, k.size = False, "int", 4
    b, n = k.block(128), k.to(300)
    k.launch([(n + b - 1) // b], [b], n, k.to(50))
    arms = "\n".join(f"        case {c}: {k.one('v += 3;', 'v ^= own[i];', 'w = v; break;', 'own[i] = v; break;', 'v = v * 5 + w; break;', 'w++; v >>= 1; break;')}"
                     for c in range(k.to(6, 2)))
    return f"""
    int i = {k.where()};
    if (i >= q0) return;
    int v = in[i], w = q1;
    for (int j = 0; j < {k.to(9)}; j++) {{
        switch ({k.one('v & 7', '(unsigned)v % 5', '(v + j) & 3', 'q1 & 3')}) {{
{arms}
        default: v += j;
        }}
    }}
    out[i] = v ^ w;"""


def recursion(k):
    k.floats, k.t, k.size = False, "int", 4
    k.before = k.one(
        "__device__ __noinline__ int f@(int n) { return n < 2 ? n : f@(n - 1) + f@(n - 2); }\n",
        "__device__ int f@(int n) { return n <= 0 ? 1 : n * f@(n - 1); }\n",
        "__device__ __noinline__ int f@(int n) { int a[4] = {n, n + 1, n * 2, 3}; return n < 1 ? a[n & 3] : a[n & 3] ^ f@(n / 2); }\n")
    b = k.block(128)
    k.launch([1], [b])
    return f"""
    int i = {k.where()};
    out[i] = f@({k.one('in[i] & 7', 'i & 7', 'threadIdx.x % 5')});"""


def local(k):
    if k.size < 4:
        k.t, k.size = "int", 4
    n = k.to(12, 2)
    b = k.block(128)
    k.launch([k.to(2)], [b], k.to(12))
    k.floats and k.maybe()
    return f"""
    int i = {k.where()};
    T a[{n}];
    {k.unroll()}for (int j = 0; j < {n}; j++) a[j] = {k.one('in[(i + j) & 1023]', 'own[i * %d + j]' % n, 'T(j + i)')};
    for (int j = 0; j < {k.to(10)}; j++) {{
        int at = {k.one('(i + j)', '(unsigned)(j * q0)', '(unsigned)counts[0] + j', 'j')} % {n};
        a[at] = a[({n} - 1 - at)] {k.one('+', '-')} a[j % {n}];
    }}
    {k.unroll()}for (int j = 0; j < {n}; j++) {k.one('own[i * %d + j] = a[j]' % n, 'out[i] = a[j]', 'out[(%d * gridDim.x * blockDim.x) + i] = a[%d]' % (n, n - 1))};"""


def table(k):
    k.floats, k.t, k.size = False, "unsigned", 4
    slots = k.one(64, 128, 256)
    b = k.block(128)
    k.launch([1], [b], b)
    return f"""
    __shared__ unsigned keys[{slots}], sums[{slots}];
    for (int i = threadIdx.x; i < {slots}; i += blockDim.x) keys[i] = 0, sums[i] = 0;
    __syncthreads();
    unsigned key = in[threadIdx.x] % {slots // 2} + 1, at = (key * {2 * k.to(9) + 1}) % {slots};
    for (;;) {{
        unsigned was = atomicCAS(&keys[at], 0u, key);
        if (was == 0 || was == key) break;
        at = (at + 1) % {slots};
    }}
    atomicAdd(&sums[at], {k.one('1u', 'threadIdx.x')});
    __syncthreads();
    for (at = (key * {1}) % {slots}; keys[at] != key; at = (at + 1) % {slots}) {{}}
    out[threadIdx.x] = sums[at];"""


def pixels(k):
    """Colours of three or four bytes."""
    k.floats, k.t, k.size = False, "unsigned char", 1
    c = k.one(3, 3, 4)
    b, n = k.block(), k.to(1000)
    k.launch([(n + b - 1) // b], [b], n)
    if k.maybe():
        return f"""
    int i = {k.where()};
    if (i >= q0) return;
    int r = in[{c} * i], g = in[{c} * i + 1], b = in[{c} * i + 2];
    out[i] = {k.one('(r * 77 + g * 151 + b * 28) >> 8', '(r + g + b) / 3', 'max(r, max(g, b))')};"""
    return f"""
    int i = {k.where()};
    if (i >= q0) return;
    T r = own[{c} * i], g = own[{c} * i + 1], b = own[{c} * i + 2];
    own[{c} * i + {k.one(0, 2)}] = {k.one('b', '255 - r')};
    own[{c} * i + 1] = g {k.one('', '^ 255')};
    {k.one('own', 'out')}[{c} * i + {k.one(0, 2)}] = r;"""


def lanes(k):
    k.floats, k.t, k.size = False, "unsigned", 4
    b = k.to(160)
    k.launch([k.to(2)], [b], k.to(b))
    steps = []
    for _ in range(k.to(4)):
        steps.append(k.one("v = __shfl_xor_sync(~0u, v, %d);" % k.to(31), "v += __shfl_down_sync(~0u, v, %d);" % k.to(31),
                           "v ^= __ballot_sync(~0u, v & 1);", "v += __any_sync(~0u, v > 100);", "v += __popc(__activemask());",
                           "v = __shfl_sync(~0u, v, %d);" % k.to(31, 0), "v += __reduce_add_sync(~0u, v & 255);",
                           "v += __match_any_sync(~0u, v & 3);", "v ^= __shfl_up_sync(~0u, v, %d, %d);" % (k.to(7), k.one(8, 16, 32)),
                           "if (v & 1) { unsigned m = __activemask(); v += __popc(m); }", "__syncwarp();"))
    early = k.one("", "if (threadIdx.x >= q0) return;\n    ", "")
    return f"""
    int i = {k.where()};
    {early}unsigned v = own[i];
    {' '.join(steps)}
    out[i] = v;"""


def queue(k):
    """2.5 dimensions: a stencil that goes through planes with a queue of values."""
    if k.size < 4:
        k.t, k.size = "int", 4
    w, h, d = k.to(16, 4), k.to(8, 3), k.to(6, 3)
    k.launch([(w + 7) // 8, (h + 3) // 4], [8, 4], w, h)
    return f"""
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= q0 || y >= q1) return;
    int plane = q0 * q1, i = y * q0 + x;
    T before = 0, here = in[i], next;
    for (int z = 0; z < {d}; z++) {{
        next = z + 1 < {d} ? in[i + plane] : T(0);
        out[i] = before + next {k.one('-', '+')} here * 2;
        before = here;
        here = next;
        i += plane;
    }}"""


KINDS = [elementwise, backwards, product, product_tiles, transposed, reduction, warp_sums, histogram, filtered, structures,
         structures, vectors, transform, transform, scans, sorts, convolution, bodies, life, divergent, known, machine,
         recursion, local, table, pixels, lanes, queue]


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


def pack(source, ptx):
    """Launches first, then PTX without what is there for debuggers."""
    launches = [line for line in open(source) if line.startswith("//@ ")]
    text = open(ptx).read()
    text = re.sub(r"^\s*\.(loc|file)\b.*\n", "", text, flags=re.M)
    text = re.sub(r"^\s*\.section\s+\.debug.*?^\s*\}\n", "", text, flags=re.M | re.S)
    text = re.sub(r"^\s*\.section\s.*\{\s*\}\s*$", "", text, flags=re.M)
    text = re.sub(r"^\s*//.*\n", "", text, flags=re.M)
    sys.stdout.write("".join(launches) + text.replace(", debug", ""))


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
    print("#include <cuda_fp16.h>" if False else "// cuda.py --seed %d --count %d" % (options.seed, options.count))
    for n in range(options.count):
        print(kernel(options.seed * 1000 + n, "k%d" % n, options.kind))


if __name__ == "__main__":
    main()
