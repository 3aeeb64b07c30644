import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { apiKeyCanary, assertNoTrace } from '../../support/canaries.ts';
import { describeEachStore, type OpenStore } from '../../support/each-store.ts';
import { embeddedStore } from '../../support/embedded-store.ts';
import { fedLog } from '../../support/fed-log.ts';
import { startFeed } from '../../support/feed-process.ts';
import { record } from '../../support/import-file.ts';
import { newStore, recordsOf } from '../../support/opened.ts';
import { createOrganization, sqlite } from '../../support/roster.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';
import { runSql } from '../../support/run-sql.ts';
import { atEndOf, type Scope, temporaryFolder } from '../../support/scope.ts';
import { until } from '../../support/until.ts';

const line = (organization: string, id: string, parts = {}) => ({
  organization_id: organization,
  ...record(id, parts),
});

/** A feed, and an organization of its own. */
const begin = async (t: Scope, open: OpenStore) => ({
  feed: startFeed(t, open.store.url),
  a: await organizationIn(open),
});
const organizationIn = async (open: OpenStore) => (await createOrganization(open.writer)).id;
const listedIn = async (open: OpenStore, id: OrganizationId) => {
  const records = await recordsOf(open.writer, id);
  return records.map((record): string => JSON.parse(record).id).toSorted();
};

describeEachStore('keyroster feed', open => {
  test('answers each line of any organization when it is committed, without an end of the input', async t => {
    const [a, b] = [await organizationIn(open), await organizationIn(open)];
    const feed = startFeed(t, open.store.url);
    await feed.send([line(a, 'k1'), line(b, 'k1'), line(a, 'k1', { name: 'New' }), line(b, 'k1')]);
    assert.deepEqual(await feed.answered(4), [
      { line: 1, id: 'k1', organization_id: a, result: 'inserted' },
      { line: 2, id: 'k1', organization_id: b, result: 'inserted' },
      { line: 3, id: 'k1', organization_id: a, result: 'updated' },
      { line: 4, id: 'k1', organization_id: b, result: 'unchanged' },
    ]);
    assert.deepEqual([await listedIn(open, a), await listedIn(open, b)], [['k1'], ['k1']]);
    await feed.send([line(a, 'k2')]);
    assert.equal((await feed.answered(5))[4]?.result, 'inserted');
    feed.end();
    assert.equal(await feed.ended, 0);
    assert.equal(feed.stderr(), '');
  });

  test('takes the last use of a key by itself, and answers as for a record', async t => {
    await open.writer.addField({ name: 'last_used_at', type: { kind: 'timestamp' } });
    t.after(() => open.writer.removeField('last_used_at'));
    const { a, feed } = await begin(t, open);
    const use = (id: string, last_used_at: unknown) => ({ organization_id: a, id, last_used_at });
    // The keys of a batch first, whatever the order of its lines.
    await feed.send([use('k1', '2026-11-20T17:03:11Z'), line(a, 'k1'), use('k1', '2026-11-20T17:03:10Z')]);
    await feed.send([use('k9', '2026-11-20T17:03:11Z'), use('k1', null), { ...use('k1', 0), id: undefined }]);
    const answers = await feed.answered(6);
    assert.deepEqual(
      answers.map(({ result, problems }) => problems?.map(text => text.split(' must')[0]) ?? result),
      [
        ...['updated', 'inserted', 'unchanged', ['id: no such API key in this organization']],
        ...[['last_used_at:'], ['id: is missing:', 'last_used_at:']],
      ],
    );
  });

  test('refuses a wrong line alone, by the messages of an import and without a value', async t => {
    const { a, feed } = await begin(t, open);
    const { key, hint } = apiKeyCanary();
    const other = { created_by: { id: 'user_b', type: 'user' } };
    await feed.send([line(a, 'k1'), line(a, 'k1', other), line('unknown', 'k1'), record('k1'), [], {}]);
    await feed.send([line(a, 'k2', { partial_key_hint: hint, name: key }), line(key, 'k2'), { [key]: key }]);
    await feed.sendText(`not JSON\n\n${'x'.repeat(70_000)}\n${JSON.stringify(line(a, 'k3'))}`);
    feed.end();
    assert.equal(await feed.ended, 0);
    const shown = feed.answers.map(({ line, result, problems = [] }) => [line, result, problems[0] ?? '']);
    const unknown = 'there is no organization with this ID: "keyroster organizations list" shows them';
    assert.deepEqual(shown, [
      [1, 'inserted', ''],
      [2, 'refused', 'created_by.id: cannot change: the stored value is user_a'],
      [3, 'refused', `organization_id: ${unknown}`],
      [4, 'refused', 'organization_id: is required'],
      [5, 'refused', 'must be an object'],
      [6, 'refused', 'organization_id: is required'],
      [7, 'refused', 'name: contains the key that partial_key_hint masks'],
      [8, 'refused', `organization_id: ${unknown}`],
      [9, 'refused', 'organization_id: is required'],
      [10, 'refused', 'not JSON'],
      [12, 'refused', 'longer than 65536 bytes'],
      [13, 'inserted', ''],
    ]);
    assertNoTrace([key], JSON.stringify(feed.answers) + feed.stderr(), 'the output of feed');
    assert.deepEqual(await listedIn(open, a), ['k1', 'k3']);
  });
});

describeEachStore(
  'keyroster feed',
  open => {
    test('takes a field that is declared while it runs', async t => {
      const { a, feed } = await begin(t, open);
      const used = line(a, 'k1', { calls: 7 });
      await feed.send([used]);
      assert.deepEqual(await feed.answered(1), [
        { line: 1, result: 'refused', problems: ['calls: unknown field'] },
      ]);
      await open.writer.addField({ name: 'calls', type: { kind: 'integer' } });
      await feed.send([used]);
      assert.equal((await feed.answered(2))[1]?.result, 'inserted');
      assert.match(String(await recordsOf(open.writer, a)), /,"calls":7\}$/);
      await open.writer.removeField('calls');
    });

    test('commits and answers what it has read whole when it is asked to stop, and exits with 0', async t => {
      const { a, feed } = await begin(t, open);
      await feed.send([line(a, 'k1')]);
      await feed.answered(1);
      await feed.send([line(a, 'k2'), line(a, 'k3')]);
      await feed.sendText('{"organization_id":');
      feed.kill('SIGTERM');
      assert.equal(await feed.ended, 0);
      const answered = feed.answers.map(({ id }) => String(id));
      assert.deepEqual(await listedIn(open, a), answered.toSorted());
      assert.equal(feed.stderr(), '');
    });

    test('reads no more while nobody reads its answers, and loses none', async t => {
      const { a, feed } = await begin(t, open);
      const lines = Array.from({ length: 4_000 }, (_, index) => line(a, `key_${'x'.repeat(100)}_${index}`));
      feed.pauseReading();
      let isTaken = false;
      const sent = feed.send(lines).then(() => {
        isTaken = true;
      });
      // Its answers fill the pipe, then it stops reading: it has far more than that to say.
      let before = -1;
      for (let count = 0; count !== before || count === 0; ) {
        before = count;
        await new Promise(resolve => setTimeout(resolve, 1_000));
        count = (await listedIn(open, a)).length;
      }
      assert.equal(isTaken, false);
      feed.resumeReading();
      await sent;
      assert.equal((await feed.answered(lines.length)).at(-1)?.line, lines.length);
    });

    test('ends when the reader of its answers has left, and commits no further batch', async t => {
      const { a, feed } = await begin(t, open);
      await feed.send([line(a, 'k1')]);
      await feed.answered(1);
      feed.leave();
      void feed.send(Array.from({ length: 5_000 }, (_, index) => line(a, `k_${index}`)));
      assert.equal(await feed.ended, 0);
      assert.ok((await listedIn(open, a)).length <= 1_000);
      assert.equal(feed.answers.length, 1);
    });
  },
  [sqlite],
);

describe('keyroster feed, when the store takes no writes', () => {
  test('over SQLite waits for the lock, says so once, and when it is over', async t => {
    const { url, file, organization, records } = await embeddedStore(t);
    const feed = startFeed(t, url);
    await feed.send([line(organization, 'k1')]);
    await feed.answered(1);
    const other = new DatabaseSync(file);
    atEndOf(t, () => other.close());
    other.exec('BEGIN IMMEDIATE');
    await feed.send([line(organization, 'k2')]);
    await feed.said(/trying again until it is written: database: locked by /);
    assert.equal(feed.answers.length, 1);
    other.exec('ROLLBACK');
    await feed.answered(2);
    feed.end();
    assert.equal(await feed.ended, 0);
    assert.equal(feed.stderr().match(/trying again/g)?.length, 1);
    assert.equal(feed.stderr().match(/the store takes writes again/g)?.length, 1);
    assert.equal((await records()).length, 2);
  });

  test('over PostgreSQL waits until it is back, and loses nothing', async t => {
    const store = await newStore(t);
    const writer = await store.openWriter();
    const { id } = await createOrganization(writer).finally(() => writer.close());
    const feed = startFeed(t, store.url);
    await feed.send([line(id, 'k1')]);
    await feed.answered(1);
    const { pathname } = new URL(store.url);
    const database = pathname.slice(1);
    const server = store.url.replace(pathname, '/postgres');
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`;
    await runSql(server, `ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
    await runSql(server, end);
    await feed.send([line(id, 'k2'), line(id, 'k3')]);
    await feed.said(/trying again until it is written/);
    await runSql(server, `ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
    assert.ok((await feed.answered(3)).every(({ result }) => result === 'inserted'));
    await feed.said(/the store takes writes again/);
  });
});

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  test(`keyroster feed --follow goes on after ${signal} with the first line that is not answered, over a rotation`, async t => {
    const log = await fedLog(t);
    log.write(100);
    const feed = startFeed(t, log.store.url, ['--follow', log.file]);
    await feed.answered(100);
    feed.kill(signal);
    await feed.ended;
    log.write(100);
    log.rotate();
    log.write(100);
    const again = startFeed(t, log.store.url, ['--follow', log.file]);
    // A kill may come between an answer and the position that is kept: then the first lines are answered again.
    const last = [...log.written].at(-1);
    await until('the last line is answered', () => again.answers.some(({ id }) => id === last));
    again.kill('SIGTERM');
    assert.equal(await again.ended, 0);
    if (signal === 'SIGTERM') assert.ok(again.answers.every(({ result }) => result === 'inserted'));
    assert.equal((await log.store.records()).length, 300);
  });

test('keyroster feed takes no FIFO but as standard input, which it does not follow, and says which file or position it cannot use', async t => {
  const { env, file } = await embeddedStore(t);
  const fifo = join(temporaryFolder(t), 'fifo');
  execFileSync('mkfifo', [fifo]); // its opening waits for a writer
  const refusals: [args: string[], code: 1 | 2, message: RegExp][] = [
    [[fifo], 1, /is a FIFO: give it as standard input: keyroster feed - < /],
    [['--follow', fifo], 1, /can't follow .*, as it is not a regular file: give it without --follow\n$/],
    [['-', '--follow'], 2, /^keyroster: /],
    [['missing.jsonl'], 1, /^keyroster: feed: can't read missing.jsonl: /],
    [['--follow', file, '--position', 'none/position'], 1, /ENOENT: .* name a file by --position\n$/],
    [['--follow', file, '--position', file], 1, /doesn't say how far a feed has read: name another/],
    [[file, '--position', 'position'], 2, /^keyroster: /],
  ];
  for (const [args, code, message] of refusals)
    assertFailed(await runCommand(['feed', ...args], { env }), code, message);
});
