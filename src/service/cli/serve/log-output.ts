import { fstatSync } from 'node:fs';
import { pino } from 'pino';

/** Max bytes of lines that wait for a slow reader; further lines are dropped. */
const MAX_UNWRITTEN = 16 * 1024 * 1024;
/** `PIPE_BUF`: what several processes write to one pipe doesn't mix while each write has no more bytes. A file has no such limit. */
const MAX_WHOLE = 4096;
/** How long a line may wait for others. */
const WRITE_EVERY_MS = 10;

/**
 * Log lines on standard output. Those of 10 ms are written together, in the background: each write wakes a thread, which takes
 * as much CPU time as a small page. While nothing takes the lines (a full disk, a reader that is gone) the service keeps running,
 * and lines are written again once something takes them.
 *
 * Where processes share the output, each write is small enough to stay whole.
 */
export function logOutput({ shared = false } = {}) {
  const kind = fstatSync(1);
  const mayMix = shared && (kind.isFIFO() || kind.isSocket());
  const maxWrite = mayMix ? { maxWrite: MAX_WHOLE } : {};
  const output = pino.destination({ dest: 1, sync: false, maxLength: MAX_UNWRITTEN, ...maxWrite });
  output.on('error', () => {}); // the next line tries again
  let lines = '';
  let ended = false;
  const writeLines = () => {
    if (lines !== '' && !ended) output.write(lines);
    lines = '';
  };
  const add = (line: string) => {
    if (lines === '') setTimeout(writeLines, WRITE_EVERY_MS);
    lines += line;
  };
  const addWhole = (line: string) => {
    const short = shortLine(line, MAX_WHOLE);
    if (Buffer.byteLength(lines) + Buffer.byteLength(short) > MAX_WHOLE) writeLines();
    add(short);
  };
  return {
    write: mayMix ? addWhole : add,
    /** The process ends once all is written, or once a write has failed. */
    end: () => {
      writeLines();
      ended = true;
      output.on('error', () => output.destroy()); // pino would retry forever at the exit
      output.end(); // behind what is being written: `flushSync` could overtake it
    },
  };
}

/** The log line with its long texts cut, such as the stack of an error, when it has more bytes than that. */
export function shortLine(line: string, maxBytes: number): string {
  if (Buffer.byteLength(line) <= maxBytes) return line;
  const fields: unknown = JSON.parse(line);
  for (let max = maxBytes >> 2; ; max >>= 1) {
    const cut = (_: string, value: unknown) =>
      typeof value === 'string' && value.length > max ? `${value.slice(0, max)}…` : value;
    const short = `${JSON.stringify(fields, cut)}\n`;
    if (max === 0 || Buffer.byteLength(short) <= maxBytes) return short;
  }
}
