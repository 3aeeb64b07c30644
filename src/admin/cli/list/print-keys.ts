/** The keys of a query, printed as they come: a page of the operation's, a page of those that match, or all. */
import type { ListParameters } from '../../../client/client.ts';
import type { ListedKey } from '../../../client/listed-key.ts';
import { printAtEnd } from '../../../shared/command/terminal/print.ts';
import { LIMIT } from '../../../shared/record/list-query.ts';
import { type LocalFilter, passing } from '../../find/local-filter.ts';
import { listedKeys } from '../../report/readable-record.ts';
import type { Service } from '../connection/connect.ts';
import { readPage, tellUntold } from '../connection/waits.ts';
import { cursorAfter, type WalkedPage, walkPages } from '../connection/walk-pages.ts';
import type { Source } from '../source.ts';
import type { ListFormat } from './formats.ts';
import type { OutputWriter } from './output-options.ts';

interface Keys {
  readonly query: ListParameters;
  readonly filters: readonly LocalFilter[];
  readonly writer: OutputWriter;
}

/** Returns how many it has printed. */
export async function printPage(service: Service, keys: Keys): Promise<number> {
  const { query, filters, writer } = keys;
  const own = filters.length === 0 ? await readPage(service, query) : undefined;
  // A service may ignore the limit, too, or refuse a filter.
  const isWhole = own?.appliedHere.length === 0 && own.data.length <= (query.limit ?? LIMIT.default);
  const page = own && isWhole ? own : await matchingPage(service, keys);
  const data = listedKeys(page.data);
  if (data.length > 0) await writer.write(data);
  await writer.end(page.has_more);
  const ends = { first_id: data.at(0)?.id ?? null, last_id: data.at(-1)?.id ?? null };
  if (page.has_more) printAtEnd(`there are more: continue with ${cursorAfter(ends, query)}, or use --all`);
  return data.length;
}

/** A page of keys that pass filters which the operation, or the service, doesn't have: reads until it has them, and knows whether there is one more. */
async function matchingPage(service: Service, keys: Keys) {
  const { limit = LIMIT.default } = keys.query;
  const counts = { read: 0 };
  const found: ListedKey[] = [];
  const pages = walkPages(service, { ...keys.query, limit: LIMIT.max });
  for await (const some of matchingKeys(pages, keys, counts)) {
    for (const key of some) found.push(key);
    if (found.length > limit) break;
  }
  const data = found.slice(0, limit);
  printRead(counts.read, data.length);
  return { data: isBackward(keys.query) ? data.reverse() : data, has_more: found.length > limit };
}

/** A table is laid out by its first keys. */
const FIRST_KEYS = 50;

/** The same of all. */
export async function printAll(source: Source, keys: Keys, format: ListFormat): Promise<number> {
  const { writer } = keys;
  const filtered = keys.filters.length > 0;
  const waits = filtered && format === 'table' && process.stdout.isTTY;
  const counts = { read: 0 };
  let found = 0;
  const pages = source.pages(keys.query, {
    showsProgress: !process.stdout.isTTY || filtered,
    // What waits for more keys can't be continued either, nor what is of several services.
    written: format === 'json' || waits || source.profiles ? undefined : () => found,
  });
  let batch: ListedKey[] = [];
  const write = async () => {
    await writer.write(batch);
    found += batch.length;
    batch = [];
  };
  for await (const some of matchingKeys(pages, keys, counts)) {
    for (const key of some) batch.push(key);
    if (batch.length > 0 && (!waits || found + batch.length >= FIRST_KEYS)) await write();
  }
  if (batch.length > 0) await write();
  await writer.end(source.missing.length > 0);
  if (filtered) printRead(counts.read, found);
  return found;
}

/** The keys of a walk that pass the filters, in the order of the walk. */
async function* matchingKeys(
  pages: AsyncIterable<WalkedPage>,
  { query, filters, writer }: Keys,
  counts: { read: number },
): AsyncGenerator<readonly ListedKey[], void> {
  for await (const { data } of pages) {
    await writer.see(data);
    counts.read += data.length;
    const keys = passing(data, filters, () => tellUntold('all filters'));
    yield isBackward(query) ? keys.toReversed() : keys;
  }
}

/** Why nothing was printed. */
export function whyEmpty(
  { limit, after_id, before_id, ...filtered }: ListParameters,
  filters: readonly LocalFilter[],
  name = '*',
): string {
  const isFiltered = filters.length > 0 || Object.values(filtered).some(each => each !== undefined);
  if (!isFiltered) return (after_id ?? before_id) === undefined ? 'the roster has no keys' : 'no more keys';
  if (/[*?]/.test(name)) return 'no key matches';
  return `no key matches; for a part of a name: --name '*${name.replaceAll("'", "'\\''")}*'`;
}

const isBackward = ({ before_id }: ListParameters) => before_id !== undefined;

function printRead(read: number, found: number): void {
  printAtEnd(`read ${read.toLocaleString('en')} keys to find ${found.toLocaleString('en')}`);
}
