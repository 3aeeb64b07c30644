import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { KeyrosterClient } from '../src/client/client.ts';
import { createServer, type ServerOptions } from '../src/library.ts';
import { atEndOf } from './support/scope.ts';
import { numberedKeys, startSeededService } from './support/seeded-service.ts';
import { fetchJson } from './support/service.ts';

test('a mounted service answers under a prefix, writes to the given log, and closes its store', async t => {
  const { database, secret, ids } = await startSeededService(t, numberedKeys(3));
  const lines: string[] = [];
  const keyroster = await createServer({
    database,
    vendor: 'acme',
    log: { write: line => lines.push(line) },
  });
  const server = createHttpServer((request, response) => {
    request.url = request.url?.slice('/keys'.length);
    keyroster.handle(request, response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  atEndOf(t, () => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  const { apiKeys } = new KeyrosterClient({ baseUrl, adminKey: secret, vendor: 'acme', retries: 0 });
  const page = await apiKeys.list();
  assert.deepEqual(
    page.data.map(({ id }) => id),
    ids,
  );
  assert(lines.some(line => line.includes(String(page.requestId))));
  await assert.rejects(apiKeys.list({ after_id: 'nobody' }), { status: 400 });
  await keyroster.close();
  await assert.rejects(apiKeys.list(), { name: 'KeyrosterError' });
});

test('with bearer and versions it accepts clients of another service', async t => {
  const { database, secret } = await startSeededService(t, numberedKeys(1));
  const keyroster = await createServer({ database, bearer: true, versions: ['2026-10-21'] });
  atEndOf(t, () => keyroster.close());
  const server = createHttpServer(keyroster.handle);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  atEndOf(t, () => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/organizations/api_keys`;
  const headers = { authorization: `Bearer ${secret}`, 'vendor-version': '2026-10-21' };
  assert.equal((await fetchJson(url, headers)).body.data.length, 1);
});

const refusal = (message: string) => ({ name: 'TypeError', message });
const database = 'sqlite:x.db';

describe('an option', () => {
  test('that breaks its rule is refused by name, without its value; null breaks every rule', async () => {
    const rules: [option: keyof ServerOptions, rule: string, values: unknown[]][] = [
      [
        'database',
        'must be sqlite:FILE or postgres://…',
        ['mysql://user:password@host', '', 1, new URL('postgres://x')],
      ],
      [
        'vendor',
        'must be 1 to 32 of a-z 0-9 and inner hyphens, starting with a letter',
        ['A b', '', 1, ['vendor']],
      ],
      ['rateLimit', 'must be a whole number from 0 to 1000000', [-1, 1.5, Number.NaN, '5', 1_000_001]],
      ['log', 'must have a function write', [{}, { write: true }, 'stdout', true, false]],
      ['bearer', 'must be true or false', ['true', 1, 0, '']],
      [
        'versions',
        'must be dates such as 2026-10-21, in an array',
        ['2026-10-21', ['latest'], [null], [['2026-10-21']], {}, true],
      ],
    ];
    for (const [option, rule, values] of rules) {
      for (const value of [...values, null]) {
        const options = { database, [option]: value } as ServerOptions;
        await assert.rejects(createServer(options), refusal(`${option}: ${rule}`), `${option} ${value}`);
      }
    }
  });

  test('that is unknown is refused, and the nearest one is named if one is near', async () => {
    const near = { rateLimt: 'rateLimit', ratelimit: 'rateLimit', version: 'versions', Bearer: 'bearer' };
    for (const [name, known] of Object.entries(near)) {
      const options = { database, [name]: 1 } as ServerOptions;
      await assert.rejects(createServer(options), refusal(`${name}: unknown option, did you mean ${known}?`));
    }
    const all = 'the options are database, vendor, log, rateLimit, bearer, versions';
    for (const name of ['port', 'toString', '__proto__']) {
      const options = JSON.parse(`{ "database": "${database}", "${name}": 1 }`);
      await assert.rejects(createServer(options), refusal(`${name}: unknown option; ${all}`));
    }
  });

  test('that is undefined counts as left out, known or not', async t => {
    const { database } = await startSeededService(t, []);
    const names = ['vendor', 'log', 'rateLimit', 'bearer', 'versions', 'unknown'];
    const options = { database, ...Object.fromEntries(names.map(name => [name, undefined])) };
    await (await createServer(options)).close();
    const nothing = { database: undefined } as unknown as ServerOptions;
    await assert.rejects(createServer(nothing), refusal('database: must be sqlite:FILE or postgres://…'));
  });
});

test('options that are no object are refused', async () => {
  for (const options of [undefined, null, database, 1])
    await assert.rejects(createServer(options as never), refusal('options: must be an object'));
});
