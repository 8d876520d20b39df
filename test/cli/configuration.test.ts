import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseCommandLine } from "../../src/cli/command-line.ts";
import { configurationFrom } from "../../src/cli/configuration.ts";
import { serverConfig } from "../../src/config.ts";
import { UsageError } from "../../src/usage-error.ts";

function configuration(...words: string[]) {
  const line = parseCommandLine(words, {});
  if (line.kind !== "serve") throw new Error(`parsed as ${line.kind}`);
  return configurationFrom(line.texts);
}

describe("configurationFrom()", () => {
  test("fills in the defaults and mints an instance id", () => {
    const config = configuration();
    expect(config).toEqual(serverConfig({ instanceId: config.instanceId }));
    expect(config.instanceId).toMatch(/^[0-9a-f]{32}$/);
    expect(configuration().instanceId).not.toBe(config.instanceId);
  });

  test("drops the trailing slash of the backend and makes paths absolute", () => {
    const config = configuration("--backend-url", "http://h:1/base/", "--hf-checkpoint", "src");
    expect(config.backendUrl).toBe("http://h:1/base");
    expect(config.hfCheckpoint).toBe(join(process.cwd(), "src"));
  });

  test("takes an IPv6 address with and without brackets", () => {
    for (const text of ["::1", "[::1]"]) {
      expect(configuration("--host", text, "--advertise-host", text)).toMatchObject({
        host: "::1",
        advertiseHost: "::1",
      });
    }
  });

  test("takes the engine that encodes", () => {
    expect(configuration().tokenizer).toBe("auto");
    expect(configuration("--tokenizer", "rust").tokenizer).toBe("rust");
  });

  test("refuses a backend without a checkpoint", () => {
    expect(() => configuration("--backend-url", "http://h:1")).toThrow(
      '--backend-url "http://h:1" needs --hf-checkpoint: token ids must be those of the ' +
        "backend's model; expected the directory of the checkpoint that the backend serves",
    );
  });

  test("refuses a checkpoint that is neither a directory nor a name on the hub", () => {
    for (const text of ["package.json", "models/org/name"]) {
      expect(() => configuration("--hf-checkpoint", text)).toThrow(
        `--hf-checkpoint "${text}"; expected a directory with a tokenizer, or a name on the hub`,
      );
    }
    expect(configuration("--hf-checkpoint", "org/name").hfCheckpoint).toBe("org/name");
  });

  test("refuses to redirect clients to every address", () => {
    const words = ["--records-path", "redirect", "--host", "0.0.0.0"];
    expect(() => configuration(...words)).toThrow(
      '--records-path "redirect" needs --advertise-host: no client can follow a redirect to ' +
        "0.0.0.0; expected the name or address by which clients reach this machine",
    );
    expect(configuration(...words, "--advertise-host", "node7").advertiseHost).toBe("node7");
  });

  test("refuses a chat template beside a family that renders in its own way", () => {
    const directory = mkdtempSync(join(tmpdir(), "template-"));
    const path = join(directory, "t.jinja");
    writeFileSync(path, "{{ messages }}");
    try {
      expect(configuration("--chat-template-path", path).chatTemplatePath).toBe(path);
      expect(() => configuration("--chat-template-path", path, "--tito-model", "qwen3")).toThrow(
        'conflicts with --tito-model "qwen3"',
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test("reads the token out of its file, without the line's end", () => {
    const directory = mkdtempSync(join(tmpdir(), "token-"));
    const path = join(directory, "token");
    try {
      expect(() => configuration("--auth-token-file", path)).toThrow(
        `--auth-token-file "${path}"; expected a readable file that holds the token alone`,
      );
      for (const content of ["", "\n", "two words\n"]) {
        writeFileSync(path, content);
        expect(() => configuration("--auth-token-file", path)).toThrow("holds the token alone");
      }
      writeFileSync(path, "secret\n");
      expect(configuration("--auth-token-file", path).authToken).toBe("secret");
      expect(configuration("--auth-token", "secret").authToken).toBe("secret");
      expect(() => configuration("--auth-token-file", path, "--auth-token", "other")).toThrow(
        new UsageError("--auth-token conflicts with --auth-token-file; expected one of them"),
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test("reads the list of paths that may be relayed", () => {
    expect(configuration("--proxy-paths", "/v1/models,v1/files/*").proxyPaths).toEqual([
      "v1/models",
      "v1/files/*",
    ]);
    expect(configuration("--proxy-paths", "none").proxyPaths).toEqual([]);
  });
});
