import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Breaches } from '../../../src/admin/report/breaches.ts';
import { ownPolicies } from '../../../src/admin/report/parse-policies.ts';
import type { Policy } from '../../../src/admin/report/policies.ts';
import { renderHtml } from '../../../src/admin/report/render-html.ts';
import { renderJson } from '../../../src/admin/report/render-json.ts';
import { ReportBuilder } from '../../../src/admin/report/report-builder.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { exampleRecord } from '../../support/example-record.ts';

test('an HTML report stays below 2 MB however many keys break policies, and says where all of them are', () => {
  const now = new Date();
  const exceptions = Array.from({ length: 1_000 }, (_, number) => ({
    key: `apikey_02${number}`,
    reason: '한'.repeat(500),
    until: '9000-01-01',
  }));
  const policies = ownPolicies(
    Array.from({ length: 12 }, (_, days) => ({ name: `p${days}`, rule: 'max-age', days, exceptions })),
  );
  const breaches = new Breaches(policies, now);
  const builder = new ReportBuilder(now);
  for (let number = 0; number < 20_000; number += 1) {
    const key = { ...exampleRecord, id: `apikey_01${number}`, name: '한'.repeat(1_000) } as ApiKeyRecord;
    builder.add(key);
    breaches.add([key]);
  }
  const view = { report: builder.report(), breaches, source: 'the service', madeBy: [] };
  const html = [...renderHtml(view)].join('');
  assert(Buffer.byteLength(html) < 2e6, `${Buffer.byteLength(html)} bytes`);
  assert.match(html, /<p>the first 166 of 20,000; all are in the report as --format csv<\/p>/);
  assert.match(html, /<li>and 980 more<\/li>/);
  for (const heading of ['keys', 'active', 'days'])
    assert.match(html, RegExp(`class="number">${heading}</th>`), 'it stands over its numbers');
  assert.match(
    html,
    /\nth, td \{[^}]* overflow: clip; \}/,
    'a name of combining marks would draw over others',
  );
});

test('the JSON report in pieces is that of the whole, with many groups as with none', () => {
  for (const count of [0, 2_500]) {
    const [policy] = ownPolicies([{ name: 'old', rule: 'max-age', days: 1 }]) as [Policy];
    const builder = new ReportBuilder(new Date());
    const breaches = new Breaches([policy], new Date());
    const keys = Array.from({ length: count }, (_, number) => ({
      ...(exampleRecord as ApiKeyRecord),
      created_by: { id: `user_${number}\n`, type: 'user' as const },
    }));
    for (const key of keys) builder.add(key);
    const report = builder.report();
    const { name, level, breach } = policy;
    const nothing = { breaches: 0, excused: 0, unjudged: {}, remarks: [] };
    const json = [...renderJson({ report, breaches, source: 'a file', madeBy: [] })].join('');
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
