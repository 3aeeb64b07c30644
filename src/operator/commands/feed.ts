import { Command, UsageError } from '../../shared/command/command.ts';
import { Position } from '../feed/position.ts';
import { feedSource, runFeed } from '../feed/run-feed.ts';
import { type WriteFlags, withWriter, writeOptions } from '../options/database.ts';
import { stopSignal } from '../serve/stop-signal.ts';

export function feedCommand(): Command {
  return new Command('feed')
    .description('puts API keys of any organizations as their lines come, and answers each line')
    .argument('<file>', 'JSON Lines: records with organization_id; - is standard input')
    .option('--follow', 'wait for more at the end of the file, also when another takes its place')
    .option('--position <file>', 'where --follow keeps how far it has read (default: the file and .position)')
    .addOptions(...writeOptions())
    .example('my-issuer | keyroster feed -')
    .action(async (file: string, flags: WriteFlags & { follow?: true; position?: string }) => {
      if (flags.position !== undefined && !flags.follow) throw new UsageError('--position: is for --follow');
      if (flags.follow && file === '-') throw new UsageError('--follow: give a file, not standard input');
      const position = flags.follow ? new Position(flags.position ?? `${file}.position`) : null;
      const stop = new AbortController();
      stopSignal().then(() => stop.abort());
      try {
        await withWriter(flags, roster =>
          runFeed(roster, feedSource(file, position, stop.signal), position, stop.signal),
        );
      } finally {
        stop.abort(); // a read of an open standard input would keep the process alive
      }
    });
}
