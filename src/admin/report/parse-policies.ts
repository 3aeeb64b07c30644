import { CREATOR_TYPES } from '../../shared/record/api-key-record.ts';
import { type Fault, problemTexts } from '../../shared/record/faults.ts';
import { isObject } from '../../shared/record/fields.ts';
import { OWNER_ID_RULE, parseOwnerId } from '../../shared/record/identifier.ts';
import { STATUSES } from '../../shared/record/status.ts';
import { parseMoment } from '../../shared/record/timestamp.ts';
import type { Directory } from '../directory/directory.ts';
import {
  ACTIVE,
  type Exception,
  type Exceptions,
  LEVELS,
  type Policy,
  policyOf,
  type Selection,
} from './policies.ts';
import { ID, type Kind, MAX_IDS, nameOf, OBJECT_RULE, PolicyFields, textOf } from './policy-fields.ts';
import { RULE_NAMES, RULES } from './rules.ts';

/** Each is asked of every key. */
const MAX_POLICIES = 25;
const MAX_EXCEPTIONS = 1_000;
const MAX_REASON = 500;

/** The policies, or all faults of their file, at least one. They name the place and the rule. */
export type ParsedPolicies = { readonly policies: readonly Policy[] } | { readonly faults: readonly Fault[] };

export function parsePolicies(json: unknown, directory?: Directory): ParsedPolicies {
  const faults: Fault[] = [];
  if (!isObject(json)) return { faults: [{ field: null, problem: OBJECT_RULE }] };
  const file = new PolicyFields(json, '', faults);
  const places = new Map<string, string>();
  const policies = file.objects('policies', MAX_POLICIES).map(fields => {
    const policy = parsePolicy(fields, directory);
    const sameName = places.get(policy.name);
    if (sameName !== undefined) fields.fault('name', `is that of ${sameName} too: give each its own`);
    if (policy.name !== '') places.set(policy.name, fields.path);
    return policy;
  });
  file.refuseOthers('$schema');
  return faults.length > 0 ? { faults } : { policies };
}

/** Those that this program gives itself, at least one. */
export function ownPolicies(policies: readonly object[], directory?: Directory): readonly Policy[] {
  const parsed = parsePolicies({ policies }, directory);
  if ('faults' in parsed) throw new Error(problemTexts(parsed.faults).join('; '));
  return parsed.policies;
}

function parsePolicy(fields: PolicyFields, directory?: Directory): Policy {
  const name = fields.required('name', POLICY_NAME) ?? '';
  const rule = fields.required('rule', nameOf(RULE_NAMES));
  const level = fields.optional('level', nameOf(LEVELS)) ?? 'fail';
  const selection = fields.object('keys');
  const keys = selection ? parseSelection(selection) : ACTIVE;
  const exceptions = parseExceptions(fields);
  const options = { name, level, keys, exceptions };
  if (rule === undefined) return policyOf(options, { words: '', breaks: () => false }); // a fault says so
  const read = RULES[rule](fields, directory);
  fields.refuseOthers();
  return policyOf(options, read);
}

function parseExceptions(fields: PolicyFields): Exceptions {
  const all = fields.has('exceptions') ? fields.objects('exceptions', MAX_EXCEPTIONS) : [];
  const exceptions = new Map<string, Exception>();
  for (const each of all) {
    const key = each.required('key', ID);
    const reason = each.required('reason', textOf(MAX_REASON)) ?? '';
    const until = each.required('until', DAY) ?? 0;
    each.refuseOthers();
    if (key === undefined) continue;
    if (exceptions.has(key)) each.fault('key', 'has an exception above: leave one');
    exceptions.set(key, { key, reason, until });
  }
  return exceptions;
}

const DAY: Kind<number> = { parse: parseMoment, rule: 'must be a day such as 2027-03-01' };

const POLICY_NAME: Kind<string> = {
  parse: value => (typeof value === 'string' && /^[a-z0-9][a-z0-9-]{0,63}$/.test(value) ? value : undefined),
  rule: 'must be 1 to 64 of a-z 0-9 -, and not begin with -',
};

function parseSelection(fields: PolicyFields): Selection {
  const listOf = <T>(member: keyof Selection, max: number, kind: Kind<T>) =>
    fields.has(member) ? fields.list(member, max, kind) : undefined;
  const selection = {
    status: listOf('status', STATUSES.length, nameOf(STATUSES)) ?? ACTIVE.status,
    workspace_id: listOf('workspace_id', MAX_IDS, WORKSPACE),
    creator_type: listOf('creator_type', CREATOR_TYPES.length, nameOf(CREATOR_TYPES)),
  };
  fields.refuseOthers();
  return selection;
}

const WORKSPACE: Kind<string | null> = {
  parse: value => (value === null ? null : parseOwnerId(value)),
  rule: `must be null for the default workspace, or an ID: ${OWNER_ID_RULE}`,
};
