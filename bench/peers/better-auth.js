/**
 * better-auth with its API-key plugin on `node:sqlite`: `node better-auth.js FILE KEYS` makes a user with this many API keys, then
 * prints its port and the user's session cookie.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { apiKey } from '@better-auth/api-key';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';

const [file, keys] = process.argv.slice(2);
const database = new DatabaseSync(file);
database.exec('PRAGMA journal_mode = WAL');
const options = {
  database,
  baseURL: 'http://127.0.0.1',
  secret: randomBytes(32).toString('hex'),
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  plugins: [apiKey()],
  // By default it lists only the first 100 keys of a user.
  advanced: { database: { defaultFindManyLimit: Number(keys) } },
};
await (await getMigrations(options)).runMigrations();
const auth = betterAuth(options);

const account = { email: 'bench@example.com', password: randomBytes(16).toString('hex'), name: 'Bench' };
const { headers, response } = await auth.api.signUpEmail({ body: account, returnHeaders: true });
const cookie = headers
  .getSetCookie()
  .map(line => line.split(';')[0])
  .join('; ');
const { id: firstId } = await auth.api.createApiKey({ body: { userId: response.user.id, name: 'Key 0' } });
copyFirst(firstId, Number(keys));

const server = createServer(toNodeHandler(auth));
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port} ${cookie}\n`));

/** Copies the row that the plugin wrote. Each copy has its own ID, name, digest and time. */
function copyFirst(id, rows) {
  const first = database.prepare('SELECT * FROM apikey WHERE id = ?').get(id);
  const columns = Object.keys(first);
  const quoted = columns.map(column => `"${column}"`).join(', ');
  const insert = database.prepare(
    `INSERT INTO apikey (${quoted}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  database.exec('BEGIN');
  for (let row = 1; row < rows; row++) {
    const own = {
      id: `${id.slice(0, -8)}${String(row).padStart(8, '0')}`,
      name: `Key ${row}`,
      key: createHash('sha256').update(`${row}`).digest('base64url'),
      createdAt: new Date(Date.parse('2023-06-01') + row * 1000).toISOString(),
    };
    insert.run(...columns.map(column => own[column] ?? first[column]));
  }
  database.exec('COMMIT');
}
