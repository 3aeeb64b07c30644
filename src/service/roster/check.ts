/** What `keyroster check` looks for in a store of any kind, and finds. */

import type { Fault } from '../../shared/record/faults.ts';
import { isObject } from '../../shared/record/fields.ts';
import { ID_RULE, parseId } from '../../shared/record/identifier.ts';
import { idLooksLikeKey, looksLikeKey } from '../../shared/record/looks-like-key.ts';
import { containsMaskedKey, parsePartialKeyHint } from '../../shared/record/partial-key-hint.ts';
import { renderApiKey } from './api-key.ts';
import { type DeclaredField, NO_FIELDS } from './declared-fields.ts';
import { parseApiKey } from './parse-api-key.ts';

export interface Finding {
  readonly about: 'clock' | 'schema' | 'indexes' | 'settings' | 'rows' | 'columns' | 'audit_log';
  /** Names fields and rules, never a value. */
  readonly problem: string;
  /** How many API keys have it. */
  readonly count?: number;
  /** The IDs of some of them. */
  readonly examples?: readonly string[];
  /** The statement that mends it, or what to do. */
  readonly fix?: string;
}

export interface CheckReport {
  readonly findings: readonly Finding[];
  /** How many API keys were read, and for how many combinations of filters the indexes were looked for. */
  readonly looked: { readonly keys: number; readonly filters: number };
  /** What could not be looked at, and why. */
  readonly notLookedAt: readonly string[];
}

export interface CheckOptions {
  /** How many API keys to look at, spread over all; absent: all of them. */
  readonly sample?: number | undefined;
  /** Called at intervals with the number of API keys read so far. */
  readonly onProgress?: ((keys: number) => void) | undefined;
}

export const MAX_EXAMPLES = 5;

/** Collects what is wrong with rows, by field and rule. Its memory doesn't grow with the number of rows. */
export class RowCheck {
  readonly #found = new Map<string, { count: number; readonly examples: string[] }>();
  readonly #fields: readonly DeclaredField[];
  #keys = 0;

  constructor(fields: readonly DeclaredField[] = NO_FIELDS) {
    this.#fields = fields;
  }

  get keys(): number {
    return this.#keys;
  }

  add(row: StoredRow): void {
    this.#keys += 1;
    const problems = new Set(rowProblems(row, this.#fields));
    const id = problems.size > 0 ? printableId(row) : undefined;
    for (const problem of problems) {
      const found = this.#found.get(problem) ?? { count: 0, examples: [] };
      this.#found.set(problem, found);
      found.count += 1;
      if (id !== undefined && found.examples.length < MAX_EXAMPLES) found.examples.push(id);
    }
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

/** What is wrong with a row: fields and rules, never a value. */
function rowProblems({ organizationId, id, record }: StoredRow, fields: readonly DeclaredField[]): string[] {
  const problems: string[] = [];
  if (organizationId === null) problems.push('organization_id: is NULL, so the key is never listed');
  else if (parseId(organizationId) === undefined)
    problems.push(`organization_id: ${ID_RULE}; else the key is never listed`);
  else if (idLooksLikeKey(organizationId)) problems.push(`organization_id: ${LIKE_KEY}`);
  if (id !== null && parseId(id) === undefined) problems.push(`id: ${ID_RULE}`);
  return [...problems, ...recordProblems(record, id, fields)];
}

/** The text of a record is joined from its fields, of which only the name may have what JSON escapes. */
const BROKEN = 'record: an ID, the hint or a type has a quote, a backslash or a control character';

function recordProblems(
  record: string | null,
  id: string | null,
  fields: readonly DeclaredField[],
): string[] {
  if (record === null) return ['record: is NULL'];
  const json = parsedJson(record);
  if (json === undefined) return [BROKEN];
  const parsed = parseApiKey(json, fields);
  const faults = 'faults' in parsed ? parsed.faults.map(fault => describe(fault, json)) : [];
  // One that reads differently than it is rendered has fields that came out of a value.
  if ('key' in parsed && (parsed.key.id !== id || renderApiKey(parsed.key) !== record.trimStart()))
    return [BROKEN];
  const isTold = (field: string) => faults.some(fault => fault.startsWith(`${field}: contains `));
  const likeKeys = [
    ...[...SHOWN, ...fields.map(({ name }) => name)].filter(field => showsKey(valueAt(json, field))),
    ...IDS.filter(field => isIdLikeKey(valueAt(json, field))),
  ];
  return [...faults, ...likeKeys.filter(field => !isTold(field)).map(field => `${field}: ${LIKE_KEY}`)];
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe({ field, problem }: Fault, json: unknown): string {
  if (field === null || problem === 'unknown field') return BROKEN;
  const value = valueAt(json, field);
  return value === null || value === '' ? `${field}: is NULL or empty: ${problem}` : `${field}: ${problem}`;
}

function valueAt(json: unknown, field: string): unknown {
  return field.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), json);
}

const LIKE_KEY = 'looks like a full key, or a hash of one';
/** What people read. */
const SHOWN = ['name', 'partial_key_hint'];
const IDS = ['id', 'created_by.id', 'workspace_id'];

function isIdLikeKey(value: unknown): boolean {
  return typeof value === 'string' && idLooksLikeKey(value);
}

/** A whole key fits before the dots of a hint. */
function showsKey(value: unknown): boolean {
  return typeof value === 'string' && value.split('...').some(looksLikeKey);
}

/** The ID, where it is known to be one and not a secret in its place. */
export function printableId({ id, record }: Pick<StoredRow, 'id' | 'record'>): string | undefined {
  const parsed = parseId(id);
  if (parsed === undefined || parsed.includes('-admin01-') || idLooksLikeKey(parsed)) return undefined;
  const hint = parsePartialKeyHint(valueAt(parsedJson(record ?? ''), 'partial_key_hint'));
  return hint !== undefined && containsMaskedKey(hint, parsed) ? undefined : parsed;
}
