import { fstatSync, write } from 'node:fs';
import { Log } from '../../service/api/log.ts';

/** Max size of lines that wait for a slow reader; further lines are dropped. */
const MAX_UNWRITTEN = 16 * 1024 * 1024;
/** `PIPE_BUF`: what several processes write to one pipe doesn't mix while each write has no more bytes. A file has no such limit. */
const MAX_WHOLE = 4096;
/** How long a line may wait for others. A pipe that is full is tried again after that. */
const WRITE_EVERY_MS = 10;
/** How long the reader may take nothing, when all else has ended. */
const MAX_END_MS = 2_000;

/**
 * Log lines on standard output. Those of 10 ms are written together, in the background: each write wakes a thread, which takes
 * as much CPU time as a small page. While nothing takes the lines (a full disk, a reader that is gone) the service keeps running,
 * and lines are written again once something takes them.
 *
 * Where processes share the output, each write is small enough to stay whole, but for that of a longer line.
 *
 * `onDrop` is called at once for each line that is dropped; the log itself tells of it only when lines are written again.
 */
export function logOutput({ shared = false, onDrop = () => {} } = {}) {
  void process.stdout; // from now on a pipe doesn't block: a thread that waits for its reader would keep the process from ending
  const kind = fstatSync(1);
  const mayMix = shared && (kind.isFIFO() || kind.isSocket());
  /** None once the reader of a socket is gone, as a stopped journald: no other ever takes what waits. */
  let room = MAX_UNWRITTEN;
  let lines = '';
  /** What is written now, or was refused: lines behind it have to wait, as part of a line may be written. */
  let rest = Buffer.alloc(0);
  let isWriting = false;
  let ended: NodeJS.Timeout | undefined;
  let dropped = 0;
  const ownLog = new Log({ level: 'warn', destination: { write: line => (lines += line) } });
  const writeOn = () => {
    if (rest.length === 0) {
      if (dropped > 0) ownLog.warn(`${dropped} log lines were dropped: 16 MiB of others were waiting`);
      dropped = 0;
      rest = Buffer.from(lines);
      lines = '';
    }
    isWriting = rest.length > 0;
    if (!isWriting) return;
    const wholeLines = mayMix ? rest.lastIndexOf('\n', MAX_WHOLE - 1) + 1 || rest.indexOf('\n') + 1 : 0;
    write(1, rest, 0, wholeLines || rest.length, null, (error, written) => {
      rest = rest.subarray(written);
      if (written > 0) ended?.refresh();
      if (error?.code === 'EPIPE' && kind.isSocket()) room = 0;
      if (error && error.code !== 'EAGAIN') isWriting = false;
      else if (!error && rest.length > 0) writeOn();
      else setTimeout(writeOn, WRITE_EVERY_MS);
    });
  };
  return {
    /** After a write that failed the next line tries again. */
    write: (line: string) => {
      if (ended) return;
      if (lines.length + rest.length + line.length > room) {
        dropped += 1;
        onDrop();
      } else lines += line;
      if (!isWriting) setTimeout(writeOn, WRITE_EVERY_MS);
      isWriting = true;
    },
    /** The process ends once all is written, or once a write has failed. What nothing takes by then is lost. */
    end: () => {
      const drop = () => {
        lines = '';
        rest = Buffer.alloc(0);
      };
      ended = setTimeout(drop, MAX_END_MS).unref();
      if (!isWriting) writeOn();
    },
  };
}
