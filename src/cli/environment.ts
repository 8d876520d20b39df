/**
 * Settings out of environment variables, and what to tell about variables that are none.
 *
 * Contract   a variable that resembles a setting is a slip of the pen and worth a warning; one that
 *            does not may belong to a client of this server and is only noted. Neither is an error,
 *            and no value of such a variable appears in a remark.
 *
 * In the pods beside a Service, Kubernetes sets variables of its own: for one that is called
 * session-server, SESSION_SERVER_SERVICE_HOST, SESSION_SERVER_PORT_30100_TCP and the like, and
 * SESSION_SERVER_PORT, which holds a URL and not the port to listen on.
 */
import { childParametersVariable } from "../lifecycle/child-contract.ts";
import { nearestName } from "../nearest-name.ts";
import {
  environmentVariable,
  type SettingName,
  type SettingText,
  settings,
  variablePrefix,
} from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What an operator should know, although it ends nothing. */
export interface Remark {
  readonly level: "warn" | "info";
  readonly message: string;
}

export interface EnvironmentSettings {
  readonly texts: Map<SettingName, SettingText>;
  readonly remarks: readonly Remark[];
}

const serviceVariable =
  /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;
const serviceAddress = /^(tcp|udp|sctp):\/\/\S+:\d+$/;

/** An empty variable counts as absent. */
export function readEnvironment(environment: Environment): EnvironmentSettings {
  const names = new Map(settings.map(({ name }) => [environmentVariable({ name }), name]));
  const texts = new Map<SettingName, SettingText>();
  const remarks: Remark[] = [];
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(variablePrefix) || text === undefined || text === "") continue;
    if (variable === childParametersVariable || serviceVariable.test(variable)) continue;
    const name = names.get(variable);
    if (name === "port" && serviceAddress.test(text)) {
      remarks.push({
        level: "info",
        message: `${variable} "${text}" is the address of a Kubernetes Service: ignored`,
      });
    } else if (name !== undefined) {
      texts.set(name, { text, source: variable });
    } else if (!serviceAddress.test(text)) {
      remarks.push(strayVariable(variable, [...names.keys()]));
    }
  }
  return { texts, remarks };
}

function strayVariable(variable: string, known: readonly string[]): Remark {
  const own = (name: string) => name.slice(variablePrefix.length);
  const meant = nearestName(own(variable), known.map(own));
  if (meant === null) {
    return { level: "info", message: `${variable} is no setting of this server: ignored` };
  }
  return {
    level: "warn",
    message: `${variable} is no setting and is ignored; did you mean ${variablePrefix}${meant}?`,
  };
}
