import compress from '@fastify/compress';
import cors from '@fastify/cors';
import fastify from 'fastify';
import { createKeyroster } from 'keyroster';

const keyroster = await createKeyroster({ database: process.env.DATABASE_URL });
const app = fastify();
await app.register(cors);
await app.register(compress);
const onRequest = async ({ raw }, reply) => reply.send(await keyroster.fetch(raw));
// Answered before Fastify reads the body of a POST, which it may refuse in words of its own.
app.all('/v1/organizations/api_keys', { onRequest }, () => {});
app.setNotFoundHandler(({ raw }) => keyroster.fetch(raw));
await app.listen({ port: process.env.PORT });
process.once('SIGTERM', () => app.close().then(() => keyroster.close()));
