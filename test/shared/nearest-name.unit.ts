import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameMeant } from '../../src/shared/nearest-name.ts';

test('a name is meant that is a few changes away: a letter more, less or another, or two that are swapped', () => {
  for (const given of ['port', 'PORT', 'prot', 'oprt', 'potr', 'ports', 'por', 'pOrd'])
    assert.equal(nameMeant(given, ['host', 'port', 'workers']), 'port', given);
});

test('of two that are as near, the first one is meant', () => {
  assert.equal(nameMeant('best', ['test', 'rest']), 'test');
});

test('the start of one name means it, and that of two means neither', () => {
  assert.equal(nameMeant('work', ['host', 'port', 'workers']), 'workers');
  assert.equal(nameMeant('created', ['created_from', 'created_before']), undefined);
});

test('a name that is like none means none', () => {
  for (const given of ['', 'x', 'trop', '__proto__'])
    assert.equal(nameMeant(given, ['port']), undefined, given);
  assert.equal(nameMeant('port', []), undefined);
});
