import { expect, test } from "bun:test";
import { readTestResult } from "../../scripts/test-result.ts";

const summary = (lines: string) => `(pass) a\n\n${lines}Ran 14 tests across 5 files. [8.00ms]\n`;
const good = summary(" 7 pass\n 0 fail\n 3 expect() calls\n");

test("readTestResult() takes the counts from the summary", () => {
  const result = readTestResult(summary(" 7 pass\n 2 skip\n 1 todo\n 4 fail\n 1 error\n"), null, 1);
  expect(result).toEqual({ passed: 7, failed: 4, skipped: [], failures: [], complaints: [] });
  expect(readTestResult(good, null, 0)).toMatchObject({ passed: 7, failed: 0, complaints: [] });
});

test("readTestResult() counts files that could not be loaded", () => {
  const result = readTestResult(summary(" 7 pass\n 0 fail\n 2 errors\n"), null, 1);
  expect(result).toMatchObject({ passed: 7, failed: 2 });
});

test("readTestResult() does not take a summary that a test printed for the run's", () => {
  expect(readTestResult(`${good}(pass) nested run\n`, null, 0)).toMatchObject({ failed: 1 });
});

test("readTestResult() reads the last summary, coloured or not", () => {
  const printed = " 99 pass\n 0 fail\nRan 99 tests across 1 file.\n";
  const coloured = "\x1b[0m\x1b[32m 7 pass\x1b[0m\n\x1b[0m\x1b[31m 1 fail\x1b[0m\n";
  const output = `${printed}noise\n${coloured}Ran 8 tests across 1 file. [2.00ms]\n`;
  expect(readTestResult(output, null, 1)).toMatchObject({ passed: 7, failed: 1 });
});

test("readTestResult() takes a run without a summary for failed", () => {
  const result = readTestResult("\na.test.ts:\n", null, 0);
  expect(result.failed).toBe(1);
  expect(result.complaints).toEqual(["the run ended before its summary, with exit code 0"]);
});

test("readTestResult() takes a run without tests for failed", () => {
  const empty = " 0 pass\n 0 fail\nRan 0 tests across 1 file. [3.00ms]\n";
  expect(readTestResult(empty, null, 0)).toMatchObject({
    passed: 0,
    failed: 1,
    complaints: ["no test ran"],
  });
});

test("readTestResult() takes a bad exit code for a failure of its own", () => {
  const result = readTestResult(good, null, 137);
  expect(result.failed).toBe(1);
  expect(result.complaints[0]).toContain("exit code 137");
});

test("readTestResult() names skipped tests with their group and file", () => {
  const report = `
    <testsuite name="a.test.ts"><testsuite name="outer &lt;&amp;&gt;">
      <testcase name="ok" classname="outer" time="0" file="a.test.ts" line="2" assertions="1" />
      <testcase name="no &quot;net&quot;" classname="outer &lt;&amp;&gt;" time="0" file="a.test.ts" line="2" assertions="0">
        <skipped />
      </testcase>
      <testcase name="bad" classname="" time="0" file="a.test.ts" line="2" assertions="0">
        <failure type="Error" message="x">y</failure>
      </testcase>
      <testcase name="later" classname="" time="0" file="a.test.ts" line="3" assertions="0">
        <skipped message="TODO" />
      </testcase>
    </testsuite></testsuite>`;
  expect(readTestResult(good, report, 0).skipped).toEqual([
    'a.test.ts: outer <&> > no "net"',
    "a.test.ts: later (TODO)",
  ]);
});

test("readTestResult() names failed tests with what they said", () => {
  const report = `
    <testcase name="ok" classname="" time="0" file="a.test.ts" line="1" assertions="1" />
    <testcase name="bad" classname="outer" time="0" file="a.test.ts" line="2" assertions="0">
      <failure type="E" message="short">1 &lt; 2&#10;  at a.test.ts:2</failure>
    </testcase>
    <testcase name="late" classname="" time="0" file="a.test.ts" line="3" assertions="0">
      <failure type="TimeoutError" message="test timed out" />
    </testcase>
    <testcase name="later" classname="" time="0" file="a.test.ts" line="4" assertions="0">
      <skipped />
    </testcase>`;
  expect(readTestResult(good, report, 1).failures).toEqual([
    "a.test.ts: outer > bad\n1 < 2\n  at a.test.ts:2",
    "a.test.ts: late\ntest timed out",
  ]);
});
