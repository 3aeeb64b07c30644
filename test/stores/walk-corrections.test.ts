import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { StoreBusy } from '../../src/roster/errors.ts';
import type { ApiKeyId, ImportId, OrganizationId } from '../../src/roster/identifier.ts';
import type { Cursor, ListQuery } from '../../src/roster/list-query.ts';
import type { Page, PageItem } from '../../src/roster/page.ts';
import { ChangingRoster, firstKeys } from '../support/changing-roster.ts';
import { describeEachStore } from '../support/each-store.ts';
import { createOrganization, importKeys, importLines } from '../support/roster.ts';
import { rounds } from '../support/rounds.ts';

const LIMIT = 100;
const DIRECTIONS = ['after', 'before'] as const;

interface Walk {
  readonly direction: Cursor['direction'];
  readonly items: readonly PageItem[];
  /** The cursor that was unknown, if the walk ended so. */
  readonly gone: ApiKeyId | null;
}

/** IDs of these keys, newest first. */
const orderOf = (count: number) => new ChangingRoster(firstKeys(count)).matching({});

describeEachStore('a walk, in both directions', open => {
  /** Again when the store had no turn for it, as a service says 503: in this process a step of a deletion keeps all else waiting. */
  const pageOf = async (organization: OrganizationId, query: ListQuery): Promise<Page | null> =>
    open.reader.listApiKeys(organization, query).catch(error => {
      if (error instanceof StoreBusy) return pageOf(organization, query);
      throw error;
    });

  async function walk(
    organization: OrganizationId,
    direction: Cursor['direction'],
    order: readonly ApiKeyId[],
    onPage: (number: number) => void = () => {},
  ): Promise<Walk> {
    const items: PageItem[] = [];
    let cursor: Cursor | null = direction === 'after' ? null : { direction, id: order.at(-1) as ApiKeyId };
    for (let number = 1; ; number++) {
      onPage(number);
      const page = await pageOf(organization, { limit: LIMIT, cursor, filter: {} });
      if (!page) return { direction, items, gone: cursor?.id ?? null };
      assert.ok(page.items.length === LIMIT || (page.items.length < LIMIT && !page.hasMore));
      items.push(...(direction === 'after' ? page.items : page.items.toReversed()));
      if (!page.hasMore) return { direction, items, gone: null };
      cursor = { direction, id: items.at(-1)?.id as ApiKeyId };
      await setImmediate();
    }
  }

  /** None is listed twice or out of order, and of those that stay none is missing up to where the walk ended. */
  function assertExact({ direction, items, gone }: Walk, order: readonly ApiKeyId[], stays: Set<ApiKeyId>) {
    const inDirection = direction === 'after' ? order : order.toReversed().slice(1);
    const place = new Map(inDirection.map((id, index) => [id, index]));
    const places = items.map(({ id }) => place.get(id) ?? Number.NaN);
    assert.deepEqual(
      places,
      [...new Set(places)].sort((a, b) => a - b),
    );
    const end = gone === null ? inDirection.length : (place.get(gone) as number);
    assert.deepEqual(
      items.map(({ id }) => id).filter(id => stays.has(id)),
      inDirection.slice(0, end).filter(id => stays.has(id)),
    );
    assert.ok(gone === null || !stays.has(gone));
  }

  test('while an import is reverted lists each key that stays once, and ends at a cursor that is gone', async t => {
    const COUNT = 1_200;
    const order = orderOf(COUNT);
    const all = firstKeys(COUNT);
    const { id } = await createOrganization(open.writer);
    const known = all.filter((_, number) => number % 2 === 0);
    await importKeys(open.writer, id, known);
    const stays = new Set(known.map(key => key.id));
    let ended = 0;
    for (let round = 0; round < rounds(2); round++) {
      const lines = all.map((key, index) => ({
        line: index + 1,
        organizationId: id,
        key: { ...key, name: 'imported' },
      }));
      const importId = (await importLines(open.writer, lines)).importId as ImportId;
      const at = 1 + Math.floor(Math.random() * (COUNT / LIMIT));
      let reverted: Promise<unknown> | undefined;
      const start = (number: number) => {
        if (number >= at) reverted ??= open.writer.revertImport(importId, {});
      };
      const walks = await Promise.all(DIRECTIONS.map(direction => walk(id, direction, order, start)));
      await (reverted ?? open.writer.revertImport(importId, {}));
      for (const each of walks) {
        assertExact(each, order, stays);
        if (each.gone !== null) ended += 1;
        const names = each.items.map(({ record }) => JSON.parse(record).name);
        const first = names.indexOf('first');
        assert.ok(first < 0 || !names.slice(first).includes('imported'), 'what is reverted stays so');
      }
      for (const direction of DIRECTIONS) assertExact(await walk(id, direction, order), order, stays);
    }
    t.diagnostic(`${ended} of ${2 * rounds(2)} walks met a cursor that was gone`);
  });
});
