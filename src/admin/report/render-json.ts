import { asItCame } from './readable-record.ts';
import type { ReportView } from './report-view.ts';
import { breachesByPerson } from './worklist.ts';

/** One JSON document, with the keys as they came. `breaches` is its last field, with one element per line. */
export function* renderJson(view: ReportView): Generator<string> {
  const { breaches } = view;
  yield* headJson(view);
  let separator = '\n    ';
  for (const policy of breaches.policies) {
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
function* headJson({ report, breaches }: ReportView): Generator<string> {
  const counts = breaches.policies.map(policy => ({
    policy: policy.name,
    level: policy.level,
    breach: policy.breach,
    breaches: breaches.count(policy),
    excused: breaches.excused(policy),
    unjudged: Object.fromEntries(breaches.unjudged(policy)),
    remarks: breaches.remarks(policy),
  }));
  const breaches_by_creator = breachesByPerson(breaches).map(({ creator, keys, policies }) => ({
    creator,
    keys,
    policies: Object.fromEntries(Array.from(policies, ([{ name }, count]) => [name, count])),
  }));
  const oldest_active_keys = report.oldest_active_keys.map(asItCame);
  yield '{';
  for (const [name, value] of Object.entries({
    ...report,
    oldest_active_keys,
    policies: counts,
    breaches_by_creator,
  })) {
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
