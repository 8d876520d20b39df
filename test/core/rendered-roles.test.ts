import { describe, expect, test } from "bun:test";
import { requireRenderedRoles } from "../../src/core/rendered-roles.ts";
import { InvalidRequestError } from "../../src/errors.ts";
import { unknownRolesMax } from "../../src/limits.ts";
import { familyOnTest } from "../fixtures/family-checkpoints.ts";
import { objects } from "../fixtures/json.ts";

const known = (roles: string) =>
  `{% for m in messages %}{% if m.role in ${roles} %}<{{ m.role }}>{{ m.content }}{% endif %}` +
  "{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";

async function check(template: string, messages: string): Promise<void> {
  const { tito } = familyOnTest("default", template);
  const conversation = { messages: objects(messages), tools: null };
  const options = { addGenerationPrompt: true };
  const prompt = await tito.renderPrompt(conversation.messages, null, options);
  await requireRenderedRoles(conversation, prompt, tito);
}

const question = '{"role": "user", "content": "a"}';

describe("requireRenderedRoles()", () => {
  test.each(["ipython", "observation", "latest_reminder", "function"])(
    "takes %s where the template knows it, and refuses it where not",
    async (role) => {
      const messages = `[${question}, {"role": "${role}", "content": "b"}]`;
      await check(known(`['user', '${role}']`), messages);
      await expect(check(known("['user', 'tool']"), messages)).rejects.toThrow(
        `messages[1] has the role "${role}", which the chat template leaves out: ` +
          "send it under a role that the model knows",
      );
    },
  );

  test("refuses a prompt of nothing else", async () => {
    const alone = '[{"role": "function", "content": "b"}]';
    await expect(check(known("['user']"), alone)).rejects.toBeInstanceOf(InvalidRequestError);
  });

  test("takes unknownRolesMax roles, and refuses one more before any is rendered", async () => {
    const all = "{% for m in messages %}<{{ m.role }}>{% endfor %}";
    const { tito } = familyOnTest("default", all);
    let renders = 0;
    const counting = Object.create(tito, {
      renderPrompt: {
        value: (...given: Parameters<typeof tito.renderPrompt>) => {
          renders += 1;
          return tito.renderPrompt(...given);
        },
      },
    });
    const ask = async (count: number) => {
      const roles = Array.from({ length: count }, (_, index) => `{"role": "r${index}"}`);
      const messages = objects(`[${[question, ...roles, ...roles].join()}]`);
      const prompt = await tito.renderPrompt(messages, null, { addGenerationPrompt: true });
      await requireRenderedRoles({ messages, tools: null }, prompt, counting);
    };
    await ask(unknownRolesMax);
    expect(renders).toBe(unknownRolesMax);
    await expect(ask(unknownRolesMax + 1)).rejects.toThrow(
      `messages have ${unknownRolesMax + 1} roles besides system, user, assistant, tool and ` +
        `developer: at most ${unknownRolesMax} are accepted`,
    );
    expect(renders).toBe(unknownRolesMax);
  });

  test("takes a role that the template refuses to have twice", async () => {
    const template =
      "{% for m in messages %}{% if m.role == 'x' and not loop.last %}{{ raise_exception('no') }}" +
      "{% endif %}{{ m.content }}{% endfor %}";
    await check(template, `[${question}, {"role": "x", "content": "b"}]`);
  });

  test("does not look at the roles that every family has", async () => {
    const nothing = "{% if false %}{{ messages }}{% endif %}x";
    await check(nothing, `[${question}, {"role": "tool"}, {"role": "developer"}]`);
  });
});
