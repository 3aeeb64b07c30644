/** Serves a route handler as Next does: by the export of each method's name. Called with the handler's file. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';

type RouteHandler = (request: Request, context: { params: Promise<object> }) => Promise<Response>;

const [, , file = ''] = process.argv;
const methods: Record<string, RouteHandler> = await import(file);
const app = new Hono().use(cors(), compress());
app.all('*', ({ req }) => {
  const handler = methods[req.method];
  return handler ? handler(req.raw, { params: Promise.resolve({}) }) : new Response(null, { status: 405 });
});
const server = serve({ fetch: app.fetch, port: Number(process.env.PORT) });
process.once('SIGTERM', () => server.close());
