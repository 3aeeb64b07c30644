/** The rules of a policies file, by their names there: what each reads of its policy, its words, and the keys that break it. */
import { timeOf } from '../../client/listed-key.ts';
import { expiresWithin, hasExpired, isUnusedFor } from '../../shared/record/lifecycle.ts';
import type { Directory } from '../directory/directory.ts';
import { isInDefaultWorkspace } from '../find/told.ts';
import { DAY_MS } from './age.ts';
import { shownCreator } from './creator.ts';
import { nameGlob } from './name-glob.ts';
import { oneOf, type Rule } from './policies.ts';
import { ID, MAX_IDS, type PolicyFields, textOf, wholeNumber } from './policy-fields.ts';

const MAX_PATTERNS = 100;
/** Of a pattern, in UTF-16 code units: long ones take long for each key. */
const MAX_PATTERN = 200;

/** @param directory which tells who has left, where a policy doesn't. */
type RuleReader = (fields: PolicyFields, directory?: Directory) => Rule;

const ofDays =
  (rule: (days: number) => Rule): RuleReader =>
  fields =>
    rule(fields.required('days', wholeNumber(0, 99_999)) ?? 0);

/** What is read of a policy with faults isn't used. */
export const RULES = {
  'max-age': ofDays(days => ({
    needs: ['created_at'],
    words: `older than ${days} days`,
    breaks: (key, now) => now - timeOf(key.created_at) > days * DAY_MS,
  })),
  'expires-within': ofDays(days => ({
    needs: ['expires_at'],
    words: `expiring within ${days} days`,
    breaks: (key, now) => expiresWithin(key, days * DAY_MS, now),
  })),
  expired: () => ({
    needs: ['expires_at'],
    words: 'past its expiry',
    breaks: (key, now) => hasExpired(key, now),
  }),
  'unused-for': ofDays(days => ({
    needs: ['last_used_at', 'created_at'],
    words: `unused for ${days} days`,
    breaks: (key, now) => isUnusedFor(key, days * DAY_MS, now),
  })),
  'no-default-workspace': () => ({
    needs: ['workspace_id'],
    words: 'in the default workspace',
    breaks: key => isInDefaultWorkspace(key) === true,
  }),
  'creators-allowed': fields => {
    const ids = readCreators(fields);
    return {
      needs: ['created_by.id'],
      words: "of a creator who isn't allowed",
      breaks: key => !ids.has(shownCreator(key).id),
      creators: id => ids.has(id),
    };
  },
  'creators-left': (fields, directory) => {
    const leavers = readLeavers(fields, directory);
    return {
      needs: ['created_by.id'],
      words: 'of a creator who has left',
      breaks: (key, now) => leavers.hasLeft(shownCreator(key).id, now),
      creators: leavers.knows,
    };
  },
  'name-pattern': fields => {
    const patterns = fields.list('patterns', MAX_PATTERNS, textOf(MAX_PATTERN));
    const isLikeOne = nameGlob(...patterns);
    return {
      words: `not named like ${oneOf(patterns, 'patterns')}`,
      breaks: ({ name }) => !isLikeOne(name),
    };
  },
} satisfies Readonly<Record<string, RuleReader>>;

export const RULE_NAMES = Object.keys(RULES) as (keyof typeof RULES)[];

const NO_LEAVERS = 'is missing: give the IDs, or a directory that tells who has left';

/** The creators of the policy, or else whom the directory has as left. */
function readLeavers(fields: PolicyFields, directory?: Directory): Pick<Directory, 'hasLeft' | 'knows'> {
  const isOwn = fields.has('creators');
  if (!isOwn && directory?.tellsLeft) return directory;
  if (!isOwn) fields.fault('creators', NO_LEAVERS);
  const ids = isOwn ? readCreators(fields) : new Set<string>();
  const knows = (id: string) => ids.has(id);
  return { hasLeft: knows, knows };
}

const readCreators = (fields: PolicyFields) => new Set(fields.list('creators', MAX_IDS, ID));
