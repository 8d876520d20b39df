import { describe, expect, test } from "bun:test";
import { settingNames } from "../../src/cli/setting-names.ts";
import type { SettingTexts } from "../../src/cli/settings.ts";
import { type ServerConfig, serverConfig } from "../../src/config.ts";

const members = Object.keys(serverConfig()) as (keyof ServerConfig)[];

describe("settingNames()", () => {
  test("knows a flag for every member of a configuration", () => {
    const { name, given } = settingNames(new Map());
    for (const member of members) expect(given(member)).toStartWith(name(member));
    expect(name("useRolloutRoutingReplay")).toBe("--use-rollout-routing-replay");
  });

  test("says where a value stands, and the default of what nobody gave", () => {
    const texts: SettingTexts = new Map([
      ["port", { text: "7", source: "SESSION_SERVER_PORT" }],
      ["auth-token", { text: "secret", source: "--auth-token" }],
    ]);
    const { name, given } = settingNames(texts);
    expect([name("port"), given("port")]).toEqual([
      "SESSION_SERVER_PORT",
      'SESSION_SERVER_PORT "7"',
    ]);
    expect(given("authToken")).toBe("--auth-token");
    expect(given("titoModel")).toBe('--tito-model "default"');
    expect(given("hfCheckpoint")).toBe("--hf-checkpoint");
  });
});
