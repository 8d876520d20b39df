import { expect, test } from "bun:test";
import { documentedTable } from "./documented-table.ts";
import { type ErrorSite, errorClasses, errorSites, isListed, line } from "./error-sites.ts";

const rows = [
  ...documentedTable("docs/errors.md", "status"),
  ...documentedTable("docs/errors.md", "code").map(([code, ...rest]) => [`code ${code}`, ...rest]),
];

const documented: ErrorSite[] = rows.map(([status = "", text = ""]) => ({
  status,
  text: text.replace(/^`+ ?/, "").replace(/ ?`+$/, ""),
}));

test("docs/errors.md lists every failure that the source can tell a client or an operator", () => {
  const listed = new Set(documented.map(line));
  expect(
    errorSites()
      .map(line)
      .filter((site) => !listed.has(site)),
  ).toEqual([]);
});

test("docs/errors.md lists no failure that the source cannot tell", () => {
  const there = new Set(errorSites().map(line));
  expect(documented.map(line).filter((row) => !there.has(row))).toEqual([]);
});

/** Classes whose texts no list has, and why. */
const unlisted: Readonly<Record<string, string>> = {
  AssertionError: "a bug: 500 with the text behind `internal error: `",
  EnvelopeError: "between our processes: behind `session worker … sent a malformed reply: `",
  FrameError: "between our processes: behind `session worker … is unavailable: `",
  FrameTooLargeError: "between our processes: behind `session worker … failed: `",
  LaneCutError: "between our processes: breaks a reply off",
  MalformedReplyError: "between our processes: behind `session worker … sent a malformed reply: `",
  HandlerFailedError: "hands the failure of a worker on",
  JsonSyntaxError: "the parser's own words, behind `invalid JSON body: `",
  SpanSyntaxError: "the scanner's own words, behind `invalid chat completion response: `",
  StoppedError: "for whoever stopped the server",
  TemplateError: "made by functions, whose calls are listed",
  TemplateTypeError: "listed by the class of Python",
  UnsupportedFeatureError: "no failure: another tokenizer takes over, and the log says why",
};

test("every class of errors that the source makes is listed, or is here with the reason", () => {
  const strangers = errorClasses().filter((name) => !isListed(name) && !(name in unlisted));
  expect(strangers).toEqual([]);
  expect(Object.keys(unlisted).filter((name) => !errorClasses().includes(name))).toEqual([]);
});

test("docs/errors.md says of each what it means and what to do", () => {
  for (const row of rows) {
    expect(row).toHaveLength(3);
    expect((row[2] ?? "").length).toBeGreaterThan(20);
  }
});
