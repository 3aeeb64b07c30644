import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../src/service/postgres/connecting/connection.ts';
import { parsePostgresUrl } from '../../../../src/service/postgres/connecting/url.ts';
import { newStore } from '../../../support/opened.ts';

test('a connection is closed that says a statement has more rows: each answer after that would be the one before it', async t => {
  const { url } = await newStore(t);
  const client = await connect(parsePostgresUrl(url), { maxAnswerBytes: 1_000_000 });
  const partly = { text: 'SELECT generate_series(1, 3)', rows: 1 };
  await assert.rejects(client.query(partly), /^Error: Connection terminated/);
});
