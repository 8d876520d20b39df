/**
 * What is going on, on stderr: one line that is written again and again on a terminal, a line for
 * each step where there is none.
 */

export interface Progress {
  /** What is being done now. */
  show(text: string): void;
  /** Something with a known number of steps; the result is called with steps that were done. */
  begin(text: string, steps: number): (done: number) => void;
  /** Removes the line, so that other output can be written. */
  clear(): void;
}

const barCharacters = 30;

export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  if (stream.isTTY !== true) {
    const writeLine = (text: string): void => void stream.write(`${text}\n`);
    const begin = (text: string) => {
      writeLine(text);
      return () => {};
    };
    return { show: writeLine, begin, clear() {} };
  }
  const write = (text: string): void => {
    const width = (stream.columns ?? 80) - 1;
    stream.write(`\r\u001b[K${text.slice(0, width)}`);
  };
  return {
    show: write,
    clear: () => void stream.write("\r\u001b[K"),
    begin(text, steps) {
      const startedAt = performance.now();
      let done = 0;
      write(text);
      return (more) => {
        done += more;
        if (steps === 0) return;
        const part = Math.min(1, done / steps);
        const filled = Math.round(part * barCharacters);
        const bar = `${"\u2588".repeat(filled)}${"\u2591".repeat(barCharacters - filled)}`;
        const rate = (done / ((performance.now() - startedAt) / 1000)).toFixed(0);
        write(`${text}  ${bar} ${done}/${steps}  ${rate} turns/s`);
      };
    },
  };
}
