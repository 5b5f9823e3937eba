"""What PyTorch and CuPy take for the gallery's problems, where they are installed: lines as bench/gpu/ladders.cu
prints them."""

import sys


def torch_lines():
    import torch

    n = 1 << 28
    x = torch.randint(-(2**31), 2**31, (n,), dtype=torch.int32, device="cuda")

    def line(topic, size, size_bytes, run):
        events = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(15)]
        for _ in range(3):
            run()
        for begin, end in events:
            begin.record()
            run()
            end.record()
        torch.cuda.synchronize()
        ms = sorted(begin.elapsed_time(end) for begin, end in events)
        print(topic, size, "PyTorch", "peer", f"{ms[7]:.4f}", f"{ms[0]:.4f}", size_bytes, 0, sep="\t", flush=True)

    y = torch.randint(-(2**31), 2**31, (n,), dtype=torch.int32, device="cuda")
    z = torch.empty_like(x)
    line("vector_add", "2^28", 12 * n, lambda: torch.add(x, y, out=z))
    line("reverse", "2^28", 8 * n, lambda: torch.flip(x, (0,)))
    line("reduction", "2^28", 4 * n, lambda: torch.sum(x, dtype=torch.int32))
    line("array_of_structures", "2^25", 8 * n, lambda: x.view(-1, 8).t().contiguous())
    for side in (16384, 4096):
        m = x[: side * side].view(side, side)
        line("transpose", f"{side}^2", 8 * side * side, lambda: m.t().contiguous())


def cupy_lines():
    import cupy
    from cupyx.scipy.ndimage import uniform_filter

    def line(topic, size, size_bytes, run):
        for _ in range(3):
            run()
        ms = []
        for _ in range(15):
            begin, end = cupy.cuda.Event(), cupy.cuda.Event()
            begin.record()
            run()
            end.record()
            end.synchronize()
            ms.append(cupy.cuda.get_elapsed_time(begin, end))
        ms.sort()
        print(topic, size, "CuPy", "peer", f"{ms[7]:.4f}", f"{ms[0]:.4f}", size_bytes, 0, sep="\t", flush=True)

    image = cupy.random.randint(0, 256, (8000, 8000), dtype=cupy.uint8)
    for size in (3, 5):
        line("mean_filter", f"{size}x{size}, 8000^2", 128000000, lambda: uniform_filter(image, size))
    n = 4096
    p = cupy.random.randint(-(2**31), 2**31 - 1, (n, n), dtype=cupy.int32)
    q = cupy.random.randint(-(2**31), 2**31 - 1, (n, n), dtype=cupy.int32)
    line("matrix_product", "int32, 4096^3", 12 * n * n, lambda: cupy.matmul(p, q))


for lines in (torch_lines, cupy_lines):
    try:
        lines()
    except Exception as e:  # a peer that is not there, or does not work here, is said and left out
        print(f"peers.py: {lines.__name__}: {e}", file=sys.stderr)
