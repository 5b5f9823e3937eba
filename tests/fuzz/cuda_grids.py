"""Kinds of kernels whose threads work by themselves. Each is given a Kernel (cuda.py), and gives the text of its body."""


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
    kind = k.to(4)
    if kind == 4:  # whole blocks, whole bands of eight rows
        w, h, bx = 32 * k.to(4), 8 * k.to(4), k.one(32, 64, 128)
        k.launch([(w + bx - 1) // bx, h], [bx], w, h)
        return w, h, f"""
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= q0 || y >= q1) return;"""
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
    n = max(1, min(k.to(24), k.in_bytes // k.size // h))
    kk = k.one(str(n), "min(q1, %d)" % n)
    return f"""{head}
    T sum = 0;
    {k.unroll()}for (int k = 0; k < {kk}; k++) sum {k.one('+=', '+=', '-=')} in[y * {n} + k] * own[k * q0 + x];
    out[y * q0 + x] = sum{k.one('', '', ' + out[y * q0 + x]')};"""


def filtered(k):
    """Means and the like of windows of images: global, shared rows, clamped borders."""
    k.t, k.size = k.one(("unsigned char", 1), ("unsigned char", 1), ("unsigned short", 2), ("int", 4)) if not k.floats else ("float", 4)
    w, h = k.to(200, 12), k.to(20, 6)
    while w * h * k.size > k.in_bytes:
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
    k.t = {"unsigned": "uint", "char": "uchar"}.get(base, base) + str(w)
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
    T a = {k.one('in[i]', 'own[i]', 'in[i]' if w == 3 else '__ldg(&in[i])')}, c = own[i], r;
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
    return f"""
    int i = {k.where()};
    T a[{n}];
    {k.unroll()}for (int j = 0; j < {n}; j++) a[j] = {k.one('in[(i + j) & 1023]', 'own[i * %d + j]' % n, 'T(j + i)')};
    for (int j = 0; j < {k.to(10)}; j++) {{
        int at = {k.one('(i + j)', '(unsigned)(j * q0)', '(unsigned)counts[0] + j', 'j')} % {n};
        a[at] = a[({n} - 1 - at)] {k.one('+', '-')} a[j % {n}];
    }}
    {k.unroll()}for (int j = 0; j < {n}; j++) {k.one('own[i * %d + j] = a[j]' % n, 'out[i] = a[j]', 'out[(%d * gridDim.x * blockDim.x) + i] = a[%d]' % (n, n - 1))};"""


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


KINDS = [elementwise, backwards, product, filtered, structures, vectors, transform, convolution, life,
         divergent, machine, recursion, local, pixels, queue, structures, transform]
