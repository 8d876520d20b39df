"""Makes test/tito/families.vectors.jsonl.gz: what the Python original renders and appends.

Texts stand in for tokens: the tokenizer that the original gets gives a text back as its one token,
so that ids are texts and a prompt is their sum. Families that use a checkpoint's own template are
left out, since no real template is part of this project.

Needs transformers and pydantic, and the original's sources:

    python scripts/make-family-vectors.py --miles CHECKOUT --encoding-dsv4 FILE --kimi DIRECTORY

CHECKOUT is radixark/miles, FILE is sglang's encoding_dsv4.py, DIRECTORY holds the Python files of a
Kimi K2.5 checkpoint.
"""

import argparse
import gzip
import importlib
import importlib.util
import json
import random
import sys
import tempfile
import types
from pathlib import Path
from typing import Any, Optional

from pydantic import BaseModel, Field
from transformers.utils.chat_template_utils import render_jinja_template

from conversation_generator import Generator

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "test/tito/families.vectors.jsonl.gz"

FIXED = ["qwen3", "qwen35", "qwennext", "kimi25", "minimax_m25", "minimax_m27"]
ENCODERS = {"deepseekv32": "deepseek_v32", "deepseekv4": "deepseek_v4"}
ENDS = {
    "minimax_m25": ["[e~[", "cut off"],
    "minimax_m27": ["[e~[", "cut off"],
    "deepseekv32": ["<｜end▁of▁sentence｜>"],
    "deepseekv4": ["<｜end▁of▁sentence｜>"],
}


class Function(BaseModel):
    description: Optional[str] = Field(default=None)
    name: str
    parameters: Optional[object] = None
    strict: bool = False


class Tool(BaseModel):
    type: str = Field(default="function")
    function: Function


def load_original(arguments):
    """Imports the original with sglang reduced to the two modules that it needs."""
    for name in ["sglang", "sglang.srt", "sglang.srt.entrypoints", "sglang.srt.entrypoints.openai"]:
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = []
    protocol = types.ModuleType("sglang.srt.entrypoints.openai.protocol")
    protocol.Tool = Tool
    sys.modules[protocol.__name__] = protocol
    name = "sglang.srt.entrypoints.openai.encoding_dsv4"
    spec = importlib.util.spec_from_file_location(name, arguments.encoding_dsv4)
    encoding = importlib.util.module_from_spec(spec)
    sys.modules[name] = encoding
    sys.modules["sglang.srt.entrypoints.openai"].encoding_dsv4 = encoding
    spec.loader.exec_module(encoding)
    sys.path.insert(0, str(Path(arguments.miles)))
    sys.path.insert(0, str(Path(arguments.kimi)))
    return importlib.import_module("miles.utils.chat_template_utils.tito_tokenizer")


def deep_sort(value):
    if isinstance(value, dict):
        return {key: deep_sort(member) for key, member in sorted(value.items())}
    return [deep_sort(item) for item in value] if isinstance(value, list) else value


class TextTokenizer:
    """A tokenizer whose tokens are texts."""

    all_special_ids: list = []
    added_tokens_decoder: dict = {}

    def __init__(self, chat_template, name_or_path):
        self.chat_template = chat_template
        self.name_or_path = name_or_path

    def encode(self, text, add_special_tokens=True):
        return [text]

    def convert_tokens_to_ids(self, token):
        return token

    def apply_chat_template(
        self, conversation, tools=None, tokenize=False, return_dict=False, **kwargs
    ):
        rendered, _ = render_jinja_template(
            conversations=[conversation], tools=tools, chat_template=self.chat_template, **kwargs
        )
        return rendered[0]


class KimiTextTokenizer(TextTokenizer):
    """With what Kimi K2.5's tokenizer class does before it renders."""

    def apply_chat_template(self, conversation, tools=None, **kwargs):
        declarations = importlib.import_module("tool_declaration_ts")
        tools = deep_sort(tools)
        if tools:
            try:
                kwargs["tools_ts_str"] = declarations.encode_tools_to_typescript_style(tools)
            except Exception:
                pass
        defaults = {"thinking": True, "preserve_thinking": False}
        return super().apply_chat_template(conversation, tools=tools, **{**defaults, **kwargs})


def request_kwargs(family, rng):
    names = ["enable_thinking", "model_identity"]
    if family.startswith("kimi"):
        names = ["thinking"]
    if family.startswith("deepseek"):
        names = ["enable_thinking", "thinking", "thinking_mode", "add_default_bos_token"]
    if family == "deepseekv4":
        names.append("reasoning_effort")
    values = {
        "thinking_mode": ["chat", "thinking"],
        "reasoning_effort": ["max", "high", None],
        "model_identity": ["me", ""],
    }
    chosen = rng.sample(names, rng.randint(1, min(2, len(names))))
    return {name: rng.choice(values.get(name, [True, False, None])) for name in chosen}


def outcome(action):
    """The text, or null where the original raises."""
    try:
        return "".join(action())
    except Exception:
        return None


def vector(original, tokenizer, family, rng) -> dict[str, Any]:
    generator = Generator(rng, wild=rng.random() < 0.35)
    stored, appended = generator.session()
    tools = generator.tools()
    kwargs = request_kwargs(family, rng) if rng.random() < 0.4 else {}
    tito = original.get_tito_tokenizer(tokenizer, family).clone_with_chat_template_kwargs(kwargs)
    opens = rng.random() < 0.6
    last = rng.choice(ENDS.get(family, ["<|im_end|>", "cut off"]))
    case = {"family": family, "stored": stored, "appended": appended}
    case |= {"tools": tools, "kwargs": kwargs, "addGenerationPrompt": opens}
    messages = stored + appended
    case["prompt"] = outcome(
        lambda: tito.apply_chat_template(messages, tools=tools, add_generation_prompt=opens)
    )
    if {message["role"] for message in appended} <= tito.allowed_append_roles:
        case["last"] = last
        case["merged"] = outcome(
            lambda: tito.merge_tokens(stored, stored + appended, [last], tools=tools)
        )
    return case


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--miles", required=True)
    parser.add_argument("--encoding-dsv4", required=True)
    parser.add_argument("--kimi", required=True)
    parser.add_argument("--count", type=int, default=300, help="vectors a family")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", default=OUTPUT)
    arguments = parser.parse_args()
    original = load_original(arguments)
    lines = []
    with tempfile.TemporaryDirectory() as directory:
        for family in FIXED + list(ENCODERS):
            template, _ = original.resolve_fixed_chat_template(family)
            checkpoint = Path(directory) / family
            checkpoint.mkdir()
            config = {"model_type": ENCODERS.get(family, family)}
            (checkpoint / "config.json").write_text(json.dumps(config))
            kind = KimiTextTokenizer if family.startswith("kimi") else TextTokenizer
            text = Path(template).read_text() if template else None
            tokenizer = kind(text, str(checkpoint))
            for number in range(arguments.count):
                rng = random.Random(f"{arguments.seed} {family} {number}")
                case = vector(original, tokenizer, family, rng)
                lines.append(json.dumps(case, ensure_ascii=False, separators=(",", ":")))
    data = ("\n".join(lines) + "\n").encode()
    # Without a time of its making the file is the same on every run.
    Path(arguments.output).write_bytes(gzip.compress(data, mtime=0))
    print(f"{len(lines)} vectors, {len(data)} bytes of JSON")


if __name__ == "__main__":
    main()
