import { Option } from 'commander';
import { refuseCopy } from '../../service/roster/identity.ts';
import { Command, UsageError } from '../../shared/command/command.ts';
import { jsonOption } from '../../shared/command/options.ts';
import { printJson, printLine } from '../../shared/command/terminal/print.ts';
import { ProgressBar } from '../../shared/command/terminal/progress-bar.ts';
import { type Copied, copyStore } from '../move/copy-store.ts';
import {
  storeAt,
  type WriteFlags,
  withOperatorReader,
  withWriter,
  writeOptions,
} from '../options/database.ts';

export function moveCommand(): Command {
  return new Command('move')
    .description('copies organizations, admin keys and API keys into another store')
    .addOption(
      new Option('--to <url>', 'the other store, made by migrate: postgres://… or sqlite:FILE')
        .env('KEYROSTER_MOVE_TO')
        .makeOptionMandatory(),
    )
    .addOptions(...writeOptions(), jsonOption())
    .example('keyroster move --database sqlite:data/keyroster.db --to postgres://…')
    .action(async ({ to, ...flags }: WriteFlags & { to: string }) => {
      const [source, target] = [storeAt(flags.database), storeAt(to, '--to')];
      const id = refuseCopy(await source.findIdentity());
      if (id === (await target.findIdentity()).id)
        throw new UsageError(`--to: is ${id}, as --database is: give another store`);
      await move(flags.database, { ...flags, database: to, databaseOption: '--to' }, flags.json === true);
    });
}

const WORDS = {
  organizations: 'organizations',
  adminKeys: 'admin keys',
  apiKeys: 'API keys',
} as const satisfies Record<keyof Copied, string>;

async function move(from: string, to: WriteFlags, json: boolean): Promise<void> {
  const bar = new ProgressBar();
  const copied = await withOperatorReader(from, source =>
    withWriter(to, target =>
      source.readSnapshot(snapshot =>
        copyStore(snapshot, target, (what, count) => bar.draw(undefined, `copying ${WORDS[what]}`, count)),
      ),
    ),
  ).finally(() => bar.clear());
  const { organizations, adminKeys, apiKeys } = copied;
  if (json) await printJson({ organizations, admin_keys: adminKeys, api_keys: apiKeys });
  else printLine(`copied: organizations ${organizations}, admin keys ${adminKeys}, API keys ${apiKeys}`);
}
