import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preferredCoding } from '../../src/api/content-coding.ts';

const codingFor = (accepted: string | undefined) =>
  preferredCoding({ header: name => (name === 'accept-encoding' ? accepted : undefined) }, [
    'zstd',
    'br',
    'gzip',
  ]);

/** Values of `accept-encoding` (RFC 9110, section 12.5.3), with what a large answer is compressed by. */
const values: readonly (readonly [what: string, accepted: string | undefined, coding?: string])[] = [
  ['no header', undefined],
  ['an empty one', ''],
  ['one coding', 'gzip', 'gzip'],
  ["a browser's list, in any order", 'gzip, deflate, br, zstd', 'zstd'],
  ["that of Node's fetch", 'gzip, deflate', 'gzip'],
  ['upper case', 'GZIP', 'gzip'],
  ['the client likes gzip better', 'br;q=0.5, gzip;q=0.8, zstd;q=0.001', 'gzip'],
  ['the client likes two as much', 'gzip;q=0.5, br;q=0.5', 'br'],
  ['white space', ' gzip ; q=0.5 ,\tbr ', 'br'],
  ['anything', '*', 'zstd'],
  ['anything else', 'zstd;q=0, *', 'br'],
  ['nothing', '*;q=0'],
  ['nothing else', 'gzip;q=0.5, *;q=0', 'gzip'],
  ['not gzip', 'gzip;q=0'],
  ['not gzip, with a capital letter', 'gzip;Q=0'],
  ['better as it is', 'identity, gzip;q=0.5'],
  ['better not as it is', 'identity;q=0.1, gzip;q=0.5', 'gzip'],
  ['not as it is', 'identity;q=0, br', 'br'],
  ['not as it is, and nothing else', 'identity;q=0'],
  ['codings that the service lacks', 'deflate, compress, x-gzip, dcb'],
  ['a quality that is no number', 'gzip;q=much'],
  ['a negative quality', 'gzip;q=-1'],
  ['a list without commas', 'gzip br'],
  ['commas alone', ',,,'],
  ['a quote that is not closed', '"gzip'],
  ['a name of an object', '__proto__, constructor'],
  ['a list that is far too long', `${'x, '.repeat(5_000)}gzip`],
];

for (const [what, accepted, coding] of values)
  test(`${what}: ${coding ?? 'not compressed'}`, () => assert.equal(codingFor(accepted), coding));
