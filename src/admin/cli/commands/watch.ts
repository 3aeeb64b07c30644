import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { Option } from 'commander';
import { Command } from '../../../shared/command/command.ts';
import { EXIT_CODES } from '../../../shared/command/exit-codes.ts';
import { numberOf } from '../../../shared/command/options.ts';
import { printAtEnd, sayNothingAtEnd } from '../../../shared/command/terminal/print.ts';
import { withoutUsedAdminKey } from '../../../shared/command/terminal/shown.ts';
import { flushFolder, makePrivateFolder } from '../../../shared/files.ts';
import { Refused } from '../../../shared/record/faults.ts';
import { connect, type ServiceFlags, serviceOptions, timeOf } from '../connection/connect.ts';
import { type DirectoryFlags, directoryOf, directoryOptions } from '../connection/directory-file.ts';
import { type WalkedPage, walkPages } from '../connection/walk-pages.ts';
import { DIFFERENCE_FORMATS, type DifferenceFormat, tellDifference } from '../diff/print-difference.ts';
import { writePrivately } from '../private-file.ts';
import { savedRoster } from '../saved/saved-roster.ts';

interface WatchFlags extends ServiceFlags, DirectoryFlags {
  readonly keep: string;
  readonly wait: string;
  readonly exitCode?: true;
  readonly format: DifferenceFormat;
}

const DEFAULT_KEEP = '30';
const MAX_KEEP = 9_999;
/** As long as a restart takes: a job may run just then. */
const DEFAULT_WAIT = '1m';

export function watchCommand(): Command {
  return new Command('watch')
    .description(
      'keeps a snapshot of the roster in a folder, and prints what changed since the last one, or nothing: for cron or a timer',
    )
    .argument('<folder>', 'it is made where it is not there; only you can read what is put there')
    .option('--keep <number>', 'how many snapshots stay; older ones are removed', DEFAULT_KEEP)
    .option('--wait <duration>', 'how long to wait for a service that is away or busy', DEFAULT_WAIT)
    .option('--exit-code', `exit with ${EXIT_CODES.needsALook} when something changed`)
    .addOption(new Option('--format <format>', 'what to print').choices(DIFFERENCE_FORMATS).default('table'))
    .addOptions(...directoryOptions(), ...serviceOptions())
    .example('keyroster-admin watch ~/rosters')
    .action(async (folder: string, flags: WatchFlags) => {
      const keep = numberOf('--keep', flags.keep, 1, MAX_KEEP);
      const waitMs = timeOf('--wait', flags.wait);
      const directory = directoryOf(flags);
      const last = snapshotsIn(folder).at(-1);
      const nameOfNow = () => `${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.json.gz`;
      while (nameOfNow() === last) await setTimeout(50); // each second has one
      const name = nameOfNow();
      if (last !== undefined && last > name)
        throw new Refused(
          `the last snapshot, ${last}, is of a later time: set the clock, or remove that snapshot from ${folder}`,
        );
      const current = join(folder, name);
      const unseen = `${current}.${process.pid}.new`; // not a snapshot until what it changes is told, and not another run's
      let needsALook = true;
      try {
        const pages = walkPages(await connect(flags, { retries: Number.MAX_SAFE_INTEGER }), undefined, {
          waitMs,
        });
        await writePrivately(unseen, documentOf(pages), createGzip());
        if (last === undefined) printAtEnd('the first snapshot: there is none to compare it with');
        else {
          const sides = { old: savedRoster(join(folder, last)), new: savedRoster(unseen) };
          needsALook = await tellDifference(sides, { ...flags, directory });
        }
        renameSync(unseen, current);
        flushFolder(folder);
      } catch (error) {
        const { message } = error as Error;
        if (!last || !message.startsWith(join(folder, last))) throw error;
        throw new Refused(`${message}: remove it, so that the one before it counts`, { cause: error });
      } finally {
        rmSync(unseen, { force: true });
      }
      const left = readdirSync(folder).filter(file => (UNSEEN.exec(file)?.[1] ?? name) < name);
      for (const old of [...snapshotsIn(folder).slice(0, -keep), ...left])
        rmSync(join(folder, old), { force: true });
      if (needsALook) printAtEnd(`kept in ${current}`);
      else sayNothingAtEnd();
    });
}

/** In their order of time, whatever else is in the folder. */
const SNAPSHOT = /^\d{4}-\d\d-\d\dT\d{6}Z\.json\.gz$/;
/** What a run that was killed leaves. */
const UNSEEN = /^\.?(.{17}Z\.json\.gz)\.\d+\.new(\.[\da-f]+\.tmp)?$/;

function snapshotsIn(folder: string): string[] {
  try {
    makePrivateFolder(folder);
    return readdirSync(folder)
      .filter(name => SNAPSHOT.test(name))
      .toSorted();
  } catch (error) {
    throw new Refused(`can't use the folder ${folder}: ${(error as Error).message}`, { cause: error });
  }
}

/** As a saved roster: its end tells that it is whole. */
async function* documentOf(pages: AsyncIterable<WalkedPage>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const { data } of pages) {
    if (data.length === 0) continue;
    yield before + withoutUsedAdminKey(data.map(key => JSON.stringify(key)).join(',\n'));
    before = ',\n';
  }
  yield before === '[\n' ? '[\n]\n' : '\n]\n';
}
