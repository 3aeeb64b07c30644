import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyById } from '../../../src/admin/find/key-by-id.ts';
import { KeyrosterClient, KeyrosterError } from '../../../src/client/client.ts';
import { record } from '../../support/import-file.ts';

const all = ['k3', 'k2', 'k1'].map(id => record(id));

/** A service that refuses such parameters, and cursors that it doesn't know. */
function serviceRefusing(...refused: string[]) {
  const fetch = async (url: string | URL | Request) => {
    const query = new URL(String(url)).searchParams;
    const cursor = query.get('after_id') ?? query.get('before_id');
    const at = all.findIndex(({ id }) => id === cursor);
    if (refused.some(name => query.has(name)) || (cursor !== null && at < 0))
      return Response.json({ message: 'refused' }, { status: 400 });
    const rest = query.has('before_id') ? all.slice(0, at) : all.slice(at + 1);
    const limit = Number(query.get('limit'));
    const data = query.has('before_id') ? rest.slice(-limit) : rest.slice(0, limit);
    return Response.json({ data, has_more: rest.length > data.length });
  };
  const { apiKeys } = new KeyrosterClient({ baseUrl: 'http://127.0.0.1', adminKey: 'x', fetch, retries: 0 });
  const asking = { list: apiKeys.list.bind(apiKeys), pages: apiKeys.pages.bind(apiKeys) };
  return (id: string) => keyById(asking, id);
}

test('a key is found by its ID also where a service goes in one direction only, and one that there is not is none', async () => {
  for (const refused of [[], ['before_id']]) {
    const get = serviceRefusing(...refused);
    for (const [index, { id }] of all.entries())
      assert.deepEqual(await get(id), { key: all[index], newer: all[index - 1]?.id ?? null });
    assert.equal(await get('k9'), null);
  }
});

test('what a service refuses for another reason is an error, and not the answer that there is no such key', () =>
  assert.rejects(serviceRefusing('limit')('k1'), KeyrosterError));
