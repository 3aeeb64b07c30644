import type { FieldName } from '../../../service/postgres/vendor-table/mapping.ts';
import { readableTable, type TableName } from '../../../service/postgres/vendor-table/table-name.ts';
import type { LifecycleField } from '../../../shared/record/lifecycle.ts';
import type { Column, ColumnKind } from '../catalogue/catalogue.ts';
import { namedLike, plainName, WHEN } from '../catalogue/column-names.ts';
import { isOfHints } from './hint.ts';
import { type Choice, namesOf, presentValues, textSource, undecided } from './proposed-source.ts';
import { creationTimeOf, optionalTimeOf } from './time.ts';

/** What the columns of a field are usually called. */
interface Names {
  /** One column with such a name is taken without a question. */
  readonly sure: RegExp;
  readonly unsure: RegExp;
  /** What to do where no column is called so. */
  readonly todo: string;
}

/** Also where a name doesn't show where its words end: `userid`. */
const names = (text: string) => new RegExp(`^(?:${text.replaceAll('_', '_?')})$`);
const ids = (nouns: string) => names(`(?:${nouns})(?:_(?:id|uuid|ref|sub))?`);
/** Of a time, a name and an ID: bytes are too often a hash. */
const TIME_KINDS: readonly ColumnKind[] = ['timestamptz', 'timestamp', 'date', 'number'];
const kindsOf = (field: ProposedField): readonly ColumnKind[] =>
  field.endsWith('_at') ? TIME_KINDS : field === 'name' ? ['text'] : ['text', 'uuid', 'number'];
const OWNERS = ids('reference|owner|user|member');

const NAMES = {
  organization_id: {
    sure: ids('organi[sz]ation|org|tenant'),
    unsure: ids('account|team|company|customer|merchant|workspace|reference|owner|user|member'),
    todo: 'name the column that says whose key it is; where another table has it, give "joins" (docs/your-table.md), or, where all keys are of one organization, {"constant": "its ID"}',
  },
  id: {
    sure: names('id|uuid|guid|uid|public_id|external_id|identifier|kid'),
    unsure: names(''),
    todo: 'name the column with the ID of the key, which no two rows of an organization share',
  },
  name: {
    sure: names('name|label|title|display_name|friendly_name|nickname|alias'),
    unsure: names('description|note'),
    todo: 'name the column with the name that people give a key, or {"constant": ""} where it has none',
  },
  created_at: {
    sure: names(`(?:created|creation|create${WHEN}|added)${WHEN}*|date_(?:created|added)`),
    unsure: names(`(?:inserted|issued)${WHEN}+|iat`),
    todo: 'name the column with the time at which the key was made',
  },
  created_by_id: {
    sure: ids('created_by|created_by_user|creator|user|service_account|machine|bot'),
    unsure: ids('owner|member|author|issuer'),
    todo: 'name the column with the ID of who made the key, or {"constant": "unknown"} where none has it',
  },
  workspace_id: {
    sure: ids('workspace'),
    unsure: ids('project|space|group|team'),
    todo: 'name the column with the part of the organization',
  },
  expires_at: {
    sure: names(`(?:expires?|expiry|expiration)${WHEN}*|valid_until|valid_to|not_after`),
    unsure: names(`expired${WHEN}*`),
    todo: 'name the column with the time from which the key no longer works, or leave the field out',
  },
  last_used_at: {
    sure: names(`last_used?${WHEN}*`),
    unsure: names(`(?:last_(?:active|seen|access(?:ed)?|usage|request)|accessed|used)${WHEN}*`),
    todo: 'name the column with the time at which the key was last used, or leave the field out',
  },
} as const satisfies Partial<Record<ProposedField, Names>>;

/** The fields that a proposal may have: of those that are declared, the two with a meaning. */
export type ProposedField = FieldName | LifecycleField;

/** Of several columns none is better than another: so a person names one. `null`: no column is called so. */
function byName(field: keyof typeof NAMES, columns: readonly Column[]): Choice | null {
  const { sure, unsure, todo } = NAMES[field];
  const fitting = columns.filter(({ kind }) => kindsOf(field).includes(kind));
  const sureColumns = namedLike(fitting, sure);
  const named = sureColumns.length > 0 ? sureColumns : namedLike(fitting, unsure);
  const [column, ...more] = named;
  if (!column) return null;
  if (more.length > 0) return undecided(`${todo}: is it ${namesOf(named)}?`);
  const choice = ofColumn(field, column);
  return { ...choice, sure: choice.sure && sureColumns.length > 0 };
}

function required(field: keyof typeof NAMES, columns: readonly Column[]): Choice {
  return byName(field, columns) ?? undecided(NAMES[field].todo);
}

/** The field by this column alone. */
function ofColumn(field: ProposedField, column: Column): Choice {
  if (field === 'created_at') return creationTimeOf(column);
  if (field === 'expires_at' || field === 'last_used_at') return optionalTimeOf(column);
  const whereNull = field === 'name' ? '' : field === 'created_by_id' ? 'unknown' : null;
  return { source: textSource(column, whereNull), sure: true, why: 'its name' };
}

function chooseOrganization(columns: readonly Column[]): Choice {
  const choice = required('organization_id', columns);
  const column = columns.find(each => isSource(each, choice));
  if (!column) return choice;
  const typeName = plainName(column.name).replace(/_id$/, '_type');
  const type = columns.find(each => each !== column && plainName(each.name) === typeName);
  // IDs of several tables may be the same, so two organizations could see each other's keys.
  if (type)
    return undecided(
      `${type.name} says what ${column.name} is the ID of, and IDs of different types may be the same: give "joins" with "when" (docs/your-table.md), or SQL that tells them apart, or has NULL for those that aren't to be listed`,
    );
  return choice.sure ? choice : { ...choice, why: `${choice.why}; each value is one organization` };
}

function isSource({ name }: Column, { source }: Choice): boolean {
  return 'column' in source && source.column === name;
}

function withoutOrganization(columns: readonly Column[]): Column[] {
  const organization = chooseOrganization(columns);
  return columns.filter(column => !isSource(column, organization));
}

function chooseId(columns: readonly Column[], table: TableName): Choice {
  const unique = columns.filter(({ isUnique, isInPrimaryKey }) => isUnique || isInPrimaryKey);
  const choice = required('id', unique);
  if (choice.source.todo === undefined) {
    const sure = unique.some(column => column.isUnique && isSource(column, choice));
    const why = sure ? 'its name, and it is unique' : 'its name; it is a part of the primary key only';
    return { ...choice, sure, why };
  }
  const addId = `ALTER TABLE ${readableTable(table)} ADD COLUMN public_id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE`;
  return undecided(`${choice.why}; where only the key or its hash is unique, add one: ${addId}`);
}

/** An owner that is NULL in most rows made few keys. */
function chooseCreator(columns: readonly Column[]): Choice {
  const makers = withoutOrganization(columns).filter(
    column =>
      /^creat/.test(plainName(column.name)) ||
      presentValues(column).length >= (column.sample?.length ?? 0) / 2,
  );
  const owner = columns.find(column => isSource(column, chooseOrganization(columns)));
  if (!owner || !OWNERS.test(plainName(owner.name))) return required('created_by_id', makers);
  const why = 'no column names a creator: the owner is taken for it';
  return byName('created_by_id', makers) ?? { source: textSource(owner, null), sure: false, why };
}

/** The name of what tells a service account from a user. */
const TYPE =
  /(?:^|_)(?:service|machine|robot|bot)(?:_|$)|^(?:created_by|creator|owner|actor|principal)_(?:type|kind)$/;

function chooseCreatorType(columns: readonly Column[]): Choice {
  const telling = columns.filter(({ name }) => TYPE.test(plainName(name)));
  if (telling.length > 0)
    return undecided(
      `${namesOf(telling)} may tell a service account from a user: give SQL such as CASE WHEN … THEN 'service_account' ELSE 'user' END, or {"constant": "user"}`,
    );
  const source = { constant: 'user' };
  const kinds = columns.filter(({ name }) => /(?:^|_)(?:type|kind)$/.test(plainName(name)));
  if (kinds.length > 0)
    return { source, sure: false, why: `${namesOf(kinds)} may tell a service account from a user` };
  return { source, sure: true, why: 'no column tells a service account from a user' };
}

function chooseWorkspace(columns: readonly Column[]): Choice {
  const why = 'no column is a part of an organization: all are in its default workspace';
  const choice = byName('workspace_id', withoutOrganization(columns));
  if (!choice) return { source: { constant: null }, sure: true, why };
  const isKnown = chooseOrganization(columns).source.todo === undefined;
  return isKnown ? choice : { ...choice, sure: false, why: `${choice.why}, if it isn't the organization` };
}

function chooseName(columns: readonly Column[]): Choice {
  const names = columns.filter(column => !isOfHints(column));
  return required('name', names);
}

/** The fields that the names of columns tell. `null`: no column does, and a record needs none. */
export const chosenByName = {
  organization_id: chooseOrganization,
  id: chooseId,
  name: chooseName,
  created_at: (columns: readonly Column[]) => required('created_at', columns),
  created_by_id: chooseCreator,
  created_by_type: chooseCreatorType,
  workspace_id: chooseWorkspace,
  expires_at: (columns: readonly Column[]) => byName('expires_at', columns),
  last_used_at: (columns: readonly Column[]) => byName('last_used_at', columns),
};
