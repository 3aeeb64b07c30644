import type { Column } from '../catalogue/catalogue.ts';
import { idNames, plainName } from '../catalogue/column-names.ts';
import { type Choice, type ProposedSource, presentValues, textSource, undecided } from './choice.ts';
import { canBeId, candidates, checkedId } from './id-column.ts';

const TENANTS = idNames('organization organisation org tenant');
const ACCOUNTS = idNames('account team company customer merchant group');
const OWNERS = idNames('reference owner user member');
export const PARTS = idNames('workspace project space environment env application app');

/** Of a table that has the organizations, in its name: `hotels`, `Workspace`. */
const ORGANIZATIONS =
  /(?:^|_)(?:organi[sz]ation|org|tenant|workspace|account|team|company|companie|customer|merchant|group|client|business|hotel|property|propertie|shop|store)(?:e?s)?$/;

/** What a column has beside its name that makes it one of organizations. */
function isOfOrganizations({ references }: Column): boolean {
  return references !== null && ORGANIZATIONS.test(plainName(references));
}

/** The column with the type of what a column's IDs are of: `tokenable_type` of `tokenable_id`. */
function typeColumnOf({ name }: Column, columns: readonly Column[]): Column | undefined {
  const [, noun] = /^(.+)_id$/.exec(plainName(name)) ?? [];
  return noun === undefined ? undefined : columns.find(each => plainName(each.name) === `${noun}_type`);
}

/** By their names, and then by what else tells of an organization. */
function inOrderOfNames(columns: readonly Column[]): Column[] {
  const byKey = columns.filter(column => canBeId(column) && isOfOrganizations(column));
  const byType = columns.filter(column => canBeId(column) && typeColumnOf(column, columns));
  const ordered = [
    ...candidates(columns, [...TENANTS, ...ACCOUNTS]),
    ...byKey,
    ...candidates(columns, OWNERS),
    ...byType,
    ...candidates(columns, PARTS),
  ];
  return [...new Set(ordered)];
}

/** How much of the sample is NULL; `null`: there is no sample. */
function shareOfNull({ sample }: Column): number | null {
  if (!sample?.length) return null;
  return sample.filter(value => value === null).length / sample.length;
}

/** The less of it is NULL, the better: a key of NULL is in no list. */
function rank(column: Column): number {
  const share = shareOfNull(column);
  if (!share) return column.isNullable ? 1 : 0;
  if (share === 1) return 4;
  return share > 0.5 ? 3 : 2;
}

/** Those of which one column is taken for the organization, the best first. */
function organizationColumns(columns: readonly Column[]): Column[] {
  return inOrderOfNames(columns).sort((a, b) => rank(a) - rank(b));
}

/** The column whose value says whose key it is. */
export function organizationColumn(columns: readonly Column[]): Column | undefined {
  return organizationColumns(columns)[0];
}

/** Whether the organization is a user, who may be the creator too. */
export function isOwner(column: Column, columns: readonly Column[]): boolean {
  return OWNERS.includes(plainName(column.name)) || typeColumnOf(column, columns) !== undefined;
}

export function chooseOrganization(columns: readonly Column[]): Choice {
  const [column, ...more] = organizationColumns(columns);
  if (!column)
    return undecided(
      'name the column that says whose key it is, or, where all keys are of one organization, {"constant": "its ID"}',
    );
  const type = typeColumnOf(column, columns);
  if (type) return byType(column, type);
  const isTenant = TENANTS.includes(plainName(column.name));
  const others = more.filter(other => TENANTS.includes(plainName(other.name)));
  const named = isTenant
    ? 'its name'
    : isOfOrganizations(column)
      ? `it refers to ${column.references}`
      : 'its name; each value is one organization';
  const why = [
    others.length > 0 && isTenant ? `${named}, as ${namesOf(others)}` : named,
    ...(others.length > 0 && !isTenant ? [`${namesOf(others)} may be NULL`] : []),
    ...nullReason(column),
  ].join('; ');
  const sure = isTenant && others.length === 0 && !shareOfNull(column);
  return checkedId(column, { source: textSource(column, null), sure, why });
}

function namesOf(columns: readonly Column[]): string {
  return columns.map(({ name }) => name).join(', ');
}

function nullReason(column: Column): string[] {
  const share = shareOfNull(column);
  if (!share) return [];
  const percent = Math.max(1, Math.floor(share * 100));
  return [`NULL in ${percent} % of the sample: those keys are in no list`];
}

/** IDs of several tables are the same, so two organizations could see each other's keys. */
function byType(column: Column, type: Column): Choice {
  const source: ProposedSource = textSource(column, null);
  const types = new Set(presentValues(type)).size;
  if (types > 1) {
    const todo = `${type.name} has ${types} types, and IDs of different types may be the same: give SQL that tells them apart, or has NULL for those that aren't to be listed`;
    return { source: { ...source, todo }, sure: false, why: todo };
  }
  const why = [`the name of ${type.name}, which says what it is the ID of: right only while that is one`];
  return checkedId(column, { source, sure: false, why: [...why, ...nullReason(column)].join('; ') });
}
