/** The own transactions of libraries that are installed from their registries, so this isn't in npm test. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { blocksIn } from '../../support/doc-blocks.ts';
import { install } from '../../support/installed-package.ts';
import { adapter, type IssuingLibrary } from '../../support/issuing-libraries.ts';
import { newStore } from '../../support/opened.ts';
import { describeOwnTransaction } from '../../support/own-transaction.ts';
import { now } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';
import { suiteScope, temporaryFolder } from '../../support/scope.ts';
import type { TestStore } from '../../support/stores.ts';

const run = promisify(execFile);
const PACKAGES = ['pg@8.23.1', 'knex@3.3.0', 'typeorm@1.1.1', 'reflect-metadata@0.2.2', 'sequelize@6.37.8'];
const PSYCOPG = 'psycopg[binary]==3.3.4';
const INSERT = `INSERT INTO issued_keys VALUES ('ID', '')`;

// biome-ignore lint/suspicious/noExplicitAny: the packages aren't dependencies, so their types aren't there
type Library = any;

describe('libraries of npm', async () => {
  const folder = temporaryFolder(suiteScope());
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const problem = await install(folder, PACKAGES);
  if (problem) return test(problem, { skip: true }, () => {});
  const installed: (name: string) => Library = createRequire(join(folder, 'package.json'));
  const [inKnex, inTypeOrm] = [await adapter('knex'), await adapter('typeorm')];
  const inSequelize = await adapter('sequelize');

  const libraries: readonly IssuingLibrary[] = [
    {
      name: 'Knex',
      inTransaction: async (url, work) => {
        const knex = installed('knex')({ client: 'pg', connection: url });
        try {
          return await knex.transaction((trx: Library) =>
            work({
              transaction: inKnex(trx),
              insertOwn: async id => trx('issued_keys').insert({ id, digest: '' }),
            }),
          );
        } finally {
          await knex.destroy();
        }
      },
    },
    {
      name: 'TypeORM',
      inTransaction: async (url, work) => {
        const source = await new (installed('typeorm').DataSource)({ type: 'postgres', url }).initialize();
        try {
          return await source.transaction((manager: Library) =>
            work({
              transaction: inTypeOrm(manager),
              insertOwn: id => manager.query(INSERT.replace('ID', id)),
            }),
          );
        } finally {
          await source.destroy();
        }
      },
    },
    {
      name: 'Sequelize',
      inTransaction: async (url, work) => {
        const sequelize = new (installed('sequelize').Sequelize)(url, { logging: false });
        try {
          return await sequelize.transaction((transaction: Library) =>
            work({
              transaction: inSequelize(transaction),
              insertOwn: id => sequelize.query(INSERT.replace('ID', id), { transaction }),
            }),
          );
        } finally {
          await sequelize.close();
        }
      },
    },
  ];
  for (const library of libraries) describeOwnTransaction(library);
});

describe('psycopg, by SQL', async () => {
  const scope = suiteScope();
  const folder = temporaryFolder(scope);
  const python = join(folder, 'venv/bin/python');
  const problem = await run('python3', ['-m', 'venv', 'venv'], { cwd: folder })
    .then(() => run(python, ['-m', 'pip', 'install', '--quiet', PSYCOPG], { cwd: folder, timeout: 300_000 }))
    .then(
      () => null,
      (error: Error) => `nothing was tested: pip can't install ${PSYCOPG}: ${error.message.split('\n')[1]}`,
    );
  if (problem) return test(problem, { skip: true }, () => {});
  const program = blocksIn('docs/issuing.md').find(({ text }) => text.startsWith('import os, psycopg'))?.text;
  let store: TestStore;
  before(async () => {
    store = await newStore(scope);
    const operator = await store.openWriter();
    await operator
      .createOrganization({ id: 'org_example' as OrganizationId, name: 'Example Ltd', createdAt: now() })
      .finally(() => operator.close());
    await runSql(store.url, 'CREATE TABLE issued_keys (id text PRIMARY KEY, digest text NOT NULL)');
  });
  const rows = async () => [
    await runSql(store.url, 'SELECT id FROM issued_keys'),
    await runSql(store.url, 'SELECT id FROM keyroster.api_keys'),
  ];
  const runs = (code: string) => {
    writeFileSync(join(folder, 'example.py'), code);
    return run(python, ['example.py'], {
      cwd: folder,
      env: { ...process.env, KEYROSTER_DATABASE_URL: store.url },
    });
  };

  test('neither row is there when the program raises, or when one of them is refused', async () => {
    await assert.rejects(runs(`${program}    raise SystemExit("changed its mind")\n`), /changed its mind/);
    await assert.rejects(runs(String(program).replace('...hers', 'ButAllOfIt')), /CheckViolation/);
    assert.deepEqual(await rows(), [[], []]);
  });

  test('both rows are there when it ends', async () => {
    await runs(String(program));
    assert.deepEqual(await rows(), [[{ id: 'apikey_5' }], [{ id: 'apikey_5' }]]);
  });
});
