import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';
import { createKeyroster } from 'keyroster';

const keyroster = await createKeyroster({ database: process.env.DATABASE_URL });
const app = new Hono().use(cors(), compress());
app.all('*', ({ req }) => keyroster.fetch(req.raw));
const server = Bun.serve({ fetch: app.fetch, port: process.env.PORT });
process.once('SIGTERM', () => server.stop().then(() => keyroster.close()));
