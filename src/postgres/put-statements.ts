import { type DeclaredField, NO_FIELDS } from '../roster/declared-fields.ts';
import { columnAsText, columnName, columnType, numberedName } from './declared-fields.ts';

const PUT_COLUMNS = `organization text, id text, name text, created_at timestamptz, created_by_id text, created_by_type text,
  partial_key_hint text, status text, workspace_id text`;

/** Inserts in the order of an import, and then locks by ID (`merge-import.ts`). */
export function statementsFor(
  organization: '$2::text' | 'put.organization',
  fields: readonly DeclaredField[] = NO_FIELDS,
) {
  const each = (sql: (field: DeclaredField) => string) => fields.map(field => `, ${sql(field)}`).join('');
  const columns = PUT_COLUMNS + each(field => `${numberedName(field)} ${columnType(field.type)}`);
  const put = `json_to_recordset($1::text::json) AS put (${columns})`;
  return {
    insertNew: `
    INSERT INTO keyroster.api_keys (organization_id, id, name, created_at, created_by_id, created_by_type,
      partial_key_hint, status, workspace_id${each(columnName)})
    SELECT ${organization}, put.id, put.name, put.created_at, put.created_by_id, put.created_by_type,
      put.partial_key_hint, put.status, put.workspace_id${each(field => `put.${numberedName(field)}`)}
    FROM ${put} ORDER BY put.created_at, put.id COLLATE "C", put.organization COLLATE "C"
    ON CONFLICT (organization_id, id) DO NOTHING RETURNING organization_id AS organization, id`,
    lock: `
    SELECT stored.organization_id AS organization, stored.id, stored.record${each(
      field => `${columnAsText(field, 'stored')} AS ${numberedName(field)}`,
    )}
    FROM keyroster.api_keys AS stored JOIN ${put} ON stored.id = put.id
    WHERE stored.organization_id = ${organization} ORDER BY stored.id, stored.organization_id FOR UPDATE OF stored`,
    update: `
    UPDATE keyroster.api_keys AS stored SET name = put.name, status = put.status, workspace_id = put.workspace_id,
      partial_key_hint = put.partial_key_hint${each(field => `${columnName(field)} = put.${numberedName(field)}`)}
    FROM ${put} WHERE stored.organization_id = ${organization} AND stored.id = put.id`,
  };
}

export const FOR_ONE = statementsFor('$2::text');
export const FOR_SEVERAL = statementsFor('put.organization');
