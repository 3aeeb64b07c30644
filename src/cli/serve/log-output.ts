import { pino } from 'pino';

/** Max bytes of lines that wait for a slow reader; further lines are dropped. */
const MAX_UNWRITTEN = 16 * 1024 * 1024;

/**
 * Log lines on standard output, written in the background. While nothing takes them (a full disk, a reader that is gone) the
 * service keeps running, and lines are written again once something takes them.
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
  return {
    write: (line: string) => {
      output.write(line);
    },
    end: () => {
      if (!failing) output.flushSync(); // which would retry forever
      output.destroy();
    },
  };
}
