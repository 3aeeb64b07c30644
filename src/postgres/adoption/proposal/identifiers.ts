import { parseId } from '../../../roster/identifier.ts';
import type { Column } from '../catalogue/catalogue.ts';
import { idNames, namedLike, plainName } from '../catalogue/column-names.ts';
import { type Choice, presentValues, textOf, textSource, undecided } from './choice.ts';

/** What an ID can be made of. */
const ID_KINDS = ['text', 'uuid', 'integer', 'enum'];

const TENANTS = idNames('organization organisation org tenant');
const ACCOUNTS = idNames('account team company customer merchant group');
const OWNERS = idNames('reference owner user member');
const PARTS = idNames('workspace project space environment env application app');

const CREATORS = [
  ...'created_by_id created_by created_by_user_id created_by_user'.split(' '),
  ...idNames('creator'),
  ...'creator_user_id made_by_id made_by issued_by_id issued_by added_by_id added_by requested_by'.split(' '),
  ...idNames('author issuer'),
];

/** The column whose value says whose key it is. */
function organizationColumn(columns: readonly Column[]): Column | undefined {
  return candidates(columns, [...TENANTS, ...ACCOUNTS, ...OWNERS, ...PARTS])[0];
}

export function chooseOrganization(columns: readonly Column[]): Choice {
  const column = organizationColumn(columns);
  if (!column)
    return undecided(
      'name the column that says whose key it is, or, where all keys are of one organization, {"constant": "its ID"}',
    );
  const source = textSource(column, null);
  const others = candidates(columns, TENANTS).filter(other => other !== column);
  const isTenant = TENANTS.includes(plainName(column.name));
  const why = !isTenant
    ? 'its name; each value is one organization'
    : others.length > 0
      ? `its name, as ${others.map(({ name }) => name).join(', ')}`
      : 'its name';
  if (column.sample?.includes(null))
    return checkedId(column, { source, sure: false, why: `${why}; a row with NULL is in no list` });
  return checkedId(column, { source, sure: isTenant && others.length === 0, why });
}

const KEY_IDS = 'id uuid guid uid public_id external_id identifier kid'.split(' ');

export function chooseId(columns: readonly Column[]): Choice {
  const named = candidates(columns, KEY_IDS).filter(
    ({ isUnique, isInPrimaryKey }) => isUnique || isInPrimaryKey,
  );
  const keys = columns.filter(
    ({ kind, isUnique, isInPrimaryKey }) => isUnique && isInPrimaryKey && ID_KINDS.includes(kind),
  );
  const column = named[0] ?? keys[0];
  if (!column)
    return undecided('name the column with the ID of the key, which no two rows of an organization share');
  const source = textSource(column, null);
  if (!named[0]) return checkedId(column, { source, sure: false, why: 'the primary key' });
  if (!column.isUnique) return checkedId(column, { source, ...uniqueness(columns) });
  const [, other] = named;
  const why = other ? `its name; ${other.name} is unique too` : 'its name, and it is unique';
  return checkedId(column, { source, sure: other === undefined, why });
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
  if (organization && OWNERS.includes(plainName(organization.name)))
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

function candidates(columns: readonly Column[], names: readonly string[]): Column[] {
  return namedLike(
    columns.filter(({ kind }) => ID_KINDS.includes(kind)),
    names,
  );
}

/** Less sure where values of the sample can't be IDs. */
function checkedId(column: Column, choice: Choice): Choice {
  const values = presentValues(column);
  const wrong = values.filter(value => parseId(value) === undefined).length;
  if (wrong === 0) return choice;
  return {
    ...choice,
    sure: false,
    why: `${choice.why}; ${wrong} of ${values.length} sampled values break the rule of IDs`,
  };
}
