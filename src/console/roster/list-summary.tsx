import type { Total } from '../overview/known-totals.ts';
import { describe } from '../walk/describe.ts';
import { keysText } from '../walk/keys-text.ts';
import { DEFAULT_LIMIT, type LoadedPage } from '../walk/load-page.ts';
import { dateOf } from './created.tsx';

interface ListSummaryProps extends LoadedPage {
  /** `undefined`: not known. */
  readonly total: Total | undefined;
  /** Whether the keys are those of the list before, since this one didn't come yet. */
  readonly isStale: boolean;
}

/** What the list shows, in words: its filters, which part of the time, and of how many keys. */
export function ListSummary({ total, isStale, ...page }: ListSummaryProps) {
  return (
    <p class="summary">
      {isStale ? 'Still shown: ' : 'Shown: '}
      <strong>{describe(page.query) || 'all keys'}</strong>, newest first.{' '}
      <span class="muted">
        {rangeText(page)}
        {total && `, of ${keysText(total.keys)}${total.asOf ? ` as of ${total.asOf}` : ''}`}
      </span>
    </p>
  );
}

/** Such as "20 per page, 2026-04-11 to 2026-04-02". */
export function rangeText({ keys, query }: LoadedPage): string {
  const [newest, oldest] = [keys.at(0), keys.at(-1)];
  if (!newest || !oldest) return 'No keys';
  const { limit = String(DEFAULT_LIMIT) } = query;
  const count = keys.length === Number(limit) ? `${limit} per page` : keysText(keys.length);
  const [from, to] = [dateOf(newest.created_at), dateOf(oldest.created_at)];
  return `${count}, ${from === to ? from : `${from} to ${to}`}`;
}
