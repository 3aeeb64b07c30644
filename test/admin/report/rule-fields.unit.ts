import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Rule, rules } from '../../../src/admin/report/policies.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { record } from '../../support/import-file.ts';

/** What each rule is given. A rule that isn't here doesn't compile. */
const given: { readonly [Name in keyof typeof rules]: Parameters<(typeof rules)[Name]>[0] } = {
  'max-age': 1,
  'expires-within': 1,
  expired: undefined,
  'unused-for': 1,
  'no-default-workspace': undefined,
  'creators-allowed': new Set(['user_a']),
  'creators-left': { hasLeft: () => true, knows: () => true },
  'unique-names': undefined,
  'name-pattern': ['a*'],
  'max-keys-of-a-creator': 1,
};

/** The record, which tells of each field that is read. */
function watched<T extends object>(object: T, onRead: (field: string) => void): T {
  return new Proxy(object, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value === 'object' && value !== null)
        return watched(value, field => onRead(`${String(name)}.${field}`));
      onRead(String(name));
      return value;
    },
  });
}

for (const [name, value] of Object.entries(given)) {
  test(`the rule ${name} names each field that it judges by: else a key that lacks one would keep it`, () => {
    const rule = (rules[name as keyof typeof rules] as (value: unknown) => Rule)(value);
    const read = new Set<string>();
    const key = watched(record('k1') as unknown as ApiKeyRecord, field => read.add(field));
    if ('breaks' in rule) rule.breaks(key, 0, 0);
    else rule.groupOf(key);
    assert.deepEqual([...read].sort(), [...rule.fields].sort());
  });
}
