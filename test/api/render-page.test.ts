import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AsciiPieces, bodyLength, wholeBody } from '../../src/api/body.ts';
import { renderPage } from '../../src/api/render-page.ts';
import type { ApiKey } from '../../src/roster/api-key.ts';
import { renderApiKey } from '../../src/roster/api-key-record.ts';
import { JoinedPage } from '../../src/roster/joined-page.ts';
import { apiKey } from '../support/arbitraries.ts';
import { startStubRosterService } from '../support/stub-roster-service.ts';

const pageOf = (keys: readonly ApiKey[], hasMore = false) =>
  JoinedPage.of({ items: keys.map(key => ({ id: key.id, record: renderApiKey(key) })), hasMore });

const expected = (keys: readonly ApiKey[], hasMore = false) =>
  `{"data":[${keys.map(renderApiKey).join()}],"first_id":${JSON.stringify(keys.at(0)?.id ?? null)},"last_id":${JSON.stringify(keys.at(-1)?.id ?? null)},"has_more":${hasMore}}`;

test('a page is the same bytes each time it is rendered, whatever its names hold, and its length is theirs', () => {
  fc.assert(
    fc.property(fc.array(apiKey(), { maxLength: 5 }), fc.boolean(), (keys, hasMore) => {
      const page = pageOf(keys, hasMore);
      for (let times = 0; times < 2; times++) {
        const body = renderPage(page);
        assert.equal(String(wholeBody(body)), expected(keys, hasMore));
        assert.equal(bodyLength(body), Buffer.byteLength(expected(keys, hasMore)));
      }
    }),
    { numRuns: 30 },
  );
});

test('a page that is rendered again keeps its bytes', () => {
  const page = pageOf([]);
  renderPage(page);
  assert.equal(renderPage(page), renderPage(page));
});

test('a large page is sent whole, with its length, in pieces where all of it is ASCII', async t => {
  const [key] = fc.sample(apiKey(), 1) as [ApiKey];
  const many = (name: string) =>
    Array.from({ length: 500 }, (_, n) => ({ ...key, id: `key_${n}` as ApiKey['id'], name }));
  const pages = [many('plain'), many('Łódź 東京')];
  assert.deepEqual(
    pages.map(keys => renderPage(pageOf(keys)) instanceof AsciiPieces),
    [true, false],
  );
  let next = 0;
  const { send } = await startStubRosterService(t, {
    listApiKeys: async () => pageOf(pages[next++ % 2] as ApiKey[]),
  });
  for (const keys of pages) {
    const { body, headers } = await send();
    assert.equal(JSON.stringify(body), expected(keys));
    assert.equal(headers['content-length'], String(Buffer.byteLength(expected(keys))));
  }
});
