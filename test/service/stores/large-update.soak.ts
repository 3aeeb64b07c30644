/** Updates of many keys of an organization that the statistics of PostgreSQL don't know yet. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';
import { atEndOf } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { storeKinds } from '../../support/stores.ts';

const FEW = 4_000;
const TIMES = 4;

for (const kind of storeKinds.filter(({ name }) => name !== 'SQLite'))
  test(`an import and a change of status of ${TIMES} times as many keys take about as many times as long over ${kind.name}`, async t => {
    const store = await kind.create();
    atEndOf(t, () => store.remove());
    const writer = await store.openWriter();
    atEndOf(t, () => writer.close());
    const changed = ({ name, ...key }: ApiKey): ApiKey => ({
      ...key,
      name: `${name} again`,
      status: 'active',
    });
    const update = async (count: number) => {
      const { id } = await createOrganization(writer);
      const keys = numberedKeys(count);
      await importKeys(writer, id, keys);
      const begin = performance.now();
      assert.equal((await importKeys(writer, id, keys.map(changed))).updated, count);
      const ids = keys.map(key => key.id);
      assert.equal((await writer.setStatus(id, ids, 'inactive')).changed, count);
      return performance.now() - begin;
    };
    await update(FEW);
    await runSql(store.url, 'ANALYZE keyroster.api_keys');
    const ofFew = await update(FEW);
    const ofMany = await update(FEW * TIMES);
    assert.ok(ofMany < ofFew * TIMES * 2, `${Math.round(ofFew)} ms, then ${Math.round(ofMany)} ms`);
  });
