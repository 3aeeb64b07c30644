/** What `keyroster check` looks for in a store of any kind, and finds. */
import { type DeclaredField, NO_FIELDS } from './declared-fields.ts';
import { printableId, rowProblems, type StoredRow } from './row-problems.ts';

export interface Finding {
  readonly about: 'plan' | 'rows' | 'columns' | 'audit_log';
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
  /** How many API keys were read, and the indexes of how many shapes: a combination of filters with a first page or a cursor. */
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
