import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { KeyrosterClient } from '../../src/client/client.ts';
import { WalkOrder } from '../../src/client/order.ts';
import { record } from '../support/import-file.ts';
import { collect, idsOf } from '../support/seeded-service.ts';

type Listed = ReturnType<typeof record>;
const timeOf = (second: number) => new Date(Date.UTC(2024, 0, 1) + second * 1_000).toISOString();
const keyOf = (id: string, second: number): Listed => record(id, { created_at: timeOf(second) });

/** The orders of services, by what makes them stable. */
const orders: Readonly<Record<string, (a: Listed, b: Listed) => number>> = {
  'newest first': (a, b) => compare(b.created_at, a.created_at) || compare(b.id, a.id),
  'newest first, of one time by ID': (a, b) => compare(b.created_at, a.created_at) || compare(a.id, b.id),
  'oldest first': (a, b) => compare(a.created_at, b.created_at) || compare(a.id, b.id),
  'by ID': (a, b) => compare(a.id, b.id),
  'by ID, backwards': (a, b) => compare(b.id, a.id),
  'one that nobody sees': (a, b) => compare(hidden(a), hidden(b)),
};
const compare = (a: unknown, b: unknown) => (String(a) < String(b) ? -1 : Number(a !== b));
const hidden = ({ id }: Listed) => (Number(id.slice(1)) * 7_919) % 10_007;

/** A client of a service in this order, which changes its keys before each answer, and filters by status or doesn't. */
function clientOf(
  keys: Listed[],
  order: (typeof orders)[string],
  change: () => Listed | undefined,
  filters: boolean,
) {
  const fetch = async (url: string | URL | Request) => {
    const added = change();
    if (added) keys.push(added);
    const query = new URL(String(url)).searchParams;
    const all = keys.toSorted(order);
    const [after, before] = ['after_id', 'before_id'].map(name =>
      all.find(({ id }) => id === query.get(name)),
    );
    const limit = Number(query.get('limit'));
    const rest = all
      .filter(key => (!after || order(after, key) < 0) && (!before || order(key, before) < 0))
      .filter(({ status }) => !filters || status === query.get('status'));
    const data = before ? rest.slice(-limit) : rest.slice(0, limit);
    return Response.json({ data, has_more: rest.length > data.length });
  };
  return new KeyrosterClient({ baseUrl: 'http://127.0.0.1', adminKey: 'x', fetch });
}

describe('a walk, whatever the order of the service is,', () => {
  for (const [name, order] of Object.entries(orders))
    test(`gives each key that was active throughout once, while others are made and archived: ${name}`, async () => {
      const places = fc.uniqueArray(fc.nat(10_006), { maxLength: 60 });
      const property = fc.asyncProperty(
        ...([places, fc.integer({ min: 1, max: 20 }), fc.boolean(), fc.nat(20), fc.boolean()] as const),
        async (numbers, limit, isBackward, times, filters) => {
          const made = numbers.map(number => keyOf(`k${number}`, number % (times + 1)));
          const keys = made.splice(0, Math.ceil(made.length / 2));
          const ending = keys.filter((_, index) => index % 3 === 0);
          const throughout = idsOf(keys.filter(key => !ending.includes(key)).toSorted(order));
          const change = () => {
            const ended = ending.pop();
            if (ended) ended.status = 'archived';
            return made.pop();
          };
          const { apiKeys } = clientOf(keys, order, change, filters);
          const last = throughout.at(-1);
          const cursor = isBackward && last !== undefined ? { before_id: last } : {};
          const seen = idsOf(await collect(apiKeys.list({ limit, status: 'active', ...cursor })));
          assert.equal(new Set(seen).size, seen.length);
          const expected = 'before_id' in cursor ? throughout.slice(0, -1).reverse() : throughout;
          assert.deepEqual(
            seen.filter(id => throughout.includes(id)),
            expected,
          );
        },
      );
      await fc.assert(property, { numRuns: 30 });
    });

  test('counts a record that is listed again once', async () => {
    const pages = [
      ['k1', 'k2', 'k2'],
      ['k2', 'k9', 'k1'],
    ].map(ids => ids.map(id => keyOf(id, 0)));
    const fetch = async () => Response.json({ data: pages.shift(), has_more: pages.length > 0 });
    const { apiKeys } = new KeyrosterClient({ baseUrl: 'http://127.0.0.1', adminKey: 'x', fetch });
    assert.deepEqual(idsOf(await collect(apiKeys.list())), ['k1', 'k2', 'k9']);
  });
});

describe('after 10,000 records', () => {
  const many = (
    from: number,
    idOf: (number: number) => string = String,
    second = (number: number) => 100_000 - number,
  ) => Array.from({ length: 11_000 }, (_, index) => keyOf(idOf(from + index), second(from + index)));

  test('an order that was kept has to be kept: what breaks it may have come before', () => {
    const order = new WalkOrder(false, []);
    assert.equal(order.newOf(many(0))?.length, 11_000);
    assert.equal(order.newOf([keyOf('0', 100_000)]), null);
  });

  test('a record is still known where the order can not tell it: of one time, or of none', () => {
    for (const second of [() => 0, (number: number) => (number * 7_919) % 10_007]) {
      const idOf = (number: number) => String((number * 7_919) % 1_000_003);
      const order = new WalkOrder(false, []);
      assert.equal(order.newOf(many(0, idOf, second))?.length, 11_000);
      assert.deepEqual(order.newOf([keyOf(idOf(5), second(5))]), []);
    }
  });

  test('times need not be of the same form, and a record may have none', () => {
    const order = new WalkOrder(false, []);
    const forms = [
      timeOf(9),
      '2024-01-01 01:00:08.123456789+01:00',
      'never',
      null,
      '2024-01-01t00:00:08.123456z',
    ];
    const page = forms.map((created_at, index) => ({ ...keyOf(`x${(index * 2) % 5}`, 0), created_at }));
    assert.equal(
      order.newOf(
        many(
          0,
          number => `k${(number * 7_919) % 1_000_003}`,
          number => 20_000 - number,
        ),
      )?.length,
      11_000,
    );
    assert.equal(order.newOf(page)?.length, forms.length);
    assert.equal(order.newOf([keyOf('y', 10)]), null);
  });
});
