import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MAX_KEPT } from '../../../src/admin/find/found-keys.ts';
import { questionOf } from '../../../src/admin/find/question.ts';
import { Finder, type RosterSearch, type SearchSource } from '../../../src/console/find/finder.ts';
import { SeenIds } from '../../../src/console/walk/seen-ids.ts';
import type { ApiKeyId } from '../../../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../../../src/shared/record/partial-key-hint.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey, startSeededService } from '../../support/seeded-service.ts';
import { until } from '../../support/until.ts';

const suite = suiteScope();
const idOf = (number: number) => `apikey_${String(number).padStart(24, '0')}` as ApiKeyId;
const seeded = await startSeededService(
  suite,
  Array.from({ length: 1_200 }, (_, number) =>
    numberedKey(number, {
      id: idOf(number),
      name: number < 600 ? `Key last ${number}` : `Key ${number}`,
      partialKeyHint: `sk-ven-api03-R2D...${number === 1_100 ? 'last' : 'igAA'}` as PartialKeyHint,
    }),
  ),
);
/** A finder of a session with the service. */
function finderOf(fetching?: typeof fetch) {
  const client = seeded.client({
    ...(fetching && { retries: 0, fetch: fetching }),
  });
  const session: SearchSource = {
    client,
    retryingClient: client,
    seenIds: new SeenIds(),
    leaked: new Set(),
  };
  const finder = new Finder(session);
  const ask = async (text: string) => {
    await finder.learn();
    const question = finder.known && questionOf(text, finder.known);
    assert(question);
    finder.ask(question);
    return ended(finder);
  };
  return { finder, session, ask };
}

/** What is looked for, once all is read. */
function ended({ current }: Finder): Promise<RosterSearch> {
  return until('the search ends', () => current?.walk.state.kind === 'complete' && current);
}

describe('a finder', () => {
  test('keeps the newest of many, and those by their hint also where more have it in their names', async () => {
    const { session, ask } = finderOf();
    const search = await ask('last');
    assert.deepEqual([search.found.count, search.found.all.length], [601, MAX_KEPT]);
    assert.deepEqual(
      search.found.exact.map(({ key, by, newer }) => [key.id, by, newer]),
      [[idOf(1_100), 'hint', idOf(1_099)]],
    );
    await ask(`sk-ven-api03-R2D${'a1B2c3D4'.repeat(6)}last`);
    assert.deepEqual([...session.leaked], [idOf(1_100)]);
  });

  test('says why it can not begin, and begins once the newest keys are there', async () => {
    let samples = 0;
    const { finder, ask } = finderOf(async (input, init) => {
      if (!String(input).endsWith('limit=100')) return fetch(input, init);
      samples += 1;
      if (samples === 1) throw new TypeError('fetch failed');
      return fetch(input, init);
    });
    await finder.learn();
    assert.deepEqual([finder.known, (finder.failure as Error).name], [null, 'KeyrosterError']);
    await ask('Key');
    assert.deepEqual([finder.failure, samples], [null, 2]);
  });
});
