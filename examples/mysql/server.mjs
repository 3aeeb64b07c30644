import { createServer } from 'node:http';
import { createKeyroster } from 'keyroster';
import { MySqlStore } from './store.mjs';

// Yours: whose session or token it is. docs/library.md tells more.
const sessions = new Map([['Bearer of-ann', { organizationId: 'acct_1', callerId: 'ann@example.com' }]]);

const roster = new MySqlStore(process.env.DATABASE_URL);
const keyroster = await createKeyroster({
  roster,
  log: process.stdout,
  authenticate: async request => sessions.get(request.headers.get('authorization')),
});
const server = createServer(keyroster.handle).listen(process.env.PORT ?? 3000, '127.0.0.1');
process.once('SIGTERM', () => server.close(() => keyroster.close().then(() => roster.close())));
