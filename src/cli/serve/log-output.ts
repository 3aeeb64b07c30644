import { pino } from 'pino';

/** Lines that wait for a slow reader, in bytes; further ones are dropped. */
const MAX_UNWRITTEN = 16 * 1024 * 1024;

/**
 * Log lines on standard output. Those of one turn of the event loop are written together, in the background: every write
 * wakes a thread, which costs more than the line. While nothing takes them (a full disk, a reader that is gone) the service
 * goes on, and so do they once something does again.
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
      if (!failing) output.flushSync(); // which would try for ever
      output.destroy();
    },
  };
}
