"""Our own kernels with one planted fault each, and their twins without it (tests/faulty). That `warpglass check` finds just what it
should is tested there; here they are for another tool."""
import importlib.util
from suites.case import Attempt, Case


def knows(root):
    return (root / "faulty.py").is_file() and (root / "race").is_dir()


def load_expected(root):
    spec = importlib.util.spec_from_file_location("faulty", root / "faulty.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Expected


def cases(root, scratch):
    Expected = load_expected(root)
    for source in sorted(root.glob("*/*.cu")):
        expected = Expected(source)
        kinds = {kind for kind, *_, benign in expected.findings if not benign}
        attempts = [Attempt([source], arguments=expected.arguments)]
        yield Case(f"{source.parent.name}/{source.stem}", source.parent.name, kinds, source.parent, attempts, expected.options)
