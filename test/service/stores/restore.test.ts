/** Random acts, a copy of the store in their middle, a restore at their end: what ended isn't served after the listed commands. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { newRotation } from '../../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import { deleteOrganization } from '../../../src/service/roster/organization.ts';
import type { RosterWriter } from '../../../src/service/roster/roster.ts';
import type { Duration } from '../../../src/shared/record/duration.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import type { AdminKeyId, OrganizationId } from '../../../src/shared/record/identifier.ts';
import { STATUSES } from '../../../src/shared/record/status.ts';
import { newStore } from '../../support/opened.ts';
import { ALL, createAdminKey, importKeys, now, sqlite, VENDOR } from '../../support/roster.ts';
import { rounds } from '../../support/rounds.ts';
import { runCommand } from '../../support/run-many-commands.ts';
import { runSql } from '../../support/run-sql.ts';
import { atEndOf, type Scope, temporaryFolder } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { storeAt } from '../../support/store-at.ts';
import { createDatabase, postgres, type TestStore } from '../../support/stores.ts';

/** A copy of the store, and how it is restored. */
interface Copy {
  readonly url: string;
  readonly file: readonly string[];
}

async function copyOf(scope: Scope, { url, backup }: TestStore): Promise<Copy> {
  if (url.startsWith('sqlite:')) {
    const file = `${url.slice('sqlite:'.length)}.${Math.random()}`;
    await backup(file);
    return { url, file: [file] };
  }
  const copy = await createDatabase(`TEMPLATE ${new URL(url).pathname.slice(1)}`);
  atEndOf(scope, () => copy.remove());
  await runSql(copy.url, 'REFRESH MATERIALIZED VIEW keyroster.made'); // as pg_restore does: moving.soak.ts
  return { url: copy.url, file: [] };
}

const ORGANIZATIONS = ['org_0', 'org_1', 'org_2'] as OrganizationId[];
const KEYS = numberedKeys(8);
const rotation = () => newRotation(AdminKeySecret.issue(VENDOR), now());
type Pick = <T>(all: readonly T[]) => T;

const acts: readonly ((writer: RosterWriter, id: OrganizationId, pick: Pick) => Promise<unknown>)[] = [
  (writer, id) => writer.createOrganization({ id, name: 'Test', createdAt: now() }),
  (writer, id) => createAdminKey(writer, id),
  (writer, id) => writer.disableOrganization(id, now()),
  (writer, id) => writer.enableOrganization(id),
  (writer, id) => deleteOrganization(writer, id, now(), () => {}),
  async (writer, id, pick) => writer.revokeAdminKey(pick(await adminKeysOf(writer, id)), now()),
  async (writer, id, pick) =>
    writer.rotateAdminKey(pick(await adminKeysOf(writer, id)), rotation(), 0n as Duration),
  (writer, id, pick) =>
    importKeys(
      writer,
      id,
      KEYS.map(key => ({ ...key, name: pick(['a', 'b']), status: pick(STATUSES) })),
      { skipRefused: true },
    ),
  (writer, id, pick) => writer.setStatus(id, [pick(KEYS).id], pick(STATUSES)),
  (writer, id, pick) =>
    writer.setStatus(
      id,
      KEYS.map(key => key.id),
      pick(STATUSES),
    ),
  async (writer, id, pick) =>
    writer.revertImport(pick((await writer.listImports(id, null, 100)).map(each => each.id)), {
      skipChanged: pick([true, false]),
    }),
];

async function adminKeysOf(writer: RosterWriter, id: OrganizationId): Promise<AdminKeyId[]> {
  return (await writer.listAdminKeys(id, ...ALL)).map(key => key.id);
}

/** Each act by a number that chooses it, its organization and the rest. */
async function run(writer: RosterWriter, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    let rest = number;
    const pick: Pick = all => {
      const chosen = all[rest % all.length];
      rest = Math.floor(rest / Math.max(1, all.length)) + 7;
      return chosen as never;
    };
    const act = pick(acts);
    await act(writer, pick(ORGANIZATIONS), pick).catch(error => {
      if (!(error instanceof Refused)) throw error;
    });
  }
}

/** Every admin key that works, and every API key with its status. */
async function servedBy(url: string) {
  const store = storeAt(url);
  const reader = await store.openReader();
  const writer = await store.openWriter();
  const served = new Map<string, string>();
  for (const { id, createdAt } of await writer.listOrganizations(...ALL)) {
    for (const key of await writer.listAdminKeys(id, ...ALL))
      if (await reader.findAdminKey(key.digest, now())) served.set(`${id} ${key.id}`, String(createdAt));
    const page = await reader.listApiKeys(id, { limit: 1000, cursor: null, filter: {} });
    for (const { record } of page?.items ?? [])
      served.set(`${id} ${JSON.parse(record).id}`, JSON.parse(record).status);
  }
  await reader.close();
  await writer.close();
  return served;
}

const isAdminKey = (key: string) => key.includes(' adminkey_');

/** On Citus the tests share one database, which has no copy. */
for (const kind of [sqlite, postgres])
  describe(`a restore, over ${kind.name}`, () => {
    test('serves nothing that ended since the backup once its commands were run, unless it says so', async t => {
      const numbers = fc.array(fc.nat(), { minLength: 8, maxLength: 30 });
      const runs = fc.asyncProperty(numbers, numbers, fc.boolean(), async (before, since, byLog) => {
        const store = await newStore(t, kind);
        const first = await store.openWriter();
        await run(first, [0, 11, 22, 1, 12, 7, 18, ...before]);
        await first.close();
        const copy = await copyOf(t, store);
        const copied = await servedBy(store.url);
        const writer = await store.openWriter();
        await run(writer, since);
        await writer.close();
        const expected = await servedBy(store.url);

        const log = join(temporaryFolder(t), 'audit-log.jsonl');
        const audited = await runCommand(['audit', '--format', 'jsonl', '--database', store.url]);
        writeFileSync(log, audited.stdout);
        const source = byLog ? ['--audit-log', log] : ['--from', store.url];
        const args = ['restore', ...copy.file, ...source, '--database', copy.url];
        const { stdout, stderr, exitCode } = await runCommand(args);
        assert.equal(stderr, '');
        assert.equal(exitCode, /^all that ended/m.test(stdout) ? 0 : 4);
        if (exitCode === 4) {
          await assert.rejects(storeAt(copy.url).openReader(), /"keyroster restore --confirm"/);
          for (const [, command = ''] of stdout.matchAll(/^ {2}keyroster (?!.*(?:FILE| active ))(.*)$/gm)) {
            const ended = await runCommand([...command.split(' '), '--database', copy.url]);
            assert.ok([0, 1].includes(Number(ended.exitCode)), `${command}: ${ended.stderr}`);
          }
          await runCommand(['restore', '--confirm', '--database', copy.url]);
        }
        const restored = await servedBy(copy.url);
        for (const [key, state] of restored) {
          const [organization = ''] = key.split(' ');
          const isSame = expected.get(key) === state;
          const isListed = !(isAdminKey(key) && copied.has(key)) && stdout.includes(` of ${organization}: `);
          assert(isSame || isListed, `${key} ${state}, and not ${expected.get(key)}: ${stdout}`);
        }
        for (const key of expected.keys())
          assert(
            restored.has(key) || stdout.includes(` of ${key.split(' ')[0]}: `),
            `${key} is lost: ${stdout}`,
          );
      });
      await fc.assert(runs, { numRuns: rounds(kind.name === 'SQLite' ? 6 : 3) });
    });
  });

test('the rows of a dump in a store that was there are not served before that is confirmed', async t => {
  const store = await newStore(t);
  await runSql(store.url, `INSERT INTO keyroster.store VALUES ('store_of_the_dump', 'another')`);
  await assert.rejects(store.openReader(), /this is a copy of store_/);
  assert.equal((await runCommand(['restore', '--confirm', '--database', store.url])).exitCode, 0);
  await (await store.openReader()).close();
});
