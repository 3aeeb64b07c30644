import { Command, Option } from 'commander';
import type { ApiKeyRecord, KeyrosterClient, ListParameters } from '../../client/client.ts';
import { LIMIT } from '../../roster/list-query.ts';
import { columnNames } from '../list/columns.ts';
import { type FilterFlags, filterOptions, filterParameters } from '../list/filter-options.ts';
import { LIST_FORMATS, type ListFormat, type ListWriter, listWriter } from '../list/formats.ts';
import {
  type LocalFilter,
  type LocalFilterFlags,
  localFilterOptions,
  localFilters,
} from '../list/local-filters.ts';
import { MatchingKeys } from '../list/matching-keys.ts';
import { refuseFullKey } from '../options/full-key.ts';
import { exactOption, required } from '../options/shared-options.ts';
import { RecordReader } from '../service/checked-records.ts';
import { connect, type ServiceFlags, serviceOptions } from '../service/connect.ts';
import { cursorAfter, readPage, WALK_LIMIT, walkPages } from '../service/walk-pages.ts';
import { noPagerOption, type PagerFlags, pageOutput } from '../terminal/pager.ts';
import { printAtEnd } from '../terminal/print.ts';

interface ListFlags extends ServiceFlags, FilterFlags, LocalFilterFlags, PagerFlags {
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
  for (const option of [...filterOptions(), ...localFilterOptions()]) command.addOption(option);
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
    .addHelpText(
      'after',
      '\nExample: keyroster list --status active --older-than 365d --all --format csv > old.csv',
    )
    .action(async (flags: ListFlags) => {
      const query = queryOf(flags);
      const filters = localFilters(flags);
      const columns = flags.columns === undefined ? undefined : columnNames(flags.columns);
      const writer = listWriter(flags.format, { exact: flags.exact ?? false, columns });
      const client = await connect(flags);
      pageOutput(flags);
      const count = await printKeys(client, query, filters, writer, flags);
      if (count === 0) printAtEnd(whyEmpty(query, filters, flags));
    });
}

function queryOf({ limit, after, before, all, ...flags }: ListFlags): ListParameters {
  if (after !== undefined) refuseFullKey('--after', after);
  if (before !== undefined) refuseFullKey('--before', before);
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

/** Returns how many keys it has printed, as all that it calls. */
function printKeys(
  client: KeyrosterClient,
  query: ListParameters,
  filters: readonly LocalFilter[],
  writer: ListWriter,
  { all, format }: ListFlags,
): Promise<number> {
  if (all) return listAll(client, query, filters, writer, format);
  return filters.length > 0 ? listMatching(client, query, filters, writer) : listPage(client, query, writer);
}

async function listPage(client: KeyrosterClient, query: ListParameters, writer: ListWriter): Promise<number> {
  const reader = new RecordReader();
  const page = await readPage(client, query);
  await writePage(reader.read(page.data), page.has_more, query, writer);
  reader.printWarning();
  return page.data.length;
}

/** A page of keys that pass filters which the operation doesn't have: reads until it has them, and knows whether there is one more. */
async function listMatching(
  client: KeyrosterClient,
  query: ListParameters,
  filters: readonly LocalFilter[],
  writer: ListWriter,
): Promise<number> {
  const { limit = LIMIT.default } = query;
  const pages = walkPages(client, { ...query, limit: LIMIT.max });
  const keys = new MatchingKeys(pages, { filters, direction: directionOf(query), least: limit + 1 });
  const { value: found = [] } = await keys[Symbol.asyncIterator]().next();
  const page = found.slice(0, limit);
  printRead(keys, page.length);
  await writePage(isBackward(query) ? page.reverse() : page, found.length > limit, query, writer);
  return page.length;
}

async function writePage(
  page: readonly ApiKeyRecord[],
  hasMore: boolean,
  query: ListParameters,
  writer: ListWriter,
): Promise<void> {
  if (page.length > 0) await writer.write(page);
  await writer.end(hasMore);
  const ends = { first_id: page.at(0)?.id ?? null, last_id: page.at(-1)?.id ?? null };
  if (hasMore) printAtEnd(`there are more: continue with ${cursorAfter(ends, query)}, or use --all`);
}

/** A table is laid out by its first keys. */
const FIRST_KEYS = 50;

async function listAll(
  client: KeyrosterClient,
  query: ListParameters,
  filters: readonly LocalFilter[],
  writer: ListWriter,
  format: ListFormat,
): Promise<number> {
  const waits = filters.length > 0 && format === 'table' && process.stdout.isTTY;
  let found = 0;
  const options = {
    showsProgress: !process.stdout.isTTY || filters.length > 0,
    // One JSON document can't be continued, nor what waits for more keys.
    written: format === 'json' || waits ? undefined : () => found,
  };
  const keys = new MatchingKeys(walkPages(client, query, options), {
    filters,
    direction: directionOf(query),
    least: waits ? FIRST_KEYS : 1,
  });
  for await (const some of keys) {
    await writer.write(some);
    found += some.length;
  }
  await writer.end(false);
  if (filters.length > 0) printRead(keys, found);
  return found;
}

function whyEmpty(
  { limit, after_id, before_id, ...filtered }: ListParameters,
  filters: readonly LocalFilter[],
  { name = '*' }: ListFlags,
): string {
  const isFiltered = [...filters, ...Object.values(filtered)].some(each => each !== undefined);
  if (!isFiltered) return (after_id ?? before_id) === undefined ? 'the roster has no keys' : 'no more keys';
  if (/[*?]/.test(name)) return 'no key matches';
  return `no key matches; for a part of a name: --name '*${name.replaceAll("'", "'\\''")}*'`;
}

const isBackward = ({ before_id }: ListParameters) => before_id !== undefined;
const directionOf = (query: ListParameters) => (isBackward(query) ? 'backwards' : 'forwards');

function printRead({ read }: MatchingKeys, found: number): void {
  printAtEnd(`read ${read.toLocaleString('en')} keys to find ${found.toLocaleString('en')}`);
}
