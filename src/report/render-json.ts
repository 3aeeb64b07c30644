import type { Breaches } from './breaches.ts';
import type { Policy } from './policies.ts';
import type { RosterReport } from './roster-report.ts';

/** One JSON document. `breaches` is its last field, with one element per line. */
export function* renderJson(
  report: RosterReport,
  policies: readonly Policy[],
  breaches: Breaches,
): Generator<string> {
  const counts = policies.map(policy => ({
    policy: policy.name,
    breach: policy.breach,
    breaches: breaches.count(policy),
  }));
  const head = JSON.stringify({ ...report, policies: counts }, null, 2);
  yield `${head.slice(0, -'\n}'.length)},\n  "breaches": [`;
  let separator = '\n    ';
  for (const batch of breaches) {
    yield separator + batch.map(breach => JSON.stringify(breach)).join(',\n    ');
    separator = ',\n    ';
  }
  yield breaches.total > 0 ? '\n  ]\n}\n' : ']\n}\n';
}
