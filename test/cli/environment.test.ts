import { describe, expect, test } from "bun:test";
import { readEnvironment } from "../../src/cli/environment.ts";
import { environmentVariable, settings } from "../../src/cli/settings.ts";

const remarks = (environment: Record<string, string>) => readEnvironment(environment).remarks;

describe("readEnvironment()", () => {
  test("takes every setting, and says nothing of it", () => {
    const environment = Object.fromEntries(
      settings.map(({ name }) => [environmentVariable({ name }), `value of ${name}`]),
    );
    const { texts, remarks } = readEnvironment(environment);
    expect([...texts]).toEqual(
      settings.map(({ name }) => [
        name,
        { text: `value of ${name}`, source: environmentVariable({ name }) },
      ]),
    );
    expect(remarks).toEqual([]);
  });

  test("leaves alone what is empty, what is of others, and what a supervisor tells its child", () => {
    expect(
      readEnvironment({
        SESSION_SERVER_PORT: "",
        SESSION_SERVER_WORKRES: "",
        SESSION_SERVERS: "1",
        PORT: "1",
        SESSION_SERVER_CHILD: "{}",
      }),
    ).toEqual({ texts: new Map(), remarks: [] });
  });

  test.each([
    ["SESSION_SERVER_WORKRES", "SESSION_SERVER_WORKERS"],
    ["SESSION_SERVER_WORKER", "SESSION_SERVER_WORKERS"],
    ["SESSION_SERVER_BACKENDURL", "SESSION_SERVER_BACKEND_URL"],
    ["SESSION_SERVER_HF_CHEKPOINT", "SESSION_SERVER_HF_CHECKPOINT"],
    ["SESSION_SERVER_LOG-LEVEL", "SESSION_SERVER_LOG_LEVEL"],
    ["SESSION_SERVER_AUTH_TOKN", "SESSION_SERVER_AUTH_TOKEN"],
  ])("warns of %s, which resembles %s, without its value", (variable, meant) => {
    expect(remarks({ [variable]: "secret" })).toEqual([
      {
        level: "warn",
        message: `${variable} is no setting and is ignored; did you mean ${meant}?`,
      },
    ]);
  });

  test.each(["SESSION_SERVER_URL", "SESSION_SERVER_TIMEOUT", "SESSION_SERVER_"])(
    "only notes %s, which resembles nothing",
    (variable) => {
      expect(remarks({ [variable]: "secret" })).toEqual([
        { level: "info", message: `${variable} is no setting of this server: ignored` },
      ]);
    },
  );

  test("is not misled by the variables of a Kubernetes Service of its name", () => {
    const port = { SESSION_SERVER_PORT: "tcp://10.0.171.239:30100" };
    const { texts, remarks } = readEnvironment({
      ...port,
      SESSION_SERVER_SERVICE_HOST: "10.0.171.239",
      SESSION_SERVER_SERVICE_PORT: "30100",
      SESSION_SERVER_SERVICE_PORT_HTTP: "30100",
      SESSION_SERVER_PORT_30100_TCP: "tcp://10.0.171.239:30100",
      SESSION_SERVER_PORT_30100_TCP_PROTO: "tcp",
      SESSION_SERVER_PORT_30100_TCP_PORT: "30100",
      SESSION_SERVER_PORT_30100_TCP_ADDR: "10.0.171.239",
      SESSION_SERVER_ROUTER_PORT: "tcp://10.0.171.240:80",
    });
    expect(texts.size).toBe(0);
    expect(remarks).toEqual([
      {
        level: "info",
        message:
          'SESSION_SERVER_PORT "tcp://10.0.171.239:30100" is the address of a Kubernetes Service: ' +
          "ignored",
      },
    ]);
  });
});
