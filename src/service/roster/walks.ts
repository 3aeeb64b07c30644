import type { OrganizationId } from '../../shared/record/identifier.ts';
import { EARLIEST, type Timestamp } from '../../shared/record/timestamp.ts';
import type { PageItem, RosterReader } from './pages/page.ts';

/** Where a list goes on that is ordered by creation time, then by ID as bytes, both ascending: behind the row that has these. */
export interface CreationPosition {
  readonly createdAt: Timestamp;
  readonly id: string;
}

/** Before every row. */
export const START: CreationPosition = { createdAt: EARLIEST as Timestamp, id: '' };

/** Enough that a page's own cost doesn't count, and little memory. */
const ROWS_PER_PAGE = 1_000;

/** Lists all rows page by page. A page begins behind a row; the first has `null`. */
export async function* walkPages<Row>(
  list: (after: Row | null, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let after: Row | null = null; ; ) {
    const rows: readonly Row[] = await list(after, ROWS_PER_PAGE);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_PER_PAGE) return;
    after = rows.at(-1) ?? null;
  }
}

/** Oldest first. A row that is there during the whole walk is listed exactly once. */
export function walkByCreation<Row extends CreationPosition>(
  list: (after: CreationPosition, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  return walkPages<Row>((after, limit) => list(after ?? START, limit));
}

/** A page costs the same at any depth, so small pages are as fast and need less memory. */
const KEYS_PER_PAGE = 100;

/**
 * Lists all keys, page by page, newest first. A key that exists during the whole walk is listed exactly once
 * (docs/api.md#order-and-pages).
 */
export async function* walkRoster(
  roster: RosterReader,
  organization: OrganizationId,
): AsyncGenerator<readonly PageItem[]> {
  let cursor: { direction: 'after'; id: PageItem['id'] } | null = null;
  while (true) {
    const page = await roster.listApiKeys(organization, { limit: KEYS_PER_PAGE, cursor, filter: {} });
    const last = page?.items.at(-1);
    if (!page || !last) return;
    yield page.items;
    if (!page.hasMore) return;
    cursor = { direction: 'after', id: last.id };
  }
}
