/** Generated query strings: a filter with a mistake must never silently list everything. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { ApiError } from '../../../src/service/api/errors.ts';
import { openApiDocument } from '../../../src/service/api/openapi.ts';
import { parseListQuery } from '../../../src/service/api/parse-list-query.ts';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { anyCharacter } from '../../support/arbitraries.ts';
import { VENDOR } from '../../support/roster.ts';
import { rounds } from '../../support/rounds.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly type?: string };
}

const ajv = new Ajv2020({ strictSchema: false });
const document = JSON.parse(JSON.stringify(openApiDocument(VENDOR)));
const parameters = (document.paths[LIST_API_KEYS_PATH].get.parameters as Parameter[]).filter(
  each => each.in === 'query',
);
const rules = new Map(
  parameters.map(({ name, schema }) => {
    const isValid = ajv.compile(schema);
    // A number in a URL must be plain decimal digits, which the document can't express.
    const asValue = (text: string) =>
      schema.type === 'integer' && /^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : text;
    return [name, (text: string) => isValid(asValue(text))];
  }),
);

/** Whether it follows the OpenAPI document. */
function isGood(queryString: string): boolean {
  // The "&" keeps URLSearchParams from dropping a "?" at the start.
  const pairs = [...new URLSearchParams(`&${queryString}`)].filter(([name]) => name !== 'beta');
  const names = pairs.map(([name]) => name);
  const isEncoded = (pair: string) => {
    try {
      return pair.startsWith('beta=') || decodeURIComponent(pair) !== undefined;
    } catch {
      return false;
    }
  };
  return (
    queryString.split('&').every(isEncoded) &&
    new Set(names).size === names.length &&
    !(names.includes('after_id') && names.includes('before_id')) &&
    pairs.every(([name, value]) => rules.get(name)?.(value))
  );
}

const known = fc.constantFrom(...rules.keys());
const typo = fc
  .tuple(known, fc.nat(17), fc.constantFrom('', 'x', '_', 'A', '%20', '[]'))
  .map(([name, at, instead]) => name.slice(0, at) + instead + name.slice(at + 1));
const encoded = fc.string({ unit: anyCharacter, maxLength: 8 }).map(encodeURIComponent);
const junk = fc.string({ unit: 'binary-ascii', maxLength: 8 });
const misEncoded = fc.constantFrom('%', '%2', '%zz', 'a%', '%C3', '%E0%A4', '%ff', '%ED%A0%80', '%u0041');
const number = fc.oneof(fc.integer().map(String), fc.double().map(String), fc.bigInt().map(String));
const numberLike = fc.constantFrom(
  ...['2024-01-01', '2024-01-01T00:00:00', '2024-01-01T00:00:00.1234567Z', '2024-01-01T00:00:00+01:00'],
  ...['0', '1001', '-1', '+5', '1.0', '1e3', '020', ' 5', '0x10', '5,', '١', '５'],
);
const good = fc.constantFrom(
  '5',
  '1000',
  'active',
  'archived',
  'apikey_1',
  'k',
  '1',
  'k'.repeat(255),
  'auth0%7C6507',
  'a/b',
  '2024-02-29T00:00:00Z',
  '2024-01-01t00:00:00.123456-01:00',
);

const name = fc.oneof({ weight: 6, arbitrary: known }, typo, encoded, junk, misEncoded, fc.constant('beta'));
const value = fc.oneof({ weight: 3, arbitrary: good }, encoded, junk, misEncoded, number, numberLike);
const pair = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(name, value).map(([left, right]) => `${left}=${right}`) },
  name,
  junk,
);
const queryString = fc.array(pair, { maxLength: 5 }).map(pairs => pairs.join('&'));

test('a query string is accepted exactly when it follows the OpenAPI document, else refused in a short, printable message', () => {
  const property = fc.property(queryString, text => {
    const message = messageOf(text);
    assert.equal(message === null, isGood(text));
    if (message !== null) assert.match(message, /^[ -~]{1,1000}$/);
  });
  fc.assert(property, { numRuns: rounds(3_000) });
});

/** The parser's error message; `null` when it accepts the query string. */
function messageOf(text: string): string | null {
  try {
    parseListQuery(text);
    return null;
  } catch (error) {
    assert(error instanceof ApiError && error.status === 400);
    return error.message;
  }
}
