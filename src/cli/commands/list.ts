import { Command, Option } from 'commander';
import type { KeyrosterClient, ListParameters } from '../../client/client.ts';
import { LIMIT } from '../../roster/list-query.ts';
import { adminKeyFileOption } from '../admin/admin-key-source.ts';
import { type FilterFlags, filterOptions, filterParameters } from '../admin/filter-options.ts';
import { columnNames } from '../admin/list-columns.ts';
import { LIST_FORMATS, type ListFormat, type ListWriter, listWriter } from '../admin/list-formats.ts';
import {
  baseUrlOption,
  checked,
  connect,
  pagesOf,
  type ServiceFlags,
  WALK_LIMIT,
} from '../admin/service-client.ts';
import { exactOption, required, vendorOption } from '../options/shared-options.ts';
import { printError } from '../terminal/print.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';

interface ListFlags extends ServiceFlags, FilterFlags {
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
  return command
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
    .option('--columns <names>', 'only these, separated by commas: fields of the record, declared ones too')
    .addOption(exactOption())
    .addOption(baseUrlOption())
    .addOption(adminKeyFileOption())
    .addOption(vendorOption())
    .addHelpText('after', '\nExample: keyroster list --status active --all --format csv > active.csv')
    .action(async (flags: ListFlags) => {
      const query = queryOf(flags);
      const columns = flags.columns === undefined ? undefined : columnNames(flags.columns);
      const writer = listWriter(flags.format, { exact: flags.exact ?? false, columns });
      const client = await connect(flags);
      await (flags.all ? listAll : listPage)(client, query, writer);
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
  const page = checked(await client.apiKeys.list(query));
  await writer.write(page.data);
  await writer.end(page.has_more);
  const cursor = query.before_id === undefined ? `--after ${page.last_id}` : `--before ${page.first_id}`;
  if (page.has_more) printError(`there are more: continue with ${cursor}, or use --all`);
}

async function listAll(client: KeyrosterClient, query: ListParameters, writer: ListWriter): Promise<void> {
  const backward = query.before_id !== undefined;
  const bar = new ProgressBar();
  let records = 0;
  try {
    for await (const { data } of pagesOf(client, query)) {
      records += data.length;
      if (!process.stdout.isTTY) bar.draw(undefined, 'reading', records); // on a terminal the records themselves show it
      await writer.write(backward ? data.toReversed() : data);
    }
  } finally {
    bar.clear();
  }
  await writer.end(false);
}
