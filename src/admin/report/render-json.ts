import type { Breaches } from './breaches.ts';
import type { Policy } from './policies.ts';
import { asItCame } from './readable-record.ts';
import type { RosterReport } from './roster-report.ts';

/** One JSON document, with the keys as they came. `breaches` is its last field, with one element per line. */
export function* renderJson(
  report: RosterReport,
  policies: readonly Policy[],
  breaches: Breaches,
): Generator<string> {
  yield* headJson(report, policies, breaches);
  let separator = '\n    ';
  for (const policy of policies) {
    const { name, level } = policy;
    const start = `${JSON.stringify({ policy: name, level }).slice(0, -'}'.length)},"api_key":`;
    for (const batch of breaches.of(policy)) {
      yield separator + batch.map(key => `${start}${JSON.stringify(asItCame(key))}}`).join(',\n    ');
      separator = ',\n    ';
    }
  }
  yield breaches.total() > 0 ? '\n  ]\n}\n' : ']\n}\n';
}

/** All but the breaches, member by member: there may be 100,000 creators, which as one text take much memory. */
function* headJson(report: RosterReport, policies: readonly Policy[], breaches: Breaches): Generator<string> {
  const counts = policies.map(policy => ({
    policy: policy.name,
    level: policy.level,
    breach: policy.breach,
    breaches: breaches.count(policy),
    unjudged: Object.fromEntries(breaches.unjudged(policy)),
  }));
  const oldest_active_keys = report.oldest_active_keys.map(asItCame);
  yield '{';
  for (const [name, value] of Object.entries({ ...report, oldest_active_keys, policies: counts })) {
    yield `\n  ${JSON.stringify(name)}: `;
    if (Array.isArray(value) && value.length > 0) yield* listJson(value);
    else yield indentedJson(value);
    yield ',';
  }
  yield '\n  "breaches": [';
}

const MAX_ITEMS = 1_000;

function* listJson(items: readonly unknown[]): Generator<string> {
  for (let first = 0; first < items.length; first += MAX_ITEMS) {
    const json = indentedJson(items.slice(first, first + MAX_ITEMS));
    yield (first === 0 ? '[' : ',') + json.slice('['.length, -'\n  ]'.length);
  }
  yield '\n  ]';
}

const indentedJson = (value: unknown) => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
