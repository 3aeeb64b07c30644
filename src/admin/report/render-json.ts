import type { ReportView } from './report-view.ts';
import { breachesByPerson } from './worklist.ts';

/** One JSON document, with one element of each list per line. */
export function* renderJson({ report, breaches }: ReportView): Generator<string> {
  const policies = breaches.policies.map(policy => ({
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
  const all = function* () {
    for (const policy of breaches.policies)
      for (const key of breaches.of(policy)) yield { policy: policy.name, level: policy.level, api_key: key };
  };
  let before = '{';
  for (const [name, value] of Object.entries({ ...report, policies, breaches_by_creator })) {
    yield `${before}\n  ${JSON.stringify(name)}: `;
    if (Array.isArray(value)) yield* listJson(value);
    else yield JSON.stringify(value);
    before = ',';
  }
  yield `${before}\n  "breaches": `;
  yield* listJson(all());
  yield '\n}\n';
}

/** In pieces: there may be 100,000 creators and a million breaches, which as one text take much memory. */
function* listJson(items: Iterable<unknown>): Generator<string> {
  let before = '[';
  for (const item of items) {
    yield `${before}\n    ${JSON.stringify(item)}`;
    before = ',';
  }
  yield before === '[' ? '[]' : '\n  ]';
}
