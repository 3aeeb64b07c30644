// The middleware is that of Express, which is for node:http too.
import { createServer } from 'node:http';
import compression from 'compression';
import cors from 'cors';
import { createKeyroster } from 'keyroster';

const keyroster = await createKeyroster({ database: process.env.DATABASE_URL });
const [allow, compress] = [cors(), compression()];
const server = createServer((request, response) =>
  allow(request, response, () => compress(request, response, () => keyroster.handle(request, response))),
).listen(process.env.PORT);
process.once('SIGTERM', () => server.close(() => keyroster.close()));
