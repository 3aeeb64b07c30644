import type { Column } from '../catalogue/catalogue.ts';
import { idNames, plainName } from '../catalogue/column-names.ts';
import { readableTable, type TableName } from '../mapping/table-name.ts';
import { type Choice, textOf, textSource, undecided } from './choice.ts';
import { canBeId, candidates, checkedId, hasNoIds } from './id-column.ts';
import { isOwner, organizationColumn, PARTS } from './organization.ts';

const CREATORS = [
  ...'created_by_id created_by created_by_user_id created_by_user'.split(' '),
  ...idNames('creator'),
  ...'creator_user_id made_by_id made_by issued_by_id issued_by added_by_id added_by requested_by'.split(' '),
  ...idNames('author issuer'),
];

const KEY_IDS = 'id uuid guid uid public_id external_id identifier kid'.split(' ');

export function chooseId(columns: readonly Column[], table: TableName): Choice {
  const named = candidates(columns, KEY_IDS).filter(
    column => (column.isUnique || column.isInPrimaryKey) && !hasNoIds(column),
  );
  const column = named[0] ?? ofPrimaryKey(columns);
  if (!column)
    return undecided(
      `name the column with the ID of the key, which no two rows of an organization share; where only the key or its hash is unique, add one: ${addIdSql(table)}`,
    );
  const source = textSource(column, null);
  if (!named[0]) {
    const why = column.isUnique ? 'the primary key' : 'the primary key, with the organization';
    return checkedId(column, { source, sure: false, why });
  }
  if (!column.isUnique) return checkedId(column, { source, ...uniqueness(columns) });
  const [, other] = named;
  const why = other ? `its name; ${other.name} is unique too` : 'its name, and it is unique';
  return checkedId(column, { source, sure: other === undefined, why });
}

/** Every row gets an ID, and so does every later one. */
function addIdSql(table: TableName): string {
  return `ALTER TABLE ${readableTable(table)} ADD COLUMN public_id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE`;
}

/** The column that is the primary key, alone or with that of the organization. Bytes of any name are too often a hash. */
function ofPrimaryKey(columns: readonly Column[]): Column | undefined {
  const keys = columns.filter(({ isInPrimaryKey }) => isInPrimaryKey);
  const organization = organizationColumn(columns);
  const [column, ...more] = keys.filter(key => key.isUnique || key !== organization);
  const isWhole = column?.isUnique || (more.length === 0 && keys.length === 2);
  const isId = column && canBeId(column) && column.kind !== 'bytes' && !hasNoIds(column);
  return isWhole && isId ? column : undefined;
}

/** Of an ID that is only a part of the primary key. */
function uniqueness(columns: readonly Column[]): Pick<Choice, 'sure' | 'why'> {
  const keys = columns.filter(({ isInPrimaryKey }) => isInPrimaryKey);
  const sure = keys.length === 2 && keys.some(key => key === organizationColumn(columns));
  return { sure, why: `its name; unique ${sure ? 'within an organization' : 'with other columns only'}` };
}

export function chooseCreator(columns: readonly Column[]): Choice {
  const organization = organizationColumn(columns);
  const [column] = candidates(columns, [...CREATORS, ...idNames('user owner member')]).filter(
    candidate => candidate !== organization,
  );
  const service = serviceAccountColumn(columns);
  if (column?.isNullable && service)
    return {
      source: { sql: `coalesce(${textOf(column)}, ${textOf(service)}, 'unknown')` },
      sure: true,
      why: `the names of ${column.name} and ${service.name}`,
    };
  if (column) {
    const sure = CREATORS.includes(plainName(column.name)) || /^user/.test(plainName(column.name));
    return checkedId(column, { source: textSource(column, 'unknown'), sure, why: 'its name' });
  }
  if (organization && isOwner(organization, columns))
    return {
      source: textSource(organization, null),
      sure: false,
      why: 'no column names a creator: the owner is taken for it',
    };
  return undecided(
    'name the column with the ID of who made the key, or {"constant": "unknown"} where none has it',
  );
}

/** A table may have the creator in one of two columns. */
export function serviceAccountColumn(columns: readonly Column[]): Column | undefined {
  return candidates(columns, idNames('service_account serviceaccount machine bot')).find(
    ({ isNullable }) => isNullable,
  );
}

export function chooseWorkspace(columns: readonly Column[]): Choice {
  const organization = organizationColumn(columns);
  const [column] = candidates(columns, [...PARTS, ...idNames('team')]).filter(
    candidate => candidate !== organization,
  );
  if (!column)
    return {
      source: { constant: null },
      sure: true,
      why: 'no column is a part of an organization: all are in its default workspace',
    };
  const sure = plainName(column.name).startsWith('workspace');
  return checkedId(column, { source: textSource(column, null), sure, why: 'its name' });
}
