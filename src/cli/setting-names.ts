/**
 * What the settings are called on the command line and in the environment, for messages.
 *
 * Contract   a setting is named by where its value stands, its flag or its variable; one that
 *            nobody gave by its flag and default.
 */
import { assert } from "../assert.ts";
import type { SettingMember, SettingNames } from "../usage-error.ts";
import { type Setting, type SettingTexts, settings } from "./settings.ts";

export function settingNames(texts: SettingTexts): SettingNames {
  return {
    name: (member) => {
      const { name } = settingOf(member);
      return texts.get(name)?.source ?? `--${name}`;
    },
    given: (member) => {
      const setting = settingOf(member);
      const { name } = setting;
      const text = texts.get(name)?.text ?? setting.default;
      const source = texts.get(name)?.source ?? `--${name}`;
      return text === null || (setting as Setting).secret === true ? source : `${source} "${text}"`;
    },
  };
}

/** The setting of a member of ServerConfig: one name in two spellings. */
function settingOf(member: SettingMember): (typeof settings)[number] {
  const name = member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const setting = settings.find((each) => each.name === name);
  assert(setting !== undefined, `no flag is called --${name}`);
  return setting;
}
