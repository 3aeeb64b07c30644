/**
 * The endpoint as it is usually written: Express, Drizzle, `limit` and `offset`, and a count of the keys that match.
 * `node express-drizzle.js sqlite FILE` or `… postgres URL`; prints its port.
 */
import { createHash } from 'node:crypto';
import { and, count, desc, eq } from 'drizzle-orm';
import express from 'express';

const [kind, database] = process.argv.slice(2);
const { db, adminKeys, apiKeys } = await (await import(`./drizzle-${kind}.js`)).open(database);

const app = express();
app.disable('x-powered-by');

app.get('/v1/organizations/api_keys', async (request, response) => {
  const digest = createHash('sha256')
    .update(request.get('x-api-key') ?? '')
    .digest();
  const [admin] = await db.select().from(adminKeys).where(eq(adminKeys.digest, digest)).limit(1);
  if (!admin) return response.status(401).json({ error: 'not a valid admin key' });

  const limit = Math.min(Number(request.query.limit ?? 20), 1000);
  const offset = Number(request.query.offset ?? 0);
  const conditions = [eq(apiKeys.organizationId, admin.organizationId)];
  if (request.query.status) conditions.push(eq(apiKeys.status, request.query.status));
  if (request.query.workspace_id) conditions.push(eq(apiKeys.workspaceId, request.query.workspace_id));
  if (request.query.created_by_user_id)
    conditions.push(eq(apiKeys.createdById, request.query.created_by_user_id));
  const matching = and(...conditions);

  const [rows, [counted]] = await Promise.all([
    db
      .select()
      .from(apiKeys)
      .where(matching)
      .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
      .limit(limit)
      .offset(offset),
    db.select({ total: count() }).from(apiKeys).where(matching),
  ]);
  response.json({ data: rows.map(render), total: counted.total, limit, offset });
});

const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));

function render(row) {
  return {
    id: row.id,
    type: 'api_key',
    name: row.name,
    created_at: new Date(row.createdAt).toISOString(),
    created_by: { id: row.createdById, type: row.createdByType },
    partial_key_hint: row.partialKeyHint,
    status: row.status,
    workspace_id: row.workspaceId,
  };
}
