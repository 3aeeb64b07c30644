import type { Directory } from '../directory/directory.ts';
import { ownPolicies } from './parse-policies.ts';
import type { Policy } from './policies.ts';

/** @param first record, which tells what the others have. */
export type PoliciesOf = (first: object) => readonly Policy[];

/** The one that a directory is needed for. */
export const OF_WHO_LEFT = 'someone-who-left';

/**
 * What should go where no policies are given: warnings, as nobody has agreed to them.
 * @param first record, which tells what the others have.
 */
export function defaultPolicies(first: object, directory: Directory | undefined): readonly Policy[] {
  const policies = [
    { name: 'older-than-a-year', rule: 'max-age', days: 365 },
    'last_used_at' in first && { name: 'unused-for-90-days', rule: 'unused-for', days: 90 },
    'expires_at' in first && { name: 'past-its-expiry', rule: 'expired' },
    directory?.tellsLeft && { name: OF_WHO_LEFT, rule: 'creators-left' },
  ];
  return ownPolicies(
    policies.flatMap(policy => (policy ? { ...policy, level: 'warn' } : [])),
    directory,
  );
}
