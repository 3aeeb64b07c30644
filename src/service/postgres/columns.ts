/**
 * The columns of an API key. Each is declared once, and the statements that write keys are made of them. Beside these the table has
 * the organization, the record and the import. Migrations are literal: a test compares the table with what is declared here.
 */
import type { FlatField } from '../../shared/record/api-key-record.ts';
import type { ApiKey } from '../roster/api-key.ts';
import type { DeclaredField } from '../roster/declared-fields.ts';
import { columnName, columnType, declaredInput, numberedName } from './declared-fields.ts';
import { storedCreatorType, storedStatus } from './stored-values.ts';
import { timestamptz } from './timestamp.ts';

export type ColumnName = FlatField<'_'>;

/** A column of a field, of the contract or declared. */
export interface Column {
  /** In the table of API keys. */
  readonly name: string;
  /** In JSON and in a temporary table, where it stands beside columns that a declared field may have the name of. */
  readonly given: string;
  readonly type: string;
  /** What the migration says after the type, but for `CHECK` and `DEFAULT`. IDs compare as bytes. */
  readonly rule: string;
  /** Whether a write may change it in a stored key (`changeFaults`). */
  readonly changes: boolean;
  /** The value as PostgreSQL reads it. */
  readonly input: (key: ApiKey) => string | null;
}

const id = { type: 'text', rule: 'COLLATE "C" NOT NULL', changes: false };
const text = { type: 'text', rule: 'NOT NULL', changes: true };

/** Those of the contract, in the order of the record. */
const ofContract = {
  id: { ...id, input: key => key.id },
  name: { ...text, input: key => key.name },
  created_at: { ...text, type: 'timestamptz', changes: false, input: key => timestamptz(key.createdAt) },
  created_by_id: { ...id, input: key => key.createdBy.id },
  created_by_type: { ...text, changes: false, input: key => storedCreatorType[key.createdBy.type] },
  partial_key_hint: { ...text, input: key => key.partialKeyHint },
  status: { ...text, input: key => storedStatus[key.status] },
  workspace_id: { ...text, rule: 'COLLATE "C"', input: key => key.workspaceId },
} satisfies Record<ColumnName, Omit<Column, 'name' | 'given'>>;

const CONTRACT = Object.entries(ofContract).map(
  ([name, column]): Column => ({ name, given: name, ...column }),
);

/** All columns of a key with these declared fields. */
export function columnsWith(fields: readonly DeclaredField[]): readonly Column[] {
  const declared = fields.map(field => ({
    name: columnName(field),
    given: numberedName(field),
    type: columnType(field.type),
    rule: '',
    changes: true,
    input: (key: ApiKey) => declaredInput(key, field),
  }));
  return [...CONTRACT, ...declared];
}

/** The SQL of each column, with commas between them. */
export function list(columns: readonly Column[], sql: (column: Column) => string): string {
  return columns.map(sql).join(', ');
}
