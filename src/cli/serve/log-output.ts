import { pino } from 'pino';

/** Max bytes of lines that wait for a slow reader; further lines are dropped. */
const MAX_UNWRITTEN = 16 * 1024 * 1024;
/** How long a line may wait for others. */
const WRITE_EVERY_MS = 10;

/**
 * Log lines on standard output. Those of 10 ms are written together, in the background: each write wakes a thread, which takes as
 * much CPU time as a small page. While nothing takes the lines (a full disk, a reader that is
 * gone) the service keeps running, and lines are written again once something takes them.
 */
export function logOutput() {
  const output = pino.destination({ dest: 1, sync: false, maxLength: MAX_UNWRITTEN });
  let failing = false;
  output.on('error', () => {
    failing = true;
  });
  output.on('write', () => {
    failing = false;
  });
  let lines = '';
  const writeLines = () => {
    if (lines !== '') output.write(lines);
    lines = '';
  };
  return {
    write: (line: string) => {
      if (lines === '') setTimeout(writeLines, WRITE_EVERY_MS);
      lines += line;
    },
    end: () => {
      writeLines();
      if (!failing) output.flushSync(); // which would retry forever
      output.destroy();
    },
  };
}
