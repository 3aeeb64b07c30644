import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FoundKeys } from '../../../src/admin/find/found-keys.ts';
import { idsInText } from '../../../src/admin/find/ids-in-text.ts';
import { questionOf } from '../../../src/admin/find/question.ts';
import { knownOf } from '../../../src/admin/find/roster-forms.ts';
import { record } from '../../support/import-file.ts';

const KEY = 'sk-ven-api03-Zz9q8mZrT4xVb7Lw1KjYh9NcE5sPaU3fGo6xyzq';
const ids = [
  'key:prod/eu|6507f2a1c3d4e5f60718293b',
  'gid://shop/ApiKey/42',
  'k~1',
  'user.7@mail.example.com',
];
const keys = [...ids, '4711', 'other_1'].map(id => record(id)) as never[];

test('an ID with any of its characters is found in a text, and neither a number nor a full key is taken for one', () => {
  const known = knownOf(keys);
  for (const text of [
    `the key ${ids[0]} is leaked, and ${ids[1]}, "${ids[2]}" too. So ${ids[3]}.`,
    `{"ids":["${ids.join('","')}"],"count":4711}`,
    `A=${ids[0]}\nB='${ids[1]}'\n${ids[2]};${ids[3]}\n4711 ${KEY}`,
  ]) {
    const question = questionOf(text, known);
    assert(question);
    const found = new FoundKeys(question, idsInText(text, known));
    found.look(keys);
    assert.deepEqual(found.exact.map(({ key }) => key.id).toSorted(), ids.toSorted());
  }
  assert(!idsInText(`it is ${KEY} now`, known).has(KEY));
});
