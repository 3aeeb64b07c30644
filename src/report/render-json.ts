import type { Breaches } from './breaches.ts';
import type { Policy } from './policies.ts';
import type { RosterReport } from './roster-report.ts';

/** One JSON document; `breaches` stands last, an element a line. */
export async function* renderJson(
  report: RosterReport,
  policies: readonly Policy[],
  breaches: Breaches,
): AsyncGenerator<string> {
  const counts = policies.map(policy => ({
    policy: policy.name,
    breach: policy.breach,
    breaches: breaches.count(policy),
  }));
  const head = JSON.stringify({ ...report, policies: counts }, null, 2);
  yield `${head.slice(0, -'\n}'.length)},\n  "breaches": [`;
  let separator = '\n    ';
  for await (const batch of breaches) {
    yield separator + batch.map(breach => JSON.stringify(breach)).join(',\n    ');
    separator = ',\n    ';
  }
  yield breaches.total > 0 ? '\n  ]\n}\n' : ']\n}\n';
}
