import type { Breach, Breaches } from './breaches.ts';
import type { Policy } from './policies.ts';
import type { RosterReport } from './roster-report.ts';

/** One JSON document. `breaches` is its last field, with one element per line. */
export function* renderJson(
  report: RosterReport,
  policies: readonly Policy[],
  breaches: Breaches,
): Generator<string> {
  yield headJson(report, policies, breaches);
  let separator = '\n    ';
  for (const batch of breaches) {
    yield separator + batch.map(breachJson).join(',\n    ');
    separator = ',\n    ';
  }
  yield breaches.total() > 0 ? '\n  ]\n}\n' : ']\n}\n';
}

/** All but the breaches. A function of its own, so that nobody keeps its text, which may be long, while breaches are printed. */
function headJson(report: RosterReport, policies: readonly Policy[], breaches: Breaches): string {
  const counts = policies.map(policy => ({
    policy: policy.name,
    level: policy.level,
    breach: policy.breach,
    breaches: breaches.count(policy),
  }));
  const head = JSON.stringify({ ...report, policies: counts }, null, 2);
  return `${head.slice(0, -'\n}'.length)},\n  "breaches": [`;
}

const breachJson = ({ policy: { name, level }, api_key }: Breach) =>
  JSON.stringify({ policy: name, level, api_key });
