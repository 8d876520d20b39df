// spec: docs/clients.md, "OpenAI chat"
/**
 * A client's messages as the session takes them: what several clients write differently and means
 * the same is written one way, so that it renders alike and matches what is stored.
 *
 * Contract   content that is a list of text parts becomes their concatenation, which is what the
 *            templates that take lists make of it; null, "" and [] stay as they are. The role
 *            "developer" becomes "system" where the chat template would drop or refuse it.
 * Reports    InvalidRequestError that names message and part.
 * Not here   what goes up to the backend: the client's own text.
 */
import { InvalidRequestError } from "../errors.ts";
import { describeKind } from "../json/request-object.ts";
import type { JsonArray, JsonObject, JsonValue } from "../json/values.ts";

export interface MessageRules {
  /** The chat template has no place for the role "developer". */
  readonly developerIsSystem: boolean;
  /** The family takes system messages anywhere in a conversation, and several of them. */
  readonly systemAnywhere: boolean;
}

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
  if (Array.isArray(content) && content.length > 0) {
    read = new Map(read).set("content", joinedText(content, `messages[${index}].content`));
  }
  if (role === "developer" && rules.developerIsSystem) read = new Map(read).set("role", "system");
  return read;
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
