"""Kinds of kernels with loops that the code generator joins, transposes or takes apart. See cuda_grids.py."""

WORDS = 256 * 1024  # bytes of own, and of out


def shape(k, most=1024):
    """A block and the expressions of a thread's number in it and of its threads. Mostly warps that are not whole."""
    n = k.one(1, 32, 64, 128, 256, 33, 63, 65, 96, 100, 105, 160, 200, k.to(most), k.to(most))
    kind = k.to(5)
    if kind == 4:
        x = k.one(3, 5, 8, 16, 20)
        y = max(1, n // x)
        return [x, y], "threadIdx.x + blockDim.x * threadIdx.y", "blockDim.x * blockDim.y", x * y
    if kind == 5:
        x, y = k.one(2, 4, 7), k.one(2, 3)
        z = max(1, min(64, n // (x * y)))
        return ([x, y, z], "threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)",
                "blockDim.x * blockDim.y * blockDim.z", x * y * z)
    return [n], "threadIdx.x", "blockDim.x", n


def side_by_side(k):
    """What is the same for all warps is loaded in loops. Every thread stores, as a rule without a guard."""
    block, t, threads, n = shape(k)
    per, grid = k.to(4), k.to(5)
    while n * per * grid * k.size > WORDS:
        grid = max(1, grid - 1)
        if grid == 1 and n * per * k.size > WORDS:
            per = 1
    rounds = k.to(20)
    total = n * grid
    k.launch([grid], block, rounds, k.one(total, total, max(1, total - k.to(40))))
    guard = k.one("", "", "", "if (t >= q1) return;\n    ", "if (t < q1) ")
    step = k.op("s", k.one("in[k]", "in[k * 2 + 1]", "in[k] * (T)3", "in[k + q0]"))
    wide = k.one(f"out[t * {per} + i]", f"out[i * {total} + t]")
    second = k.maybe(40) and "return" not in guard
    if second:
        guard = ""
        more = f"""
    __shared__ T mine[{n}];
    mine[{t}] = s;
    __syncthreads();
    s = {k.op('s', f'mine[{threads} - 1 - ({t})]')};"""
    else:
        more = ""
    return f"""
    const int t = blockIdx.x * ({threads}) + {t};
    {guard if 'return' in guard else ''}T s = (T)t;
    {k.unroll()}for (int k = 0; k < q0; k++) s = {step};{more}
    {guard if 'return' not in guard else ''}for (int i = 0; i < {per}; i++) {wide} = s + (T)i;"""


def along_rows(k):
    """A row a thread: lanes are a row apart, and walk along it."""
    rows = k.one(32, 64, 40, 100, k.to(256))
    width = max(1, min(k.one(4, 16, 32, 64, 7, 33, k.to(100)), k.in_bytes // k.size // rows))
    b = k.one(32, 64, 128, 40, k.to(128))
    two = k.maybe(25)  # more threads that compute the same
    k.launch([(rows + b - 1) // b], [b, k.to(4, 2)] if two and b <= 128 else [b], rows, width)
    row = k.one("q1", str(width))
    begin, end = k.one(("0", "q1"), ("0", str(width)), ("i % 3", "q1"), ("0", "q1 - i % 4"))
    kind = k.to(5)
    load = k.op(f"in[i * {row} + j]", k.one("own[j]", "own[i]", f"in[j]"))
    if kind == 1 and not two:  # kept in memory
        return f"""
    const int i = {k.where()};
    if (i >= q0) return;
    {k.unroll()}for (int j = {begin}; j < {end}; j++) out[i] = {k.op('out[i]', load)};"""
    if kind == 2:  # what is walked along is written, too
        return f"""
    const int i = {k.where()};
    if (i >= q0) return;
    T last = (T)1;
    {k.unroll()}for (int j = 0; j < q1; j++) {{
        T x = in[i * {row} + j];
        out[i * {row} + j] = last;
        last = {k.op('last', 'x')};
    }}"""
    if kind == 3 and not two:  # in place
        return f"""
    const int i = {k.where()};
    if (i >= q0) return;
    {k.unroll()}for (int j = 1; j < {end}; j++) own[i * {row} + j] = {k.op(f'own[i * {row} + j]', f'own[i * {row} + j - 1]')};"""
    if kind == 4:  # rows of an array that every thread reads
        return f"""
    const int i = {k.where()};
    T s = 0;
    {k.unroll()}for (int j = 0; j < {end.replace('i', '(i % q0)')}; j++) s = {k.op('s', f'in[i % q0 * {row} + j]')};
    out[i] = s;"""
    return f"""
    const int i = {k.where()};
    if (i >= q0) return;
    T s = 0;
    {k.unroll()}for (int j = {begin}; j < {end}; j++) s = {k.op('s', load)};
    out[i] = s;"""


def turned(k):
    """Matrices transposed through global memory, as they are or a strip a thread."""
    w, h = k.one(32, 64, 33, k.to(70)), k.one(16, 32, 64, k.to(70))
    while w * h * k.size > k.in_bytes:
        h = max(1, h // 2)
        w = w if h > 1 else 16
    bx, by = k.one((32, 8), (32, 16), (32, 4), (16, 16), (8, 32), (32, 32), (k.to(40), k.to(8)))
    k.launch([(w + bx - 1) // bx, (h + by - 1) // by], [bx, by], w, h)
    whole = w % bx == 0 and h % by == 0 and k.maybe()
    guard = "" if whole else k.one("if (x >= q0 || y >= q1) return;", "if (x < q0 && y < q1)")
    there = k.one(("y * q0 + x", "x * q1 + y"), ("y * q0 + x", "(q0 - 1 - x) * q1 + y"), ("y * q0 + x", "x * q1 + (q1 - 1 - y)"))
    source, target = there if k.maybe() else (f"x * q1 + y", "y * q0 + x")
    value = k.one(f"in[{source}]", k.op(f"in[{source}]", "own[0]"))
    return f"""
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    {guard}
    out[{target}] = {value};"""


def means(k):
    """Sums over windows of two dimensions, in loops of constant length."""
    k.t, k.size = ("float", 4) if k.floats else k.one(("unsigned char", 1), ("int", 4), ("unsigned short", 2), ("int", 4))
    w, h = k.one(64, 32, 100, k.to(120, 16)), k.to(24, 8)
    while w * h * k.size > k.in_bytes:
        h -= 1
    rx, ry = k.to(3), k.to(2)
    bx, by = k.one((32, 8), (32, 4), (64, 2), (16, 16), (32, 16), (k.to(40), k.to(6)))
    k.launch([(w + bx - 1) // bx, (h + by - 1) // by], [bx, by], w, h)
    acc = "float" if k.floats else "int"
    border = k.to(3)
    if border == 1:
        at = f"in[min(max(y + dy, 0), q1 - 1) * q0 + min(max(x + dx, 0), q0 - 1)]"
        guard = "if (x >= q0 || y >= q1) return;"
    elif border == 2:
        at = "in[(y + dy) * q0 + x + dx]"
        guard = f"if (x < {rx} || y < {ry} || x >= q0 - {rx} || y >= q1 - {ry}) return;"
    else:
        at = f"(x + dx >= 0 && x + dx < q0 && y + dy >= 0 && y + dy < q1 ? in[(y + dy) * q0 + x + dx] : (T)0)"
        guard = "if (x >= q0 || y >= q1) return;"
    weight = k.one("", "", f" * ({acc})(dx + 2)", f" * ({acc})(dy * dy + 1)")
    last = k.one("sum", f"sum / {(2 * rx + 1) * (2 * ry + 1)}") if not k.floats else k.one("sum", "sum * 0.125f")
    return f"""
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    {guard}
    {acc} sum = 0;
    for (int dy = -{ry}; dy <= {ry}; dy++)
        for (int dx = -{rx}; dx <= {rx}; dx++) sum += {at}{weight};
    out[y * q0 + x] = (T)({last});"""


def walks(k):
    """Loops that each lane leaves at a turn of its own."""
    k.t, k.size, k.floats = k.one(("int", 4), ("unsigned", 4)) + (False,)
    block, t, threads, n = shape(k, 256)
    k.launch([k.to(6)], block, k.to(60, 4), k.to(31))
    kind = k.to(4)
    head = f"""
    const int t = blockIdx.x * ({threads}) + {t};"""
    if kind == 1:
        return head + f"""
    unsigned v = in[t % 4096] & 1023, turns = 0;
    while (v > 1 && turns < q0) {{
        v = v & 1 ? v * 3 + 1 : v / 2;
        turns++;
    }}
    out[t] = turns{k.one('', ' * 1000 + v')};"""
    if kind == 2:
        return head + f"""
    unsigned at = t, sum = 0;
    for (int i = 0; i < (in[t % 4096] & 15) + q1; i++) {{
        at = in[at & 4095];
        sum += at{k.one('', ' ^ i', ' * own[i]')};
        {k.one('', 'if (sum & 64) break;', 'if ((at & 7) == 3) continue;')}
        sum ^= {k.one('5', 'q0', 'own[at & 255]')};
    }}
    out[t] = sum;"""
    if kind == 3:
        return head + f"""
    int low = 0, high = q0;
    const T key = in[t % 4096] & 63;
    while (low < high) {{
        const int middle = (low + high) / 2;
        if ((T)(middle * 2) < key) low = middle + 1;
        else high = middle;
    }}
    out[t] = low{k.one('', ' + in[low]')};"""
    return head + f"""
    unsigned a = (in[t % 4096] & 255) + 1, b = (in[(t * 7) % 4096] & 255) + q1 + 1;
    while (b) {{
        const unsigned r = a % b;
        a = b;
        b = r;
        {k.one('', 'if (a == q0) break;')}
    }}
    if (a {k.one('> 1', '!= 3', '< q0')}) out[t] = a;"""


def strides(k):
    """Loops over the grid: warps and blocks of a worker run them together."""
    block, t, threads, n = shape(k, 512)
    items = k.to(4000 // max(1, k.size // 4))
    grid = k.to(12)
    k.launch([grid], block, items, k.to(7))
    start = f"blockIdx.x * ({threads}) + {t}"
    step = f"({threads}) * gridDim.x"
    if k.floats or k.maybe(40):
        return f"""
    T s = 0;
    for (int i = {start}; i < q0; i += {step}) s = {k.op('s', 'in[i]')};
    out[{start}] = s;"""
    if k.maybe() and k.size < 8:
        cells = k.one(8, 32, 64)
        return f"""
    __shared__ unsigned cells[{cells}];
    for (int i = {t}; i < {cells}; i += {threads}) cells[i] = 0;
    __syncthreads();
    for (int i = {start}; i < q0; i += {step}) atomicAdd(&cells[(unsigned)in[i] % {cells}u], {k.one('1u', '(unsigned)q1', '(unsigned)(i & 3)')});
    __syncthreads();
    for (int i = {t}; i < {cells}; i += {threads}) atomicAdd(&counts[i], cells[i]);"""
    return f"""
    for (int i = {start}; i < q0; i += {step}) {{
        own[i] = {k.op('own[i]', 'in[i]')};
        {k.one('', 'atomicAdd(&counts[(unsigned)in[i] & 31u], 1u);', 'if (in[i] > (T)q1) atomicAdd(&counts[1], 1u);')}
    }}"""


def rounds(k):
    """Loops of constant length around barriers, whose threads and words follow from the thread's index."""
    if k.size < 4:
        k.t, k.size = "int", 4
    n = k.one(8, 16, 16, 20, 32, 33, 64)
    rows = k.to(18, 2)
    grid = k.to(3)
    k.launch([grid], [n], k.to(40), k.to(9))
    kind = k.to(4)
    if kind == 4:
        k.launches[-1] = k.launches[-1][:2] + (k.one(n, n, n, 2 * n, k.to(80)),) + k.launches[-1][3:]
        return f"""
    __shared__ T s[2][{n}];
    const int t = threadIdx.x;
    int now = 0;
    s[0][t] = in[blockIdx.x * {n} + t];
    __syncthreads();
    for (int away = 1; away < q0; away *= 2) {{
        s[1 - now][t] = {k.op('s[now][t]', f'(t >= away ? s[now][t - away] : (T){k.to(3)})')};
        now = 1 - now;
        __syncthreads();
    }}
    out[blockIdx.x * {n} + t] = s[now][t];"""
    if kind == 1:
        best = k.one("max", "min")
        column = k.one("in[y * q0 + blockIdx.x]", "in[y * q0 + q1]", "in[y]")
        return f"""
    __shared__ T tile[{rows + 1}][{n + 1}];
    const int t = threadIdx.x;
    {k.unroll()}for (int y = 1; y <= {rows}; y++) tile[y][t + 1] = in[blockIdx.x * {n} + t] + (T)y;
    for (int y = t; y <= {rows}; y += {n}) tile[y][0] = {column};
    tile[0][t + 1] = {k.one('(T)t', 'own[t]', 'in[t + q1]')};
    __syncthreads();
    {k.unroll()}for (int s = 0; s < {n + rows - 1}; s++) {{
        const int y = s - t + 1;
        if (y >= 1 && y <= {rows})
            tile[y][t + 1] = {best}(tile[y - 1][t] + tile[y][t + 1], {k.op('tile[y][t]', 'tile[y - 1][t + 1]')});
        __syncthreads();
    }}
    for (int y = 0; y < {rows}; y++) out[(blockIdx.x * {rows} + y) * {n} + t] = tile[y + 1][t + 1];"""
    if kind == 2:
        n = k.one(8, 16, 32, 64)
        k.launches[-1] = (k.launches[-1][0], [n, 1, 1]) + k.launches[-1][2:]
        return f"""
    __shared__ T s[{n}];
    const int t = threadIdx.x;
    s[t] = in[blockIdx.x * {n} + t];
    __syncthreads();
    {k.unroll()}for (int i = 2; i <= {n}; i *= 2)
        {k.unroll()}for (int j = i / 2; j > 0; j /= 2) {{
            const T a = s[t], b = s[t ^ j];
            __syncthreads();
            s[t] = ((t & i) == 0) == ((t & j) == 0) ? min(a, b) : max(a, b);
            __syncthreads();
        }}
    out[blockIdx.x * {n} + t] = s[t];"""
    return f"""
    __shared__ T s[{n}];
    const int t = threadIdx.x;
    T kept = {k.one('(T)t', 'in[t]')};
    s[t] = in[blockIdx.x * {n} + t];
    __syncthreads();
    {k.unroll()}for (int i = 0; i < {rows}; i++) {{
        {k.one('', f'if (t % {k.to(5, 2)} != i % 2) ', f'if (t <= i) ')}kept = s[(t + i) % {n}];
        __syncthreads();
        s[t] = {k.op('s[t]', 'kept')};
        {k.one('', f'for (int j = 0; j < t % {k.to(5, 2)}; j++) kept = kept + (T)j;')}
        __syncthreads();
    }}
    out[blockIdx.x * {n} + t] = s[t] - kept;"""


KINDS = [side_by_side, side_by_side, along_rows, along_rows, turned, means, walks, strides, rounds]
