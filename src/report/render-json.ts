import { asItCame } from '../formats/readable-record.ts';
import type { Breaches } from './breaches.ts';
import type { Policy } from './policies.ts';
import type { RosterReport } from './roster-report.ts';

/** One JSON document, with the keys as they came. `breaches` is its last field, with one element per line. */
export function* renderJson(
  report: RosterReport,
  policies: readonly Policy[],
  breaches: Breaches,
): Generator<string> {
  yield headJson(report, policies, breaches);
  let separator = '\n    ';
  for (const policy of policies) {
    const { name, level } = policy;
    const start = `${JSON.stringify({ policy: name, level }).slice(0, -'}'.length)},"api_key":`;
    for (const batch of breaches.jsonOf(policy)) {
      yield separator + batch.map(json => `${start}${json}}`).join(',\n    ');
      separator = ',\n    ';
    }
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
  const oldest_active_keys = report.oldest_active_keys.map(asItCame);
  const head = JSON.stringify({ ...report, oldest_active_keys, policies: counts }, null, 2);
  return `${head.slice(0, -'\n}'.length)},\n  "breaches": [`;
}
