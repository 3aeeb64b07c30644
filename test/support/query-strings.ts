/** Generated query strings of the operation, good and bad. */
import fc from 'fast-check';
import { anyCharacter } from './arbitraries.ts';

const isId = (value: string) => /^[\w-]{1,128}$/.test(value) && !value.includes('\n');
const isValue: Record<string, (value: string) => boolean> = {
  limit: value => Number(value) >= 1 && Number(value) <= 1000 && String(Math.floor(Number(value))) === value,
  after_id: isId,
  before_id: isId,
  workspace_id: isId,
  created_by_user_id: isId,
  status: value => ['active', 'inactive', 'archived'].includes(value),
};

/** The oracle. A badly encoded value is decoded here to one with "%" or U+FFFD, which no rule allows. */
export function isGood(queryString: string): boolean {
  // The "&" keeps URLSearchParams from dropping a "?" at the start.
  const pairs = [...new URLSearchParams(`&${queryString}`)].filter(([name]) => name !== 'beta');
  const names = pairs.map(([name]) => name);
  return (
    new Set(names).size === names.length &&
    !(names.includes('after_id') && names.includes('before_id')) &&
    pairs.every(([name, value]) => Object.hasOwn(isValue, name) && isValue[name]?.(value))
  );
}

const names = Object.keys(isValue);
const known = fc.constantFrom(...names);
const typo = fc.tuple(known, fc.nat(17), fc.constantFrom('', 'x', '_', 'A', '%20', '[]')).map(
  ([name, at, instead]) => name.slice(0, at) + instead + name.slice(at + 1), //
);
const encoded = fc.string({ unit: anyCharacter, maxLength: 8 }).map(encodeURIComponent);
const junk = fc.string({ unit: 'binary-ascii', maxLength: 8 });
const misEncoded = fc.constantFrom('%', '%2', '%zz', 'a%', '%C3', '%E0%A4', '%ff', '%ED%A0%80', '%u0041');
const number = fc.oneof(fc.integer().map(String), fc.double().map(String), fc.bigInt().map(String));
const NUMBER_LIKE = ['0', '1001', '-1', '+5', '1.0', '1e3', '020', ' 5', '0x10', '5,', '١', '５'];
export const numberLike = fc.constantFrom(...NUMBER_LIKE);
const good = fc.constantFrom('5', '1000', 'active', 'archived', 'apikey_1', 'k', '1');

const name = fc.oneof({ weight: 6, arbitrary: known }, typo, encoded, junk, misEncoded, fc.constant('beta'));
const value = fc.oneof({ weight: 3, arbitrary: good }, encoded, junk, misEncoded, number, numberLike);
const pair = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(name, value).map(([left, right]) => `${left}=${right}`) },
  name,
  junk,
);
export const queryString = fc.array(pair, { maxLength: 5 }).map(pairs => pairs.join('&'));
export const badQueryString = queryString.filter(text => !isGood(text));
