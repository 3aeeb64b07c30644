import assert from 'node:assert/strict';
import { request } from 'node:http';
import { before, describe, test } from 'node:test';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import type { ListQuery } from '../../../src/shared/record/list-query.ts';
import { STATUSES } from '../../../src/shared/record/status.ts';
import { CREATORS, firstKeys, modelPage } from '../../support/changing-roster.ts';
import { KeepAliveClient } from '../../support/keep-alive-client.ts';
import { newStore } from '../../support/opened.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import { rounds } from '../../support/rounds.ts';
import { runSql } from '../../support/run-sql.ts';
import { atEndOf, suiteScope } from '../../support/scope.ts';
import { serveStore, type TestService } from '../../support/service.ts';
import type { TestStore } from '../../support/stores.ts';
import { queryString } from '../../support/walk.ts';

const ORGANIZATIONS = 20;
const REQUESTS = rounds(300);
/** Concurrent requests, not counting the aborted ones. */
const CONCURRENT = 60;
/** Before one in this many requests, another is sent and aborted: at once, or some turns of the event loop later. */
const ABORT_EVERY = 3;
const MAX_TURNS = 12;
/** Of one service, however many requests it has. */
const MAX_CONNECTIONS = 10;

/** All organizations have the same keys; only the names tell whose a record is. */
const rosters: ApiKey[][] = Array.from({ length: ORGANIZATIONS }, (_, organization) =>
  firstKeys(20 + (organization % 20)).map(key => ({ ...key, name: `of organization ${organization}` })),
);

/** Queries in a fixed order that mixes both directions, filters and unknown cursors. */
function queryOf(number: number): ListQuery {
  const direction = number % 2 === 0 ? 'after' : 'before';
  const id = `first_${(number * 7) % 43}` as ApiKey['id'];
  const status = STATUSES[number % STATUSES.length] ?? 'active';
  return {
    limit: 1 + (number % 25),
    cursor: number % 3 === 0 ? null : { direction, id },
    filter: {
      ...(number % 5 === 0 && { status }),
      ...(number % 7 === 0 && CREATORS[0] && { creatorId: CREATORS[0] }),
    },
  };
}

describe('over few connections to PostgreSQL', () => {
  const scope = suiteScope();
  const callers: { id: string; secret: string }[] = [];
  let store: TestStore;
  let service: TestService;
  let client: KeepAliveClient;

  before(async () => {
    store = await newStore(scope);
    const writer = await store.openWriter();
    for (const roster of rosters) {
      const caller = await createOrganization(writer);
      callers.push(caller);
      await importKeys(writer, caller.id, roster);
    }
    await writer.close();
    service = await serveStore(scope, store);
    client = new KeepAliveClient(service.port, CONCURRENT);
    atEndOf(scope, () => client.close());
  });

  const pathOf = (query: ListQuery) => {
    return `/v1/organizations/api_keys?${queryString(query)}`;
  };
  const headersOf = (organization: number) => ({
    'x-api-key': callers[organization]?.secret ?? '',
    'vendor-version': '2023-06-01',
  });

  test(`${REQUESTS} interleaved requests of ${ORGANIZATIONS} organizations, some of them aborted, each get their own page`, async t => {
    const counts = { pages: 0, refused: 0, aborted: 0 };
    let next = 0;
    const work = async () => {
      for (let number = next++; number < REQUESTS; number = next++) {
        const organization = (number * 37) % ORGANIZATIONS;
        const query = queryOf(number);
        if (number % ABORT_EVERY === 0 && (await abort(number))) counts.aborted += 1;
        const expected = modelPage(rosters[organization] as ApiKey[], query);
        const answer = await client.getWithRetry(pathOf(query), headersOf(organization));
        assert.equal(answer.headers['vendor-organization-id'], callers[organization]?.id);
        assert.equal(answer.status, expected ? 200 : 400);
        if (expected) assert.deepEqual(JSON.parse(answer.body), expected);
        counts[expected ? 'pages' : 'refused'] += 1;
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT }, work));
    t.diagnostic(`${counts.pages} pages, ${counts.refused} refused, ${counts.aborted} aborted`);
    assert.ok(counts.aborted > REQUESTS / ABORT_EVERY / 2);
    const connections = await openConnections(store.url);
    assert.ok(connections <= MAX_CONNECTIONS, `${connections} connections`);
  });

  /** Sends another organization's request and destroys its socket. Returns whether it did so before the answer was complete. */
  async function abort(number: number): Promise<boolean> {
    const organization = (number * 41 + 13) % ORGANIZATIONS;
    const options = { host: '127.0.0.1', port: service.port, agent: false, headers: headersOf(organization) };
    const outgoing = request({ ...options, path: pathOf(queryOf(number + 1)) });
    let answered = false;
    outgoing.on('response', response => {
      response.resume().on('end', () => {
        answered = true;
      });
    });
    outgoing.on('error', () => {});
    const flushed = new Promise(resolve => outgoing.on('finish', resolve));
    outgoing.end();
    await flushed;
    for (let turn = number % MAX_TURNS; turn > 0; turn--) await new Promise(setImmediate);
    outgoing.destroy();
    return !answered;
  }
});

async function openConnections(url: string): Promise<number> {
  const [row] = await runSql(
    url,
    `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'keyroster'`,
  );
  return Number(row?.count);
}
