/** The rows of schema.prisma's table, for store.test.mjs. */
export const TABLE = 'ApiKey';

const ids = new Map();
/** As `cuid()` makes them, since in Prisma's collation an ID in other letters is the same; the same for itself. */
function cuidOf(text) {
  if (!ids.has(text)) ids.set(text, `c${(10 ** 6 + ids.size).toString(36)}`);
  ids.set(ids.get(text), ids.get(text));
  return ids.get(text);
}
const short = text => (text.length > 191 ? cuidOf(text) : text);

export const kept = (organization, record) => [
  short(organization),
  {
    ...{
      ...record,
      id: cuidOf(record.id),
      name: [...record.name].slice(0, 191).join(''),
      workspace_id: null,
    },
    ...{ created_by: { id: short(record.created_by.id), type: 'user' } },
    ...{ status: record.status === 'archived' ? 'archived' : 'active' },
    partial_key_hint: record.partial_key_hint.replace(/[.]{3}.*/, '...~'),
  },
];

export const rowOf = (teamId, { id, name, created_by, partial_key_hint, status }) => ({
  ...{ id, teamId, userId: created_by.id, name, prefix: partial_key_hint.slice(0, -4) },
  ...{ hashedKey: crypto.randomUUID(), revokedAt: status === 'archived' ? '2026-01-01' : null },
});
