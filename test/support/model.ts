import { modelPage as pageOf } from '../../src/service/conformance/model.ts';
import { type ApiKey, renderApiKey } from '../../src/service/roster/api-key.ts';
import type { ListQuery } from '../../src/shared/record/list-query.ts';

/** The page that the reference model has, as the service answers it. `null`: unknown cursor. */
export function modelPage(roster: readonly ApiKey[], query: ListQuery) {
  const page = pageOf(roster, query);
  return (
    page && {
      data: page.keys.map(key => JSON.parse(renderApiKey(key))),
      first_id: page.keys[0]?.id ?? null,
      last_id: page.keys.at(-1)?.id ?? null,
      has_more: page.hasMore,
    }
  );
}
