/** The memory of a page that nobody else has is given back when it was sent, and never a byte of it is sent that isn't its own. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { renderApiKey } from '../../../src/service/roster/api-key.ts';
import { JoinedPage } from '../../../src/service/roster/pages/joined-page.ts';
import { Tls } from '../../../src/service/server/tls.ts';
import { makePair } from '../../support/certificate.ts';
import { startStubRosterService } from '../../support/http.ts';
import { VENDOR } from '../../support/roster.ts';
import { numberedKey } from '../../support/seeded-service.ts';
import { startService, stubReader } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** More than the system takes of one connection whose client doesn't read. */
const KEYS = 20_000;
const pair = makePair();

/** Each page has a name of its own in all of its records. */
const nameOf = (number: number) => `page ${number}.`;

function ownPage(number: number): JoinedPage {
  const record = renderApiKey(numberedKey(number, { name: nameOf(number) }));
  const text = Buffer.from(Array<string>(KEYS).fill(record).join());
  const memory = new ArrayBuffer(text.length);
  const records = Buffer.from(memory);
  text.copy(records);
  return new JoinedPage(records, KEYS, false, memory);
}

for (const secure of [false, true])
  describe(`a page that is read slowly${secure ? ', with TLS' : ''}`, async () => {
    const pages: JoinedPage[] = [];
    const { reader, secret } = stubReader({
      listApiKeys: async () => {
        const page = ownPage(pages.length);
        pages.push(page);
        return page;
      },
    });
    const service = await startService(reader, VENDOR, secure ? { tls: new Tls(pair) } : {});
    after(() => service.close());

    async function open(headers = {}) {
      const options = {
        ...{ host: 'localhost', port: service.port, path: LIST_API_KEYS_PATH, agent: false },
        headers: { 'x-api-key': secret, 'vendor-version': '2023-06-01', ...headers },
      };
      const sent = secure ? getSecurely({ ...options, ca: pair.cert }) : get(options);
      sent.on('error', () => {}); // of one that leaves
      const [answer] = await once(sent, 'response');
      return { sent, answer };
    }

    const numberIn = (body: Buffer) => {
      const { data } = JSON.parse(String(body));
      assert.equal(data.length, KEYS);
      assert.equal(new Set(data.map(({ name }: { name: string }) => name)).size, 1);
      return data[0].name as string;
    };
    const untilReleased = (which: readonly JoinedPage[]) =>
      until('the memory is given back', () => which.every(({ memory }) => memory?.detached));

    test('is whole, keeps its memory until then, and gives it back', async () => {
      const slow = await Promise.all([open(), open(), open()]);
      const own = pages.slice(-3);
      await wait(100);
      assert.deepEqual(
        own.map(({ memory }) => memory?.detached),
        [false, false, false],
      );
      const names = await Promise.all(slow.map(async ({ answer }) => numberIn(await buffer(answer))));
      assert.deepEqual(names.sort(), [0, 1, 2].map(nameOf));
      await untilReleased(own);
    });

    test('is whole beside clients that leave, whose memory is given back too', async () => {
      const before = pages.length;
      const slow = await Promise.all(Array.from({ length: 3 }, () => open()));
      for (const { sent } of slow.slice(0, 2)) sent.destroy();
      const later = await open();
      for (const { answer } of [...slow.slice(2), later]) numberIn(await buffer(answer));
      await untilReleased(pages.slice(before));
    });

    test('is whole where it is compressed', async () => {
      const { answer } = await open({ 'accept-encoding': 'gzip' });
      assert.equal(answer.headers['content-encoding'], 'gzip');
      numberIn(gunzipSync(await buffer(answer)));
    });
  });

test('a page that its store keeps has its memory for those who ask next', async t => {
  const page = ownPage(1);
  page.isKept = true;
  const { send } = await startStubRosterService(t, { listApiKeys: async () => page });
  for (let times = 0; times < 3; times++) assert.equal((await send()).body.data.length, KEYS);
  assert.equal(page.memory?.detached, false);
});
