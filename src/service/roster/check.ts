/** What `keyroster check` looks for in a store of any kind, and finds. */

import { isObject } from '../../shared/record/fields.ts';
import { OWNER_ID_RULE, parseKeyId, parseOwnerId } from '../../shared/record/identifier.ts';
import { idLooksLikeKey, looksLikeKey, ownerIdLooksLikeKey } from '../../shared/record/looks-like-key.ts';
import { parsedJson } from '../../shared/record/parsed-json.ts';
import { containsMaskedKey, parsePartialKeyHint } from '../../shared/record/partial-key-hint.ts';
import { parseTimestamp } from '../../shared/record/timestamp.ts';
import { renderApiKey } from './api-key.ts';
import { type DeclaredField, NO_FIELDS } from './declared-fields.ts';
import { parseApiKey } from './parse-api-key.ts';
import { VALID_RECORD } from './record-text.ts';

export interface Finding {
  readonly about:
    | 'store'
    | 'file'
    | 'schema'
    | 'indexes'
    | 'rows'
    | 'columns'
    | 'disk'
    | 'backup'
    | 'certificate';
  /** Names fields and rules, never a value. */
  readonly problem: string;
  /** How many API keys have it. */
  readonly count?: number;
  /** The IDs of some of them. */
  readonly examples?: readonly string[];
  /** The statement that mends it, or what to do. */
  readonly fix: string;
}

export interface CheckReport {
  readonly findings: readonly Finding[];
  /** How many API keys were read. */
  readonly keys: number;
  /** What could not be looked at, and why. */
  readonly notLookedAt: readonly string[];
}

export type PartOfReport = Pick<CheckReport, 'findings' | 'notLookedAt'>;

const MAX_EXAMPLES = 5;
/** Those of a million keys in memory would be more than all the rest. */
const MAX_OWNERS = 10_000;
/** The text of such a name is its value. */
const PLAIN_NAME = /^[^\p{Cc}\p{Cs}\\]{0,1000}$/u;

/** Collects what is wrong with rows, by field and rule. Its memory doesn't grow with the number of rows. */
export class RowCheck {
  readonly #found = new Map<string, { count: number; readonly examples: string[] }>();
  readonly #fields: readonly DeclaredField[];
  /** IDs of owners in which nothing is wrong: most have many keys. */
  readonly #rightOwners = new Set<string>();
  keys = 0;

  constructor(fields: readonly DeclaredField[] = NO_FIELDS) {
    this.#fields = fields;
  }

  add(row: StoredRow): void {
    this.keys += 1;
    if (this.#fields.length === 0 && this.#isPlainlyRight(row)) return;
    for (const problem of new Set(rowProblems(row, this.#fields))) {
      const found = this.#found.get(problem) ?? { count: 0, examples: [] };
      this.#found.set(problem, found);
      found.count += 1;
      if (found.examples.length < MAX_EXAMPLES) found.examples.push(...printableId(row));
    }
  }

  /** Whether the text shows that nothing is wrong, as that of most rows does. Of others `rowProblems` looks at each value. */
  #isPlainlyRight({ organizationId, id, record }: StoredRow): boolean {
    const match = VALID_RECORD.exec(record ?? '');
    if (!match || match[1] !== id || match[0].includes('-admin01-')) return false;
    const [, , name = '', createdAt, creator = '', , hintText, , workspace = creator] = match;
    const hint = parsePartialKeyHint(hintText);
    if (!hint || !PLAIN_NAME.test(name) || parseTimestamp(createdAt) === undefined) return false;
    if (![organizationId ?? '', creator, workspace].every(owner => this.#isRightOwner(owner))) return false;
    return (
      !idLooksLikeKey(id) &&
      ![name, ...hint.split('...')].some(looksLikeKey) &&
      ![id, name, creator, workspace].some(text => containsMaskedKey(hint, text))
    );
  }

  #isRightOwner(id: string): boolean {
    if (this.#rightOwners.has(id)) return true;
    const isRight = parseOwnerId(id) !== undefined && !ownerIdLooksLikeKey(id);
    if (isRight && this.#rightOwners.size < MAX_OWNERS) this.#rightOwners.add(id);
    return isRight;
  }

  findings(fix: string): Finding[] {
    return Array.from(this.#found, ([problem, found]) => ({ about: 'rows', problem, ...found, fix }));
  }
}

/** A row as a store lists it. What a store's own rules exclude may be there in a table that isn't ours. */
export interface StoredRow {
  readonly organizationId: string | null;
  readonly id: string | null;
  readonly record: string | null;
}

/** The text of a record is joined from its fields, of which only the name may have what JSON escapes. */
const BROKEN =
  'record: is NULL, or an ID, the hint or a type has a quote, a backslash or a control character';
const LIKE_KEY = 'looks like a full key, or a hash of one';

/** What is wrong with a row: fields and rules, never a value. */
function rowProblems({ organizationId, id, record }: StoredRow, fields: readonly DeclaredField[]): string[] {
  const json = parsedJson(record ?? '');
  const parsed = parseApiKey(json, fields);
  const faults = 'faults' in parsed ? parsed.faults : [];
  // One that reads differently than it is rendered has fields that came out of a value.
  const isOther =
    'key' in parsed && (parsed.key.id !== id || renderApiKey(parsed.key) !== record?.trimStart());
  const isBroken = isOther || faults.some(({ field, problem }) => !field || problem === 'unknown field');
  const isKnown = parseOwnerId(organizationId) !== undefined;
  const rules = isKnown ? [] : [`organization_id: ${OWNER_ID_RULE}; else the key is never listed`];
  if (isBroken) return [...rules, BROKEN];
  const shown = ['name', 'partial_key_hint', ...fields.map(({ name }) => name)];
  const likeKeys = [
    // A whole key fits before the dots of a hint.
    ...shown.filter(field => textAt(json, field).split('...').some(looksLikeKey)),
    ...(idLooksLikeKey(textAt(json, 'id')) ? ['id'] : []),
    ...['created_by.id', 'workspace_id'].filter(field => ownerIdLooksLikeKey(textAt(json, field))),
    ...(ownerIdLooksLikeKey(organizationId ?? '') ? ['organization_id'] : []),
  ];
  return [
    ...rules,
    ...faults.map(({ field, problem }) => `${field}: ${problem}`),
    ...likeKeys.map(field => `${field}: ${LIKE_KEY}`),
  ];
}

/** Empty where there is none. */
function textAt(json: unknown, field: string): string {
  const value = field.split('.').reduce((of, name) => (isObject(of) ? of[name] : undefined), json);
  return typeof value === 'string' ? value : '';
}

/** The ID, where it is known to be one and not a secret in its place. */
function printableId({ id, record }: StoredRow): string[] {
  const parsed = parseKeyId(id);
  if (parsed === undefined || parsed.includes('-admin01-') || idLooksLikeKey(parsed)) return [];
  const hint = parsePartialKeyHint(textAt(parsedJson(record ?? ''), 'partial_key_hint'));
  return hint !== undefined && containsMaskedKey(hint, parsed) ? [] : [parsed];
}
