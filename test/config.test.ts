import { describe, expect, test } from "bun:test";
import {
  familiesWithFixedRendering,
  type ServerConfig,
  serverConfig,
  titoFamilies,
} from "../src/config.ts";
import { UsageError } from "../src/usage-error.ts";

test("familiesWithFixedRendering names families that exist", () => {
  expect([...familiesWithFixedRendering].filter((name) => !titoFamilies.includes(name))).toEqual(
    [],
  );
});

describe("serverConfig()", () => {
  /** As JavaScript without types, or a cast, may call it. */
  const configured = (settings: object) => serverConfig(settings as Partial<ServerConfig>);

  test("fills in defaults that it accepts itself; what is undefined counts as absent", () => {
    const config = serverConfig();
    expect(serverConfig(config)).toEqual(config);
    expect(configured({ port: undefined }).port).toBe(config.port);
    expect(serverConfig({ port: 0, proxyPaths: [] })).toMatchObject({ port: 0, proxyPaths: [] });
    expect(serverConfig().instanceId).not.toBe(config.instanceId);
  });

  test("refuses what is no object", () => {
    for (const settings of [null, 1, "x"]) {
      const call = () => serverConfig(settings as unknown as Partial<ServerConfig>);
      expect(call).toThrow(new UsageError("the settings must be an object"));
    }
  });

  test("drops the slash behind a backend and the brackets around an address", () => {
    const config = serverConfig({
      backendUrl: "http://h:1/base/",
      hfCheckpoint: "/model",
      host: "[::1]",
      advertiseHost: "[::2]",
    });
    expect(config).toMatchObject({
      backendUrl: "http://h:1/base",
      host: "::1",
      advertiseHost: "::2",
    });
  });

  test.each([
    ["worker", "workers"],
    ["tito_model", "titoModel"],
    ["backend", "backendUrl"],
    ["authTokenFile", null],
    ["toString", null],
  ])("refuses the unknown name %s and may mean %p", (name, meant) => {
    const hint = meant === null ? "" : `did you mean ${meant}? `;
    expect(() => configured({ [name]: 1 })).toThrow(
      new UsageError(
        `${name} is unknown; ${hint}expected some of ${Object.keys(serverConfig()).join(", ")}`,
      ),
    );
  });

  test.each([
    [{ workers: 0 }, "workers 0; expected a whole number from 1 to 1024"],
    [{ workers: 1.5 }, "workers 1.5; expected a whole number from 1 to 1024"],
    [{ workers: "2" }, 'workers "2"; expected a whole number from 1 to 1024'],
    [{ port: 70_000 }, "port 70000; expected a whole number from 0 to 65535"],
    [{ port: Number.NaN }, "port NaN; expected a whole number from 0 to 65535"],
    [{ host: "" }, 'host ""; expected a host name or an IP address'],
    [{ host: null }, "host null; expected a host name or an IP address"],
    [
      { advertiseHost: "a b" },
      'advertiseHost "a b"; expected a host name or an IP address; or null',
    ],
    [{ tokenizer: "fast" }, 'tokenizer "fast"; expected one of auto, rust'],
    [
      { chatTemplateKwargs: { thinking: true } },
      "chatTemplateKwargs { thinking: true }; expected a JSON object such as " +
        '{"enable_thinking": false}',
    ],
    [{ useRolloutRoutingReplay: 1 }, "useRolloutRoutingReplay 1; expected true or false"],
    [
      { proxyPaths: ["a", "b*c"] },
      /^proxyPaths \[.*"?b\*c.*\]; expected a list of paths such as v1\/models and of beginnings/,
    ],
    [{ authToken: "sec ret" }, /^authToken is not acceptable; expected 1 to \d+ visible ASCII/],
    [{ logLevel: "trace" }, 'logLevel "trace"; expected one of debug, info, warn, error, silent'],
  ])("refuses %j", (settings, message) => {
    const expected = typeof message === "string" ? new UsageError(message) : message;
    expect(() => configured(settings)).toThrow(expected);
  });
});
