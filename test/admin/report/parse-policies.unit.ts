import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import { Directory } from '../../../src/admin/directory/directory.ts';
import { parsePolicies } from '../../../src/admin/report/parse-policies.ts';
import { RULE_NAMES } from '../../../src/admin/report/rules.ts';
import { problemTexts } from '../../../src/shared/record/faults.ts';
import { blocksIn } from '../../support/doc-blocks.ts';

const json = (path: string) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
const schema = json('docs/policies.schema.json');
const isValid = new Ajv({ allErrors: true }).compile(schema);

const directory = new Directory([{ id: 'user_a' }]);

function faultsOf(policies: unknown): string[] {
  const parsed = parsePolicies({ policies }, directory);
  return 'faults' in parsed ? problemTexts(parsed.faults) : [];
}

describe('a policies file', () => {
  test('each fault names its place, the rule, and the member that a mistyped one resembles, and breaks the schema too', () => {
    const age = { name: 'a', rule: 'max-age', days: 1 };
    const of = (parts: object) => [{ ...age, ...parts }];
    const faults: [policies: unknown, ...expected: string[]][] = [
      [undefined, ': is missing: must be a list of 1 to 25'],
      [[], ': must be a list of 1 to 25'],
      [[null], '[0]: must be a JSON object'],
      [[age, age], '[1].name: is that of policies[0] too: give each its own'],
      [of({ name: 'A b' }), '[0].name: must be 1 to 64 of a-z 0-9 -, and not begin with -'],
      [of({ days: 1.5 }), '[0].days: must be a whole number from 0 to 99999'],
      [of({ dayz: 3 }), '[0].dayz: unknown member, did you mean days?'],
      [
        of({ days: undefined, max: 3 }),
        '[0].days: is missing: must be a whole number from 0 to 99999',
        '[0].max: unknown member',
      ],
      [of({ level: 'error' }), '[0].level: must be one of fail, warn'],
      [of({ keys: { status: ['actve'] } }), '[0].keys.status[0]: must be one of active, inactive, archived'],
      [of({ keys: { workspace: [null] } }), '[0].keys.workspace: unknown member, did you mean workspace_id?'],
      [
        of({ exceptions: [{ key: 'k1', reason: 'x', until: '2027-03-01', untill: 1 }] }),
        '[0].exceptions[0].untill: unknown member, did you mean until?',
      ],
      [
        of({ keys: { workspace_id: [null, 'a b'] } }),
        '[0].keys.workspace_id[1]: must be null for the default workspace, or an ID: must be 1 to 255 of visible ASCII but " \\ < >, and not look like a hash of a key',
      ],
      [
        [{ name: 'a', rule: 'name-pattern', patterns: ['a*', ''] }],
        '[0].patterns[1]: must be a text of 1 to 200 characters',
      ],
      [[{ name: 'a', rule: 'creators-left', creators: [] }], '[0].creators: must be a list of 1 to 10000'],
      [
        [{ name: 'a', rule: 'creators-left' }],
        '[0].creators: is missing: give the IDs, or a directory that tells who has left',
      ],
      [of({ rule: 'maximum-age' }), `[0].rule: must be one of ${RULE_NAMES.join(', ')}`],
    ];
    for (const [policies, ...expected] of faults) {
      assert.deepEqual(
        faultsOf(policies),
        expected.map(fault => `policies${fault}`),
      );
      assert.equal(
        isValid({ policies }),
        /is that of|a directory/.test(String(expected)),
        `the schema: ${expected}`,
      );
    }
  });

  test('a fault repeats no value', () => {
    const secret = 'vendor-admin01-abcdefghijklmnop123456789';
    const policy = {
      name: secret,
      rule: secret,
      level: secret,
      keys: { status: [secret], [secret]: 1 },
      [secret]: 1,
    };
    const creators = { name: 'c', rule: 'creators-left', creators: [`${secret} x`], [secret]: 1 };
    const faults = [...faultsOf([policy, creators]), ...faultsOf(secret)];
    assert(faults.length > 6);
    assert(!faults.join().includes('abcdef'));
  });

  test('is right, and keeps to the schema, as the example and in docs/admin.md', () => {
    const block = blocksIn('docs/admin.md').find(({ text }) => text.startsWith('{\n  "policies"'));
    for (const right of [json('examples/policies.json'), JSON.parse(String(block?.text))]) {
      const faults = faultsOf(right.policies);
      assert.deepEqual(faults, []);
      assert(isValid(right), JSON.stringify(isValid.errors));
    }
  });
});

test('docs/admin.md and the schema have each rule of a policy', () => {
  assert.deepEqual(schema.definitions.policy.properties.rule.enum, RULE_NAMES);
  const page = readFileSync(new URL('../../../docs/admin.md', import.meta.url), 'utf8');
  for (const rule of RULE_NAMES) assert(page.includes(`\n| \`${rule}\` | `), rule);
});
