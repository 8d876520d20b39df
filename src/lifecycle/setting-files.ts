/**
 * Whether the files that the settings name are there, found out before any process starts. What is
 * in them is for the process that reads them.
 *
 * Contract   looks at directory entries only: costs no time.
 */
import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import type { ServerConfig } from "../config.ts";
import { faultSentence, type SettingFault, type SettingNames, UsageError } from "../usage-error.ts";

/** Any of them is a tokenizer. */
const tokenizerFiles = ["tokenizer.json", "tiktoken.model"] as const;

/** @throws UsageError */
export function requireSettingFiles(
  { hfCheckpoint, chatTemplatePath }: ServerConfig,
  names: SettingNames,
): void {
  const fault = checkpointFault(hfCheckpoint) ?? templateFault(chatTemplatePath);
  if (fault !== null) throw new UsageError(faultSentence(fault, names), { fault });
}

function checkpointFault(directory: string | null): SettingFault | null {
  if (directory === null) return null;
  const asked: Asked = {
    setting: "hfCheckpoint",
    expected: `a directory that holds ${tokenizerFiles.join(" or ")}`,
  };
  if (!isThere(directory)) return fault(`there is no directory ${directory}`, asked);
  if (!statSync(directory).isDirectory()) return fault(`${directory} is no directory`, asked);
  const hasTokenizer = tokenizerFiles.some((file) => isThere(join(directory, file)));
  return hasTokenizer ? null : fault(`${directory} has no tokenizer`, asked);
}

function templateFault(path: string | null): SettingFault | null {
  if (path === null || isReadableFile(path)) return null;
  const asked: Asked = {
    setting: "chatTemplatePath",
    expected: "a readable file with a Jinja chat template",
  };
  if (!isThere(path)) return fault(`there is no file ${path}`, asked);
  return fault(`${path} cannot be read as a file`, asked);
}

type Asked = Pick<SettingFault, "setting" | "expected">;

function fault(problem: string, asked: Asked): SettingFault {
  return { relation: null, problem, ...asked };
}

/** What may not be looked at counts as absent: nobody could read it either. */
function isThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch {
    return false;
  }
}

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
