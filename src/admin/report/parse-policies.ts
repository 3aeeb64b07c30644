import { CREATOR_TYPES } from '../../shared/record/api-key-record.ts';
import type { Fault } from '../../shared/record/faults.ts';
import { isObject } from '../../shared/record/fields.ts';
import { ID_RULE, parseId } from '../../shared/record/identifier.ts';
import { STATUSES } from '../../shared/record/status.ts';
import { parseMoment } from '../../shared/record/timestamp.ts';
import type { Directory } from '../directory/directory.ts';
import {
  ACTIVE,
  type Exception,
  type Exceptions,
  LEVELS,
  type Leavers,
  type Policy,
  policyOf,
  type Rule,
  rules,
  type Selection,
} from './policies.ts';
import { type Kind, nameOf, OBJECT_RULE, PolicyFields, wholeNumber } from './policy-fields.ts';

/** Each is asked of every key. */
const MAX_POLICIES = 25;
const MAX_IDS = 10_000;
const MAX_PATTERNS = 100;
const MAX_EXCEPTIONS = 1_000;
const MAX_REASON = 500;
/** Of a pattern, in UTF-16 code units: long ones take long for each key. */
const MAX_PATTERN = 200;

/** The policies, or all faults of their file, at least one. They name the place and the rule. */
export type ParsedPolicies = { readonly policies: readonly Policy[] } | { readonly faults: readonly Fault[] };

interface Surroundings {
  /** The text of a file that a policy names. Throws when it can't be read. */
  readonly readFile: (path: string) => string;
  /** Which tells who has left, where a policy doesn't. */
  readonly directory?: Directory | undefined;
}

interface RuleForm {
  /** Besides those that every policy may have. */
  readonly members: readonly string[];
  /** Of a policy with faults, what is read isn't used. */
  readonly read: (fields: PolicyFields, around: Surroundings) => Rule;
}

const ofDays = (rule: (days: number) => Rule): RuleForm => ({
  members: ['days'],
  read: fields => rule(fields.required('days', wholeNumber(0, 99_999)) ?? 0),
});

const CREATORS = ['creators', 'creators_file'];

const RULES = {
  'max-age': ofDays(rules['max-age']),
  'expires-within': ofDays(rules['expires-within']),
  expired: { members: [], read: rules.expired },
  'unused-for': ofDays(rules['unused-for']),
  'no-default-workspace': { members: [], read: rules['no-default-workspace'] },
  'creators-allowed': {
    members: CREATORS,
    read: (fields, around) => rules['creators-allowed'](readCreators(fields, around)),
  },
  'creators-left': {
    members: CREATORS,
    read: (fields, around) => rules['creators-left'](readLeavers(fields, around)),
  },
  'unique-names': { members: [], read: rules['unique-names'] },
  'name-pattern': {
    members: ['patterns'],
    read: fields => rules['name-pattern'](fields.list('patterns', MAX_PATTERNS, textOf(MAX_PATTERN))),
  },
  'max-keys-of-a-creator': {
    members: ['max'],
    read: fields => rules['max-keys-of-a-creator'](fields.required('max', wholeNumber(1, 9_999_999)) ?? 1),
  },
} satisfies Record<keyof typeof rules, RuleForm>;

export const RULE_NAMES = Object.keys(RULES) as (keyof typeof RULES)[];

export function parsePolicies(json: unknown, around: Surroundings): ParsedPolicies {
  const faults: Fault[] = [];
  if (!isObject(json)) return { faults: [{ field: null, problem: OBJECT_RULE }] };
  const file = new PolicyFields(json, '', faults);
  file.refuseUnknown(['$schema', 'policies']);
  const places = new Map<string, string>();
  const policies = file.objects('policies', MAX_POLICIES).map(fields => {
    const policy = parsePolicy(fields, around);
    const sameName = places.get(policy.name);
    if (sameName !== undefined) fields.fault('name', `is that of ${sameName} too: give each its own`);
    if (policy.name !== '') places.set(policy.name, fields.path);
    return policy;
  });
  return faults.length > 0 ? { faults } : { policies };
}

function parsePolicy(fields: PolicyFields, around: Surroundings): Policy {
  const name = fields.required('name', POLICY_NAME) ?? '';
  const rule = fields.required('rule', nameOf(RULE_NAMES));
  const level = fields.optional('level', nameOf(LEVELS)) ?? 'fail';
  const selection = fields.object('keys');
  const keys = selection ? parseSelection(selection) : ACTIVE;
  const exceptions = parseExceptions(fields);
  const options = { name, level, keys, exceptions };
  if (rule === undefined) return policyOf(options, rules['unique-names']()); // a fault says so
  const form: RuleForm = RULES[rule];
  fields.refuseUnknown(['name', 'rule', 'level', 'keys', 'exceptions', ...form.members]);
  return policyOf(options, form.read(fields, around));
}

function parseExceptions(fields: PolicyFields): Exceptions {
  const all = fields.has('exceptions') ? fields.objects('exceptions', MAX_EXCEPTIONS) : [];
  const exceptions = new Map<string, Exception>();
  for (const each of all) {
    each.refuseUnknown(['key', 'reason', 'until'] satisfies (keyof Exception)[]);
    const key = each.required('key', ID);
    const reason = each.required('reason', textOf(MAX_REASON)) ?? '';
    const until = each.required('until', DAY) ?? 0;
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
  fields.refuseUnknown(['status', 'workspace_id', 'creator_type'] satisfies (keyof Selection)[]);
  const listOf = <T>(member: keyof Selection, max: number, kind: Kind<T>) =>
    fields.has(member) ? fields.list(member, max, kind) : undefined;
  return {
    status: listOf('status', STATUSES.length, nameOf(STATUSES)) ?? ACTIVE.status,
    workspace_id: listOf('workspace_id', MAX_IDS, WORKSPACE)?.map(({ id }) => id),
    creator_type: listOf('creator_type', CREATOR_TYPES.length, nameOf(CREATOR_TYPES)),
  };
}

const WORKSPACE: Kind<{ id: string | null }> = {
  parse: value => {
    const id = value === null ? null : parseId(value);
    return id === undefined ? undefined : { id };
  },
  rule: `must be null for the default workspace, or an ID: ${ID_RULE}`,
};

const ID: Kind<string> = { parse: parseId, rule: ID_RULE };

function textOf(max: number): Kind<string> {
  return {
    parse: value => (typeof value === 'string' && value !== '' && value.length <= max ? value : undefined),
    rule: `must be a text of 1 to ${max} characters`,
  };
}

/** The creators of the policy, or else whom the directory has as left. */
function readLeavers(fields: PolicyFields, around: Surroundings): Leavers {
  const { directory } = around;
  if (directory && CREATORS.every(member => !fields.has(member))) return directory;
  const ids = readCreators(fields, around);
  const knows = (id: string) => ids.has(id);
  return { hasLeft: knows, knows };
}

/** From the policy itself, or from a file with an ID a line. */
function readCreators(fields: PolicyFields, { readFile }: Surroundings): ReadonlySet<string> {
  if (!fields.has('creators_file')) return new Set(fields.list('creators', MAX_IDS, ID));
  if (fields.has('creators'))
    fields.fault('creators_file', 'is for a policy without creators: give one of the two');
  const path = fields.required('creators_file', textOf(4_096));
  if (path === undefined) return new Set();
  try {
    const lines = readFile(path)
      .split('\n')
      .map(line => line.trim()); // also drops a byte order mark
    for (const [index, line] of lines.entries())
      if (line !== '' && parseId(line) === undefined) {
        fields.fault('creators_file', `line ${index + 1} of the file ${ID_RULE}`);
        break;
      }
    return new Set(lines.filter(line => line !== ''));
  } catch (error) {
    const { code } = error as { readonly code?: string };
    fields.fault('creators_file', `must be a file that can be read, beside the policies (${code})`);
    return new Set();
  }
}
