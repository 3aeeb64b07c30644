import { createReadStream } from 'node:fs';
import { Command } from '../../../shared/command/command.ts';
import { cannotRead } from '../../../shared/command/input/text-of-file.ts';
import { jsonOption } from '../../../shared/command/options.ts';
import { printJson, printLine } from '../../../shared/command/terminal/print.ts';
import { Refused } from '../../../shared/record/faults.ts';
import { type LoggedUse, readRequestLog } from '../../formats/request-log.ts';
import { type WriteFlags, withWriter, writeOptions } from '../options/database.ts';

export function usedCommand(): Command {
  return new Command('used')
    .description('stores on which day each admin key was last used, from the request log of serve')
    .argument('<log>', 'the log: JSON lines, plain or gzip; - is standard input')
    .addOptions(...writeOptions(), jsonOption())
    .example('keyroster admin-keys used requests.log.gz')
    .action(async (log: string, flags: WriteFlags & { readonly json?: boolean }) => {
      const { days, skipped } = await logged(log);
      const counts = await withWriter(flags, roster => roster.recordAdminKeyUse(days));
      const { updated, unchanged, unknown } = counts;
      if (flags.json) await printJson({ ...counts, skipped_lines: skipped });
      else
        printLine(
          `updated ${updated}, unchanged ${unchanged}, unknown ${unknown}; skipped ${skipped} other line(s)`,
        );
    });
}

async function logged(file: string): Promise<LoggedUse> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  try {
    return await readRequestLog(input as AsyncIterable<Buffer>, new Date());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new Refused(`admin-keys used: ${cannotRead(file, error)}`, { cause: error });
  } finally {
    input.destroy(); // an open standard input would keep the process alive
  }
}
