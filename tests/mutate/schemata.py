"""Conditions of the forms: where they stand, and sources in which each can be switched off by its number.

tests/mutate/conditions names, for each form, the functions that decide whether it is legal. A condition is what refuses the
form by itself: a part of `if (A || B) return false;`, of `return A && B;` or of `x &= A;`, or a lone `return false;`. It is
rewritten to hold no more when the mutant at hand has its number:

    if (A || B) return false;      if (((A) && !wg_mutant(1)) || ((B) && !wg_mutant(2))) return false;
    return A && B;                 return ((A) || wg_mutant(3)) && ((B) || wg_mutant(4));"""
import os
import re

REFUSALS = {'bool': {'false'}, 'void': {''}, 'pointer': {'NULL'}, 'number': {'0', 'WG_NO_REG'}}


class Wrong(Exception):
    """The list does not fit the sources."""


class Condition:
    def __init__(self, form, path, function, line, text, spans):
        self.form, self.path, self.function, self.line, self.text = form, path, function, line, text
        self.begin, self.end, self.refuses = spans
        self.proof = None
        self.number = 0

    def __str__(self):
        return f'{self.path}:{self.line}: {self.function}: {self.text}'


def blank_comments(text):
    """The same text with spaces for comments and what strings say."""
    def spaces(m):
        return re.sub(r'[^\n]', ' ', m.group())
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', spaces, text, flags=re.S)


def closing(text, at):
    """Where the bracket that opens at `at` closes."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in '([{') - (text[i] in ')]}')
        if depth == 0:
            return i
    raise ValueError


def functions_of(text):
    """name: (kind of result, begin, end of the body)"""
    found = {}
    for m in re.finditer(r'^([A-Za-z][^;\n{}()#]*?[ *])(\w+(?:::\w+)?)\([^;{}]*\)(?: const)? \{\n', text, re.M):
        kind = m.group(1).replace('static', '').replace('inline', '').strip()
        kind = 'pointer' if kind.endswith('*') or kind.startswith('LLVM') else kind if kind in ('bool', 'void') else 'number'
        found[m.group(2)] = (kind, m.end(), text.index('\n}\n', m.end() - 1))
    for m in re.finditer(r'^([A-Za-z][^;\n{}()#]*?[ *])(\w+)\([^;{}]*\) \{ (return [^\n]*;) \}\n', text, re.M):
        kind = 'bool' if 'bool' in m.group(1).split() else 'number'
        found[m.group(2)] = (kind, m.start(3), m.end(3))
    return found


class Finder:
    """The conditions of one function."""

    def __init__(self, text, kind, true_refuses, gates, refusal):
        self.text = text
        self.refusals = {refusal} if refusal else {'true'} if true_refuses else REFUSALS[kind]
        self.kind, self.true_refuses, self.gates = kind, true_refuses, gates
        self.spans = []
        self.taken = set()  # places of `return` that an `if` leads to

    def trim(self, a, b):
        while a < b and self.text[a].isspace():
            a += 1
        while b > a and self.text[b - 1].isspace():
            b -= 1
        if self.text[a] == '(' and closing(self.text, a) == b - 1:
            return self.trim(a + 1, b - 1)
        return a, b

    def split(self, a, b, operator):
        parts, depth, start, i = [], 0, a, a
        while i < b:
            depth += (self.text[i] in '([{') - (self.text[i] in ')]}')
            if depth == 0 and self.text.startswith(operator, i):
                parts.append(self.trim(start, i))
                i = start = i + len(operator)
                continue
            i += 1
        return parts + [self.trim(start, b)]

    def is_compound(self, a, b, operator):
        return len(self.split(a, b, operator)) > 1

    def take(self, a, b, refuses):
        """What of the expression refuses when it is true (refuses), or when it is not."""
        a, b = self.trim(a, b)
        text = self.text[a:b]
        choice = self.split(a, b, '?')
        if len(choice) == 2:
            for lo, hi in self.split(*choice[1], ':'):
                if self.text[lo:hi] not in ('true', 'false'):
                    self.take(lo, hi, refuses)
            return
        each, whole = ('||', '&&') if refuses else ('&&', '||')
        parts = self.split(a, b, each)
        if len(parts) > 1:
            for lo, hi in parts:
                self.take(lo, hi, refuses)
            return
        parts = [p for p in self.split(a, b, whole) if self.is_compound(*p, each)] if self.is_compound(a, b, whole) else []
        if parts:
            for lo, hi in parts:
                self.take(lo, hi, refuses)
        elif text.startswith('!(') and closing(self.text, a + 1) == b - 1:
            self.take(a + 1, b, not refuses)
        else:
            self.spans.append((a, b, refuses))

    def an_if(self, at):
        close = closing(self.text, at)
        i = close + 1
        while self.text[i].isspace():
            i += 1
        if self.text[i] == '{':
            block = self.text[i:closing(self.text, i)]
            last = re.search(r'\b(return\b[^;]*|continue|break);\s*$', block)
            place, then = (i + last.start(), last.group(1)) if last else (0, '')
        else:
            place, then = i, self.text[i:self.text.index(';', i)]
        if re.match(r'return\b', then):
            if then[6:].strip() in self.refusals:
                self.taken.add(place)
                self.take(at + 1, close, True)
        elif self.gates:
            self.take(at + 1, close, bool(re.match('(continue|break)$', then)))

    def all(self, begin, end):
        for m in re.finditer(r'\bif \(', self.text[begin:end]):
            self.an_if(begin + m.end() - 1)
        for m in re.finditer(r'\breturn\b([^;]*);', self.text[begin:end]):
            a, b = begin + m.start(1), begin + m.end(1)
            value = self.text[a:b].strip()
            if begin + m.start() in self.taken or not value:
                continue
            if self.kind != 'bool':
                choice = self.split(a, b, '?')
                if len(choice) == 2 and value.split(':')[-1].strip() in self.refusals:
                    self.take(*choice[0], False)
            elif value in self.refusals:
                self.spans.append((*self.trim(a, b), self.true_refuses))
            elif value not in ('true', 'false'):
                self.take(a, b, self.true_refuses)
        for m in re.finditer(r'\b(\w+) ([&|])= ([^;]+);', self.text[begin:end]):
            if not re.search(r'\bbool [^;(]*\b%s\b' % m.group(1), self.text[begin:end]):
                continue
            if self.kind == 'bool' and (m.group(2) == '|') == self.true_refuses:
                self.take(begin + m.start(3), begin + m.end(3), self.true_refuses)
        for m in re.finditer(r'\bbool \w+ = ([^;]+);', self.text[begin:end]):
            if self.gates:
                self.take(begin + m.start(1), begin + m.end(1), False)
        return sorted(set(self.spans))


class List:
    """tests/mutate/conditions, read against the sources in `root`."""

    def __init__(self, root):
        self.root = root
        self.conditions, self.forms, self.nothing = [], [], {}
        self.texts, self.named = {}, {}
        form = path = None
        proofs = []
        for line in open(os.path.join(root, 'tests/mutate/conditions')):
            key, _, rest = line.split('#')[0].strip().partition(' ')
            rest = rest.strip()
            if key == 'form':
                form = rest
                self.forms.append(form)
            elif key == 'none':
                self.nothing[form] = rest
            elif key == 'file':
                path = rest
                self.texts.setdefault(path, open(os.path.join(root, path)).read())
                self.named.setdefault(path, set())
            elif key in ('needs', 'bars', 'gates', 'other'):
                for name in rest.split():
                    self.function(form, path, name, key)
            elif key == 'proof':
                proofs.append((path, *[x.strip() for x in rest.split(' :: ')]))
            elif key:
                raise Wrong(f'tests/mutate/conditions: what is "{line.strip()}"?')
        for proof in proofs:
            self.prove(*proof)
        self.is_complete()
        for number, c in enumerate(self.conditions, 1):
            c.number = number

    def function(self, form, path, name, key):
        name, _, refusal = name.partition('=')
        text = blank_comments(self.texts[path])
        if name not in functions_of(text):
            raise Wrong(f'{path} has no function {name}')
        self.named[path].add(name)
        if key == 'other':
            return
        kind, begin, end = functions_of(text)[name]
        spans = Finder(text, kind, key == 'bars', key == 'gates', refusal).all(begin, end)
        if not spans:
            raise Wrong(f'{path}: {name} has no condition')
        for span in spans:
            line = text.count('\n', 0, span[0]) + 1
            said = ' '.join(self.texts[path][span[0]:span[1]].split())
            self.conditions.append(Condition(form, path, name, line, said, span))

    def prove(self, path, function, text, why):
        for c in self.conditions:
            if (c.path, c.function, c.text) == (path, function, text) and not c.proof:
                c.proof = why
                return
        raise Wrong(f'tests/mutate/conditions: a proof for what is not there: {path}: {function}: {text}')

    def is_complete(self):
        for path, names in self.named.items():
            for name, (kind, _, _) in functions_of(blank_comments(self.texts[path])).items():
                if kind == 'bool' and name not in names:
                    raise Wrong(f'tests/mutate/conditions says nothing of {path}: {name}')
        rows = re.findall(r'^X\((\w+),', open(os.path.join(self.root, 'src/analysis/forms.def')).read(), re.M)
        for row in rows:
            if row not in self.forms:
                raise Wrong(f'tests/mutate/conditions says nothing of form {row}')
            if row not in self.nothing and not any(c.form == row for c in self.conditions):
                raise Wrong(f'tests/mutate/conditions has no condition of form {row}')

    def rewritten(self, path):
        """The file's text, in which every condition can be switched off."""
        text = self.texts[path]
        for c in sorted((c for c in self.conditions if c.path == path), key=lambda c: -c.begin):
            how = '((%s) && !wg_mutant(%d))' if c.refuses else '((%s) || wg_mutant(%d))'
            text = text[:c.begin] + how % (text[c.begin:c.end], c.number) + text[c.end:]
        return '#include "mutant.h"\n' + text
