import compression from 'compression';
import cors from 'cors';
import express from 'express';
import { createKeyroster } from 'keyroster';

const keyroster = await createKeyroster({ database: process.env.DATABASE_URL });
const app = express();
app.use(cors(), compression());
app.use(keyroster.handle);
const server = app.listen(process.env.PORT);
process.once('SIGTERM', () => server.close(() => keyroster.close()));
