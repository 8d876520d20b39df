// spec: docs/clients.md, "OpenAI chat"
/**
 * A client's messages as the session takes them: what several clients write differently and means
 * the same is written one way, so that it renders alike and matches what is stored.
 *
 * Contract   content that is a list of text parts becomes their concatenation, which is what the
 *            templates that take lists make of it; "" and [] stay as they are, and so does null,
 *            which a user's message may not have. The role "developer" becomes "system" where the
 *            chat template would drop or refuse it.
 * Reports    InvalidRequestError that names message and part.
 * Not here   what goes up to the backend: the client's own text.
 */
import { InvalidRequestError } from "../errors.ts";
import { describeKind } from "../json/request-object.ts";
import type { JsonArray, JsonObject, JsonValue } from "../json/values.ts";
import type { MessageRules } from "./message-rules.ts";

/** @param index of the message in its request, for the sentence */
export function readMessage(
  message: JsonValue,
  index: number,
  rules: Pick<MessageRules, "developerIsSystem">,
): JsonObject {
  if (!(message instanceof Map)) {
    throw new InvalidRequestError(
      `messages[${index}] must be an object, got ${describeKind(message)}`,
    );
  }
  const role = message.get("role");
  if (role === undefined) {
    throw new InvalidRequestError(
      `messages[${index}] has no role: a role such as "user" is required`,
    );
  }
  if (typeof role !== "string") {
    throw new InvalidRequestError(
      `messages[${index}].role must be a string such as "user", got ${describeKind(role)}`,
    );
  }
  let read = message;
  const content = message.get("content");
  const text = readContent(content, role, `messages[${index}].content`);
  if (text !== content) read = new Map(read).set("content", text ?? null);
  if (role === "developer" && rules.developerIsSystem) read = new Map(read).set("role", "system");
  return read;
}

/** Templates leave out what is no text, or write it as Python prints it: "None", "{'a': 1}". */
function readContent(
  content: JsonValue | undefined,
  role: string,
  where: string,
): JsonValue | undefined {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.length === 0 ? content : joinedText(content, where);
  const isAbsent = content === undefined || content === null;
  // A user says something; what a tool returns, or an assistant before its calls, may be nothing.
  if (isAbsent && role !== "user") return content;
  const expected =
    role === "user" ? "a string or a list of text parts" : "a string, a list of text parts or null";
  const got = content === undefined ? "nothing" : describeKind(content);
  throw new InvalidRequestError(`${where} must be ${expected}, got ${got}`);
}

function joinedText(parts: JsonArray, where: string): string {
  return parts
    .map((part, index) => {
      const type = part instanceof Map ? part.get("type") : undefined;
      const text = part instanceof Map ? part.get("text") : undefined;
      if (type === "text" && typeof text === "string") return text;
      const got = typeof type === "string" ? `a part of type "${type}"` : describeKind(part);
      throw new InvalidRequestError(
        `${where}[${index}] must be {"type": "text", "text": a string}, got ${got}: ` +
          "sessions are made of text",
      );
    })
    .join("");
}
