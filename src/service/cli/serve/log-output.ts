import { fstatSync, write } from 'node:fs';

/** Max size of lines that wait for a slow reader; further lines are dropped. */
const MAX_UNWRITTEN = 16 * 1024 * 1024;
/** `PIPE_BUF`: what several processes write to one pipe doesn't mix while each write has no more bytes. A file has no such limit. */
const MAX_WHOLE = 4096;
/** How long a line may wait for others. */
const WRITE_EVERY_MS = 10;
/** A pipe that doesn't block and is full is tried again after that. */
const RETRY_MS = 100;

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
  let lines = '';
  /** What is written now, or was refused: lines behind it have to wait, as part of a line may be written. */
  let rest = Buffer.alloc(0);
  let isWriting = false;
  let ended = false;
  const writeOn = () => {
    if (rest.length === 0) {
      rest = Buffer.from(lines);
      lines = '';
    }
    isWriting = rest.length > 0;
    if (!isWriting) return;
    const end = mayMix && rest.length > MAX_WHOLE ? rest.lastIndexOf('\n', MAX_WHOLE - 1) + 1 : rest.length;
    write(1, rest, 0, end, null, (error, written) => {
      rest = rest.subarray(written);
      if (error && error.code !== 'EAGAIN') isWriting = false;
      else if (!error && rest.length > 0) writeOn();
      else setTimeout(writeOn, error ? RETRY_MS : WRITE_EVERY_MS);
    });
  };
  return {
    /** After a write that failed the next line tries again. */
    write: (line: string) => {
      if (ended || lines.length + rest.length + line.length > MAX_UNWRITTEN) return;
      lines += mayMix ? shortLine(line, MAX_WHOLE) : line;
      if (!isWriting) setTimeout(writeOn, WRITE_EVERY_MS);
      isWriting = true;
    },
    /** The process ends once all is written, or once a write has failed. */
    end: () => {
      ended = true;
      if (!isWriting) writeOn();
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
