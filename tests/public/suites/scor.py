"""ScoR: races of scopes. 32 small programs, whose names say whether they race, and 7 benchmarks, which race with -DRACEY."""
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


def cases(root, scratch):
    yield from small(root)
    for folder in sorted(f for f in (root / "benchmarks").iterdir() if (f / "Makefile").is_file()):
        flags, sources = makefile(folder)
        flags = ["-I", folder, *flags]
        for name, checks, more in ((".racey", {"race"}, ["-DRACEY"]), ("", set(), [])):
            attempt = Attempt(sources, ["-rdc=true", *flags, *more])
            yield Case("benchmarks/" + folder.name + name, "benchmark", checks, folder, [attempt])
