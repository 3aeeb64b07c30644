import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ApiKeyRecord } from '../../src/client/client.ts';
import { ActiveAges } from '../../src/report/active-ages.ts';
import { DAY_MS } from '../../src/report/age.ts';
import { maxAge } from '../../src/report/policies.ts';
import { exampleRecord } from '../support/example-record.ts';

/** Of a year old: exactly, more and less. */
const TO_THE_MICROSECOND: [days: number, off: number][] = [
  [365, 0],
  [365, 1],
  [365, -1],
];

test('as many are older as a filter finds, also at the exact bound, in chunks of ages that come in any order', () => {
  const MICROSECOND_MS = 0.001;
  const days = fc.integer({ min: 0, max: 800 });
  const nearADay = fc.tuple(days, fc.constantFrom(-1, 0, 1));
  const ages = fc.array(nearADay, { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(ages, fc.integer({ min: 1, max: 600 }), days, (few, times, threshold) => {
      const all = Array.from({ length: times }, () =>
        few.map(([day, off]) => day * DAY_MS + off * MICROSECOND_MS),
      ).flat();
      const activeAges = new ActiveAges();
      for (const ageMs of all) activeAges.add(ageMs);
      const breaches = all.filter(ageMs => maxAge(threshold).breaks(exampleRecord as ApiKeyRecord, ageMs));
      assert.equal(activeAges.olderThan(threshold * DAY_MS), breaches.length);
      const exactly = all[0] as number;
      assert.equal(activeAges.olderThan(exactly), all.filter(ageMs => ageMs > exactly).length);
    }),
    { examples: [[TO_THE_MICROSECOND, 3_000, 365]] },
  );
});
