import { Hono } from 'hono';
import { getConnInfo } from 'hono/bun';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';
import { createKeyroster } from 'keyroster';

const keyroster = await createKeyroster({ database: process.env.DATABASE_URL });
const app = new Hono().use(cors(), compress());
app.all('*', context => {
  const clientAddress = getConnInfo(context).remote.address;
  return keyroster.fetch(context.req.raw, { clientAddress });
});
const server = Bun.serve({ fetch: app.fetch, port: process.env.PORT });
process.once('SIGTERM', () => server.stop().then(() => keyroster.close()));
