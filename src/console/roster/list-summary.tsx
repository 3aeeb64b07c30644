import type { Total } from '../overview/known.ts';
import { describe } from '../walk/describe.ts';
import { keysText, numberText } from '../walk/keys-text.ts';
import type { LoadedPage } from '../walk/load-page.ts';
import { dateOf } from './created.tsx';

interface ListSummaryProps extends LoadedPage {
  /** `undefined`: not known. */
  readonly total: Total | undefined;
  /** Whether the keys are those of the list before, since this one didn't come yet. */
  readonly isStale: boolean;
}

/** What the list shows, in words: its filters, how many keys it has, and which of them this page. */
export function ListSummary({ total, isStale, ...page }: ListSummaryProps) {
  return (
    <p class="summary">
      {isStale ? 'Still shown: ' : 'Shown: '}
      <strong>{describe(page.query) || 'all keys'}</strong>, newest first.{' '}
      <span class="muted">
        {total && `${keysText(total.keys)}${total.asOf ? ` as of ${total.asOf}` : ''}`}
        {restText(page, total)}.
      </span>
    </p>
  );
}

/** Behind the total; or the count of the page, where the total isn't known. */
function restText(page: LoadedPage, total: Total | undefined): string {
  const count = page.keys.length;
  if (!total) return `This page: ${keysText(count)}${datesText(page)}`;
  return total.keys === count ? datesText(page) : `. This page: ${numberText(count)}${datesText(page)}`;
}

/** Such as "20 keys, created 2026-04-11 to 2026-04-02". */
export function pageText(page: LoadedPage): string {
  return keysText(page.keys.length) + datesText(page);
}

function datesText({ keys }: LoadedPage): string {
  const [newest, oldest] = [keys.at(0), keys.at(-1)];
  if (!newest || !oldest) return '';
  const [from, to] = [dateOf(newest.created_at), dateOf(oldest.created_at)];
  return `, created ${from === to ? from : `${from} to ${to}`}`;
}
