#!/usr/bin/env python3
"""Damages what a cache keeps, and runs the program: it must say the same, in time, and nobody may crash.

    cache.py WARPGLASS ROUNDS [SEED]
"""
import os, pathlib, random, shutil, subprocess, sys, tempfile

command, rounds = os.path.realpath(sys.argv[1]), int(sys.argv[2])
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
SOURCE = """#include <cstdio>
__global__ void k(int *x) { x[threadIdx.x] += VALUE; }
int main() {
    int *x;
    cudaMallocManaged(&x, 128);
    x[5] = 1;
    k<<<1, 32>>>(x);
    printf("%d %d\\n", cudaDeviceSynchronize(), x[5]);
}
"""


def mutate(path, files, r):
    data = path.read_bytes()
    kind = r.choice(["bits"] * 4 + ["cut", "longer", "empty", "lost", "other", "piece", "pipe", "link", "loop", "zero",
                                    "folder", "huge", "rights", "text"])
    if kind in ("bits", "text") and not data: kind = "longer"
    path.unlink()
    if kind == "bits":
        damaged = bytearray(data)
        for _ in range(r.choice([1, 1, 2, 8, 64])): damaged[r.randrange(len(data))] ^= 1 << r.randrange(8)
        path.write_bytes(damaged)
    elif kind == "text": path.write_bytes(data.replace(b"/", b"\n", r.randrange(1, 9)).replace(b"0", b"9", r.randrange(3)))
    elif kind == "cut": path.write_bytes(data[:r.randrange(len(data) + 1)])
    elif kind == "longer": path.write_bytes(data + r.randbytes(r.randrange(1, 5000)))
    elif kind == "empty": path.write_bytes(b"")
    elif kind == "piece":
        a, b = sorted(r.randrange(len(data) + 1) for _ in range(2))
        path.write_bytes(data[:a] + data[b:])
    elif kind == "other": # none that was made huge: the copy would have no holes
        others = [f for f in files if f != path and f.is_file() and f.stat().st_size < 1 << 30]
        shutil.copy(r.choice(others or [__file__]), path)
    elif kind == "pipe": os.mkfifo(path)
    elif kind == "link": path.symlink_to(r.choice(files))
    elif kind == "loop": path.symlink_to(path.name)
    elif kind == "zero": path.symlink_to("/dev/zero")
    elif kind == "folder": path.mkdir()
    elif kind == "huge":
        path.write_bytes(data)
        os.truncate(path, 1 << 40)
    elif kind == "rights":
        path.write_bytes(data)
        path.chmod(r.choice([0, 0o200, 0o777, 0o666]))
    if kind in ("bits", "cut", "longer", "piece", "text", "other") and r.random() < 0.8: path.chmod(0o700)
    return kind


def main():
    with tempfile.TemporaryDirectory() as home:
        os.chdir(home)
        pathlib.Path("p.cu").write_text(SOURCE)
        env = dict(os.environ, WARPGLASS_CACHE_DIR=home + "/cache")

        def run(value):
            return subprocess.run([command, "run", f"-DVALUE={value}", "p.cu"], env=env, timeout=120, text=True,
                                  errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

        for value in (1, 2, 1, 2): run(value)
        shutil.copytree("cache", "whole")
        for number in range(seed, seed + rounds):
            r = random.Random(number)
            shutil.rmtree("cache")
            shutil.copytree("whole", "cache")
            files = sorted(f for f in pathlib.Path("cache").rglob("*") if f.is_file())
            chosen = r.sample(files, min(len(files), r.choice([1, 2, 4, len(files)])))
            what = [f"{path} {mutate(path, files, r)}" for path in chosen]
            for value in (1, 2):
                try: got = run(value)
                except subprocess.TimeoutExpired: sys.exit(f"seed {number}: it hangs: {what}")
                if got.returncode or got.stdout != f"0 {1 + value}\n":
                    sys.exit(f"seed {number}: status {got.returncode}, {got.stdout!r}, {got.stderr!r}: {what}")
    print(f"{rounds} damaged caches: all as expected")


main()
