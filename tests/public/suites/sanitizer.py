"""NVIDIA's compute-sanitizer-samples: eight programs, each faulty for one of its tools, with the options that show it there."""
from suites.case import Attempt, Case

# The folder says the tool. What is shown there by an option, or a tool of its own, is so here.
SAMPLES = {
    "Memcheck/memcheck_demo.cu": ("memcheck", {"memory"}, ["--leaks"]),
    "Racecheck/block_error.cu": ("racecheck", {"race"}, []),
    "Racecheck/warp_error.cu": ("racecheck", {"race"}, []),
    "Synccheck/divergent_threads.cu": ("synccheck", {"barrier"}, []),
    "Synccheck/illegal_syncwarp.cu": ("synccheck", {"barrier"}, []),
    "Initcheck/memset_error.cu": ("initcheck", {"init"}, ["--strict-init"]),
    "Suppressions/suppressions_demo.cu": ("memcheck", {"leak"}, ["--leaks"]),
    "Suppressions/suppressions_initcheck_demo.cu": ("initcheck", {"init"}, ["--strict-init"]),
}


def knows(root):
    return all((root / name).is_file() for name in ("Memcheck/memcheck_demo.cu", "Racecheck/block_error.cu"))


def cases(root, scratch):
    for name, (tool, checks, options) in SAMPLES.items():
        yield Case(name, tool, checks, root / name.split("/")[0], [Attempt([root / name])], options)
