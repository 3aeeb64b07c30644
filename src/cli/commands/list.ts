import { Command, Option } from 'commander';
import type { KeyrosterClient, ListParameters } from '../../client/client.ts';
import { LIMIT } from '../../roster/list-query.ts';
import { columnNames } from '../list/columns.ts';
import { type FilterFlags, filterOptions, filterParameters } from '../list/filter-options.ts';
import { LIST_FORMATS, type ListFormat, type ListWriter, listWriter } from '../list/formats.ts';
import { exactOption, required } from '../options/shared-options.ts';
import { RecordReader } from '../service/checked-records.ts';
import { connect, type ServiceFlags, serviceOptions } from '../service/connect.ts';
import { cursorAfter, readPage, WALK_LIMIT, walkPages } from '../service/walk-pages.ts';
import { noPagerOption, type PagerFlags, pageOutput } from '../terminal/pager.ts';
import { printAtEnd } from '../terminal/print.ts';

interface ListFlags extends ServiceFlags, FilterFlags, PagerFlags {
  readonly limit?: string;
  readonly after?: string;
  readonly before?: string;
  readonly all?: boolean;
  readonly format: ListFormat;
  readonly exact?: boolean;
  readonly columns?: string;
}

export function listCommand(): Command {
  const command = new Command('list').description(
    "lists the API keys of the admin key's organization, newest first, over HTTP",
  );
  for (const option of filterOptions()) command.addOption(option);
  command
    .option(
      '--limit <number>',
      `keys per page, ${LIMIT.min} to ${LIMIT.max} (default: ${LIMIT.default}; ${WALK_LIMIT} with --all)`,
    )
    .option('--after <id>', 'the page after this key')
    .addOption(
      new Option(
        '--before <id>',
        'the page before this key; with --all, every page back to the newest key',
      ).conflicts('after'),
    )
    .option('--all', 'every page from there to the last')
    .addOption(new Option('--format <format>', 'what to print').choices(LIST_FORMATS).default('table'))
    .option(
      '--columns <names>',
      'only these, separated by commas: fields of the record, declared ones too, or age',
    )
    .addOption(exactOption());
  for (const option of [noPagerOption(), ...serviceOptions()]) command.addOption(option);
  return command
    .addHelpText('after', '\nExample: keyroster list --status active --all --format csv > active.csv')
    .action(async (flags: ListFlags) => {
      const query = queryOf(flags);
      const columns = flags.columns === undefined ? undefined : columnNames(flags.columns);
      const writer = listWriter(flags.format, { exact: flags.exact ?? false, columns });
      const client = await connect(flags);
      pageOutput(flags);
      await (flags.all ? listAll : listPage)(client, query, writer, flags.format);
    });
}

function queryOf({ limit, after, before, all, ...flags }: ListFlags): ListParameters {
  return {
    limit: limit === undefined ? (all ? WALK_LIMIT : LIMIT.default) : limitOf(limit),
    ...filterParameters(flags),
    ...(before === undefined ? { after_id: after } : { before_id: before }),
  };
}

function limitOf(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  const allowed = limit >= LIMIT.min && limit <= LIMIT.max ? limit : undefined;
  return required('--limit', allowed, `must be a whole number from ${LIMIT.min} to ${LIMIT.max}`);
}

async function listPage(client: KeyrosterClient, query: ListParameters, writer: ListWriter): Promise<void> {
  const reader = new RecordReader();
  const page = await readPage(client, query);
  await writer.write(reader.read(page.data));
  await writer.end(page.has_more);
  if (page.has_more) printAtEnd(`there are more: continue with ${cursorAfter(page, query)}, or use --all`);
  reader.printWarning();
}

async function listAll(
  client: KeyrosterClient,
  query: ListParameters,
  writer: ListWriter,
  format: ListFormat,
): Promise<void> {
  const backward = query.before_id !== undefined;
  let records = 0;
  const written = format === 'json' ? undefined : () => records; // one JSON document can't be continued
  for await (const { data } of walkPages(client, query, { showsProgress: !process.stdout.isTTY, written })) {
    await writer.write(backward ? data.toReversed() : data);
    records += data.length;
  }
  await writer.end(false);
}
