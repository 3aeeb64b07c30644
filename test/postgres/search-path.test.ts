import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startIssuer } from '../support/issuer.ts';

/** Functions and operators that shadow the ones used by the rules, and return wrong results. */
const SHADOWING_SCHEMA = `
  CREATE SCHEMA shadow;
  CREATE FUNCTION shadow.to_json(text) RETURNS text LANGUAGE sql RETURN '"x","partial_key_hint":"sk-ven-whole-key"';
  CREATE FUNCTION shadow.to_char(timestamp, text) RETURNS text LANGUAGE sql RETURN 'never';
  CREATE FUNCTION shadow.no(text, text) RETURNS boolean LANGUAGE sql RETURN false;
  CREATE OPERATOR shadow.= (LEFTARG = text, RIGHTARG = text, FUNCTION = shadow.no);
  CREATE OPERATOR shadow.<> (LEFTARG = text, RIGHTARG = text, FUNCTION = shadow.no);
  CREATE OPERATOR shadow.~ (LEFTARG = text, RIGHTARG = text, FUNCTION = shadow.no);
  SET search_path = shadow, pg_catalog`;

test("an issuer's own schema changes neither the record nor the rules", async t => {
  const issuer = await startIssuer(t);
  await issuer.query(SHADOWING_SCHEMA);
  await issuer.insert({ name: 'Key', status: 'archived', created_at: '2024-10-30 23:58:27.427722Z' });
  const [record] = await issuer.listed();
  assert.equal(record?.name, 'Key');
  assert.equal(record?.created_at, '2024-10-30T23:58:27.427722Z');
  assert.equal(record?.partial_key_hint, 'sk-ven-api03-R2D...igAA');

  const update = (change: string) => issuer.query(`UPDATE keyroster.api_keys SET ${change}`);
  await assert.rejects(update("status = 'active'"), { message: 'archived is final' });
  await assert.rejects(update("created_by_id = 'user_2'"), /never change/);
  await assert.rejects(update("partial_key_hint = 'sk-ven-whole-key'"), /api_keys_partial_key_hint_check/);
  await assert.rejects(issuer.query('DELETE FROM keyroster.api_keys'), /never deleted/);
  assert.deepEqual(await issuer.listed(), [record]);
});
