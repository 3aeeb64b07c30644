import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyrosterClient, KeyrosterError } from '../../src/client/client.ts';
import { exampleRecord } from '../support/example-record.ts';

const KIB_64 = 64 * 1024;

/** Why the client refuses this answer; `undefined`: it takes it. */
async function refusalOf(json: string, status = 200): Promise<string | undefined> {
  const headers = { 'content-type': 'application/json' };
  const fetch = async () => new Response(json, { status, headers });
  const { apiKeys } = new KeyrosterClient({
    baseUrl: 'http://127.0.0.1',
    adminKey: 'of-a-stub',
    retries: 0,
    fetch,
  });
  return apiKeys.list().then(
    () => undefined,
    error => (error instanceof KeyrosterError ? `${error.type}: ${error.message}` : String(error)),
  );
}

const { id } = exampleRecord;
/** A page of one record with a field that has this JSON. */
const pageWith = (value: string, name = '"more"') =>
  `{"data":[${JSON.stringify(exampleRecord).replace(/\}$/, `,${name}:${value}}`)}],"first_id":"${id}","last_id":"${id}","has_more":false}`;
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('a text of 64 KiB is taken, however JSON writes it, and a longer one is refused, as a name and in an error too', async () => {
  const tooLong = 'unexpected_answer_error: the answer has a text of more than 64 KiB';
  for (const [character, bytes] of [
    ['a', 1],
    ['\\"', 1],
    ['\\\\', 1],
    ['\\u0001', 1],
    ['\\ufdfa', 3],
    ['\ufdfa', 3],
    ['\u{1f511}', 4],
  ] as const) {
    const longest = character.repeat(Math.floor(KIB_64 / bytes)) + 'a'.repeat(KIB_64 % bytes);
    assert.equal(await refusalOf(pageWith(`"${longest}"`)), undefined, character);
    assert.equal(await refusalOf(pageWith(`"${longest}a"`)), tooLong, character);
    assert.equal(await refusalOf(pageWith('1', `"${longest}a"`)), tooLong, character);
  }
  assert.equal(await refusalOf(pageWith(`"${'\ufdfa'.repeat(5_000_000)}"`)), tooLong);
  const error = JSON.stringify({ error: { type: 'api_error', message: 'm'.repeat(KIB_64 + 1) } });
  assert.equal(await refusalOf(error, 400), tooLong);
});

test('a field of 32 levels is taken, and a deeper one is refused, in an error too; brackets in a text are none', async () => {
  const tooDeep = 'unexpected_answer_error: the answer has a value of more than 32 levels';
  const text = JSON.stringify(`"\\${nested(100)}\\"${'{'.repeat(100)}`);
  for (const taken of [nested(32), `[${Array(100).fill(nested(31)).join()}]`, text])
    assert.equal(await refusalOf(pageWith(taken)), undefined);
  for (const levels of [33, 3_000_000]) assert.equal(await refusalOf(pageWith(nested(levels))), tooDeep);
  assert.equal(await refusalOf(pageWith('{"a":'.repeat(33) + 1 + '}'.repeat(33))), tooDeep);
  assert.equal(await refusalOf(nested(1_000), 400), tooDeep);
});

test('what is no JSON at all is cut off, whatever it has', async () => {
  for (const text of ['"', `"${'\\'.repeat(100_001)}`, `["${'\\x'.repeat(50_000)}"]`, ']]]'])
    assert.equal(await refusalOf(text), 'network_error: the answer is cut off');
});
