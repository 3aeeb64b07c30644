import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { FIELD_NAMES, type FieldName } from '../../../../src/service/postgres/vendor-table/mapping.ts';
import type { FieldSource } from '../../../../src/service/postgres/vendor-table/source.ts';
import { expressionOf } from '../../../../src/service/postgres/vendor-table/view.ts';
import { betterAuthMapping, openBetterAuth } from '../../../support/adopted/better-auth.ts';
import { openFields, type ProposedFile, proposalFor } from '../../../support/adopted/proposals.ts';
import { examine, type VendorDatabase, vendorDatabase } from '../../../support/adopted/vendor-database.ts';
import type { MappingFile } from '../../../support/adopted/vendor-table.ts';
import { atEndOf, suiteScope } from '../../../support/scope.ts';

/** The fields that have another value in some row than with the mapping that a person made. */
async function differences(
  { client }: VendorDatabase,
  { file }: ProposedFile,
  mapping: MappingFile,
): Promise<FieldName[]> {
  const decided = FIELD_NAMES.filter(field => file.fields[field].todo === undefined);
  const sql = (field: FieldName, source: unknown) => expressionOf(field, source as FieldSource);
  const differing = decided.map(
    field =>
      `bool_or(${sql(field, file.fields[field])} IS DISTINCT FROM ${sql(field, mapping.fields[field])}) AS ${field}`,
  );
  const { rows } = await client.query(`SELECT ${differing.join(', ')} FROM ${mapping.table}`);
  return decided.filter(field => rows[0][field] !== false);
}

describe("the proposal for better-auth's own table", () => {
  const scope = suiteScope();
  let database: VendorDatabase;
  let proposal: ProposedFile;
  before(async () => {
    database = await vendorDatabase(scope);
    const auth = await openBetterAuth(database.url);
    atEndOf(scope, auth.close);
    await auth.migrate();
    const account = { email: 'a@example.com', password: randomBytes(16).toString('hex'), name: 'A' };
    const { user } = await auth.api().signUpEmail({ body: account });
    for (const prefix of [undefined, 'acme_', 'acme_'])
      await auth.api().createApiKey({ body: { userId: user.id, name: 'Key', ...(prefix && { prefix }) } });
    proposal = await proposalFor(database.url, 'public.apikey');
  });

  test('needs no edit: it means the same as the mapping that a person made', async () => {
    assert.deepEqual(await differences(database, proposal, betterAuthMapping), []);
    assert.deepEqual(await examine(database.url, proposal.file), { faults: [], warnings: [] });
  });

  test('says what a person should look at, and names the column of hashes', () => {
    const open = ['organization_id', 'created_by_id', 'status', 'last_used_at'];
    assert.deepEqual(openFields(proposal.choices), open);
    assert.deepEqual(proposal.keyColumns, [{ name: 'key', why: 'its name' }]);
  });
});
