import { CREATOR_TYPES } from '../../shared/record/api-key-record.ts';
import type { Fault } from '../../shared/record/faults.ts';
import { ID_RULE, parseId } from '../../shared/record/identifier.ts';
import { STATUSES } from '../../shared/record/status.ts';
import { ACTIVE, LEVELS, type Policy, policyOf, type Rule, rules, type Selection } from './policies.ts';
import { type Kind, nameOf, PolicyFields, wholeNumber } from './policy-fields.ts';

/** Each is asked of every key. */
const MAX_POLICIES = 25;
const MAX_IDS = 10_000;
const MAX_PATTERNS = 100;
/** Of a pattern, in UTF-16 code units: long ones take long for each key. */
const MAX_PATTERN = 200;

/** The policies, or all faults of their file, at least one. They name the place and the rule. */
export type ParsedPolicies = { readonly policies: readonly Policy[] } | { readonly faults: readonly Fault[] };

/** The text of a file that a policy names. Throws when it can't be read. */
export type ReadFile = (path: string) => string;

interface RuleForm {
  /** Besides those that every policy may have. */
  readonly members: readonly string[];
  /** Of a policy with faults, what is read isn't used. */
  readonly read: (fields: PolicyFields, readFile: ReadFile) => Rule;
}

const ofDays = (rule: (days: number) => Rule): RuleForm => ({
  members: ['days'],
  read: fields => rule(fields.required('days', wholeNumber(0, 99_999)) ?? 0),
});

const CREATORS = ['creators', 'creators_file'];

const RULES = {
  'max-age': ofDays(rules['max-age']),
  'expires-within': ofDays(rules['expires-within']),
  'unused-for': ofDays(rules['unused-for']),
  'no-default-workspace': { members: [], read: rules['no-default-workspace'] },
  'creators-allowed': {
    members: CREATORS,
    read: (fields, readFile) => rules['creators-allowed'](readCreators(fields, readFile)),
  },
  'creators-left': {
    members: CREATORS,
    read: (fields, readFile) => rules['creators-left'](readCreators(fields, readFile)),
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

export function parsePolicies(json: unknown, readFile: ReadFile): ParsedPolicies {
  const faults: Fault[] = [];
  const file = new PolicyFields(json, '', faults);
  if (faults.length > 0) return { faults };
  file.refuseUnknown(['$schema', 'policies']);
  const all = file.list('policies', MAX_POLICIES, { parse: value => ({ value }), rule: '' });
  const places = new Map<string, string>();
  const policies = all.map(({ value }, index) => {
    const fields = new PolicyFields(value, `policies[${index}]`, faults);
    const policy = parsePolicy(fields, readFile);
    const sameName = places.get(policy.name);
    if (sameName !== undefined) fields.fault('name', `is that of ${sameName} too: give each its own`);
    if (policy.name !== '') places.set(policy.name, fields.path);
    return policy;
  });
  return faults.length > 0 ? { faults } : { policies };
}

function parsePolicy(fields: PolicyFields, readFile: ReadFile): Policy {
  const name = fields.required('name', POLICY_NAME) ?? '';
  const rule = fields.required('rule', nameOf(RULE_NAMES));
  const level = fields.optional('level', nameOf(LEVELS)) ?? 'fail';
  const keys = parseSelection(fields.object('keys'));
  if (rule === undefined) return policyOf({ name, level, keys }, rules['unique-names']()); // a fault says so
  const form: RuleForm = RULES[rule];
  fields.refuseUnknown(['name', 'rule', 'level', 'keys', ...form.members]);
  return policyOf({ name, level, keys }, form.read(fields, readFile));
}

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

const CREATOR: Kind<string> = { parse: parseId, rule: ID_RULE };

function textOf(max: number): Kind<string> {
  return {
    parse: value => (typeof value === 'string' && value !== '' && value.length <= max ? value : undefined),
    rule: `must be a text of 1 to ${max} characters`,
  };
}

/** From the policy itself, or from a file with an ID a line. */
function readCreators(fields: PolicyFields, readFile: ReadFile): ReadonlySet<string> {
  if (!fields.has('creators_file')) return new Set(fields.list('creators', MAX_IDS, CREATOR));
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
    const { code } = error as NodeJS.ErrnoException;
    fields.fault('creators_file', `must be a file that can be read, beside the policies (${code})`);
    return new Set();
  }
}
