import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Breaches } from '../../../src/admin/report/breaches.ts';
import { ownPolicies } from '../../../src/admin/report/parse-policies.ts';
import type { Policy } from '../../../src/admin/report/policies.ts';
import { renderJson } from '../../../src/admin/report/render-json.ts';
import { ReportBuilder } from '../../../src/admin/report/report-builder.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { exampleRecord } from '../../support/example-record.ts';

test('the JSON report in pieces is that of the whole, with many groups as with none', () => {
  for (const count of [0, 2_500]) {
    const [policy] = ownPolicies([{ name: 'old', rule: 'max-age', days: 1 }]) as [Policy];
    const builder = new ReportBuilder(new Date());
    const breaches = new Breaches([policy], new Date());
    const keys = Array.from({ length: count }, (_, number) => ({
      ...(exampleRecord as ApiKeyRecord),
      created_by: { id: `user_${number}\n`, type: 'user' as const },
    }));
    for (const key of keys) builder.add(key, 0);
    const report = builder.report();
    const { name, level, breach } = policy;
    const nothing = { breaches: 0, excused: 0, unjudged: {}, remarks: [] };
    const json = [...renderJson({ report, breaches })].join('');
    const whole = {
      ...report,
      policies: [{ policy: name, level, breach, ...nothing }],
      breaches_by_creator: [],
      breaches: [],
    };
    assert.deepEqual(JSON.parse(json), whole);
    assert(Math.max(...json.split('\n').map(({ length }) => length)) < 1_000);
  }
});
