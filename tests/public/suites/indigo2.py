"""Indigo 2: six graph algorithms, each in many styles. Its CUDA codes have no planted bugs; some have others. Its inputs have
three vertices; each code is run with one of a hundred, too, which is made here."""
import random
import re
import struct
from suites.case import Attempt, Case

VERTICES, EDGES = 100, 400

# Codes that are faulty nevertheless: what tells of it, and what it is.
FAULTY_ANYWAY = [
    (r"^BFS_(CUDA_)?E_Data", {"init"}, "a thread for each vertex clears the times of the edges, which are more"),
    (r"^PR_.*_BlockAdd$", {"race"}, "threads read the block's sum while others add to it"),
    (r"^PR_.*_NonDeterm_", {"race"}, "scores are updated in place while others read them"),
    (r"^PR_.*_Thread_Reduction$", {"barrier"}, "a barrier in a loop that threads go through a different number of times"),
    (r"^TC_.*_Reduction_", {"init"}, "32 partial sums of a block are added, of which 16 were written"),
]


def knows(root):
    return (root / "codes/cuda").is_dir() and (root / "include/ECLgraph.h").is_file()


def graph(scratch):
    """An undirected graph in which some vertices have many edges, in the suite's format."""
    file, choose = scratch / "indigo2.egr", random.Random(2)
    pairs = {tuple(sorted((int(VERTICES * choose.random() ** 2), choose.randrange(VERTICES)))) for _ in range(EDGES)}
    weight = {pair: choose.randrange(1, 100) for pair in sorted(pairs) if pair[0] != pair[1]}
    lists = [sorted(b if a == v else a for a, b in weight if v in (a, b)) for v in range(VERTICES)]
    starts = [sum(map(len, lists[:v])) for v in range(VERTICES + 1)]
    weights = [weight[min(v, u), max(v, u)] for v in range(VERTICES) for u in lists[v]]
    numbers = [VERTICES, starts[-1], *starts, *(u for near in lists for u in near), *weights]
    file.write_bytes(struct.pack(f"<{len(numbers)}i", *numbers))
    return file


def arguments(name, file):
    if name.startswith("PR_"):
        return [file]
    return [file, "0", "1"] if name.startswith(("BFS_", "SSSP_")) else [file, "1"]


def cases(root, scratch):
    inputs = [sorted((root / "small-inputs").glob("*.egr"))[-1], graph(scratch)]
    for code in sorted((root / "codes/cuda").glob("*/*.cu")):
        flags = ["-O3", "-I", root / "include"]
        attempts = [Attempt([code], flags, arguments=arguments(code.stem, i), enough=i == inputs[-1]) for i in inputs]
        told = next((checks for pattern, checks, _ in FAULTY_ANYWAY if re.search(pattern, code.stem)), set())
        yield Case(code.stem, code.stem.split("_")[0], told, root, attempts)
