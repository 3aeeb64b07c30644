/** PostgreSQL's own log, which Keyroster doesn't write, when an issuer writes a whole key where it doesn't belong. */
import assert from 'node:assert/strict';
import { pipeline } from 'node:stream/promises';
import { before, describe, test } from 'node:test';
import { from as copyFrom } from 'pg-copy-streams';
import { apiKeyCanary, assertNoTrace } from '../../support/canaries.ts';
import { connect } from '../../support/connect.ts';
import { type DatabaseWithRoles, databaseWithRoles, rolesFile } from '../../support/postgres-roles.ts';
import { atEndOf, suiteScope } from '../../support/scope.ts';
import { until } from '../../support/until.ts';

const { key } = apiKeyCanary();

const COLUMNS = 'organization_id, id, name, created_by_id, created_by_type, partial_key_hint';

/** The key as a hint, and at the start of a name that is too long. */
const rows = [
  ['org_1', 'apikey_1', 'Billing', 'user_1', 'user', key],
  ['org_1', 'apikey_1', `${key}${'x'.repeat(1000)}`, 'user_1', 'user', 'sk...0000'],
];

describe("PostgreSQL's log", () => {
  const scope = suiteScope();
  let database: DatabaseWithRoles;
  before(async () => {
    database = await databaseWithRoles(scope);
    await database.administrator.query(`
      INSERT INTO keyroster.organizations (id, name) VALUES ('org_1', 'One');
      INSERT INTO keyroster.api_keys (${COLUMNS})
        VALUES ('org_1', 'apikey_0', 'Zero', 'user_1', 'user', 'sk...0000')`);
  });

  test('has no key that a constraint refused to a role of deploy/postgres-roles.sql, whichever way it is written', async t => {
    const issuer = await connect(t, database.urls.issuer);
    const refusals = () => database.log().match(/ERROR: .* violates check constraint/g)?.length ?? 0;
    const before = [database.log().length, refusals()] as const;
    for (const row of rows) {
      const literals = row.map(value => `'${value}'`).join(', ');
      const [, , name, , , hint] = row;
      const into = `INTO keyroster.api_keys (${COLUMNS}) VALUES`;
      for (const written of [
        () => issuer.query(`INSERT ${into} (${literals})`),
        () => issuer.query(`INSERT ${into} ($1, $2, $3, $4, $5, $6)`, row),
        () => issuer.query(`UPDATE keyroster.api_keys SET name = '${name}', partial_key_hint = '${hint}'`),
        () => {
          const copy = issuer.query(copyFrom(`COPY keyroster.api_keys (${COLUMNS}) FROM STDIN`));
          return pipeline([`${row.join('\t')}\n`], copy);
        },
      ] satisfies (() => Promise<unknown>)[])
        await assert.rejects(written(), { code: '23514' });
    }
    await until('all refusals are in the log', () => refusals() === before[1] + 4 * rows.length);
    assertNoTrace([key], database.log().slice(before[0]), "PostgreSQL's log");
  });

  test('is told of by a warning where somebody else than a superuser runs the file', async t => {
    const [block = ''] = /DO \$\$(?:(?!DO \$\$).)*log_error_verbosity.*?END \$\$;/s.exec(rolesFile) ?? [];
    await database.administrator.query(
      'CREATE ROLE dba LOGIN CREATEROLE; ALTER ROLE keyroster_issuer RESET ALL',
    );
    atEndOf(t, () => database.administrator.query(rolesFile));
    const dba = await connect(t, await database.urlOf('dba'));
    const warnings: (string | undefined)[] = [];
    dba.on('notice', ({ message }) => warnings.push(message));
    await dba.query(block);
    assert.deepEqual(warnings, [
      'a key in a refused row may get into the log of PostgreSQL: a superuser has to run this file once',
    ]);
  });
});
