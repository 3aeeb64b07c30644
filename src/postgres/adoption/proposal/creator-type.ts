import { CREATOR_TYPES } from '../../../roster/api-key.ts';
import type { Column } from '../catalogue/catalogue.ts';
import { namedLike, wordsOf } from '../catalogue/column-names.ts';
import { identifier } from '../mapping/table-name.ts';
import { type Choice, presentValues } from './choice.ts';
import { serviceAccountColumn } from './identifiers.ts';

const TYPES = ['created_by', 'creator', 'owner', 'actor', 'principal', 'subject'].flatMap(who => [
  `${who}_type`,
  `${who}_kind`,
]);
/** Words in the name of a boolean that tells a service account from a user. */
const MACHINES = ['service', 'machine', 'robot', 'bot'];
/** What others call a service account. */
const SERVICES = `'service_account', 'service', 'serviceaccount', 'machine', 'robot', 'bot', 'app', 'application'`;

export function chooseCreatorType(columns: readonly Column[]): Choice {
  const flag = columns.find(
    ({ kind, name }) => kind === 'boolean' && wordsOf(name).some(word => MACHINES.includes(word)),
  );
  if (flag)
    return { source: { sql: byCondition(identifier(flag.name)) }, sure: true, why: 'its name and type' };
  const [type] = namedLike(
    columns.filter(({ kind }) => kind === 'text' || kind === 'enum'),
    TYPES,
  );
  if (type) return byType(type);
  const service = serviceAccountColumn(columns);
  if (service) {
    const sql = byCondition(`${identifier(service.name)} IS NOT NULL`);
    return { source: { sql }, sure: true, why: `the name of ${service.name}` };
  }
  return { source: { constant: 'user' }, sure: true, why: 'no column tells a service account from a user' };
}

function byType(column: Column): Choice {
  const known: readonly string[] = CREATOR_TYPES;
  const values = column.kind === 'enum' ? column.labels : presentValues(column);
  if (!column.isNullable && values.length > 0 && values.every(value => known.includes(value)))
    return { source: { column: column.name }, sure: true, why: 'its name and values' };
  const sql = byCondition(`lower(${identifier(column.name)}::text) IN (${SERVICES})`);
  return { source: { sql }, sure: false, why: 'its name; what is no service is a user' };
}

function byCondition(condition: string): string {
  return `CASE WHEN ${condition} THEN 'service_account' ELSE 'user' END`;
}
