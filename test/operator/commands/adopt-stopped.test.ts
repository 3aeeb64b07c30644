import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { databaseWithSimpleTable, mappingJson, TABLE } from '../../support/adopted/simple-table.ts';
import { indexesOf } from '../../support/adopted/vendor-database.ts';
import { startKeyroster } from '../../support/command-line.ts';
import { connect } from '../../support/connect.ts';
import { temporaryFolder } from '../../support/scope.ts';

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`adopt --apply that is stopped by ${signal} leaves no broken index`, async t => {
    const { url, client } = await databaseWithSimpleTable(t);
    const file = join(temporaryFolder(t), 'keyroster.table.json');
    writeFileSync(file, JSON.stringify(mappingJson));
    const reporting = await connect(t, url);
    await reporting.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await reporting.query('SELECT FROM pg_class');
    const running = startKeyroster(t, ['adopt', '--mapping', file, '--apply', '--database', url]);
    for (let isWaiting = false; !isWaiting; await setTimeout(10)) {
      const { rows } = await client.query(`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'CREATE INDEX CONCURRENTLY%'`);
      isWaiting = rows.length > 0;
    }
    const { exitCode, stdout, stderr } = await running.stop(signal);
    assert.deepEqual([exitCode, stdout], [1, '']);
    assert.match(
      stderr,
      /keyroster: adopt: could not make the index .*What was done before stays: run it again\n$/,
    );
    assert.deepEqual(await indexesOf(client, TABLE), [{ name: 'apikey_pkey', isValid: true }]);
  });
