"""Right programs: any folder of CUDA sources. What is a program, what belongs to it and how it runs is said by `run`."""
import importlib.machinery
import importlib.util
from pathlib import Path
from types import SimpleNamespace
from suites.case import Attempt, Case

PATH = Path(__file__).resolve().parent.parent / "run"


def load_run():
    loader = importlib.machinery.SourceFileLoader("public_run", str(PATH))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("public_run", loader))
    loader.exec_module(module)
    return module


def knows(root):
    return True


def cases(root, scratch):
    run = load_run()
    for p in run.find_programs(root):
        for arguments in run.arguments_of(p, SimpleNamespace(args=[]), 8):
            attempts = [Attempt(sources, p.flags(), p.libraries(), arguments) for sources in p.attempts()]
            yield Case(" ".join([p.name, *arguments]), "right", set(), p.folder, attempts)
