import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';
import { getConnInfo } from 'hono/deno';
import { createKeyroster } from 'keyroster';

const keyroster = await createKeyroster({ database: Deno.env.get('DATABASE_URL') });
const app = new Hono().use(cors(), compress());
app.all('*', context => {
  const clientAddress = getConnInfo(context).remote.address;
  return keyroster.fetch(context.req.raw, { clientAddress });
});
const server = Deno.serve({ port: Number(Deno.env.get('PORT')) }, app.fetch);
Deno.addSignalListener('SIGTERM', () => server.shutdown().then(() => keyroster.close()));
