"""A program of a suite, and what is expected of it."""
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Attempt:
    """One way to build and run it."""
    sources: list
    flags: list = field(default_factory=list)
    libraries: list = field(default_factory=list)
    arguments: list = field(default_factory=list)
    input: str = ""  # what it reads
    enough: bool = True  # False: if nothing is found, the next one is tried, too


@dataclass
class Case:
    name: str
    kind: str  # the suite's own word for what is wrong, or would be
    checks: set  # of these checks, or kinds of findings, one is to tell; empty: the program is right
    folder: Path  # where it runs
    attempts: list
    options: list = field(default_factory=list)
    unseen: str = ""  # why one run cannot show it
    besides: set = field(default_factory=set)  # kinds that do not count: faults that the suite does not know of
    unbuilt: str = ""  # why it cannot be built
