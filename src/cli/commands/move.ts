import { Command, Option } from 'commander';
import { Refused } from '../../roster/errors.ts';
import { compareStores } from '../move/compare-stores.ts';
import { copyStore } from '../move/copy-store.ts';
import { actorOption } from '../options/actor.ts';
import { databaseOption, type WriteFlags, withOperatorReader, withWriter } from '../options/database.ts';
import { jsonOption } from '../options/shared-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { waitOption } from '../options/wait.ts';
import { printError, printJson, printLine } from '../terminal/print.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';

/** Differences shown one by one; the rest are counted. */
const MAX_SHOWN = 20;

export function moveCommand(): Command {
  return new Command('move')
    .description('copies organizations, admin keys and API keys into another store, and compares both')
    .addOption(databaseOption())
    .addOption(
      new Option('--to <url>', 'the other store, made by migrate: postgres://… or sqlite:FILE')
        .env('KEYROSTER_MOVE_TO')
        .makeOptionMandatory(),
    )
    .addOption(actorOption())
    .addOption(waitOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample: keyroster move --database sqlite:data/keyroster.db --to postgres://…')
    .action(async ({ to, ...flags }: WriteFlags & { to: string; json?: boolean }) => {
      if (to === flags.database) throw new UsageError('--to: is the store of --database');
      await move(flags.database, { ...flags, database: to, databaseOption: '--to' }, flags.json === true);
    });
}

async function move(from: string, to: WriteFlags, json: boolean): Promise<void> {
  const bar = new ProgressBar();
  let differences = 0;
  const onDifference = (what: string, problem: string) => {
    differences += 1;
    bar.clear();
    if (differences <= MAX_SHOWN) printError(`${what} ${problem}`);
  };
  const compared = await withOperatorReader(from, source =>
    withWriter(to, async target => {
      await source.readSnapshot(snapshot =>
        copyStore(snapshot, target, (what, copied) => bar.draw(undefined, `copying ${what}`, copied)),
      );
      return source.readSnapshot(ours =>
        target.readSnapshot(theirs => compareStores(ours, theirs, onDifference)),
      );
    }),
  ).finally(() => bar.clear());
  const { organizations, adminKeys, apiKeys } = compared;
  if (json) await printJson({ organizations, admin_keys: adminKeys, api_keys: apiKeys, differences });
  if (differences > 0) throw notTheSame(differences);
  if (!json)
    printLine(
      `organizations ${organizations}, admin keys ${adminKeys}, API keys ${apiKeys}: the same in both stores`,
    );
}

function notTheSame(differences: number): Refused {
  const shownOnly = differences > MAX_SHOWN ? ` (the first ${MAX_SHOWN} are shown)` : '';
  return new Refused(
    `move: ${differences} difference(s)${shownOnly}: one of the stores was written meanwhile, or the target before: run it again when nobody writes`,
  );
}
