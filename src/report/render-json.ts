import type { Breach, Breaches } from './breaches.ts';
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
    level: policy.level,
    breach: policy.breach,
    breaches: breaches.count(policy),
  }));
  const head = JSON.stringify({ ...report, policies: counts }, null, 2);
  yield `${head.slice(0, -'\n}'.length)},\n  "breaches": [`;
  let separator = '\n    ';
  for (const batch of breaches) {
    yield separator + batch.map(breachJson).join(',\n    ');
    separator = ',\n    ';
  }
  yield breaches.total() > 0 ? '\n  ]\n}\n' : ']\n}\n';
}

const breachJson = ({ policy: { name, level }, api_key }: Breach) =>
  JSON.stringify({ policy: name, level, api_key });
