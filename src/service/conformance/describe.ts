/** What a failed check prints of rosters, requests and pages. */

import { inspect } from 'node:util';
import { formatTimestamp } from '../../shared/record/timestamp.ts';
import type { ApiKey } from '../roster/api-key.ts';
import type { Question } from './model.ts';

/** The first ones: more would hide the rest. */
function someOf(texts: readonly string[]): string[] {
  return texts.length > 12 ? [...texts.slice(0, 12), `and ${texts.length - 12} more`] : [...texts];
}

export function describedRoster(id: string, keys: readonly ApiKey[]): string[] {
  const shown = keys.map(
    ({ id, createdAt, status, workspaceId, createdBy }) =>
      `${id}  ${formatTimestamp(createdAt)}  ${status}  ${workspaceId}  ${createdBy.id}`,
  );
  return [`${id} has ${keys.length} API keys:`, ...someOf(shown).map(line => `  ${line}`)];
}

/** The page, or whatever a store answered. */
export function describedPage(items: unknown, hasMore: unknown, answer: unknown): string {
  if (!Array.isArray(items)) return inspect(answer);
  return `${someOf(items.map(item => String(item?.id ?? item))).join(', ') || 'no items'}; hasMore: ${hasMore}`;
}

/** The call as it is written in JavaScript. */
export function describedCall({ organization, query }: Question): string {
  return `listApiKeys('${organization}', ${inspect(query, { breakLength: Number.POSITIVE_INFINITY })})`;
}
