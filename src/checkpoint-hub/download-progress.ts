/**
 * Tells a person how far a download is: on a terminal one line that is written again, elsewhere a
 * line when a file begins and one when it has ended.
 */
import type { WriteStream } from "node:tty";

export interface DownloadProgress {
  start(name: string, size: number): void;
  /** @param bytes of the current file that are there */
  reach(bytes: number): void;
  end(): void;
}

export type ProgressOutput = Pick<WriteStream, "write"> & { readonly isTTY?: boolean };

/** Milliseconds between two writes of the same line. */
const rewriteMs = 100;
const barLength = 24;
const mebibyte = 1024 * 1024;

export function downloadProgress(output: ProgressOutput): DownloadProgress {
  const isTerminal = output.isTTY === true;
  let name = "";
  let size = 0;
  let bytes = 0;
  let writtenAt = Number.NEGATIVE_INFINITY;
  const write = (): void => {
    const share = size === 0 ? 1 : bytes / size;
    const filled = Math.floor(share * barLength);
    const bar = "#".repeat(filled).padEnd(barLength, ".");
    output.write(`\r\x1b[K${name} [${bar}] ${inMebibytes(bytes)} of ${inMebibytes(size)} MiB`);
  };
  return {
    start(fileName, fileSize) {
      [name, size, bytes] = [fileName, fileSize, 0];
      if (!isTerminal) output.write(`downloading ${name} (${inMebibytes(size)} MiB)\n`);
    },
    reach(reached) {
      bytes = reached;
      if (!isTerminal || performance.now() - writtenAt < rewriteMs) return;
      writtenAt = performance.now();
      write();
    },
    end() {
      if (isTerminal) {
        write();
        output.write("\n");
      } else {
        output.write(`downloaded ${name}: ${inMebibytes(bytes)} of ${inMebibytes(size)} MiB\n`);
      }
    },
  };
}

function inMebibytes(bytes: number): string {
  return (bytes / mebibyte).toFixed(1);
}
