"""Random Jinja expressions and templates for make-template-vectors.py: mostly senseless, all legal
for the parser, so that every operation meets every kind of value and every scope every other.
"""

VARIABLES = {
    "s": "Héllo wörld", "e": "", "sp": "  a b\t c\n", "em": "a😀b😀c", "n": 7, "z": 0, "neg": -3,
    "big": 12345678901234567890123, "f": 2.5, "one": 1.0, "small": 1e-7, "large": 1e16,
    "nan": float("nan"), "t": True, "fl": False, "no": None, "l": [3, 1, 2], "le": [],
    "ls": ["b", "A", "c", "a"], "lm": [1, "x", None, 2.5], "d": {"b": 1, "a": 2, "10": 3, "2": 4},
    "de": {}, "dn": {"x": {"y": [1, {"z": "q"}]}, "items": "I", "keys": 3}, "ll": [[1, 2], [3, 4]],
    "ld": [{"n": "b", "v": 2}, {"n": "a", "v": 1}, {"n": "B", "v": 3}, {"v": None}],
    "q": "it's \"q\" \\ \u2028 \u0000\u007f\u00a0", "html": "<a&b>", "num": "42", "fnum": " 3.75 ",
    "pct": "%s-%s", "br": "{}-{a}", "lines": "a\n b\r\nc\u2028d\x0be",
}  # fmt: skip

LITERALS = """1 0 -1 2 3 10 1.5 0.0 'a' '' 'b' ',' none true false [] [1,2] ['a','b'] {} {'a':1}
(1,2) ('a',) 'n' 'v' 'x.y' 'abc' '1' 1e3 '😀' range(3) '%d' 'upper' {1:2,'k':none}""".split()

# {0}, {1}, {2} stand for any operand, {S} for a small one: sizes that stay harmless.
METHODS = """upper() lower() strip() lstrip() rstrip() split() title() capitalize() swapcase()
splitlines() isdigit() isalpha() isupper() islower() isspace() isalnum() istitle() isnumeric()
isdecimal() isidentifier() isascii() isprintable() items() keys() values() copy() split({0})
split({0},{1}) split(maxsplit={1}) split(sep={0},maxsplit={1}) rsplit({0},{1}) rsplit(none,{1})
strip({0}) lstrip({0}) rstrip({0}) replace({0},{1}) replace({0},{1},{2}) find({0}) find({0},{1},{2})
rfind({0}) index({0}) count({0}) count({0},{1}) startswith({0}) endswith({0}) startswith({0},{1})
partition({0}) rpartition({0}) removeprefix({0}) removesuffix({0}) join({0}) center({S})
ljust({S},{1}) rjust({S}) zfill({S}) expandtabs() splitlines(true) format({0},{1}) format({0},a={1})
get({0}) get({0},{1}) append({0}) index({0},{1}) pop() bit_length() is_integer() real imag numerator
x a n items keys __class__ _p 0 10 format_map({0}) update({0}) setdefault({0})""".split()

FILTERS = """upper lower trim trim({0}) title capitalize length count list string int int({0})
int({0},{1}) float float({0}) abs round round({S}) round({S},'floor') round({S},'ceil') first last
join join({0}) join({0},{1}) sort sort(reverse=true) sort(attribute={0}) sort(true,true) unique|list
unique(true)|list reverse reverse|list tojson tojson(indent=2) tojson({S}) tojson(indent={S})
tojson(separators=({0},{1})) tojson(sort_keys=true) tojson(ensure_ascii=true) default({0})
default({0},true) d({0}) map({0})|list map('upper')|list map(attribute={0})|list
map(attribute={0},default={1})|list map('default',{0})|list select|list reject|list select({0})|list
select('equalto',{0})|list select('string')|list selectattr({0})|list selectattr('v','none')|list
selectattr({0},{1})|list selectattr('v','gt',{0})|list rejectattr({0})|list
rejectattr('n','undefined')|list batch({0})|list batch(2,{0})|list batch({S},{0})|list
slice({S})|list slice(2,{0})|list groupby({0})|list groupby('n')|list dictsort dictsort(true)
dictsort(false,'value') dictsort(reverse=true) items|list min max min(attribute={0}) max(true) sum
sum({0}) sum(start={0}) sum(attribute='v') replace({0},{1}) replace({0},{1},{2}) indent indent({S})
indent(2,true) indent({S},true,true) truncate({0}) truncate(5,true,'') truncate({0},{1},{2},0)
wordcount center({S}) format({0}) format({0},{1}) format(a={0}) attr({0}) urlencode filesizeformat
filesizeformat(true) select|first map('int')|sum map('tojson')|join(',') length|string
no_such_filter""".split()

TESTS = """defined undefined none string number integer float boolean mapping sequence iterable
callable true false odd even divisibleby({0}) eq({0}) ne({0}) gt({0}) lt({0}) ge({0}) le({0})
equalto({0}) in({0}) lower upper escaped filter test no_such_test""".split()

OPERATORS = "+ - * / // % ~ == != < <= > >= in and or".split() + ["not in"]
SMALL = "1 2 3 0 -1 n undef none 1.5 true s l".split()
BASES = "2 n f z neg t 1.5 no s small".split()
EXPONENTS = "2 0 3 -1 0.5 neg fl undef 10 l".split()
SLICES = "1: :2 ::-1 :: 1:3 -2: :-1 1:9:2 3:0:-1".split()


class Expressions:
    """Expressions over VARIABLES."""

    def __init__(self, rng):
        self.rng = rng
        self.names = [*VARIABLES, "undef"]

    def __call__(self, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.15:
            return rng.choice(self.names) if rng.random() < 0.7 else rng.choice(LITERALS)
        kind = rng.choice(self.KINDS)
        return kind(self, depth - 1)

    def atom(self, depth):
        text = self(depth)
        return text if text[0] in "([{" or text.isidentifier() else f"({text})"

    def fill(self, pattern, depth):
        pattern = pattern.replace("{S}", self.rng.choice(SMALL))
        for index in range(3):
            operand = self(depth) if self.rng.random() < 0.35 else self.rng.choice(LITERALS)
            pattern = pattern.replace("{%d}" % index, operand)
        return pattern

    def filtered(self, depth):
        return f"{self.atom(depth)}|{self.fill(self.rng.choice(FILTERS), depth)}"

    def method(self, depth):
        return f"{self.atom(depth)}.{self.fill(self.rng.choice(METHODS), depth)}"

    def test(self, depth):
        negation = self.rng.choice(["", "not "])
        return f"({self.atom(depth)} is {negation}{self.fill(self.rng.choice(TESTS), depth)})"

    def operation(self, depth):
        return f"({self(depth)} {self.rng.choice(OPERATORS)} {self(depth)})"

    def power(self, _depth):
        return f"({self.rng.choice(BASES)} ** {self.rng.choice(EXPONENTS)})"

    def item(self, depth):
        key = self.rng.choice([self(depth), self.rng.choice(SLICES)])
        return f"{self.rng.choice(self.names)}[{key}]"

    def other(self, depth):
        a, b, c = self(depth), self(depth), self(depth)
        forms = [
            f"({a} if {b} else {c})", f"({a} if {b})", f"(not {a})", f"[{a}, {b}]", f"({a}, {b})",
            f"{{{a}: {b}}}", f"dict(a={a})", f"dict({a})", f"({a} < {b} <= {c})",
            f"(- {self.atom(depth)})",
        ]  # fmt: skip
        return self.rng.choice(forms)

    KINDS = [filtered] * 3 + [method] * 3 + [operation] * 3 + [test, item, other, other, power]


CONTEXT = {
    "x": 1, "y": "ctx", "xs": [1, 2, 3], "d": {"a": 1}, "tools": None, "e": [], "t": "a b",
    "pairs": [[1, "a"], [2, "b"]],
    "tree": [{"n": "r", "c": [{"n": "s", "c": []}, {"n": "t", "c": [{"n": "u", "c": []}]}]}],
}  # fmt: skip

LOOP_FIELDS = """index index0 first last length revindex revindex0 previtem nextitem depth
cycle(1,2) changed(x)""".split()


class Templates:
    """Templates over CONTEXT in which scopes nest and names hide each other."""

    def __init__(self, rng):
        self.rng = rng

    def __call__(self):
        rng = self.rng
        start = rng.choice(["", "{% set ns = namespace(a=1, b=2) %}"])
        if rng.random() < 0.5:
            body = "[{{ p }}{{ x }}{{ z }}{{ caller(1) if caller }}]"
            start += "{% macro m(p=3) %}" + body + "{% endmacro %}"
        depth = rng.randint(1, 4)
        return start + "".join(self.statement(depth) for _ in range(rng.randint(2, 6)))

    def space(self):
        return self.rng.choice(["", "", " ", "\n", "  \n", "\t", "\n\n  ", "  x ", "é\n", "\r\n"])

    def tag(self, content):
        left, right = (self.rng.choice(["", "", "", "-", "+"]) for _ in range(2))
        return f"{{%{left} {content} {right}%}}"

    def expression(self):
        rng = self.rng
        if rng.random() < 0.25:
            return f"(loop.{rng.choice(LOOP_FIELDS)} if loop is defined and loop.index else 'L')"
        if rng.random() < 0.15:
            return rng.choice(["(m(x) if m is defined else 'M')", "(m() if m is defined else 'M')"])
        if rng.random() < 0.15:
            return f"(ns.{rng.choice('ab')} if ns is defined else 'N')"
        if rng.random() < 0.1:
            return "(caller(1) if caller is defined and caller else 'C')"
        return rng.choice(
            """x y z w i j x~y [x,y] (x,z) d.a xs varargs kwargs 'lit' 3 none t|upper xs|select|list
            x|default('D') z|default(y) p q [1,2]|join('-') namespace(a=1) dict(a=x) tree
            cycler(1,2).next() joiner('|')()""".split()
            + ["z is defined", "x if y else z", "loop is defined", "m is defined"]
        )

    def iterable(self):
        return self.rng.choice(
            """xs e [1,2] range(2) d xs|select xs|map('string') t tree 'ab' xs[1:] xs|reverse pairs
            d.items() d|items xs|batch(2)""".split()
            + ["z if z is iterable else e", "w if w is iterable else xs"]
        )

    def body(self, depth):
        return "".join(self.statement(depth - 1) for _ in range(self.rng.randint(0, 3)))

    def statement(self, depth):
        if depth <= 0 or self.rng.random() < 0.3:
            return self.output()
        kind = self.rng.choice(self.KINDS)
        return self.space() + kind(self, depth) + self.space()

    def output(self):
        left, right = self.rng.choice(["", "", "-"]), self.rng.choice(["", "", "-"])
        lead = self.rng.choice(["", "T", "}", "{# c #}", "{#- c -#}", "{# a\nb +#}\n"])
        return f"{self.space()}{lead}{{{{{left} {self.expression()} {right}}}}}{self.space()}"

    def condition(self, depth):
        text = self.tag(f"if {self.expression()}") + self.body(depth)
        if self.rng.random() < 0.3:
            text += self.tag(f"elif {self.expression()}") + self.body(depth)
        if self.rng.random() < 0.5:
            text += self.tag("else") + self.body(depth)
        return text + self.tag("endif")

    def loop(self, depth):
        rng = self.rng
        target = rng.choice(["x", "i", "z", "w", "i", "i, j"])
        chosen = f" if {self.expression()}" if rng.random() < 0.25 else ""
        text = self.tag(f"for {target} in {self.iterable()}{chosen}") + self.body(depth)
        if rng.random() < 0.15:
            control = self.tag(rng.choice(["break", "continue"]))
            text += self.tag("if x") + control + self.tag("endif")
        if rng.random() < 0.25:
            text += self.tag("else") + self.body(depth)
        return text + self.tag("endfor")

    def recursive_loop(self, depth):
        inner = self.rng.choice(["{{ loop(i.c) }}", "{{ loop(i.c)|upper }}"])
        start = self.tag("for i in tree recursive") + "{{ i.n }}" + self.tag("if i.c") + inner
        return start + self.tag("endif") + self.body(depth) + self.tag("endfor")

    def assignment(self, _depth):
        target = self.rng.choice(["x", "y", "z", "w", "x", "z", "i", "i, j", "ns.a"])
        value = "1, 2" if "," in target else self.expression()
        return self.tag(f"set {target} = {value}")

    def block_assignment(self, depth):
        filters = self.rng.choice(["", " | upper", " | trim | length"])
        target = self.rng.choice(["x", "z", "w"])
        return self.tag(f"set {target}{filters}") + self.body(depth) + self.tag("endset")

    def macro(self, depth):
        choices = ["", "p", "p, q=2", "p=x, q=p", "x", "q=z", "p=1, caller=none"]
        parameters = self.rng.choice(choices)
        return self.tag(f"macro m({parameters})") + self.body(depth) + self.tag("endmacro")

    def call(self, depth):
        parameters = self.rng.choice(["", "(p)", "(x, q=1)"])
        argument = self.rng.choice(["", "1", "x"])
        return self.tag(f"call{parameters} m({argument})") + self.body(depth) + self.tag("endcall")

    def filter_block(self, depth):
        name = self.rng.choice(["upper", "trim", "upper|trim", "replace('a','b')"])
        return self.tag(f"filter {name}") + self.body(depth) + self.tag("endfilter")

    def scope(self, depth):
        assignments = self.rng.choice(["", "x=2", "x=5, z=x", "i=x", "x=x"])
        return self.tag(f"with {assignments}") + self.body(depth) + self.tag("endwith")

    def generation(self, depth):
        return self.tag("generation") + self.body(depth) + self.tag("endgeneration")

    def raw(self, _depth):
        content = self.space() + "{{ x }}{% if %}" + self.space()
        return self.tag("raw") + content + self.tag("endraw")

    KINDS = (
        [condition] * 3 + [loop] * 4 + [assignment] * 3
        + [recursive_loop, block_assignment, macro, call, filter_block, scope, generation, raw]
    )  # fmt: skip
