import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bodyLength, wholeBody } from '../../../src/service/api/answer.ts';
import type { RecordVersion, VersionSettings } from '../../../src/service/api/record-version.ts';
import { renderPage } from '../../../src/service/api/render-page.ts';
import { acceptedVersions } from '../../../src/service/api/versions.ts';
import { type ApiKey, renderApiKey } from '../../../src/service/roster/api-key.ts';
import { JoinedPage } from '../../../src/service/roster/pages/joined-page.ts';
import type { WorkspaceId } from '../../../src/shared/record/identifier.ts';
import { apiKey } from '../../support/arbitraries.ts';
import { startStubRosterService } from '../../support/http.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const pageOf = (keys: readonly ApiKey[], hasMore = false) =>
  JoinedPage.of({ items: keys.map(key => ({ id: key.id, record: renderApiKey(key) })), hasMore });

const settings: VersionSettings = { defaultWorkspace: 'w' as WorkspaceId };
const first = acceptedVersions([]).get('2023-06-01') as RecordVersion;
const render = (page: JoinedPage) => renderPage(page, first, settings);

const expected = (keys: readonly ApiKey[], hasMore = false) =>
  `{"data":[${keys.map(renderApiKey).join()}],"first_id":${JSON.stringify(keys.at(0)?.id ?? null)},"last_id":${JSON.stringify(keys.at(-1)?.id ?? null)},"has_more":${hasMore}}`;

test('a page is the same bytes each time it is rendered, whatever its names hold, and its length is theirs', () => {
  fc.assert(
    fc.property(fc.array(apiKey(), { maxLength: 5 }), fc.boolean(), fc.boolean(), (keys, hasMore, isKept) => {
      const page = Object.assign(pageOf(keys, hasMore), { isKept });
      for (let times = 0; times < 2; times++) {
        const body = render(page);
        assert.equal(String(wholeBody(body)), expected(keys, hasMore));
        assert.equal(bodyLength(body), Buffer.byteLength(expected(keys, hasMore)));
      }
    }),
    { numRuns: 30 },
  );
});

test('a large page is sent whole, with its length in bytes', async t => {
  const [key] = fc.sample(apiKey(), 1) as [ApiKey];
  const many = (name: string) =>
    Array.from({ length: 500 }, (_, n) => ({ ...key, id: `key_${n}` as ApiKey['id'], name }));
  const pages = [many('plain'), many('Łódź 東京')];
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

test('what time changes is rendered again from then on, or where the clock goes back, and nothing else is', () => {
  const page = Object.assign(pageOf([numberedKey(1)]), { isKept: true });
  const times: number[] = [];
  const version = {
    properties: () => ({}),
    render: (stored: Buffer, _: VersionSettings, now: number) => {
      times.push(now);
      return { records: [stored], until: 20 };
    },
  };
  const bodies = [10, 10, 19, 9, 20].map(now => String(wholeBody(renderPage(page, version, settings, now))));
  assert.deepEqual(times, [10, 9, 20]);
  assert.equal(new Set(bodies).size, 1);
  render(page);
  renderPage(page, version, settings);
  assert.equal(times.length, 4, 'what another version rendered is not taken');
});
