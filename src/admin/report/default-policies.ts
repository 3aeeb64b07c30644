import type { Directory } from '../directory/directory.ts';
import { ACTIVE, type Policy, policyOf, type Rule, rules } from './policies.ts';

/**
 * What should go where no policies are given: warnings, as nobody has agreed to them.
 * @param first record, which tells what the others have.
 */
export function defaultPolicies(first: object, directory: Directory | undefined): readonly Policy[] {
  const all: Readonly<Record<string, Rule | false>> = {
    'older-than-a-year': rules['max-age'](365),
    'unused-for-90-days': 'last_used_at' in first && rules['unused-for'](90),
    'past-its-expiry': 'expires_at' in first && rules.expired(),
    'someone-who-left': directory !== undefined && rules['creators-left'](directory),
  };
  return Object.entries(all).flatMap(([name, rule]) =>
    rule === false ? [] : [policyOf({ name, level: 'warn', keys: ACTIVE }, rule)],
  );
}
