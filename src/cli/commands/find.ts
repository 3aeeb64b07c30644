import { Command, Option } from 'commander';
import type { ApiKeyRecord } from '../../client/client.ts';
import { asItCame } from '../../formats/readable-record.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { answerOf } from '../find/answer.ts';
import { askedText, keyInArgument, MAX_MEGABYTES } from '../find/asked-text.ts';
import { type Found, findKeys } from '../find/found-keys.ts';
import { columnNames } from '../list/column-names.ts';
import { LIST_FORMATS, type ListFormat, listWriter } from '../list/formats.ts';
import { exactOption } from '../options/shared-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { savedRecords } from '../saved/saved-roster.ts';
import { isOnStandardInput } from '../service/admin-key-source.ts';
import { RecordReader } from '../service/checked-records.ts';
import { connect, refuseServiceOptions, type ServiceFlags, serviceOptions } from '../service/connect.ts';
import { WALK_LIMIT, walkPages } from '../service/walk-pages.ts';
import { printAtEnd } from '../terminal/print.ts';

interface FindFlags extends ServiceFlags {
  readonly file?: string;
  readonly format: ListFormat;
  readonly exact?: boolean;
  readonly columns?: string;
}

export function findCommand(): Command {
  const command = new Command('find')
    .description(
      `tells which API key a leaked text is: looks for a full key, a hint, an ID or a name; exits with ${EXIT_CODES.needsALook} when it finds none`,
    )
    .argument('[hint]', 'a hint, an ID, or a part of a name; a full key is read from standard input only')
    .option('--file <file>', 'look in a saved roster, and not in the service; - for standard input')
    .addOption(new Option('--format <format>', 'what to print').choices(LIST_FORMATS).default('table'))
    .option(
      '--columns <names>',
      'only these, separated by commas: fields of the record, declared ones too, found_by, or age',
    )
    .addOption(exactOption());
  for (const option of serviceOptions()) command.addOption(option);
  return command
    .addHelpText(
      'after',
      '\nThe text is never sent: the roster is read, and looked through here.\n\nExample: keyroster find < leaked.txt',
    )
    .action(async (hint: string | undefined, flags: FindFlags) => {
      if (flags.file !== undefined) refuseServiceOptions(command, 'is of a service, and --file asks none');
      requireOneOnStandardInput(hint, flags);
      const { text, isCut } = await askedText(hint);
      const records = flags.file === undefined ? await listed(flags) : saved(flags.file, flags);
      const result = await findKeys(text, records, question => {
        if (question.kind === 'key' && !question.beginsLikeId && hint !== undefined) throw keyInArgument();
      });
      if (!result) throw new UsageError('there is nothing to look for: the text is empty');
      if (result.count === 0) process.exitCode = EXIT_CODES.needsALook; // before it prints: its reader may leave
      const hasMore = result.question.kind === 'key' && result.question.hasMore;
      if (isCut || hasMore) process.exitCode = EXIT_CODES.failed;
      await print(result.found, flags);
      for (const line of answerOf(result)) printAtEnd(line);
      if (isCut)
        printAtEnd(
          `only the first ${MAX_MEGABYTES} MB of the text were looked at: what is behind may have keys. Give it in parts`,
        );
    });
}

function requireOneOnStandardInput(hint: string | undefined, { file, adminKeyFile }: FindFlags): void {
  const isAdminKey = file === undefined && isOnStandardInput(adminKeyFile);
  if ([hint === undefined, file === '-', isAdminKey].filter(Boolean).length > 1)
    throw new UsageError('standard input can be only one of the text, the roster and the admin key');
}

async function print(found: readonly Found[], { format, exact = false, columns }: FindFlags): Promise<void> {
  const isJson = format === 'json' || format === 'jsonl';
  const names = columns === undefined ? undefined : columnNames(columns);
  const writer = listWriter(format, { exact, columns: names, more: ['found_by'] });
  const records = found.map(({ key, by }) => ({ ...(isJson ? asItCame(key) : key), found_by: by }));
  if (records.length > 0) await writer.write(records);
  if (records.length > 0 || isJson) await writer.end(false);
}

async function listed(flags: FindFlags): Promise<AsyncIterable<readonly ApiKeyRecord[]>> {
  const client = await connect(flags);
  return (async function* () {
    for await (const { data } of walkPages(client, { limit: WALK_LIMIT })) yield data;
  })();
}

async function* saved(file: string, { exact }: FindFlags): AsyncGenerator<readonly ApiKeyRecord[]> {
  const reader = new RecordReader();
  for await (const records of savedRecords(file, { exact })) yield reader.read(records);
  reader.printWarning();
}
