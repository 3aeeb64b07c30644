/** How the commands of `admin-keys` print a key as a row: never its secret. */

import { type AdminKey, workspaceOf } from '../../service/roster/admin-key.ts';
import { formatTimestamp, type Timestamp } from '../../shared/record/timestamp.ts';

const columns: readonly (readonly [heading: string, cell: (key: AdminKey) => string])[] = [
  ['ID', key => key.id],
  ['ORGANIZATION', key => key.organizationId],
  ['NAME', key => key.name],
  ['ENDS IN', key => key.lastCharacters],
  ['CREATED', key => timeOrNever(key.createdAt)],
  ['EXPIRES', key => timeOrNever(key.expiresAt)],
  ['REVOKED', key => timeOrNever(key.revokedAt)],
  ['NETWORKS', key => key.networks?.join(',') ?? '-'],
  ['WORKSPACE', key => workspaceOf(key) ?? '-'],
];

export const ADMIN_KEY_HEADINGS = columns.map(([heading]) => heading);

export function adminKeyRow(key: AdminKey): string[] {
  return columns.map(([, cell]) => cell(key));
}

export function timeOrNever(time: Timestamp | null): string {
  return time === null ? '-' : formatTimestamp(time);
}
