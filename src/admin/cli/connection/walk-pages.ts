import { setImmediate } from 'node:timers/promises';
import type { ApiKeyPage, ListParameters } from '../../../client/client.ts';
import type { ListedKey } from '../../../client/listed-key.ts';
import { shellWord } from '../../../shared/command/shell-word.ts';
import { keepHeapSmall } from '../../../shared/command/small-heap.ts';
import { printAtEnd } from '../../../shared/command/terminal/print.ts';
import { ProgressBar } from '../../../shared/command/terminal/progress-bar.ts';
import { whenInterrupted } from '../../../shared/command/terminal/when-interrupted.ts';
import { LIMIT, scopeWords } from '../../../shared/record/list-query.ts';
import { listedKeys } from '../../report/readable-record.ts';
import type { Service } from './connect.ts';
import { prefixOf, Waits, waitedPages } from './waits.ts';

/** Keys per page of a walk: the most, as each page takes a round trip. */
export const WALK_LIMIT = LIMIT.max;

/** In the order of the service, in both directions. */
export type WalkedPage = Readonly<Pick<ApiKeyPage, 'organizationId' | 'scope'>> & {
  readonly data: readonly ListedKey[];
};

export interface WalkOptions {
  /** Unless the records themselves show it. */
  readonly showsProgress?: boolean;
  /** How many records were written, where another walk can go on with the output: it is told from where. */
  readonly written?: (() => number) | undefined;
  /** How long to wait for a page of a service that is away or busy, and without a word. */
  readonly waitMs?: number;
}

/** Reads all pages of a query, and shows the progress and the waits. Of several services each key begins with its profile. */
export async function* walkPages(
  service: Service,
  query: ListParameters = { limit: WALK_LIMIT },
  { showsProgress = true, written, waitMs }: WalkOptions = {},
): AsyncGenerator<WalkedPage, void> {
  keepHeapSmall();
  const bar = new ProgressBar();
  const waits = new Waits(service, bar, waitMs);
  const { profile } = service;
  let records = 0;
  let cursor: string | undefined;
  let scope: string | null = null;
  const end = () => {
    stopListening();
    waits.end();
    bar.clear();
    if (scope !== null)
      printAtEnd(`${prefixOf(service)}only ${scopeWords(scope)} was read: the admin key sees no more`);
  };
  const tellCursor = (outputIsWhole = true) => {
    if (written === undefined || cursor === undefined) return;
    printAtEnd(`${written().toLocaleString('en')} records written; continue with ${cursor}`);
    if (!outputIsWhole)
      printAtEnd('the output may have a part of more records behind them: cut it off first');
  };
  const stopListening = whenInterrupted(outputIsWhole => {
    bar.note(''); // erases the ^C of the terminal
    end();
    tellCursor(outputIsWhole);
  });
  try {
    for await (const page of waitedPages(service, query, waits)) {
      records += page.data.length;
      if (showsProgress) bar.draw(undefined, 'reading', records);
      await setImmediate(); // lets Node send the request for the next page, before this one keeps it busy
      scope = page.scope;
      const keys = listedKeys(page.data);
      const data = profile ? keys.map(key => Object.assign({ profile }, key, { profile })) : keys;
      yield { data, organizationId: page.organizationId, scope };
      cursor = cursorAfter(page, query); // whoever reads the pages is done with this one
    }
  } catch (error) {
    tellCursor();
    throw error;
  } finally {
    end();
  }
}

/** The option with which a list goes on after a page, in the direction of the query. */
export function cursorAfter(
  { first_id, last_id }: Pick<ApiKeyPage, 'first_id' | 'last_id'>,
  { before_id }: ListParameters,
): string {
  return before_id === undefined ? `--after ${shellWord(last_id)}` : `--before ${shellWord(first_id)}`;
}
