// spec: docs/clients.md, "OpenAI Responses"; OpenAI API reference, "Create a model response": tools
/**
 * Tools of a Responses request as those of a chat completion.
 *
 * Contract   functions are passed; a custom tool, which takes text, becomes a function of one
 *            string, `input`, whose description ends with the tool's grammar; the tools of a
 *            namespace stand by themselves, under both names; those that the client runs are
 *            functions (client-tools.ts). What OpenAI itself would run is left out: nothing here
 *            could, and agents offer it unasked. Tools that a client found by search are passed
 *            like the others.
 * Reports    InvalidRequestError, also for types that stand in no list, and for two tools of one
 *            name that differ; the same tool twice is passed once.
 */
import { InvalidRequestError } from "../../errors.ts";
import { jsonEqual } from "../../json/python-equality.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { object, refusedType, requireList, requireObject, requireText } from "../members.ts";
import { type ClientTool, clientTools } from "./client-tools.ts";
import { functionName, type ToolName } from "./tool-names.ts";

/** What the calls of a function are to the client. */
export interface OfferedTool extends ToolName {
  /** It takes text. */
  readonly isCustom: boolean;
  readonly clientTool: ClientTool | null;
}

export interface Tools {
  /** Undefined when there are none. */
  readonly tools: JsonObject[] | undefined;
  /** By the name of its function. */
  readonly offered: ReadonlyMap<string, OfferedTool>;
}

/** Run by OpenAI's servers. */
const hostedTypes: readonly string[] = [
  "web_search",
  "web_search_2025_08_26",
  "web_search_preview",
  "web_search_preview_2025_03_11",
  "file_search",
  "code_interpreter",
  "image_generation",
  "mcp",
];

const ownTypes = ["function", "custom", "namespace"];
const takenTypes = [...ownTypes, ...clientTools.map(({ name }) => name), ...hostedTypes];

/** @param found tools that a client found by search */
export function readTools(value: JsonValue, found: readonly JsonObject[] = []): Tools {
  const list = new ToolList();
  for (const [index, item] of (value === null ? [] : requireList(value, "tools")).entries()) {
    const where = `tools[${index}]`;
    list.add(requireObject(item, where), where);
  }
  for (const tool of found) list.addFound(tool);
  const tools = list.functions;
  return { tools: tools.length === 0 ? undefined : tools, offered: list.offered };
}

/** The tools of a namespace, or the one that it is. */
export function functionsOf(tool: JsonObject, where: string): JsonObject[] {
  const list = new ToolList();
  list.add(tool, where);
  return list.functions;
}

class ToolList {
  readonly offered = new Map<string, OfferedTool>();
  readonly #functions = new Map<string, JsonObject>();

  get functions(): JsonObject[] {
    return [...this.#functions.values()];
  }

  add(tool: JsonObject, where: string): void {
    const type = requireText(tool.get("type"), `${where}.type`);
    const clientTool = clientTools.find(({ name }) => name === type) ?? null;
    if (hostedTypes.includes(type) || (clientTool !== null && isHosted(tool))) return;
    if (type === "namespace") this.#addNamespace(tool, where);
    else if (clientTool !== null) this.#addClientTool(clientTool, tool, where);
    else if (ownTypes.includes(type)) this.#addOwn(tool, null, where);
    else throw refusedType(where, type, takenTypes);
  }

  /** Once: a client may find a tool again, and may offer it from then on. */
  addFound(tool: JsonObject): void {
    const list = new ToolList();
    list.add(tool, "a tool that was found");
    for (const [name, made] of list.#functions) {
      const offered = list.offered.get(name);
      if (offered !== undefined && !this.offered.has(name)) this.#push(made, offered, name);
    }
  }

  #addNamespace(tool: JsonObject, where: string): void {
    const namespace = requireText(tool.get("name"), `${where}.name`);
    for (const [index, item] of requireList(tool.get("tools"), `${where}.tools`).entries()) {
      const place = `${where}.tools[${index}]`;
      const inner = requireObject(item, place);
      const type = inner.get("type");
      if (type !== "function" && type !== "custom") {
        throw refusedType(place, type, ["function", "custom"]);
      }
      this.#addOwn(inner, namespace, place);
    }
  }

  #addOwn(tool: JsonObject, namespace: string | null, where: string): void {
    const name = requireText(tool.get("name"), `${where}.name`);
    const isCustom = tool.get("type") === "custom";
    const description = isCustom ? describedInput(tool) : (tool.get("description") ?? undefined);
    const parameters = isCustom ? textParameter() : (tool.get("parameters") ?? undefined);
    this.#offer(
      { name, namespace, isCustom, clientTool: null },
      { description, parameters },
      where,
    );
  }

  /** Its own words, where it has them, tell more than those that stand here. */
  #addClientTool(clientTool: ClientTool, tool: JsonObject, where: string): void {
    const { name } = clientTool;
    const description = tool.get("description") ?? clientTool.description;
    const parameters = tool.get("parameters") ?? clientTool.parameters;
    const offered = { name, namespace: null, isCustom: false, clientTool };
    this.#offer(offered, { description, parameters }, where);
  }

  #offer(
    offered: OfferedTool,
    described: Readonly<Record<"description" | "parameters", JsonValue | undefined>>,
    where: string,
  ): void {
    const name = functionName(offered);
    const called = object({ name, ...described });
    const made = object({ type: "function", function: called });
    const earlier = this.offered.get(name);
    if (earlier === undefined) this.#push(made, offered, name);
    else if (
      !areCalledAlike(earlier, offered) ||
      !jsonEqual(this.#functions.get(name) ?? null, made)
    ) {
      throw new InvalidRequestError(
        `${where}: another tool is called as ${JSON.stringify(name)} already`,
      );
    }
  }

  #push(made: JsonObject, offered: OfferedTool, name: string): void {
    this.#functions.set(name, made);
    this.offered.set(name, offered);
  }
}

function areCalledAlike(one: OfferedTool, other: OfferedTool): boolean {
  return (
    one.name === other.name &&
    one.namespace === other.namespace &&
    one.isCustom === other.isCustom &&
    one.clientTool === other.clientTool
  );
}

/** A shell in OpenAI's container, or its own search over the tools of the request. */
function isHosted(tool: JsonObject): boolean {
  const environment = tool.get("environment");
  const place = environment instanceof Map ? (environment.get("type") ?? "local") : "local";
  const searcher = tool.get("execution") ?? "server";
  return place !== "local" || (tool.get("type") === "tool_search" && searcher === "server");
}

/** OpenAI constrains the sampling by the grammar; here the model is told of it. */
function describedInput(tool: JsonObject): JsonValue | undefined {
  const given = tool.get("description") ?? undefined;
  const format = tool.get("format");
  const definition = format instanceof Map ? format.get("definition") : undefined;
  if (!(format instanceof Map) || typeof definition !== "string") return given;
  const syntax = format.get("syntax");
  const kind = typeof syntax === "string" ? `${syntax} grammar` : "grammar";
  const told = `The input follows this ${kind}:\n\n${definition}`;
  return typeof given === "string" && given !== "" ? `${given}\n\n${told}` : told;
}

function textParameter(): JsonObject {
  return object({
    type: "object",
    properties: object({ input: object({ type: "string" }) }),
    required: ["input"],
  });
}

export function readToolChoice(value: JsonValue): JsonValue | undefined {
  if (value === null) return undefined;
  if (typeof value === "string") return value;
  const choice = requireObject(value, "tool_choice");
  const type = choice.get("type") ?? null;
  if (type === "allowed_tools") return choice.get("mode") ?? "auto";
  if (type === "function" || type === "custom") {
    const name = requireText(choice.get("name"), "tool_choice.name");
    const namespace = choice.get("namespace") ?? null;
    return chosen(typeof namespace === "string" ? functionName({ name, namespace }) : name);
  }
  if (clientTools.some(({ name }) => name === type)) return chosen(String(type));
  throw new InvalidRequestError(
    "tool_choice must be auto, required, none, or name a function or custom tool",
  );
}

function chosen(name: string): JsonObject {
  return object({ type: "function", function: object({ name }) });
}
