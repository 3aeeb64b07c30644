import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';
import { createKeyroster } from '../../src/service/library/library.ts';
import type { Scope as ScopeOfCaller } from '../../src/shared/record/list-query.ts';
import { retryOverloaded } from './retry-overloaded.ts';
import { VENDOR } from './roster.ts';
import { atEndOf, type Scope } from './scope.ts';
import type { TestStore } from './stores.ts';

/** The answer to this query string, as a caller of this organization and scope gets it; `body` as it was sent. */
export type AskAs = (
  organizationId: string,
  only: ScopeOfCaller | undefined,
  query: string,
) => Promise<{ status: number; headers: Headers; body: string }>;

/** The library over a store, with callers of the vendor's own: each sends who they are. */
export async function serveScopedCallers(
  scope: Scope,
  { url }: Pick<TestStore, 'url'>,
  log: { write(line: string): void } = { write: () => {} },
): Promise<AskAs> {
  const keyroster = await createKeyroster({
    database: url,
    vendor: VENDOR,
    rateLimit: 0,
    log,
    authenticate: ({ headers }) => JSON.parse(headers.get('authorization') ?? ''),
  });
  atEndOf(scope, () => keyroster.close());
  return (organizationId, only, query) => {
    const authorization = JSON.stringify({ organizationId, callerId: 'ann', only });
    const headers = { authorization, [`${VENDOR}-version`]: '2023-06-01' };
    const request = new Request(`https://example.com${LIST_API_KEYS_PATH}?${query}`, { headers });
    return retryOverloaded(async () => {
      const answer = await keyroster.fetch(request);
      return { status: answer.status, headers: answer.headers, body: await answer.text() };
    });
  };
}
