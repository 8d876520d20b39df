"""Random conversations for vectors: what agents send, and now and then what they should not.

Every text, number, key and order here was written for this project. A seed gives the same
conversation on every machine.
"""

import json

TEXTS = [
    "", " ", "\n", "hello", "  padded  ", "line one\nline two\n", "\n\nafter two line feeds",
    "<think>", "</think>", "<think>\nhidden\n</think>\n\nshown", "a</think>b",
    "<think>x<think>y</think>z", "<tool_response>\nr\n</tool_response>",
    "<tool_call>{}</tool_call>", "日本語 テキスト", "😀 👩‍👩‍👧", "e\u0301 é",
    "\u2028 separator \x0b\x1c", "it's \"quoted\" \\ back", "{'a': 1}", "{content} {} %s",
    "None", "1.0", "tab\there", "\r\n", "\ufeffbom", "</s>", "x" * 30,
]
NUMBERS = [0, 1, -1, 3, 12345678901234567890, 1.0, -0.0, 0.1, 1e16, 1e-7, 2.5e300]
KEYS = ["a", "b", "10", "2", "é", "with space", "type", "Z", "_p", "😀"]
SCHEMA_TYPES = ["string", "number", "integer", "boolean", "null", "object", "array"]


class Generator:
    """`wild` conversations also have content of other types, other roles and broken calls."""

    def __init__(self, random, wild):
        self.random = random
        self.wild = wild

    def chance(self, share):
        return self.random.random() < share

    def odd(self, share):
        return self.wild and self.chance(share)

    def text(self):
        if self.chance(0.8):
            return self.random.choice(TEXTS)
        return "".join(self.random.choice(TEXTS) for _ in range(self.random.randint(2, 4)))

    def value(self, depth=0):
        kind = self.random.random()
        if kind < 0.35 or depth > 2:
            return self.text()
        if kind < 0.55:
            return self.random.choice(NUMBERS)
        if kind < 0.65:
            return self.random.choice([True, False, None])
        if kind < 0.8:
            return [self.value(depth + 1) for _ in range(self.random.randint(0, 3))]
        return self.object(depth + 1)

    def object(self, depth=0):
        keys = self.random.sample(KEYS, self.random.randint(0, 4))
        return {key: self.value(depth) for key in keys}

    def content(self):
        if not self.odd(0.15):
            return self.text()
        parts = [
            {"type": "text", "text": self.text()}, {"type": "image", "image": "i"}, "text",
            {"type": "video", "video": "v"}, {"type": "text"}, {"output": self.text()}, {}, 3,
        ]
        count = self.random.randint(0, 3)
        lists = [self.random.choice(parts) for _ in range(count)]
        return self.random.choice([None, lists, lists, lists, {"a": 1}, 5, True])

    def call(self):
        arguments = self.object()
        if self.chance(0.6):
            arguments = json.dumps(arguments, ensure_ascii=self.chance(0.5))
        if self.odd(0.05):
            arguments = self.random.choice(["", None, "[1]", "nope", 3, '{"a": NaN}'])
        function = {"name": self.random.choice(["run", "read_file", self.text()])}
        function["arguments"] = arguments
        call = {"id": f"c{self.random.randint(0, 9)}", "type": "function", "function": function}
        if self.odd(0.03):
            function.pop("arguments")
        return self.random.choice([None, "x", {}, function]) if self.odd(0.03) else call

    def message(self, role):
        message = {"role": role, "content": self.content()}
        if self.odd(0.05):
            message.pop("content")
        if role == "assistant":
            if self.chance(0.5):
                message["reasoning_content"] = self.random.choice([self.text(), self.text(), None])
            if self.chance(0.5):
                message["tool_calls"] = [self.call() for _ in range(self.random.randint(0, 3))]
        if role == "tool" and self.chance(0.7):
            message["tool_call_id"] = "c1"
        if self.chance(0.05):
            message["name"] = self.random.choice(["bob", "", self.text()])
        return message

    def results(self, assistant):
        calls = assistant["tool_calls"]
        ids = [call.get("id") if isinstance(call, dict) else None for call in calls]
        if self.chance(0.3):
            self.random.shuffle(ids)
        for identifier in ids:
            result = self.message("tool")
            if identifier is not None and self.chance(0.9):
                result["tool_call_id"] = identifier
            yield result

    def session(self):
        """Stored messages, of which the last is a generated turn, and what is appended to them."""
        stored = [self.message("system")] if self.chance(0.5) else []
        roles = ["user", "user", "assistant"]
        roles += ["tool", "system", "developer", "weird"] if self.wild else []
        for _ in range(self.random.randint(1, 4)):
            message = self.message(self.random.choice(roles))
            stored.append(message)
            if message.get("tool_calls") and self.chance(0.9):
                stored.extend(self.results(message))
        turn = self.message("assistant")
        turn["content"] = turn.get("content") or ""
        stored.append(turn)
        appended = list(self.results(turn)) if turn.get("tool_calls") and self.chance(0.8) else []
        for _ in range(self.random.randint(0, 2)):
            role = self.random.choice(["user", "user", "assistant", "system"])
            appended.append(self.message(role))
        return stored, appended

    def schema(self, depth=0):
        kind = self.random.random()
        schema = {}
        if self.chance(0.4):
            schema["description"] = self.random.choice(["what it is", "two\n\nlines", self.text()])
        if self.chance(0.15):
            schema["default"] = self.value()
        if kind < 0.35 or depth > 2:
            schema["type"] = self.random.choice(SCHEMA_TYPES)
        elif kind < 0.43:
            schema["type"] = self.random.choice([["string", "null"], ["array", "object"], ["odd"]])
        elif kind < 0.52:
            values = [["a", "b"], [1, 2.5, None], [True, False], ["x", None]]
            schema["enum"] = self.random.choice(values)
            if self.chance(0.5):
                types = ["string", "number", "integer", ["string", "null"]]
                schema["type"] = self.random.choice(types)
        elif kind < 0.6:
            schema["anyOf"] = [self.schema(depth + 1) for _ in range(self.random.randint(1, 3))]
        elif kind < 0.66:
            schema["$ref"] = self.random.choice(["#", "#/$defs/Node", "#/$defs/Missing"])
        elif kind < 0.8:
            schema["type"] = "array"
            if self.chance(0.8):
                schema["items"] = self.schema(depth + 1)
        else:
            schema.update(self.object_schema(depth + 1))
        if self.chance(0.2):
            lengths = {"maxLength": 3, "minLength": 1}
            bounds = {"minimum": 0, "maximum": 1e16}
            schema.update(self.random.choice([lengths, {"pattern": "^a$"}, bounds]))
        return self.random.choice([True, False, {}, None, "string"]) if self.odd(0.05) else schema

    def object_schema(self, depth=0):
        names = self.random.sample(KEYS, self.random.randint(0, 4))
        schema = {"type": "object", "properties": {name: self.schema(depth) for name in names}}
        if self.chance(0.6):
            schema["required"] = [name for name in names if self.chance(0.5)]
        if self.chance(0.15):
            schema["additionalProperties"] = self.random.choice([True, False, {"type": "string"}])
        if depth == 0 and self.chance(0.25):
            schema["$defs"] = {"Node": self.schema(2)}
        return schema

    def tools(self):
        """null, an empty list, or tools with their members in any order."""
        if self.chance(0.5):
            return self.random.choice([None, []])
        return [self.tool() for _ in range(self.random.randint(1, 3))]

    def tool(self):
        function = {"name": self.random.choice(["run", "read_file", self.text()])}
        if self.chance(0.6):
            function["description"] = self.random.choice([self.text(), None, "Runs.\nTwice."])
        if self.chance(0.9):
            function["parameters"] = self.object_schema() if self.chance(0.85) else self.value()
        if self.chance(0.2):
            function["strict"] = self.chance(0.5)
        members = list(function.items())
        self.random.shuffle(members)
        function = dict(members)
        return function if self.odd(0.1) else {"type": "function", "function": function}
