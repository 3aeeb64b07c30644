import { Command } from '../../shared/command/command.ts';
import { feedSource, runFeed } from '../feed/run-feed.ts';
import { type WriteFlags, withWriter, writeOptions } from '../options/database.ts';
import { stopSignal } from '../serve/stop-signal.ts';

export function feedCommand(): Command {
  return new Command('feed')
    .description('puts API keys of any organizations as their lines come, and answers each line')
    .argument('<file>', 'JSON Lines: records with organization_id; - is standard input')
    .addOptions(...writeOptions())
    .example('my-issuer | keyroster feed -')
    .action(async (file: string, flags: WriteFlags) => {
      const stop = new AbortController();
      stopSignal().then(() => stop.abort());
      try {
        await withWriter(flags, roster => runFeed(roster, feedSource(file, stop.signal), stop.signal));
      } finally {
        stop.abort(); // a read of an open standard input would keep the process alive
      }
    });
}
