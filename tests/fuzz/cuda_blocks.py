"""Kinds of kernels whose threads work together: shared memory, lanes of a warp. Each is given a Kernel (cuda.py), and gives the text of its body."""


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
    {k.one('if (row < q0 && column < q0) out[row * q0 + column]', 'out[row * 96 + column]')} = sum;"""


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
        if (t % (2 * s) == 0) mine[t] OP mine[t + s];
        __syncthreads();
    }""", """
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        unsigned j = 2 * s * t;
        if (j < blockDim.x) mine[j] OP mine[j + s];
        __syncthreads();
    }""", """
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) mine[t] OP mine[t + s];
        __syncthreads();
    }""", """
    UNROLL
    for (int s = %d / 2; s > 0; s /= 2) {
        if (t < s) mine[t] OP mine[t + s];
        __syncthreads();
    }""" % b, """
    for (unsigned s = blockDim.x / 2; s > 16; s >>= 1) {
        if (t < s) mine[t] OP mine[t + s];
        __syncthreads();
    }
    if (t < 16) {
        T v = mine[t];
        for (int s = 8; s; s >>= 1) v OP __shfl_down_sync(0xffffu, v, s);
        if (t == 0) mine[0] = v;
    }""", """
    if (t < 32) {
        volatile T *last = mine;
        T v = 0;
        for (int s = t; s < blockDim.x; s += 32) v OP last[s];
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
    body = body.replace("UNROLL", k.unroll().strip()).replace("OP", op)
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
    kind = k.to(6)
    if kind == 1:
        return f"""
    {loop} atomicAdd(&counts[{bin_of}], {amount});"""
    if kind > 4:  # bytes, a bin for each
        k.t = "unsigned char"
        zero = "for (int i = threadIdx.x; i < 256; i += blockDim.x)"
        if k.maybe():
            return f"""
    {loop} atomicAdd((unsigned *)out + in[i], {amount});"""
        return f"""
    __shared__ unsigned mine[256];
    {zero} mine[i] = 0;
    __syncthreads();
    {loop} atomicAdd(&mine[in[i]], {amount});
    __syncthreads();
    {zero} atomicAdd((unsigned *)out + i, mine[i]);"""
    copies = k.one(1, 1, 2, 4)
    mine = "mine" if copies == 1 else f"mine + 64 * (threadIdx.x % {copies})"
    if kind == 4:
        loop = f"for (int i = blockIdx.x * blockDim.x * 4 + threadIdx.x, j = 0; j < 4 && i < q0; j++, i += blockDim.x)"
    total = " + ".join(f"mine[i + {64 * c}]" for c in range(copies))
    return f"""
    __shared__ unsigned mine[{64 * copies}];
    for (int i = threadIdx.x; i < {64 * copies}; i += blockDim.x) mine[i] = 0;
    __syncthreads();
    {k.unroll() if kind != 4 else ''}{loop} atomicAdd({mine} + ({bin_of}), {amount});
    __syncthreads();
    for (int i = threadIdx.x; i < {k.one('64', str(bins))}; i += blockDim.x) {k.one('', f'if ({total}) ')}atomicAdd(&counts[i], {total});"""


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
    for (at = key % {slots}; keys[at] != key; at = (at + 1) % {slots}) {{}}
    out[threadIdx.x] = sums[at];"""


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


KINDS = [product_tiles, transposed, reduction, warp_sums, histogram, scans, sorts, bodies, known, table, lanes]
