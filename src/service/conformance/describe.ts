/** What a failed check prints of rosters, queries and pages. */

import { inspect } from 'node:util';
import type { ListQuery } from '../../shared/record/list-query.ts';
import { formatTimestamp } from '../../shared/record/timestamp.ts';
import type { ApiKey } from '../roster/api-key.ts';
import type { Page } from '../roster/page.ts';
import type { ModelPage } from './model.ts';

/** More would hide the others. */
const MAX_SHOWN = 12;

export function describedRoster(id: string, keys: readonly ApiKey[]): string[] {
  const shown = keys.slice(0, MAX_SHOWN).map(key => {
    const { createdAt, status, workspaceId, createdBy } = key;
    return `  ${key.id}  ${formatTimestamp(createdAt)}  ${status}  ${workspaceId ?? 'null'}  ${createdBy.id}`;
  });
  const more = keys.length > MAX_SHOWN ? [`  and ${keys.length - MAX_SHOWN} more`] : [];
  return [`${id} has ${keys.length === 0 ? 'no API keys' : 'these API keys:'}`, ...shown, ...more];
}

/** What the store answered, whatever that is. */
export function describedAnswer(answer: Page | null): string {
  return Array.isArray(answer?.items) ? describedPage(answer.items, answer.hasMore) : inspect(answer);
}

export function describedModel(page: ModelPage | null): string {
  return page ? describedPage(page.keys, page.hasMore) : 'null';
}

function describedPage(items: readonly ({ readonly id: string } | null)[], hasMore: unknown): string {
  const ids = items.slice(0, MAX_SHOWN).map(item => String(item?.id ?? item));
  const more = items.length > MAX_SHOWN ? [`and ${items.length - MAX_SHOWN} more`] : [];
  return `${[...ids, ...more].join(', ') || 'no items'}; hasMore: ${hasMore}`;
}

/** The query as it is written in JavaScript. */
export function describedQuery(query: ListQuery): string {
  return inspect(query, { breakLength: Number.POSITIVE_INFINITY });
}
