import { describe, expect, test } from "bun:test";
import { parseCommandLine } from "../../src/cli/command-line.ts";
import { titoFamilies } from "../../src/config.ts";
import { authTokenCharactersMax } from "../../src/limits.ts";
import { UsageError } from "../../src/usage-error.ts";

function texts(words: string[], environment: Record<string, string> = {}) {
  const line = parseCommandLine(words, environment);
  if (line.kind !== "serve") throw new Error(`parsed as ${line.kind}`);
  return Object.fromEntries([...line.texts].map(([name, value]) => [name, value.text]));
}

const unknown = (flag: string, meant: string) =>
  `${flag} is unknown; did you mean ${meant}? --help lists what is accepted`;
const stray = (word: string) =>
  `"${word}" is not understood; expected flags such as --port 30100, which --help lists`;

describe("parseCommandLine()", () => {
  test("takes values behind the flag and behind an equals sign", () => {
    expect(texts(["--workers", "4", "--port=0", "--chat-template-kwargs", '{"a": 1}'])).toEqual({
      workers: "4",
      port: "0",
      "chat-template-kwargs": '{"a": 1}',
    });
  });

  test("takes the word verify in front of the flags, and nowhere else", () => {
    expect(parseCommandLine(["verify", "--tito-model", "qwen3"], {})).toMatchObject({
      kind: "verify",
    });
    expect(() => parseCommandLine(["--tito-model", "qwen3", "verify"], {})).toThrow(UsageError);
  });

  test("takes switches with and without a value, and negated", () => {
    expect(texts(["--use-rollout-routing-replay", "--use-rollout-indexer-replay=false"])).toEqual({
      "use-rollout-routing-replay": "true",
      "use-rollout-indexer-replay": "false",
    });
    expect(texts(["--no-use-rollout-routing-replay"])).toEqual({
      "use-rollout-routing-replay": "false",
    });
  });

  test("reads every setting from the environment, and lets the flag win", () => {
    expect(texts([], { SESSION_SERVER_TITO_MODEL: "qwen3", SESSION_SERVER_PORT: "" })).toEqual({
      "tito-model": "qwen3",
    });
    expect(texts(["--port", "1"], { SESSION_SERVER_PORT: "2" })).toEqual({ port: "1" });
    expect(texts(["--port", "1"], { SESSION_SERVER_PORT: "x" })).toEqual({ port: "1" });
  });

  test("takes the last of equal flags", () => {
    expect(texts(["--port", "1", "--port=2", "--port", "3"])).toEqual({ port: "3" });
  });

  test("hands on what is to be said of the environment", () => {
    expect(parseCommandLine(["verify"], { SESSION_SERVER_PROT: "1" })).toMatchObject({
      kind: "verify",
      remarks: [{ level: "warn" }],
    });
  });

  test.each([
    [["--help"], "help"],
    [["--workers", "x", "-h"], "help"],
    [["--version"], "version"],
  ] as const)("%j asks for %s", (words, kind) => {
    expect(parseCommandLine(words, {}).kind).toBe(kind);
  });

  test.each([
    [["--workers", "0"], '--workers "0"; expected a whole number from 1 to 1024'],
    [["--workers", "1.5"], '--workers "1.5"; expected a whole number from 1 to 1024'],
    [["--workers=-1"], '--workers "-1"; expected a whole number from 1 to 1024'],
    [["--port", "65536"], '--port "65536"; expected a whole number from 0 to 65535'],
    [["--host", "a b"], '--host "a b"; expected a host name or an IP address'],
    [
      ["--backend-url", "localhost:3"],
      '--backend-url "localhost:3"; expected an http:// or https:// URL without query, or "mock"',
    ],
    [["--tokenizer", "fast"], '--tokenizer "fast"; expected one of auto, rust'],
    [["--tito-model", "gpt"], `--tito-model "gpt"; expected one of ${titoFamilies.join(", ")}`],
    [
      ["--chat-template-kwargs", "[1]"],
      '--chat-template-kwargs "[1]"; expected a JSON object such as {"enable_thinking": false}',
    ],
    [
      ["--session-message-matcher", "x"],
      '--session-message-matcher "x"; expected one of strict, loose_tool_call, role_content_only',
    ],
    [["--instance-id", "ABC"], '--instance-id "ABC"; expected 32 lower-case hex digits'],
    [
      ["--log-level", "trace"],
      '--log-level "trace"; expected one of debug, info, warn, error, silent',
    ],
    [
      ["--use-rollout-routing-replay=maybe"],
      '--use-rollout-routing-replay "maybe"; expected one of true, false, 1, 0',
    ],
    [["--port"], "--port needs a value; expected a whole number from 0 to 65535"],
    [["--port", "--workers", "2"], "--port needs a value; expected a whole number from 0 to 65535"],
    [["--port", "70000"], '--port "70000"; expected a whole number from 0 to 65535'],
    [["--workers", "1e3"], '--workers "1e3"; expected a whole number from 1 to 1024'],
    [["--workers", " 2"], '--workers " 2"; expected a whole number from 1 to 1024'],
    [["--workers="], '--workers ""; expected a whole number from 1 to 1024'],
    [["--quiet"], "--quiet is unknown; --help lists what is accepted"],
    [["--worker", "2"], unknown("--worker", "--workers")],
    [["--wokers=2"], unknown("--wokers", "--workers")],
    [["--tito_model", "qwen3"], unknown("--tito_model", "--tito-model")],
    [["--checkpoint", "x"], unknown("--checkpoint", "--hf-checkpoint")],
    [["--no-port"], unknown("--no-port", "--port")],
    [["--help=all"], "--help takes no value"],
    [["serve"], stray("serve")],
    [["-p", "1"], stray("-p")],
    [["--port", "1", "2"], stray("2")],
    [
      ["--use-rollout-routing-replay", "true"],
      '"true" is not understood; expected --use-rollout-routing-replay=true',
    ],
    [["--no-use-rollout-routing-replay=1"], "--no-use-rollout-routing-replay takes no value"],
    [["--proxy-paths", "v1/*/x"], /^--proxy-paths "v1\/\*\/x"; expected paths such as v1\/models/],
    [["--proxy-paths", "a,,b"], /^--proxy-paths "a,,b"; expected /],
    [["--proxy-paths", "v1%2Fmodels"], /^--proxy-paths "v1%2Fmodels"; expected /],
    [["--log-format", "xml"], '--log-format "xml"; expected one of text, json'],
  ])("refuses %j", (words, message) => {
    const expected = typeof message === "string" ? new UsageError(message) : message;
    expect(() => parseCommandLine(words, {})).toThrow(expected);
  });

  test("never shows a token that it refuses", () => {
    const refusal = `is not acceptable; expected 1 to ${authTokenCharactersMax} visible ASCII characters`;
    for (const token of ["sec ret", "s\u00e9cret", "s".repeat(authTokenCharactersMax + 1)]) {
      expect(() => parseCommandLine(["--auth-token", token], {})).toThrow(
        new UsageError(`--auth-token ${refusal}`),
      );
      expect(() => parseCommandLine([], { SESSION_SERVER_AUTH_TOKEN: token })).toThrow(
        new UsageError(`SESSION_SERVER_AUTH_TOKEN ${refusal}`),
      );
    }
    expect(parseCommandLine(["--auth-token", "s".repeat(authTokenCharactersMax)], {}).kind).toBe(
      "serve",
    );
  });

  test("names the variable when the environment is wrong", () => {
    expect(() => parseCommandLine([], { SESSION_SERVER_WORKERS: "many" })).toThrow(
      'SESSION_SERVER_WORKERS "many"; expected a whole number from 1 to 1024',
    );
  });
});
