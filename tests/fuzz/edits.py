"""Small changes to a CUDA program: what another programmer, or the same one a day later, would have written instead.

The program need not compute what it did: the reference says what is right. A change is (start, end, words in place of what
was there, kind); those of one mutant do not overlap, so that each can be taken back alone.
"""
import re

TYPES = {
    "float": ["double", "float", "int"], "double": ["float"], "int": ["unsigned", "long long", "short", "int"],
    "unsigned": ["int", "unsigned long long", "unsigned short"], "size_t": ["int", "unsigned"], "long long": ["int"],
    "uint32_t": ["int32_t", "uint64_t", "uint16_t"], "uint64_t": ["uint32_t"], "unsigned char": ["signed char", "unsigned short"],
    "byte": ["signed char", "unsigned short"], "short": ["int", "unsigned char"], "unsigned short": ["short", "int"],
}
TYPE = "|".join(sorted(TYPES, key=len, reverse=True))
NUMBER = r"(?<![\w.])(\d+)(?![\w.]|\s*:)"
# A statement on one line that neither ends a scope nor waits for others.
SIMPLE = re.compile(r"(?:^|(?<=[;{}]))([ \t\n]*)([A-Za-z_*(][^;{}]*;)(?=[ \t]*\n)", re.M)
ALONE = re.compile(r"\b(return|break|continue|case|goto|else|do|while|for|if|switch|using|typedef|struct|template|asm|static_assert|"
                   r"default|enum|extern|constexpr|__shared__)\b|sync|wait|commit|shfl|mbarrier|barrier|cuda::|cg::|^#", re.M)
DECLARES = re.compile(r"^(?:const\s+|unsigned\s+|static\s+|auto\s+)*[A-Za-z_][\w:<>]*\s*[*&]?\s+[*&]?[A-Za-z_]\w*\s*(=|\[|;|,|\()")


def masked(text):
    """Comments, strings and lines of the preprocessor as blanks, and everything else where it is."""
    def blank(m):
        return re.sub(r"[^\n]", " ", m.group())

    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:\\\n|[^\n])*', blank, text, flags=re.S | re.M)


def closing(text, at, pair="{}"):
    """Behind what closes the bracket at `at`."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] == pair[0]) - (text[k] == pair[1])
        if not depth:
            return k + 1
    return len(text)


class Source:
    def __init__(self, text):
        self.text, self.code = text, masked(text)
        self.functions = []  # of the device: (begin of its head, of its body, behind it)
        for m in re.finditer(r"\b__(global|device)__\b", self.code):
            stop = re.search(r"[{;]", self.code[m.start():])
            at = m.start() + stop.start() if stop else -1
            if at < 0 or self.code[at] == ";" or "(" not in self.code[m.start():at]:
                continue
            if not self.functions or m.start() >= self.functions[-1][2]:
                self.functions.append((m.start(), at, closing(self.code, at)))

    def find(self, pattern, spans):
        for begin, end in spans:
            yield from re.compile(pattern, re.M).finditer(self.code, begin, end)


def other_number(r, n):
    if n in (0, 1):
        return r.choice([0, 1, 1, 2, 3])
    power = n & (n - 1) == 0
    near = [n - 1, n + 1, n // 2, n // 2 + 1, n + r.randint(1, 9)] + ([n // 2, n // 4, n * 2] * 2 if power else [n // 3])
    return max(r.choice(near), 1)


def numbers(s, r, spans, least=2, most=4096):
    for m in s.find(NUMBER, spans):
        n = int(m.group(1))
        if least <= n <= most:
            yield m.start(1), m.end(1), str(other_number(r, n)), "number"


def types(s, r, spans):
    """Of what is declared in a kernel and lies in its own or in shared memory."""
    for m in s.find(r"\b(%s)(?=\s+[A-Za-z_]\w*\s*(=|\[|;|,))" % TYPE, spans):
        yield m.start(1), m.end(1), r.choice(TYPES[m.group(1)]), "type"


def loops(s, r, spans):
    for m in s.find(r"(#pragma unroll[^\n]*\n\s*)?\bfor\s*\(", spans):
        head = s.text.rfind("\n", 0, m.start()) + 1
        if s.text[head:m.start()].strip() in ("", "}"):
            before = re.search(r"#pragma unroll[^\n]*\n\s*$", s.text[:m.start()])
            start = before.start() if before else m.start()
            words = r.choice(["#pragma unroll\n", "#pragma unroll 1\n", "#pragma unroll %d\n" % r.randint(2, 8)])
            yield start, m.start(), "\n" + words, "unroll"


def qualifiers(s, r, head, body, end):
    params = s.code.find("(", head)
    for m in s.find(r"\bconst (\w+) (\*)(?=\w)", [(params, body)]):
        yield m.start(2), m.end(2), "*__restrict__ ", "restrict"
    for m in s.find(r"\s__restrict__\b", [(params, body)]):
        yield m.start(), m.end(), " ", "restrict"
    for m in s.find(r"\b__shared__ (?!volatile)", [(body, end)]):
        yield m.end(), m.end(), "volatile ", "volatile"
    for m in s.find(r"(?<=[;{}\n])[ \t]*(?=(int|unsigned|float|double) \w+ =)", [(body, end)]):
        yield m.end(), m.end(), "volatile ", "volatile"
    if s.code.startswith("__device__", head):
        yield head, head, "__noinline__ ", "inline"
    elif re.match(r"__global__ (static )?void", s.code[head:]):
        yield head, head, "__attribute__((optnone)) ", "optnone"
        yield head + 10, head + 10, " __launch_bounds__(%d)" % r.choice([256, 512, 1024]), "bounds"


OPERATORS = {"+": ["-", "^"], "-": ["+"], "*": ["+", "-"], "&": ["|", "^"], "|": ["^", "&"], "^": ["+", "|"], "<": ["<=", ">", "!="],
             ">": ["<", ">="], "==": ["!=", "<="], "!=": ["=="], "<=": ["<", ">="], ">=": [">", "<"], "<<": [">>"], ">>": ["<<"],
             "&&": ["||"], "||": ["&&"]}


def operators(s, r, spans):
    for m in s.find(r" (\+|-|\*|&|\||\^|<|>|==|!=|<=|>=|<<|>>|&&|\|\|) ", spans):
        line = s.code[s.code.rfind("\n", 0, m.start()) + 1:m.start()]
        if "for (" not in line and "template" not in line:
            yield m.start(1), m.end(1), r.choice(OPERATORS[m.group(1)]), "operator"
    for m in s.find(r"([+\-^|&])(?== )", spans):
        yield m.start(1), m.end(1), r.choice("+-^|"), "operator"
    for m in s.find(r"\b(f?min|f?max|fminf|fmaxf)(?=\()", spans):
        was = m.group(1)
        yield m.start(1), m.end(1), was.replace("min", "MAX").replace("max", "min").replace("MAX", "max"), "operator"


def statements(s, r, spans):
    """Two in another order; one twice, not at all, in some threads only, or in a loop."""
    for begin, end in spans:
        found = [m for m in SIMPLE.finditer(s.code, begin, end)
                 if not ALONE.search(m.group(2)) and m.group(2).count("(") == m.group(2).count(")")]
        for a, b in zip(found, found[1:]):
            if a.end() == b.start(1):
                words = s.text[b.start(2):b.end(2)] + s.text[a.end(2):b.start(2)] + s.text[a.start(2):a.end(2)]
                yield a.start(2), b.end(2), words, "order"
        for m in found:
            was = s.text[m.start(2):m.end(2)]
            if DECLARES.match(was):
                continue
            some = r.choice(["threadIdx.x %% %d != %d" % (n, r.randrange(n)) for n in (2, 3, 5, 32)] +
                            ["threadIdx.x >= %d" % r.randint(1, 40), "(threadIdx.x >> 5) %% 2 == %d" % r.randint(0, 1)])
            yield m.start(2), m.end(2), r.choice([
                was + " " + was, ";", "if (%s) %s" % (some, was), "if (%s) %s" % (some, was),
                "if (%s) { %s } else { %s }" % (some, was, was),
                "for (int again_ = 0; again_ < %d; again_++) %s" % (r.randint(2, 5), was)]), "statement"


def indices(s, r, spans):
    for m in s.find(r"\[([a-z]\w*)\]", spans):
        yield m.end(1), m.end(1), r.choice([" ^ 1", " ^ 2", " & ~1", " | 1", " ^ 3", " ^ 31"]), "index"


def launches(s, r):
    """Shapes: numbers in <<<...>>> and in dim3, and their order."""
    for m in re.finditer(r"<<<(.*?)>>>", s.code, flags=re.S):
        yield from ((a, b, w, "shape") for a, b, w, _ in numbers(s, r, [(m.start(1), m.end(1))], 1, 1024))
    for m in re.finditer(r"\bdim3\s*(?:\w+\s*)?\(([^(),]+),\s*([^(),]+)(?=[,)])", s.code):
        yield from ((a, b, w, "shape") for a, b, w, _ in numbers(s, r, [(m.start(1), m.end(2))], 1, 1024))
        yield m.start(1), m.end(2), "%s, %s" % (s.text[m.start(2):m.end(2)], s.text[m.start(1):m.end(1)]), "shape"
    for m in re.finditer(r"\bdim3 \w+ = \{([^{}]*)\}", s.code):
        yield from ((a, b, w, "shape") for a, b, w, _ in numbers(s, r, [(m.start(1), m.end(1))], 1, 1024))
    for m in re.finditer(r"\b(?:enum\s*(?:\w+\s*)?\{|constexpr \w+ \w+ = |(?<=static )const int \w+ = |^const int \w+ = )([^;}]*)", s.code, flags=re.M):
        for a, b, w, _ in numbers(s, r, [(m.start(1), m.end(1))], 2, 1024):
            if r.random() < 0.7:
                w = str(max(1, int(w) & -2 if int(w) > 2 else int(w)))
            yield a, b, w, "tile"


def templates(s, r):
    """Instances of kernels by other numbers and types: NAME<16, 8><<<..., and what else is called so."""
    for m in re.finditer(r"\b[a-z]\w*<((?:\w+(?:, )?)+)>(?=<<<|\()", s.code):
        if "_cast" in m.group():
            continue
        yield from ((a, b, w, "instance") for a, b, w, _ in numbers(s, r, [(m.start(1), m.end(1))], 1, 512))


WHOLE = [("float", "double"), ("double", "float"), ("int", "long long"), ("unsigned char", "unsigned short"), ("unsigned", "int"),
         ("float", "int"), ("uint32_t", "uint64_t"), ("byte", "short"), ("int", "unsigned"), ("int", "short")]


def whole_type(s, r):
    """One type everywhere but in main, as one change."""
    was, now = r.choice(WHOLE)
    main = re.search(r"\bint main\b", s.code)
    found = [m for m in re.finditer(r"(?<!unsigned )(?<!signed )(?<!long )\b%s\b(?! (?:char|long|short|int|main)\b)" % was, s.code)
             if not main or not main.start() <= m.start() < main.end()]
    return [(m.start(), m.end(), now, "types") for m in found]


def draw(s, r):
    """The changes of one mutant, none over another."""
    wanted = []
    if r.random() < 0.12:
        wanted += whole_type(s, r)
    for most, these in ((3, list(launches(s, r))), (3, list(templates(s, r)))):
        wanted += r.sample(these, min(len(these), r.randint(0, most)))
    for head, body, end in s.functions:
        if r.random() < 0.25:
            continue
        spans = [(body, end)]
        kinds = [list(k) for k in (numbers(s, r, spans, 0 if r.random() < 0.2 else 2), types(s, r, spans), loops(s, r, spans),
                                   qualifiers(s, r, head, body, end), operators(s, r, spans), statements(s, r, spans),
                                   statements(s, r, spans), indices(s, r, spans) if r.random() < 0.3 else [])]
        for _ in range(r.randint(1, 4)):
            kind = r.choice(kinds)
            if kind:
                wanted.append(r.choice(kind))
    kept = []
    for e in wanted:
        if all(e[1] <= k[0] or k[1] <= e[0] for k in kept) and s.text[e[0]:e[1]] != e[2]:
            kept.append(e)
    return sorted(kept)


def apply(text, edits):
    """The mutant, and for each change the lines of it where its words are."""
    out, at, line, lines = [], 0, 1, []
    for start, end, words, _ in sorted(edits):
        out += [text[at:start], words]
        line += text.count("\n", at, start)
        lines.append((line, line + words.count("\n")))
        line += words.count("\n")
        at = end
    return "".join(out + [text[at:]]), lines


def masked_comments(text):
    """Without comments and lines of nothing else."""
    text = re.sub(r"(\"(?:\\.|[^\"\\\n])*\")|//[^\n]*|/\*.*?\*/", lambda m: m.group(1) or "", text, flags=re.S)
    return re.sub(r"^[ \t]*\n", "", text, flags=re.M)


def functions(text):
    """The program in pieces, each with its braces closed."""
    pieces, depth, piece = [], 0, ""
    for line in text.splitlines(True):
        piece += line
        code = masked(line)
        depth += code.count("{") - code.count("}")
        if depth <= 0 and re.search(r"[;}]\s*$", code):
            pieces.append(piece)
            piece = ""
    return pieces + [piece]


def lines(text):
    return text.splitlines(True)
