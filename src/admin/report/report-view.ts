import type { Directory } from '../directory/directory.ts';
import type { Breaches } from './breaches.ts';
import type { Policy } from './policies.ts';
import type { RosterReport } from './report-builder.ts';
import { number, unjudgedText } from './sections.ts';

/** All that a report is made of. */
export interface ReportView {
  readonly report: RosterReport;
  readonly breaches: Breaches;
  /** Names stand where IDs stood. */
  readonly directory?: Directory | undefined;
  /** What was looked at: a service, or a file. */
  readonly source: string;
  /** Which program it was made by, and by which files, with their digests: a line each. */
  readonly madeBy: readonly string[];
}

/** How many keys break a policy, and what else there is to say of its verdict. */
export function policyText(policy: Policy, breaches: Breaches): string {
  const excused = breaches.excused(policy);
  return [
    `${number(breaches.count(policy))} key(s) ${policy.breach}`,
    ...(excused > 0 ? [`${number(excused)} key(s) excused by an exception`] : []),
    ...doubtsOf(policy, breaches),
  ].join('; ');
}

/** What makes its verdict doubtful, once all keys are added. */
export function doubtsOf(policy: Policy, breaches: Breaches): readonly string[] {
  return [unjudgedText(breaches.unjudged(policy)), ...breaches.remarks(policy)].filter(text => text !== '');
}

export function verdictOf(policy: Policy, breaches: Breaches): 'kept' | 'warned' | 'broken' {
  if (breaches.count(policy) === 0 && breaches.unjudged(policy).size === 0) return 'kept';
  return policy.level === 'warn' ? 'warned' : 'broken';
}
