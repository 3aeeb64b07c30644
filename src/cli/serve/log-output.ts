import { pino } from 'pino';

/** Max bytes of lines that wait for a slow reader; further lines are dropped. */
const MAX_UNWRITTEN = 16 * 1024 * 1024;

/**
 * Log lines on standard output. Those of one turn of the event loop are written together, in the background: each write wakes a
 * thread, which takes a seventh of the CPU time of a small page. While nothing takes the lines (a full disk, a reader that is
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
      if (lines === '') setImmediate(writeLines);
      lines += line;
    },
    end: () => {
      writeLines();
      if (!failing) output.flushSync(); // which would retry forever
      output.destroy();
    },
  };
}
