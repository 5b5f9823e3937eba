"""ScoR: races of scopes. 32 small programs, whose names say whether they race, and 7 benchmarks, which race with -DRACEY."""
import random
import re
from suites.case import Attempt, Case


def knows(root):
    return (root / "microbenchmarks/src").is_dir() and (root / "benchmarks/uts").is_dir()


def small(root):
    for source in sorted((root / "microbenchmarks/src").glob("*.cu")):
        what, where = re.match(r"(norace|race)_([a-z]+)", source.stem).groups()
        yield Case(source.stem, where, {"race"} if what == "race" else set(), source.parent, [Attempt([source])])


def makefile(folder):
    """The sizes and the files, as its Makefile has them."""
    text = (folder / "Makefile").read_text()
    sizes = re.findall(r"^(\w+)\s*\?=\s*(\d+)\s*$", text, flags=re.M)
    files = re.search(r"^FILES\s*:=\s*(.*)$", text, flags=re.M).group(1).split()
    return [f"-D{name}={size}" for name, size in sizes], [folder / f for f in files]


def numbers(n, below, seed=1):
    return [random.Random(seed + i).randrange(below) for i in range(n)]


# What each benchmark reads: sizes that fill a few blocks, and numbers.
INPUTS = {
    "1dconv": [9, 4000, *numbers(4009, 10)],
    "graph-coloring": [200, 400, *numbers(800, 200)],
    "graph-connectivity": [600, 1800, *numbers(3600, 600)],
    "matrix-multiplication": [64, 64, 64, *numbers(8192, 10)],
    "reduction": [32768, *numbers(32768, 10)],
    "rule-110": [20000, 5, *numbers(20000, 2)],
    "uts": [2, 2, 7],
}


def cases(root, scratch):
    yield from small(root)
    for folder in sorted(f for f in (root / "benchmarks").iterdir() if (f / "Makefile").is_file()):
        flags, sources = makefile(folder)
        flags = ["-I", folder, *flags]
        for name, checks, more in ((".racey", {"race"}, ["-DRACEY"]), ("", set(), [])):
            text = " ".join(map(str, INPUTS[folder.name])) + "\n"
            attempt = Attempt(sources, ["-rdc=true", *flags, *more], input=text)
            yield Case("benchmarks/" + folder.name + name, "benchmark", checks, folder, [attempt])
