import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { deleteOrganization, ROWS_PER_STEP } from '../../../src/service/roster/organization.ts';
import { walkRoster } from '../../../src/service/roster/walks.ts';
import type { ImportId, OrganizationId } from '../../../src/shared/record/identifier.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { connect } from '../../support/connect.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { ALL, createOrganization, importKeys, importLines, now } from '../../support/roster.ts';
import { rounds } from '../../support/rounds.ts';
import { postgres } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

const BIN = fileURLToPath(new URL('../../../src/service/cli/bin.ts', import.meta.url));
const KILLS = rounds(2);
/** From the first statement that writes. Most of the work of a few thousand keys takes longer. */
const MAX_DELAY_MS = 300;

/** Kills the command with SIGKILL at a random moment after its first statement that writes. Returns whether it had ended before. */
async function killAtWork(client: Client, url: string, args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [BIN, ...args, '--database', url], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const [backend] = await Promise.race([writerOf(client), ended.then(() => [null])]);
  await setTimeout(Math.random() * MAX_DELAY_MS);
  child.kill('SIGKILL');
  const [exitCode] = await ended;
  // PostgreSQL ends the statement first, and then notices that nobody reads the answer.
  const text = 'SELECT FROM pg_stat_activity WHERE pid = $1';
  await until('the backend has ended', async () => (await client.query(text, [backend])).rowCount === 0);
  return exitCode !== null;
}

async function writerOf(client: Client): Promise<[pid: unknown]> {
  const { pid } = await until('a transaction has written', async () => (await client.query(WRITER)).rows[0]);
  return [pid];
}

/** The process with a transaction that has written. */
const WRITER = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL
  AND pid <> pg_backend_pid()`;

describeEachStore(
  'killed while it writes',
  open => {
    const idsIn = async (organization: OrganizationId) => {
      const all: { id: string; status: string }[] = [];
      for await (const items of walkRoster(open.reader, organization))
        all.push(...items.map(({ record }) => JSON.parse(record)));
      return all;
    };

    test('a revert has done all of its work or nothing', async t => {
      const client = await connect(t, open.store.url);
      const { id } = await createOrganization(open.writer);
      await importKeys(
        open.writer,
        id,
        firstKeys(2_000).map(key => ({ ...key, status: 'active' })),
      );
      const lines = firstKeys(4_000).map((key, index) => ({
        line: index + 1,
        organizationId: id,
        key: { ...key, status: 'archived' as const },
      }));
      let importId: ImportId | null = null;
      let reverted = 0;
      for (let number = 0; number < KILLS; number++) {
        importId ??= (await importLines(open.writer, lines)).importId;
        const hadEnded = await killAtWork(client, open.store.url, ['imports', 'revert', String(importId)]);
        const all = await idsIn(id);
        const found = [all.length, ...new Set(all.map(({ status }) => status))];
        const isReverted = all.length === 2_000;
        assert.deepEqual(found, isReverted ? [2_000, 'active'] : [4_000, 'archived']);
        assert.ok(isReverted || !hadEnded);
        const entries = await open.writer.listAuditEntries({ action: 'revert_import' }, 0, 100);
        if (isReverted) reverted += 1;
        assert.equal(entries.length, reverted);
        if (isReverted) importId = null;
      }
      t.diagnostic(`${reverted} of ${KILLS} had been done`);
    });

    test('a deletion is completed by the next one, and takes nothing of others', async t => {
      const client = await connect(t, open.store.url);
      const other = await createOrganization(open.writer);
      await importKeys(open.writer, other.id, firstKeys(300));
      const found = { begun: 0, gone: 0 };
      for (let number = 0; number < KILLS; number++) {
        const { id } = await createOrganization(open.writer);
        const keys = firstKeys(ROWS_PER_STEP + 1_000);
        await importKeys(open.writer, id, keys);
        await killAtWork(client, open.store.url, ['organizations', 'delete', id, '--confirm', id]);
        const left = (await open.writer.listOrganizations(...ALL)).find(each => each.id === id);
        const roster = await idsIn(id);
        if (left?.deletedAt === null) assert.equal(roster.length, keys.length);
        if (left === undefined) found.gone += 1;
        else if (left.deletedAt !== null) found.begun += 1;
        if (left !== undefined) await deleteOrganization(open.writer, id, now(), () => {});
        assert.deepEqual(await idsIn(id), []);
        const adminKeys = await open.writer.listAdminKeys(null, ...ALL);
        assert.ok(!adminKeys.some(({ organizationId }) => organizationId === id));
        const entries = await open.writer.listAuditEntries({ organizationId: id }, 0, 100);
        assert.equal(entries.filter(({ action }) => action === 'delete_organization').length, 1);
        assert.equal((await idsIn(other.id)).length, 300);
      }
      t.diagnostic(`of ${KILLS}, ${found.begun} were begun, and ${found.gone} were gone`);
    });
  },
  [postgres],
);
