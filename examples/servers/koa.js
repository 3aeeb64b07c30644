import cors from '@koa/cors';
import { createKeyroster } from 'keyroster';
import Koa from 'koa';
import compress from 'koa-compress';

const keyroster = await createKeyroster({ database: process.env.DATABASE_URL });
const app = new Koa().use(cors()).use(compress());
app.use(async context => {
  const answer = await keyroster.fetch(context.req);
  context.body = answer;
  // koa-compress takes a Response for JSON. HEAD has no body.
  if (answer.body) context.body = Buffer.from(await answer.arrayBuffer());
});
const server = app.listen(process.env.PORT);
process.once('SIGTERM', () => server.close(() => keyroster.close()));
