/** What `keyroster check` looks for in a store of any kind, and finds. */
import { renderApiKey } from './api-key-record.ts';
import type { Fault } from './errors.ts';
import { isObject } from './fields.ts';
import { ID_RULE, parseId } from './identifier.ts';
import { parseApiKey } from './parse-api-key.ts';
import { containsMaskedKey, parsePartialKeyHint } from './partial-key-hint.ts';

export interface Finding {
  readonly about: 'plan' | 'rows' | 'columns';
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
  /** How many API keys were read, and the plans of how many shapes: a combination of filters with a first page or a cursor. */
  readonly looked: { readonly keys: number; readonly shapes: number };
  /** What could not be looked at, and why. */
  readonly notLookedAt: readonly string[];
}

export interface CheckOptions {
  /** How many API keys to look at, spread over all; absent: all of them. */
  readonly sample?: number | undefined;
  /** Called at intervals with the number of API keys read so far. */
  readonly onProgress?: ((keys: number) => void) | undefined;
}

/** A row as a store lists it. What a store's own rules exclude may be there in a table that isn't ours. */
export interface StoredRow {
  readonly organizationId: string | null;
  readonly id: string | null;
  readonly record: string | null;
  /** What is wrong with the creation time, where the store knows it better than the record does. */
  readonly timeProblem?: string | null;
}

const MAX_EXAMPLES = 5;

/** Collects what is wrong with rows, by field and rule. Its memory doesn't grow with the number of rows. */
export class RowCheck {
  readonly #found = new Map<string, { count: number; readonly examples: string[] }>();
  #keys = 0;

  get keys(): number {
    return this.#keys;
  }

  add(row: StoredRow): void {
    this.#keys += 1;
    const problems = new Set(problemsOf(row));
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

function problemsOf({ organizationId, id, record, timeProblem }: StoredRow): string[] {
  const problems: string[] = [];
  if (organizationId === null) problems.push('organization_id: is NULL, so the key is never listed');
  else if (parseId(organizationId) === undefined)
    problems.push(`organization_id: ${ID_RULE}; else the key is never listed`);
  if (id !== null && parseId(id) === undefined) problems.push(`id: ${ID_RULE}`);
  problems.push(
    ...recordProblems(record, id).filter(each => !timeProblem || !each.startsWith('created_at: ')),
  );
  if (timeProblem) problems.push(`created_at: ${timeProblem}`);
  return problems;
}

/** The text of a record is joined from its fields, of which only the name may have what JSON escapes. */
const BROKEN = 'record: an ID, the hint or a type has a quote, a backslash or a control character';

function recordProblems(record: string | null, id: string | null): string[] {
  if (record === null) return ['record: is NULL'];
  const json = parsedJson(record);
  if (json === undefined) return [BROKEN];
  const parsed = parseApiKey(json);
  if ('faults' in parsed) return parsed.faults.map(fault => describe(fault, json));
  // One that reads differently than it is rendered has fields that came out of a value.
  const isWhole = parsed.key.id === id && renderApiKey(parsed.key) === record.trimStart();
  return isWhole ? [] : [BROKEN];
}

function describe({ field, problem }: Fault, json: unknown): string {
  if (field === null || problem === 'unknown field') return BROKEN;
  return valueAt(json, field) === null ? `${field}: is NULL: ${problem}` : `${field}: ${problem}`;
}

function valueAt(json: unknown, field: string): unknown {
  return field.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), json);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The ID, where it is known to be one and not a secret in its place. */
function printableId({ id, record }: StoredRow): string | undefined {
  const parsed = parseId(id);
  if (parsed === undefined || parsed.includes('-admin01-')) return undefined;
  const json = parsedJson(record ?? '');
  const hint = isObject(json) ? parsePartialKeyHint(json.partial_key_hint) : undefined;
  return hint !== undefined && containsMaskedKey(hint, parsed) ? undefined : parsed;
}
