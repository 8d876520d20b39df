/**
 * The bundled demo checkpoint: a byte-level tokenizer without merges and a ChatML template, so that
 * the server runs without any download. One token a byte, and one for each marker.
 *
 * Contract   ids 0-255 are the bytes in their own order, the markers follow; works with the
 *            families `default` and `qwen3`. Made in milliseconds.
 */
import { specialToken } from "./added-token.ts";
import demoChatTemplate from "./demo-chat-template.jinja" with { type: "text" };
import type { TokenizerDefinition } from "./rust-tokenizer.ts";

export const demoCheckpointName = "demo";

export { demoChatTemplate };

/** Ends a turn; generation stops here. */
const endOfTurn = "<|im_end|>";
/** Ends a text; also pads. */
const endOfText = "<|endoftext|>";

const structuralMarkers = ["<|im_start|>", endOfTurn, endOfText];

/** Part of what a role says: found in the text like the others, but not special. */
const contentMarkers = [
  "<think>",
  "</think>",
  "<tool_call>",
  "</tool_call>",
  "<tool_response>",
  "</tool_response>",
];

const byteCount = 256;

/** Template variables of the demo checkpoint. */
export const demoSpecialTokens: ReadonlyMap<string, string> = new Map([
  ["eos_token", endOfTurn],
  ["pad_token", endOfText],
]);

export function demoTokenizerDefinition(): TokenizerDefinition {
  const markers = [
    ...structuralMarkers.map((content) => addedTokenJson(content, true)),
    ...contentMarkers.map((content) => addedTokenJson(content, false)),
  ];
  const byteLevel = { add_prefix_space: false, trim_offsets: false, use_regex: false };
  const definition = {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: markers.map((marker, index) => ({ id: byteCount + index, ...marker })),
    normalizer: null,
    pre_tokenizer: {
      type: "Sequence",
      pretokenizers: [
        // Lines keep the pieces that the model sees short.
        { type: "Split", pattern: { Regex: "\\n+" }, behavior: "Isolated", invert: false },
        { type: "ByteLevel", ...byteLevel },
      ],
    },
    post_processor: null,
    decoder: { type: "ByteLevel", ...byteLevel },
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab: Object.fromEntries(byteCharacters().map((character, byte) => [character, byte])),
      merges: [],
    },
  };
  return {
    json: JSON.stringify(definition),
    path: demoCheckpointName,
    addedTokens: [],
    specialTokens: [...demoSpecialTokens.values()].map(specialToken),
    cleanUpTokenizationSpaces: false,
  };
}

function addedTokenJson(content: string, special: boolean) {
  return {
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special,
  };
}

/**
 * The character that stands for each byte in a byte-level vocabulary: visible Latin-1 characters
 * for themselves, the others in order from U+0100 on, as GPT-2 did it.
 */
function byteCharacters(): string[] {
  let next = byteCount;
  return Array.from({ length: byteCount }, (_, byte) => {
    const isVisible =
      (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    return String.fromCodePoint(isVisible ? byte : next++);
  });
}
